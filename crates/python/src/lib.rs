//! The Python package `stoneline`: games, positions, engines and matches.
//!
//! Owns the translation between Python's values and ours, and no logic of its
//! own. The GIL is released while anything searches or plays.
//!
//! In Python a move is a column from 0 where stones fall, and the pair `(x, y)`
//! from 0, origin top-left, elsewhere; text is read in the notation of the game.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "comments on classes are docstrings of Python, whose lists look like links"
)]

mod analysis;
mod contest;
mod engine;
mod game;
mod moves;
mod position;
mod signals;
mod solution;
mod svg;
mod value;

/// Plays, solves and analyses k-in-a-row games.
#[pyo3::pymodule]
mod _stoneline {
    #[pymodule_export]
    use crate::analysis::{Analysis, AnalysisIterator, MoveReport};
    #[pymodule_export]
    use crate::contest::play_match;
    #[pymodule_export]
    use crate::engine::{Engine, engines};
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::solution::Solution;
    #[pymodule_export]
    use crate::value::Value;

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
