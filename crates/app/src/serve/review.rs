//! Review: every move of a game against the best one; exact where the solver can.

use super::analyst::consult;
use super::refusal::Refusal;
use super::request::build;
use super::stream::Teller;
use super::view;
use crate::opponent::Opponent;
use serde_json::{Value as Json, json};
use std::time::Duration;
use stoneline_protocols::json::value as value_json;
use stoneline_rules::{Cell, Outcome, Position, Variant};
use stoneline_search::{Engine, Value};

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
    time: Duration,
    /// Whether nothing but a proof will do.
    is_exact: bool,
}

impl Judge {
    /// The solver where it answers every position, else the strongest engine with `time` each.
    pub(crate) fn new(variant: &Variant, time: Duration) -> Result<Self, Refusal> {
        let usual = Opponent::usual();
        let is_small = variant.rule().falls() && variant.geometry().capacity() <= 42;
        if is_small {
            let solver: Opponent = "solver".parse().map_err(Refusal::bad)?;
            return Ok(Self {
                engine: build(&solver, variant)?,
                time: EXACT_TIME,
                is_exact: true,
            });
        }
        let mcts = "mcts".parse().ok().filter(|_| variant.rule().falls());
        Ok(Self {
            engine: build(&mcts.unwrap_or(usual), variant)?,
            time,
            is_exact: false,
        })
    }
}

/// What is known of the position before a move.
struct Judged {
    value: Value,
    best: Option<Cell>,
    line: Vec<Cell>,
}

/// Goes over the game that led to `position`, the last move first, and tells of every move.
pub(crate) fn review(judge: &mut Judge, position: &Position, teller: &Teller) {
    let game = position.variant();
    let total = position.moves().len();
    let mut at = position.clone();
    // Later positions are easier, and what is learnt there helps with the earlier ones.
    let mut after = match at.outcome() {
        Some(Outcome::Win(_)) => Value::Loss { plies: 0 },
        Some(Outcome::Draw) => Value::Draw,
        None => judge_one(judge, &at, teller).value,
    };
    let _ = teller.tell(&json!({"ply": total, "value": value_json(after)}));
    while let Some(played) = at.undo() {
        let judged = judge_one(judge, &at, teller);
        if teller.stop().is_raised() {
            return;
        }
        let value = after.one_ply_before();
        // What was played can't be worth more than the best move.
        let best = if judged.value.compare(value).is_lt() {
            value
        } else {
            judged.value
        };
        let told = json!({
            "ply": at.moves().len(),
            "played": view::named(game, played),
            "played_value": value_json(value),
            "best": judged.best.map(|cell| view::named(game, cell)),
            "value": value_json(best),
            "line": judged.line.iter().map(|&cell| view::named(game, cell)).collect::<Vec<Json>>(),
            "verdict": verdict(best, value, judged.best == Some(played)),
        });
        if teller.tell(&told).is_break() {
            return;
        }
        after = best;
    }
    let _ = teller.tell(&json!({"final": true, "plies": total}));
}

fn judge_one(judge: &mut Judge, at: &Position, teller: &Teller) -> Judged {
    let mut ask = || consult(&mut *judge.engine, at, judge.time, teller.stop());
    let mut choice = ask();
    // On a busy machine the time may end first; what is proven so far is kept.
    while judge.is_exact && !choice.value.is_proven() && !teller.stop().is_raised() {
        choice = ask();
    }
    Judged {
        value: choice.value,
        best: choice.best,
        line: choice.line().to_vec(),
    }
}

/// What a move was that is worth `played` where `best` could be had.
fn verdict(best: Value, played: Value, is_best: bool) -> &'static str {
    if is_best || best == played {
        return "best";
    }
    let given = best.win_rate() - played.win_rate();
    let is_slow = match (best, played) {
        (Value::Win { plies: best }, Value::Win { plies: played }) => played >= best + SLOW,
        (Value::Loss { plies: best }, Value::Loss { plies: played }) => played + SLOW <= best,
        _ => false,
    };
    if given >= BLUNDER {
        "blunder"
    } else if given >= SLIP || is_slow {
        "slip"
    } else {
        "good"
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
            (win(5), win(5), false, "best"),
            (win(5), win(7), false, "good"),
            (win(5), win(13), false, "slip"),
            (win(5), Value::Draw, false, "blunder"),
            (Value::Draw, loss(20), false, "blunder"),
            (loss(20), loss(18), false, "good"),
            (loss(20), loss(4), false, "slip"),
            (Value::Guess(0.6), Value::Guess(0.55), false, "good"),
            (Value::Guess(0.6), Value::Guess(0.45), false, "slip"),
            (Value::Guess(0.6), Value::Guess(0.3), false, "blunder"),
            (Value::Guess(0.6), Value::Guess(0.3), true, "best"),
        ] {
            assert_eq!(
                verdict(best, played, is_best),
                expected,
                "{best:?} {played:?}"
            );
        }
    }
}
