//! Records into lines of text: the words of the format, and what must be quoted.

use super::{Header, MoveNote, Record};
use crate::cell::Side;
use crate::drawing;
use crate::notation;
use crate::position::Outcome;
use std::fmt::{self, Write};

/// The first line of every record; the number is the format's version.
pub(super) const MAGIC: &str = "stoneline game ";
pub(super) const VERSION: &str = "1";
pub(super) const END: &str = "end";

pub(super) const GAME: &str = "game";
pub(super) const BOARD: &str = "board";
pub(super) const RESULT: &str = "result";

/// Names that tags can't have: those of the fields of headers and notes.
const RESERVED: [&str; 15] = [
    GAME,
    BOARD,
    RESULT,
    "first",
    "second",
    "reason",
    "date",
    "opening",
    "time-control",
    "comment",
    "time_ms",
    "value",
    "depth",
    "nodes",
    "simulations",
];

pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

impl Header {
    /// The header's own texts and their names, in the order written.
    fn fields(&mut self) -> [(&'static str, &mut Option<String>); 7] {
        let [first, second] = &mut self.players;
        [
            ("first", first),
            ("second", second),
            ("reason", &mut self.reason),
            ("date", &mut self.date),
            ("opening", &mut self.opening),
            ("time-control", &mut self.time_control),
            ("comment", &mut self.comment),
        ]
    }

    pub(super) fn field(&mut self, name: &str) -> Option<&mut Option<String>> {
        let mut fields = self.fields().into_iter();
        fields.find_map(|(own, field)| (own == name).then_some(field))
    }
}

/// The text that [`Record::read`] reads back as an equal record.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position();
        writeln!(f, "{MAGIC}{VERSION}")?;
        writeln!(f, "{GAME}: {}", position.variant())?;
        if position.plies() > position.moves().len() {
            writeln!(f, "{BOARD}: {}", drawing::write_rows(&position.start()))?;
        }
        writeln!(f, "{RESULT}: {}", result_word(self.result()))?;
        for (name, value) in self.header.clone().fields() {
            if let Some(value) = value {
                writeln!(f, "{name}: {}", header_text(value))?;
            }
        }
        for (name, value) in self.header.tags.iter() {
            writeln!(f, "{name}: {}", header_text(value))?;
        }
        writeln!(f)?;
        for (at, (cell, note)) in self.moves().enumerate() {
            let played = notation::write_move(position.variant(), cell);
            writeln!(f, "{} {played}{}", at + 1, note_text(note))?;
        }
        writeln!(f, "{END}")
    }
}

fn note_text(note: &MoveNote) -> String {
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let mut text = String::new();
    let fields = [
        ("time_ms", number(note.time_ms)),
        ("value", note.value.as_deref().map(word)),
        ("depth", number(note.depth.map(u64::from))),
        ("nodes", number(note.nodes)),
        ("simulations", number(note.simulations)),
        ("comment", note.comment.as_deref().map(word)),
    ];
    let tags = note.tags.iter().map(|(name, value)| (name, word(value)));
    let told = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    for (name, value) in told.chain(tags) {
        write!(text, " {name}={value}").expect("a String takes any text");
    }
    text
}

pub(super) fn result_word(result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(Side::First)) => "first",
        Some(Outcome::Win(Side::Second)) => "second",
        Some(Outcome::Draw) => "draw",
        None => "none",
    }
}

/// A header's text, quoted where its line would not show it whole.
fn header_text(value: &str) -> String {
    let plain = !value.is_empty()
        && value.trim() == value
        && !value.starts_with('"')
        && !value.contains(char::is_control);
    if plain {
        value.to_owned()
    } else {
        quoted(value)
    }
}

/// A note's text, quoted unless it is one plain word.
fn word(value: &str) -> String {
    let plain = !value.is_empty()
        && value
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'"');
    if plain {
        value.to_owned()
    } else {
        quoted(value)
    }
}

fn quoted(value: &str) -> String {
    let mut text = String::from('"');
    for sign in value.chars() {
        match sign {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ if sign.is_control() => {
                write!(text, "\\u{{{:x}}}", u32::from(sign)).expect("a String takes any text");
            }
            _ => text.push(sign),
        }
    }
    text.push('"');
    text
}
