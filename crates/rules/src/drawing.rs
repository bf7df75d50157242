//! Boards drawn with characters, in and out.
//!
//! ```text
//! course:9x10@7,3            the game
//! 9 . . . . . . . . . .      rows from the top: `.` empty, `x` first side,
//! 8 . . . . . . . . . .      `o` second side, `#` blocked
//! 7 . . . . . . . . . .
//! 6 . . . . . . . . . .
//! 5 . . . . . . . . . .
//! 4 . . . . . . . . . .
//! 3 . . . o . . . . . .
//! 2 . . . # . . . . . .
//! 1 . . o x x . . . . .
//!   1 2 3 4 5 6 7 8 9 a
//! moves: 45                  played after the drawing
//! ```
//!
//! Row numbers, the line of columns (above or below), spaces between cells,
//! blank lines and moves may all be left out. What is there must be right: a
//! wrong row number or a blocked cell that the game does not have is refused.

use crate::cell::{Cell, Side};
use crate::notation::{column_sign, play_part};
use crate::position::{Content, Position};
use crate::read_error::{ReadError, excerpt};
use crate::setup::Setup;
use crate::variant::Variant;
use std::fmt::{self, Write};

/// The drawing, with coordinates, that [`Position::read`] reads back as the same stones.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = self.variant();
        writeln!(f, "{variant}")?;
        for (row, cells) in rows_from_top(self) {
            write!(f, "{:2}", row + 1)?;
            for sign in cells {
                write!(f, " {sign}")?;
            }
            writeln!(f)?;
        }
        f.write_str("  ")?;
        for column in 0..variant.geometry().columns() {
            write!(f, " {}", column_sign(variant, column))?;
        }
        Ok(())
    }
}

/// The rows in one line, from the top, as in `..x/.ox`.
pub(crate) fn write_rows(position: &Position) -> String {
    let rows: Vec<String> = rows_from_top(position)
        .map(|(_, cells)| cells.collect())
        .collect();
    rows.join("/")
}

fn rows_from_top(position: &Position) -> impl Iterator<Item = (u8, impl Iterator<Item = char>)> {
    let geometry = position.variant().geometry();
    (0..geometry.rows()).rev().map(move |row| {
        let cells = (0..geometry.columns()).map(move |column| {
            match position.content(Cell::new(column, row)) {
                Some(Content::Stone(Side::First)) => 'x',
                Some(Content::Stone(Side::Second)) => 'o',
                Some(Content::Blocked) => '#',
                Some(Content::Empty) | None => '.',
            }
        });
        (row, cells)
    })
}

/// The drawing and the moves after it, `drawing` being the part of `text` behind the game's line.
pub(crate) fn read_drawing(
    variant: &Variant,
    text: &str,
    drawing: &str,
) -> Result<Position, ReadError> {
    let mut rows = Vec::new();
    let mut moves = None;
    let mut rest = drawing;
    let mut columns_named = false;
    while !rest.is_empty() && moves.is_none() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = after;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some(here) = line.strip_prefix("moves:") {
            // To the end of the text: a long game may be wrapped.
            let start = here.as_ptr() as usize - text.as_ptr() as usize;
            moves = Some(&text[start..]);
        } else if names_columns(variant, line) {
            let at_an_edge = rows.is_empty() || rows.len() == height(variant);
            if columns_named || !at_an_edge {
                let reason = "the line of columns stands once, above or below the rows";
                return Err(ReadError::at_part(text, line, reason));
            }
            columns_named = true;
        } else {
            if rows.len() == height(variant) {
                let reason = format!("{variant} has {} rows, this is one more", rows.len());
                return Err(ReadError::at_part(text, line, reason));
            }
            rows.push(line);
        }
    }
    let mut position = read_rows(variant, text, &rows)?;
    if let Some(moves) = moves {
        play_part(&mut position, text, moves)?;
    }
    Ok(position)
}

