//! Games ended before the board ends them: by a proof, or by what both players say.
//!
//! Off unless asked for. A proof is the exact solver's, bounded by nodes so
//! that the same game always ends at the same move.

use crate::game::Move;
use serde::{Deserialize, Serialize};
use stoneline_rules::{Position, Side};
use stoneline_search::solve::{Book, Question, SolveLimits, Solver};

/// When a game is ended early.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// Nodes that the exact solver may spend after each move; where stones fall.
    pub proof_nodes: Option<u64>,
    /// The share of points, 0.5 to 1, that both players must give one side.
    pub score: Option<f32>,
    /// For how many moves of each player in a row; 3 unless told.
    pub moves: Option<usize>,
}

/// Bytes of the solver's table: made anew for each game, so kept small.
const TABLE_BYTES: usize = 4 << 20;

/// Moves of each player that must agree, unless told.
const USUAL_MOVES: usize = 3;

/// Watches one game.
pub(crate) struct Adjudicator {
    rule: Adjudication,
    solver: Option<Solver>,
}

/// A verdict: the winner, `None` for a draw, and why.
pub(crate) type Verdict = (Option<Side>, String);

impl Adjudicator {
    pub(crate) fn new(rule: Adjudication, opening: &Position) -> Self {
        let variant = opening.variant();
        let solver = rule.proof_nodes.and_then(|_| {
            let mut solver = Solver::new(variant, TABLE_BYTES, 1).ok()?;
            if variant.to_string() == "connect4" {
                solver.use_book(Book::connect4());
            }
            Some(solver)
        });
        Self { rule, solver }
    }

    /// The verdict on a game that goes on at `position` after `moves`.
    pub(crate) fn judge(&mut self, position: &Position, moves: &[Move]) -> Option<Verdict> {
        self.by_score(position, moves)
            .or_else(|| self.by_proof(position))
    }

    fn by_proof(&mut self, position: &Position) -> Option<Verdict> {
        let limits = SolveLimits {
            nodes: self.rule.proof_nodes,
            ..SolveLimits::default()
        };
        let solver = self.solver.as_mut()?;
        let bounds = solver
            .solve(position, Question::Outcome, &limits)
            .ok()?
            .bounds;
        let mover = position.side_to_move();
        let winner = match (bounds.low, bounds.high) {
            (low, _) if low > 0 => Some(mover),
            (_, high) if high < 0 => Some(!mover),
            (0, 0) => None,
            _ => return None,
        };
        let word = winner.map_or("a draw", |side| match side {
            Side::First => "won by the first side",
            Side::Second => "won by the second side",
        });
        Some((
            winner,
            format!("the exact solver proved the position {word}"),
        ))
    }

    fn by_score(&self, position: &Position, moves: &[Move]) -> Option<Verdict> {
        let least = self.rule.score?;
        let count = self.rule.moves.unwrap_or(USUAL_MOVES);
        let asked = moves.len().checked_sub(2 * count)?;
        // From the side that moved last, backwards, the sides alternate.
        let mut side = position.side_to_move();
        let mut rates = Vec::new();
        for played in moves[asked..].iter().rev() {
            side = !side;
            let rate = played.answer.value?.win_rate();
            rates.push(match side {
                Side::First => rate,
                Side::Second => 1.0 - rate,
            });
        }
        let winner = if rates.iter().all(|&rate| rate >= least) {
            Side::First
        } else if rates.iter().all(|&rate| 1.0 - rate >= least) {
            Side::Second
        } else {
            return None;
        };
        let reason =
            format!("both players gave the winner at least {least} for {count} moves each");
        Some((Some(winner), reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Answer;
    use std::time::Duration;
    use stoneline_rules::Cell;
    use stoneline_search::Value;

    fn said(rates: &[f32]) -> Vec<Move> {
        let one = |&rate: &f32| Move {
            answer: Answer {
                value: Some(Value::Guess(rate)),
                ..Answer::bare(Cell::new(0, 0))
            },
            time: Duration::ZERO,
        };
        rates.iter().map(one).collect()
    }

    #[test]
    fn proofs_end_a_game_with_the_right_winner() {
        let rule = Adjudication {
            proof_nodes: Some(10_000),
            ..Adjudication::default()
        };
        for (text, winner) in [
            ("connect4", Some(Side::First)),
            ("connect4 1", Some(Side::Second)),
            ("connect4 4444", Some(Side::First)),
            ("connect4 3", None),
        ] {
            let position: Position = text.parse().unwrap();
            let verdict = Adjudicator::new(rule, &position).judge(&position, &[]);
            assert_eq!(verdict.expect("the book knows").0, winner, "{text}");
        }
        let open: Position = "course:12x12@5,5".parse().unwrap();
        assert_eq!(Adjudicator::new(rule, &open).judge(&open, &[]), None);
    }

    #[test]
    fn both_players_must_agree_for_long_enough() {
        let rule = Adjudication {
            score: Some(0.9),
            moves: Some(2),
            ..Adjudication::default()
        };
        // The first side is to move, so the last value is the second side's.
        let position: Position = "connect4 4444".parse().unwrap();
        let judge = |rates: &[f32]| {
            let verdict = Adjudicator::new(rule, &position).judge(&position, &said(rates));
            verdict.map(|(winner, _)| winner)
        };
        assert_eq!(judge(&[0.95, 0.05, 0.95, 0.05]), Some(Some(Side::First)));
        assert_eq!(judge(&[0.05, 0.95, 0.05, 0.95]), Some(Some(Side::Second)));
        assert_eq!(judge(&[0.95, 0.05, 0.95, 0.2]), None);
        assert_eq!(judge(&[0.95, 0.95, 0.95, 0.95]), None);
        assert_eq!(judge(&[0.95, 0.05]), None);
    }
}
