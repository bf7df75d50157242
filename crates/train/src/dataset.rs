//! The positions to learn from, as rows and targets, held in memory.
//!
//! Positions of one game are alike, so whole games are held out, by number:
//! what is measured on them was never learnt.

use crate::game::Game;
use crate::inputs::Inputs;
use crate::store::{StoreError, read_games};
use std::path::PathBuf;
use stoneline_rules::{Position, Side};
use stoneline_search::Value;

/// One game in so many is held out.
const HELD_OUT_EACH: u64 = 16;

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    start: usize,
    length: u16,
    /// The output that the position has.
    pub(crate) head: u8,
    /// Whether the second side is to move.
    pub(crate) second_moves: bool,
    /// Points that the side to move is to expect, from 0 to 1.
    pub(crate) target: f32,
    /// How much the sample counts.
    pub(crate) weight: f32,
}

/// Positions from self-play.
#[derive(Default)]
pub(crate) struct Dataset {
    rows: Vec<u16>,
    /// To learn from.
    pub(crate) training: Vec<Sample>,
    /// To measure on.
    pub(crate) held_out: Vec<Sample>,
    /// Games that were read.
    pub(crate) games: u64,
}

impl Dataset {
    /// The positions in `files`, with targets made of `result_share` result and the rest search.
    ///
    /// # Errors
    /// The first thing in a file that can't be read, with its place.
    pub(crate) fn read(
        files: &[PathBuf],
        inputs: &mut dyn Inputs,
        result_share: f32,
        mut watch: impl FnMut(u64),
    ) -> Result<Self, StoreError> {
        let mut data = Self::default();
        for file in files {
            read_games(file, |game| {
                data.add(&game, inputs, result_share);
                watch(data.games);
            })?;
        }
        data.balance(inputs.heads());
        Ok(data)
    }

    fn add(&mut self, game: &Game, inputs: &mut dyn Inputs, result_share: f32) {
        self.games += 1;
        let mut position = Position::new(*game.end.variant());
        let mut rows = Vec::new();
        for (ply, &cell) in game.end.moves().iter().enumerate() {
            let value = ply.checked_sub(game.opening).map(|at| game.values[at]);
            if let Some(value) = value
                && let Some(head) = inputs.list(&position, &mut rows)
            {
                let mover = position.side_to_move();
                let sample = Sample {
                    start: self.rows.len(),
                    length: rows.len() as u16,
                    head: head as u8,
                    second_moves: mover == Side::Second,
                    target: target(value, game.winner, mover, result_share),
                    weight: 1.0,
                };
                self.rows.extend(&rows);
                if game.number % HELD_OUT_EACH == HELD_OUT_EACH - 1 {
                    self.held_out.push(sample);
                } else {
                    self.training.push(sample);
                }
            }
            position.play(cell).expect("a game's moves are legal");
        }
    }

    /// The rows of a sample.
    pub(crate) fn rows(&self, sample: &Sample) -> &[u16] {
        &self.rows[sample.start..][..usize::from(sample.length)]
    }

    /// Gives rare outputs more weight, half of what would make all count the same.
    fn balance(&mut self, heads: usize) {
        let mut counts = vec![0_u32; heads];
        for sample in &self.training {
            counts[usize::from(sample.head)] += 1;
        }
        let mean = self.training.len() as f32 / heads as f32;
        for sample in self.training.iter_mut().chain(&mut self.held_out) {
            let count = counts[usize::from(sample.head)].max(1) as f32;
            sample.weight = (mean / count).sqrt().clamp(0.5, 3.0);
        }
    }
}

/// Points that `mover` is to expect.
///
/// A proof is certain, whatever was made of it.
fn target(value: Value, winner: Option<Side>, mover: Side, result_share: f32) -> f32 {
    let result = match winner {
        None => 0.5,
        Some(side) if side == mover => 1.0,
        Some(_) => 0.0,
    };
    match value {
        Value::Guess(rate) => result_share * result + (1.0 - result_share) * rate,
        proven => proven.win_rate(),
    }
}
