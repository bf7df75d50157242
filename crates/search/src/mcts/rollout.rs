//! Games played on by chance under a few rules.
//!
//! The rules and the winning cells see the end a few plies early: a win at
//! hand, two threats at once, a threat above the only block. A rollout in
//! which no move was free is a proof of the position it started from.
//! Instead of a rollout a network may be asked, once all that is forced is played.
//!
//! Which move is made is not branched upon: every column draws a lot, the
//! rules make it higher or lower, and the lowest is played.

use super::falling::{Falling, State, column_of, is_won};
use super::game::{Ending, Game, Outlook, half_points};
use super::lanes::Lanes;
use super::params::{Pruning, Rollout};
use super::simulate::rounded;
use crate::columns::{Columns, MOST_COLUMNS, has_two};
use crate::neural::Judge;
use crate::value::{Value, win_rate};
use stoneline_rules::{Bits, Chance};

/// Which rules a rollout keeps, as constants of its code.
const BLOCK: u8 = 1;
const SAFE: u8 = 2;
const KEEP: u8 = 3;

/// One game from `state` on.
pub(super) fn play<L: Lanes>(
    game: &Falling<L>,
    state: &State<L>,
    rules: Rollout,
    chance: &mut Chance,
) -> Ending {
    match rules {
        Rollout::Uniform => uniform::<L, false>(game, state, chance),
        Rollout::Centre => uniform::<L, true>(game, state, chance),
        Rollout::Block => by_rules::<L, BLOCK, false>(game, state, chance),
        Rollout::CentreBlock => by_rules::<L, BLOCK, true>(game, state, chance),
        Rollout::Safe => by_rules::<L, SAFE, false>(game, state, chance),
        Rollout::Keep => by_rules::<L, KEEP, false>(game, state, chance),
    }
}

/// The lot of a column that the opponent threatens: below all others.
const FIRST: u16 = 0;
/// Added to the lot of a column that is better left alone.
const LATE: u16 = 1 << 14;
/// Added to the lot of a column that loses at once, as to that of a full one.
const LOSING: u16 = 1 << 15;

/// Lots for the columns, another for each at every ply.
///
/// ```text
///   bits 5..13 by chance, bit 4 set, bits 0..3 the column's number under
///   a mask of this rollout: no two alike, and of equals each first as often
/// ```
pub(super) struct Lots<L> {
    bits: L,
    numbers: L,
}

/// The columns' numbers above bit 4.
static NUMBERS: [u16; MOST_COLUMNS] = {
    let mut numbers = [0; MOST_COLUMNS];
    let mut column = 0;
    while column < MOST_COLUMNS {
        numbers[column] = 1 << 4 | column as u16;
        column += 1;
    }
    numbers
};

impl<L: Lanes> Lots<L> {
    #[inline(always)]
    pub(super) fn new(chance: &mut Chance) -> Self {
        let mut words = [0; 4];
        for word in &mut words[..L::COUNT / 4] {
            *word = chance.draw();
        }
        Self {
            bits: L::from_words(words),
            numbers: L::new(&NUMBERS) ^ L::all(words[0] as u16 & 15),
        }
    }

    /// The lots of the next ply, all above [`FIRST`] and below [`LATE`].
    #[inline(always)]
    pub(super) fn draw(&mut self) -> L {
        self.bits = self.bits.stirred();
        self.bits & L::all(0x3fe0) | self.numbers
    }
}

/// A rollout that looks for wins and blocks before it leaves the rest to chance.
fn by_rules<L: Lanes, const RULES: u8, const CENTRE: bool>(
    game: &Falling<L>,
    start: &State<L>,
    chance: &mut Chance,
) -> Ending {
    let mut state = *start;
    let mut winning = [game.winning(state.mine), game.winning(state.theirs)];
    if is_won(state.theirs, winning[1]) {
        return ending(Value::Loss { plies: 0 }, 0, true);
    }
    let mut lots = Lots::<L>::new(chance);
    let mut forced = true;
    let mut plies = 0;
    let value = loop {
        let [mine, theirs] = winning;
        let landing = game.landing(state.filled);
        if !(mine & landing).is_empty() {
            break Value::Win { plies: 1 };
        }
        let next = game.opened(state.filled, landing);
        let threats = theirs & landing;
        let calm = threats.empty_columns();
        let harmless = (theirs & next).empty_columns();
        // The block of one leaves the other, or opens the cell above itself. Here and below
        // one jump for both questions: few rollouts end at a ply, many are asked one of them.
        let blocks = calm.count_empty();
        if (blocks > 1) | !threats.without(harmless).is_empty() {
            break Value::Loss { plies: 2 };
        }
        let given = (mine & next).empty_columns();
        if RULES >= SAFE {
            // The first of two must be blocked, and then the second wins.
            let third = game.opened(state.filled | landing, next);
            let alone = given | (mine & third).empty_columns();
            if (blocks == 0) & !harmless.without(alone).is_empty() {
                break Value::Win { plies: 3 };
            }
        }
        let mut safe = landing;
        let mut drawn = lots.draw() | landing.empty_columns();
        if RULES >= SAFE {
            safe = landing & harmless;
            drawn = drawn | L::all(LOSING).without(harmless);
        }
        if RULES == KEEP {
            drawn = drawn | L::all(LATE).without(given);
        }
        let (lowest, everywhere) = (drawn & calm).lowest();
        if lowest >= LOSING {
            break match landing.is_empty() {
                true => Value::Draw,
                false => Value::Loss { plies: 2 },
            };
        }
        if forced {
            forced = lowest == FIRST || !has_two(safe.set());
        }
        let column = if CENTRE && lowest != FIRST {
            column_of(central(game, safe.set(), chance))
        } else {
            (drawn & calm).equal(everywhere)
        };
        state.put(landing & column);
        winning = [theirs, game.winning(state.theirs)];
        plies += 1;
    };
    ending(to_first(value, plies), plies, forced)
}

