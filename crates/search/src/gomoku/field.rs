//! `Field`: a free board with the shapes of every empty cell, kept stone by stone.
//!
//! A stone changes the shapes of the cells within a window's radius along four
//! lines, and nothing else; what it changed is written down, so that taking it
//! back only restores. Both take constant time. Shapes of taken cells stay as
//! they were when the stone came, which is what its removal needs.
//!
//! Trusts its caller: moves are empty cells. Knows what renju forbids, by
//! asking `rules` where the shapes leave it open.

use super::cells::{CELLS, CellSet, Spot};
use super::ground::Ground;
use super::line::{EMPTY, WALL, code};
use super::shape::{CLASSES, Class, Combined, Shape, ShapeKey};
use super::weights::Sum;
use std::sync::Arc;
use stoneline_rules::{Position, Side, Wide, forbidden};

/// The shapes of one cell, for each side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Prospect {
    /// By direction, both sides' shapes as the line table has them.
    lines: [u8; 4],
    combined: [Combined; 2],
}

impl Prospect {
    /// The four shapes of a side.
    #[inline(always)]
    fn key(self, side: Side) -> ShapeKey {
        let nibbles = u32::from_le_bytes(self.lines) >> (4 * side.index()) & 0x0f0f_0f0f;
        let pairs = (nibbles | nibbles >> 4) & 0x00ff_00ff;
        (pairs | pairs >> 8) as ShapeKey
    }
}

/// A cell as it was before a stone.
#[derive(Clone, Copy, Debug)]
struct Change {
    spot: Spot,
    before: Prospect,
}

/// What a stone's removal restores besides the cells.
#[derive(Clone, Copy, Debug)]
struct Placed {
    spot: Spot,
    first_change: u32,
    value: Sum,
    near: CellSet,
}

/// A position of a free board, with shapes.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    ground: Arc<Ground>,
    /// Apart, so that it can change while the ground is looked at.
    state: State,
}

#[derive(Clone, Debug)]
struct State {
    /// By direction and line, two bits a cell, walls around.
    lines: [[u64; LINES]; 4],
    prospects: [Prospect; CELLS],
    /// By side and class, the empty cells of that class; `Quiet` is not kept.
    threats: [[CellSet; CLASSES]; 2],
    counts: [[u16; CLASSES]; 2],
    contents: [u8; CELLS],
    empty: CellSet,
    /// Cells near any stone, taken ones included.
    near: CellSet,
    /// The stones in the layout of `rules`, kept in renju alone.
    stones: [Wide; 2],
    /// The sums of shape weights.
    value: Sum,
    key: u64,
    side: Side,
    placed: Vec<Placed>,
    changes: Vec<Change>,
}

