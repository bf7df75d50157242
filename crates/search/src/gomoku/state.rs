//! `State`: the shapes of every empty cell, and all that follows from them, stone by stone.
//!
//! A stone changes the shapes of the cells within a window's radius along four
//! lines, and nothing else; what it changed is written down, so that taking it
//! back only restores. Both take constant time. Shapes of taken cells stay as
//! they were when the stone came, which is what its removal needs.
//!
//! This is where a search spends its time. The loop over cells runs without a
//! branch that chance decides: an unchanged cell is written down too, and the
//! next one overwrites it.

use super::cells::{CELL_SLOTS, CellSet, Spot};
use super::ground::Ground;
use super::line::{EMPTY, WALL, code};
use super::shape::{CLASSES, Class, Combined, Shape, ShapeKey};
use super::weights::Sum;
use std::fmt;
use stoneline_rules::{Side, Wide};

/// Lines of a direction: diagonals are numbered by column plus or minus row.
pub(super) const LINES: usize = 64;

/// The lower bit of every cell of a line.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

/// Changes of one stone where windows are looked up: ten cells a line at most, rounded up.
const ROOM: usize = 64;

/// The shapes of one cell, for each side: by direction a byte as the line
/// table has it, then a byte for each side's combination.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Prospect(u64);

impl Prospect {
    const COMBINED_AT: u32 = 32;

    /// Both sides' shapes along a line.
    #[inline(always)]
    const fn line(self, direction: usize) -> u8 {
        (self.0 >> (8 * direction)) as u8
    }

    /// The shapes along the four lines.
    #[inline(always)]
    pub(super) const fn lines(self) -> [u8; 4] {
        (self.0 as u32).to_le_bytes()
    }

    #[inline(always)]
    const fn with_line(self, direction: usize, shapes: u8) -> Self {
        let changed = (self.line(direction) ^ shapes) as u64;
        Self(self.0 ^ changed << (8 * direction))
    }

    /// What the shapes of a side make together.
    #[inline(always)]
    pub(super) const fn combined(self, side: Side) -> Combined {
        Combined::from_byte((self.0 >> (Self::COMBINED_AT + 8 * side.index() as u32)) as u8)
    }

    #[inline(always)]
    fn with_combined(self, ground: &Ground) -> Self {
        let [first, second] = Side::BOTH.map(|side| ground.combined(side, self.key(side)));
        let bytes = u64::from(first.byte()) | u64::from(second.byte()) << 8;
        Self(self.0 & u64::from(u32::MAX) | bytes << Self::COMBINED_AT)
    }

    /// The four shapes of a side.
    #[inline(always)]
    pub(super) const fn key(self, side: Side) -> ShapeKey {
        let nibbles = (self.0 as u32) >> (4 * side.index()) & 0x0f0f_0f0f;
        let pairs = (nibbles | nibbles >> 4) & 0x00ff_00ff;
        (pairs | pairs >> 8) as ShapeKey
    }
}

/// A cell as it was before a stone.
#[derive(Clone, Copy, Default, Debug)]
struct Change {
    before: Prospect,
    spot: Spot,
}

/// A cell that came into a set of threats, or left it.
#[derive(Clone, Copy, Debug)]
struct Toggle {
    spot: Spot,
    side: u8,
    class: u8,
}

/// How many cells each set of threats has, by side and class.
type Counts = [[u16; CLASSES + 1]; 2];

/// What a stone's removal restores besides the cells.
#[derive(Clone, Copy, Debug)]
struct Placed {
    near: CellSet,
    counts: Counts,
    value: Sum,
    spot: Spot,
    first_change: u32,
    first_toggle: u32,
}

/// A position with shapes.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// By direction and line, two bits a cell, walls around.
    lines: [[u64; LINES]; 4],
    prospects: [Prospect; CELL_SLOTS],
    /// By side and class, the empty cells of that class; `Quiet` is not kept.
    threats: [[CellSet; CLASSES]; 2],
    counts: Counts,
    contents: [u8; CELL_SLOTS],
    pub(super) empty: CellSet,
    /// Cells near any stone, taken ones included.
    pub(super) near: CellSet,
    /// The stones in the layout of `rules`, kept in renju alone.
    pub(super) stones: [Wide; 2],
    /// The sums of shape weights.
    pub(super) value: Sum,
    pub(super) key: u64,
    pub(super) side: Side,
    placed: Vec<Placed>,
    changes: Changes,
    toggles: Vec<Toggle>,
}

/// What stones changed, the last at the end of the part in use; the rest is only room.
#[derive(Clone, Default)]
struct Changes {
    all: Vec<Change>,
    used: usize,
}

impl fmt::Debug for Changes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all[..self.used].fmt(out)
    }
}

