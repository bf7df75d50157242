//! A position that someone asks for, unchecked, and the check that makes it legal.

use crate::cell::{Cell, Side};
use crate::fault::{Fault, SetupError};
use crate::geometry::{Geometry, Wide};
use crate::position::Position;
use crate::runs::winning_line;
use crate::variant::{Rule, Variant};

/// A position as it came from outside: anything may be wrong with it.
///
/// ```
/// use stoneline_rules::{Cell, Fault, Position, Rule, Setup};
/// let setup = Setup {
///     stones: [vec![Cell::new(0, 3)], vec![]],
///     ..Setup::empty(Rule::Gravity, 6, 7, 4)
/// };
/// let error = Position::try_from(setup).unwrap_err();
/// assert_eq!(error.faults(), [Fault::Floating(Cell::new(0, 3))]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// How stones are placed and what wins.
    pub rule: Rule,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// How many in a line win.
    pub run: usize,
    /// Cells where no stone may lie.
    pub blocked: Vec<Cell>,
    /// Stones of the first and of the second side.
    pub stones: [Vec<Cell>; 2],
}

impl Setup {
    /// An empty board without blocked cells.
    pub const fn empty(rule: Rule, rows: usize, columns: usize, run: usize) -> Self {
        Self {
            rule,
            rows,
            columns,
            run,
            blocked: Vec::new(),
            stones: [Vec::new(), Vec::new()],
        }
    }

    /// The empty board of a variant.
    pub fn of(variant: &Variant) -> Self {
        let geometry = variant.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        Self {
            blocked: geometry.cells(geometry.blocked()).collect(),
            ..Self::empty(
                variant.rule(),
                rows.into(),
                columns.into(),
                variant.run().into(),
            )
        }
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let variant = Variant::new(
            setup.rule,
            setup.rows,
            setup.columns,
            setup.run,
            &setup.blocked,
        )?;
        let mut faults = Vec::new();
        let stones = place(variant.geometry(), &setup.stones, &mut faults);
        if setup.rule.falls() {
            faults.extend(floating(variant.geometry(), stones).map(Fault::Floating));
        }
        let [first, second] = setup.stones.map(|cells| cells.len());
        if first != second && first != second + 1 {
            faults.push(Fault::Count { first, second });
        }
        SetupError::check(faults)?;
        SetupError::check(finished_faults(&variant, stones).into_iter().collect())?;
        Ok(Self::from_stones(variant, stones))
    }
}

/// The stones as sets, and a fault for each that can't lie where it should.
fn place(geometry: &Geometry, stones: &[Vec<Cell>; 2], faults: &mut Vec<Fault>) -> [Wide; 2] {
    let mut sets = [Wide::EMPTY; 2];
    for side in Side::BOTH {
        for &cell in &stones[side.index()] {
            if !geometry.contains(cell) {
                faults.push(Fault::StoneOutside(side, cell));
                continue;
            }
            let bit = Wide::bit(geometry.index(cell));
            if geometry.is_blocked(cell) {
                faults.push(Fault::StoneOnBlocked(side, cell));
            } else if (sets[0] | sets[1]).intersects(bit) {
                faults.push(Fault::StoneTwice(cell));
            }
            sets[side.index()] |= bit;
        }
    }
    sets
}

/// Stones above an empty cell: a column fills from the bottom, blocked cells skipped.
fn floating(geometry: &Geometry, stones: [Wide; 2]) -> impl Iterator<Item = Cell> {
    let occupied = stones[0] | stones[1] | geometry.blocked();
    let mut supported = geometry.floor();
    for _ in 1..geometry.rows() {
        supported |= (supported & occupied) << 1;
    }
    geometry.cells(occupied.minus(supported | geometry.blocked()))
}

/// What is wrong with the lines that are finished already.
///
/// A finished line is fine when its owner moved last and one stone, taken back,
/// leaves no line: that stone was the last.
fn finished_faults(variant: &Variant, stones: [Wide; 2]) -> Option<Fault> {
    let has_line = |stones: &[Wide; 2], side: Side| {
        variant
            .geometry()
            .cells(stones[side.index()])
            .any(|cell| !winning_line(variant, stones, side, cell).is_empty())
    };
    let winner = match Side::BOTH.map(|side| has_line(&stones, side)) {
        [false, false] => return None,
        [true, true] => return Some(Fault::BothWon),
        [true, false] => Side::First,
        [false, true] => Side::Second,
    };
    let moved_last = !Side::to_move((stones[0].len() + stones[1].len()) as usize);
    let covered = if variant.rule().falls() {
        (stones[0] | stones[1]) >> 1
    } else {
        Wide::EMPTY
    };
    let explained = winner == moved_last
        && stones[winner.index()].minus(covered).iter().any(|index| {
            let mut before = stones;
            before[winner.index()] = before[winner.index()].minus(Wide::bit(index));
            !has_line(&before, winner)
        });
    (!explained).then_some(Fault::PlayedOn(winner))
}
