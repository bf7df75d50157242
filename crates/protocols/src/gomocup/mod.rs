//! Gomocup's protocol (Piskvork's), with what board programs add to it.
//!
//! [`Command`] is what a manager says and [`Answer`] what an engine says; each
//! is read and written here, so that both sides stand on one grammar.
//! [`Gomocup`] is the engine's side of a whole conversation.
//!
//! Points are `x,y` from 0, column first, from the top-left. Rows elsewhere in
//! this project are counted from the bottom; [`Point::cell`] turns them over.

mod answer;
mod command;
mod limits;
mod session;
mod setting;
mod stones;

pub use answer::{Answer, BadAnswer};
pub use command::{Command, Unread};
pub use session::Gomocup;
pub use setting::{Info, mask_of_rule, rule_of_mask};

use std::fmt;
use stoneline_rules::{Cell, Geometry};

/// A point of the board: column and row from the top-left, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The column.
    pub x: u8,
    /// The row, counted from the top.
    pub y: u8,
}

impl Point {
    /// The point of a cell.
    pub const fn of(geometry: &Geometry, cell: Cell) -> Self {
        Self {
            x: cell.column(),
            y: geometry.rows() - 1 - cell.row(),
        }
    }

    /// The cell of the point; `None` off the board.
    pub fn cell(self, geometry: &Geometry) -> Option<Cell> {
        let on_board = self.x < geometry.columns() && self.y < geometry.rows();
        on_board.then(|| Cell::new(self.x, geometry.rows() - 1 - self.y))
    }

    /// The point that `text` names as `x,y`, blanks around the numbers allowed.
    fn read(text: &str) -> Option<Self> {
        let (x, y) = text.split_once(',')?;
        let number = |text: &str| text.trim().parse().ok();
        Some(Self {
            x: number(x)?,
            y: number(y)?,
        })
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The first `most` characters of `text` without control characters, for one line.
fn excerpt(text: &str, most: usize) -> String {
    let clean = text.chars().map(|letter| {
        if letter.is_control() {
            '\u{fffd}'
        } else {
            letter
        }
    });
    let short: String = clean.take(most).collect();
    short.trim().to_owned()
}