impl Changes {
    /// Sees to it that `more` can be written down.
    #[inline(always)]
    fn make_room(&mut self, more: usize) {
        if self.all.len() < self.used + more {
            self.grow(more);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let length = 2 * self.all.len() + more;
        self.all.resize(length, Change::default());
    }
}

impl State {
    /// The empty board.
    pub(super) fn bare(ground: &Ground) -> Self {
        let mut state = Self {
            lines: *ground.bare_lines(),
            prospects: [Prospect::default(); CELL_SLOTS],
            threats: [[CellSet::EMPTY; CLASSES]; 2],
            counts: Counts::default(),
            contents: [EMPTY; CELL_SLOTS],
            empty: (0..ground.cells()).collect(),
            near: CellSet::EMPTY,
            stones: [Wide::EMPTY; 2],
            value: Sum::default(),
            key: 0,
            side: Side::First,
            placed: Vec::new(),
            changes: Changes::default(),
            toggles: Vec::new(),
        };
        for spot in 0..ground.cells() {
            for direction in 0..4 {
                state.changes.make_room(ROOM);
                // A cell starts dead along every line, and in no sum.
                state.value += ground.weight(0);
                let shapes = state.shapes_at(ground, spot, direction, None);
                state.reshape(ground, spot, direction, shapes);
            }
        }
        state.settle();
        state
    }

    /// Taking back starts from here.
    pub(super) fn settle(&mut self) {
        self.placed.clear();
        self.toggles.clear();
        self.changes.used = 0;
    }

    /// The shapes of an empty cell.
    #[inline(always)]
    pub(super) fn prospect(&self, spot: Spot) -> Prospect {
        self.prospects[usize::from(spot) % CELL_SLOTS]
    }

    /// What lies on a cell.
    #[inline(always)]
    pub(super) fn content(&self, spot: Spot) -> u8 {
        self.contents[usize::from(spot) % CELL_SLOTS]
    }

    /// The empty cells of a class that is not `Quiet`.
    #[inline(always)]
    pub(super) const fn threats(&self, side: Side, class: Class) -> &CellSet {
        &self.threats[side.index()][class as usize]
    }

    /// How many cells [`Self::threats`] has.
    #[inline(always)]
    pub(super) const fn count(&self, side: Side, class: Class) -> usize {
        self.counts[side.index()][class as usize] as usize
    }

    /// The stone `back` stones before the last since the state was settled.
    #[inline(always)]
    pub(super) fn played(&self, back: usize) -> Option<Spot> {
        let at = self.placed.len().checked_sub(back + 1)?;
        Some(self.placed[at].spot)
    }

    /// Puts a stone of the side to move on an empty cell.
    pub(super) fn play(&mut self, ground: &Ground, spot: Spot) {
        debug_assert!(self.content(spot) == EMPTY);
        self.placed.push(Placed {
            near: self.near,
            counts: self.counts,
            value: self.value,
            spot,
            first_change: self.changes.used as u32,
            first_toggle: self.toggles.len() as u32,
        });
        self.near = self.near.or(ground.around(spot));
        self.toggle_stone(ground, spot);
        self.contents[usize::from(spot) % CELL_SLOTS] = code(self.side);
        let now = self.prospect(spot);
        self.reclass(spot, now, Prospect::default());
        for shapes in now.lines() {
            self.value -= ground.weight(shapes);
        }
        if ground.table().is_filled() {
            self.refresh_by_table(ground, spot);
        } else {
            self.refresh_on_the_spot(ground, spot);
        }
        self.side = !self.side;
    }

