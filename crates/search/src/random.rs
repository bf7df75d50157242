//! `random`: a legal move, each equally likely. The weakest sparring partner.

use crate::engine::{Choice, Effort, Engine, Event, MoveReport};
use crate::limits::Limits;
use crate::registry::{BuildError, Recipe};
use crate::value::Value;
use std::ops::ControlFlow;
use stoneline_rules::{Chance, Position, Variant, scramble};

/// Plays legal moves, each equally likely.
struct Random;

impl Engine for Random {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        _: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return Choice::over(position);
        }
        // The key too, or one seed would always take the same column.
        let seed = scramble(limits.seed.unwrap_or(0)) ^ position.key();
        let cell = legal[Chance::new(seed).below(legal.len() as u32) as usize];
        Choice {
            best: Some(cell),
            value: Value::Guess(0.5),
            moves: vec![MoveReport {
                cell,
                value: Value::Guess(0.5),
                visits: 0,
                line: vec![cell],
            }],
            effort: Effort::default(),
        }
    }
}

/// `random` takes no key but the common ones.
pub(crate) struct RandomRecipe;

impl Recipe for RandomRecipe {
    fn build(&self, _: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        Ok(Box::new(Random))
    }
}
