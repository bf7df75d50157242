//! What every reader of text answers when it can't: the place and the reason.

use std::fmt;

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
