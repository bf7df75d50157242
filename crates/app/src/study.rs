//! What is done to understand a position or a game, whoever shows it: analysis and review.
//!
//! Nothing here reads, writes or draws; the page and the terminal listen.

pub(crate) mod analysis;
pub(crate) mod review;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use stoneline_rules::{Cell, Position};
use stoneline_search::{Choice, Effort, Event, MoveReport, Value};

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

impl<'a> Standing<'a> {
    /// While an engine thinks, since `begun`.
    pub(crate) fn under_way(position: &'a Position, event: &Event<'a>, begun: Instant) -> Self {
        Self {
            position,
            best: event.moves.first().map(|one| one.cell),
            value: event.value,
            moves: event.moves,
            effort: event.effort,
            time: begun.elapsed(),
            is_final: false,
        }
    }

    /// When an engine has chosen.
    pub(crate) fn chosen(position: &'a Position, choice: &'a Choice, begun: Instant) -> Self {
        Self {
            position,
            best: choice.best,
            value: choice.value,
            moves: &choice.moves,
            effort: &choice.effort,
            time: begun.elapsed(),
            is_final: true,
        }
    }
}

/// Who hears of a study while it goes on, and may end it.
pub(crate) trait Listener {
    /// Hears how the search stands; a break ends it.
    fn hear(&mut self, standing: &Standing<'_>) -> ControlFlow<()>;

    /// Whether the search goes on; asked far more often than anything is told.
    fn flow(&self) -> ControlFlow<()>;
}
