//! Moves as Python has them: a column from 0 where stones fall, `(x, y)` from
//! the top-left elsewhere, and text in the notation of the game.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::fmt::Display;
use stoneline_rules::{Cell, Position, Variant, notation};

/// A move on its way to Python.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoPyObject)]
pub(crate) enum Move {
    /// The column, where stones fall.
    #[pyo3(transparent)]
    Column(u8),
    /// Column and row of the cell, from the top-left.
    Point(u8, u8),
}

impl Move {
    pub(crate) fn of(variant: &Variant, cell: Cell) -> Self {
        if variant.rule().falls() {
            Self::Column(cell.column())
        } else {
            let (x, y) = point(variant, cell);
            Self::Point(x, y)
        }
    }

    pub(crate) fn list(variant: &Variant, cells: &[Cell]) -> Vec<Self> {
        cells.iter().map(|&cell| Self::of(variant, cell)).collect()
    }
}

/// Column and row of `cell` from the top-left.
pub(crate) fn point(variant: &Variant, cell: Cell) -> (u8, u8) {
    (cell.column(), variant.geometry().rows() - 1 - cell.row())
}

/// The cell at column `x` and row `y` from the top-left; `None` off the board.
pub(crate) fn cell_at(variant: &Variant, x: i64, y: i64) -> Option<Cell> {
    let geometry = variant.geometry();
    let column = u8::try_from(x).ok().filter(|&x| x < geometry.columns())?;
    let row = u8::try_from(y).ok().filter(|&y| y < geometry.rows())?;
    Some(Cell::new(column, geometry.rows() - 1 - row))
}

/// A `ValueError` with the words of `error`.
pub(crate) fn refused(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The legal move that a Python value names.
pub(crate) fn read(position: &Position, value: &Bound<'_, PyAny>) -> PyResult<Cell> {
    let variant = position.variant();
    if let Ok(text) = value.cast::<PyString>() {
        return notation::read_move(position, &text.to_cow()?).map_err(refused);
    }
    let falls = variant.rule().falls();
    let cell = if let Ok(pair) = value.cast::<PyTuple>() {
        let (x, y): (i64, i64) = pair.extract()?;
        cell_at(variant, x, y)
            .ok_or_else(|| refused(format!("({x}, {y}) is not on the board of {variant}")))?
    } else if falls {
        let column: i64 = value.extract()?;
        let columns = variant.geometry().columns();
        let column = u8::try_from(column)
            .ok()
            .filter(|&column| column < columns)
            .ok_or_else(|| {
                refused(format!(
                    "no column {column}: they count from 0 to {}",
                    columns - 1
                ))
            })?;
        position.landing(column).map_err(refused)?
    } else {
        return Err(PyTypeError::new_err(format!(
            "{variant} takes a move as (x, y) or as text such as 'h8'"
        )));
    };
    position.check(cell).map_err(refused)?;
    Ok(cell)
}

/// Plays moves: text in the notation of the game, or an iterable of moves.
pub(crate) fn play_all(position: &mut Position, moves: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(text) = moves.cast::<PyString>() {
        return notation::play_text(position, &text.to_cow()?).map_err(refused);
    }
    for (at, value) in moves.try_iter()?.enumerate() {
        let cell = read(position, &value?).map_err(|error| numbered(moves.py(), at + 1, &error))?;
        position.play(cell).map_err(refused)?;
    }
    Ok(())
}

/// The same kind of error, with the number of the move before its words.
fn numbered(py: Python<'_>, number: usize, error: &PyErr) -> PyErr {
    let words = error.value(py).to_string();
    PyErr::from_type(error.get_type(py), format!("move {number}: {words}"))
}
