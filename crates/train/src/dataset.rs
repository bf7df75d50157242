//! The positions to learn from, as rows and targets, held in memory.
//!
//! Positions of one game are alike, so whole games are held out, by number:
//! what is measured on them was never learnt.

use crate::game::Game;
use crate::inputs::Inputs;
use crate::settings::Fit;
use crate::store::{StoreError, read_games};
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
    /// The positions in the files that `settings` names, with targets as they say.
    ///
    /// # Errors
    /// The first thing in a file that can't be read, with its place.
    pub(crate) fn read(
        settings: &Fit,
        inputs: &mut dyn Inputs,
        mut watch: impl FnMut(u64),
    ) -> Result<Self, StoreError> {
        let mut data = Self::default();
        for file in &settings.data {
            read_games(file, |game| {
                data.add(&game, inputs, settings);
                watch(data.games);
            })?;
        }
        data.balance(inputs.heads());
        Ok(data)
    }

    fn add(&mut self, game: &Game, inputs: &mut dyn Inputs, settings: &Fit) {
        self.games += 1;
        let mut position = Position::new(*game.end.variant());
        let mut rows = Vec::new();
        let targets = targets(game, settings);
        for (ply, &cell) in game.end.moves().iter().enumerate() {
            let first_target = ply.checked_sub(game.opening).map(|at| targets[at]);
            if let Some(first_target) = first_target
                && let Some(head) = inputs.list(&position, &mut rows)
            {
                let mover = position.side_to_move();
                let sample = Sample {
                    start: self.rows.len(),
                    length: rows.len() as u16,
                    head: head as u8,
                    second_moves: mover == Side::Second,
                    target: match mover {
                        Side::First => first_target,
                        Side::Second => 1.0 - first_target,
                    },
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

/// Points that the first side is to expect at each move that has a value.
///
/// From the end back, each is made of what the search found there and what became of it: a
/// search is right about what it sees, and later ones have seen further. A proof is certain,
/// whatever was made of it.
fn targets(game: &Game, settings: &Fit) -> Vec<f32> {
    let result = match game.winner {
        None => 0.5,
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
    };
    let mut later = result;
    let mut targets: Vec<f32> = (game.opening..game.opening + game.values.len())
        .zip(&game.values)
        .rev()
        .map(|(ply, &value)| {
            let found = match Side::to_move(ply) {
                Side::First => value.win_rate(),
                Side::Second => 1.0 - value.win_rate(),
            };
            if !matches!(value, Value::Guess(_)) {
                later = found;
                return found;
            }
            later = settings.foresight * later + (1.0 - settings.foresight) * found;
            settings.result_share * result + (1.0 - settings.result_share) * later
        })
        .collect();
    targets.reverse();
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_carried_back_from_the_end() {
        let game = Game {
            number: 0,
            end: "connect4 4455".parse().unwrap(),
            opening: 1,
            values: vec![
                Value::Guess(0.5),
                Value::Guess(0.6),
                Value::Win { plies: 3 },
            ],
            winner: Some(Side::Second),
        };
        let with = |settings: &str| {
            let fit = format!("data = ['some.games']\nnet = 'a.net'\n{settings}");
            targets(&game, &toml::from_str(&fit).unwrap())
        };
        // Plies 1 and 3 are the second side's.
        assert_eq!(with("foresight = 0.0"), [0.5, 0.6, 0.0]);
        assert_eq!(with("foresight = 0.5"), [0.4, 0.3, 0.0]);
        assert_eq!(with("foresight = 1.0"), [0.0, 0.0, 0.0]);
        let shared = with("foresight = 0.5\nresult_share = 0.5");
        assert_eq!(shared, [0.2, 0.15, 0.0]);
    }
}
