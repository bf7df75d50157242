//! `best`: what we would send to a tournament, for each game.
//!
//! Perfect play where it is at hand: Connect Four by book and solver, and
//! boards so small that the solver alone answers at once. Elsewhere alpha-beta:
//! with the network where stones fall, with threat search on free boards.
//! Which is best is decided by matches, told in `docs/strength.md`.

use crate::alphabeta;
use crate::clock::Overage;
use crate::engine::Engine;
use crate::exact::{Exact, SolverParams, is_connect4};
use crate::registry::{BuildError, Recipe};
use stoneline_rules::Variant;

/// Cells up to which the solver answers any position in a blink.
const SMALL_BOARD: usize = 30;

/// The recipe of `best`.
pub(crate) struct BestRecipe;

impl Recipe for BestRecipe {
    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        if !variant.rule().falls() {
            return Ok(crate::gomoku::alphabeta(variant, Overage::Even));
        }
        let capacity = variant.geometry().capacity();
        if is_connect4(variant) || capacity <= SMALL_BOARD {
            return Ok(Box::new(Exact::new(variant, SolverParams::default())?));
        }
        alphabeta::Params::default().build(variant)
    }
}
