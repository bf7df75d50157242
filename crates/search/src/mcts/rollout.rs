//! Games played on by chance under a few rules.
//!
//! The rules and the winning cells see the end a few plies early: a win at
//! hand, two threats at once, a threat above the only block. A rollout in
//! which no move was free is a proof of the position it started from.
//! To answer each stone in its own column is how the side that can afford to
//! wait plays the end of a game: rollouts that do so know who will be short of
//! safe moves, which others leave to chance.
//! Instead of a rollout a network may be asked, once all that is forced is played.
//!
//! Which move is made is not branched upon: every column draws a lot, the
//! rules make it higher or lower, and the lowest is played.

#[cfg(test)]
mod tests;

use super::falling::{Falling, State, column_of, is_won};
use super::game::{Ending, Game, Outlook, half_points};
use super::lanes::Lanes;
use super::params::{Pruning, Rollout};
use crate::columns::{Columns, MOST_COLUMNS, has_two};
use crate::neural::Judge;
use crate::value::{Value, win_rate};
use stoneline_rules::{Bits, Chance, scramble};

/// Which rules a rollout keeps, as constants of its code.
const BLOCK: u8 = 1;
const SAFE: u8 = 2;
const KEEP: u8 = 3;
const FOLLOW: u8 = 4;

/// One game from `state` on; `last`: the column of the stone before, if it is known.
pub(super) fn play<L: Lanes>(
    game: &Falling<L>,
    state: &State<L>,
    last: L,
    rules: Rollout,
    chance: &mut Chance,
) -> Ending {
    if game.is_of_four() {
        played::<L, true>(game, state, last, rules, chance)
    } else {
        played::<L, false>(game, state, last, rules, chance)
    }
}

