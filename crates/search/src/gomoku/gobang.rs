//! `gobang-minimax`: the published course engine that looks three plies ahead.
//!
//! Candidates lie next to stones, leaves are judged by ten rules on counted
//! shapes, and nothing else is known: no table, no threat search. Made to
//! play as described, at full speed, as a sparring partner.

use super::cells::{CellSet, Spot};
use super::field::Field;
use super::ground::Ground;
use super::opening;
use super::shape::{SHAPES, Shape};
use crate::engine::{Choice, Effort, Engine, Event, MoveReport};
use crate::limits::Limits;
use crate::params::{SettingError, Tunable, params};
use crate::registry::{BuildError, Recipe};
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::Arc;
use stoneline_rules::{Position, Side, Variant};

params! {
    /// What steers `gobang-minimax`.
    pub(crate) struct MinimaxParams {
        /// Plies looked ahead before shapes are counted.
        depth: u32 = 3, 1..=5;
    }
}

impl Recipe for MinimaxParams {
    fn tunables(&self) -> Vec<Tunable> {
        Self::tunables(self)
    }

    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        Self::set(self, key, text)
    }

    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        free(variant, "gobang-minimax")?;
        Ok(Box::new(Minimax {
            ground: Ground::new(variant),
            depth: self.depth,
        }))
    }
}

/// Refuses boards where stones fall.
pub(super) fn free(variant: &Variant, engine: &'static str) -> Result<(), BuildError> {
    if variant.rule().falls() {
        return Err(BuildError::Unsuitable {
            engine,
            variant: *variant,
            needs: "a free board",
        });
    }
    Ok(())
}

/// The empty cells next to stones that may be played; all that may be if there are none.
pub(super) fn beside(field: &Field) -> Vec<Spot> {
    let ground = field.ground();
    let own = field.side_to_move();
    let allowed = |cells: CellSet| -> Vec<Spot> {
        cells
            .iter()
            .filter(|&spot| field.allows(own, spot))
            .collect()
    };
    let mut cells = CellSet::EMPTY;
    for spot in field.near().iter() {
        let next = (0..4).any(|direction| {
            let at = |way| ground.along(spot, direction, way);
            [at(-1), at(1)]
                .into_iter()
                .flatten()
                .any(|near| !field.is_empty(near))
        });
        if next {
            cells.insert(spot);
        }
    }
    let found = allowed(cells);
    if found.is_empty() {
        allowed(*field.empty())
    } else {
        found
    }
}

/// The choice of `spot`, worth `value`.
pub(super) fn choice(ground: &Ground, spot: Spot, value: Value, effort: Effort) -> Choice {
    let cell = ground.cell(spot);
    Choice {
        best: Some(cell),
        value,
        moves: vec![MoveReport {
            cell,
            value,
            visits: effort.simulations,
            line: vec![cell],
        }],
        effort,
    }
}

struct Minimax {
    ground: Arc<Ground>,
    depth: u32,
}

impl Engine for Minimax {
    fn think(
        &mut self,
        position: &Position,
        _: &Limits,
        _: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        let mut field = Field::new(&self.ground, position);
        if let Some(spot) = opening::first_move(&field) {
            return choice(&self.ground, spot, Value::Guess(0.5), Effort::default());
        }
        let mut nodes = 0;
        let (mut best, mut alpha) = (None, -FIVE - 1);
        for spot in beside(&field) {
            field.play(spot);
            let score = -look(&mut field, self.depth - 1, -FIVE - 1, -alpha, &mut nodes);
            field.undo();
            if best.is_none() || score > alpha {
                (best, alpha) = (Some(spot), alpha.max(score));
            }
        }
        let spot = best.expect("a position that is not over has a move");
        let rate = (alpha as f32 / FIVE as f32 + 1.0) / 2.0;
        let effort = Effort {
            nodes,
            depth: Some(self.depth),
            ..Effort::default()
        };
        choice(
            &self.ground,
            spot,
            Value::Guess(rate.clamp(0.0, 1.0)),
            effort,
        )
    }
}

/// The score to the side to move.
fn look(field: &mut Field, depth: u32, mut alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if field.is_won() {
        return -FIVE;
    }
    if depth == 0 {
        return -judged(field);
    }
    let moves = beside(field);
    if moves.is_empty() {
        return 0;
    }
    let mut best = -FIVE - 1;
    for spot in moves {
        field.play(spot);
        let score = -look(field, depth - 1, -beta, -alpha, nodes);
        field.undo();
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The score of five.
const FIVE: i32 = 10_000;

/// The ten rules, for the side that moved last.
pub(super) fn judged(field: &Field) -> i32 {
    let (own, other) = (!field.side_to_move(), field.side_to_move());
    let (own, other) = (count(field, own), count(field, other));
    let of = |counts: &Counts, shape: Shape| counts[shape as usize];
    if of(&own, Shape::Five) > 0 {
        return FIVE;
    }
    if of(&other, Shape::Five) > 0 {
        return -FIVE;
    }
    let open_fours = of(&own, Shape::OpenFour) + u32::from(of(&own, Shape::Four) >= 2);
    if of(&other, Shape::OpenFour) > 0 {
        return -9050;
    }
    if of(&other, Shape::Four) > 0 {
        return -9040;
    }
    if open_fours > 0 {
        return 9030;
    }
    if of(&own, Shape::Four) > 0 && of(&own, Shape::OpenThree) > 0 {
        return 9020;
    }
    if of(&own, Shape::Four) == 0 && of(&other, Shape::OpenThree) > 0 {
        return -9010;
    }
    let threes = of(&other, Shape::OpenThree) + of(&other, Shape::SleepingThree);
    if of(&own, Shape::OpenThree) >= 2 && threes == 0 {
        return 9000;
    }
    let worth = |counts: &Counts| {
        let threes = match of(counts, Shape::OpenThree) {
            0 => 0,
            1 => 400,
            _ => 2000,
        };
        let twos = of(counts, Shape::OpenTwo) + of(counts, Shape::SleepingTwo);
        threes + 10 * of(counts, Shape::SleepingThree) as i32 + 4 * twos as i32
    };
    worth(&own) - worth(&other)
}

/// How many of each shape a side has on the board.
type Counts = [u32; SHAPES];

/// Shapes along every line, those that share stones once.
fn count(field: &Field, side: Side) -> Counts {
    let ground = field.ground();
    let mut counts = [0; SHAPES];
    for direction in 0..4 {
        for spot in 0..ground.cells() {
            let starts = field.holds(side, spot) && !continues(field, side, spot, direction);
            if starts {
                counts[field.shape_of_stone(side, spot, direction) as usize] += 1;
            }
        }
    }
    counts
}

/// Whether a stone of the side lies shortly before, with none of the opponent between.
fn continues(field: &Field, side: Side, spot: Spot, direction: usize) -> bool {
    let reach = i32::from(field.ground().variant().run()) - 1;
    for distance in 1..=reach {
        match field.ground().along(spot, direction, -distance) {
            Some(near) if field.holds(side, near) => return true,
            Some(near) if field.is_empty(near) => {}
            _ => return false,
        }
    }
    false
}
