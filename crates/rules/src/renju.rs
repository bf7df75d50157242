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
use crate::geometry::Geometry;
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
    let rays = Rays::from(geometry, cell);
    let near = rays.lines(own);
    if is_quiet(near) {
        return Verdict::Allowed;
    }
    let far = rays.lines(other);
    let lines: [Line; 4] = std::array::from_fn(|at| Line {
        own: near[at] | 1 << CENTRE,
        open: rays.board(at) & !(near[at] | far[at] | 1 << CENTRE),
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

/// Whether too few stones are near for a five, an overline, two fours or two threes.
///
/// Two shapes in different lines take two further stones in each; two fours in
/// one line, a five and an overline take four within four cells.
#[inline]
fn is_quiet(near: [u16; 4]) -> bool {
    const WITHIN_FOUR: u16 = 0b011_1111_1110;
    let counts = near.map(|line| (line & WITHIN_FOUR).count_ones());
    counts.iter().filter(|&&count| count >= 2).count() < 2 && counts.iter().all(|&count| count < 4)
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

    /// Which cells of each line are in `set`, the centre left out.
    #[inline]
    fn lines<const WORDS: usize>(&self, set: Bits<WORDS>) -> [u16; 4] {
        std::array::from_fn(|line| {
            let (before, behind) = self.room[line];
            let shift = self.shifts[line];
            let mut found = 0;
            for distance in 1..=before {
                found |= u16::from(set.contains(self.at - distance * shift)) << (CENTRE - distance);
            }
            for distance in 1..=behind {
                found |= u16::from(set.contains(self.at + distance * shift)) << (CENTRE + distance);
            }
            found
        })
    }

    /// The cells of a line that are on the board.
    #[inline]
    fn board(&self, line: usize) -> u16 {
        let (before, behind) = self.room[line];
        (1 << (CENTRE + behind + 1)) - (1 << (CENTRE - before))
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
