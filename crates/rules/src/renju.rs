//! Renju's forbidden points, exact to any depth.
//!
//! Owns the definitions of the published rules (RIF): five, overline, four,
//! straight four and three, each seen from one new stone along one line. A
//! three counts only if the stone that makes it a straight four is itself
//! allowed, so the judgement calls itself with that stone placed; each call
//! has one stone more on the board, which ends the recursion. Refuses to know
//! whose turn it is. Nothing is allocated.
//!
//! ```text
//!   . . X X X X . .   straight four: both ends make exactly five; one four
//!   X . X X X . X     two fours in one line, one at each gap
//!   . X X . X .       a three: the gap makes a straight four
//!   X . X X X . .     a four and no three: the gap makes five
//!   O . X X X . . X   no three: of the next four only one end makes exactly five
//! ```

use crate::bits::Bits;
use crate::cell::Cell;
use crate::geometry::{Geometry, LARGEST_SIDE};
use std::fmt;

/// Why a point is forbidden to the first side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forbidden {
    /// Six or more in a line.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two open threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overline => "overline",
            Self::DoubleFour => "double four",
            Self::DoubleThree => "double three",
        })
    }
}

/// Why the empty `cell` is forbidden to the first side; `None` if it may play there.
///
/// `stones` are those of the first and of the second side, in any number. A
/// point that makes exactly five is never forbidden. Where several reasons
/// hold, the first of overline, double four, double three is given. Contract:
/// `cell` is an empty cell of the board.
///
/// ```
/// use stoneline_rules::{Bits, Cell, Forbidden, Variant, forbidden};
/// let renju: Variant = "renju".parse().unwrap();
/// //  10  . . X .
/// //   9  . . X .
/// //   8  X X 3 .
/// //      f g h i
/// let black = [(5, 7), (6, 7), (7, 8), (7, 9)]
///     .map(|(column, row)| renju.geometry().index(Cell::new(column, row)));
/// let stones = [Bits::<4>::from_iter(black), Bits::EMPTY];
/// let why = forbidden(renju.geometry(), &stones, Cell::new(7, 7));
/// assert_eq!(why, Some(Forbidden::DoubleThree));
/// ```
pub fn forbidden<const WORDS: usize>(
    geometry: &Geometry,
    stones: &[Bits<WORDS>; 2],
    cell: Cell,
) -> Option<Forbidden> {
    match judge(geometry, stones, cell) {
        Verdict::Forbidden(why) => Some(why),
        Verdict::Five | Verdict::Allowed => None,
    }
}

/// What the first side's stone on an empty cell does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Makes exactly five, whatever else it makes.
    Five,
    Allowed,
    Forbidden(Forbidden),
}

/// How far from a stone a line can matter: an exact five has five cells and needs both neighbours.
const REACH: u8 = 5;

