//! A net on disk: what it is and where it comes from in text, then its weights.
//!
//! ```text
//! stoneline net 1
//! shape 12121 rows, 32 units, 24 outputs
//! checksum 0123456789abcdef
//! KEY VALUE            as many lines as whoever made the net had to say
//!                      an empty line, then the weights, little end first
//! ```
//! A net with an output for each of 8 phases, whatever the ending, is read as well.
//! What is no such file is refused with the reason; nothing read can panic.

use super::net::{Net, UNITS, bytes_with};
use super::rows::{HEADS, PHASES, ROWS};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

const TITLE: &str = "stoneline net 1";
/// A head of more bytes than this is none.
const LONGEST_HEAD: usize = 1 << 16;
/// The net that ships.
static SHIPPED: &[u8] = include_bytes!("../../data/gravity.net");

/// Why a net can't be read.
#[derive(Debug, Error)]
pub enum NetError {
    /// The file system refused.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: std::io::Error,
    },
    /// The contents of a file are no net.
    #[error("{}: {error}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FormatError,
    },
}

/// Why bytes are no net.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    /// They don't begin as a net does.
    #[error("no net: expected {TITLE:?} in the first line")]
    Title,
    /// The head does not end, or a line of it is not as it should be.
    #[error("line {line} of the head: {reason}")]
    Head {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// There are too few weights or too many.
    #[error("expected {expected} bytes of weights, found {found}")]
    Length {
        /// The bytes that a net of its shape has.
        expected: usize,
        /// The bytes found.
        found: usize,
    },
    /// Something was changed after the net was written.
    #[error("the checksum is {found}, and of what follows it {expected}")]
    Checksum {
        /// What the head says.
        found: String,
        /// What the weights and the rest of the head give.
        expected: String,
    },
}

/// Where a net comes from: keys and values in the order in which they were told.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Provenance(Vec<(String, String)>);

impl Provenance {
    /// Adds a line. Line ends within it become spaces, as do spaces in the key underscores.
    pub fn tell(&mut self, key: &str, value: impl ToString) {
        let value = value.to_string().replace(['\n', '\r'], " ");
        let key = key.replace(char::is_whitespace, "_");
        self.0.push((key, value));
    }

    /// The value of a key, if it was told.
    pub fn find(&self, key: &str) -> Option<&str> {
        let mut told = self.lines();
        told.find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// All keys and values.
    pub fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (&**key, &**value))
    }
}

/// A checksum in which every bit counts: eight bytes at a time, mixed by multiplication.
pub(super) fn checksum(parts: &[&[u8]]) -> String {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for chunk in part.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            sum = stoneline_rules::scramble(sum ^ u64::from_le_bytes(word));
        }
        sum ^= part.len() as u64;
    }
    format!("{sum:016x}")
}

fn shape() -> String {
    format!("{ROWS} rows, {UNITS} units, {HEADS} outputs")
}

/// How many outputs a net of that shape has; `None` if it is no shape of ours.
fn outputs_of(found: &str) -> Option<usize> {
    let by_phase = format!("{ROWS} rows, {UNITS} units, {PHASES} phases");
    if found == shape() {
        Some(HEADS)
    } else {
        (found == by_phase).then_some(PHASES)
    }
}

impl Net {
    /// The net that ships with the program.
    ///
    /// # Panics
    /// If the program was built with a broken one, which a test refuses.
    pub fn shipped() -> Arc<Self> {
        let (net, _) = Self::read(SHIPPED).expect("the net that ships was checked");
        Arc::new(net)
    }

    /// Where the net that ships comes from.
    ///
    /// # Panics
    /// As [`Self::shipped`].
    pub fn shipped_provenance() -> Provenance {
        let (_, provenance) = Self::read(SHIPPED).expect("the net that ships was checked");
        provenance
    }

    /// The net in a file.
    ///
    /// # Errors
    /// If there is no such file, or it holds no net.
    pub fn load(path: &Path) -> Result<(Self, Provenance), NetError> {
        let bytes = std::fs::read(path).map_err(|error| NetError::File {
            path: path.to_owned(),
            error,
        })?;
        Self::read(&bytes).map_err(|error| NetError::Content {
            path: path.to_owned(),
            error,
        })
    }

    /// The bytes of a file that holds this net and where it comes from.
    pub fn write(&self, provenance: &Provenance) -> Vec<u8> {
        let weights = self.bytes();
        let mut told = String::new();
        for (key, value) in provenance.lines() {
            writeln!(told, "{key} {value}").expect("a string takes all text");
        }
        let sum = checksum(&[told.as_bytes(), &weights]);
        let head = format!("{TITLE}\nshape {}\nchecksum {sum}\n{told}\n", shape());
        let mut bytes = head.into_bytes();
        bytes.extend(weights);
        bytes
    }

    /// The net that [`Self::write`] made these bytes of.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub fn read(bytes: &[u8]) -> Result<(Self, Provenance), FormatError> {
        if !bytes.starts_with(TITLE.as_bytes()) {
            return Err(FormatError::Title);
        }
        let head_bytes = &bytes[..bytes.len().min(LONGEST_HEAD)];
        let wrong = |line, reason: String| FormatError::Head { line, reason };
        let end = head_bytes
            .windows(2)
            .position(|pair| pair == b"\n\n")
            .ok_or_else(|| wrong(1, "no empty line ends the head".to_owned()))?;
        let head = std::str::from_utf8(&bytes[..=end])
            .map_err(|error| wrong(1, format!("no text: {error}")))?;
        let weights = &bytes[end + 2..];
        let mut lines = head.lines();
        if lines.next() != Some(TITLE) {
            return Err(FormatError::Title);
        }
        let field = |key: &str, line: Option<&str>| {
            let value = line.and_then(|line| line.strip_prefix(key)?.strip_prefix(' '));
            value.map(str::to_owned)
        };
        let found =
            field("shape", lines.next()).ok_or_else(|| wrong(2, "expected a shape".to_owned()))?;
        let outputs = outputs_of(&found)
            .ok_or_else(|| wrong(2, format!("shape {found}, expected {}", shape())))?;
        let sum = field("checksum", lines.next())
            .ok_or_else(|| wrong(3, "expected a checksum".to_owned()))?;
        let told = head.splitn(4, '\n').nth(3).unwrap_or_default();
        let expected = checksum(&[told.as_bytes(), weights]);
        if sum != expected {
            return Err(FormatError::Checksum {
                found: sum,
                expected,
            });
        }
        let mut provenance = Provenance::default();
        for (at, line) in lines.enumerate() {
            let (key, value) = line
                .split_once(' ')
                .ok_or_else(|| wrong(at + 4, "expected a key and a value".to_owned()))?;
            provenance.tell(key, value);
        }
        let net = Self::from_bytes(weights, outputs).ok_or(FormatError::Length {
            expected: bytes_with(outputs),
            found: weights.len(),
        })?;
        Ok((net, provenance))
    }
}
