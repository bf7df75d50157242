//! Walking through positions level by level, each only once.

use super::book::BookCode;
use std::collections::BTreeSet;
use stoneline_rules::Position;

/// Positions of the same number of stones, each once, mirror images counted as one.
#[derive(Default)]
pub(super) struct Level {
    codes: BTreeSet<u64>,
    pub(super) positions: Vec<Position>,
}

impl Level {
    /// Adds a position unless it or its mirror image is there.
    pub(super) fn add(&mut self, position: Position) {
        let code = BookCode::of(&position).expect("a book's game fits its codes");
        if self.codes.insert(code.code) {
            self.positions.push(position);
        }
    }
}

/// The positions after each legal move, without those where the game is over.
pub(super) fn replies(position: &Position) -> impl Iterator<Item = Position> {
    (0..position.variant().geometry().columns())
        .filter(|&column| position.landing(column).is_ok())
        .map(|column| after(position, column))
        .filter(|reply| reply.outcome().is_none())
}

/// The position after a stone in `column`. Contract: the column is not full.
pub(super) fn after(position: &Position, column: u8) -> Position {
    let mut after = position.clone();
    let cell = after.landing(column).expect("the column has room");
    after.play(cell).expect("a stone may land there");
    after
}
