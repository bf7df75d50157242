//! Threats column by column, and how the game ends when safe cells are filled.
//!
//! A threat is an empty cell that finishes a run of a side. In each column the
//! threats are told from the landing cell up, with blocked cells left out, so
//! that neighbours in the mask are filled one after the other.

use super::plan::Plan;
use super::rows::{Ending, column_row, fill_row};

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

/// A column with threats.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Column {
    /// For each side: its threats, bit 0 the landing cell.
    pub(super) threats: [u16; 2],
    /// Cells that can still be played.
    pub(super) left: u16,
    /// Index of the side to whom the landing cell falls when all else is filled first.
    pub(super) owner: usize,
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
        let mut last_column = None;
        for word in 0..WORDS {
            let [first, second] = [view.winning[0][word], view.winning[1][word]];
            let occupied = view.stones[0][word] | view.stones[1][word];
            let mut found = (first | second) & !occupied & plan.playable[word];
            while found != 0 {
                let at = found.trailing_zeros();
                found &= found - 1;
                let bit = word as u32 * 64 + at;
                let column = plan.column_of(bit);
                let landing = view.landing[column % MOST_COLUMNS].into();
                if last_column != Some(column) {
                    last_column = Some(column);
                    threats.columns[threats.count % MOST_COLUMNS] = Column {
                        threats: [0; 2],
                        left: plan.left_above(landing) + 1,
                        owner: plan.owner_of(landing),
                    };
                    threats.count += 1;
                }
                let entry = &mut threats.columns[(threats.count - 1) % MOST_COLUMNS];
                let height = plan.height_of(bit) - plan.height_of(landing);
                entry.threats[0] |= ((first >> at & 1) as u16) << height;
                entry.threats[1] |= ((second >> at & 1) as u16) << height;
            }
        }
        threats
    }

    /// The rows of the columns.
    #[inline(always)]
    pub(super) fn rows(&self) -> impl Iterator<Item = u16> {
        self.columns[..self.count]
            .iter()
            .map(|column| column_row(column.threats, column.owner))
    }

    /// The row of the fill, with `left` cells left in all.
    #[inline(always)]
    pub(super) fn fill_row(self, left: u16, mover: usize) -> u16 {
        let (ending, patience) = self.fill(left, mover);
        fill_row(ending, patience, mover)
    }

    /// Who wins when both sides fill safe cells, and how many are filled before one must give way.
    ///
    /// Under its own threat a side may play: that gives up the threat and no
    /// more. Under one of the opponent's it loses. Each side gives way as late
    /// as it can, first in the column that is nearest to full.
    fn fill(mut self, mut left: u16, mut mover: usize) -> (Ending, u16) {
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
