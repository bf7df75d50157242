//! Everything that can be wrong with a board or position that someone asks for.

use crate::cell::{Cell, Side};
use crate::variant::Rule;
use thiserror::Error;

/// One thing that makes a variant or position impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The number of rows is outside what the rule allows.
    #[error("{rows} rows: {rule} boards have {low} to {high}")]
    Rows {
        /// Rows asked for.
        rows: usize,
        /// The rule that sets the limits.
        rule: Rule,
        /// Fewest rows.
        low: u8,
        /// Most rows.
        high: u8,
    },
    /// The number of columns is outside what the rule allows.
    #[error("{columns} columns: {rule} boards have {low} to {high}")]
    Columns {
        /// Columns asked for.
        columns: usize,
        /// The rule that sets the limits.
        rule: Rule,
        /// Fewest columns.
        low: u8,
        /// Most columns.
        high: u8,
    },
    /// A run so short that the game is no game.
    #[error("a run of {0}: at least 3 stones make a line")]
    RunTooShort(usize),
    /// A run longer than the board.
    #[error("a run of {run} does not fit a board whose longer side is {longest}")]
    RunTooLong {
        /// Run asked for.
        run: usize,
        /// The longer side of the board.
        longest: usize,
    },
    /// Renju's forbidden points are defined for five alone.
    #[error("a run of {0}: renju is played with five")]
    RenjuRun(usize),
    /// Blocked cells belong to boards with falling stones.
    #[error("blocked cells exist only on boards with falling stones")]
    BlockedOnFreeBoard,
    /// A blocked cell that is not on the board.
    #[error("blocked cell {0} is not on the board")]
    BlockedOutside(Cell),
    /// The same cell blocked twice.
    #[error("cell {0} is blocked twice")]
    BlockedTwice(Cell),
    /// No cell is left to play.
    #[error("every cell is blocked")]
    AllBlocked,
    /// A stone that is not on the board.
    #[error("stone of the {0} side at {1} is not on the board")]
    StoneOutside(Side, Cell),
    /// Two stones on one cell.
    #[error("two stones at {0}")]
    StoneTwice(Cell),
    /// A stone on a blocked cell.
    #[error("stone of the {0} side on the blocked cell {1}")]
    StoneOnBlocked(Side, Cell),
    /// A stone with nothing beneath it.
    #[error("stone at {0} floats: the cell below is empty")]
    Floating(Cell),
    /// Counts of stones that no alternating play reaches.
    #[error(
        "{first} stones of the first side and {second} of the second: the first side has as many or one more"
    )]
    Count {
        /// Stones of the side that opened.
        first: usize,
        /// Stones of the other.
        second: usize,
    },
    /// Both sides have a finished line.
    #[error("both sides have a finished line")]
    BothWon,
    /// A side has a finished line, yet the other moved after it.
    #[error("the {0} side has a finished line, yet the other side moved after it")]
    PlayedOn(Side),
}

/// All that is wrong with what was asked for: at least one fault.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", list(.0))]
pub struct SetupError(Vec<Fault>);

impl SetupError {
    /// `Ok` when there is no fault.
    pub(crate) fn check(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Self(faults))
        }
    }

    /// Every fault, in the order found.
    pub fn faults(&self) -> &[Fault] {
        &self.0
    }
}

fn list(faults: &[Fault]) -> String {
    let texts: Vec<String> = faults.iter().map(Fault::to_string).collect();
    texts.join("; ")
}
