//! The inputs of the network: which row of weights stands for what.
//!
//! | rows | meaning |
//! |---|---|
//! | [`NONE`] | nothing: all weights are zero |
//! | windows | direction, height, and each of four cells: stone, or empty and whose |
//! | columns | threats of both sides on the next cells of a column, and whose the lowest is |
//! | phases | how many cells are left, and who moves |
//! | fills | who wins when all safe cells are filled, after how many, and who moves |
//!
//! Rows know sizes of boards and runs no more: one set of weights serves all. A
//! mirrored position has the same rows. Exchanged colours give the rows of
//! [`swapped`], which is its own inverse.

/// Directions that a mirror leaves apart: up, across, and both diagonals.
pub(super) const DIRECTIONS: usize = 3;
/// Heights of windows that are told apart.
const HEIGHTS: usize = 8;
/// The height by the lowest row of a window.
const HEIGHT_OF_ROW: [usize; 16] = [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 7, 7];
/// Cells of a window as rows know it; other runs are read as this one.
pub(super) const WINDOW: usize = 4;
/// Contents of a window of one side: each cell one of three.
const PATTERNS: usize = 3_usize.pow(WINDOW as u32);
/// Cells above a column's top that its row tells.
pub(super) const COLUMN_CELLS: u32 = 6;
const COLUMN_CODES: usize = 1 << (2 * COLUMN_CELLS);
/// Stages of the game, by the cells left.
pub const PHASES: usize = 8;
/// A phase ends where more cells than these are left.
const PHASE_ENDS: [u16; PHASES - 1] = [8, 16, 28, 42, 60, 80, 105];
/// A fill's patience ends where more safe cells than these are left.
const PATIENCE_ENDS: [u16; 3] = [0, 6, 20];
const PATIENCES: usize = PATIENCE_ENDS.len() + 1;
/// Ways a fill ends: with a full board, or won by either side.
pub(super) const ENDINGS: usize = 3;
/// Outputs of the network: one for each phase and ending.
pub const HEADS: usize = PHASES * ENDINGS;

const WINDOW_ROWS: usize = 1;
const COLUMN_ROWS: usize = WINDOW_ROWS + DIRECTIONS * HEIGHTS * 2 * PATTERNS;
const PHASE_ROWS: usize = COLUMN_ROWS + 2 * COLUMN_CODES;
const FILL_ROWS: usize = PHASE_ROWS + PHASES * 2;
/// How many rows there are.
pub const ROWS: usize = FILL_ROWS + ENDINGS * PATIENCES * 2;
/// The row of what says nothing.
pub const NONE: u16 = 0;

const _: () = assert!(ROWS <= 1 << 16);

/// The height of a window by its lowest row.
pub(super) fn height(lowest_row: u8) -> usize {
    HEIGHT_OF_ROW[usize::from(lowest_row) % HEIGHT_OF_ROW.len()]
}

/// A cell of a window, from the side that the window belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A stone of that side.
    Stone,
    /// Empty, and that side's when all else is filled first.
    Own,
    /// Empty, and the other side's.
    Other,
}

/// The stage of the game with that many cells left.
#[inline(always)]
pub(super) fn phase(left: u16) -> usize {
    PHASE_ENDS.iter().filter(|&&end| left > end).count()
}

/// The row of a stage, with the index of the side to move.
#[inline(always)]
pub(super) fn phase_row(left: u16, mover: usize) -> u16 {
    (PHASE_ROWS + 2 * phase(left) + mover) as u16
}

/// How a game ends when both sides fill safe cells as long as they can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Nobody must give a win away.
    Full,
    /// The side with that index wins.
    Won(usize),
}

/// The output for a position with `left` cells left, by how its fill ends for the side to move.
///
/// Who wins when nothing happens any more decides what everything else is worth.
#[inline(always)]
pub(super) fn head(left: u16, ending: Ending, mover: usize) -> usize {
    let ending = match ending {
        Ending::Full => 0,
        Ending::Won(side) if side == mover => 1,
        Ending::Won(_) => 2,
    };
    ENDINGS * phase(left) + ending
}

