//! What a board fixes before the first stone: windows, owners, and the row of every content.
//!
//! The static owner of a cell is the side that gets it when all else is filled
//! first: the cells left and the side to move change together, so in absolute
//! colours the owner never changes, and blocked cells change the count and
//! nothing else. A window with a blocked cell is no window.
//!
//! ```text
//!   three rows, four columns, all empty: the last cell goes to the second side
//!   2 2 2 2
//!   1 1 1 1
//!   2 2 2 2
//! ```

use super::rows::{ACROSS, NONE, Place, WINDOW, height, window_row};
use std::collections::HashMap;
use stoneline_rules::{Cell, Geometry, Side, Variant};

/// Bits of the largest board with falling stones.
const MOST_BITS: usize = 17 * 16;

/// A window that a cell belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// The window.
    pub(super) window: u16,
    /// The cell's bit in the window.
    pub(super) bit: u16,
    /// Where the window's class begins among the rows of contents.
    pub(super) class: u32,
}

/// The windows of a board, and what its cells are to them.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// How many in a line win.
    pub(super) run: u32,
    /// Cells where a stone may lie.
    pub(super) capacity: u16,
    /// Bits from a cell to its right neighbour.
    stride: u32,
    /// The cells where a stone may lie, as words of the layout.
    pub(super) playable: [u64; 8],
    /// How many windows there are.
    pub(super) windows: usize,
    /// The class of each window.
    pub(super) classes: Vec<u32>,
    /// For each class: the row of every content.
    pub(super) rows: Vec<u16>,
    touches: Vec<Touch>,
    /// Where the touches of each bit begin and end.
    spans: Vec<(u32, u32)>,
    places: Box<[BitPlace; MOST_BITS]>,
}

#[derive(Clone, Copy, Default, Debug)]
struct BitPlace {
    column: u8,
    /// Playable cells above in the column.
    above: u8,
    owner: u8,
    /// Playable cells of the column from this one up, bit 0 being this one.
    upward: u64,
}

/// A window as it is found on the board.
struct Window {
    direction: usize,
    /// Its cells, the lowest first; from the left where none is.
    cells: Vec<Cell>,
}

/// Every line of `run` cells without a blocked one.
fn windows(geometry: &Geometry, run: u8) -> Vec<Window> {
    let steps: [(usize, i32); 4] = [(0, 0), (ACROSS, 1), (2, 1), (2, -1)];
    let mut found = Vec::new();
    for (direction, right) in steps {
        let up = i32::from(direction != ACROSS);
        for column in 0..geometry.columns() {
            for row in 0..geometry.rows() {
                let cells: Option<Vec<Cell>> = (0..i32::from(run))
                    .map(|step| {
                        let column = u8::try_from(i32::from(column) + right * step).ok()?;
                        let row = u8::try_from(i32::from(row) + up * step).ok()?;
                        let inside = column < geometry.columns() && row < geometry.rows();
                        inside
                            .then(|| Cell::new(column, row))
                            .filter(|&cell| !geometry.is_blocked(cell))
                    })
                    .collect();
                found.extend(cells.map(|cells| Window { direction, cells }));
            }
        }
    }
    found
}

impl Plan {
    /// Contract: stones fall in `variant`.
    pub(super) fn new(variant: &Variant) -> Self {
        let geometry = variant.geometry();
        let run = u32::from(variant.run());
        let mut plan = Self {
            run,
            capacity: geometry.capacity() as u16,
            stride: geometry.stride(),
            playable: geometry.playable().words(),
            windows: 0,
            classes: Vec::new(),
            rows: Vec::new(),
            touches: Vec::new(),
            spans: Vec::new(),
            places: places(geometry),
        };
        let windows = windows(geometry, variant.run());
        plan.windows = windows.len();
        let mut known = HashMap::new();
        let mut by_bit: Vec<Vec<Touch>> = vec![Vec::new(); geometry.bits() as usize];
        for (number, window) in windows.iter().enumerate() {
            let bits: Vec<u32> = window.cells.iter().map(|&c| geometry.index(c)).collect();
            let owners: Vec<usize> = bits.iter().map(|&bit| plan.owner_of(bit)).collect();
            let lowest = window.cells[0].row();
            let key = (window.direction, height(lowest), owners.clone());
            let rows = &mut plan.rows;
            let class = *known.entry(key).or_insert_with(|| {
                let class = rows.len() as u32;
                rows.extend(contents(window.direction, lowest, &owners));
                class
            });
            plan.classes.push(class);
            for (at, &bit) in bits.iter().enumerate() {
                by_bit[bit as usize].push(Touch {
                    window: number as u16,
                    bit: 1 << at,
                    class,
                });
            }
        }
        for touches in by_bit {
            let begin = plan.touches.len() as u32;
            plan.touches.extend(touches);
            plan.spans.push((begin, plan.touches.len() as u32));
        }
        plan
    }

