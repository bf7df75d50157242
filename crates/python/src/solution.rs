//! `Solution`: what the exact solver proved.

use crate::moves::Move;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use stoneline_rules::{Cell, Position, Variant};
use stoneline_search::solve::{Bounds, plies_to_end};

/// What was proven of a position, from the view of the side to move.
///
/// A score counts the pairs of stones left at the end: a win with the last
/// stone but one of the board is 1, each pair of stones earlier one more, a
/// loss is negative, a draw 0.
///
/// >>> solution = Engine("solver").solve(Position("connect4"))
/// >>> solution.score, solution.outcome, solution.best, solution.plies
/// (1, 'win', 3, 41)
#[pyclass(module = "stoneline", frozen)]
pub(crate) struct Solution {
    variant: Variant,
    bounds: Bounds,
    plies: Option<usize>,
    line: Vec<Cell>,
    nodes: u64,
}

impl Solution {
    pub(crate) fn new(position: &Position, bounds: Bounds, line: Vec<Cell>, nodes: u64) -> Self {
        let capacity = position.variant().geometry().capacity();
        let score = bounds.exact().filter(|&score| score != 0);
        Self {
            variant: *position.variant(),
            bounds,
            plies: score.and_then(|score| plies_to_end(score, position.plies(), capacity)),
            line,
            nodes,
        }
    }
}

#[pymethods]
impl Solution {
    /// The exact score; None when the limits ended the search before.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.bounds.exact()
    }

    /// The lowest and the highest score that are still possible.
    #[getter]
    fn bounds(&self) -> (i32, i32) {
        (self.bounds.low, self.bounds.high)
    }

    /// Which of win, loss and draw is proven; None when none is.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        match (self.bounds.low, self.bounds.high) {
            (1.., _) => Some("win"),
            (_, ..=-1) => Some("loss"),
            (0, 0) => Some("draw"),
            _ => None,
        }
    }

    /// Stones until the game is won or lost with best play; None for draws and where it is open.
    #[getter]
    fn plies(&self) -> Option<usize> {
        self.plies
    }

    /// A best move; None when none was proven.
    #[getter]
    fn best(&self) -> Option<Move> {
        let first = self.line.first();
        first.map(|&cell| Move::of(&self.variant, cell))
    }

    /// The line of best play, as far as it was proven.
    #[getter]
    fn line(&self) -> Vec<Move> {
        Move::list(&self.variant, &self.line)
    }

    /// Nodes searched; 0 where the book knew the answer.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// All of it as plain data.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("score", self.score())?;
        dict.set_item("bounds", self.bounds())?;
        dict.set_item("outcome", self.outcome())?;
        dict.set_item("plies", self.plies)?;
        dict.set_item("best", self.best())?;
        dict.set_item("line", self.line())?;
        dict.set_item("nodes", self.nodes)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        match self.bounds.exact() {
            Some(score) => format!("Solution(score={score})"),
            None => format!(
                "Solution(bounds=({}, {}))",
                self.bounds.low, self.bounds.high
            ),
        }
    }
}
