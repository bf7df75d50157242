//! The exact solver for gravity boards.
//!
//! Owns proofs: every number it returns is a proven bound of a score, up to the
//! chance that two positions share all the bits that the table checks (43 and
//! those of the bucket). It takes any board whose stones fall, any run length
//! and any blocked cells, as long as the layout fits 192 bits, and refuses the
//! rest.
//!
//! ```
//! use stoneline_rules::{Position, Variant};
//! use stoneline_search::solve::{Question, SolveLimits, Solver};
//! let game: Variant = "connectx:4x4x4".parse().unwrap();
//! let mut solver = Solver::new(&game, 1 << 20, 1).unwrap();
//! let solved = solver
//!     .solve(&Position::new(game), Question::Score, &SolveLimits::default())
//!     .unwrap();
//! assert_eq!(solved.bounds.exact(), Some(0));
//! ```

mod book;
mod book_build;
mod book_verify;
mod book_walk;
mod bounds;
mod busy;
mod exact;
mod field;
mod key;
mod perfect;
mod score;
mod search;
mod solver;
mod table;
#[cfg(test)]
mod tests;
mod watch;

pub use book::{Book, BookCode, BookEntry, BookError};
pub use book_build::{BookPlan, BookStep, build_book};
pub use book_verify::{BookReport, VerifyPlan, verify_book};
pub use perfect::PerfectMove;
pub use score::{plies_to_end, score_of_end};
pub use solver::{MoveBounds, Question, SolveError, SolveLimits, Solved, Solver};
pub use table::Bounds;
