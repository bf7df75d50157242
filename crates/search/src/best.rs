//! `best`: what we would send to a tournament, for each game.
//!
//! Perfect play where it is at hand: Connect Four by book and solver, and
//! boards so small that the solver alone answers at once. On larger boards with
//! falling stones the tree search, from where rollouts see further than a deep
//! search, and alpha-beta with the network below that; on free boards
//! alpha-beta with threat search. Which is best is decided by matches, told in
//! `docs/strength.md`.

use crate::alphabeta;
use crate::clock::Overage;
use crate::engine::Engine;
use crate::exact::{Exact, SolverParams, is_connect4};
use crate::mcts::{self, MctsRecipe, Rollout};
use crate::params::{SettingError, Tunable, params};
use crate::presets;
use crate::registry::{BuildError, Recipe};
use stoneline_rules::Variant;

/// Cells up to which the solver answers any position in a blink.
const SMALL_BOARD: usize = 30;
/// Cells from which on the tree search was found to be stronger than alpha-beta.
const LARGE_BOARD: usize = 49;
/// Pull towards rarely visited moves: rollouts that follow are less noisy than others.
const EXPLORATION: f32 = 0.45;

params! {
    /// What steers `best`.
    pub(crate) struct BestParams {
        /// Whether time is spent although only one move does not lose at once, to know more on the next.
        think_on: bool = false, ..;
    }
}

impl Recipe for BestParams {
    fn tunables(&self) -> Vec<Tunable> {
        Self::tunables(self)
    }

    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        Self::set(self, key, text)
    }

    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        if !variant.rule().falls() {
            return Ok(crate::gomoku::alphabeta(variant, Overage::Even));
        }
        if is_connect4(variant) || variant.geometry().capacity() <= SMALL_BOARD {
            return Ok(Box::new(Exact::new(variant, SolverParams::default())?));
        }
        if weighs_every_move(variant) {
            return self.tree_search().build(variant);
        }
        let params = alphabeta::Params {
            think_on: self.think_on,
            ..alphabeta::Params::default()
        };
        params.build(variant)
    }
}

/// Whether `best` has a word on every move, as a tree search does; alpha-beta and the solver
/// look for the best alone.
pub fn weighs_every_move(variant: &Variant) -> bool {
    variant.rule().falls() && variant.geometry().capacity() >= LARGE_BOARD
}

impl BestParams {
    /// `mcts`, the yardstick, with all that was found to be stronger since it became one.
    pub(crate) fn tree_search(&self) -> MctsRecipe {
        let mcts = presets::mcts();
        MctsRecipe {
            params: mcts::Params {
                think_on: self.think_on,
                history: 2.5,
                rollout: Rollout::Follow,
                exploration: EXPLORATION,
                exploration_full: EXPLORATION,
                opinion_weight: 2,
                ..mcts.params
            },
            ..mcts
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Spec;
    use crate::engine::think_quietly;
    use crate::limits::Limits;
    use std::ops::ControlFlow;
    use std::time::Duration;
    use stoneline_rules::Position;

    #[test]
    fn large_boards_are_searched_by_more_than_the_yardstick() {
        const MORE: &str =
            "history=2.5,rollout=follow,exploration=0.45,exploration_full=0.45,opinion_weight=2";
        let position: Position = "course:9x9@0,0 5".parse().unwrap();
        let limits = Limits {
            simulations: Some(2000),
            seed: Some(1),
            ..Limits::default()
        };
        let visits = |name: &str| -> Vec<u64> {
            let spec: Spec = name.parse().unwrap();
            let mut engine = spec.build(position.variant()).unwrap();
            let choice = think_quietly(&mut *engine, &position, &limits);
            choice.moves.iter().map(|report| report.visits).collect()
        };
        assert_eq!(visits("best"), visits(&format!("mcts:{MORE}")));
        assert_ne!(visits("best"), visits("mcts"));
    }

    #[test]
    fn a_forced_move_is_thought_about_only_where_asked() {
        let limits = Limits {
            time: Some(Duration::from_secs(3600)),
            ..Limits::default()
        };
        // Three of the second side's in a column: one move does not lose.
        for board in ["course:9x9@0,0", "connectx:6x8x4"] {
            let position: Position = format!("{board} 151525").parse().unwrap();
            for (name, thinks_on) in [("best", false), ("best:think_on=true", true)] {
                let spec: Spec = name.parse().unwrap();
                let mut engine = spec.build(position.variant()).unwrap();
                let mut was_ended = false;
                // Ended by whoever watches, once it knows more than a forced move deserves.
                let choice = engine.think(&position, &limits, &mut |event| {
                    was_ended = event.effort.depth.is_none_or(|depth| depth > 9);
                    match was_ended {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                });
                // Or by itself, with a proof.
                let has_thought = was_ended || choice.effort.simulations > 0;
                assert_eq!(has_thought, thinks_on, "{board} {name}");
                assert_eq!(
                    choice.best.map(|cell| cell.column()),
                    Some(4),
                    "{board} {name}"
                );
            }
        }
    }
}
