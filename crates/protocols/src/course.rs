//! The board as the course's hosts show it to the side that is asked for a move.
//!
//! Both ways: a host makes a view of a `Position`, an engine makes a legal
//! `Position` of a view, or none: a view from outside is bounded but trusted in
//! nothing. Where it is no position, `top` and the cells still tell where a
//! stone may go.

use stoneline_rules::{Cell, Content, Position, Rule, Setup};
use thiserror::Error;

/// Stones in a line that win.
const RUN: usize = 4;
/// What the host writes for its opponent's and for the asked side's stones.
const THEIRS: i32 = 1;
const MINE: i32 = 2;

/// A number of rows or columns that can be read; `None` outside 1..=16.
pub fn length(asked: i32) -> Option<usize> {
    let (_, most) = Rule::Gravity.sizes();
    let length = usize::try_from(asked).ok()?;
    (1..=usize::from(most)).contains(&length).then_some(length)
}

/// Why a position can't be shown in the course's way.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0} is no game of the course: stones fall, four win, and at most one cell is forbidden")]
pub struct NotOfTheCourse(String);

/// What a host passes with one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    rows: usize,
    columns: usize,
    /// Landing row from the top plus one, for each column.
    top: Option<Vec<i32>>,
    /// Row by row from the top.
    board: Option<Vec<i32>>,
    forbidden: Option<Cell>,
}

impl View {
    /// Contract: `rows` and `columns` come from [`length`], and the arrays fit them.
    ///
    /// A forbidden cell, as row and column from the top-left, that is not on
    /// the board is none.
    pub fn new(
        rows: usize,
        columns: usize,
        top: Option<Vec<i32>>,
        board: Option<Vec<i32>>,
        forbidden: (i32, i32),
    ) -> Self {
        debug_assert!(top.as_ref().is_none_or(|top| top.len() == columns));
        debug_assert!(
            board
                .as_ref()
                .is_none_or(|board| board.len() == rows * columns)
        );
        let mut view = Self {
            rows,
            columns,
            top,
            board,
            forbidden: None,
        };
        view.forbidden = view.answered(forbidden);
        view
    }

    /// What a host shows to the side to move.
    ///
    /// # Errors
    /// If the game is not one of the course: the view has no place for it.
    pub fn of(position: &Position) -> Result<Self, NotOfTheCourse> {
        let variant = position.variant();
        let geometry = variant.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let mut forbidden = geometry.cells(geometry.blocked());
        let (only, more) = (forbidden.next(), forbidden.next());
        if !variant.rule().falls() || usize::from(variant.run()) != RUN || more.is_some() {
            return Err(NotOfTheCourse(variant.to_string()));
        }
        let me = position.side_to_move();
        let mark = |cell| match position.content(cell) {
            Some(Content::Stone(side)) if side == me => MINE,
            Some(Content::Stone(_)) => THEIRS,
            _ => 0,
        };
        let board = (0..rows)
            .rev()
            .flat_map(|row| (0..columns).map(move |column| (column, row)));
        let landing = |column| {
            let cell = position.landing(column).ok()?;
            Some(i32::from(rows - cell.row()))
        };
        Ok(Self {
            rows: rows.into(),
            columns: columns.into(),
            top: Some(
                (0..columns)
                    .map(|column| landing(column).unwrap_or(0))
                    .collect(),
            ),
            board: Some(
                board
                    .map(|(column, row)| mark(Cell::new(column, row)))
                    .collect(),
            ),
            forbidden: only,
        })
    }

    /// Rows and columns of the board.
    pub const fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The landing row from the top plus one, for each column; empty if it was not given.
    pub fn top(&self) -> &[i32] {
        self.top.as_deref().unwrap_or_default()
    }

    /// The cells, row by row from the top; empty if they were not given.
    pub fn board(&self) -> &[i32] {
        self.board.as_deref().unwrap_or_default()
    }

    /// Row from the top and column of the forbidden cell; (-1, -1) when there is none.
    pub fn forbidden(&self) -> (i32, i32) {
        self.forbidden
            .map_or((-1, -1), |cell| self.coordinates(cell))
    }

