//! Which move is tried first.
//!
//! The best move of an earlier search, then killers (moves that refuted a
//! neighbouring node), then by history: how often a cell refuted its node
//! before. A stone under an own winning cell gives that cell away: it comes
//! late. Owns what is learnt; the order changes speed, never a proof.

use super::gravity::State;
use crate::columns::{Columns, MOST_COLUMNS};
use stoneline_rules::Geometry;

/// Bits of the largest board with falling stones, and stones on it at most.
const MOST_BITS: usize = 17 * MOST_COLUMNS;

const KNOWN: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const GIVEAWAY: i32 = -(1 << 15);
/// History stays between this and its negative.
const MOST_HISTORY: i32 = 1 << 13;

/// What earlier nodes taught about moves.
#[derive(Clone)]
pub(super) struct Order {
    history: Box<[[i32; MOST_BITS]; 2]>,
    /// By stones on the board: the last two cells that refuted.
    killers: Box<[[Option<u16>; 2]; MOST_BITS]>,
    /// Windows of k through each cell: how central it is.
    windows: Box<[i32; MOST_BITS]>,
}

/// The moves of a node with their merits, taken best first.
pub(super) struct Moves {
    columns: [u8; MOST_COLUMNS],
    merits: [i32; MOST_COLUMNS],
    count: usize,
    taken: usize,
}

impl Order {
    /// Nothing learnt yet, on a board with runs of `run`.
    pub(super) fn new(geometry: &Geometry, run: u8) -> Self {
        let mut windows = Box::new([0; MOST_BITS]);
        for window in super::windows::all(geometry, run) {
            for cell in window {
                windows[usize::from(cell)] += 1;
            }
        }
        Self {
            history: Box::new([[0; MOST_BITS]; 2]),
            killers: Box::new([[None; 2]; MOST_BITS]),
            windows,
        }
    }

    /// Forgets what was learnt.
    pub(super) fn forget(&mut self) {
        self.history.fill([0; MOST_BITS]);
        self.killers.fill([None; 2]);
    }

    /// The columns of `open` with their merits, `known` before all.
    #[inline(always)]
    pub(super) fn moves<const WORDS: usize>(
        &self,
        state: &State<WORDS>,
        stones: u16,
        open: Columns,
        known: Option<u8>,
    ) -> Moves {
        let mut moves = Moves {
            columns: [0; MOST_COLUMNS],
            merits: [0; MOST_COLUMNS],
            count: 0,
            taken: 0,
        };
        let side = state.side & 1;
        let [killer, second] = self.killers[usize::from(stones) % MOST_BITS];
        let mut left = open;
        while left != 0 {
            let column = left.trailing_zeros() as usize % MOST_COLUMNS;
            left &= left - 1;
            let cell = state.landing[column];
            let at = usize::from(cell) % MOST_BITS;
            let mut merit = self.history[side][at] + 16 * self.windows[at];
            if state.next[side] >> column & 1 == 1 {
                merit += GIVEAWAY;
            }
            if killer == Some(cell) {
                merit += KILLER;
            } else if second == Some(cell) {
                merit += KILLER / 2;
            }
            if known == Some(column as u8) {
                merit += KNOWN;
            }
            let at = moves.count % MOST_COLUMNS;
            moves.columns[at] = column as u8;
            moves.merits[at] = merit;
            moves.count += 1;
        }
        moves
    }

    /// Learns that `cell` refuted a node of `stones` and `depth`, and the `tried` before it did not.
    pub(super) fn learn(&mut self, side: usize, stones: u16, depth: i32, cell: u16, tried: &[u16]) {
        let killers = &mut self.killers[usize::from(stones)];
        if killers[0] != Some(cell) {
            *killers = [Some(cell), killers[0]];
        }
        let weight = (depth * depth).clamp(1, 400);
        self.nudge(side, cell, weight);
        for &other in tried {
            self.nudge(side, other, -weight);
        }
    }

    fn nudge(&mut self, side: usize, cell: u16, by: i32) {
        let history = &mut self.history[side][usize::from(cell)];
        *history += 8 * by - *history * 8 * by.abs() / MOST_HISTORY;
    }
}

impl Moves {
    /// The best column not yet taken.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<u8> {
        if self.taken == self.count {
            return None;
        }
        let first = self.taken % MOST_COLUMNS;
        let mut best = first;
        for at in first + 1..self.count.min(MOST_COLUMNS) {
            if self.merits[at] > self.merits[best] {
                best = at;
            }
        }
        self.merits.swap(first, best);
        self.columns.swap(first, best);
        self.taken += 1;
        Some(self.columns[first])
    }
}
