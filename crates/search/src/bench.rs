//! Fixed amounts of work, for whoever measures how long they take.
//!
//! No clock is read here: each function does what it is told and returns a
//! number that depends on all of it.

use crate::engine::think_quietly;
use crate::limits::Limits;
use crate::mcts::{self, Rollout};
use crate::params::Setting;
use crate::registry::Spec;
use stoneline_rules::{Position, Variant};

/// Half points of the first side over `count` rollouts from the empty board.
///
/// `rules` is a value of the key `rollout` of the engine `mcts`; `None` if it
/// is no such value or the game has no falling stones.
pub fn rollouts(variant: &Variant, rules: &str, count: u64) -> Option<u64> {
    let rules = Rollout::read(rules, &..).ok()?;
    mcts::rollouts(variant, rules, count)
}

/// Simulations that the engine called `name` makes from the empty board, `count` or a few less.
///
/// `None` if there is no such engine or it does not play the game.
pub fn simulations(variant: &Variant, name: &str, count: u64) -> Option<u64> {
    let mut engine = name.parse::<Spec>().ok()?.build(variant).ok()?;
    let limits = Limits {
        simulations: Some(count),
        seed: Some(1),
        ..Limits::default()
    };
    let choice = think_quietly(&mut *engine, &Position::new(*variant), &limits);
    Some(choice.effort.simulations)
}

/// The plainest tree search of all: uniform rollouts, no rule, no proof.
pub const UNIFORM_UCT: &str = "connectx-uct:centre_first=no,root=none";
