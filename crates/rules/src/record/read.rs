//! Records out of lines of text: the format, and every way to fall short of it.

use super::write::{BOARD, END, GAME, MAGIC, RESULT, VERSION, is_name, result_word};
use super::{MoveNote, Record, Tags};
use crate::cell::Side;
use crate::drawing;
use crate::notation;
use crate::position::{Outcome, Position};
use crate::read_error::{LONGEST_TEXT, ReadError, excerpt};
use crate::variant::Variant;
use std::str::FromStr;

impl Record {
    /// The game that `text` records.
    ///
    /// A record is lines of text:
    ///
    /// ```
    /// let text = r#"stoneline game 1
    /// game: connectx:4x5x3
    /// board: ...../...../..o../..x..
    /// result: first
    /// first: Ada
    /// second: mcts:time=1
    /// reason: line
    /// date: 2026-11-15
    /// round: 3
    ///
    /// 1 2 time_ms=12 value=0.61 depth=9 nodes=51234
    /// 2 1 comment="gives \"it\" away"
    /// 3 4
    /// end
    /// "#;
    /// let record = stoneline_rules::Record::read(text).unwrap();
    /// assert_eq!(record.header.tags.value("round"), Some("3"));
    /// assert_eq!(record.to_string(), text);
    /// ```
    ///
    /// First the format and its version. Then headers, `NAME: TEXT`: `game` is
    /// the first; `board` is the start, row by row from the top, when it was
    /// set up by hand; `result` is `first`, `second`, `draw` or `none`; then
    /// `first`, `second` (the players), `reason`, `date`, `opening`,
    /// `time-control`, `comment`, each at most once, and any others. Then a
    /// line a move: its number from 1, the move in the game's notation, and
    /// `NAME=TEXT` as often as wanted, where `time_ms`, `depth`, `nodes` and
    /// `simulations` are whole numbers. The last line is `end`.
    ///
    /// A text that begins with `"`, and after `=` every text that is not one
    /// plain word, stands in quotes, with `\"`, `\\`, `\n`, `\r`, `\t` and
    /// `\u{hex}` inside. Blank lines are skipped.
    ///
    /// # Errors
    /// The place and the reason, when the text is no such record, a move is
    /// illegal, or the result is not what the board shows.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        ReadError::check_length(text, LONGEST_TEXT)?;
        let mut lines = Lines::new(text);
        let record = read_one(&mut lines)?;
        match lines.next() {
            None => Ok(record),
            Some(line) => Err(lines.wrong(line, "expected nothing after the record's end")),
        }
    }

    /// All the games that `text` records one after the other.
    ///
    /// # Errors
    /// As [`Record::read`]; the place is that in the whole text.
    pub fn read_all(text: &str) -> Result<Vec<Self>, ReadError> {
        let mut lines = Lines::new(text);
        let mut records = Vec::new();
        while lines.peek().is_some() {
            records.push(read_one(&mut lines)?);
        }
        Ok(records)
    }
}

impl FromStr for Record {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        Self::read(text)
    }
}

/// The lines of a text that are not blank, trimmed.
struct Lines<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, rest: text }
    }

    fn peek(&self) -> Option<&'a str> {
        let line = self.rest.trim_start().lines().next()?;
        Some(line.trim_end())
    }

    fn next(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        let start = self.rest.trim_start();
        self.rest = start.split_once('\n').map_or("", |(_, rest)| rest);
        Some(line)
    }

    /// The next line, or the refusal that names what should have come.
    fn expect(&mut self, what: &str) -> Result<&'a str, ReadError> {
        self.next().ok_or_else(|| {
            let reason = format!("the text ends where {what} should come");
            ReadError::at(self.text, self.text.len(), reason)
        })
    }

    fn wrong(&self, part: &str, reason: impl Into<String>) -> ReadError {
        ReadError::at_part(self.text, part, reason)
    }
}