    /// Takes back the last stone.
    ///
    /// # Panics
    /// If none was played since the state was settled.
    pub(super) fn undo(&mut self, ground: &Ground) {
        let placed = self.placed.pop().expect("a stone was played");
        self.side = !self.side;
        self.toggle_stone(ground, placed.spot);
        self.contents[usize::from(placed.spot) % CELL_SLOTS] = EMPTY;
        self.near = placed.near;
        self.counts = placed.counts;
        self.value = placed.value;
        let first_change = placed.first_change as usize;
        for change in &self.changes.all[first_change..self.changes.used] {
            self.prospects[usize::from(change.spot) % CELL_SLOTS] = change.before;
        }
        self.changes.used = first_change;
        let first_toggle = placed.first_toggle as usize;
        for toggle in &self.toggles[first_toggle..] {
            let sets = &mut self.threats[usize::from(toggle.side) % 2];
            sets[usize::from(toggle.class) % CLASSES].toggle(toggle.spot);
        }
        self.toggles.truncate(first_toggle);
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

    #[inline(always)]
    fn refresh_by_table(&mut self, ground: &Ground, spot: Spot) {
        self.changes.make_room(ROOM);
        let first = self.changes.used;
        let room = self.changes.all[first..].first_chunk_mut::<ROOM>();
        let room = room.expect("room was made");
        let prospects = &mut self.prospects;
        let (table, weights) = (ground.table(), ground.weights());
        let (reach, span) = (2 * table.radius() as u32, table.span());
        let (mut count, mut loud_count) = (0, 0);
        let mut louds = [0_u8; ROOM];
        let mut value = self.value;
        for direction in 0..4 {
            let (number, at) = ground.place(spot, direction);
            let line = self.lines[direction][number];
            let step = ground.step(direction);
            // In bits of a line, two a cell.
            let centre = 2 * at as u32;
            let mut empty = !(line | line >> 1) & LOW_BITS & span << (centre - reach);
            while empty != 0 {
                let bit = empty.trailing_zeros();
                empty &= empty - 1;
                let shapes = table.look_up(line >> (bit - reach));
                let away = (bit as i32 - centre as i32) * step / 2;
                let near = (i32::from(spot) + away) as usize % CELL_SLOTS;
                let before = prospects[near];
                let old = before.line(direction);
                prospects[near] = before.with_line(direction, shapes);
                room[count % ROOM] = Change {
                    before,
                    spot: near as Spot,
                };
                louds[loud_count % ROOM] = count as u8;
                count += usize::from(old != shapes);
                let loud = LOUD[usize::from(old)] != LOUD[usize::from(shapes)];
                loud_count += usize::from(loud);
                value += weights.of_shapes(shapes);
                value -= weights.of_shapes(old);
            }
        }
        self.value = value;
        self.changes.used = first + count;
        for &loud in &louds[..loud_count] {
            let Change { before, spot } = self.changes.all[first + usize::from(loud)];
            let after = self.prospect(spot).with_combined(ground);
            self.prospects[usize::from(spot) % CELL_SLOTS] = after;
            self.reclass(spot, before, after);
        }
    }

    fn refresh_on_the_spot(&mut self, ground: &Ground, spot: Spot) {
        let radius = ground.table().radius() as i32;
        self.changes.make_room(8 * radius as usize);
        for direction in 0..4 {
            for distance in -radius..=radius {
                let Some(near) = ground.along(spot, direction, distance) else {
                    continue;
                };
                if self.content(near) == EMPTY {
                    let shapes = self.shapes_at(ground, near, direction, None);
                    self.reshape(ground, near, direction, shapes);
                }
            }
        }
    }

    /// Both sides' shapes of an empty cell along one line, from the stones alone
    /// and one that is `imagined` on an empty cell of that line.
    pub(super) fn shapes_at(
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
                (Some(near), _) => self.content(near),
            }
        });
        ground.table().find(cells)
    }

    /// Writes down that a cell's shapes along a line are `shapes` now.
    ///
    /// Contract: there is room for a change.
    fn reshape(&mut self, ground: &Ground, spot: Spot, direction: usize, shapes: u8) {
        let before = self.prospect(spot);
        let old = before.line(direction);
        if old == shapes {
            return;
        }
        self.changes.all[self.changes.used] = Change { before, spot };
        self.changes.used += 1;
        let after = before.with_line(direction, shapes).with_combined(ground);
        self.prospects[usize::from(spot)] = after;
        self.value += ground.weight(shapes);
        self.value -= ground.weight(old);
        self.reclass(spot, before, after);
    }

    /// Moves a cell between the sets of threats.
    #[inline(always)]
    fn reclass(&mut self, spot: Spot, before: Prospect, after: Prospect) {
        for side in Side::BOTH {
            let (old, new) = (before.combined(side).class(), after.combined(side).class());
            if old != new {
                for (class, more) in [(old, u16::MAX), (new, 1)] {
                    if class != Class::Quiet {
                        let (side, class) = (side.index(), class as usize);
                        self.threats[side][class].toggle(spot);
                        let count = &mut self.counts[side][class];
                        *count = count.wrapping_add(more);
                        self.toggles.push(Toggle {
                            spot,
                            side: side as u8,
                            class: class as u8,
                        });
                    }
                }
            }
        }
    }
}

/// Both sides' shapes as far as they matter to a class: those are made of threes and more.
static LOUD: [u8; 256] = {
    let mut loud = [0; 256];
    let mut shapes = 0;
    while shapes < loud.len() {
        let least = Shape::OpenThree as usize;
        let (first, second) = (shapes & 15, shapes >> 4);
        let heard = if first >= least { first } else { 0 };
        loud[shapes] = (heard | if second >= least { second << 4 } else { 0 }) as u8;
        shapes += 1;
    }
    loud
};
