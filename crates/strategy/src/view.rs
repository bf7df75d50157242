//! The board as the host shows it: read, bounded, but trusted in nothing.
//!
//! Becomes a legal `Position` or none. Where it is none, `top` and the cells
//! still tell where a stone may go.

use stoneline_rules::{Cell, Position, Rule, Setup};

/// Stones in a line that win.
const RUN: usize = 4;
/// What the host writes for its opponent's and for the asked side's stones.
const THEIRS: i32 = 1;
const MINE: i32 = 2;

/// A number of rows or columns that can be read; `None` outside 1..=16.
pub(crate) fn length(asked: i32) -> Option<usize> {
    let (_, most) = Rule::Gravity.sizes();
    let length = usize::try_from(asked).ok()?;
    (1..=usize::from(most)).contains(&length).then_some(length)
}

/// What the host passed with one call.
pub(crate) struct View {
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
    pub(crate) fn new(
        rows: usize,
        columns: usize,
        top: Option<Vec<i32>>,
        board: Option<Vec<i32>>,
        (x, y): (i32, i32),
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
        view.forbidden = match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < rows && y < columns => Some(view.cell(x, y)),
            _ => None,
        };
        view
    }

    /// The position that the cells show, the asked side to move; `None` if they show no game
    /// that can go on.
    ///
    /// `top` is not asked: it follows from the cells. Nor is what stands on
    /// the forbidden cell.
    pub(crate) fn position(&self) -> Option<Position> {
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
    pub(crate) fn any_move(&self) -> Option<Cell> {
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
    pub(crate) fn coordinates(&self, cell: Cell) -> (i32, i32) {
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

    /// What a host shows to the side to move.
    fn shown(position: &Position) -> View {
        let geometry = position.variant().geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let me = position.side_to_move();
        let geometry_index = |x: u8, y: u8| geometry.index(Cell::new(y, rows - 1 - x));
        let content = |x, y| {
            let index = geometry_index(x, y);
            if position.stones(me).contains(index) {
                MINE
            } else if position.stones(!me).contains(index) {
                THEIRS
            } else {
                0
            }
        };
        let board = (0..rows)
            .flat_map(|x| (0..columns).map(move |y| (x, y)))
            .map(|(x, y)| content(x, y))
            .collect();
        let top = (0..columns)
            .map(|y| {
                position
                    .landing(y)
                    .map_or(0, |cell| i32::from(rows - cell.row()))
            })
            .collect();
        let forbidden = geometry
            .cells(geometry.blocked())
            .next()
            .map_or((-1, -1), |cell| {
                (i32::from(rows - 1 - cell.row()), cell.column().into())
            });
        View::new(
            rows.into(),
            columns.into(),
            Some(top),
            Some(board),
            forbidden,
        )
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