    /// The cell that an answer names; `None` off the board.
    pub fn answered(&self, (x, y): (i32, i32)) -> Option<Cell> {
        match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.rows && y < self.columns => Some(self.cell(x, y)),
            _ => None,
        }
    }

    /// The position that the cells show, the asked side to move; `None` if they show no game
    /// that can go on.
    ///
    /// `top` is not asked: it follows from the cells. Nor is what stands on
    /// the forbidden cell.
    pub fn position(&self) -> Option<Position> {
        let board = self.board.as_ref()?;
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for (at, &content) in board.iter().enumerate() {
            let cell = self.cell(at / self.columns, at % self.columns);
            match content {
                _ if Some(cell) == self.forbidden => {}
                0 => {}
                MINE => mine.push(cell),
                THEIRS => theirs.push(cell),
                _ => return None,
            }
        }
        let stones = if mine.len() == theirs.len() {
            [mine, theirs]
        } else {
            [theirs, mine]
        };
        let setup = Setup {
            blocked: self.forbidden.into_iter().collect(),
            stones,
            ..Setup::empty(Rule::Gravity, self.rows, self.columns, RUN)
        };
        let position = Position::try_from(setup).ok()?;
        position.outcome().is_none().then_some(position)
    }

    /// A cell that may be played, near the centre, chosen without search or trust.
    ///
    /// First where `top` and the cells agree, then where `top` points, as that
    /// is what the host compares with, then by the cells alone.
    pub fn any_move(&self) -> Option<Cell> {
        let agreed = |column| {
            self.landing_by_top(column)
                .filter(|&cell| self.landing_by_board(column) == Some(cell))
        };
        let mut columns: Vec<usize> = (0..self.columns).collect();
        columns.sort_by_key(|column| (2 * column + 1).abs_diff(self.columns));
        let find = |landing: &dyn Fn(usize) -> Option<Cell>| {
            columns.iter().find_map(|&column| landing(column))
        };
        find(&agreed)
            .or_else(|| find(&|column| self.landing_by_top(column)))
            .or_else(|| find(&|column| self.landing_by_board(column)))
    }

    /// A cell in the host's coordinates: row from the top, column.
    pub fn coordinates(&self, cell: Cell) -> (i32, i32) {
        let x = self.rows - 1 - usize::from(cell.row());
        (x as i32, i32::from(cell.column()))
    }

    /// The cell at row `x` from the top and column `y`.
    fn cell(&self, x: usize, y: usize) -> Cell {
        Cell::new(y as u8, (self.rows - 1 - x) as u8)
    }

    /// Where `top` points in a column, unless that is off the board, forbidden or taken.
    fn landing_by_top(&self, column: usize) -> Option<Cell> {
        let x = usize::try_from(self.top.as_ref()?[column])
            .ok()?
            .checked_sub(1)
            .filter(|&x| x < self.rows)?;
        let cell = self.cell(x, column);
        let taken = self
            .board
            .as_ref()
            .is_some_and(|board| board[x * self.columns + column] != 0);
        (Some(cell) != self.forbidden && !taken).then_some(cell)
    }

    /// The lowest empty cell of a column that is not forbidden.
    fn landing_by_board(&self, column: usize) -> Option<Cell> {
        let board = self.board.as_ref()?;
        (0..self.rows)
            .rev()
            .filter(|x| board[x * self.columns + column] == 0)
            .map(|x| self.cell(x, column))
            .find(|&cell| Some(cell) != self.forbidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::{Chance, Side, Variant};

    fn shown(position: &Position) -> View {
        View::of(position).unwrap()
    }

    #[test]
    fn every_position_of_random_games_is_read_back() {
        for seed in 0..300 {
            let mut chance = Chance::new(seed);
            let mut position = Position::new(Variant::course(seed));
            while position.outcome().is_none() {
                let view = shown(&position);
                assert_eq!(view.position().as_ref(), Some(&position));
                let any = view.any_move().expect("the game goes on");
                assert_eq!(position.check(any), Ok(()));
                let legal = position.legal_moves();
                for &cell in &legal {
                    let (x, y) = view.coordinates(cell);
                    assert_eq!(view.top.as_ref().unwrap()[y as usize], x + 1);
                    assert_eq!(view.cell(x as usize, y as usize), cell);
                }
                let at = chance.below(legal.len() as u32) as usize;
                position.play(legal[at]).unwrap();
            }
            assert_eq!(shown(&position).position(), None, "the game is over");
        }
    }

    #[test]
    fn a_view_is_drawn_as_the_host_counts() {
        let view = shown(&"connectx:4x5x4@0,3 11245".parse().unwrap());
        #[rustfmt::skip]
        let board = [
            0, 0, 0, 0, 0,
            0, 0, 0, 0, 0,
            MINE, 0, 0, 0, 0,
            THEIRS, THEIRS, 0, MINE, THEIRS,
        ];
        assert_eq!(view.board(), board);
        assert_eq!(view.top(), [2, 3, 4, 3, 3]);
        assert_eq!((view.size(), view.forbidden()), ((4, 5), (0, 3)));
        let full = shown(&"connectx:4x4x4@0,0 111".parse().unwrap());
        assert_eq!(
            full.top(),
            [0, 4, 4, 4],
            "the forbidden cell ends its column"
        );
        for name in ["gomoku", "connectx:6x7x5", "course:9x9@4,4@5,5"] {
            let position = Position::new(name.parse().unwrap());
            assert!(View::of(&position).is_err(), "{name}");
        }
    }

    #[test]
    fn sizes_are_bounded() {
        let fine: Vec<i32> = (-3..40).filter(|&asked| length(asked).is_some()).collect();
        assert_eq!(fine, (1..=16).collect::<Vec<_>>());
        assert_eq!(length(i32::MIN), None);
        assert_eq!(length(i32::MAX), None);
    }

    #[test]
    fn a_board_that_no_game_reaches_is_no_position() {
        let position: Position = "course:9x9@4,4 1223".parse().unwrap();
        assert_eq!(position.side_to_move(), Side::First);
        let broken = |at: usize, content| {
            let mut view = shown(&position);
            view.board.as_mut().unwrap()[at] = content;
            view
        };
        // Left alone, one stone too many, floating, an unknown mark.
        assert!(broken(0, 0).position().is_some());
        for (at, content) in [(8 * 9 + 8, MINE), (0, THEIRS), (8 * 9 + 8, 7)] {
            let view = broken(at, content);
            assert_eq!(view.position(), None, "{content} at {at}");
            let (x, y) = view.coordinates(view.any_move().unwrap());
            assert_eq!((x, y), (8, 4), "the centre is free by both");
        }
        // The forbidden cell may be marked in any way.
        assert_eq!(broken(4 * 9 + 4, 5).position(), Some(position));
    }

    #[test]
    fn a_move_follows_from_whichever_array_is_given() {
        let played = |change: fn(&mut View)| {
            let mut view = shown(&"course:9x9@8,4 44".parse().unwrap());
            change(&mut view);
            view.any_move().map(|cell| view.coordinates(cell))
        };
        assert_eq!(played(|_| ()), Some((7, 4)), "above the forbidden cell");
        assert_eq!(played(|view| view.top = None), Some((7, 4)));
        assert_eq!(played(|view| view.board = None), Some((7, 4)));
        assert_eq!(played(|view| view.top = Some(vec![0; 9])), Some((7, 4)));
        assert_eq!(played(|view| view.top = Some(vec![10; 9])), Some((7, 4)));
        assert_eq!(played(|view| view.board = Some(vec![1; 81])), None);
        let pointed = |view: &mut View| view.top = Some(vec![-5, 0, 0, 4, 9, 99, i32::MIN, 0, 0]);
        assert_eq!(played(pointed), Some((3, 3)), "where top points at all");
        let none = |view: &mut View| (view.top, view.board) = (None, None);
        assert_eq!(played(none), None);
    }
}