    /// The windows of the cell with that bit.
    #[inline(always)]
    pub(super) fn touches(&self, bit: u16) -> &[Touch] {
        let (begin, end) = self.spans[usize::from(bit)];
        &self.touches[begin as usize..end as usize]
    }

    /// The place, among the rows of a class, of a window's content.
    ///
    /// The content holds the first side's stones in its low half and the
    /// second's in its high one. A window with stones of both is dead, and takes
    /// the place of the second side without a stone, which is otherwise free.
    #[inline(always)]
    pub(super) fn code(&self, content: u32) -> u32 {
        let (first, second) = (content & 0xffff, content >> 16);
        let dead = 1 << self.run;
        if second == 0 {
            first
        } else if first == 0 {
            dead | second
        } else {
            dead
        }
    }

    #[inline(always)]
    fn place(&self, bit: u32) -> BitPlace {
        self.places[bit as usize % MOST_BITS]
    }

    /// The bit of a cell.
    #[inline(always)]
    pub(super) fn bit(&self, column: usize, row: u32) -> u32 {
        column as u32 * self.stride + row
    }

    /// The column of the cell with that bit.
    #[inline(always)]
    pub(super) fn column_of(&self, bit: u32) -> usize {
        self.place(bit).column.into()
    }

    /// Playable cells from the one with that bit up in its column, bit 0 being that one.
    #[inline(always)]
    pub(super) fn upward(&self, bit: u32) -> u64 {
        self.place(bit).upward
    }

    /// Playable cells above the one with that bit in its column.
    #[inline(always)]
    pub(super) fn left_above(&self, bit: u32) -> u16 {
        self.place(bit).above.into()
    }

    /// Index of the side that gets the cell with that bit when all else is filled first.
    #[inline(always)]
    pub(super) fn owner_of(&self, bit: u32) -> usize {
        self.place(bit).owner.into()
    }
}

fn places(geometry: &Geometry) -> Box<[BitPlace; MOST_BITS]> {
    let mut places = Box::new([BitPlace::default(); MOST_BITS]);
    for column in 0..geometry.columns() {
        let cells: Vec<Cell> = (0..geometry.rows())
            .map(|row| Cell::new(column, row))
            .filter(|&cell| !geometry.is_blocked(cell))
            .collect();
        for (height, &cell) in cells.iter().enumerate() {
            let above = cells.len() - 1 - height;
            places[geometry.index(cell) as usize] = BitPlace {
                column,
                above: above as u8,
                owner: Side::to_move(geometry.capacity() - 1 - above).index() as u8,
                upward: cells[height..].iter().fold(0, |set, other| {
                    set | 1 << (geometry.index(*other) - geometry.index(cell))
                }),
            };
        }
    }
    places
}

/// The row of every content of a window with these owners, by its code.
fn contents(direction: usize, lowest_row: u8, owners: &[usize]) -> Vec<u16> {
    let codes = 1_usize << owners.len();
    let surplus = owners.len().saturating_sub(WINDOW) as u32;
    let mut rows = vec![NONE; 2 * codes];
    for side in 0..2 {
        // A full window is a won game, and a second side without stones means a dead one.
        for stones in (side..codes - 1).filter(|stones| stones.count_ones() >= surplus) {
            let places: Vec<Place> = owners
                .iter()
                .enumerate()
                .map(|(at, &owner)| match stones >> at & 1 {
                    1 => Place::Stone,
                    _ if owner == side => Place::Own,
                    _ => Place::Other,
                })
                .collect();
            rows[side * codes + stones] = window_row(direction, lowest_row, side, &places);
        }
    }
    rows
}
