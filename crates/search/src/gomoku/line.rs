//! From the cells around a point to the shape that a stone there would make.
//!
//! A window is the cells of one line up to `radius` before and behind its
//! centre. Every five through the centre lies inside, and where a rule asks
//! what stands beyond a five, the radius is one larger. Small windows are
//! looked up in a table made once a rule; for long runs, where a table would
//! be too large, the shape is found on the spot, the early ones roughly.

use super::shape::Shape;
use stoneline_rules::{Rule, Side, Variant};

/// Codes of a cell in a window, two bits each.
pub(crate) const EMPTY: u8 = 0;
/// The code of a cell off the board: both bits, so that it is nobody's.
pub(crate) const WALL: u8 = 3;

/// The code of a side's stone.
#[inline(always)]
pub(crate) const fn code(side: Side) -> u8 {
    side.index() as u8 + 1
}

/// Largest radius that a table is made for: 4^10 windows.
const TABLE_RADIUS: usize = 5;

/// What wins along a line for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Goal {
    run: u32,
    radius: usize,
    /// More than `run` does not win.
    exact: bool,
    /// A run between two stones of the opponent does not win.
    open_ended: bool,
    /// Renju's first side: overlines and two fours in a line are told apart.
    restricted: bool,
}

impl Goal {
    fn new(variant: &Variant, side: Side) -> Self {
        let rule = variant.rule();
        let restricted = rule == Rule::Renju && side == Side::First;
        Self {
            run: variant.run().into(),
            radius: radius(variant),
            exact: matches!(rule, Rule::Standard | Rule::Caro) || restricted,
            open_ended: rule == Rule::Caro,
            restricted,
        }
    }

    /// The run through the centre, as lowest and highest bit.
    fn run_through(&self, own: u64) -> (u32, u32) {
        let centre = self.radius as u32;
        let low = centre - (own << (63 - centre) << 1).leading_ones();
        let high = centre + (own >> (centre + 1)).trailing_ones();
        (low, high)
    }

    /// Whether the stone at the centre is part of a winning run.
    fn wins(&self, line: Line) -> bool {
        let (low, high) = self.run_through(line.own);
        let length = high - low + 1;
        let closed = self.open_ended
            && low > 0
            && line.other >> (low - 1) & 1 == 1
            && line.other >> (high + 1) & 1 == 1;
        !closed && (length == self.run || length > self.run && !self.exact)
    }

    /// The empty cells where one more stone wins.
    fn five_points(&self, line: Line) -> u64 {
        bits(line.empty)
            .filter(|&point| self.wins(line.with_own(point)))
            .fold(0, |points, point| points | 1 << point)
    }

    /// The shape if the line is at least a four.
    fn four_or_more(&self, line: Line) -> Option<Shape> {
        let (low, high) = self.run_through(line.own);
        if self.restricted && high - low + 1 > self.run {
            return Some(Shape::Overline);
        }
        if self.wins(line) {
            return Some(Shape::Five);
        }
        let points = self.five_points(line);
        if points == 0 {
            return None;
        }
        let open = if self.restricted {
            // Straight: four side by side, both ends make exactly five.
            high - low + 2 == self.run && points == 1 << (low - 1) | 1 << (high + 1)
        } else if self.open_ended {
            bits(line.empty).all(|answer| self.five_points(line.with_other(answer)) != 0)
        } else {
            points.count_ones() >= 2
        };
        Some(if open {
            Shape::OpenFour
        } else if self.restricted && points.count_ones() >= 2 {
            Shape::DoubleFour
        } else {
            Shape::Four
        })
    }

    /// The shape without a table: exact from three up, by counts of windows below.
    fn shape_on_the_spot(&self, line: Line) -> Shape {
        let window = (1_u64 << self.run) - 1;
        let (mut most, mut alive) = (0, 0);
        for start in self.radius as u32 + 1 - self.run..=self.radius as u32 {
            let cells = window << start;
            if cells & !(line.own | line.empty) == 0 {
                most = most.max((line.own & cells).count_ones());
                alive += 1;
            }
        }
        if alive == 0 {
            return Shape::Dead;
        }
        match self.run - most {
            0 | 1 => self.four_or_more(line).unwrap_or(Shape::Dead),
            2 => bits(line.empty)
                .filter_map(|point| self.four_or_more(line.with_own(point)))
                .filter(|&shape| shape < Shape::Five)
                .max()
                .map_or(Shape::Dead, Shape::one_stone_before),
            3 if alive >= 3 => Shape::OpenTwo,
            3 => Shape::SleepingTwo,
            4 if alive >= 3 => Shape::OpenOne,
            _ => Shape::SleepingOne,
        }
    }
}

/// The cells of a window, the centre taken by the side that asks.
#[derive(Clone, Copy)]
struct Line {
    own: u64,
    other: u64,
    empty: u64,
}

impl Line {
    fn with_own(self, point: u32) -> Self {
        Self {
            own: self.own | 1 << point,
            empty: self.empty & !(1 << point),
            ..self
        }
    }

    fn with_other(self, point: u32) -> Self {
        Self {
            other: self.other | 1 << point,
            empty: self.empty & !(1 << point),
            ..self
        }
    }
}

fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let low = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            low
        })
    })
}

/// How far from a cell its shapes depend on others.
fn radius(variant: &Variant) -> usize {
    let run = usize::from(variant.run());
    match variant.rule() {
        Rule::Freestyle | Rule::Gravity => run - 1,
        _ => run,
    }
}

