//! The learned evaluation of boards with falling stones.
//!
//! One set of weights serves every size, run and layout of blocked cells. Its
//! inputs are what decides such games: every window of k cells with the owners
//! of its empty cells, the threats of both sides column by column, the stage
//! of the game, and who must give way when all safe cells are filled. A hidden
//! layer of a few units turns them into a value, in integers, kept stone by
//! stone as the search plays.

mod columns;
mod features;
mod file;
mod judge;
mod net;
mod plan;
pub mod rows;
#[cfg(test)]
mod tests;

pub use columns::{ColumnView, MOST_COLUMNS, View};
pub use features::Inputs;
pub use file::{FormatError, NetError, Provenance};
pub use judge::Judge;
pub use net::{FULL, Net, OUTPUT_BITS, OUTPUT_SCALE, UNITS, Weights};
