//! What every reader of text answers when it can't: the place and the reason.

use std::fmt;

/// Longest text of a game or position that is read, in bytes.
pub const LONGEST_TEXT: usize = 1 << 20;

/// Why a text could not be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    line: usize,
    column: usize,
    reason: String,
}

impl ReadError {
    /// An error at byte `offset` of `text`.
    pub fn at(text: &str, offset: usize, reason: impl Into<String>) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |newline| newline + 1);
        Self {
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            // Continuation bytes of UTF-8 do not start a character.
            column: 1 + before[line_start..]
                .iter()
                .filter(|&&byte| byte & 0xc0 != 0x80)
                .count(),
            reason: reason.into(),
        }
    }

    /// An error at the place where `part`, a slice of `text`, begins.
    pub fn at_part(text: &str, part: &str, reason: impl Into<String>) -> Self {
        let offset = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        Self::at(text, offset, reason)
    }

    /// The error of reading `part`, a slice of `text`, as an error of `text`.
    pub(crate) fn within(self, text: &str, part: &str) -> Self {
        let start = Self::at_part(text, part, "");
        Self {
            line: start.line + self.line - 1,
            column: if self.line == 1 {
                start.column + self.column - 1
            } else {
                self.column
            },
            reason: self.reason,
        }
    }

    /// `Ok` unless `text` is longer than `most` bytes, which no text of that kind needs.
    pub(crate) fn check_length(text: &str, most: usize) -> Result<(), Self> {
        if text.len() <= most {
            return Ok(());
        }
        let reason = format!("the text has {} bytes; at most {most} are read", text.len());
        Err(Self::at(text, most, reason))
    }

    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The character within the line, counted from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong there.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "character {}: {}", self.column, self.reason)
    }
}

impl std::error::Error for ReadError {}

/// The beginning of `text`, in quotes, short enough for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