/// Column and row steps of `Geometry::directions`, in that order.
const STEPS: [(i8, i8); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

fn judge<const WORDS: usize>(
    geometry: &Geometry,
    stones: &[Bits<WORDS>; 2],
    cell: Cell,
) -> Verdict {
    let [own, other] = *stones;
    debug_assert!(!(own | other).contains(geometry.index(cell)));
    let counts = near_counts(geometry, own, cell);
    if is_quiet(counts) {
        return Verdict::Allowed;
    }
    let rays = Rays::from(geometry, cell);
    let lines: [Line; 4] = std::array::from_fn(|at| match counts[at] {
        0 | 1 => Line::LONE,
        _ => rays.line(at, own, other),
    });
    let lengths = lines.map(|line| run(line.own).length());
    if lengths.contains(&5) {
        return Verdict::Five;
    }
    if lengths.iter().any(|&length| length > 5) {
        return Verdict::Forbidden(Forbidden::Overline);
    }
    if lines.iter().map(|line| line.fours()).sum::<u32>() >= 2 {
        return Verdict::Forbidden(Forbidden::DoubleFour);
    }
    let completions = lines.map(Line::straight_four_points);
    if is_double_three(
        geometry,
        [own | Bits::bit(rays.at), other],
        cell,
        completions,
    ) {
        return Verdict::Forbidden(Forbidden::DoubleThree);
    }
    Verdict::Allowed
}

/// Whether so few stones are near that no shape can arise.
///
/// A three or a four takes two further stones in its line, and two of them lie
/// in two lines, or take four in one; so do five and overline.
#[inline]
fn is_quiet(counts: [u32; 4]) -> bool {
    counts.iter().filter(|&&count| count >= 2).count() < 2 && counts.iter().all(|&count| count < 4)
}

/// How many of `own` lie within four cells of `cell` in each direction, or a few more.
///
/// A line that leaves the board goes on in a neighbouring column here, which
/// can only make a quiet cell look busy.
#[inline]
fn near_counts<const WORDS: usize>(geometry: &Geometry, own: Bits<WORDS>, cell: Cell) -> [u32; 4] {
    let stride = geometry.stride();
    let lowest = geometry.index(cell) as i32 - near_centre(stride) as i32;
    let around = window(own, lowest);
    NEAR[stride as usize].map(|line| (around & line).len())
}

/// Cells up to this far along a line tell a quiet cell.
const NEAR_REACH: u32 = 4;

/// By stride and direction, the cells of a line near its centre, which is at `near_centre`.
static NEAR: [[Bits<4>; 4]; LARGEST_SIDE as usize + 2] = {
    let mut near = [[Bits::EMPTY; 4]; LARGEST_SIDE as usize + 2];
    let mut stride = 2;
    while stride < near.len() as u32 {
        let shifts = [1, stride - 1, stride, stride + 1];
        let mut line = 0;
        while line < 4 {
            let mut words = [0; 4];
            let mut distance = 1;
            while distance <= NEAR_REACH {
                let before = near_centre(stride) - distance * shifts[line];
                let behind = near_centre(stride) + distance * shifts[line];
                words[before as usize / 64] |= 1 << (before % 64);
                words[behind as usize / 64] |= 1 << (behind % 64);
                distance += 1;
            }
            near[stride as usize][line] = Bits::from_words(words);
            line += 1;
        }
        stride += 1;
    }
    near
};

/// How far above the lowest cell of the lines of `NEAR` their centre is.
const fn near_centre(stride: u32) -> u32 {
    NEAR_REACH * (stride + 1)
}

/// The members from `lowest` on, which becomes 0; nothing is below 0 or beyond the width.
#[inline]
fn window<const WORDS: usize>(set: Bits<WORDS>, lowest: i32) -> Bits<4> {
    let words = set.words();
    let word = |at: i32| words.get(at as usize).copied().unwrap_or(0);
    let (first, by) = (lowest.div_euclid(64), lowest.rem_euclid(64));
    Bits::from_words(std::array::from_fn(|at| {
        let at = first + at as i32;
        word(at) >> by | word(at + 1) << 1 << (63 - by)
    }))
}

/// Whether two of the lines through the stone on `cell` are threes.
///
/// `placed` has that stone already; `completions` are the points of each line
/// that would make a straight four, where only an allowed one makes a three.
fn is_double_three<const WORDS: usize>(
    geometry: &Geometry,
    placed: [Bits<WORDS>; 2],
    cell: Cell,
    completions: [u16; 4],
) -> bool {
    let mut possible = completions.iter().filter(|&&points| points != 0).count();
    let mut threes = 0;
    for (points, step) in completions.into_iter().zip(STEPS) {
        if possible < 2 || points == 0 {
            continue;
        }
        // A stone that makes five as well makes no three, by definition.
        let makes_straight_four =
            |point: u32| judge(geometry, &placed, shifted(cell, step, point)) == Verdict::Allowed;
        let highest = points.ilog2();
        let lowest = points.trailing_zeros();
        if makes_straight_four(lowest) || lowest != highest && makes_straight_four(highest) {
            threes += 1;
        } else {
            possible -= 1;
        }
        if threes == 2 {
            return true;
        }
    }
    false
}

/// The cell of bit `point` of the line through `cell` along `step`.
fn shifted(cell: Cell, (column_step, row_step): (i8, i8), point: u32) -> Cell {
    let distance = point as i8 - CENTRE as i8;
    let column = cell.column() as i8 + column_step * distance;
    let row = cell.row() as i8 + row_step * distance;
    Cell::new(column as u8, row as u8)
}

/// The bit of a line where the new stone lies.
const CENTRE: u32 = REACH as u32;

/// The four lines through a cell: where they lead and where the board ends.
struct Rays {
    at: u32,
    shifts: [u32; 4],
    /// Cells that exist before and behind the centre, at most `REACH`.
    room: [(u32, u32); 4],
}

impl Rays {
    #[inline]
    fn from(geometry: &Geometry, cell: Cell) -> Self {
        let (left, down) = (cell.column().min(REACH), cell.row().min(REACH));
        let right = (geometry.columns() - 1 - cell.column()).min(REACH);
        let up = (geometry.rows() - 1 - cell.row()).min(REACH);
        let room = [
            (down, up),
            (left.min(up), right.min(down)),
            (left, right),
            (left.min(down), right.min(up)),
        ];
        Self {
            at: geometry.index(cell),
            shifts: geometry.directions(),
            room: room.map(|(before, behind)| (before.into(), behind.into())),
        }
    }

    /// The line in a direction with a stone of `own` added at the centre.
    #[inline]
    fn line<const WORDS: usize>(&self, at: usize, own: Bits<WORDS>, other: Bits<WORDS>) -> Line {
        let (before, behind) = self.room[at];
        let board: u16 = (1 << (CENTRE + behind + 1)) - (1 << (CENTRE - before));
        let own = self.members(at, own) & board | 1 << CENTRE;
        Line {
            own,
            open: board & !(own | self.members(at, other)),
        }
    }

    /// Which cells of a line are in `set`; off the board the answer means nothing.
    #[inline]
    fn members<const WORDS: usize>(&self, at: usize, set: Bits<WORDS>) -> u16 {
        let shift = self.shifts[at];
        // Below 0 the index wraps to a huge one, which no set has.
        let mut index = self.at.wrapping_sub(CENTRE * shift);
        let mut found = 0;
        for point in 0..=2 * CENTRE {
            found |= u16::from(set.contains(index)) << point;
            index = index.wrapping_add(shift);
        }
        found
    }
}

/// Eleven cells of a line around a new stone, which is among `own`.
#[derive(Clone, Copy)]
struct Line {
    own: u16,
    open: u16,
}

/// A maximal run of stones, as bits of a line.
#[derive(Clone, Copy)]
struct Run {
    low: u32,
    high: u32,
}

impl Run {
    fn length(self) -> u32 {
        self.high - self.low + 1
    }
}

/// The run through the centre. Exact up to five: what leaves the line is longer.
#[inline]
fn run(own: u16) -> Run {
    Run {
        low: CENTRE - (own << (16 - CENTRE)).leading_ones(),
        high: CENTRE + (own >> (CENTRE + 1)).trailing_ones(),
    }
}

impl Line {
    /// The new stone alone, where too few others are near to matter.
    const LONE: Self = Self {
        own: 1 << CENTRE,
        open: 0,
    };

    fn is_open(self, point: u32) -> bool {
        self.open >> point & 1 == 1
    }

    fn is_own(self, point: u32) -> bool {
        self.own >> point & 1 == 1
    }

    /// How many fours the new stone makes. Contract: it makes neither five nor overline.
    ///
    /// Each point that makes exactly five belongs to a four of its own, except
    /// for the two ends of a straight four.
    #[inline]
    fn fours(self) -> u32 {
        let Run { low, high } = run(self.own);
        let makes_five =
            |point: u32| self.is_open(point) && run(self.own | 1 << point).length() == 5;
        match (makes_five(low - 1), makes_five(high + 1)) {
            (true, true) if high - low + 1 == 4 => 1,
            (before, behind) => u32::from(before) + u32::from(behind),
        }
    }

    /// The points that make the new stone part of a straight four. Contract: as for `fours`.
    #[inline]
    fn straight_four_points(self) -> u16 {
        let Run { low, high } = run(self.own);
        let makes_straight_four = |point: u32| {
            let four = run(self.own | 1 << point);
            self.is_open(point)
                && four.length() == 4
                && self.is_open(four.low - 1)
                && self.is_open(four.high + 1)
                && !self.is_own(four.low - 2)
                && !self.is_own(four.high + 2)
        };
        u16::from(makes_straight_four(low - 1)) << (low - 1)
            | u16::from(makes_straight_four(high + 1)) << (high + 1)
    }
}
