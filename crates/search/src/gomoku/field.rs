//! `Field`: a free board with the shapes of every empty cell, kept stone by stone.
//!
//! What is asked of a position in search: classes, threats, the sum of
//! weights. How it is kept up is the business of `State`.
//!
//! Trusts its caller: moves are empty cells. Knows what renju forbids, by
//! asking `rules` where the shapes leave it open.

use super::cells::{CellSet, Spot};
use super::ground::Ground;
use super::line::{EMPTY, code};
use super::shape::{Class, Shape, ShapeKey};
use super::state::State;
use std::sync::Arc;
use stoneline_rules::{Position, Side, forbidden};

/// A position of a free board, with shapes.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    ground: Arc<Ground>,
    /// Apart, so that it can change while the ground is looked at.
    state: State,
}

impl Field {
    /// The stones of `position`. Contract: its variant is the ground's.
    pub(crate) fn new(ground: &Arc<Ground>, position: &Position) -> Self {
        debug_assert_eq!(ground.variant(), position.variant());
        let mut field = Self {
            ground: Arc::clone(ground),
            state: State::bare(ground),
        };
        let geometry = *position.variant().geometry();
        let cells =
            Side::BOTH.map(|side| geometry.cells(position.stones(side)).collect::<Vec<_>>());
        for ply in 0..position.plies() {
            let side = Side::to_move(ply);
            field.play(ground.spot(cells[side.index()][ply / 2]));
        }
        field.state.settle();
        field
    }

    /// The board and tables that the field stands on.
    #[inline(always)]
    pub(crate) fn ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    /// Whose turn it is.
    #[inline(always)]
    pub(crate) const fn side_to_move(&self) -> Side {
        self.state.side
    }

    /// A hash key of stones and turn.
    #[inline(always)]
    pub(crate) const fn key(&self) -> u64 {
        self.state.key
    }

    /// The hash key after the side to move plays `spot`.
    #[inline(always)]
    pub(crate) fn key_after(&self, spot: Spot) -> u64 {
        self.state.key ^ self.ground.stone_key(self.state.side, spot) ^ Ground::TURN_KEY
    }

    /// The empty cells.
    #[inline(always)]
    pub(crate) const fn empty(&self) -> &CellSet {
        &self.state.empty
    }

    /// How many stones lie on the board.
    pub(crate) fn plies(&self) -> usize {
        usize::from(self.ground.cells()) - self.state.empty.len()
    }

    /// Empty cells within two steps of a stone.
    #[inline(always)]
    pub(crate) fn near(&self) -> CellSet {
        self.state.near.and(&self.state.empty)
    }

    /// Whether the cell is empty.
    #[inline(always)]
    pub(crate) fn is_empty(&self, spot: Spot) -> bool {
        self.state.content(spot) == EMPTY
    }

    /// Whether the cell holds a stone of `side`.
    #[inline(always)]
    pub(crate) fn holds(&self, side: Side, spot: Spot) -> bool {
        self.state.content(spot) == code(side)
    }

    /// The empty cells where a stone of `side` would be of `class`. Contract: not `Quiet`.
    #[inline(always)]
    pub(crate) const fn threats(&self, side: Side, class: Class) -> &CellSet {
        self.state.threats(side, class)
    }

    /// How many cells [`Self::threats`] has.
    #[inline(always)]
    pub(crate) const fn count(&self, side: Side, class: Class) -> usize {
        self.state.count(side, class)
    }

    /// The class of a stone of `side` on an empty cell.
    #[inline(always)]
    pub(crate) fn class(&self, side: Side, spot: Spot) -> Class {
        self.state.prospect(spot).combined(side).class()
    }

    /// The four shapes of a stone of `side` on an empty cell.
    #[inline(always)]
    pub(crate) fn shape_key(&self, side: Side, spot: Spot) -> ShapeKey {
        self.state.prospect(spot).key(side)
    }

    /// How promising a stone on an empty cell is to the side to move, by what it makes and stops.
    #[inline(always)]
    pub(crate) fn promise(&self, spot: Spot) -> i32 {
        let lines = self.state.prospect(spot).lines();
        self.ground.weights().promise_of(self.state.side, lines)
    }

    /// The sum of shape weights, for the side to move.
    #[inline(always)]
    pub(crate) fn value(&self) -> i32 {
        self.state.value.of(self.state.side)
    }

    /// What the stone of `side` on `spot` is part of along one line.
    pub(crate) fn shape_of_stone(&self, side: Side, spot: Spot, direction: usize) -> Shape {
        debug_assert!(self.holds(side, spot));
        let shapes = self.state.shapes_at(&self.ground, spot, direction, None);
        Shape::of(usize::from(shapes >> (4 * side.index()) & 15))
    }

    /// Whether `side` may play the empty cell: only renju forbids any.
    #[inline]
    pub(crate) fn allows(&self, side: Side, spot: Spot) -> bool {
        !self.state.prospect(spot).combined(side).is_suspect() || !self.is_forbidden(spot)
    }

    #[cold]
    fn is_forbidden(&self, spot: Spot) -> bool {
        let geometry = self.ground.variant().geometry();
        forbidden(geometry, &self.state.stones, self.ground.cell(spot)).is_some()
    }

    /// Whether the last stone made five.
    ///
    /// Contract: nobody had five before it.
    #[inline]
    pub(crate) fn is_won(&self) -> bool {
        let mover = !self.state.side;
        let last = self.state.played(0);
        last.is_some_and(|spot| self.class(mover, spot) == Class::Five)
    }

    /// The stone `back` stones before the last since the field was made.
    #[inline]
    pub(crate) fn played(&self, back: usize) -> Option<Spot> {
        self.state.played(back)
    }

    /// Puts a stone of the side to move on an empty cell.
    #[inline]
    pub(crate) fn play(&mut self, spot: Spot) {
        self.state.play(&self.ground, spot);
    }

    /// Takes back the last stone.
    ///
    /// # Panics
    /// If none was played since the field was made.
    #[inline]
    pub(crate) fn undo(&mut self) {
        self.state.undo(&self.ground);
    }

    /// Lets the other side move: for asking what it threatens.
    pub(crate) fn pass(&mut self) {
        self.state.side = !self.state.side;
        self.state.key ^= Ground::TURN_KEY;
    }

    /// The class of `spot` for `side` if a stone of the other side lay on `answer`.
    ///
    /// Contract: both are empty, and differ.
    pub(crate) fn class_after(&self, side: Side, spot: Spot, answer: Spot) -> Class {
        let mut key = self.shape_key(side, spot);
        let Some(direction) = self.ground.direction(spot, answer) else {
            return self.class(side, spot);
        };
        let shapes = self
            .state
            .shapes_at(&self.ground, spot, direction, Some((answer, !side)));
        let nibble = match side {
            Side::First => shapes & 15,
            Side::Second => shapes >> 4,
        };
        key &= !(15 << (4 * direction));
        key |= ShapeKey::from(nibble) << (4 * direction);
        self.ground.class(side, key)
    }
}
