//! Threats column by column, and how the game ends when safe cells are filled.
//!
//! A threat is an empty cell that finishes a run of a side. In each column the
//! threats are told from the landing cell up, with blocked cells left out, so
//! that neighbours in the mask are filled one after the other.

use super::plan::Plan;
use super::rows::{Ending, column_row};
use crate::gather::gather;

/// Most columns of a board with falling stones.
pub const MOST_COLUMNS: usize = 16;

/// What the search knows of a position besides its stones, none of it recomputed here.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, const WORDS: usize> {
    /// The stones of each side.
    pub stones: &'a [[u64; WORDS]; 2],
    /// Cells that finish a run of each side; occupied ones do no harm.
    pub winning: &'a [[u64; WORDS]; 2],
    /// The bit where a stone lands, for each column that is not full.
    pub landing: &'a [u16; MOST_COLUMNS],
}

/// The same, column by column: bit `r` is the cell of row `r`.
#[derive(Clone, Copy, Debug)]
pub struct ColumnView {
    /// Empty cells that finish a run of each side.
    pub winning: [[u16; MOST_COLUMNS]; 2],
    /// The cell where a stone lands, if there is one.
    pub landing: [u16; MOST_COLUMNS],
}

/// A column with threats.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Column {
    /// For each side: its threats, bit 0 the landing cell.
    pub(super) threats: [u16; 2],
    /// Cells that can still be played.
    pub(super) left: u16,
    /// Index of the side to whom the landing cell falls when all else is filled first.
    pub(super) owner: u16,
}

/// The columns with threats of a position.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Threats {
    columns: [Column; MOST_COLUMNS],
    count: usize,
}

impl Threats {
    /// The threats of the position that `view` shows.
    #[inline(always)]
    pub(super) fn new<const WORDS: usize>(plan: &Plan, view: &View<'_, WORDS>) -> Self {
        let mut threats = Self::default();
        let mut known = 0_u32;
        for word in 0..WORDS {
            let occupied = view.stones[0][word] | view.stones[1][word];
            let winning = view.winning[0][word] | view.winning[1][word];
            let mut found = winning & !occupied & plan.playable[word];
            while found != 0 {
                let at = found.trailing_zeros();
                let column = plan.column_of(word as u32 * 64 + at);
                // The rest of the column in this word, and all of it in the next.
                let landing: u32 = view.landing[column % MOST_COLUMNS].into();
                let upward = plan.upward(landing);
                found &= found - 1;
                found &= !within(upward, landing, word as u32 * 64);
                if known >> column & 1 == 1 {
                    continue;
                }
                known |= 1 << column;
                let above = |side: usize| from_bit(&view.winning[side], landing);
                threats.note(plan, landing, [above(0), above(1)]);
            }
        }
        threats
    }

    /// The same of a position that is seen column by column.
    #[inline(always)]
    pub(super) fn by_columns(plan: &Plan, view: &ColumnView) -> Self {
        let mut threats = Self::default();
        let [first, second] = &view.winning;
        for (column, (first, second)) in first.iter().zip(second).enumerate() {
            if first | second != 0 {
                let row = view.landing[column].trailing_zeros();
                let above = [first, second].map(|&winning| u64::from(winning) >> row);
                threats.note(plan, plan.bit(column, row), above);
            }
        }
        threats
    }

    /// Notes a column that a stone falls to `landing` in, with each side's winning cells from there up.
    #[inline(always)]
    fn note(&mut self, plan: &Plan, landing: u32, above: [u64; 2]) {
        let upward = plan.upward(landing);
        self.columns[self.count % MOST_COLUMNS] = Column {
            threats: above.map(|above| gather(above, upward) as u16),
            left: plan.left_above(landing) + 1,
            owner: plan.owner_of(landing) as u16,
        };
        self.count += 1;
    }

    /// The rows of the columns.
    #[inline(always)]
    pub(super) fn rows(&self) -> impl Iterator<Item = u16> {
        self.columns[..self.count]
            .iter()
            .map(|column| column_row(column.threats, column.owner.into()))
    }

    /// Who wins when both sides fill safe cells of the `left` ones, and how many are filled before one must give way.
    ///
    /// Under its own threat a side may play: that gives up the threat and no
    /// more. Under one of the opponent's it loses. Each side gives way as late
    /// as it can, first in the column that is nearest to full.
    #[inline(always)]
    pub(super) fn fill(mut self, mut left: u16, mut mover: usize) -> (Ending, u16) {
        let mut first_patience = None;
        let columns = &mut self.columns[..self.count];
        loop {
            let patience = first_patience.unwrap_or(0);
            if columns.iter().any(|column| column.threats[mover] & 1 == 1) {
                return (Ending::Won(mover), patience);
            }
            let blocked = columns
                .iter_mut()
                .find(|column| column.threats[mover ^ 1] & 1 == 1);
            if let Some(column) = blocked {
                column.rise(1);
            } else {
                let safe = left - fill_to_threats(columns);
                left -= safe;
                mover ^= usize::from(safe & 1);
                let patience = *first_patience.get_or_insert(safe);
                let threatened = columns.iter().any(|column| column.all() != 0);
                let given = columns
                    .iter_mut()
                    .filter(|column| column.all() != 0 && column.threats[mover ^ 1] >> 1 & 1 == 0)
                    .min_by_key(|column| {
                        (
                            column.left,
                            column.threats[mover],
                            column.threats[mover ^ 1],
                        )
                    });
                match given {
                    Some(column) => column.rise(1),
                    None if threatened => return (Ending::Won(mover ^ 1), patience),
                    None => return (Ending::Full, patience),
                }
            }
            left -= 1;
            mover ^= 1;
        }
    }
}

/// The 64 bits of `words` from `bit` up.
#[inline(always)]
fn from_bit<const WORDS: usize>(words: &[u64; WORDS], bit: u32) -> u64 {
    let (word, offset) = ((bit / 64) as usize % WORDS, bit % 64);
    let next = words.get(word + 1).copied().unwrap_or(0);
    // Two shifts, since one by 64 would be none.
    words[word] >> offset | next << 1 << (63 - offset)
}

/// The bits of `cells`, whose bit 0 is `bit` of the board, that lie in the word from `start` on.
///
/// Contract: they begin in that word or in the one before.
#[inline(always)]
fn within(cells: u64, bit: u32, start: u32) -> u64 {
    match bit.checked_sub(start) {
        Some(offset) => cells << offset,
        None => cells >> (start - bit),
    }
}

/// Raises every column to the cell below its first threat; the cells left in them.
///
/// Contract: no landing cell is a threat.
#[inline(always)]
fn fill_to_threats(columns: &mut [Column]) -> u16 {
    let mut left = 0;
    for column in columns {
        match column.all() {
            0 => column.left = 0,
            all => column.rise(all.trailing_zeros() - 1),
        }
        left += column.left;
    }
    left
}

impl Column {
    #[inline(always)]
    const fn all(&self) -> u16 {
        self.threats[0] | self.threats[1]
    }

    #[inline(always)]
    fn rise(&mut self, cells: u32) {
        self.threats = self.threats.map(|threats| threats >> cells);
        self.left -= cells as u16;
    }
}
