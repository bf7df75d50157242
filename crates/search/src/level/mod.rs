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

/// Who plays a level below the tenth.
#[derive(Clone, Copy)]
enum Rung {
    /// A person who looks ahead a little and overlooks lines.
    Person(Skill),
    /// The tree search with so many simulations a move.
    Simulations(u64),
    /// The tree search as `best` has it on large boards, with so many simulations a move.
    Best(u64),
    /// Alpha-beta with so many nodes a move.
    Nodes(u64),
}

/// The levels from the first to the ninth.
type Ladder = [Rung; 9];

/// Moves that nobody leaves out.
const ALL: usize = usize::MAX;

const FIRST: Rung = person(1, ALL, [45, 70, 90], 40);
const SECOND: Rung = person(1, ALL, [15, 35, 60], 20);
const THIRD: Rung = person(2, 16, [5, 20, 45], 14);
const FOURTH: Rung = person(4, 10, [0, 3, 8], 5);

/// Where stones fall on at most [`SMALL_BOARD`] cells: a short way from a
/// beginner to perfect play, so the steps between people are smaller.
const SMALL: Ladder = [
    FIRST,
    person(1, ALL, [29, 52, 76], 31),
    person(1, ALL, [12, 31, 56], 18),
    THIRD,
    person(3, 12, [1, 8, 20], 8),
    FOURTH,
    Rung::Simulations(130),
    Rung::Simulations(330),
    Rung::Simulations(900),
];
const SMALL_BOARD: usize = 64;

/// Where stones fall on larger boards.
const LARGE: Ladder = [
    FIRST,
    SECOND,
    THIRD,
    FOURTH,
    Rung::Simulations(450),
    Rung::Simulations(1_650),
    Rung::Simulations(6_600),
    Rung::Simulations(36_000),
    Rung::Best(12_000),
];

/// On free boards, where looking far ahead is worth more.
const FREE: Ladder = [
    FIRST,
    SECOND,
    THIRD,
    person(3, 10, [2, 8, 18], 8),
    Rung::Nodes(20),
    Rung::Nodes(200),
    Rung::Nodes(900),
    Rung::Nodes(5_000),
    Rung::Nodes(40_000),
];

const fn person(plies: u32, moves: usize, overlooked: [u32; 3], doubt: u32) -> Rung {
    let [upright, level, slanted] = overlooked;
    Rung::Person(Skill {
        plies,
        moves,
        overlooked: Overlooked {
            upright,
            level,
            slanted,
        },
        doubt,
    })
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
        match ladder(variant).get(rung) {
            None => BestParams::default().build(variant),
            Some(&Rung::Person(skill)) => Ok(Box::new(Person::new(variant, skill))),
            Some(&Rung::Simulations(count)) => limited(&tree_search(), variant, simulations(count)),
            Some(&Rung::Best(count)) => {
                let best = BestParams::default().tree_search();
                limited(&best, variant, simulations(count))
            }
            Some(&Rung::Nodes(count)) => limited(
                &alphabeta::Params::default(),
                variant,
                Limits {
                    nodes: Some(count),
                    ..Limits::default()
                },
            ),
        }
    }
}

fn ladder(variant: &Variant) -> &'static Ladder {
    if !variant.rule().falls() {
        &FREE
    } else if variant.geometry().capacity() <= SMALL_BOARD {
        &SMALL
    } else {
        &LARGE
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

fn simulations(count: u64) -> Limits {
    Limits {
        simulations: Some(count),
        ..Limits::default()
    }
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
