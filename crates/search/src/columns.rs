//! Sets of columns, and what they decide without search where stones fall.
//!
//! In each column one cell matters now and one next: where a stone lands, and
//! the cell that it opens above. Whose landing or next cell wins for whom
//! decides wins, losses and forced moves, for every search alike.

use crate::mcts::Pruning;
use crate::mcts::game::Outlook;
use crate::value::Value;

/// Most columns, and rows, of a board with falling stones.
pub(crate) use crate::neural::MOST_COLUMNS;

/// A set of columns.
pub(crate) type Columns = u16;

/// Whether a set has two members or more.
#[inline(always)]
pub(crate) fn has_two(columns: Columns) -> bool {
    columns & columns.wrapping_sub(1) != 0
}

/// How far a column of so many is from the nearer edge.
pub(crate) fn from_edge(column: u8, columns: u8) -> u8 {
    column.min(columns - 1 - column)
}

/// So many columns, central ones first.
pub(crate) fn outward(columns: u8) -> Vec<u8> {
    let mut outward: Vec<u8> = (0..columns).collect();
    outward.sort_by_key(|&column| columns - from_edge(column, columns));
    outward
}

/// The winning cells of a position within reach.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Prospect {
    /// Columns that are not full.
    pub(crate) open: Columns,
    /// Those of the side to move.
    pub(crate) mine: Wins,
    /// Those of the other.
    pub(crate) theirs: Wins,
    /// Those in which the side to move wins on both cells above the landing cell.
    pub(crate) stacked: Columns,
}

/// The open columns in which a side wins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Wins {
    /// On the landing cell.
    pub(crate) now: Columns,
    /// On the cell above it.
    pub(crate) next: Columns,
}

impl Prospect {
    /// What the columns decide.
    ///
    /// Contract: nobody has won yet.
    #[inline(always)]
    pub(crate) fn judge(&self, pruning: Pruning) -> Outlook<Columns> {
        if self.open == 0 {
            return Outlook::Decided(Value::Draw);
        }
        if pruning == Pruning::None {
            return Outlook::Open(self.open);
        }
        if self.mine.now != 0 {
            return Outlook::Decided(Value::Win { plies: 1 });
        }
        let threats = self.theirs.now;
        if threats != 0 {
            // The block of one leaves the other, or opens the cell above itself.
            return if has_two(threats) || threats & self.theirs.next != 0 {
                Outlook::Decided(Value::Loss { plies: 2 })
            } else {
                Outlook::Open(threats)
            };
        }
        if pruning == Pruning::Threats {
            return Outlook::Open(self.open);
        }
        // The first of the two must be blocked, and then the second wins.
        if self.stacked & !self.theirs.next != 0 {
            return Outlook::Decided(Value::Win { plies: 3 });
        }
        match self.open & !self.theirs.next {
            0 => Outlook::Decided(Value::Loss { plies: 2 }),
            safe => Outlook::Open(safe),
        }
    }

    /// The columns to choose from where [`Self::judge`] has decided: what wins, else what
    /// blocks, else all.
    pub(crate) fn decisive(&self) -> Columns {
        let stacked = self.stacked & !self.theirs.next;
        [self.mine.now, self.theirs.now, stacked]
            .into_iter()
            .find(|&columns| columns != 0)
            .unwrap_or(self.open)
    }
}
