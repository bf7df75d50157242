//! Scores inside the search: one number for proofs and estimates, and its way out to a [`Value`].
//!
//! A win is `WON` less the stones on the board when it is complete, so a score
//! says the same at every node of the game and goes into the table as it is.
//! Estimates are odd: 0 is left to draws.

use crate::value::{Value, win_rate};

/// A win on an empty board with no stone at all: more than any real one.
pub(super) const WON: i32 = 30_000;
/// Scores from here on are proven wins; a board has fewer cells than lie between.
pub(super) const LEAST_WON: i32 = WON - 1_000;
/// The largest estimate.
const MOST_GUESSED: i32 = 20_001;
/// Beyond every score.
pub(super) const INFINITE: i32 = WON + 1;

/// The score of a win that is complete with `stones` on the board.
#[inline(always)]
pub(super) const fn win_at(stones: i32) -> i32 {
    WON - stones
}

/// Whether a score is a proven win or loss.
#[inline(always)]
pub(super) const fn is_decided(score: i32) -> bool {
    score >= LEAST_WON || score <= -LEAST_WON
}

/// An evaluation as a score: within the range of estimates, and odd.
#[inline(always)]
pub(super) fn guessed(evaluation: i32) -> i32 {
    evaluation.clamp(-MOST_GUESSED, MOST_GUESSED) | 1
}

/// The value that a score stands for, with `stones` on the board.
///
/// `certain`: the score is exact and no estimate is behind it.
pub(super) fn value(score: i32, stones: usize, certain: bool) -> Value {
    let plies = (WON - score.abs()).saturating_sub(stones as i32) as u16;
    if score >= LEAST_WON {
        Value::Win { plies }
    } else if score <= -LEAST_WON {
        Value::Loss { plies }
    } else if certain && score == 0 {
        Value::Draw
    } else {
        Value::Guess(win_rate(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_odd_and_never_proofs() {
        for evaluation in [-1_000_000, -20_000, -3, -2, -1, 0, 1, 2, 500, i32::MAX] {
            let score = guessed(evaluation);
            assert!(score % 2 != 0 && !is_decided(score) && !is_decided(-score));
        }
    }

    #[test]
    fn scores_say_how_many_stones_are_left() {
        assert_eq!(value(win_at(17), 14, false), Value::Win { plies: 3 });
        assert_eq!(value(-win_at(18), 14, false), Value::Loss { plies: 4 });
        assert_eq!(value(0, 14, true), Value::Draw);
        assert_eq!(value(0, 14, false), Value::Guess(0.5));
        let Value::Guess(rate) = value(400, 14, true) else {
            panic!("an estimate is no proof");
        };
        assert!((rate - 0.731).abs() < 1e-3);
    }
}
