//! Which game is played: the board, the run that wins, and the rule; and its name.
//!
//! A `Variant` is always possible: [`Variant::new`] refuses the rest and names
//! every fault.

use crate::cell::Cell;
use crate::chance::Chance;
use crate::fault::{Fault, SetupError};
use crate::geometry::{Geometry, LARGEST_SIDE, Symmetry};
use crate::read_error::{ReadError, excerpt};
use std::fmt;
use std::str::FromStr;

/// How stones are placed and what wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Stones fall; k or more in a line win.
    Gravity,
    /// Any empty cell; k or more in a line win.
    Freestyle,
    /// Any empty cell; exactly k win.
    Standard,
    /// Five: the first side wins by exactly five and has forbidden points; the
    /// second wins by five or more.
    Renju,
    /// Any empty cell; exactly k win unless the opponent closes both ends.
    Caro,
}

impl Rule {
    /// Whether stones fall.
    #[inline]
    pub const fn falls(self) -> bool {
        matches!(self, Self::Gravity)
    }

    /// Fewest and most rows or columns that the rule is played on.
    pub const fn sizes(self) -> (u8, u8) {
        match self {
            Self::Gravity => (4, 16),
            _ => (5, LARGEST_SIDE),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gravity => "gravity",
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
            Self::Renju => "renju",
            Self::Caro => "caro",
        })
    }
}

/// A game that can be played.
///
/// ```
/// use stoneline_rules::Variant;
/// let game: Variant = "course:9x10@0,3".parse().unwrap();
/// assert_eq!((game.geometry().rows(), game.geometry().columns()), (9, 10));
/// assert_eq!(game.to_string(), "course:9x10@0,3");
/// assert!("connectx:3x99x4".parse::<Variant>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    geometry: Geometry,
    run: u8,
    rule: Rule,
}

impl Variant {
    /// The variant with these numbers.
    ///
    /// # Errors
    /// Every reason why there is no such game.
    pub fn new(
        rule: Rule,
        rows: usize,
        columns: usize,
        run: usize,
        blocked: &[Cell],
    ) -> Result<Self, SetupError> {
        let mut faults = size_faults(rule, rows, columns, run);
        let size_is_fine = faults.is_empty();
        if !blocked.is_empty() && !rule.falls() {
            faults.push(Fault::BlockedOnFreeBoard);
        }
        for (at, &cell) in blocked.iter().enumerate() {
            if usize::from(cell.column()) >= columns || usize::from(cell.row()) >= rows {
                faults.push(Fault::BlockedOutside(cell));
            } else if blocked[..at].contains(&cell) {
                faults.push(Fault::BlockedTwice(cell));
            }
        }
        if size_is_fine && blocked.len() >= rows * columns && faults.is_empty() {
            faults.push(Fault::AllBlocked);
        }
        SetupError::check(faults)?;
        Ok(Self {
            geometry: Geometry::new(rows as u8, columns as u8, blocked),
            run: run as u8,
            rule,
        })
    }

    /// The variant with this name; `seed` chooses the board of plain `course`.
    ///
    /// # Errors
    /// The place and the reason when there is no such game.
    pub fn named(name: &str, seed: u64) -> Result<Self, ReadError> {
        ReadError::check_length(name, LONGEST_NAME)?;
        Name { text: name }.read(seed)
    }

    /// The course's random board: 9 to 12 rows and columns, one blocked cell.
    ///
    /// The same seed gives the same board for ever.
    pub fn course(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let rows = 9 + chance.below(4) as u8;
        let columns = 9 + chance.below(4) as u8;
        let row_from_top = chance.below(u32::from(rows)) as u8;
        let column = chance.below(u32::from(columns)) as u8;
        let blocked = Cell::new(column, rows - 1 - row_from_top);
        Self {
            geometry: Geometry::new(rows, columns, &[blocked]),
            run: 4,
            rule: Rule::Gravity,
        }
    }

    /// Size, blocked cells and layout of the board.
    #[inline]
    pub const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// How many in a line win.
    #[inline]
    pub const fn run(&self) -> u8 {
        self.run
    }

    /// How stones are placed and what wins.
    #[inline]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Whether `symmetry` leaves the rules alone: falling stones allow only the mirror.
    pub fn allows(&self, symmetry: Symmetry) -> bool {
        !self.rule.falls() || symmetry.keeps_gravity()
    }

    /// The symmetries that map the board onto itself, the identity first.
    pub fn symmetries(&self) -> impl Iterator<Item = Symmetry> {
        let variant = *self;
        Symmetry::ALL.into_iter().filter(move |&symmetry| {
            variant.allows(symmetry) && variant.geometry.transformed(symmetry) == variant.geometry
        })
    }

