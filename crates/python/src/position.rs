//! `Position`: a legal state of a game, read from whatever Python has.

use crate::game::{self, Game};
use crate::moves::{self, Move, cell_at, refused};
use crate::svg;
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use stoneline_rules::{Content, Outcome, Rule, Setup, Side, Variant};

/// A legal state of a game, with its history.
///
/// Made from a game's name, a name with moves, or a drawn board; other ways are
/// from_moves, from_board and from_kaggle. Moves are columns from 0 where
/// stones fall and pairs (x, y) from 0, origin top-left, elsewhere. Text is in
/// the notation of the game: columns from 1 as in "4453", or "h8 i9".
///
/// >>> position = Position("connect4 44")
/// >>> position.play(2)
/// >>> position.moves
/// [3, 3, 2]
/// >>> print(position)
/// connect4
///  6 . . . . . . .
///  5 . . . . . . .
///  4 . . . . . . .
///  3 . . . . . . .
///  2 . . . o . . .
///  1 . . x x . . .
///    1 2 3 4 5 6 7
#[pyclass(module = "stoneline")]
#[derive(Clone)]
pub(crate) struct Position {
    inner: stoneline_rules::Position,
}

impl From<stoneline_rules::Position> for Position {
    fn from(inner: stoneline_rules::Position) -> Self {
        Self { inner }
    }
}

impl Position {
    /// The position as the engines have it.
    pub(crate) const fn inner(&self) -> &stoneline_rules::Position {
        &self.inner
    }

