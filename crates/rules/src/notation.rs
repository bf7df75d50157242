//! Moves and positions as text, in and out.
//!
//! A move where stones fall is one character, its column: `1` to `9`, then
//! `a` to `g`; `44455` is five moves. Elsewhere it is the column's letter and
//! the row's number from the bottom: `h8 i9`, or `h8i9`. Case does not count.
//! Whitespace, with at most one comma in it, may stand between moves.
//!
//! In every game a move may also be the pair `x,y` of its cell, from 0, origin
//! top-left. Where stones fall, that must be the cell where the stone comes to
//! rest. A comma directly between two digits always makes such a pair, so
//! columns with commas between them need a space as well: `4, 4, 5`.
//!
//! A position is `GAME [moves ...]`, or a drawn board (see [`Position::read`]).
//! What can't be read is refused with the place and the reason; nothing is
//! guessed.

use crate::cell::Cell;
use crate::drawing;
use crate::position::{PlayError, Position};
use crate::read_error::{LONGEST_TEXT, ReadError};
use crate::variant::Variant;
use std::str::FromStr;

/// `cell` as a move: the column's character where stones fall, `h8` elsewhere.
///
/// ```
/// use stoneline_rules::{Cell, Variant, notation};
/// let cell = Cell::new(3, 0);
/// assert_eq!(notation::write_move(&"connect4".parse().unwrap(), cell), "4");
/// assert_eq!(notation::write_move(&"gomoku".parse().unwrap(), cell), "d1");
/// ```
pub fn write_move(variant: &Variant, cell: Cell) -> String {
    if variant.rule().falls() {
        column_sign(variant, cell.column()).to_string()
    } else {
        cell.to_string()
    }
}

/// `cells` as a list of moves: `44455`, or `h8 i9`.
pub fn write_moves(variant: &Variant, cells: &[Cell]) -> String {
    let moves: Vec<String> = cells
        .iter()
        .map(|&cell| write_move(variant, cell))
        .collect();
    moves.join(if variant.rule().falls() { "" } else { " " })
}

/// The one legal move that `text` names.
///
/// # Errors
/// The place and the reason, when it names none, more than one or an illegal one.
pub fn read_move(position: &Position, text: &str) -> Result<Cell, ReadError> {
    let mut moves = Moves {
        listed: false,
        ..Moves::new(text, text)
    };
    let Some((cell, at)) = moves.next(position)? else {
        return Err(ReadError::at(text, text.len(), "expected a move"));
    };
    let rest = text[moves.at..].trim_start();
    if !rest.is_empty() {
        return Err(ReadError::at_part(text, rest, "expected one move only"));
    }
    position
        .check(cell)
        .map_err(|error| moves.illegal(at, error))?;
    Ok(cell)
}

/// The legal moves that `text` lists, the first to be played at `position`.
///
/// # Errors
/// The place and the reason of the first that can't be read or played.
///
/// ```
/// use stoneline_rules::{Position, notation};
/// let position: Position = "connect4 44".parse().unwrap();
/// let moves = notation::read_moves(&position, "4 3,2 5").unwrap();
/// assert_eq!(notation::write_moves(position.variant(), &moves), "445");
/// let error = notation::read_moves(&position, "4444 4").unwrap_err();
/// assert_eq!(error.to_string(), "character 6: move 5: column 4 is full");
/// ```
pub fn read_moves(position: &Position, text: &str) -> Result<Vec<Cell>, ReadError> {
    let mut after = position.clone();
    play_text(&mut after, text)?;
    Ok(after.moves()[position.moves().len()..].to_vec())
}

/// Plays the moves that `text` lists.
///
/// # Errors
/// The place and the reason of the first that can't be read or played; the
/// position stays as it was.
pub fn play_text(position: &mut Position, text: &str) -> Result<(), ReadError> {
    ReadError::check_length(text, LONGEST_TEXT)?;
    play_part(position, text, text)
}

/// Plays the moves in `part`, a slice of `text` to which errors refer.
pub(crate) fn play_part(position: &mut Position, text: &str, part: &str) -> Result<(), ReadError> {
    let before = position.moves().len();
    let played = play_all(position, Moves::new(text, part));
    if played.is_err() {
        while position.moves().len() > before {
            position.undo();
        }
    }
    played
}

fn play_all(position: &mut Position, mut moves: Moves<'_>) -> Result<(), ReadError> {
    while let Some((cell, at)) = moves.next(position)? {
        position
            .play(cell)
            .map_err(|error| moves.illegal(at, error))?;
    }
    Ok(())
}

