//! `kaggle-negamax`: a stand-in for ConnectX's built-in opponent.
//!
//! Plain negamax to a fixed depth, without cuts: a win counts the more the
//! sooner it comes, and at the horizon a move counts by the own stones beside
//! and below it. Equal moves are drawn by lot.

use crate::engine::{Choice, Effort, Engine, Event, MoveReport};
use crate::limits::Limits;
use crate::params::{SettingError, Tunable, params};
use crate::registry::{BuildError, Recipe};
use crate::value::Value;
use std::ops::ControlFlow;
use stoneline_rules::{Bits, Board, Chance, Grid, Position, Variant, scramble, with_words};

params! {
    /// What steers `kaggle-negamax`.
    pub(crate) struct NegamaxParams {
        /// Plies looked ahead before stones are counted.
        depth: u32 = 4, 0..=8;
    }
}

impl Recipe for NegamaxParams {
    fn tunables(&self) -> Vec<Tunable> {
        Self::tunables(self)
    }

    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        Self::set(self, key, text)
    }

    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        if !variant.rule().falls() {
            return Err(BuildError::Unsuitable {
                engine: "kaggle-negamax",
                variant: *variant,
                needs: "falling stones",
            });
        }
        Ok(Box::new(Negamax {
            params: self.clone(),
        }))
    }
}

struct Negamax {
    params: NegamaxParams,
}

impl Engine for Negamax {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        _: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        let seed = scramble(limits.seed.unwrap_or(0)) ^ position.key();
        let variant = position.variant();
        let (score, cell, nodes) = with_words!(variant.geometry(), WORDS => {
            let grid = Grid::<WORDS>::new(variant).expect("the width was chosen to fit");
            let mut look = Look {
                board: Board::new(&grid, position),
                grid,
                chance: Chance::new(seed),
                nodes: 0,
            };
            let (score, index) = look.best(self.params.depth);
            (score, index.map(|index| variant.geometry().cell(index)), look.nodes)
        });
        let most = 2.0 + variant.geometry().capacity() as f32;
        let value = Value::Guess(((score as f32 / most + 1.0) / 2.0).clamp(0.0, 1.0));
        Choice {
            best: cell,
            value,
            moves: cell
                .map(|cell| MoveReport {
                    cell,
                    value,
                    visits: 0,
                    line: vec![cell],
                })
                .into_iter()
                .collect(),
            effort: Effort {
                nodes,
                depth: Some(self.params.depth),
                ..Effort::default()
            },
        }
    }
}

/// A search under way.
struct Look<const WORDS: usize> {
    grid: Grid<WORDS>,
    board: Board<WORDS>,
    chance: Chance,
    nodes: u64,
}

impl<const WORDS: usize> Look<WORDS> {
    /// The score to the side to move, in half stones, and the bit of the move; none on a full board.
    fn best(&mut self, depth: u32) -> (i32, Option<u32>) {
        self.nodes += 1;
        let legal = self.board.legal(&self.grid);
        let side = self.board.side_to_move();
        let winning = legal & self.board.winning_cells(&self.grid, side);
        if let Some(winner) = winning.lowest() {
            return (self.soon(), Some(winner));
        }
        let mut best: Option<(i32, u32)> = None;
        for index in legal.iter() {
            let score = if depth == 0 {
                self.soon() + 2 * self.neighbours(index)
            } else {
                let bit = Bits::bit(index);
                self.board.play_unchecked(bit);
                let (score, _) = self.best(depth - 1);
                self.board.undo_unchecked(bit);
                -score
            };
            let better = best.is_none_or(|(most, _)| {
                score > most || (score == most && self.chance.below(2) == 0)
            });
            if better {
                best = Some((score, index));
            }
        }
        best.map_or((0, None), |(score, index)| (score, Some(index)))
    }

    /// What a win now is worth: more, the more of the board is empty.
    fn soon(&self) -> i32 {
        let capacity = self.grid.playable().len();
        (capacity + 1) as i32 - i32::from(self.board.plies())
    }

    /// Stones of the side to move left, right and below.
    fn neighbours(&self, index: u32) -> i32 {
        let own = self.board.stones(self.board.side_to_move());
        let stride = self.grid.geometry().stride();
        // The guard row below a column's floor is never occupied.
        let near = [
            Some(index + stride),
            index.checked_sub(stride),
            index.checked_sub(1),
        ];
        near.into_iter()
            .flatten()
            .filter(|&near| own.contains(near))
            .count() as i32
    }
}
