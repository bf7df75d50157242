//! `level:1` to `level:10`: opponents for people, each stronger than the one before.
//!
//! The lower ones are a person who looks a few plies ahead and overlooks
//! lines, slanted ones most of all; the upper ones are our engines with few
//! simulations or nodes; the tenth is `best`. How often each beats the one below is
//! measured: see the guide to levels in the documentation.

mod person;
mod sight;

use crate::alphabeta;
use crate::best::BestParams;
use crate::engine::Engine;
use crate::limits::Limits;
use crate::mcts::MctsRecipe;
use crate::params::{SettingError, Tunable, params};
use crate::presets;
use crate::registry::{BuildError, Limited, Recipe};
use person::{Person, Skill};
use sight::Overlooked;
use stoneline_rules::Variant;

params! {
    /// Which level.
    pub(crate) struct LevelParams {
        /// From 1, a beginner, to 10, the strongest there is; `level:3` for short.
        strength: u32 = 5, 1..=10;
    }
}

/// Moves that nobody leaves out.
const ALL: usize = usize::MAX;

/// The levels played by a person, from the first.
const PEOPLE: [Skill; 4] = [
    person(1, ALL, [45, 70, 90], 40),
    person(1, ALL, [15, 35, 60], 20),
    person(2, 16, [5, 20, 45], 14),
    person(4, 10, [0, 3, 8], 5),
];
/// The last of them on free boards, where looking far ahead is worth more.
const FOURTH_ON_FREE_BOARDS: Skill = person(3, 10, [2, 8, 18], 8);

/// Simulations of the levels above where stones fall, on boards of at most [`SMALL_BOARD`] cells.
const SIMULATIONS: [u64; 5] = [150, 550, 2_200, 12_000, 100_000];
const SMALL_BOARD: usize = 64;
/// Larger boards need more of them for the same strength.
const LARGE_BOARD_FACTOR: u64 = 3;

/// Nodes of the levels above on free boards.
const NODES: [u64; 5] = [20, 200, 900, 5_000, 40_000];

const fn person(plies: u32, moves: usize, overlooked: [u32; 3], doubt: u32) -> Skill {
    let [upright, level, slanted] = overlooked;
    Skill {
        plies,
        moves,
        overlooked: Overlooked {
            upright,
            level,
            slanted,
        },
        doubt,
    }
}

impl Recipe for LevelParams {
    fn tunables(&self) -> Vec<Tunable> {
        Self::tunables(self)
    }

    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        Self::set(self, key, text)
    }

    fn short_key(&self) -> Option<&'static str> {
        Some("strength")
    }

    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        let rung = self.strength as usize - 1;
        if let Some(&skill) = PEOPLE.get(rung) {
            let is_other = rung + 1 == PEOPLE.len() && !variant.rule().falls();
            let skill = if is_other {
                FOURTH_ON_FREE_BOARDS
            } else {
                skill
            };
            return Ok(Box::new(Person::new(variant, skill)));
        }
        match rung - PEOPLE.len() {
            above if above >= SIMULATIONS.len() => BestParams::default().build(variant),
            above if variant.rule().falls() => limited(
                &tree_search(),
                variant,
                Limits {
                    simulations: Some(SIMULATIONS[above] * size_factor(variant)),
                    ..Limits::default()
                },
            ),
            above => limited(
                &alphabeta::Params::default(),
                variant,
                Limits {
                    nodes: Some(NODES[above]),
                    ..Limits::default()
                },
            ),
        }
    }
}

/// The tree search that the steps between levels were measured with.
fn tree_search() -> MctsRecipe {
    let mut recipe = presets::mcts();
    recipe.params.graph = false;
    recipe.params.camp = 0;
    recipe.params.opinion_visits = 0;
    recipe
}

/// An engine that stays within limits of its own.
fn limited(
    recipe: &dyn Recipe,
    variant: &Variant,
    own: Limits,
) -> Result<Box<dyn Engine>, BuildError> {
    let engine = recipe.build(variant)?;
    Ok(Box::new(Limited { engine, own }))
}

fn size_factor(variant: &Variant) -> u64 {
    if variant.geometry().capacity() <= SMALL_BOARD {
        1
    } else {
        LARGE_BOARD_FACTOR
    }
}