/// The position of drawn `rows`, slices of `text`, from the top.
pub(crate) fn read_rows(
    variant: &Variant,
    text: &str,
    rows: &[&str],
) -> Result<Position, ReadError> {
    let height = height(variant);
    if rows.len() != height {
        let end = rows.last().map_or(text.len(), |row| end_of(text, row));
        let found = rows.len();
        let reason = format!(
            "{variant} has {height} rows, found {found}; moves without a drawing stand in the line of the game"
        );
        return Err(ReadError::at(text, end, reason));
    }
    let mut setup = Setup::of(variant);
    for (from_top, row) in rows.iter().enumerate() {
        read_row(
            variant,
            text,
            row,
            (height - 1 - from_top) as u8,
            &mut setup,
        )?;
    }
    Position::try_from(setup).map_err(|error| ReadError::at_part(text, rows[0], error.to_string()))
}

fn read_row(
    variant: &Variant,
    text: &str,
    line: &str,
    row: u8,
    setup: &mut Setup,
) -> Result<(), ReadError> {
    let cells = without_row_numbers(text, line, row)?;
    let width = variant.geometry().columns();
    let mut column = 0;
    for (at, sign) in cells.char_indices().filter(|(_, sign)| *sign != ' ') {
        let wrong = |reason: String| ReadError::at_part(text, &cells[at..], reason);
        if column == width {
            return Err(wrong(format!(
                "{variant} has {width} columns, this is one more cell"
            )));
        }
        let cell = Cell::new(column, row);
        let side = match sign {
            '.' | '#' => None,
            'x' | 'X' => Some(Side::First),
            'o' | 'O' => Some(Side::Second),
            _ => return Err(wrong(format!("expected one of . x o #, found {sign:?}"))),
        };
        match (variant.geometry().is_blocked(cell), sign == '#') {
            (true, false) => {
                return Err(wrong(format!(
                    "{cell} is a blocked cell of {variant}: draw it as #"
                )));
            }
            (false, true) => return Err(wrong(format!("{cell} is no blocked cell of {variant}"))),
            _ => {}
        }
        if let Some(side) = side {
            setup.stones[side.index()].push(cell);
        }
        column += 1;
    }
    if column < width {
        let reason = format!("{variant} has {width} columns, this row has {column}");
        return Err(ReadError::at(text, end_of(text, line), reason));
    }
    Ok(())
}

/// The cells of a drawn row, once the numbers around it are found right.
fn without_row_numbers<'a>(text: &str, line: &'a str, row: u8) -> Result<&'a str, ReadError> {
    let is_digit = |sign: char| sign.is_ascii_digit();
    let behind = line.trim_start_matches(is_digit);
    let cells = behind.trim_end_matches(is_digit);
    let before = &line[..line.len() - behind.len()];
    let after = &behind[cells.len()..];
    for number in [before, after] {
        if !number.is_empty() && number.parse() != Ok(u16::from(row) + 1) {
            let reason = format!("this is row {}, numbered {}", row + 1, excerpt(number));
            return Err(ReadError::at_part(text, number, reason));
        }
    }
    Ok(cells)
}

/// Whether `line` is the line of columns: their signs in the game's notation, or letters.
fn names_columns(variant: &Variant, line: &str) -> bool {
    let matches = |sign_of: &dyn Fn(u8) -> char| {
        let mut signs = line.chars().filter(|sign| !sign.is_whitespace());
        let columns = 0..variant.geometry().columns();
        columns
            .map(sign_of)
            .all(|sign| signs.next().map(|found| found.to_ascii_lowercase()) == Some(sign))
            && signs.next().is_none()
    };
    matches(&|column| column_sign(variant, column)) || matches(&|column| char::from(b'a' + column))
}

fn height(variant: &Variant) -> usize {
    variant.geometry().rows().into()
}

/// Where `part`, a slice of `text`, ends.
fn end_of(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize - text.as_ptr() as usize) + part.len()
}

/// The drawing of the start and the moves since, in lines.
pub(crate) fn write_with_moves(position: &Position, moves: &str) -> String {
    let mut text = position.start().to_string();
    if !moves.is_empty() {
        write!(text, "\nmoves: {moves}").expect("a String takes any text");
    }
    text
}
