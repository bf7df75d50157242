//! The two smallest words of every game: a `Cell` of the board and a `Side`.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::Not;

/// A cell by its column from the left and its row from the bottom, both from 0.
///
/// A move is a cell in every game. Columns alone exist only in notation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(NonZeroU16);

const _: () = assert!(size_of::<Option<Cell>>() == 2);

/// Rows and columns of any cell are below this.
const REACH: u16 = 32;

impl Cell {
    /// The cell at `column` from the left and `row` from the bottom.
    ///
    /// # Panics
    /// If either is 32 or more: no board is that large.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Self {
        assert!((column as u16) < REACH && (row as u16) < REACH);
        match NonZeroU16::new(1 + column as u16 * REACH + row as u16) {
            Some(packed) => Self(packed),
            None => unreachable!(),
        }
    }

    /// The column, counted from the left, from 0.
    #[inline]
    pub const fn column(self) -> u8 {
        ((self.0.get() - 1) / REACH) as u8
    }

    /// The row, counted from the bottom, from 0.
    #[inline]
    pub const fn row(self) -> u8 {
        ((self.0.get() - 1) % REACH) as u8
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Column letter and row number from the bottom, as in `h8`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Who opens the game: red, or black in five-in-a-row.
    First,
    /// Who answers: yellow, or white in five-in-a-row.
    Second,
}

impl Side {
    /// Both sides, the opener first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 for the opener, 1 for the other.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that moves when `plies` stones lie on the board.
    #[inline(always)]
    pub const fn to_move(plies: usize) -> Self {
        if plies.is_multiple_of(2) {
            Self::First
        } else {
            Self::Second
        }
    }
}

impl Not for Side {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}
