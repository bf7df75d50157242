//! Five in a row on free boards, and its kin: shapes, threat search, engines.
//!
//! Everything here plays boards without gravity, of any size and rule. What
//! is proven comes as a [`Proof`], which the rules alone can check.

#![cfg_attr(
    not(test),
    expect(dead_code, reason = "the playing engine is to use the rest")
)]

mod answers;
mod cells;
mod field;
mod ground;
mod line;
mod proof;
mod shape;
mod threats;
mod vcf;
mod vct;
mod weights;

#[cfg(test)]
mod tests;

pub use proof::{Flaw, Proof};
pub use threats::{Means, Threats};