fn read_one(lines: &mut Lines<'_>) -> Result<Record, ReadError> {
    let first = lines.expect("a record")?;
    match first.strip_prefix(MAGIC) {
        Some(VERSION) => {}
        Some(other) => {
            let reason = format!("version {}: only {VERSION} is known", excerpt(other));
            return Err(lines.wrong(other, reason));
        }
        None => return Err(lines.wrong(first, format!("expected \"{MAGIC}{VERSION}\""))),
    }
    let name_line = lines.expect("the game")?;
    let (GAME, name) = header_line(lines, name_line)? else {
        return Err(lines.wrong(name_line, "expected the header \"game: NAME\" first"));
    };
    let variant = Variant::named(name, 0).map_err(|error| error.within(lines.text, name))?;
    let mut record = Record::new(Position::new(variant));
    let claim = read_headers(lines, &mut record)?;
    loop {
        let line = lines.expect("a move or \"end\"")?;
        if line == END {
            break;
        }
        read_move_line(lines, line, &mut record)?;
    }
    if let Some((result, part)) = claim {
        check_claim(&mut record, result).map_err(|reason| lines.wrong(part, reason))?;
    }
    Ok(record)
}

/// Reads all headers after the game; the result with its place, if given.
fn read_headers<'a>(
    lines: &mut Lines<'a>,
    record: &mut Record,
) -> Result<Option<(Option<Outcome>, &'a str)>, ReadError> {
    let mut claim = None;
    let mut has_board = false;
    while let Some(line) = lines.peek() {
        if line == END || line.starts_with(|sign: char| sign.is_ascii_digit()) {
            break;
        }
        lines.next();
        let (name, value) = header_line(lines, line)?;
        let twice = || lines.wrong(line, format!("the header {name} stands twice"));
        match name {
            GAME => return Err(twice()),
            BOARD if has_board => return Err(twice()),
            BOARD => {
                has_board = true;
                let rows: Vec<&str> = value.split('/').collect();
                record.position = drawing::read_rows(record.position.variant(), lines.text, &rows)?;
            }
            RESULT if claim.is_some() => return Err(twice()),
            RESULT => claim = Some((read_result(lines, value)?, value)),
            _ => {
                let text = header_value(lines, value)?;
                match record.header.field(name) {
                    Some(Some(_)) => return Err(twice()),
                    Some(field) => *field = Some(text),
                    None => add_tag(lines, &mut record.header.tags, name, text)?,
                }
            }
        }
    }
    Ok(claim)
}

/// `NAME` and what stands behind the colon.
fn header_line<'a>(lines: &Lines<'_>, line: &'a str) -> Result<(&'a str, &'a str), ReadError> {
    match line.split_once(':') {
        Some((name, value)) if is_name(name) => Ok((name, value.trim_start())),
        _ => Err(lines.wrong(
            line,
            format!("expected a header \"NAME: TEXT\", found {}", excerpt(line)),
        )),
    }
}

fn header_value(lines: &Lines<'_>, value: &str) -> Result<String, ReadError> {
    if !value.starts_with('"') {
        return Ok(value.to_owned());
    }
    let (text, rest) = read_quoted(lines, value)?;
    if rest.is_empty() {
        Ok(text)
    } else {
        Err(lines.wrong(rest, "expected nothing after the closing quote"))
    }
}

fn read_result(lines: &Lines<'_>, value: &str) -> Result<Option<Outcome>, ReadError> {
    let results = [
        Some(Outcome::Win(Side::First)),
        Some(Outcome::Win(Side::Second)),
        Some(Outcome::Draw),
        None,
    ];
    results
        .into_iter()
        .find(|&result| result_word(result) == value)
        .ok_or_else(|| {
            let found = excerpt(value);
            lines.wrong(
                value,
                format!("expected first, second, draw or none, found {found}"),
            )
        })
}

/// Gives `record` the claimed result unless the board shows another.
fn check_claim(record: &mut Record, claim: Option<Outcome>) -> Result<(), String> {
    let agrees = match claim {
        Some(outcome) => record.adjudge(outcome).is_ok(),
        None => record.result().is_none(),
    };
    match record.result() {
        Some(outcome) if !agrees => Err(format!(
            "the result is {}, but the board shows {outcome}",
            result_word(claim)
        )),
        _ => Ok(()),
    }
}

fn add_tag(lines: &Lines<'_>, tags: &mut Tags, name: &str, value: String) -> Result<(), ReadError> {
    tags.add(name, value)
        .map_err(|error| lines.wrong(name, error.to_string()))
}

