//! Saiblo, the course's online judge: both of its variants, and both sides of each.
//!
//! ```text
//! plain   in:  M N noX noY, then each turn lastX lastY, top, board: white space between
//!         out: four bytes of length, big-endian, then `x y`
//! framed  in:  four digits of length, then {"type":0,"row":..,..}, {"type":1,..}, {"type":2}
//!         out: four bytes of length, big-endian, then {"X":x,"Y":y} and a newline
//! ```
//!
//! Which of them a judge speaks shows in its first bytes. What makes no sense
//! is reported and skipped: a judge that goes on sensibly is understood again.

mod answers;
mod framed;
mod plain;

use crate::course::View;
use framed::Framed;
use plain::Plain;
use stoneline_rules::Cell;
use thiserror::Error;

pub use answers::{Answers, BadAnswer};

/// Which variant a judge speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Numbers in plain text.
    Plain,
    /// JSON behind four digits of length, as it used to be.
    Framed,
}

/// What a judge tells an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// A new game begins.
    NewGame,
    /// A move is asked for.
    Turn {
        /// The board as the engine sees it.
        view: View,
        /// Row from the top and column of the opponent's last stone; (-1, -1) when there is none.
        last: (i32, i32),
    },
    /// The judge wants no more moves.
    End,
}

/// What a judge sent that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Nonsense {
    /// Text where a number was due.
    #[error("{0:?} is no number that can stand here")]
    Number(String),
    /// A board of no possible size.
    #[error("no game has {rows} rows and {columns} columns")]
    Size {
        /// Rows asked for.
        rows: i64,
        /// Columns asked for.
        columns: i64,
    },
    /// Four numbers that begin no game.
    #[error("{0:?} are not the rows, the columns and the forbidden cell of a board")]
    Header([i64; 4]),
    /// A frame that is no frame.
    #[error("expected four digits of length and a JSON object: {0}")]
    Frame(String),
    /// A turn before any game began.
    #[error("a turn without a game")]
    NoGame,
    /// An array that does not fit the board.
    #[error("{name} holds {found} numbers instead of {expected}")]
    Length {
        /// The array.
        name: &'static str,
        /// Numbers that it holds.
        found: usize,
        /// Numbers that the board has place for.
        expected: usize,
    },
}

/// Size and forbidden cell of the game that is played.
#[derive(Clone, Copy, Debug)]
struct Header {
    rows: usize,
    columns: usize,
    forbidden: (i32, i32),
}

impl Header {
    fn new(rows: i64, columns: i64, forbidden: (i64, i64)) -> Result<Self, Nonsense> {
        let length = |asked: i64| crate::course::length(i32::try_from(asked).ok()?);
        let (Some(row_count), Some(column_count)) = (length(rows), length(columns)) else {
            return Err(Nonsense::Size { rows, columns });
        };
        let narrow = |number: i64| i32::try_from(number).unwrap_or(-1);
        Ok(Self {
            rows: row_count,
            columns: column_count,
            forbidden: (narrow(forbidden.0), narrow(forbidden.1)),
        })
    }

    fn view(self, top: Vec<i32>, board: Vec<i32>) -> Result<View, Nonsense> {
        let check = |name, found, expected| {
            if found == expected {
                Ok(())
            } else {
                Err(Nonsense::Length {
                    name,
                    found,
                    expected,
                })
            }
        };
        check("top", top.len(), self.columns)?;
        check("board", board.len(), self.rows * self.columns)?;
        let (top, board) = (Some(top), Some(board));
        Ok(View::new(
            self.rows,
            self.columns,
            top,
            board,
            self.forbidden,
        ))
    }
}

