//! The plain variant, as an engine hears it.
//!
//! Numbers come with any white space between them, but where something made
//! no sense, lines help to find the way back: the rest of that line is
//! dropped, and a line of exactly four numbers that can begin a game does so.

use super::{Header, Nonsense, Request};

/// Longest number with its sign that any judge sends.
const LONGEST_NUMBER: usize = 12;
/// No line of any board is longer; what is, is dropped before it fills the memory.
const LONGEST_LINE: usize = 1 << 16;

/// What was understood so far.
#[derive(Default, Debug)]
pub(super) struct Plain {
    header: Option<Header>,
    /// Numbers of the header or of the turn that is coming in.
    numbers: Vec<i64>,
    /// The words of a line that are still to be taken, last first.
    words: Vec<String>,
    /// Inside a line that is too long already.
    overflowing: bool,
}

impl Plain {
    pub(super) fn next(&mut self, bytes: &mut Vec<u8>) -> Option<Result<Request, Nonsense>> {
        loop {
            while let Some(word) = self.words.pop() {
                if let Some(request) = self.take(&word) {
                    return Some(request);
                }
            }
            let line = match bytes.iter().position(|&byte| byte == b'\n') {
                Some(end) => bytes.drain(..=end).collect(),
                None if self.completes_turn(bytes) => std::mem::take(bytes),
                None => {
                    if bytes.len() > LONGEST_LINE {
                        bytes.clear();
                        self.overflowing = true;
                    }
                    return None;
                }
            };
            if std::mem::take(&mut self.overflowing) {
                continue;
            }
            self.words = words(&line);
            if self.header.is_some() && self.begins_game() {
                self.header = None;
                self.numbers.clear();
            }
            self.words.reverse();
        }
    }

    /// Whether a line of four numbers, and no more, can begin a game.
    ///
    /// No line of a turn is like it unless the board has four columns, where the way back is
    /// given up for certainty.
    fn begins_game(&self) -> bool {
        let numbers: Option<Vec<i64>> = self.words.iter().map(|word| number(word)).collect();
        match numbers.as_deref() {
            Some(&[rows, columns, x, y]) => {
                self.header.is_none_or(|header| header.columns != 4)
                    && is_header(rows, columns, x, y)
            }
            _ => false,
        }
    }

    /// Whether a line without its end yet holds all that a turn lacks.
    ///
    /// A judge that waits for the answer need not send a newline, and the last number of a
    /// board has one digit, so it is complete.
    fn completes_turn(&self, tail: &[u8]) -> bool {
        let Some(header) = self.header else {
            return false;
        };
        tail.last().is_some_and(u8::is_ascii_digit)
            && self.numbers.len() + words(tail).len() == turn_length(header)
    }

    /// Takes one word in; what it completes, if it does.
    fn take(&mut self, word: &str) -> Option<Result<Request, Nonsense>> {
        let Some(number) = number(word) else {
            self.words.clear();
            self.numbers.clear();
            let shown = word.chars().take(2 * LONGEST_NUMBER).collect();
            return Some(Err(Nonsense::Number(shown)));
        };
        self.numbers.push(number);
        match self.header {
            None => self.read_header(),
            Some(header) => (self.numbers.len() == turn_length(header)).then(|| {
                let numbers = std::mem::take(&mut self.numbers);
                // What is no mark or height on any board is none here either.
                let narrow = |number: &i64| i32::try_from(*number).unwrap_or(-1);
                let last = (narrow(&numbers[0]), narrow(&numbers[1]));
                let (top, board) = numbers[2..].split_at(header.columns);
                let (top, board) = (top.iter(), board.iter());
                header
                    .view(top.map(narrow).collect(), board.map(narrow).collect())
                    .map(|view| Request::Turn { view, last })
            }),
        }
    }

    fn read_header(&mut self) -> Option<Result<Request, Nonsense>> {
        let &[rows, columns, x, y] = self.numbers.as_slice() else {
            return None;
        };
        if !is_header(rows, columns, x, y) {
            // Perhaps the header begins one number later.
            self.numbers.remove(0);
            return Some(Err(Nonsense::Header([rows, columns, x, y])));
        }
        self.numbers.clear();
        let header = Header::new(rows, columns, (x, y));
        Some(header.map(|header| {
            self.header = Some(header);
            Request::NewGame
        }))
    }
}

fn is_header(rows: i64, columns: i64, x: i64, y: i64) -> bool {
    let is_size = |length| (4..=16).contains(&length);
    let is_cell = (0..rows).contains(&x) && (0..columns).contains(&y) || (x, y) == (-1, -1);
    is_size(rows) && is_size(columns) && is_cell
}

/// Last stone, top and board.
const fn turn_length(header: Header) -> usize {
    2 + header.columns + header.rows * header.columns
}

fn words(line: &[u8]) -> Vec<String> {
    let words = line.split(u8::is_ascii_whitespace);
    words
        .filter(|word| !word.is_empty())
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect()
}

fn number(word: &str) -> Option<i64> {
    (word.len() <= LONGEST_NUMBER).then(|| word.parse().ok())?
}
