//! What the search asks of an evaluation: an estimate of a quiet position.
//!
//! The search plays and takes back stones only when it needs an estimate, so an
//! evaluation never sees the many positions that are decided without one.

use super::gravity::State;
use crate::neural::Judge;
use stoneline_rules::Position;

/// An opinion of positions, kept stone by stone.
pub(super) trait Evaluation<const WORDS: usize>: Clone + Send {
    /// Starts at `position`, of the variant that the evaluation was made for.
    fn reset(&mut self, position: &Position);

    /// A stone of the side to move falls on the cell of bit `cell`.
    fn play(&mut self, cell: u16);

    /// The last stone played is taken back.
    fn undo(&mut self);

    /// The worth to the side to move: it wins with odds of e to the `value / 400` to one.
    ///
    /// Contract: `state` is the position that the stones played lead to.
    fn value(&mut self, state: &State<WORDS>) -> i32;
}

impl<const WORDS: usize> Evaluation<WORDS> for Judge {
    fn reset(&mut self, position: &Position) {
        Self::reset(self, position);
    }

    #[inline(always)]
    fn play(&mut self, cell: u16) {
        Self::play(self, cell);
    }

    #[inline(always)]
    fn undo(&mut self) {
        Self::undo(self);
    }

    #[inline(always)]
    fn value(&mut self, state: &State<WORDS>) -> i32 {
        Self::value(self, &state.view())
    }
}