/// `NUMBER MOVE NAME=TEXT ...`, played on `record`.
fn read_move_line(lines: &Lines<'_>, line: &str, record: &mut Record) -> Result<(), ReadError> {
    let (number, rest) = first_word(line);
    let expected = record.position.moves().len() + 1;
    if number.parse() != Ok(expected) {
        let reason = format!(
            "expected move number {expected} or \"end\", found {}",
            excerpt(number)
        );
        return Err(lines.wrong(number, reason));
    }
    let (played, mut rest) = first_word(rest);
    let cell = notation::read_move(&record.position, played)
        .map_err(|error| error.within(lines.text, played))?;
    let mut note = MoveNote::default();
    while !rest.is_empty() {
        let name_end = rest.find(|sign: char| sign == '=' || sign.is_whitespace());
        let (name, value) = match name_end {
            Some(end) if rest[end..].starts_with('=') => (&rest[..end], &rest[end + 1..]),
            _ => {
                let reason = format!("expected NAME=TEXT, found {}", excerpt(first_word(rest).0));
                return Err(lines.wrong(rest, reason));
            }
        };
        let text;
        (text, rest) = if value.starts_with('"') {
            let (text, rest) = read_quoted(lines, value)?;
            if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
                return Err(lines.wrong(rest, "expected a space after the closing quote"));
            }
            (text, rest.trim_start())
        } else {
            let (word, rest) = first_word(value);
            (word.to_owned(), rest)
        };
        add_to_note(&mut note, name, text).map_err(|reason| lines.wrong(name, reason))?;
    }
    record
        .play(cell, note)
        .map_err(|error| lines.wrong(played, error.to_string()))
}

fn add_to_note(note: &mut MoveNote, name: &str, text: String) -> Result<(), String> {
    fn set<T>(field: &mut Option<T>, name: &str, value: T) -> Result<(), String> {
        match field.replace(value) {
            Some(_) => Err(format!("{name} stands twice")),
            None => Ok(()),
        }
    }
    fn number<T: FromStr>(name: &str, text: &str) -> Result<T, String> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let wrong = || format!("{name} is a whole number, found {}", excerpt(text));
        text.parse().ok().filter(|_| digits).ok_or_else(wrong)
    }
    match name {
        "time_ms" => set(&mut note.time_ms, name, number(name, &text)?),
        "value" => set(&mut note.value, name, text),
        "depth" => set(&mut note.depth, name, number(name, &text)?),
        "nodes" => set(&mut note.nodes, name, number(name, &text)?),
        "simulations" => set(&mut note.simulations, name, number(name, &text)?),
        "comment" => set(&mut note.comment, name, text),
        _ => note.tags.add(name, text).map_err(|error| error.to_string()),
    }
}

/// Up to the first space, and what follows that space.
fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// The text between the quotes at the start of `part`, and what follows.
fn read_quoted<'a>(lines: &Lines<'_>, part: &'a str) -> Result<(String, &'a str), ReadError> {
    let mut text = String::new();
    let mut signs = part.char_indices().skip(1);
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return Ok((text, &part[at + 1..])),
            '\\' => {
                let (sign, length) = read_escape(&part[at + 1..]).ok_or_else(|| {
                    lines.wrong(
                        &part[at..],
                        "no such escape: known are \\\" \\\\ \\n \\r \\t \\u{hex}",
                    )
                })?;
                text.push(sign);
                signs.nth(length - 1);
            }
            _ => text.push(sign),
        }
    }
    Err(lines.wrong(part, "the closing quote is missing"))
}

/// The character that an escape without its backslash means, and the escape's length.
fn read_escape(escape: &str) -> Option<(char, usize)> {
    let sign = match escape.chars().next()? {
        sign @ ('"' | '\\') => sign,
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let (hex, _) = escape.strip_prefix("u{")?.split_once('}')?;
            let digits =
                (1..=6).contains(&hex.len()) && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = u32::from_str_radix(hex, 16).ok().filter(|_| digits)?;
            return Some((char::from_u32(code)?, hex.len() + 3));
        }
        _ => return None,
    };
    Some((sign, 1))
}