/// The character or letter of a column in the notation of `variant`.
pub fn column_sign(variant: &Variant, column: u8) -> char {
    char::from(match column {
        _ if !variant.rule().falls() => b'a' + column,
        0..9 => b'1' + column,
        _ => b'a' + column - 9,
    })
}

impl Position {
    /// The position that `text` describes; `seed` chooses the board of plain `course`.
    ///
    /// Either `GAME [moves ...]`, or a drawn board: the game's name, then a
    /// line for each row from the top with `.` for an empty cell, `x` and `o`
    /// for the first and second side, `#` for a blocked cell. Row numbers,
    /// column letters, spaces between cells and blank lines are allowed, and
    /// `moves: ...` may follow. The stones of a drawing have no history; the
    /// side to move follows from their number.
    ///
    /// # Errors
    /// The place and the reason when the text can't be read, the board is
    /// impossible or a move is illegal.
    ///
    /// ```
    /// use stoneline_rules::{Cell, Position};
    /// let drawn = "connectx:4x5x3
    ///     4 . . . . .
    ///     3 . . . . .
    ///     2 . . o . .
    ///     1 . . x . .
    ///       1 2 3 4 5
    ///     moves: 32";
    /// let position = Position::read(drawn, 0).unwrap();
    /// assert_eq!(position, Position::read("connectx:4x5x3 3332", 0).unwrap());
    /// assert_eq!(position.moves(), [Cell::new(2, 2), Cell::new(1, 0)]);
    /// ```
    pub fn read(text: &str, seed: u64) -> Result<Self, ReadError> {
        ReadError::check_length(text, LONGEST_TEXT)?;
        let name = text.split_whitespace().next().unwrap_or_default();
        if name.is_empty() {
            return Err(ReadError::at(
                text,
                text.len(),
                "expected the name of a game",
            ));
        }
        let variant = Variant::named(name, seed).map_err(|error| error.within(text, name))?;
        let name_end = name.as_ptr() as usize - text.as_ptr() as usize + name.len();
        let rest = &text[name_end..];
        let (same_line, below) = rest.split_once('\n').unwrap_or((rest, ""));
        if same_line.trim().is_empty() && !below.trim().is_empty() {
            return drawing::read_drawing(&variant, text, below);
        }
        let mut position = Self::new(variant);
        play_part(&mut position, text, rest)?;
        Ok(position)
    }

    /// The position as text that [`Position::read`] reads back, history included.
    ///
    /// One line, `GAME moves`; when the start was set up by hand, the drawing of
    /// the start and a line of moves.
    ///
    /// ```
    /// use stoneline_rules::Position;
    /// let position: Position = "gomoku h8,i9 7,5".parse().unwrap();
    /// assert_eq!(position.notation(), "gomoku h8 i9 h10");
    /// ```
    pub fn notation(&self) -> String {
        let moves = write_moves(self.variant(), self.moves());
        if self.plies() > self.moves().len() {
            drawing::write_with_moves(self, &moves)
        } else if moves.is_empty() {
            self.variant().to_string()
        } else {
            format!("{} {moves}", self.variant())
        }
    }
}

impl FromStr for Position {
    type Err = ReadError;

    /// As [`Position::read`]; plain `course` is the board of seed 0.
    fn from_str(text: &str) -> Result<Self, ReadError> {
        Self::read(text, 0)
    }
}

/// A list of moves being read: a part of a text, and the place reached in the text.
struct Moves<'a> {
    /// The text that errors refer to, cut where the list ends.
    text: &'a str,
    at: usize,
    /// How many moves have been read, the one being read included.
    count: usize,
    /// Whether several moves are wanted, so that refusals number them.
    listed: bool,
}

impl<'a> Moves<'a> {
    /// Contract: `part` is a slice of `text`.
    fn new(text: &'a str, part: &'a str) -> Self {
        let at = part.as_ptr() as usize - text.as_ptr() as usize;
        Self {
            text: &text[..at + part.len()],
            at,
            count: 0,
            listed: true,
        }
    }

    /// The next move and where it stands; `None` at the end of the list.
    fn next(&mut self, position: &Position) -> Result<Option<(Cell, usize)>, ReadError> {
        self.skip_space();
        let comma = self.at;
        let after_comma = self.count > 0 && self.byte() == Some(b',');
        if after_comma {
            self.at += 1;
            self.skip_space();
        }
        let at = self.at;
        if self.byte().is_none() {
            return if after_comma {
                Err(self.wrong(comma, "expected a move after the comma"))
            } else {
                Ok(None)
            };
        }
        self.count += 1;
        let cell = match self.pair() {
            Some((x, y)) => self.paired(position, at, x, y),
            None if position.variant().rule().falls() => self.column(position, at),
            None => self.named(position, at),
        }?;
        Ok(Some((cell, at)))
    }