/// The row of a fill after `patience` safe cells, with the index of the side to move.
#[inline(always)]
pub(super) fn fill_row(ending: Ending, patience: u16, mover: usize) -> u16 {
    let ending = match ending {
        Ending::Full => 0,
        Ending::Won(side) => 1 + side,
    };
    let patience = PATIENCE_ENDS.iter().filter(|&&end| patience > end).count();
    (FILL_ROWS + (ending * PATIENCES + patience) * 2 + mover) as u16
}

/// The row of a column by the threats of both sides from its landing cell up, and whose that cell is.
#[inline(always)]
pub(super) fn column_row(threats: [u16; 2], owner: usize) -> u16 {
    let mask = (1 << COLUMN_CELLS) - 1;
    let code = usize::from(threats[0] & mask) | usize::from(threats[1] & mask) << COLUMN_CELLS;
    if code == 0 {
        return NONE;
    }
    (COLUMN_ROWS + owner * COLUMN_CODES + code) as u16
}

/// The row of a window whose stones are all of the side with index `side`, its lowest cell first.
///
/// A window without a stone is read from the first side.
///
/// What counts is what is missing. A run longer than four is read without so
/// many of its own stones, the first ones, and says nothing before it has them;
/// a run of three is read with one more before it, and says nothing while it is
/// empty. Across the board the first end is the one that gives the lower number.
pub(super) fn window_row(direction: usize, lowest_row: u8, side: usize, places: &[Place]) -> u16 {
    let surplus = places.len().saturating_sub(WINDOW);
    let stones = places.iter().filter(|&&place| place == Place::Stone);
    let stones = stones.count();
    if stones < surplus || (stones == 0 && places.len() < WINDOW) {
        return NONE;
    }
    let is_empty = stones == surplus && places.len() >= WINDOW;
    let mut pattern = folded(places.iter(), places.len());
    if direction == ACROSS {
        pattern = pattern.min(folded(places.iter().rev(), places.len()));
    }
    if is_empty && side == 1 {
        pattern = exchanged(pattern);
        if direction == ACROSS {
            pattern = pattern.min(reversed(pattern));
        }
    }
    let height = height(lowest_row);
    let half = if is_empty { 0 } else { side };
    (WINDOW_ROWS + ((direction * HEIGHTS + height) * 2 + half) * PATTERNS + pattern) as u16
}

/// The pattern of `length` places read as four: without their first stones, or with stones before them.
fn folded<'a>(places: impl Iterator<Item = &'a Place>, length: usize) -> usize {
    let missing = WINDOW.saturating_sub(length);
    let mut surplus = length.saturating_sub(WINDOW);
    let kept = places.filter(|&&place| {
        let is_left_out = place == Place::Stone && surplus > 0;
        surplus -= usize::from(is_left_out);
        !is_left_out
    });
    let mut four = [Place::Stone as usize; WINDOW];
    for (digit, &place) in four[missing..].iter_mut().zip(kept) {
        *digit = place as usize;
    }
    number(four.iter())
}

/// The direction whose windows a mirror turns round.
pub(super) const ACROSS: usize = 1;

/// The cells of a pattern as digits, the lowest cell first.
fn digits(mut pattern: usize) -> [usize; WINDOW] {
    let mut digits = [0; WINDOW];
    for digit in digits.iter_mut().rev() {
        *digit = pattern % 3;
        pattern /= 3;
    }
    digits
}

fn number<'a>(digits: impl Iterator<Item = &'a usize>) -> usize {
    digits.fold(0, |number, digit| number * 3 + digit)
}

/// The pattern with the owners of empty cells exchanged.
fn exchanged(pattern: usize) -> usize {
    number(digits(pattern).map(|digit| [0, 2, 1][digit]).iter())
}

/// The pattern read from its other end.
fn reversed(pattern: usize) -> usize {
    number(digits(pattern).iter().rev())
}