/// Lines of a direction: diagonals are numbered by column plus or minus row.
pub(super) const LINES: usize = 64;

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
        // Taking back starts from here.
        field.state.placed.clear();
        field.state.changes.clear();
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
        self.state.contents[usize::from(spot)] == EMPTY
    }

    /// Whether the cell holds a stone of `side`.
    #[inline(always)]
    pub(crate) fn holds(&self, side: Side, spot: Spot) -> bool {
        self.state.contents[usize::from(spot)] == code(side)
    }

    /// The empty cells where a stone of `side` would be of `class`. Contract: not `Quiet`.
    #[inline(always)]
    pub(crate) const fn threats(&self, side: Side, class: Class) -> &CellSet {
        &self.state.threats[side.index()][class as usize]
    }

    /// How many cells [`Self::threats`] has.
    #[inline(always)]
    pub(crate) const fn count(&self, side: Side, class: Class) -> usize {
        self.state.counts[side.index()][class as usize] as usize
    }

    /// The class of a stone of `side` on an empty cell.
    #[inline(always)]
    pub(crate) fn class(&self, side: Side, spot: Spot) -> Class {
        self.state.prospects[usize::from(spot)].combined[side.index()].class()
    }

    /// The four shapes of a stone of `side` on an empty cell.
    #[inline(always)]
    pub(crate) fn shape_key(&self, side: Side, spot: Spot) -> ShapeKey {
        self.state.prospects[usize::from(spot)].key(side)
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
        !self.state.prospects[usize::from(spot)].combined[side.index()].is_suspect()
            || !self.is_forbidden(spot)
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
        self.state.placed.last().is_some_and(|placed| {
            let prospect = self.state.prospects[usize::from(placed.spot)];
            prospect.combined[mover.index()].class() == Class::Five
        })
    }

    /// The stone `back` stones before the last since the field was made.
    #[inline]
    pub(crate) fn played(&self, back: usize) -> Option<Spot> {
        let placed = &self.state.placed;
        let at = placed.len().checked_sub(back + 1)?;
        Some(placed[at].spot)
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

impl State {
    fn bare(ground: &Ground) -> Self {
        let mut state = Self {
            lines: *ground.bare_lines(),
            prospects: [Prospect::default(); CELLS],
            threats: [[CellSet::EMPTY; CLASSES]; 2],
            counts: [[0; CLASSES]; 2],
            contents: [EMPTY; CELLS],
            empty: (0..ground.cells()).collect(),
            near: CellSet::EMPTY,
            stones: [Wide::EMPTY; 2],
            value: Sum::default(),
            key: 0,
            side: Side::First,
            placed: Vec::new(),
            changes: Vec::new(),
        };
        for spot in 0..ground.cells() {
            for direction in 0..4 {
                // A cell starts dead along every line, and in no sum.
                state.value += ground.weight(0);
                let shapes = state.shapes_at(ground, spot, direction, None);
                state.reshape(ground, spot, direction, shapes);
            }
        }
        state
    }

    fn play(&mut self, ground: &Ground, spot: Spot) {
        debug_assert!(self.contents[usize::from(spot)] == EMPTY);
        self.placed.push(Placed {
            spot,
            first_change: self.changes.len() as u32,
            value: self.value,
            near: self.near,
        });
        self.near = self.near.or(ground.around(spot));
        self.toggle_stone(ground, spot);
        self.contents[usize::from(spot)] = code(self.side);
        let now = self.prospects[usize::from(spot)];
        self.reclass(spot, now.combined, [Combined::default(); 2]);
        for shapes in now.lines {
            self.value -= ground.weight(shapes);
        }
        if ground.table().is_filled() {
            self.refresh_by_table(ground, spot);
        } else {
            self.refresh_on_the_spot(ground, spot);
        }
        self.side = !self.side;
    }

    fn undo(&mut self, ground: &Ground) {
        let placed = self.placed.pop().expect("a stone was played");
        self.side = !self.side;
        self.toggle_stone(ground, placed.spot);
        self.contents[usize::from(placed.spot)] = EMPTY;
        self.near = placed.near;
        self.value = placed.value;
        while self.changes.len() > placed.first_change as usize {
            let change = self.changes.pop().expect("the length was checked");
            let now = self.prospects[usize::from(change.spot)];
            self.reclass(change.spot, now.combined, change.before.combined);
            self.prospects[usize::from(change.spot)] = change.before;
        }
        // Its shapes are as they were; only its threats had gone.
        let before = self.prospects[usize::from(placed.spot)];
        self.reclass(placed.spot, [Combined::default(); 2], before.combined);
    }

    fn toggle_stone(&mut self, ground: &Ground, spot: Spot) {
        let stone = u64::from(code(self.side));
        for direction in 0..4 {
            let (line, at) = ground.place(spot, direction);
            self.lines[direction][line] ^= stone << (2 * at);
        }
        self.empty.toggle(spot);
        self.key ^= ground.stone_key(self.side, spot) ^ Ground::TURN_KEY;
        if ground.is_renju() {
            let index = ground.variant().geometry().index(ground.cell(spot));
            self.stones[self.side.index()] ^= Wide::bit(index);
        }
    }

    fn refresh_by_table(&mut self, ground: &Ground, spot: Spot) {
        let radius = ground.table().radius() as i32;
        for direction in 0..4 {
            let (line, at) = ground.place(spot, direction);
            let line = self.lines[direction][line];
            let step = ground.step(direction);
            for distance in -radius..=radius {
                let here = at as i32 + distance;
                if line >> (2 * here) & 3 != 0 {
                    continue;
                }
                let shapes = ground.table().look_up(line >> (2 * (here - radius)));
                let near = (i32::from(spot) + distance * step) as Spot;
                self.reshape(ground, near, direction, shapes);
            }
        }
    }

    fn refresh_on_the_spot(&mut self, ground: &Ground, spot: Spot) {
        let radius = ground.table().radius() as i32;
        for direction in 0..4 {
            for distance in -radius..=radius {
                let Some(near) = ground.along(spot, direction, distance) else {
                    continue;
                };
                if self.contents[usize::from(near)] == EMPTY {
                    let shapes = self.shapes_at(ground, near, direction, None);
                    self.reshape(ground, near, direction, shapes);
                }
            }
        }
    }

    /// Both sides' shapes of an empty cell along one line, from the stones alone
    /// and one that is `imagined` on an empty cell of that line.
    fn shapes_at(
        &self,
        ground: &Ground,
        spot: Spot,
        direction: usize,
        imagined: Option<(Spot, Side)>,
    ) -> u8 {
        let radius = ground.table().radius();
        if ground.table().is_filled() {
            let (number, at) = ground.place(spot, direction);
            let mut line = self.lines[direction][number];
            if let Some((with, side)) = imagined {
                line |= u64::from(code(side)) << (2 * ground.place(with, direction).1);
            }
            return ground.table().look_up(line >> (2 * (at - radius)));
        }
        let radius = radius as i32;
        let cells = (-radius..=radius).map(|distance| {
            match (ground.along(spot, direction, distance), imagined) {
                (None, _) => WALL,
                (Some(near), Some((with, side))) if near == with => code(side),
                (Some(near), _) => self.contents[usize::from(near)],
            }
        });
        ground.table().find(cells)
    }

    /// Writes down that a cell's shapes along a line are `shapes` now.
    #[inline(always)]
    fn reshape(&mut self, ground: &Ground, spot: Spot, direction: usize, shapes: u8) {
        let prospect = &mut self.prospects[usize::from(spot)];
        let old = prospect.lines[direction];
        if old == shapes {
            return;
        }
        let before = *prospect;
        prospect.lines[direction] = shapes;
        self.changes.push(Change { spot, before });
        self.value += ground.weight(shapes);
        self.value -= ground.weight(old);
        // Classes are made of threes and more.
        if LOUD[usize::from(old)] || LOUD[usize::from(shapes)] {
            let combined = Side::BOTH.map(|side| ground.combined(side, prospect.key(side)));
            prospect.combined = combined;
            self.reclass(spot, before.combined, combined);
        }
    }

    #[inline(always)]
    fn reclass(&mut self, spot: Spot, before: [Combined; 2], after: [Combined; 2]) {
        if before[0] == after[0] && before[1] == after[1] {
            return;
        }
        self.move_threats(spot, before, after);
    }

    fn move_threats(&mut self, spot: Spot, before: [Combined; 2], after: [Combined; 2]) {
        for side in 0..2 {
            let (old, new) = (before[side].class(), after[side].class());
            if old != new {
                if old != Class::Quiet {
                    self.threats[side][old as usize].toggle(spot);
                    self.counts[side][old as usize] -= 1;
                }
                if new != Class::Quiet {
                    self.threats[side][new as usize].toggle(spot);
                    self.counts[side][new as usize] += 1;
                }
            }
        }
    }
}

/// By both sides' shapes, whether either matters to a class.
static LOUD: [bool; 256] = {
    let mut loud = [false; 256];
    let mut shapes = 0;
    while shapes < loud.len() {
        let least = Shape::OpenThree as usize;
        loud[shapes] = shapes & 15 >= least || shapes >> 4 >= least;
        shapes += 1;
    }
    loud
};