    fn variant(&self) -> &Variant {
        self.inner.variant()
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text = None, seed = 0))]
    fn new(text: Option<&Bound<'_, PyAny>>, seed: u64) -> PyResult<Self> {
        let Some(text) = text else {
            return stoneline_rules::Position::read("connect4", 0)
                .map(Self::from)
                .map_err(refused);
        };
        if let Ok(game) = text.cast::<Game>() {
            return Ok(stoneline_rules::Position::new(game.get().0).into());
        }
        let text = text.cast::<PyString>()?.to_cow()?;
        stoneline_rules::Position::read(&text, seed)
            .map(Self::from)
            .map_err(refused)
    }

    /// The position after moves, given as text or as an iterable of moves.
    ///
    /// >>> Position.from_moves([3, 3, 2]) == Position.from_moves("443")
    /// True
    /// >>> Position.from_moves([(7, 7), "i9"], game="gomoku").moves
    /// [(7, 7), (8, 6)]
    /// >>> Position.from_moves([0] * 7)
    /// Traceback (most recent call last):
    ///     ...
    /// ValueError: move 7: column 1 is full
    #[staticmethod]
    #[pyo3(signature = (moves, game = None))]
    fn from_moves(moves: &Bound<'_, PyAny>, game: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut inner = stoneline_rules::Position::new(named(game)?);
        moves::play_all(&mut inner, moves)?;
        Ok(inner.into())
    }

    /// The position with these stones: rows from the top, 0 for an empty cell, 1
    /// and 2 for the first and second side, -1 for a blocked cell.
    ///
    /// Lists and arrays are read alike. Without a game it is one of falling
    /// stones where run in a line win.
    ///
    /// >>> rows = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0], [0, 1, 1, 0]]
    /// >>> position = Position.from_board(rows, run=3)
    /// >>> position.game, position.side_to_move
    /// (Game('connectx:4x4x3'), 'second')
    #[staticmethod]
    #[pyo3(signature = (board, game = None, *, run = 4))]
    fn from_board(
        board: &Bound<'_, PyAny>,
        game: Option<&Bound<'_, PyAny>>,
        run: usize,
    ) -> PyResult<Self> {
        let mut rows = Vec::new();
        for row in board.try_iter()? {
            let mut cells = Vec::new();
            for cell in row?.try_iter()? {
                cells.push(cell?.extract::<i64>()?);
            }
            rows.push(cells);
        }
        let game = game.map(game::variant).transpose()?;
        set_up(&rows, game, run)
    }

    /// The position that Kaggle's ConnectX shows an agent.
    ///
    /// Both arguments may be dictionaries or have attributes. Without a
    /// configuration the board is 6 rows of 7 with four in a row.
    ///
    /// >>> observation = {"board": [0] * 38 + [1, 0, 0, 0], "mark": 2}
    /// >>> position = Position.from_kaggle(observation)
    /// >>> position.side_to_move, position.board()[-1]
    /// ('second', [0, 0, 0, 1, 0, 0, 0])
    #[staticmethod]
    #[pyo3(signature = (observation, configuration = None))]
    fn from_kaggle(
        observation: &Bound<'_, PyAny>,
        configuration: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let number = |name: &str, usual: usize| match configuration {
            Some(configuration) => field(configuration, name)?.extract::<usize>(),
            None => Ok(usual),
        };
        let [rows, columns, run] = [
            number("rows", 6)?,
            number("columns", 7)?,
            number("inarow", 4)?,
        ];
        let cells: Vec<i64> = field(observation, "board")?.extract()?;
        if columns == 0 || cells.len() != rows * columns {
            return Err(PyValueError::new_err(format!(
                "a board of {rows} rows and {columns} columns has {} cells, not {}",
                rows * columns,
                cells.len()
            )));
        }
        let board: Vec<Vec<i64>> = cells.chunks(columns).map(<[i64]>::to_vec).collect();
        let position = set_up(&board, None, run)?;
        let mark: i64 = field(observation, "mark")?.extract()?;
        let to_move = position.inner.side_to_move().index() as i64 + 1;
        if position.inner.outcome().is_none() && mark != to_move {
            return Err(PyValueError::new_err(format!(
                "mark is {mark}, but the stones say that {to_move} is to move"
            )));
        }
        Ok(position)
    }

    /// The game that is played.
    #[getter]
    fn game(&self) -> Game {
        Game(*self.variant())
    }

    /// The moves played since the start, oldest first.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        Move::list(self.variant(), self.inner.moves())
    }

    /// The text that Position reads back with the same history.
    ///
    /// >>> Position.from_moves([3, 3]).text
    /// 'connect4 44'
    #[getter]
    fn text(&self) -> String {
        self.inner.notation()
    }

    /// How many stones lie on the board.
    #[getter]
    fn plies(&self) -> usize {
        self.inner.plies()
    }

    /// Whose turn it is, first or second; after the end, whose turn it would be.
    #[getter]
    fn side_to_move(&self) -> &'static str {
        side_word(self.inner.side_to_move())
    }

    /// Plays a move for the side to move.
    ///
    /// >>> position = Position("connect4")
    /// >>> position.play(3); position.play("4"); position.moves
    /// [3, 3]
    /// >>> position.play(7)
    /// Traceback (most recent call last):
    ///     ...
    /// ValueError: no column 7: they count from 0 to 6
    #[pyo3(name = "play")]
    fn play_move(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let cell = moves::read(&self.inner, r#move)?;
        self.inner.play(cell).map_err(refused)
    }

    /// Takes back the last move and returns it.
    ///
    /// >>> position = Position("connect4 44")
    /// >>> position.undo(), position.plies
    /// (3, 1)
    fn undo(&mut self) -> PyResult<Move> {
        match self.inner.undo() {
            Some(cell) => Ok(Move::of(self.variant(), cell)),
            None => Err(PyValueError::new_err("no move is left to take back")),
        }
    }

    /// The moves that may be played; none when the game is over.
    ///
    /// >>> Position("connect4 444444").legal_moves()
    /// [0, 1, 2, 4, 5, 6]
    fn legal_moves(&self) -> Vec<Move> {
        Move::list(self.variant(), &self.inner.legal_moves())
    }

    /// How the game ended: first or second for the winner, draw, or None while it goes on.
    ///
    /// >>> Position("connect4 4151617").outcome(), Position("connect4").outcome()
    /// ('first', None)
    fn outcome(&self) -> Option<&'static str> {
        self.inner.outcome().map(|outcome| match outcome {
            Outcome::Win(side) => side_word(side),
            Outcome::Draw => "draw",
        })
    }

    /// The cells of the winning lines, as (x, y) from the top-left.
    ///
    /// >>> Position("connect4 4151617").winning_cells()
    /// [(3, 5), (4, 5), (5, 5), (6, 5)]
    fn winning_cells(&self) -> Vec<(u8, u8)> {
        let cells = self.inner.winning_cells();
        let cells = cells.into_iter();
        cells
            .map(|cell| moves::point(self.variant(), cell))
            .collect()
    }

    /// The stones as rows from the top: 0 empty, 1 and 2 the sides, -1 blocked.
    fn board(&self) -> Vec<Vec<i8>> {
        let geometry = self.variant().geometry();
        let row = |y: u8| {
            let cells =
                (0..geometry.columns()).map(|x| cell_at(self.variant(), x.into(), y.into()));
            let content = cells.map(|cell| cell.and_then(|cell| self.inner.content(cell)));
            content
                .map(|content| match content {
                    Some(Content::Stone(side)) => side.index() as i8 + 1,
                    Some(Content::Blocked) => -1,
                    Some(Content::Empty) | None => 0,
                })
                .collect()
        };
        (0..geometry.rows()).map(row).collect()
    }

    /// The position with left and right exchanged.
    ///
    /// >>> Position("connect4 12").mirrored().moves
    /// [6, 5]
    fn mirrored(&self) -> Self {
        self.inner.mirrored().into()
    }

    /// A position of its own with the same history.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// The board as an SVG picture, width pixels wide.
    ///
    /// >>> Position("connect4").svg(width=200)[:4]
    /// '<svg'
    #[pyo3(signature = (width = 360))]
    fn svg(&self, width: u32) -> String {
        svg::draw(&self.inner, width)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(360)
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position({:?})", self.text())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.text(),))
    }
}

