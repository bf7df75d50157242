//! Swap2: the opening that lets neither side keep an advantage, as an engine plays it.
//!
//! One player lays three stones. The other takes a side, or lays two more and
//! leaves the choice to the first. Stones that are laid for the other to
//! choose should be as even as can be found: of several random layouts the
//! one that the search likes equally for both.

use super::engine::alphabeta;
use crate::clock::{Overage, Stage, budget};
use crate::engine::{Choice, Engine, think_quietly};
use crate::limits::Limits;
use stoneline_rules::{Cell, Chance, Position, Variant};
use thiserror::Error;

/// What a player of swap2 does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swap2 {
    /// Lays three stones on the empty board, of the first side, the second, the first.
    Lay([Cell; 3]),
    /// Takes the first side; the opponent moves.
    Swap,
    /// Takes the second side, whose move it is, with this move.
    Play(Cell),
    /// Lays two more, of the second side and the first, and lets the opponent choose.
    LayTwo([Cell; 2]),
}

/// Why a position is none of swap2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NotSwap2 {
    /// Only the empty board, three stones and five stones ask for anything.
    #[error("swap2 asks at 0, 3 or 5 stones, not at {0}")]
    Stones(usize),
    /// There is nothing left to choose.
    #[error("the game is over")]
    Over,
    /// No three stones fit on the board.
    #[error("the board is too small for swap2")]
    Small,
}

/// Layouts that are compared before one is laid.
const LAYOUTS: u32 = 16;
/// The side to move takes the second side from this share of points on, the first below its rest.
const CLEAR: f32 = 0.56;
/// Nodes for all when nothing else is limited.
const NODES: u64 = 400_000;
/// How far from the centre stones are laid at most.
const REACH: i32 = 6;

/// A player of swap2 on one free board.
///
/// ```
/// use stoneline_rules::Position;
/// use stoneline_search::Limits;
/// use stoneline_search::gomoku::{Swap2, Swapper};
/// let position: Position = "gomoku".parse().unwrap();
/// let mut swapper = Swapper::new(position.variant()).unwrap();
/// let limits = Limits { nodes: Some(2_000), seed: Some(1), ..Limits::default() };
/// let answer = swapper.answer(&position, &limits).unwrap();
/// assert!(matches!(answer, Swap2::Lay(_)));
/// ```
pub struct Swapper {
    engine: Box<dyn Engine>,
}

impl Swapper {
    /// The player for a variant; `None` if stones fall in it.
    pub fn new(variant: &Variant) -> Option<Self> {
        let free = !variant.rule().falls();
        free.then(|| Self {
            engine: alphabeta(variant, Overage::Even),
        })
    }

    /// What to do at a position of 0, 3 or 5 stones, within `limits` in all.
    ///
    /// # Errors
    /// If swap2 asks nothing at this position.
    pub fn answer(&mut self, position: &Position, limits: &Limits) -> Result<Swap2, NotSwap2> {
        if position.outcome().is_some() {
            return Err(NotSwap2::Over);
        }
        // The same limits and seed give the same answer, whatever was asked before.
        self.engine.forget();
        match position.plies() {
            0 => {
                let limits = share(position, limits, LAYOUTS);
                let laid = self.most_even(position, &limits).ok_or(NotSwap2::Small)?;
                Ok(Swap2::Lay(laid))
            }
            3 => {
                // Half to see who is better, half to lay two more if nobody is.
                let choice = self.judge(position, &share(position, limits, 2));
                if let Some(clear) = taken(&choice, CLEAR) {
                    return Ok(clear);
                }
                let limits = share(position, limits, 2 * LAYOUTS);
                let laid = self.most_even(position, &limits);
                Ok(laid.map_or_else(|| taken_anyway(&choice), Swap2::LayTwo))
            }
            5 => Ok(taken_anyway(
                &self.judge(position, &share(position, limits, 1)),
            )),
            stones => Err(NotSwap2::Stones(stones)),
        }
    }

    fn judge(&mut self, position: &Position, limits: &Limits) -> Choice {
        think_quietly(&mut *self.engine, position, limits)
    }

    /// Of some random layouts of `COUNT` more stones the most even one.
    fn most_even<const COUNT: usize>(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Option<[Cell; COUNT]> {
        let seed = limits.seed.unwrap_or_default() ^ position.plies() as u64;
        let mut chance = Chance::new(seed);
        let mut best = None;
        let mut least = f32::INFINITY;
        for _ in 0..LAYOUTS {
            let Some((cells, after)) = layout(position, &mut chance) else {
                continue;
            };
            let rate = self.judge(&after, limits).value.win_rate();
            let uneven = (rate - 0.5).abs();
            if uneven < least {
                (best, least) = (Some(cells), uneven);
            }
        }
        best
    }
}

/// The side that is clearly better, if one is.
fn taken(choice: &Choice, clear: f32) -> Option<Swap2> {
    let rate = choice.value.win_rate();
    match choice.best {
        Some(best) if rate >= clear => Some(Swap2::Play(best)),
        _ if rate <= 1.0 - clear => Some(Swap2::Swap),
        _ => None,
    }
}

/// The better side, however little.
fn taken_anyway(choice: &Choice) -> Swap2 {
    taken(choice, 0.5).unwrap_or(Swap2::Swap)
}

/// The position after `COUNT` random stones about the centre; `None` if they did not fit.
fn layout<const COUNT: usize>(
    position: &Position,
    chance: &mut Chance,
) -> Option<([Cell; COUNT], Position)> {
    let geometry = position.variant().geometry();
    let mut after = position.clone();
    let mut cells = [Cell::new(0, 0); COUNT];
    for cell in &mut cells {
        let near: Vec<Cell> = after
            .legal_moves()
            .into_iter()
            .filter(|cell| {
                let away = |at: u8, size: u8| (2 * i32::from(at) + 1 - i32::from(size)).abs();
                away(cell.column(), geometry.columns()) <= 2 * REACH
                    && away(cell.row(), geometry.rows()) <= 2 * REACH
            })
            .collect();
        if near.is_empty() {
            return None;
        }
        *cell = near[chance.below(near.len() as u32) as usize];
        after.play(*cell).ok()?;
        if after.outcome().is_some() {
            return None;
        }
    }
    Some((cells, after))
}

/// One of `parts` equal shares of the limits.
fn share(position: &Position, limits: &Limits, parts: u32) -> Limits {
    let stage = Stage {
        plies: position.plies(),
        capacity: position.variant().geometry().capacity(),
    };
    let time = budget(limits, stage, Overage::Even).map(|time| time / parts);
    let work = limits.work().map(|nodes| nodes / u64::from(parts));
    let unlimited = (time.is_none() && work.is_none()).then_some(NODES / u64::from(parts));
    Limits {
        time,
        nodes: work.or(unlimited).map(|nodes| nodes.max(1)),
        memory_bytes: limits.memory_bytes,
        seed: limits.seed,
        threads: limits.threads,
        ..Limits::default()
    }
}
