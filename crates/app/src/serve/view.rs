//! Positions, moves and values as the page reads them.
//!
//! The page knows no rules: all that it shows of a position stands here.

use crate::study::Standing;
use serde_json::{Value as Json, json};
use stoneline_protocols::json::value as value_json;
use stoneline_rules::notation::write_move;
use stoneline_rules::{Cell, Content, Outcome, Position, Side, Variant};
use stoneline_search::MoveReport;

/// Column and row, both from 0, the row from the bottom.
pub(crate) fn cell(cell: Cell) -> Json {
    json!([cell.column(), cell.row()])
}

/// Several cells.
pub(crate) fn cells(all: impl IntoIterator<Item = Cell>) -> Vec<Json> {
    all.into_iter().map(cell).collect()
}

/// A move: what it is called, and where it is.
pub(crate) fn named(variant: &Variant, at: Cell) -> Json {
    json!({"move": write_move(variant, at), "cell": cell(at)})
}

/// A game.
pub(crate) fn variant(variant: &Variant) -> Json {
    let geometry = variant.geometry();
    json!({
        "name": variant.to_string(),
        "rule": variant.rule().to_string(),
        "falls": variant.rule().falls(),
        "rows": geometry.rows(),
        "columns": geometry.columns(),
        "run": variant.run(),
        "blocked": cells(geometry.cells(geometry.blocked())),
    })
}

/// All that is to be seen of a position.
pub(crate) fn position(position: &Position) -> Json {
    let game = position.variant();
    let start = position.start();
    let stones = |side| cells(game.geometry().cells(start.stones(side)));
    let moves = position.moves().iter().map(|&at| named(game, at));
    let empty = game
        .geometry()
        .cells(game.geometry().playable())
        .filter(|&at| position.content(at) == Some(Content::Empty));
    let forbidden = empty.filter_map(|at| {
        let why = position
            .forbidden(at)
            .filter(|_| position.outcome().is_none())?;
        Some(json!({"cell": cell(at), "why": why.to_string()}))
    });
    json!({
        "position": position.notation(),
        "variant": variant(game),
        "start": [stones(Side::First), stones(Side::Second)],
        "moves": moves.collect::<Vec<_>>(),
        "side": position.side_to_move().index(),
        "legal": position.legal_moves().into_iter().map(|at| named(game, at)).collect::<Vec<_>>(),
        "forbidden": forbidden.collect::<Vec<_>>(),
        "outcome": position.outcome().map(outcome),
        "line": cells(position.winning_cells()),
    })
}

/// How a game ended.
pub(crate) fn outcome(outcome: Outcome) -> Json {
    match outcome {
        Outcome::Win(side) => json!({"winner": side.index()}),
        Outcome::Draw => json!({"winner": null}),
    }
}

/// What is known of a move.
fn report(game: &Variant, report: &MoveReport) -> Json {
    let line = report.line.iter().map(|&at| named(game, at));
    json!({
        "move": write_move(game, report.cell),
        "cell": cell(report.cell),
        "value": value_json(report.value),
        "visits": report.visits,
        "line": line.collect::<Vec<_>>(),
    })
}

impl Standing<'_> {
    /// The search as the page reads it.
    pub(crate) fn json(&self) -> Json {
        let game = self.position.variant();
        let moves = self.moves.iter().map(|one| report(game, one));
        json!({
            "final": self.is_final,
            "best": self.best.map(|at| named(game, at)),
            "value": value_json(self.value),
            "moves": moves.collect::<Vec<_>>(),
            "simulations": self.effort.simulations,
            "nodes": self.effort.nodes,
            "memory_bytes": self.effort.memory_bytes,
            "time_ms": self.time.as_millis() as u64,
        })
    }
}
