//! Rules of k-in-a-row games, with falling stones and without.
//!
//! Owns geometry, positions, legal moves, outcomes and notation. Does no I/O,
//! and allocates nothing while stones are played on a fast [`Board`].

mod bits;
mod board;
mod cell;
mod chance;
mod drawing;
mod fault;
mod geometry;
mod key;
pub mod notation;
mod perft;
mod playout;
mod position;
pub mod psq;
mod read_error;
mod record;
mod renju;
mod runs;
mod setup;
pub mod sgf;
mod variant;

pub use bits::Bits;
pub use board::{Board, Grid};
pub use cell::{Cell, Side};
pub use chance::{Chance, scramble};
pub use fault::{Fault, SetupError};
pub use geometry::{Geometry, LARGEST_SIDE, Symmetry, Wide};
pub use perft::perft;
pub use playout::{RandomGame, RandomGames};
pub use position::{Content, Outcome, PlayError, Position};
pub use read_error::{LONGEST_TEXT, ReadError};
pub use record::{Header, MoveNote, Record, TagError, Tags, WriteError};
pub use renju::{Forbidden, forbidden};
pub use runs::{finishing_cells, has_run, run_ends};
pub use setup::Setup;
pub use variant::{Rule, Variant};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