/// Shapes by window, for both sides of a variant.
#[derive(Debug)]
pub(crate) struct LineTable {
    goals: [Goal; 2],
    /// A byte a window, the centre left out: the first side's shape in the low
    /// nibble, the second's in the high one. Empty where the window is too large.
    entries: Vec<u8>,
    /// The bits of the cells before the centre, and of those behind it once it is left out.
    before: u64,
    behind: u64,
}

impl LineTable {
    pub(crate) fn new(variant: &Variant) -> Self {
        let goals = Side::BOTH.map(|side| Goal::new(variant, side));
        let radius = goals[0].radius.min(TABLE_RADIUS);
        let before = (1 << (2 * radius)) - 1;
        let mut table = Self {
            goals,
            entries: Vec::new(),
            before,
            behind: before << (2 * radius),
        };
        if table.radius() <= TABLE_RADIUS {
            table.fill();
        }
        table
    }

    /// How many cells before and behind the centre a window has.
    #[inline(always)]
    pub(crate) fn radius(&self) -> usize {
        self.goals[0].radius
    }

    /// Whether windows are looked up.
    #[inline(always)]
    pub(crate) fn is_filled(&self) -> bool {
        !self.entries.is_empty()
    }

    /// The bits of a window, its centre among them. Contract: the table is filled.
    #[inline(always)]
    pub(crate) fn span(&self) -> u64 {
        self.before | self.behind << 2 | 3 << (2 * self.radius())
    }

    /// Both sides' shapes of the window in the low bits of `line`, two bits a cell.
    ///
    /// The centre counts as taken by the side that asks. Contract: the table is filled.
    #[inline(always)]
    pub(crate) fn look_up(&self, line: u64) -> u8 {
        self.entries[(line & self.before | line >> 2 & self.behind) as usize]
    }

    /// Both sides' shapes of the cells of a window, the centre among them.
    pub(crate) fn find(&self, cells: impl Iterator<Item = u8>) -> u8 {
        let mut sets = [0_u64; 4];
        for (at, cell) in cells.enumerate() {
            sets[usize::from(cell)] |= 1 << at;
        }
        let centre = 1 << self.radius();
        let shape = |goal: &Goal, own: u64, other: u64| {
            let other = if goal.open_ended {
                other
            } else {
                other | sets[3]
            };
            goal.shape_on_the_spot(Line {
                own: own | centre,
                other,
                empty: sets[0] & !centre,
            }) as u8
        };
        shape(&self.goals[0], sets[1], sets[2]) | shape(&self.goals[1], sets[2], sets[1]) << 4
    }

    fn fill(&mut self) {
        let radius = self.radius();
        let mut makers = self.goals.map(Maker::new);
        let halves = halves(radius);
        self.entries = vec![0; 1 << (4 * radius)];
        for &before in &halves {
            for &behind in &halves {
                // A half is counted outwards from the centre; the window runs one way.
                let window = reversed(before, radius) | behind << (2 * radius);
                let first = makers[0].shape(window);
                let second = makers[1].shape(swapped(window));
                self.entries[window as usize] = first as u8 | (second as u8) << 4;
            }
        }
    }
}

/// All contents of `radius` cells outwards from a centre: beyond a wall is only wall.
fn halves(radius: usize) -> Vec<u64> {
    let mut halves = vec![0];
    for at in 0..radius {
        halves = halves
            .iter()
            .flat_map(|&half| {
                let wall_before = at > 0 && half >> (2 * at - 2) & 3 == u64::from(WALL);
                (0..4)
                    .filter(move |&cell| !wall_before || cell == u64::from(WALL))
                    .map(move |cell| half | cell << (2 * at))
            })
            .collect();
    }
    halves
}

fn reversed(half: u64, radius: usize) -> u64 {
    (0..radius).fold(0, |turned, at| {
        turned | (half >> (2 * at) & 3) << (2 * (radius - 1 - at))
    })
}

/// The window with the sides exchanged; walls and empty cells stay.
fn swapped(window: u64) -> u64 {
    const FIRST: u64 = 0x5555_5555_5555_5555;
    (window & FIRST) << 1 | window >> 1 & FIRST
}

/// Finds shapes of windows, each from those with one stone more.
struct Maker {
    goal: Goal,
    known: Vec<Option<Shape>>,
}

impl Maker {
    fn new(goal: Goal) -> Self {
        Self {
            goal,
            known: vec![None; 1 << (4 * goal.radius)],
        }
    }

    fn shape(&mut self, window: u64) -> Shape {
        let window = self.canonical(window);
        if let Some(shape) = self.known[window as usize] {
            return shape;
        }
        let line = self.line(window);
        let shape = self.goal.four_or_more(line).unwrap_or_else(|| {
            bits(line.empty)
                .map(|point| {
                    let slot = point - u32::from(point as usize > self.goal.radius);
                    self.shape(window | 1 << (2 * slot)).one_stone_before()
                })
                .max()
                .unwrap_or(Shape::Dead)
        });
        self.known[window as usize] = Some(shape);
        shape
    }

    /// Where only the opponent's stones could matter, a wall is one.
    fn canonical(&self, window: u64) -> u64 {
        const FIRST: u64 = 0x5555_5555_5555_5555;
        if self.goal.open_ended {
            return window;
        }
        let walls = window & window >> 1 & FIRST;
        window & !walls
    }

    fn line(&self, window: u64) -> Line {
        let radius = self.goal.radius;
        let mut sets = [0_u64; 4];
        for slot in 0..2 * radius {
            let point = slot + usize::from(slot >= radius);
            sets[(window >> (2 * slot) & 3) as usize] |= 1 << point;
        }
        Line {
            own: sets[1] | 1 << radius,
            other: sets[2],
            empty: sets[0],
        }
    }
}
