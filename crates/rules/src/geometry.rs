//! The board as a plane: size, blocked cells, the bit of each cell, symmetries.
//!
//! Every board, falling stones or not, is laid out column by column from the
//! bottom, with one guard row above each column that is never occupied. A
//! line step is then one shift for all cells at once, and a run cannot wrap
//! from a column into the next:
//!
//! ```text
//!   guard   3  7 11 15          up = 1, right = rows + 1
//!   row 2   2  6 10 14          rising diagonal = rows + 2
//!   row 1   1  5  9 13          falling diagonal = rows
//!   row 0   0  4  8 12          (a board of 3 rows and 4 columns)
//! ```

use crate::bits::Bits;
use crate::cell::Cell;

/// A set of cells of any board that exists: 22 columns of 22 rows and a guard.
pub type Wide = Bits<8>;

/// Most rows or columns of any board.
pub const LARGEST_SIDE: u8 = 22;

const _: () = assert!(LARGEST_SIDE as usize * (LARGEST_SIDE as usize + 1) <= 8 * 64);

/// Size and blocked cells of a board.
///
/// Made only by [`Variant`](crate::Variant), which refuses impossible ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Geometry {
    rows: u8,
    columns: u8,
    blocked: Wide,
}

impl Geometry {
    /// Contract: `1 <= rows, columns <= 22`, and `blocked` are cells of that board.
    pub(crate) fn new(rows: u8, columns: u8, blocked: &[Cell]) -> Self {
        let bare = Self {
            rows,
            columns,
            blocked: Wide::EMPTY,
        };
        let blocked = blocked.iter().map(|&cell| bare.index(cell)).collect();
        Self { blocked, ..bare }
    }

    /// How many rows the board has.
    #[inline]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// How many columns the board has.
    #[inline]
    pub const fn columns(&self) -> u8 {
        self.columns
    }

    /// The shift that moves every cell one column to the right: rows and a guard.
    #[inline]
    pub const fn stride(&self) -> u32 {
        self.rows as u32 + 1
    }

    /// How many bits the layout takes, guards included.
    #[inline]
    pub const fn bits(&self) -> u32 {
        self.stride() * self.columns as u32
    }

    /// The shifts of the four line directions: up, falling, right, rising.
    #[inline]
    pub const fn directions(&self) -> [u32; 4] {
        let stride = self.stride();
        [1, stride - 1, stride, stride + 1]
    }

    /// Whether `cell` lies on the board, blocked or not.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.column() < self.columns && cell.row() < self.rows
    }

    /// The bit of `cell`.
    #[inline]
    pub const fn index(&self, cell: Cell) -> u32 {
        debug_assert!(self.contains(cell));
        cell.column() as u32 * self.stride() + cell.row() as u32
    }

    /// The cell of a bit.
    #[inline]
    pub const fn cell(&self, index: u32) -> Cell {
        Cell::new((index / self.stride()) as u8, (index % self.stride()) as u8)
    }

    /// The cells of a set of bits, column by column from the bottom.
    pub fn cells<const WORDS: usize>(&self, set: Bits<WORDS>) -> impl Iterator<Item = Cell> {
        let geometry = *self;
        set.iter().map(move |index| geometry.cell(index))
    }

    /// Cells where no stone may ever lie; each supports what is above it.
    #[inline]
    pub const fn blocked(&self) -> Wide {
        self.blocked
    }

    /// Whether `cell` is a blocked cell.
    #[inline]
    pub const fn is_blocked(&self, cell: Cell) -> bool {
        self.contains(cell) && self.blocked.contains(self.index(cell))
    }

    /// Cells where a stone may lie: the board without its blocked cells.
    pub fn playable(&self) -> Wide {
        self.whole().minus(self.blocked)
    }

    /// How many stones the board can hold.
    pub fn capacity(&self) -> usize {
        self.playable().len() as usize
    }

    /// The lowest cell of each column, blocked or not.
    pub fn floor(&self) -> Wide {
        self.row_set(0)
    }

    /// Every cell of a row counted from the bottom.
    pub(crate) fn row_set(&self, row: u8) -> Wide {
        (0..self.columns)
            .map(|column| self.index(Cell::new(column, row)))
            .collect()
    }

    /// Every cell of the board, blocked ones included.
    fn whole(&self) -> Wide {
        (0..self.rows).fold(Wide::EMPTY, |all, row| all | self.row_set(row))
    }

    /// The board as `symmetry` turns it.
    pub(crate) fn transformed(&self, symmetry: Symmetry) -> Self {
        let blocked: Vec<Cell> = self
            .cells(self.blocked)
            .map(|cell| symmetry.apply(self, cell))
            .collect();
        if symmetry.swaps_axes() {
            Self::new(self.columns, self.rows, &blocked)
        } else {
            Self::new(self.rows, self.columns, &blocked)
        }
    }
}

/// One of the eight ways to turn and mirror a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

const MIRROR_COLUMNS: u8 = 1;
const MIRROR_ROWS: u8 = 2;
const SWAP_AXES: u8 = 4;

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Self = Self(0);
    /// Left and right exchanged: the one that falling stones allow.
    pub const MIRROR: Self = Self(MIRROR_COLUMNS);
    /// All eight, the identity first and the mirror second.
    pub const ALL: [Self; 8] = [
        Self(0),
        Self(1),
        Self(2),
        Self(3),
        Self(4),
        Self(5),
        Self(6),
        Self(7),
    ];

    /// Whether rows become columns.
    #[inline]
    pub const fn swaps_axes(self) -> bool {
        self.0 & SWAP_AXES != 0
    }

    /// Whether gravity still points down afterwards.
    #[inline]
    pub const fn keeps_gravity(self) -> bool {
        self.0 & (MIRROR_ROWS | SWAP_AXES) == 0
    }

    /// Where `cell` of the board `from` ends up: mirrored first, axes swapped last.
    #[inline]
    pub const fn apply(self, from: &Geometry, cell: Cell) -> Cell {
        let mut column = cell.column();
        let mut row = cell.row();
        if self.0 & MIRROR_COLUMNS != 0 {
            column = from.columns - 1 - column;
        }
        if self.0 & MIRROR_ROWS != 0 {
            row = from.rows - 1 - row;
        }
        if self.swaps_axes() {
            Cell::new(row, column)
        } else {
            Cell::new(column, row)
        }
    }
}
