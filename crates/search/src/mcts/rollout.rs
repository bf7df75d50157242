//! Rollouts: games played on by chance under a few rules.
//!
//! The rules and the winning cells see the end a few plies early: a win at
//! hand, two threats at once, a threat above the only block. A rollout in
//! which no move was free is a proof of the position it started from.
//! Instead of a rollout a network may be asked, once all that is forced is played.

use super::game::{Ending, Outlook, half_points};
use super::gravity::{Columns, Gravity, State, has_two};
use super::params::{Pruning, Rollout};
use super::simulate::rounded;
use crate::neural::Judge;
use crate::value::{Value, win_rate};
use stoneline_rules::{Bits, Chance};

/// Which rules a rollout keeps, as constants of its code.
const UNIFORM: u8 = 0;
const BLOCK: u8 = 1;
const SAFE: u8 = 2;
const KEEP: u8 = 3;

/// One game from `state` on.
pub(super) fn play<const WORDS: usize>(
    game: &Gravity<WORDS>,
    state: &State<WORDS>,
    rules: Rollout,
    chance: &mut Chance,
) -> Ending {
    match rules {
        _ if state.lost => ending(Value::Loss { plies: 0 }, 0, true),
        Rollout::Uniform => play_by::<WORDS, UNIFORM, false>(game, state, chance),
        Rollout::Centre => play_by::<WORDS, UNIFORM, true>(game, state, chance),
        Rollout::Block => play_by::<WORDS, BLOCK, false>(game, state, chance),
        Rollout::CentreBlock => play_by::<WORDS, BLOCK, true>(game, state, chance),
        Rollout::Safe => play_by::<WORDS, SAFE, false>(game, state, chance),
        Rollout::Keep => play_by::<WORDS, KEEP, false>(game, state, chance),
    }
}

fn play_by<const WORDS: usize, const RULES: u8, const CENTRE: bool>(
    game: &Gravity<WORDS>,
    start: &State<WORDS>,
    chance: &mut Chance,
) -> Ending {
    let pruning = match RULES {
        UNIFORM => Pruning::None,
        BLOCK => Pruning::Threats,
        _ => Pruning::Full,
    };
    let mut state = *start;
    let mut forced = true;
    let mut plies = 0;
    loop {
        let side = state.side & 1;
        let to_first = |value: Value| {
            if plies % 2 == 0 {
                value
            } else {
                value.for_opponent()
            }
        };
        let safe = match state.judge(pruning) {
            Outlook::Decided(value) => return ending(to_first(value), plies, forced),
            Outlook::Open(columns) => columns,
        };
        let mut columns = safe;
        if RULES == KEEP && safe & !state.next[side] != 0 {
            columns = safe & !state.next[side];
        }
        let column = if CENTRE {
            central(game, columns, chance)
        } else {
            any(columns, chance)
        };
        if RULES == UNIFORM && state.now[side] >> column & 1 == 1 {
            return ending(to_first(Value::Win { plies: 1 }), plies, forced);
        }
        forced &= !has_two(safe);
        game.drop_stone(&mut state, column);
        plies += 1;
    }
}

/// What the network expects after `line`, which leads to `state` and is made longer by all that is forced.
pub(super) fn estimate<const WORDS: usize>(
    game: &Gravity<WORDS>,
    state: &State<WORDS>,
    line: &mut Vec<u16>,
    judge: &mut Judge,
    chance: &mut Chance,
) -> Ending {
    if state.lost {
        return ending(Value::Loss { plies: 0 }, 0, true);
    }
    let mut state = *state;
    let mut plies = 0;
    loop {
        match state.judge(Pruning::Full) {
            Outlook::Decided(value) if plies % 2 == 0 => return ending(value, plies, true),
            Outlook::Decided(value) => return ending(value.for_opponent(), plies, true),
            // The network has learnt from positions in which nothing is forced.
            Outlook::Open(columns) if has_two(columns) => break,
            Outlook::Open(only) => {
                let column = only.trailing_zeros() as usize;
                line.push(state.landing[column]);
                game.drop_stone(&mut state, column);
                plies += 1;
            }
        }
    }
    judge.follow(line);
    let rate = win_rate(judge.value(&state.view()));
    let rate = if plies % 2 == 0 { rate } else { 1.0 - rate };
    Ending {
        half_points: rounded(2.0 * rate, chance),
        plies: 0,
        proof: None,
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

/// A member of `columns`, each equally likely.
#[inline(always)]
fn any(columns: Columns, chance: &mut Chance) -> usize {
    let columns = Bits::<1>::from_words([columns.into()]);
    let chosen = columns.nth_bit(chance.below(columns.len()));
    chosen.words()[0].trailing_zeros() as usize
}

/// A member of `columns`, each as likely as it weighs.
#[inline(always)]
fn central<const WORDS: usize>(
    game: &Gravity<WORDS>,
    columns: Columns,
    chance: &mut Chance,
) -> usize {
    loop {
        let column = any(columns, chance);
        if chance.below(game.heaviest.into()) < game.weights[column].into() {
            return column;
        }
    }
}
