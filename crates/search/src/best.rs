//! `best`: what we would send to a tournament, for each game.
//!
//! Perfect play where it is at hand: Connect Four by book and solver, and
//! boards so small that the solver alone answers at once. Elsewhere the tree
//! search where stones fall, and alpha-beta with threat search on free boards.
//! Which is best is decided by matches.

use crate::clock::Overage;
use crate::engine::Engine;
use crate::exact::{Exact, SolverParams, is_connect4};
use crate::presets;
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
        if is_connect4(variant) || variant.rule().falls() && capacity <= SMALL_BOARD {
            return Ok(Box::new(Exact::new(variant, SolverParams::default())?));
        }
        presets::mcts()
            .build(variant)
            .map_err(|_| BuildError::Unsuitable {
                engine: "best",
                variant: *variant,
                needs: "falling stones",
            })
    }
}
