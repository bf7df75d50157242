//! The one trait behind which every engine stands, and what it tells.
//!
//! An engine emits events and returns a choice; how they look is decided by
//! whoever asked.

use crate::limits::Limits;
use crate::value::Value;
use std::ops::ControlFlow;
use std::time::Duration;
use stoneline_rules::{Cell, Position};

/// A player of one variant.
pub trait Engine: Send {
    /// The move to play at `position`, found within `limits`.
    ///
    /// `watch` hears how the search stands several times a second, or every
    /// so many nodes when no clock bounds it; a break ends the search with the
    /// best move so far. Contract: `position` is of the variant that the
    /// engine was built for.
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice;

    /// Drops what was kept of earlier moves, so that the next search starts afresh.
    fn forget(&mut self) {}
}

/// The choice of `engine`, with nobody watching.
pub fn think_quietly(engine: &mut dyn Engine, position: &Position, limits: &Limits) -> Choice {
    engine.think(position, limits, &mut |_| ControlFlow::Continue(()))
}

/// How a search stands.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// What the position is worth to the side to move.
    pub value: Value,
    /// The moves, best first.
    pub moves: &'a [MoveReport],
    /// What was spent so far.
    pub effort: &'a Effort,
}

/// What is known about one move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReport {
    /// The move.
    pub cell: Cell,
    /// What it is worth to the side that plays it.
    pub value: Value,
    /// How many simulations went through it; 0 in engines that don't simulate.
    pub visits: u64,
    /// The expected continuation, this move first.
    pub line: Vec<Cell>,
}

/// What a search spent.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Effort {
    /// Simulations, in engines that simulate.
    pub simulations: u64,
    /// Nodes: positions searched or tree nodes made.
    pub nodes: u64,
    /// Plies to which the search looked, where it knows.
    pub depth: Option<u32>,
    /// Bytes held by trees and tables.
    pub memory_bytes: usize,
    /// Wall-clock time; `None` when no clock bounds the search, which then looks at none.
    pub time: Option<Duration>,
}

impl Effort {
    /// Simulations a second of wall-clock time, if time was taken.
    pub fn simulations_per_second(&self) -> Option<f64> {
        let seconds = self.time?.as_secs_f64();
        (seconds > 0.0).then(|| self.simulations as f64 / seconds)
    }
}

/// What an engine decided.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move to play; `None` only when the game is over.
    pub best: Option<Cell>,
    /// What the position is worth to the side to move.
    pub value: Value,
    /// The moves that were looked at, best first.
    pub moves: Vec<MoveReport>,
    /// What was spent.
    pub effort: Effort,
}

impl Choice {
    /// The choice of the one move that a position asks for, without any search.
    pub(crate) fn at_once(cell: Cell, value: Value) -> Self {
        Self {
            best: Some(cell),
            value,
            moves: vec![MoveReport {
                cell,
                value,
                visits: 0,
                line: vec![cell],
            }],
            effort: Effort::default(),
        }
    }

    /// The choice at a position whose game is over.
    pub(crate) fn over(position: &Position) -> Self {
        use stoneline_rules::Outcome;
        let value = match position.outcome() {
            Some(Outcome::Win(side)) if side == position.side_to_move() => Value::Win { plies: 0 },
            Some(Outcome::Win(_)) => Value::Loss { plies: 0 },
            _ => Value::Draw,
        };
        Self {
            best: None,
            value,
            moves: Vec::new(),
            effort: Effort::default(),
        }
    }

    /// The expected continuation, the chosen move first.
    pub fn line(&self) -> &[Cell] {
        self.moves
            .iter()
            .find(|report| Some(report.cell) == self.best)
            .map_or(&[], |report| &report.line)
    }
}