    /// The variant as `symmetry` turns it; `None` when stones would fall sideways or up.
    pub fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        self.allows(symmetry).then(|| Self {
            geometry: self.geometry.transformed(symmetry),
            ..*self
        })
    }
}

fn size_faults(rule: Rule, rows: usize, columns: usize, run: usize) -> Vec<Fault> {
    let (low, high) = rule.sizes();
    let fits = |length: usize| (usize::from(low)..=usize::from(high)).contains(&length);
    let longest = rows.max(columns);
    let mut faults = Vec::new();
    if !fits(rows) {
        faults.push(Fault::Rows {
            rows,
            rule,
            low,
            high,
        });
    }
    if !fits(columns) {
        faults.push(Fault::Columns {
            columns,
            rule,
            low,
            high,
        });
    }
    if run < 3 {
        faults.push(Fault::RunTooShort(run));
    } else if run > longest {
        faults.push(Fault::RunTooLong { run, longest });
    } else if rule == Rule::Renju && run != 5 {
        faults.push(Fault::RenjuRun(run));
    }
    faults
}

/// A name being read: `FAMILY`, `FAMILY:NUMBERS` or `FAMILY:NUMBERS@CELLS`.
struct Name<'a> {
    text: &'a str,
}

/// Bytes of the longest name: 256 blocked cells, each `@15,15`, after the size.
const LONGEST_NAME: usize = 2048;

const KNOWN_NAMES: &str = "connect4, connectx:ROWSxCOLSxK, course, course:ROWSxCOLS@ROW,COL, \
    gomoku, gomoku:N, standard, renju, caro, mnk:ROWSxCOLSxK, gobang";

impl<'a> Name<'a> {
    fn read(&self, seed: u64) -> Result<Variant, ReadError> {
        let (family, rest) = match self.text.split_once(':') {
            Some((family, rest)) => (family, Some(rest)),
            None => (self.text, None),
        };
        match (family, rest) {
            ("connect4", None) => self.build(Rule::Gravity, [6, 7, 4], &[]),
            ("gobang", None) => self.build(Rule::Freestyle, [10, 10, 5], &[]),
            ("course", None) => Ok(Variant::course(seed)),
            ("connectx", Some(rest)) => self.gravity(rest, None),
            ("course", Some(rest)) => self.gravity(rest, Some(4)),
            ("mnk", Some(rest)) => {
                let size = self.numbers(rest, 'x')?;
                match size[..] {
                    [rows, columns, run] => self.build(Rule::Freestyle, [rows, columns, run], &[]),
                    _ => Err(self.wrong(rest, "expected ROWSxCOLSxK")),
                }
            }
            ("gomoku", rest) => self.free(Rule::Freestyle, rest),
            ("standard", rest) => self.free(Rule::Standard, rest),
            ("renju", rest) => self.free(Rule::Renju, rest),
            ("caro", rest) => self.free(Rule::Caro, rest),
            ("connect4" | "gobang", Some(rest)) => {
                Err(self.wrong(rest, format!("{family} takes no size")))
            }
            ("connectx" | "mnk", None) => {
                Err(self.wrong("", format!("{family} needs a size: {family}:ROWSxCOLSxK")))
            }
            _ => Err(self.wrong(
                family,
                format!("unknown game {}; known are {KNOWN_NAMES}", excerpt(family)),
            )),
        }
    }

    /// `ROWSxCOLSxK` or, with the run given, `ROWSxCOLS`; then blocked cells.
    fn gravity(&self, rest: &'a str, run: Option<usize>) -> Result<Variant, ReadError> {
        let (size, cells) = match rest.split_once('@') {
            Some((size, cells)) => (size, Some(cells)),
            None => (rest, None),
        };
        let numbers = self.numbers(size, 'x')?;
        let (rows, columns, run) = match (&numbers[..], run) {
            (&[rows, columns], Some(run)) => (rows, columns, run),
            (&[rows, columns, run], None) => (rows, columns, run),
            (_, Some(_)) => return Err(self.wrong(size, "expected ROWSxCOLS")),
            (_, None) => return Err(self.wrong(size, "expected ROWSxCOLSxK")),
        };
        let blocked = match cells {
            Some(cells) => {
                // Only a board that exists has cells that can be blocked.
                self.build(Rule::Gravity, [rows, columns, run], &[])?;
                self.blocked(cells, rows, columns)?
            }
            None if numbers.len() == 2 => {
                return Err(self.wrong("", "expected a forbidden cell: course:ROWSxCOLS@ROW,COL"));
            }
            None => Vec::new(),
        };
        self.build(Rule::Gravity, [rows, columns, run], &blocked)
    }

