//! Finished runs, and the cells that finish one.
//!
//! Two ways to ask. Bit-parallel: all cells at once that complete `run` or
//! more stones in a line, for boards where that is what wins. Through a cell:
//! the runs that a given stone is part of, judged by any rule.

use crate::bits::Bits;
use crate::cell::{Cell, Side};
use crate::variant::{Rule, Variant};

/// Whether `stones` hold `run` or more in a line along any of `directions`.
#[inline(always)]
pub fn has_run<const WORDS: usize>(stones: Bits<WORDS>, directions: [u32; 4], run: u8) -> bool {
    let mut found = Bits::EMPTY;
    for direction in directions {
        found |= run_ends(stones, direction, run);
    }
    !found.is_empty()
}

/// The lowest stones of every `run` stones in a line along `direction`.
#[inline(always)]
pub fn run_ends<const WORDS: usize>(stones: Bits<WORDS>, direction: u32, run: u8) -> Bits<WORDS> {
    let pairs = stones & stones.shr_small(direction);
    if run == 4 || run == 5 {
        let fours = pairs & pairs.shr_small(2 * direction);
        return if run == 4 {
            fours
        } else {
            fours & fours.shr_small(direction)
        };
    }
    let mut ends = pairs;
    for _ in 2..run {
        ends = stones & ends.shr_small(direction);
    }
    ends
}

/// Cells, of any content, where a stone would make `run` or more in a line.
///
/// Guard cells and cells off the board may be among them: intersect with what
/// may be played.
#[inline(always)]
pub fn finishing_cells<const WORDS: usize>(
    stones: Bits<WORDS>,
    directions: [u32; 4],
    run: u8,
) -> Bits<WORDS> {
    let mut found = Bits::EMPTY;
    for direction in directions {
        found |= if run == 4 {
            finishing_four(stones, direction)
        } else {
            finishing_any(stones, direction, run)
        };
    }
    found
}

#[inline(always)]
fn finishing_four<const WORDS: usize>(stones: Bits<WORDS>, direction: u32) -> Bits<WORDS> {
    let below = stones.shl_small(direction);
    let above = stones.shr_small(direction);
    let two_below = below & below.shl_small(direction);
    let two_above = above & above.shr_small(direction);
    let three_below = below & two_below.shl_small(direction);
    let three_above = above & two_above.shr_small(direction);
    three_below | (two_below & above) | (below & two_above) | three_above
}

/// A cell finishes a run when `j` stones follow on one side and `run - 1 - j` on the other.
#[inline]
fn finishing_any<const WORDS: usize>(stones: Bits<WORDS>, direction: u32, run: u8) -> Bits<WORDS> {
    let neighbour_above = stones.shr_small(direction);
    let mut above = [!Bits::EMPTY; crate::geometry::LARGEST_SIDE as usize];
    for j in 1..usize::from(run) {
        above[j] = neighbour_above & above[j - 1].shr_small(direction);
    }
    let neighbour_below = stones.shl_small(direction);
    let mut below = !Bits::EMPTY;
    let mut found = above[usize::from(run) - 1];
    for j in 1..usize::from(run) {
        below = neighbour_below & below.shl_small(direction);
        found |= below & above[usize::from(run) - 1 - j];
    }
    found
}

/// The cells of every winning line that the stone of `side` on `cell` is part of.
///
/// Empty when the stone wins nothing. Each rule is judged here and nowhere
/// else. Contract: `cell` holds a stone of `side` in `stones`.
pub(crate) fn winning_line<const WORDS: usize>(
    variant: &Variant,
    stones: &[Bits<WORDS>; 2],
    side: Side,
    cell: Cell,
) -> Bits<WORDS> {
    let geometry = variant.geometry();
    let (own, other) = (stones[side.index()], stones[(!side).index()]);
    let at = geometry.index(cell) as i32;
    debug_assert!(own.contains(at as u32));
    let holds = |set: Bits<WORDS>, index: i32| index >= 0 && set.contains(index as u32);
    let mut line = Bits::EMPTY;
    for direction in geometry.directions().map(|shift| shift as i32) {
        let mut low = at;
        while holds(own, low - direction) {
            low -= direction;
        }
        let mut high = at;
        while holds(own, high + direction) {
            high += direction;
        }
        let length = (high - low) / direction + 1;
        let closed = holds(other, low - direction) && holds(other, high + direction);
        if wins(variant, side, length, closed) {
            let mut index = low;
            while index <= high {
                line |= Bits::bit(index as u32);
                index += direction;
            }
        }
    }
    line
}

/// Whether a maximal run of `length` stones of `side` wins; `closed`: by the opponent, at both ends.
///
/// In caro the edge of the board closes nothing: the game manager of Gomocup
/// asks for a stone of the opponent at both ends.
fn wins(variant: &Variant, side: Side, length: i32, closed: bool) -> bool {
    let run = i32::from(variant.run());
    match variant.rule() {
        Rule::Gravity | Rule::Freestyle => length >= run,
        Rule::Standard => length == run,
        Rule::Renju => length == run || (length > run && side == Side::Second),
        Rule::Caro => length == run && !closed,
    }
}
