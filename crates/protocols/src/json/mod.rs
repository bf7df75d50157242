//! Our own protocol, for anything that speaks no other: one JSON object a line.
//!
//! A manager's line has a verb, `"do"`; an engine's has a kind, `"is"`. Every
//! request is answered by exactly one line that is no `progress`, except
//! `stop` and `quit`, in the order of the requests. An `id`, if a request has
//! one, stands in all that answers it. `docs/protocols.md` tells the rest, and
//! `docs/protocol.schema.json` is its grammar.

mod fields;
mod manager;
mod session;

pub use manager::{BadReply, Best, Reply, go, position, quit};
pub use session::Json;

use serde_json::{Value, json};
use stoneline_rules::notation::write_move;
use stoneline_rules::{Cell, Variant};
use stoneline_search::{Effort, MoveReport};

/// A value as JSON: proof and estimate have different keys.
///
/// ```
/// use stoneline_protocols::json::value;
/// use stoneline_search::Value;
/// assert_eq!(value(Value::Win { plies: 7 }).to_string(), r#"{"win":7}"#);
/// assert_eq!(value(Value::Guess(0.5)).to_string(), r#"{"win_rate":0.5}"#);
/// ```
pub fn value(value: stoneline_search::Value) -> Value {
    use stoneline_search::Value as Worth;
    match value {
        Worth::Win { plies } => json!({"win": plies}),
        Worth::Loss { plies } => json!({"loss": plies}),
        Worth::Draw => json!({"draw": true}),
        Worth::Guess(rate) => json!({"win_rate": rate}),
    }
}

/// The value that an object of [`value`] stands for.
fn read_value(object: &Value) -> Option<stoneline_search::Value> {
    use stoneline_search::Value as Worth;
    let plies = |key: &str| u16::try_from(object.get(key)?.as_u64()?).ok();
    if let Some(plies) = plies("win") {
        Some(Worth::Win { plies })
    } else if let Some(plies) = plies("loss") {
        Some(Worth::Loss { plies })
    } else if object.get("draw").is_some() {
        Some(Worth::Draw)
    } else {
        let rate = object.get("win_rate")?.as_f64()? as f32;
        rate.is_finite().then_some(Worth::Guess(rate))
    }
}

/// Cells by their notation in `variant`.
pub fn moves(variant: &Variant, cells: &[Cell]) -> Vec<String> {
    cells
        .iter()
        .map(|&cell| write_move(variant, cell))
        .collect()
}

/// What is known of the first `most` moves.
pub fn reports(variant: &Variant, reports: &[MoveReport], most: usize) -> Vec<Value> {
    let shown = reports.iter().take(most);
    shown
        .map(|report| {
            json!({"move": write_move(variant, report.cell), "visits": report.visits,
                "value": value(report.value), "line": moves(variant, &report.line)})
        })
        .collect()
}

/// Adds what a search spent to the object that tells of it.
pub fn add_effort(object: &mut Value, effort: &Effort) {
    object["simulations"] = json!(effort.simulations);
    object["nodes"] = json!(effort.nodes);
    if let Some(depth) = effort.depth {
        object["depth"] = json!(depth);
    }
    object["memory_bytes"] = json!(effort.memory_bytes);
}
