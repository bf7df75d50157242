//! Swap2: the first player puts three stones; the second takes a colour or puts
//! two more, and then the first takes a colour.
//!
//! Whoever may choose takes the better side as the search sees it, which is
//! never worse than even, so two more stones are never put. For three stones
//! of our own some openings are searched, and the most even is taken.

use super::Point;
use stoneline_rules::{Cell, Chance, Geometry, Position};
use stoneline_search::Value;

/// Openings among which the most even one is looked for.
pub(super) const CANDIDATES: u32 = 8;
/// Random openings that are tried to find them.
const TRIES: usize = 1000;

/// An opening of three stones and how it was judged.
#[derive(Debug)]
pub(super) struct Search {
    candidates: Vec<[Cell; 3]>,
    judged: Vec<f32>,
}

impl Search {
    /// Openings of three stones on the empty board of `start`, spread by `seed`; none where
    /// stones in the middle of the board would fall.
    pub(super) fn new(start: &Position, seed: u64) -> Self {
        let geometry = start.variant().geometry();
        let mut chance = Chance::new(seed);
        let candidates = (0..TRIES)
            .map(|_| [(); 3].map(|()| near_centre(geometry, &mut chance)))
            .filter(|&cells| after(start, cells).is_some())
            .take(CANDIDATES as usize)
            .collect();
        Self {
            candidates,
            judged: Vec::new(),
        }
    }

    /// The next position to be judged; `None` when all are.
    pub(super) fn next(&self, start: &Position) -> Option<Position> {
        after(start, *self.candidates.get(self.judged.len())?)
    }

    /// Takes in what the position is worth to the side to move.
    pub(super) fn judge(&mut self, value: Value) {
        self.judged.push(value.win_rate());
    }

    /// The opening that is nearest to even.
    pub(super) fn most_even(&self) -> [Cell; 3] {
        let distance = |at: usize| (self.judged[at] - 0.5).abs();
        let best =
            (0..self.judged.len()).min_by(|&one, &other| distance(one).total_cmp(&distance(other)));
        self.candidates[best.unwrap_or(0)]
    }
}

/// The undecided position after three stones; `None` if they can't lie so.
fn after(start: &Position, cells: [Cell; 3]) -> Option<Position> {
    let mut position = start.clone();
    for cell in cells {
        position.play(cell).ok()?;
    }
    position.outcome().is_none().then_some(position)
}

/// A cell in the middle part of the board, at most four steps from its centre.
fn near_centre(geometry: &Geometry, chance: &mut Chance) -> Cell {
    let mut along = |length: u8| {
        let low = (length / 2).saturating_sub(4);
        let high = (length / 2 + 4).min(length - 1);
        low + chance.below(u32::from(high - low) + 1) as u8
    };
    let column = along(geometry.columns());
    Cell::new(column, along(geometry.rows()))
}

/// Whether the side not to move is the better one, so that colours are worth changing.
pub(super) fn is_worth_swapping(value: Value) -> bool {
    value.win_rate() < 0.5
}

/// The points of cells, in their order.
pub(super) fn points(geometry: &Geometry, cells: &[Cell]) -> Vec<Point> {
    cells
        .iter()
        .map(|&cell| Point::of(geometry, cell))
        .collect()
}
