//! `gobang-mcts`: the published course engine of five hundred simulations.
//!
//! Candidates lie next to stones, in the tree and in rollouts. A node that was
//! visited gets all its children at once, a winning child alone if there is
//! one. The child with the largest sum of values is played.

use super::cells::Spot;
use super::field::Field;
use super::gobang::{beside, choice, free};
use super::ground::Ground;
use super::opening;
use super::shape::Class;
use crate::engine::{Choice, Effort, Engine, Event};
use crate::limits::Limits;
use crate::params::{SettingError, Tunable, params};
use crate::registry::{BuildError, Recipe};
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::Arc;
use stoneline_rules::{Chance, Position, Side, Variant, scramble};

params! {
    /// What steers `gobang-mcts`.
    pub(crate) struct TreeParams {
        /// Pull towards rarely visited moves: value + exploration * sqrt(ln N / n).
        exploration: f32 = 0.5, 0.0..=4.0;
        /// Simulations a move, unless the limits say otherwise.
        iterations: u64 = 500, 1..=1_000_000;
    }
}

impl Recipe for TreeParams {
    fn tunables(&self) -> Vec<Tunable> {
        Self::tunables(self)
    }

    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        Self::set(self, key, text)
    }

    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        free(variant, "gobang-mcts")?;
        Ok(Box::new(GobangTree {
            ground: Ground::new(variant),
            params: self.clone(),
        }))
    }
}

struct GobangTree {
    ground: Arc<Ground>,
    params: TreeParams,
}

/// A move; its value is that of the side that made it.
#[derive(Clone, Default)]
struct Node {
    spot: Spot,
    visits: u32,
    value: f32,
    children: Vec<usize>,
}

impl Engine for GobangTree {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        _: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        let mut field = Field::new(&self.ground, position);
        if let Some(spot) = opening::first_move(&field) {
            return choice(&self.ground, spot, Value::Guess(0.5), Effort::default());
        }
        let seed = scramble(limits.seed.unwrap_or(0)) ^ position.key();
        let mut tree = Tree {
            nodes: vec![Node::default()],
            exploration: self.params.exploration,
            chance: Chance::new(seed),
        };
        let iterations = limits.simulations.unwrap_or(self.params.iterations);
        for _ in 0..iterations {
            tree.simulate(&mut field);
        }
        let best = tree.nodes[0]
            .children
            .iter()
            .map(|&child| &tree.nodes[child])
            .max_by(|one, other| one.value.total_cmp(&other.value))
            .expect("the root was expanded by the first simulation");
        let rate = best.value / best.visits.max(1) as f32;
        let effort = Effort {
            simulations: iterations,
            nodes: tree.nodes.len() as u64,
            ..Effort::default()
        };
        choice(&self.ground, best.spot, Value::Guess(rate), effort)
    }
}

struct Tree {
    nodes: Vec<Node>,
    exploration: f32,
    chance: Chance,
}

impl Tree {
    fn simulate(&mut self, field: &mut Field) {
        let mut path = vec![0];
        let mut at = 0;
        while !self.nodes[at].children.is_empty() {
            at = self.select(at);
            path.push(at);
            field.play(self.nodes[at].spot);
        }
        if (at == 0 || self.nodes[at].visits > 0) && !field.is_won() {
            self.expand(at, field);
            if let Some(&first) = self.nodes[at].children.first() {
                at = first;
                path.push(at);
                field.play(self.nodes[at].spot);
            }
        }
        let mover = !field.side_to_move();
        let mut value = rollout(field, mover, &mut self.chance);
        for &at in path.iter().rev() {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.value += value;
            value = 1.0 - value;
        }
        for _ in 1..path.len() {
            field.undo();
        }
    }

    fn select(&self, at: usize) -> usize {
        let pull = (self.nodes[at].visits.max(1) as f32).ln();
        let bound = |child: &usize| {
            let node = &self.nodes[*child];
            if node.visits == 0 {
                return f32::INFINITY;
            }
            let visits = node.visits as f32;
            node.value / visits + self.exploration * (pull / visits).sqrt()
        };
        let children = self.nodes[at].children.iter().copied();
        children
            .max_by(|one, other| bound(one).total_cmp(&bound(other)))
            .expect("it has children")
    }

    fn expand(&mut self, at: usize, field: &Field) {
        let own = field.side_to_move();
        let moves = match field.threats(own, Class::Five).first() {
            Some(five) => vec![five],
            None => beside(field),
        };
        for spot in moves {
            let child = self.nodes.len();
            self.nodes[at].children.push(child);
            self.nodes.push(Node {
                spot,
                ..Node::default()
            });
        }
    }
}

/// What a game played on by chance brings `side`: 1, a half or 0. The field is as before.
fn rollout(field: &mut Field, side: Side, chance: &mut Chance) -> f32 {
    let mut played = 0;
    let value = loop {
        if field.is_won() {
            break if field.side_to_move() == side {
                0.0
            } else {
                1.0
            };
        }
        let moves = beside(field);
        if moves.is_empty() {
            break 0.5;
        }
        field.play(moves[chance.below(moves.len() as u32) as usize]);
        played += 1;
    };
    for _ in 0..played {
        field.undo();
    }
    value
}