/// Less special rows that a row belongs to, as far as `share` is called: what they have in common.
///
/// Training gives every row the sum of its own weights and theirs, so that rare
/// rows learn from common ones. Groups are numbered from 0 to [`GROUPS`].
pub fn groups(row: u16, mut share: impl FnMut(usize)) {
    let row = usize::from(row);
    if (WINDOW_ROWS..COLUMN_ROWS).contains(&row) {
        let at = row - WINDOW_ROWS;
        let (pattern, half) = (at % PATTERNS, at / PATTERNS % 2);
        let direction = at / (2 * PATTERNS * HEIGHTS);
        share((direction * 2 + half) * PATTERNS + pattern);
        let empties = |whose: usize| digits(pattern).iter().filter(|&&d| d == whose).count();
        let kind = empties(1) * (WINDOW + 1) + empties(2);
        share(KIND_GROUPS + half * KINDS + kind);
    } else if (COLUMN_ROWS..PHASE_ROWS).contains(&row) {
        let at = row - COLUMN_ROWS;
        let (code, owner) = (at % COLUMN_CODES, at / COLUMN_CODES);
        for cell in 0..COLUMN_CELLS as usize {
            let both = (code >> cell & 1) | (code >> (cell + COLUMN_CELLS as usize) & 1) << 1;
            if both > 0 {
                share(CELL_GROUPS + (owner * COLUMN_CELLS as usize + cell) * 3 + both - 1);
            }
        }
        let all = (code | code >> COLUMN_CELLS) & ((1 << COLUMN_CELLS) - 1);
        if all == 0 {
            return;
        }
        let lowest = all.trailing_zeros() as usize;
        let both = (code >> lowest & 1) | (code >> (lowest + COLUMN_CELLS as usize) & 1) << 1;
        let whose = (owner + lowest) % 2;
        share(LOWEST_GROUPS + whose * 3 + both - 1);
    } else if row >= FILL_ROWS {
        let at = row - FILL_ROWS;
        share(FILL_GROUPS + at / (2 * PATIENCES));
    }
}

const KIND_GROUPS: usize = DIRECTIONS * 2 * PATTERNS;
const KINDS: usize = (WINDOW + 1) * (WINDOW + 1);
const CELL_GROUPS: usize = KIND_GROUPS + 2 * KINDS;
const LOWEST_GROUPS: usize = CELL_GROUPS + 2 * COLUMN_CELLS as usize * 3;
const FILL_GROUPS: usize = LOWEST_GROUPS + 2 * 3;
/// How many groups there are.
pub const GROUPS: usize = FILL_GROUPS + 3;

/// The row of the same thing with the colours exchanged.
pub fn swapped(row: u16) -> u16 {
    let row = usize::from(row);
    let other = if row < WINDOW_ROWS {
        row
    } else if row < COLUMN_ROWS {
        let at = row - WINDOW_ROWS;
        let (pattern, half, place) = (at % PATTERNS, at / PATTERNS % 2, at / (2 * PATTERNS));
        if digits(pattern).contains(&(Place::Stone as usize)) {
            WINDOW_ROWS + (2 * place + 1 - half) * PATTERNS + pattern
        } else {
            let mut pattern = exchanged(pattern);
            if place / HEIGHTS == ACROSS {
                pattern = pattern.min(reversed(pattern));
            }
            WINDOW_ROWS + (2 * place + half) * PATTERNS + pattern
        }
    } else if row < PHASE_ROWS {
        let at = row - COLUMN_ROWS;
        let (code, owner) = (at % COLUMN_CODES, at / COLUMN_CODES);
        let mask = (1 << COLUMN_CELLS) - 1;
        let code = (code & mask) << COLUMN_CELLS | code >> COLUMN_CELLS;
        COLUMN_ROWS + (1 - owner) * COLUMN_CODES + code
    } else if row < FILL_ROWS {
        PHASE_ROWS + ((row - PHASE_ROWS) ^ 1)
    } else {
        let at = row - FILL_ROWS;
        let (ending, rest) = (at / (2 * PATIENCES), at % (2 * PATIENCES));
        FILL_ROWS + [0, 2, 1][ending] * 2 * PATIENCES + (rest ^ 1)
    };
    other as u16
}