    /// `x,y` from the top-left, if that stands here.
    fn pair(&mut self) -> Option<(usize, usize)> {
        let start = self.at;
        let x = self.number();
        let (Some(x), true) = (x, self.comma_then_digit()) else {
            self.at = start;
            return None;
        };
        self.at += 1;
        Some((x, self.number()?))
    }

    fn paired(&mut self, on: &Position, at: usize, x: usize, y: usize) -> Result<Cell, ReadError> {
        let geometry = on.variant().geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let pair = &self.text[at..self.at];
        if x >= columns.into() || y >= rows.into() {
            let reason = format!(
                "x,y is not on the board: x from 0 to {}, y from the top from 0 to {}",
                columns - 1,
                rows - 1
            );
            return Err(self.wrong(at, reason));
        }
        let falls = on.variant().rule().falls();
        if falls && self.comma_then_digit() {
            let reason =
                format!("{pair} is the cell x,y; put a space after a comma between columns");
            return Err(self.wrong(at, reason));
        }
        Ok(Cell::new(x as u8, rows - 1 - y as u8))
    }

    /// Where a stone comes to rest in the column that one character names.
    fn column(&mut self, on: &Position, at: usize) -> Result<Cell, ReadError> {
        let sign = self.sign();
        let column = match sign {
            Some(sign @ '1'..='9') => sign as u8 - b'1',
            Some(sign @ 'a'..='g') => sign as u8 - b'a' + 9,
            Some(sign @ 'A'..='G') => sign as u8 - b'A' + 9,
            _ => return Err(self.wrong(at, format!("expected a column, found {}", quoted(sign)))),
        };
        let columns = on.variant().geometry().columns();
        if column >= columns {
            let last = column_sign(on.variant(), columns - 1);
            let reason = format!("no column {}: the last is {last}", quoted(sign));
            return Err(self.wrong(at, reason));
        }
        on.landing(column).map_err(|error| self.illegal(at, error))
    }

    /// The cell that a letter and a number from the bottom name.
    fn named(&mut self, on: &Position, at: usize) -> Result<Cell, ReadError> {
        let geometry = on.variant().geometry();
        let sign = self.sign();
        let column = match sign {
            Some(sign @ 'a'..='z') => sign as u8 - b'a',
            Some(sign @ 'A'..='Z') => sign as u8 - b'A',
            _ => {
                let reason = format!("expected a column letter, found {}", quoted(sign));
                return Err(self.wrong(at, reason));
            }
        };
        let number_at = self.at;
        let Some(number) = self.number() else {
            let found = self.text[self.at..].chars().next();
            let reason = format!("expected a row number, found {}", quoted(found));
            return Err(self.wrong(number_at, reason));
        };
        if column >= geometry.columns() || !(1..=geometry.rows().into()).contains(&number) {
            let last = Cell::new(geometry.columns() - 1, geometry.rows() - 1);
            let reason = format!("not on the board, which reaches from a1 to {last}");
            return Err(self.wrong(at, reason));
        }
        Ok(Cell::new(column, (number - 1) as u8))
    }

    /// A number, if a digit stands here; too large ones count as the largest.
    fn number(&mut self) -> Option<usize> {
        let digits = self.text.as_bytes()[self.at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        let mut number = None::<usize>;
        let mut length = 0;
        for digit in digits {
            let next = number.unwrap_or(0).saturating_mul(10);
            number = Some(next.saturating_add(usize::from(digit - b'0')));
            length += 1;
        }
        self.at += length;
        number
    }

    fn comma_then_digit(&self) -> bool {
        matches!(self.text.as_bytes()[self.at..], [b',', b'0'..=b'9', ..])
    }

    /// The character here, now behind us.
    fn sign(&mut self) -> Option<char> {
        let sign = self.text[self.at..].chars().next()?;
        self.at += sign.len_utf8();
        Some(sign)
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn wrong(&self, at: usize, reason: impl Into<String>) -> ReadError {
        ReadError::at(self.text, at, reason)
    }

    /// The move just read can't be played.
    fn illegal(&self, at: usize, error: PlayError) -> ReadError {
        if self.listed {
            self.wrong(at, format!("move {}: {error}", self.count))
        } else {
            self.wrong(at, error.to_string())
        }
    }
}

fn quoted(sign: Option<char>) -> String {
    sign.map_or("the end".to_owned(), |sign| format!("{sign:?}"))
}
