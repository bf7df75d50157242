//! What a quiet position has: its shapes, counted for whoever fits weights to them.

use super::field::Field;
use super::ground::Ground;
use super::order::{Demand, demand};
use super::shape::{SHAPES, shapes};
use super::vcf::Vcf;
use std::sync::Arc;
use stoneline_rules::{Position, Variant};

/// Nodes of the search by fours, as at the leaves of a search.
const VCF_NODES: u64 = 24;

/// Empty cells and lines, counted by what a stone of the side to move would make there, and
/// within that by what one of the other side would: from nothing to a five.
pub type ShapeCounts = [[u16; SHAPES]; SHAPES];

/// Counts shapes on one free board.
///
/// ```
/// use stoneline_rules::Position;
/// use stoneline_search::gomoku::ShapeCounter;
/// let position: Position = "gomoku h8 h9 i8".parse().unwrap();
/// let counter = ShapeCounter::new(position.variant()).unwrap();
/// let counts = counter.count(&position).unwrap();
/// const OPEN_THREE: usize = 6;
/// let own: u16 = counts[OPEN_THREE].iter().sum();
/// let other: u16 = counts.iter().map(|by_other| by_other[OPEN_THREE]).sum();
/// assert_eq!(own, 0, "one stone alone");
/// assert_eq!(other, 4, "two side by side grow to a three on either end, with a gap or without");
/// ```
#[derive(Clone, Debug)]
pub struct ShapeCounter {
    ground: Arc<Ground>,
}

impl ShapeCounter {
    /// The counter for a variant; `None` if stones fall in it.
    pub fn new(variant: &Variant) -> Option<Self> {
        let free = !variant.rule().falls();
        free.then(|| Self {
            ground: Ground::new(variant),
        })
    }

    /// The counts of a position; `None` if something is forced.
    ///
    /// Those are the positions that a search estimates: nobody can make five or an
    /// open four, and the side to move has no short win by fours.
    ///
    /// # Panics
    /// If the position is of another variant.
    pub fn count(&self, position: &Position) -> Option<ShapeCounts> {
        assert_eq!(position.variant(), self.ground.variant());
        if position.outcome().is_some() {
            return None;
        }
        let mut field = Field::new(&self.ground, position);
        let own = field.side_to_move();
        let forced = !matches!(demand(&field), Demand::Free);
        if forced || Vcf::new().plies(&mut field, VCF_NODES).is_some() {
            return None;
        }
        let mut counts = ShapeCounts::default();
        for spot in field.empty().iter() {
            let of = |side| shapes(field.shape_key(side, spot));
            for (mine, theirs) in of(own).into_iter().zip(of(!own)) {
                counts[mine as usize][theirs as usize] += 1;
            }
        }
        Some(counts)
    }
}
