//! The board of a conversation: its shape, its rule, its stones in their order.
//!
//! Kept as the manager told it and turned into a `Position` when one is asked
//! for, because the rule may come after the board, and the board in any order.

use super::Point;
use stoneline_rules::{Cell, Position, Rule, Setup, Side, Variant};

/// What is played on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Five in a row, by the rule that INFO names.
    Free {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// A game by its name, whatever INFO says.
    Named(Variant),
}

/// How many in a row win where the protocol gives only a size.
const RUN: usize = 5;

impl Shape {
    /// The game on this board by `rule`.
    pub(super) fn variant(self, rule: Rule) -> Result<Variant, String> {
        match self {
            Self::Free { rows, columns } => {
                Variant::new(rule, rows, columns, RUN, &[]).map_err(|error| error.to_string())
            }
            Self::Named(variant) => Ok(variant),
        }
    }
}

/// A board and its stones.
#[derive(Clone, Debug)]
pub(super) struct Stones {
    shape: Shape,
    /// In the order of play where it is known.
    placed: Vec<(Cell, Side)>,
}

impl Stones {
    /// The empty board of a shape.
    pub(super) const fn new(shape: Shape) -> Self {
        Self {
            shape,
            placed: Vec::new(),
        }
    }

    /// The position by `rule`.
    ///
    /// Stones that came in the order of play keep it; others are set up at once.
    pub(super) fn position(&self, rule: Rule) -> Result<Position, String> {
        let variant = self.shape.variant(rule)?;
        self.played(variant)
            .map_or_else(|| self.set_up(&variant), Ok)
    }

    fn played(&self, variant: Variant) -> Option<Position> {
        let mut position = Position::new(variant);
        for &(cell, side) in &self.placed {
            if position.side_to_move() != side {
                return None;
            }
            position.play(cell).ok()?;
        }
        Some(position)
    }

    fn set_up(&self, variant: &Variant) -> Result<Position, String> {
        let of = |side| {
            let own = self.placed.iter().filter(|(_, owner)| *owner == side);
            own.map(|&(cell, _)| cell).collect()
        };
        let setup = Setup {
            stones: Side::BOTH.map(of),
            ..Setup::of(variant)
        };
        Position::try_from(setup).map_err(|error| error.to_string())
    }

    /// The same board without stones.
    pub(super) const fn emptied(&self) -> Self {
        Self::new(self.shape)
    }

    /// Plays `cell`, which is legal, for the side to move.
    pub(super) fn play(&mut self, cell: Cell) {
        let side = Side::to_move(self.placed.len());
        self.placed.push((cell, side));
    }

    /// Takes the stone at `cell` back; `false` if there is none.
    pub(super) fn take_back(&mut self, cell: Cell) -> bool {
        let at = self.placed.iter().rposition(|(placed, _)| *placed == cell);
        at.map(|at| self.placed.remove(at)).is_some()
    }

    /// The board with the stones of a list, the engine to move: 1 are its own, 2 the opponent's.
    pub(super) fn listed(&self, rule: Rule, list: &[(Point, Option<u8>)]) -> Result<Self, String> {
        let geometry = *self.shape.variant(rule)?.geometry();
        let count = |owner| list.iter().filter(|stone| stone.1 == Some(owner)).count();
        let (mine, theirs) = (count(1), count(2));
        let me = if mine == theirs {
            Side::First
        } else {
            Side::Second
        };
        let mut stones = self.emptied();
        for &(point, owner) in list {
            let cell = point
                .cell(&geometry)
                .ok_or_else(|| format!("{point} is not on the board"))?;
            let side = match owner {
                Some(1) => me,
                Some(2) => !me,
                // Without owners the stones come in the order of play.
                None => Side::to_move(stones.placed.len()),
                Some(other) => {
                    return Err(format!("{point},{other}: stones are 1, mine, or 2, theirs"));
                }
            };
            stones.placed.push((cell, side));
        }
        stones.position(rule)?;
        Ok(stones)
    }
}
