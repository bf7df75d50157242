//! `Game`: which game is played, by name.

use crate::moves::{point, refused};
use crate::position::Position;
use pyo3::prelude::*;
use pyo3::types::PyString;
use stoneline_rules::Variant;

/// A game by its name: its board, its rule and how many in a line win.
///
/// Names are connect4, connectx:ROWSxCOLSxK, course, course:ROWSxCOLS@ROW,COL,
/// gomoku, gomoku:N, standard, renju, caro, mnk:ROWSxCOLSxK and gobang. The
/// seed chooses the random board of plain course.
///
/// >>> game = Game("connectx:10x10x5")
/// >>> game.rows, game.columns, game.run, game.falls
/// (10, 10, 5, True)
/// >>> Game("gomoku") == Game("gomoku:15")
/// True
#[pyclass(module = "stoneline", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Game(pub(crate) Variant);

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name = "connect4", seed = 0))]
    fn new(name: &str, seed: u64) -> PyResult<Self> {
        Variant::named(name, seed).map(Self).map_err(refused)
    }

    /// The shortest name that gives this game again.
    ///
    /// >>> Game("connectx:6x7x4").name
    /// 'connect4'
    #[getter]
    fn name(&self) -> String {
        self.0.to_string()
    }

    /// Rows of the board.
    #[getter]
    fn rows(&self) -> u8 {
        self.0.geometry().rows()
    }

    /// Columns of the board.
    #[getter]
    fn columns(&self) -> u8 {
        self.0.geometry().columns()
    }

    /// How many in a line win.
    #[getter]
    fn run(&self) -> u8 {
        self.0.run()
    }

    /// The rule: gravity, freestyle, standard, renju or caro.
    ///
    /// >>> Game("renju").rule
    /// 'renju'
    #[getter]
    fn rule(&self) -> String {
        self.0.rule().to_string()
    }

    /// Whether stones fall, so that a move is a column.
    #[getter]
    fn falls(&self) -> bool {
        self.0.rule().falls()
    }

    /// Cells where no stone may lie, as (x, y) from the top-left.
    ///
    /// >>> Game("course:9x10@2,3").blocked
    /// [(3, 2)]
    #[getter]
    fn blocked(&self) -> Vec<(u8, u8)> {
        let geometry = self.0.geometry();
        let cells = geometry.cells(geometry.blocked());
        cells.map(|cell| point(&self.0, cell)).collect()
    }

    /// The empty board.
    ///
    /// >>> Game("connect4").start().legal_moves()
    /// [0, 1, 2, 3, 4, 5, 6]
    fn start(&self) -> Position {
        Position::from(stoneline_rules::Position::new(self.0))
    }

    fn __str__(&self) -> String {
        self.name()
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.name(),))
    }
}

/// The variant that a Python value names: a `Game` or its name.
pub(crate) fn variant(value: &Bound<'_, PyAny>) -> PyResult<Variant> {
    match value.cast::<Game>() {
        Ok(game) => Ok(game.get().0),
        Err(_) => Variant::named(&value.cast::<PyString>()?.to_cow()?, 0).map_err(refused),
    }
}
