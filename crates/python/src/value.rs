//! `Value`: what a position or a move is worth, proof and opinion kept apart.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What a position is worth to the side to move, or a move to who plays it.
///
/// A win, a loss and a draw are proven; a guess is an estimate.
///
/// >>> value = Engine("best").analyse(Position("connect4 415263")).last().value
/// >>> value, value.is_proven, value.win_rate
/// (Value('win in 1'), True, 1.0)
#[pyclass(module = "stoneline", frozen, eq)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Value(pub(crate) stoneline_search::Value);

#[pymethods]
impl Value {
    /// One of win, loss, draw and guess.
    #[getter]
    pub(crate) fn kind(&self) -> &'static str {
        match self.0 {
            stoneline_search::Value::Win { .. } => "win",
            stoneline_search::Value::Loss { .. } => "loss",
            stoneline_search::Value::Draw => "draw",
            stoneline_search::Value::Guess(_) => "guess",
        }
    }

    /// Stones until the game is won or lost at the latest; None for draws and guesses.
    #[getter]
    pub(crate) fn plies(&self) -> Option<u16> {
        match self.0 {
            stoneline_search::Value::Win { plies } | stoneline_search::Value::Loss { plies } => {
                Some(plies)
            }
            _ => None,
        }
    }

    /// The share of points expected, from 0 to 1, a draw being half.
    #[getter]
    pub(crate) fn win_rate(&self) -> f32 {
        self.0.win_rate()
    }

    /// Whether the value is certain.
    #[getter]
    fn is_proven(&self) -> bool {
        self.0.is_proven()
    }

    /// The value as plain data.
    pub(crate) fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("kind", self.kind())?;
        dict.set_item("plies", self.plies())?;
        dict.set_item("win_rate", self.win_rate())?;
        Ok(dict)
    }

    pub(crate) fn __str__(&self) -> String {
        match (self.plies(), self.0) {
            (Some(plies), _) => format!("{} in {plies}", self.kind()),
            (None, stoneline_search::Value::Guess(rate)) => format!("{:.1} %", 100.0 * rate),
            _ => self.kind().to_owned(),
        }
    }

    fn __repr__(&self) -> String {
        format!("Value('{}')", self.__str__())
    }
}
