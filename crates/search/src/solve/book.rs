//! The opening book: exact scores and moves of positions that take long to solve.
//!
//! Owns the file format and the look-up. A book belongs to one game whose
//! layout fits 64 bits, and mirrored positions share an entry. The file:
//! the magic, then each entry in the order of its code: the difference to
//! the code before as a little-endian base-128 number, the score plus 64,
//! and the column. A checksum ends it.

use std::collections::BTreeMap;
use stoneline_rules::{Cell, Geometry, Position, Variant, Wide, scramble};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"SLBOOK1\n";
/// Added to scores so that they are stored as positive numbers.
const SCORE_OFFSET: i32 = 64;

/// What the book says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The exact score, from the mover's view.
    pub score: i32,
    /// A column that reaches it.
    pub column: u8,
}

/// Why bytes are not a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BookError {
    /// The bytes do not start or end as a book does.
    #[error("this is not an opening book: {0}")]
    NotABook(&'static str),
    /// An entry makes no sense.
    #[error("the book is damaged at byte {0}")]
    Damaged(usize),
}

/// Exact scores and moves by position.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Book {
    entries: BTreeMap<u64, BookEntry>,
}

/// The name of a position in the book, shared with its mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookCode {
    /// The position's stones and heights in one number.
    pub code: u64,
    /// Whether the code is that of the mirror image.
    pub mirrored: bool,
}

impl BookCode {
    /// The code of `position`; `None` if its layout doesn't fit 64 bits.
    pub fn of(position: &Position) -> Option<Self> {
        let variant = position.variant();
        let geometry = variant.geometry();
        if geometry.bits() > 64 || !variant.rule().falls() {
            return None;
        }
        let word = |set: Wide| set.resize::<1>().words()[0];
        let mover = position.side_to_move();
        let own = word(position.stones(mover));
        let occupied = own | word(position.stones(!mover)) | word(geometry.blocked());
        // The mover's stones, and above them in each column the first free cell.
        let code = own | (occupied.wrapping_add(word(geometry.floor())) & !occupied);
        let mirror = mirrored_columns(code, geometry);
        let mirrored = mirror < code && variant.symmetries().count() > 1;
        Some(Self {
            code: if mirrored { mirror } else { code },
            mirrored,
        })
    }

    /// A column of the board, as the entry of this code names it; and the reverse.
    pub fn turned(self, variant: &Variant, column: u8) -> u8 {
        if self.mirrored {
            variant.geometry().columns() - 1 - column
        } else {
            column
        }
    }
}

impl Book {
    /// The book of Connect Four on 7x6 that the program carries.
    ///
    /// It holds everything that our own play can be led to in the opening, so
    /// that what is left takes the solver a moment. Made by `stoneline book build`.
    pub fn connect4() -> Self {
        Self::from_bytes(include_bytes!("../../data/connect4.book"))
            .expect("the embedded book is whole")
    }

    /// The book of the bytes that [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// If they are something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let body = bytes
            .strip_prefix(MAGIC)
            .ok_or(BookError::NotABook("it does not start with SLBOOK1"))?;
        let (body, sum) = body
            .split_last_chunk::<8>()
            .ok_or(BookError::NotABook("it ends too soon"))?;
        if u64::from_le_bytes(*sum) != checksum(body) {
            return Err(BookError::NotABook("its checksum is wrong"));
        }
        let mut entries = BTreeMap::new();
        let mut code = 0_u64;
        let mut rest = body;
        while !rest.is_empty() {
            let damaged = BookError::Damaged(MAGIC.len() + body.len() - rest.len());
            let (step, after) = read_number(rest).ok_or(damaged.clone())?;
            let ([score, column], after) = after.split_first_chunk().ok_or(damaged.clone())?;
            code = code.checked_add(step).ok_or(damaged)?;
            let entry = BookEntry {
                score: i32::from(*score) - SCORE_OFFSET,
                column: *column,
            };
            entries.insert(code, entry);
            rest = after;
        }
        Ok(Self { entries })
    }

    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let mut last = 0;
        for (&code, entry) in &self.entries {
            write_number(&mut body, code - last);
            body.push((entry.score + SCORE_OFFSET) as u8);
            body.push(entry.column);
            last = code;
        }
        let sum = checksum(&body);
        [MAGIC, &body[..], &sum.to_le_bytes()].concat()
    }

    /// How many positions the book knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the book knows nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Codes and entries, in the order of their codes.
    pub fn iter(&self) -> impl Iterator<Item = (u64, BookEntry)> {
        self.entries.iter().map(|(&code, &entry)| (code, entry))
    }

    /// The exact score of `position` and a legal move that reaches it.
    pub fn look_up(&self, position: &Position) -> Option<(i32, Cell)> {
        if self.is_empty() {
            return None;
        }
        let code = BookCode::of(position)?;
        let entry = self.entry(code.code)?;
        let column = code.turned(position.variant(), entry.column);
        let cell = position.landing(column).ok()?;
        Some((entry.score, cell))
    }

    /// What is known under a code.
    pub fn entry(&self, code: u64) -> Option<BookEntry> {
        self.entries.get(&code).copied()
    }

    /// Adds or replaces what is known under a code.
    pub fn insert(&mut self, code: u64, entry: BookEntry) {
        self.entries.insert(code, entry);
    }
}

/// The columns of a layout in reverse order.
fn mirrored_columns(mut code: u64, geometry: &Geometry) -> u64 {
    let stride = geometry.stride();
    let column = (1 << stride) - 1;
    (0..geometry.columns()).fold(0, |mirrored, _| {
        let low = code & column;
        code >>= stride;
        mirrored << stride | low
    })
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(bytes.len() as u64, |sum, &byte| {
        scramble(sum ^ u64::from(byte))
    })
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let end = bytes.iter().position(|byte| byte & 0x80 == 0)?;
    if end > 9 {
        return None;
    }
    let number = bytes[..=end]
        .iter()
        .rev()
        .fold(0_u64, |number, byte| number << 7 | u64::from(byte & 0x7f));
    Some((number, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_survives_its_file_and_damage_is_noticed() {
        let mut book = Book::default();
        for (at, code) in [1_u64, 2, 300, 1 << 40, u64::MAX].into_iter().enumerate() {
            let score = at as i32 * 20 - 40;
            let column = at as u8;
            book.insert(code, BookEntry { score, column });
        }
        let bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes), Ok(book));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Book::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(Book::from_bytes(&bytes[..at]).is_err(), "length {at}");
        }
    }

    #[test]
    fn mirror_images_share_an_entry() {
        let left: Position = "connect4 4412".parse().unwrap();
        let right: Position = "connect4 4476".parse().unwrap();
        let (left_code, right_code) = (BookCode::of(&left), BookCode::of(&right));
        assert_eq!(
            left_code.map(|code| code.code),
            right_code.map(|code| code.code)
        );
        let code = left_code.unwrap();
        let column = code.turned(left.variant(), 1);
        let mut book = Book::default();
        book.insert(code.code, BookEntry { score: 3, column });
        assert_eq!(book.look_up(&left).unwrap().1, Cell::new(1, 1));
        assert_eq!(book.look_up(&right).unwrap().1, Cell::new(5, 1));
    }
}
