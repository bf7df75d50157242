//! What is done to understand a position or a game, whoever shows it: analysis and review.
//!
//! Nothing here reads, writes or draws; the page and the terminal listen.

pub(crate) mod analysis;
pub(crate) mod review;

use std::ops::ControlFlow;
use std::time::Duration;
use stoneline_rules::{Cell, Position};
use stoneline_search::{Effort, MoveReport, Value};

/// How a search stands.
pub(crate) struct Standing<'a> {
    pub(crate) position: &'a Position,
    pub(crate) best: Option<Cell>,
    pub(crate) value: Value,
    pub(crate) moves: &'a [MoveReport],
    pub(crate) effort: &'a Effort,
    pub(crate) time: Duration,
    pub(crate) is_final: bool,
}

/// Who hears of a study while it goes on, and may end it.
pub(crate) trait Listener {
    /// Hears how the search stands; a break ends it.
    fn hear(&mut self, standing: &Standing<'_>) -> ControlFlow<()>;

    /// Whether the search goes on; asked far more often than anything is told.
    fn flow(&self) -> ControlFlow<()>;
}
