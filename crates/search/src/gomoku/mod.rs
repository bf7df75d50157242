//! Five in a row on free boards, and its kin: shapes, threat search, engines.
//!
//! Everything here plays boards without gravity, of any size and rule. What
//! is proven comes as a [`Proof`], which the rules alone can check.

mod answers;
mod cells;
mod counts;
mod engine;
mod field;
mod gobang;
mod gobang_tree;
mod ground;
mod line;
mod memory;
mod opening;
mod order;
mod proof;
mod root;
mod search;
mod shape;
mod state;
mod swap;
mod threats;
mod tree;
mod vcf;
mod vct;
mod weights;

#[cfg(test)]
mod tests;

pub use counts::{ShapeCounter, ShapeCounts};
pub(crate) use engine::alphabeta;
pub(crate) use gobang::MinimaxParams;
pub(crate) use gobang_tree::TreeParams;
pub use proof::{Flaw, Proof};
pub use swap::{NotSwap2, Swap2, Swapper};
pub use threats::{Means, Threats};
pub(crate) use tree::mcts;
