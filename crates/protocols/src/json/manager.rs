//! The manager's side: requests written, replies read.

use super::read_value;
use serde_json::{Map, Value, json};
use std::time::Duration;
use stoneline_rules::{Cell, Position, notation};
use stoneline_search::Limits;
use thiserror::Error;

/// What an engine replied, as far as a manager of games wants to know.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// A request was refused, and why.
    Error(String),
    /// How a search stands.
    Progress,
    /// The move that was asked for.
    Best(Best),
    /// Anything else that is well formed, by its kind.
    Other(String),
}

/// A move and what the engine tells of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Best {
    /// The move in the game's notation; `None` if the engine knows none.
    pub text: Option<String>,
    /// What the position is worth to the side to move.
    pub value: Option<stoneline_search::Value>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Simulations run.
    pub simulations: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
}

impl Best {
    /// The cell that the move names at `position`; `None` if it names no legal one.
    pub fn cell(&self, position: &Position) -> Option<Cell> {
        notation::read_move(position, self.text.as_deref()?).ok()
    }
}

/// A line that no engine says.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct BadReply(String);

impl Reply {
    /// The reply of a line.
    ///
    /// # Errors
    /// If it is no object with a kind, or a kind's keys are missing.
    pub fn read(line: &str) -> Result<Self, BadReply> {
        let bad = |reason: &str| {
            let shown: String = line.chars().take(120).collect();
            BadReply(format!("{shown:?}: {reason}"))
        };
        let object: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| bad(&error.to_string()))?;
        let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
        let number = |key: &str| object.get(key).and_then(Value::as_u64);
        match text("is")
            .ok_or_else(|| bad("a reply needs \"is\""))?
            .as_str()
        {
            "error" => Ok(Self::Error(text("reason").unwrap_or_default())),
            "progress" => Ok(Self::Progress),
            "best" => Ok(Self::Best(Best {
                text: text("move"),
                value: object.get("value").and_then(read_value),
                nodes: number("nodes").filter(|&nodes| nodes > 0),
                simulations: number("simulations").filter(|&count| count > 0),
                depth: number("depth").and_then(|plies| u32::try_from(plies).ok()),
            })),
            other => Ok(Self::Other(other.to_owned())),
        }
    }
}

/// The request that sets a position.
pub fn position(position: &Position) -> String {
    json!({"do": "position", "position": position.notation()}).to_string()
}

/// The request for a move within `limits`.
pub fn go(limits: &Limits) -> String {
    let mut object = json!({"do": "go"});
    let ms = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
    let numbers = [
        ("time_ms", ms(limits.time)),
        ("remaining_ms", ms(limits.remaining)),
        ("increment_ms", ms(limits.increment)),
        ("overage_ms", ms(limits.overage)),
        ("reserve_ms", ms(limits.reserve)),
        ("nodes", limits.nodes),
        ("simulations", limits.simulations),
        (
            "memory_mb",
            limits.memory_bytes.map(|bytes| (bytes as u64 >> 20).max(1)),
        ),
        ("threads", limits.threads.map(|threads| threads as u64)),
        ("seed", limits.seed),
    ];
    for (key, number) in numbers {
        if let Some(number) = number {
            object[key] = json!(number);
        }
    }
    object.to_string()
}

/// The request that ends the engine.
pub fn quit() -> String {
    json!({"do": "quit"}).to_string()
}
