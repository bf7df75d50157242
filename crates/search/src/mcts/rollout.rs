//! Rollouts: games played on by chance under a few rules.
//!
//! The rules and the winning cells see the end a few plies early: a win at
//! hand, two threats at once, a threat above the only block. A rollout in
//! which no move was free is a proof of the position it started from.

use super::game::{Ending, Outlook, half_points};
use super::gravity::{Force, Gravity, State, judge};
use super::lines::{holds, with};
use super::params::{Pruning, Rollout};
use crate::value::Value;
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
    if state.lost {
        return ending(Value::Loss { plies: 0 }, 0, true);
    }
    match rules {
        Rollout::Uniform => play_by::<WORDS, UNIFORM, false>(game, state, chance),
        Rollout::Centre => play_by::<WORDS, UNIFORM, true>(game, state, chance),
        Rollout::Block => play_by::<WORDS, BLOCK, false>(game, state, chance),
        Rollout::CentreBlock => play_by::<WORDS, BLOCK, true>(game, state, chance),
        Rollout::Safe => play_by::<WORDS, SAFE, false>(game, state, chance),
        Rollout::Keep => play_by::<WORDS, KEEP, false>(game, state, chance),
    }
}

/// Where a turn led.
enum Turn {
    /// The game goes on; whether the move was free.
    On { free: bool },
    /// It ended, with this value to the side whose turn it was.
    Ended(Value),
}

fn play_by<const WORDS: usize, const RULES: u8, const CENTRE: bool>(
    game: &Gravity<WORDS>,
    state: &State<WORDS>,
    chance: &mut Chance,
) -> Ending {
    let mut first = state.mine;
    let mut second = state.theirs;
    let mut occupied = state.occupied;
    let mut forced = true;
    let mut plies = 0;
    // Written out for both sides, so that neither's words are moved about.
    loop {
        match turn::<WORDS, RULES, CENTRE>(game, &mut first, &second, &mut occupied, chance) {
            Turn::On { free } => forced &= !free,
            Turn::Ended(value) => return ending(value, plies, forced),
        }
        match turn::<WORDS, RULES, CENTRE>(game, &mut second, &first, &mut occupied, chance) {
            Turn::On { free } => forced &= !free,
            Turn::Ended(value) => return ending(value.for_opponent(), plies + 1, forced),
        }
        plies += 2;
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
        proof: forced.then_some(later),
    }
}

#[inline(always)]
fn turn<const WORDS: usize, const RULES: u8, const CENTRE: bool>(
    game: &Gravity<WORDS>,
    mine: &mut Force<WORDS>,
    theirs: &Force<WORDS>,
    occupied: &mut Bits<WORDS>,
    chance: &mut Chance,
) -> Turn {
    let legal = game.legal(*occupied);
    let pruning = match RULES {
        UNIFORM => Pruning::None,
        BLOCK => Pruning::Threats,
        _ => Pruning::Full,
    };
    let safe = match judge(mine.winning, theirs.winning, legal, pruning) {
        Outlook::Decided(value) => return Turn::Ended(value),
        Outlook::Open(moves) => moves,
    };
    let mut moves = safe;
    if RULES == KEEP {
        let kept = safe.minus(mine.winning.shr_small(1));
        if !kept.is_empty() {
            moves = kept;
        }
    }
    let index = if CENTRE {
        central(game, moves, chance)
    } else {
        any(moves, chance)
    };
    if RULES == UNIFORM && holds(&mine.winning, index) {
        return Turn::Ended(Value::Win { plies: 1 });
    }
    mine.stones = with(mine.stones, index);
    *occupied = with(*occupied, index);
    game.lines.extend(&mut mine.winning, &mine.stones, index);
    Turn::On {
        free: safe.has_two(),
    }
}

/// A member of `moves`, each equally likely.
///
/// Without a branch on chance, which no processor can foresee.
#[inline(always)]
fn any<const WORDS: usize>(moves: Bits<WORDS>, chance: &mut Chance) -> u32 {
    let words = moves.words();
    let rank = chance.below(moves.len());
    let (mut word, mut base, mut rank_in_word, mut before) = (words[0], 0, rank, 0);
    for at in 1..WORDS {
        before += words[at - 1].count_ones();
        let further = rank >= before;
        word = if further { words[at] } else { word };
        base = if further { 64 * at as u32 } else { base };
        rank_in_word = if further { rank - before } else { rank_in_word };
    }
    let bit = Bits::<1>::from_words([word]).nth_bit(rank_in_word);
    base + bit.words()[0].trailing_zeros()
}

/// A member of `moves`, each as likely as its column weighs.
#[inline(always)]
fn central<const WORDS: usize>(
    game: &Gravity<WORDS>,
    moves: Bits<WORDS>,
    chance: &mut Chance,
) -> u32 {
    let heaviest = u32::from(game.heaviest);
    loop {
        let index = any(moves, chance);
        if chance.below(heaviest) < u32::from(game.weight[index as usize]) {
            return index;
        }
    }
}
