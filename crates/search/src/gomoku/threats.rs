//! Threat search as a whole: is there a forced win, by fours alone or by threes too?

use super::field::Field;
use super::ground::Ground;
use super::proof::Proof;
use super::vcf::Vcf;
use super::vct::Vct;
use std::sync::Arc;
use stoneline_rules::{Position, Variant};

/// By what a win is sought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// Fours, each of which leaves one reply.
    Fours,
    /// Fours and open threes.
    Threes,
}

/// A search for forced wins on one free board.
///
/// ```
/// use stoneline_rules::Position;
/// use stoneline_search::gomoku::{Means, Threats};
/// let position: Position = "gomoku h8 a1 i8 a3 j8 a5".parse().unwrap();
/// let threats = Threats::new(position.variant()).unwrap();
/// let proof = threats.search(&position, Means::Fours, &mut |_| false).unwrap();
/// assert_eq!(proof.plies(), 3);
/// assert!(proof.verify(&position).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Threats {
    ground: Arc<Ground>,
}

/// Nodes of a search by fours between two questions whether to stop.
const SLICE_NODES: u64 = 1 << 12;
/// Most memory of a search by threes.
const MEMORY_BYTES: usize = 256 << 20;

impl Threats {
    /// The search for a variant; `None` if stones fall in it.
    pub fn new(variant: &Variant) -> Option<Self> {
        let free = !variant.rule().falls();
        free.then(|| Self {
            ground: Ground::new(variant),
        })
    }

    /// A forced win of the side to move, if one is found before `stop` says so.
    ///
    /// `stop` hears how many positions were searched. `None` when the game is over.
    ///
    /// # Panics
    /// If the position is of another variant.
    pub fn search(
        &self,
        position: &Position,
        means: Means,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Proof> {
        assert_eq!(position.variant(), self.ground.variant());
        if position.outcome().is_some() {
            return None;
        }
        let mut field = Field::new(&self.ground, position);
        let mut vcf = Vcf::new();
        let mut nodes = SLICE_NODES;
        loop {
            // Starting over with twice the nodes costs less than as much again.
            if let Some(proof) = vcf.search(&mut field, nodes) {
                return Some(proof);
            }
            if !vcf.gave_up() || means == Means::Threes {
                break;
            }
            if stop(vcf.nodes()) {
                return None;
            }
            nodes *= 2;
        }
        match means {
            Means::Fours => None,
            Means::Threes => Vct::new(&field, MEMORY_BYTES, stop).search(&mut field),
        }
    }
}
