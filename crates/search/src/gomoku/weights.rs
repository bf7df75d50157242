//! The weights of the evaluation: what an empty cell's shapes along a line are worth.

use super::shape::{SHAPES, Shape, ShapeKey};
use stoneline_rules::Variant;

/// What shapes are worth to the side that has them, in thousandths of a logistic unit.
const OWN: [i32; SHAPES] = [0, 2, 6, 10, 24, 26, 70, 80, 220, 400, 60, 0];

/// Weights by both sides' shapes.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// By the byte of the line table, for the first side.
    by_shapes: Vec<i32>,
    /// What the turn is worth.
    turn: i32,
}

impl Weights {
    /// The weights for a variant.
    pub(crate) fn of(_: &Variant) -> Self {
        let by_shapes = (0..256)
            .map(|byte| {
                let worth = |nibble: usize| OWN.get(nibble).copied().unwrap_or(0);
                worth(byte & 15) - worth(byte >> 4)
            })
            .collect();
        Self {
            by_shapes,
            turn: 60,
        }
    }

    /// What an empty cell adds for the first side.
    #[inline(always)]
    pub(crate) fn of_shapes(&self, shapes: u8) -> i32 {
        self.by_shapes[usize::from(shapes)]
    }

    /// How promising a move with these shapes of its own is.
    #[inline(always)]
    pub(crate) fn promise(&self, key: ShapeKey) -> i32 {
        let worth = |shift: u16| OWN[usize::from(key >> shift & 15)];
        worth(0) + worth(4) + worth(8) + worth(12)
    }

    /// What the turn is worth.
    #[inline(always)]
    pub(crate) const fn turn(&self) -> i32 {
        self.turn
    }
}

const _: () = assert!(OWN[Shape::Five as usize] > OWN[Shape::Four as usize]);
