//! The weights of the evaluation: what an empty cell's shapes along a line are worth.
//!
//! A cell counts by what a stone of either side would make there, apart for
//! the side to move and the other: an open four to come is a win for the one
//! and a worry for the other. All sums are kept for both turns.

use super::shape::{SHAPES, ShapeKey};
use std::ops::{AddAssign, SubAssign};
use stoneline_rules::{Side, Variant};

/// What an empty cell and a line through it are worth to the side to move, by what its own stone
/// would make there and, within that, one of the other side: from nothing to a four.
///
/// Fitted to games of the engine against itself by `stoneline-train`'s example `shape_weights`.
const PAIRS: [[i32; 8]; 8] = [
    [0, 6, 4, -6, 3, -25, -39, -133],
    [0, -9, 5, -2, -2, -18, -46, -115],
    [-7, -1, 2, 0, -9, -30, -48, -154],
    [3, 6, 5, -4, -6, 0, -58, -195],
    [3, 14, 24, 3, 21, -29, -109, -86],
    [25, 29, 50, -32, 34, -10, -57, -112],
    [113, 134, 99, 146, 173, 88, 87, -21],
    [118, 122, 101, 130, 114, 88, 86, -15],
];
/// Beyond those, which only positions have where something is forced: what shapes are worth to
/// the side to move that has them.
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
    /// By the side to move and the byte: how promising a stone is along that line.
    promises: [[i16; 256]; 2],
}

impl Weights {
    /// The weights for a variant.
    pub(crate) fn of(_: &Variant) -> Self {
        let worth = |table: [i32; SHAPES], nibble: usize| table.get(nibble).copied().unwrap_or(0);
        let pair = |own: usize, other: usize| {
            let fitted = PAIRS.get(own).and_then(|row| row.get(other));
            let by_hand = || worth(OWN, own) - worth(OTHER, other);
            fitted.copied().unwrap_or_else(by_hand)
        };
        let by_shapes = std::array::from_fn(|byte| {
            let (first, second) = (byte & 15, byte >> 4);
            Sum::new(pair(first, second), pair(second, first))
        });
        let promises = [[0, 4], [4, 0]].map(|[own, other]| {
            std::array::from_fn(|byte| {
                let (make, stop) = (
                    worth(PROMISE, byte >> own & 15),
                    worth(PROMISE, byte >> other & 15),
                );
                (make + stop * 3 / 4) as i16
            })
        });
        Self {
            by_shapes,
            promises,
        }
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

    /// How promising a stone of `side` is where both sides' shapes are `lines`.
    #[inline(always)]
    pub(crate) fn promise_of(&self, side: Side, lines: [u8; 4]) -> i32 {
        let promises = &self.promises[side.index()];
        lines
            .iter()
            .map(|&shapes| i32::from(promises[usize::from(shapes)]))
            .sum()
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