/// The same, for runs of `FOUR` or of any length.
#[inline(always)]
fn played<L: Lanes, const FOUR: bool>(
    game: &Falling<L>,
    state: &State<L>,
    last: L,
    rules: Rollout,
    chance: &mut Chance,
) -> Ending {
    match rules {
        Rollout::Uniform => uniform::<L, FOUR, false>(game, state, chance),
        Rollout::Centre => uniform::<L, FOUR, true>(game, state, chance),
        Rollout::Block => by_rules::<L, FOUR, BLOCK, false>(game, state, last, chance),
        Rollout::CentreBlock => by_rules::<L, FOUR, BLOCK, true>(game, state, last, chance),
        Rollout::Safe => by_rules::<L, FOUR, SAFE, false>(game, state, last, chance),
        Rollout::Keep => by_rules::<L, FOUR, KEEP, false>(game, state, last, chance),
        Rollout::Follow => by_rules::<L, FOUR, FOLLOW, false>(game, state, last, chance),
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
///
/// A rollout reads on in two tables from places drawn for it, and joins both with bits drawn
/// for it: two steps a ply, where a generator would take eight.
struct Lots<L> {
    places: [usize; 2],
    mask: L,
}

/// Lots in either table, a power of two: more than a rollout has plies.
const LOTS: usize = 1 << 9;
/// The bits of a lot that are drawn.
const DRAWN: u16 = 0x3fe0;

type Table = [[u16; MOST_COLUMNS]; LOTS];

static TABLES: [Table; 2] = [table(1), table(2)];

const fn table(number: u64) -> Table {
    let mut table = [[0; MOST_COLUMNS]; LOTS];
    let mut at = 0;
    while at < LOTS * MOST_COLUMNS {
        let drawn = scramble(number << 32 | at as u64) as u16 & DRAWN;
        table[at / MOST_COLUMNS][at % MOST_COLUMNS] = drawn;
        at += 1;
    }
    table
}

/// The columns' numbers below bit 4.
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
    fn new(chance: &mut Chance) -> Self {
        let mut words = [0; 4];
        for word in &mut words[..L::COUNT / 4] {
            *word = chance.draw();
        }
        let places = chance.draw();
        let numbers = L::new(&NUMBERS) ^ L::all((places >> 60) as u16);
        Self {
            places: [places, places >> 32].map(|place| place as usize),
            mask: L::from_words(words) & L::all(DRAWN) | numbers,
        }
    }

    /// The lots of the next ply, all above [`FIRST`] and below [`LATE`].
    #[inline(always)]
    fn draw(&mut self) -> L {
        self.places = self.places.map(|place| place.wrapping_add(1));
        let [one, other] = self.places.map(|place| place % LOTS);
        L::new(&TABLES[0][one]) ^ L::new(&TABLES[1][other]) ^ self.mask
    }
}

/// A rollout that looks for wins and blocks before it leaves the rest to chance.
fn by_rules<L: Lanes, const FOUR: bool, const RULES: u8, const CENTRE: bool>(
    game: &Falling<L>,
    start: &State<L>,
    mut last: L,
    chance: &mut Chance,
) -> Ending {
    let mut state = *start;
    let mut winning = [
        game.winning_by::<FOUR>(state.mine),
        game.winning_by::<FOUR>(state.theirs),
    ];
    if is_won(state.theirs, winning[1]) {
        return ending(Value::Loss { plies: 0 }, 0, true);
    }
    let mut lots = Lots::<L>::new(chance);
    let mut forced = true;
    let mut plies = 0;
    let value = loop {
        let [mine, theirs] = winning;
        let landing = game.landing(state.filled);
        let next = game.opened(state.filled, landing);
        let threats = theirs & landing;
        let calm = threats.empty_columns();
        let harmful = (theirs & next).equal(next | next.empty_columns());
        let given = (mine & next).empty_columns();
        let wins = mine & landing;
        // A block that opens the cell above itself.
        let vain = threats & harmful;
        let mut ends = wins | vain;
        let mut stacked = L::empty();
        if RULES >= KEEP {
            // The first of two must be blocked, and then the second wins.
            let third = game.opened(state.filled | landing, next);
            let alone = given | (mine & third).empty_columns();
            stacked = L::all(u16::MAX).without(alone | harmful);
            ends = ends | stacked;
        }
        let blocks = calm.count_empty();
        // One jump for all these questions: few rollouts end at a ply.
        if (blocks > 1) | !ends.is_empty() {
            if !wins.is_empty() {
                break Value::Win { plies: 1 };
            }
            if blocks > 1 || !vain.is_empty() {
                break Value::Loss { plies: 2 };
            }
            if blocks == 0 && !stacked.is_empty() {
                break Value::Win { plies: 3 };
            }
        }
        let mut safe = landing;
        let mut drawn = lots.draw();
        if RULES >= FOLLOW {
            // Before all others, unless it is better left alone.
            drawn = drawn.without(last & L::all(DRAWN));
        }
        drawn = drawn | landing.empty_columns();
        if RULES >= KEEP {
            drawn = drawn | L::all(LATE).without(given);
        }
        if RULES >= SAFE {
            safe = landing.without(harmful);
            drawn = drawn | harmful;
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
        last = column;
        winning = [theirs, game.winning_by::<FOUR>(state.theirs)];
        plies += 1;
    };
    ending(to_first(value, plies), plies, forced)
}

/// A rollout in which every move that is legal may be made.
fn uniform<L: Lanes, const FOUR: bool, const CENTRE: bool>(
    game: &Falling<L>,
    start: &State<L>,
    chance: &mut Chance,
) -> Ending {
    let mut state = *start;
    if is_won(state.theirs, game.winning_by::<FOUR>(state.theirs)) {
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
        if !(game.winning_by::<FOUR>(state.mine) & cell).is_empty() {
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
) -> Value {
    let mut state = *state;
    let mut plies = 0;
    loop {
        match game.outlook(&state, Pruning::Full) {
            Outlook::Decided(value) => return before(to_first(value, plies), plies),
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
    to_first(Value::Guess(rate), plies)
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
    Ending {
        half_points: half_points(value),
        plies,
        proof: forced.then_some(before(value, plies)),
    }
}

/// What a value was `plies` before, to the same side.
#[inline(always)]
fn before(value: Value, plies: u16) -> Value {
    match value {
        Value::Win { plies: more } => Value::Win {
            plies: plies + more,
        },
        Value::Loss { plies: more } => Value::Loss {
            plies: plies + more,
        },
        other => other,
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
