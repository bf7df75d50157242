//! The slow, obvious twin: an array of cells and loops, sharing no code with the crate.
//!
//! Rows count from the bottom, as everywhere.

use stoneline_rules::{Cell, Rule, Side, Variant};

/// A board as an array.
#[derive(Clone)]
pub struct Grid {
    pub rule: Rule,
    pub rows: i32,
    pub columns: i32,
    pub run: i32,
    /// `cells[column][row]`
    pub cells: Vec<Vec<Square>>,
}

/// What lies on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Square {
    Empty,
    Blocked,
    Stone(Side),
}

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Grid {
    pub fn empty(variant: &Variant) -> Self {
        let (rows, columns) = (variant.geometry().rows(), variant.geometry().columns());
        let mut cells = vec![vec![Square::Empty; rows.into()]; columns.into()];
        for column in 0..columns {
            for row in 0..rows {
                if variant.geometry().is_blocked(Cell::new(column, row)) {
                    cells[usize::from(column)][usize::from(row)] = Square::Blocked;
                }
            }
        }
        Self {
            rule: variant.rule(),
            rows: rows.into(),
            columns: columns.into(),
            run: variant.run().into(),
            cells,
        }
    }

    pub fn put(&mut self, cell: Cell, square: Square) {
        self.cells[usize::from(cell.column())][usize::from(cell.row())] = square;
    }

    pub fn at(&self, column: i32, row: i32) -> Option<Square> {
        ((0..self.columns).contains(&column) && (0..self.rows).contains(&row))
            .then(|| self.cells[column as usize][row as usize])
    }

    /// Empty cells where a stone may be put, forbidden points of renju included.
    ///
    /// With gravity the lowest empty cell of each column: stones go below a
    /// blocked cell while there is room, as in the course's judge.
    pub fn moves(&self) -> Vec<Cell> {
        let mut moves = Vec::new();
        for column in 0..self.columns {
            for row in 0..self.rows {
                if self.at(column, row) == Some(Square::Empty) {
                    moves.push(Cell::new(column as u8, row as u8));
                    if self.rule == Rule::Gravity {
                        break;
                    }
                }
            }
        }
        moves
    }

    /// All cells of every winning line of `side` on the board.
    pub fn winning_cells(&self, side: Side) -> Vec<Cell> {
        let mut won = vec![vec![false; self.rows as usize]; self.columns as usize];
        for column in 0..self.columns {
            for row in 0..self.rows {
                for (right, up) in DIRECTIONS {
                    let starts = self.at(column, row) == Some(Square::Stone(side))
                        && self.at(column - right, row - up) != Some(Square::Stone(side));
                    if !starts {
                        continue;
                    }
                    let mut length = 0;
                    while self.at(column + length * right, row + length * up)
                        == Some(Square::Stone(side))
                    {
                        length += 1;
                    }
                    let ends = [
                        self.at(column - right, row - up),
                        self.at(column + length * right, row + length * up),
                    ];
                    if self.wins(side, length, ends) {
                        for step in 0..length {
                            won[(column + step * right) as usize][(row + step * up) as usize] =
                                true;
                        }
                    }
                }
            }
        }
        let mut cells = Vec::new();
        for column in 0..self.columns {
            for row in 0..self.rows {
                if won[column as usize][row as usize] {
                    cells.push(Cell::new(column as u8, row as u8));
                }
            }
        }
        cells
    }

    fn wins(&self, side: Side, length: i32, ends: [Option<Square>; 2]) -> bool {
        match self.rule {
            Rule::Gravity | Rule::Freestyle => length >= self.run,
            Rule::Standard => length == self.run,
            Rule::Renju if side == Side::Second => length >= self.run,
            Rule::Renju => length == self.run,
            Rule::Caro => {
                length == self.run && ends.iter().any(|&end| end != Some(Square::Stone(!side)))
            }
        }
    }

    /// Empty cells where a stone of `side`, put there at once, is part of `run` or more.
    pub fn finishing_cells(&self, side: Side) -> Vec<Cell> {
        let mut found = Vec::new();
        for column in 0..self.columns {
            for row in 0..self.rows {
                let finishes = DIRECTIONS.iter().any(|&(right, up)| {
                    let below = self.count_from(side, column, row, -right, -up);
                    let above = self.count_from(side, column, row, right, up);
                    below + 1 + above >= self.run
                });
                if self.at(column, row) == Some(Square::Empty) && finishes {
                    found.push(Cell::new(column as u8, row as u8));
                }
            }
        }
        found
    }

    /// Stones of `side` in a row, next to a cell in one direction.
    fn count_from(&self, side: Side, column: i32, row: i32, right: i32, up: i32) -> i32 {
        let mut count = 0;
        while self.at(column + (count + 1) * right, row + (count + 1) * up)
            == Some(Square::Stone(side))
        {
            count += 1;
        }
        count
    }
}