/// The game that is asked for, Connect Four by default.
pub(crate) fn named(game: Option<&Bound<'_, PyAny>>) -> PyResult<Variant> {
    match game {
        Some(game) => game::variant(game),
        None => "connect4".parse().map_err(refused),
    }
}

const fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// The item or the attribute called `name`.
fn field<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    value.get_item(name).or_else(|error| {
        let absent =
            error.is_instance_of::<PyKeyError>(py) || error.is_instance_of::<PyTypeError>(py);
        if !absent {
            return Err(error);
        }
        value.getattr(name).map_err(|error| {
            if error.is_instance_of::<PyAttributeError>(py) {
                PyValueError::new_err(format!("expected {name:?}, as an item or an attribute"))
            } else {
                error
            }
        })
    })
}

/// The position of drawn rows, from the top; without a game one of falling stones.
fn set_up(rows: &[Vec<i64>], game: Option<Variant>, run: usize) -> PyResult<Position> {
    let columns = rows.first().map_or(0, Vec::len);
    let largest = usize::from(stoneline_rules::LARGEST_SIDE);
    if rows.len() > largest || columns > largest {
        return Err(PyValueError::new_err(format!(
            "no board has more than {largest} rows or columns"
        )));
    }
    let mut setup = match &game {
        Some(variant) => Setup::of(variant),
        None => Setup::empty(Rule::Gravity, rows.len(), columns, run),
    };
    if (setup.rows, setup.columns) != (rows.len(), columns) {
        return Err(PyValueError::new_err(format!(
            "the game has {} rows and {} columns, the board {} and {columns}",
            setup.rows,
            setup.columns,
            rows.len()
        )));
    }
    for (y, row) in rows.iter().enumerate() {
        if row.len() != columns {
            return Err(PyValueError::new_err(format!(
                "row {y} has {} cells, the first {columns}",
                row.len()
            )));
        }
        for (x, &content) in row.iter().enumerate() {
            let cell = stoneline_rules::Cell::new(x as u8, (rows.len() - 1 - y) as u8);
            let side = match content {
                0 => continue,
                1 => 0,
                2 => 1,
                -1 => {
                    if game.is_none() {
                        setup.blocked.push(cell);
                    } else if !setup.blocked.contains(&cell) {
                        return Err(PyValueError::new_err(format!(
                            "row {y}, column {x} is -1, and the game has no blocked cell there"
                        )));
                    }
                    continue;
                }
                other => {
                    return Err(PyValueError::new_err(format!(
                        "row {y}, column {x} is {other}; expected 0, 1, 2 or -1"
                    )));
                }
            };
            setup.stones[side].push(cell);
        }
    }
    stoneline_rules::Position::try_from(setup)
        .map(Position::from)
        .map_err(refused)
}