/// The engine's ear: bytes of a judge in, requests out.
///
/// ```
/// use stoneline_protocols::saiblo::{Request, Requests, Style};
/// let mut requests = Requests::default();
/// requests.push(b"4 4 0 3\n-1 -1\n4 4 4 4\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
/// assert_eq!(requests.next(), Some(Ok(Request::NewGame)));
/// let Some(Ok(Request::Turn { view, .. })) = requests.next() else { panic!() };
/// assert_eq!(view.forbidden(), (0, 3));
/// assert_eq!(requests.style(), Some(Style::Plain));
/// assert_eq!(requests.next(), None);
/// ```
#[derive(Default, Debug)]
pub struct Requests {
    bytes: Vec<u8>,
    ear: Option<Ear>,
}

#[derive(Debug)]
enum Ear {
    Plain(Plain),
    Framed(Framed),
}

impl Requests {
    /// Takes in what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The variant that the judge speaks, once it shows.
    pub fn style(&self) -> Option<Style> {
        self.ear.as_ref().map(|ear| match ear {
            Ear::Plain(_) => Style::Plain,
            Ear::Framed(_) => Style::Framed,
        })
    }

    /// Four digits and a brace are a frame; anything else is plain text.
    fn recognise(&mut self) -> Option<()> {
        let blank = self
            .bytes
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let start = &self.bytes[blank.count()..];
        let digits = start
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        self.ear = Some(match (digits, start.get(digits)) {
            (4, Some(b'{')) => Ear::Framed(Framed::default()),
            (..=4, None) => return None,
            _ => Ear::Plain(Plain::default()),
        });
        Some(())
    }
}

/// The next request, or what made no sense; `None` until more bytes are pushed.
impl Iterator for Requests {
    type Item = Result<Request, Nonsense>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ear.is_none() {
            self.recognise()?;
        }
        match self.ear.as_mut()? {
            Ear::Plain(ear) => ear.next(&mut self.bytes),
            Ear::Framed(ear) => ear.next(&mut self.bytes),
        }
    }
}

/// The bytes with which a judge begins a game.
pub fn hello(style: Style, view: &View) -> Vec<u8> {
    let ((rows, columns), (x, y)) = (view.size(), view.forbidden());
    match style {
        Style::Plain => format!("{rows} {columns} {x} {y}\n").into_bytes(),
        Style::Framed => framed::frame(&serde_json::json!({
            "type": 0, "row": rows, "col": columns, "nox": x, "noy": y})),
    }
}

/// The bytes with which a judge asks for a move; `last` is the opponent's last stone.
pub fn turn(style: Style, view: &View, last: Option<Cell>) -> Vec<u8> {
    let (x, y) = last.map_or((-1, -1), |cell| view.coordinates(cell));
    match style {
        Style::Plain => {
            let words = |numbers: &[i32]| {
                let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                words.join(" ")
            };
            let (top, board) = (words(view.top()), words(view.board()));
            format!("{x} {y}\n{top}\n{board}\n").into_bytes()
        }
        Style::Framed => framed::frame(&serde_json::json!({
            "type": 1, "top": view.top(), "board": view.board(), "lastx": x, "lasty": y})),
    }
}

/// The bytes with which a judge ends a game; plain judges end by closing the pipe.
pub fn goodbye(style: Style) -> Vec<u8> {
    match style {
        Style::Plain => Vec::new(),
        Style::Framed => framed::frame(&serde_json::json!({"type": 2})),
    }
}

/// An engine's answer, framed; (-1, -1) when it knows no move.
pub fn answer(style: Style, view: &View, chosen: Option<Cell>) -> Vec<u8> {
    framed_point(
        style,
        chosen.map_or((-1, -1), |cell| view.coordinates(cell)),
    )
}

/// A point, row from the top and column, as an engine's answer.
pub fn framed_point(style: Style, (x, y): (i32, i32)) -> Vec<u8> {
    let text = match style {
        Style::Plain => format!("{x} {y}"),
        Style::Framed => format!("{{\"X\":{x},\"Y\":{y}}}\n"),
    };
    let mut bytes = (text.len() as u32).to_be_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes
}