    /// Blocked cells as `ROW,COL` from the top-left, further ones after `@` or `,`.
    fn blocked(&self, cells: &'a str, rows: usize, columns: usize) -> Result<Vec<Cell>, ReadError> {
        let mut coordinates = Vec::new();
        for pair in cells.split('@') {
            let numbers = self.numbers(pair, ',')?;
            if numbers.len() % 2 == 1 {
                return Err(self.wrong(pair, "expected ROW,COL for each forbidden cell"));
            }
            coordinates.extend(numbers);
        }
        coordinates
            .chunks(2)
            .map(|pair| match pair {
                &[row, column] if row < rows && column < columns => {
                    Ok(Cell::new(column as u8, (rows - 1 - row) as u8))
                }
                _ => Err(self.wrong(
                    cells,
                    format!("forbidden cell {},{} is not on the board", pair[0], pair[1]),
                )),
            })
            .collect()
    }

    /// Nothing (15x15, five), `N`, `ROWSxCOLS` or `ROWSxCOLSxK`.
    fn free(&self, rule: Rule, rest: Option<&'a str>) -> Result<Variant, ReadError> {
        let Some(rest) = rest else {
            return self.build(rule, [15, 15, 5], &[]);
        };
        match self.numbers(rest, 'x')?[..] {
            [side] => self.build(rule, [side, side, 5], &[]),
            [rows, columns] => self.build(rule, [rows, columns, 5], &[]),
            [rows, columns, run] => self.build(rule, [rows, columns, run], &[]),
            _ => Err(self.wrong(rest, "expected N, ROWSxCOLS or ROWSxCOLSxK")),
        }
    }

    fn build(
        &self,
        rule: Rule,
        [rows, columns, run]: [usize; 3],
        blocked: &[Cell],
    ) -> Result<Variant, ReadError> {
        let numbers = self.text.split_once(':').map_or("", |(_, rest)| rest);
        Variant::new(rule, rows, columns, run, blocked)
            .map_err(|error| self.wrong(numbers, error.to_string()))
    }

    fn numbers(&self, text: &'a str, separator: char) -> Result<Vec<usize>, ReadError> {
        text.split(separator)
            .map(|part| match part.parse::<u16>() {
                Ok(number) if part.bytes().all(|byte| byte.is_ascii_digit()) => {
                    Ok(usize::from(number))
                }
                _ => Err(self.wrong(part, format!("expected a number, found {}", excerpt(part)))),
            })
            .collect()
    }

    /// An error at `part`, a slice of the name; an empty literal means its end.
    fn wrong(&self, part: &str, reason: impl Into<String>) -> ReadError {
        let start = self.text.as_ptr() as usize;
        let offset = (part.as_ptr() as usize)
            .checked_sub(start)
            .filter(|&offset| offset <= self.text.len())
            .unwrap_or(self.text.len());
        ReadError::at(self.text, offset, reason)
    }
}

impl FromStr for Variant {
    type Err = ReadError;

    /// The variant with this name; plain `course` is the board of seed 0.
    fn from_str(name: &str) -> Result<Self, ReadError> {
        Self::named(name, 0)
    }
}

/// The shortest name that [`Variant::named`] reads back as the same variant.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns, run) = (self.geometry.rows(), self.geometry.columns(), self.run);
        let free_size = |f: &mut fmt::Formatter<'_>, name: &str| match (rows, columns, run) {
            (15, 15, 5) => f.write_str(name),
            (_, _, 5) if rows == columns => write!(f, "{name}:{rows}"),
            (_, _, 5) => write!(f, "{name}:{rows}x{columns}"),
            _ => write!(f, "{name}:{rows}x{columns}x{run}"),
        };
        match (self.rule, rows, columns, run) {
            (Rule::Gravity, 6, 7, 4) if self.geometry.blocked().is_empty() => {
                f.write_str("connect4")
            }
            (Rule::Gravity, ..) if run == 4 && !self.geometry.blocked().is_empty() => {
                write!(f, "course:{rows}x{columns}")
            }
            (Rule::Gravity, ..) => write!(f, "connectx:{rows}x{columns}x{run}"),
            (Rule::Freestyle, 10, 10, 5) => f.write_str("gobang"),
            (Rule::Freestyle, _, _, 5) => free_size(f, "gomoku"),
            (Rule::Freestyle, ..) => free_size(f, "mnk"),
            (Rule::Standard, ..) => free_size(f, "standard"),
            (Rule::Renju, ..) => free_size(f, "renju"),
            (Rule::Caro, ..) => free_size(f, "caro"),
        }?;
        for cell in self.geometry.cells(self.geometry.blocked()) {
            write!(f, "@{},{}", rows - 1 - cell.row(), cell.column())?;
        }
        Ok(())
    }
}
