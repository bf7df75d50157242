//! Review: every move of a game against the best one; exact where the solver can.

use crate::opponent::Opponent;
use std::ops::ControlFlow;
use std::time::Duration;
use stoneline_rules::{Cell, Outcome, Position, Variant};
use stoneline_search::{BuildError, Engine, Limits, Value};

/// Points given away that make a slip, and a blunder.
const SLIP: f32 = 0.1;
const BLUNDER: f32 = 0.25;
/// Plies by which a proven end may come sooner or later before it is a slip.
const SLOW: u16 = 8;
/// After how long an exact answer is asked for anew; on 7x6 it takes a blink.
const EXACT_TIME: Duration = Duration::from_secs(20);

/// Who judges the moves of a game.
pub(crate) struct Judge {
    engine: Box<dyn Engine>,
    limits: Limits,
    /// Whether nothing but a proof will do.
    is_exact: bool,
}

impl Judge {
    /// The solver where it answers every position, else the strongest engine within `limits` each.
    pub(crate) fn new(variant: &Variant, limits: Limits) -> Result<Self, BuildError> {
        let falls = variant.rule().falls();
        let is_exact = falls && variant.geometry().capacity() <= 42;
        let name = match (is_exact, falls) {
            (true, _) => "solver",
            (false, true) => "mcts",
            (false, false) => "best",
        };
        let engine: Opponent = name.parse().expect("the registry knows our own engines");
        let time = if is_exact {
            Some(EXACT_TIME)
        } else {
            limits.time
        };
        Ok(Self {
            engine: engine.build(variant)?,
            limits: Limits { time, ..limits },
            is_exact,
        })
    }

    fn judge(&mut self, at: &Position, flow: &dyn Fn() -> ControlFlow<()>) -> Opinion {
        let mut ask = || self.engine.think(at, &self.limits, &mut |_| flow());
        let mut choice = ask();
        // On a busy machine the time may end first; what is proven so far is kept.
        while self.is_exact && !choice.value.is_proven() && flow().is_continue() {
            choice = ask();
        }
        Opinion {
            value: choice.value,
            best: choice.best,
            line: choice.line().to_vec(),
        }
    }
}

/// What is known of the position before a move.
struct Opinion {
    value: Value,
    best: Option<Cell>,
    line: Vec<Cell>,
}

/// How good a move was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Best,
    Good,
    Slip,
    Blunder,
}

impl Verdict {
    /// The verdict in a word.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Slip => "slip",
            Self::Blunder => "blunder",
        }
    }
}

/// What a review tells, the end of the game first.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// What the last position is worth to the side to move.
    End { ply: usize, value: Value },
    /// What became of a move.
    Move(Judged),
}

/// A move of the game beside the best one.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// Plies before the move.
    pub(crate) ply: usize,
    pub(crate) played: Cell,
    pub(crate) played_value: Value,
    pub(crate) best: Option<Cell>,
    pub(crate) value: Value,
    /// How the game would best have gone on.
    pub(crate) line: Vec<Cell>,
    pub(crate) verdict: Verdict,
}

/// Goes over the game that led to `position`, the last move first, and tells of every move;
/// a break when it was ended before the first.
pub(crate) fn review(
    judge: &mut Judge,
    position: &Position,
    flow: &dyn Fn() -> ControlFlow<()>,
    tell: &mut dyn FnMut(&News) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let ply = position.moves().len();
    let mut at = position.clone();
    // Later positions are easier, and what is learnt there helps with the earlier ones.
    let mut after = match at.outcome() {
        Some(Outcome::Win(_)) => Value::Loss { plies: 0 },
        Some(Outcome::Draw) => Value::Draw,
        None => judge.judge(&at, flow).value,
    };
    tell(&News::End { ply, value: after })?;
    while let Some(played) = at.undo() {
        let opinion = judge.judge(&at, flow);
        flow()?;
        let value = after.one_ply_before();
        // What was played can't be worth more than the best move.
        let best = if opinion.value.compare(value).is_lt() {
            value
        } else {
            opinion.value
        };
        tell(&News::Move(Judged {
            ply: at.moves().len(),
            played,
            played_value: value,
            best: opinion.best,
            value: best,
            line: opinion.line,
            verdict: verdict(best, value, opinion.best == Some(played)),
        }))?;
        after = best;
    }
    ControlFlow::Continue(())
}

/// What a move was that is worth `played` where `best` could be had.
fn verdict(best: Value, played: Value, is_best: bool) -> Verdict {
    if is_best || best == played {
        return Verdict::Best;
    }
    let given = best.win_rate() - played.win_rate();
    let is_slow = match (best, played) {
        (Value::Win { plies: best }, Value::Win { plies: played }) => played >= best + SLOW,
        (Value::Loss { plies: best }, Value::Loss { plies: played }) => played + SLOW <= best,
        _ => false,
    };
    if given >= BLUNDER {
        Verdict::Blunder
    } else if given >= SLIP || is_slow {
        Verdict::Slip
    } else {
        Verdict::Good
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_judged_by_what_they_give_away() {
        let win = |plies| Value::Win { plies };
        let loss = |plies| Value::Loss { plies };
        for (best, played, is_best, expected) in [
            (win(5), win(5), false, Verdict::Best),
            (win(5), win(7), false, Verdict::Good),
            (win(5), win(13), false, Verdict::Slip),
            (win(5), Value::Draw, false, Verdict::Blunder),
            (Value::Draw, loss(20), false, Verdict::Blunder),
            (loss(20), loss(18), false, Verdict::Good),
            (loss(20), loss(4), false, Verdict::Slip),
            (Value::Guess(0.6), Value::Guess(0.55), false, Verdict::Good),
            (Value::Guess(0.6), Value::Guess(0.45), false, Verdict::Slip),
            (
                Value::Guess(0.6),
                Value::Guess(0.3),
                false,
                Verdict::Blunder,
            ),
            (Value::Guess(0.6), Value::Guess(0.3), true, Verdict::Best),
        ] {
            assert_eq!(
                verdict(best, played, is_best),
                expected,
                "{best:?} {played:?}"
            );
        }
    }
}