/// A rollout in which every move that is legal may be made.
fn uniform<L: Lanes, const CENTRE: bool>(
    game: &Falling<L>,
    start: &State<L>,
    chance: &mut Chance,
) -> Ending {
    let mut state = *start;
    if is_won(state.theirs, game.winning(state.theirs)) {
        return ending(Value::Loss { plies: 0 }, 0, true);
    }
    let mut lots = Lots::<L>::new(chance);
    let mut forced = true;
    let mut plies = 0;
    let value = loop {
        let landing = game.landing(state.filled);
        if landing.is_empty() {
            break Value::Draw;
        }
        let column = if CENTRE {
            column_of(central(game, landing.set(), chance))
        } else {
            let drawn = lots.draw() | landing.empty_columns();
            drawn.equal(drawn.lowest().1)
        };
        let cell = landing & column;
        if !(game.winning(state.mine) & cell).is_empty() {
            break Value::Win { plies: 1 };
        }
        if forced {
            forced = !has_two(landing.set());
        }
        state.put(cell);
        plies += 1;
    };
    ending(to_first(value, plies), plies, forced)
}

/// What the network expects after `line`, which leads to `state` and is made longer by all that is forced.
pub(super) fn estimate<L: Lanes>(
    game: &Falling<L>,
    state: &State<L>,
    line: &mut Vec<u16>,
    judge: &mut Judge,
    chance: &mut Chance,
) -> Ending {
    let mut state = *state;
    let mut plies = 0;
    loop {
        match game.outlook(&state, Pruning::Full) {
            Outlook::Decided(value) => return ending(to_first(value, plies), plies, true),
            // The network has learnt from positions in which nothing is forced.
            Outlook::Open(columns) if has_two(columns) => break,
            Outlook::Open(only) => {
                let column = only.trailing_zeros() as usize;
                line.push(game.landing_bit(&state, column));
                game.drop_stone(&mut state, column);
                plies += 1;
            }
        }
    }
    judge.follow(line);
    let rate = win_rate(game.judged(&state, judge));
    let rate = if plies % 2 == 0 { rate } else { 1.0 - rate };
    Ending {
        half_points: rounded(2.0 * rate, chance),
        plies: 0,
        proof: None,
    }
}

/// The value to the side that moved first, of one to the side to move `plies` later.
#[inline(always)]
fn to_first(value: Value, plies: u16) -> Value {
    if plies.is_multiple_of(2) {
        value
    } else {
        value.for_opponent()
    }
}

/// The ending of a rollout whose last position, `plies` after its start, has `value` to the first mover.
#[inline(always)]
fn ending(value: Value, plies: u16, forced: bool) -> Ending {
    let later = match value {
        Value::Win { plies: more } => Value::Win {
            plies: plies + more,
        },
        Value::Loss { plies: more } => Value::Loss {
            plies: plies + more,
        },
        other => other,
    };
    Ending {
        half_points: half_points(value),
        plies,
        proof: forced.then_some(later),
    }
}

/// A member of `columns`, each as likely as it weighs.
#[inline(always)]
fn central<L>(game: &Falling<L>, columns: Columns, chance: &mut Chance) -> usize {
    let columns = Bits::<1>::from_words([columns.into()]);
    loop {
        let chosen = columns.nth_bit(chance.below(columns.len()));
        let column = chosen.words()[0].trailing_zeros() as usize;
        if chance.below(game.heaviest.into()) < game.weights[column].into() {
            return column;
        }
    }
}
