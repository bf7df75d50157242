//! The weights of the evaluation: what an empty cell's shapes along a line are worth.
//!
//! A cell counts by what a stone of either side would make there, apart for
//! the side to move and the other: an open four to come is a win for the one
//! and a worry for the other. All sums are kept for both turns.

use super::shape::{SHAPES, ShapeKey};
use std::ops::{AddAssign, SubAssign};
use stoneline_rules::{Side, Variant};

/// Evaluation for a factor e of the odds.
pub(crate) const LOGIT: f32 = 400.0;

/// What shapes are worth to the side to move that has them.
const OWN: [i32; SHAPES] = [0, 2, 6, 10, 26, 24, 76, 60, 300, 800, 20, 0];
/// What shapes are worth to the side that does not move.
const OTHER: [i32; SHAPES] = [0, 2, 5, 9, 22, 18, 52, 36, 90, 300, 10, 0];
/// What the turn is worth.
const TURN: i32 = 40;
/// How moves are ordered by what they make.
const PROMISE: [i32; SHAPES] = [0, 2, 8, 12, 40, 38, 160, 200, 900, 4000, 0, 0];

/// A weight or a sum of weights, for each side when it moves, two numbers in one word.
///
/// The first side's stands above bit 32, the second's below and borrows from it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Sum(i64);

impl Sum {
    const fn new(first: i32, second: i32) -> Self {
        Self(((first as i64) << 32) + second as i64)
    }

    /// The number of a side.
    #[inline(always)]
    pub(crate) const fn of(self, side: Side) -> i32 {
        let second = self.0 as i32;
        match side {
            Side::First => ((self.0 - second as i64) >> 32) as i32,
            Side::Second => second,
        }
    }
}

impl AddAssign for Sum {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Sum {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

/// Weights by both sides' shapes.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// By the byte of the line table.
    by_shapes: [Sum; 256],
}

impl Weights {
    /// The weights for a variant.
    pub(crate) fn of(_: &Variant) -> Self {
        let worth = |table: [i32; SHAPES], nibble: usize| table.get(nibble).copied().unwrap_or(0);
        let by_shapes = std::array::from_fn(|byte| {
            let (first, second) = (byte & 15, byte >> 4);
            Sum::new(
                worth(OWN, first) - worth(OTHER, second),
                worth(OWN, second) - worth(OTHER, first),
            )
        });
        Self { by_shapes }
    }

    /// What an empty cell adds.
    #[inline(always)]
    pub(crate) const fn of_shapes(&self, shapes: u8) -> Sum {
        self.by_shapes[shapes as usize]
    }

    /// How promising a move with these shapes of its own is.
    #[inline(always)]
    pub(crate) fn promise(&self, key: ShapeKey) -> i32 {
        let worth = |shift: u16| PROMISE[usize::from(key >> shift & 15) % SHAPES];
        worth(0) + worth(4) + worth(8) + worth(12)
    }

    /// What the turn is worth.
    #[inline(always)]
    pub(crate) const fn turn(&self) -> i32 {
        TURN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_live_in_one_word() {
        let mut sum = Sum::default();
        let (mut first, mut second) = (0, 0);
        for step in 0..1000 {
            let (one, other) = (step * 7 % 91 - 45, step * 13 % 87 - 43);
            sum += Sum::new(one, other);
            sum -= Sum::new(other, -one);
            first += one - other;
            second += other + one;
            assert_eq!(sum.of(Side::First), first);
            assert_eq!(sum.of(Side::Second), second);
        }
    }
}
