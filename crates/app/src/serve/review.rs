//! Review as the page hears of it.

use super::refusal::Refusal;
use super::request::limits;
use super::stream::Teller;
use super::view;
use crate::study::review::{self, News};
use serde_json::{Value as Json, json};
use std::time::Duration;
use stoneline_protocols::json::value as value_json;
use stoneline_rules::{Position, Variant};

/// Who judges the moves of a game.
pub(crate) struct Judge(review::Judge);

impl Judge {
    /// The solver where it answers every position, else the strongest engine with `time` each.
    pub(crate) fn new(variant: &Variant, time: Duration) -> Result<Self, Refusal> {
        let judge = review::Judge::new(variant, limits(time, 1));
        judge.map(Self).map_err(Refusal::bad)
    }
}

/// Goes over the game that led to `position`, the last move first, and tells of every move.
pub(crate) fn review(judge: &mut Judge, position: &Position, teller: &Teller) {
    let game = position.variant();
    let told = |news: &News| match news {
        News::End { ply, value } => json!({"ply": ply, "value": value_json(*value)}),
        News::Move(judged) => {
            let line = judged.line.iter().map(|&cell| view::named(game, cell));
            json!({
                "ply": judged.ply,
                "played": view::named(game, judged.played),
                "played_value": value_json(judged.played_value),
                "best": judged.best.map(|cell| view::named(game, cell)),
                "value": value_json(judged.value),
                "line": line.collect::<Vec<Json>>(),
                "verdict": judged.verdict.word(),
            })
        }
    };
    let flow = || teller.stop().flow();
    let whole = review::review(&mut judge.0, position, &flow, &mut |news| {
        teller.tell(&told(news))
    });
    if whole.is_continue() {
        let _ = teller.tell(&json!({"final": true, "plies": position.moves().len()}));
    }
}
