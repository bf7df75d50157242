//! An engine's answers, as a judge hears them: framed by four bytes of length.

use serde_json::Value as Json;
use thiserror::Error;

/// Longest text of an answer: two numbers in JSON, with room for taste.
const LONGEST: usize = 256;

/// An answer that names no point.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BadAnswer {
    /// A length that no answer has: bytes that are no frame.
    #[error("a frame of {0} bytes: expected four bytes of length, big-endian, then `x y`")]
    Length(u32),
    /// Text that is not two numbers.
    #[error("{0:?} is not `x y`")]
    Text(String),
}

/// The judge's ear: bytes of an engine in, points out.
///
/// ```
/// use stoneline_protocols::saiblo::Answers;
/// let mut answers = Answers::default();
/// answers.push(b"\0\0\0\x038 4\0\0\0\x0e{\"X\":7,");
/// assert_eq!(answers.next(), Some(Ok((8, 4))));
/// assert_eq!(answers.next(), None);
/// answers.push(b"\"Y\":-1}\n");
/// assert_eq!(answers.next(), Some(Ok((7, -1))));
/// ```
#[derive(Default, Debug)]
pub struct Answers {
    bytes: Vec<u8>,
}

impl Answers {
    /// Takes in what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}

/// The next answer: row from the top and column. After a wrong length nothing
/// can be trusted any more, so all that was pushed is dropped.
impl Iterator for Answers {
    type Item = Result<(i32, i32), BadAnswer>;

    fn next(&mut self) -> Option<Self::Item> {
        let (length, text) = self.bytes.split_first_chunk()?;
        let length = u32::from_be_bytes(*length);
        let size = length as usize;
        if size > LONGEST {
            self.bytes.clear();
            return Some(Err(BadAnswer::Length(length)));
        }
        let text = String::from_utf8_lossy(text.get(..size)?).into_owned();
        self.bytes.drain(..size_of::<u32>() + size);
        Some(point(&text).ok_or(BadAnswer::Text(text)))
    }
}

fn point(text: &str) -> Option<(i32, i32)> {
    if text.trim_start().starts_with('{') {
        let object: Json = serde_json::from_str(text).ok()?;
        let number = |key| i32::try_from(object.get(key)?.as_i64()?).ok();
        return Some((number("X")?, number("Y")?));
    }
    let mut words = text.split_ascii_whitespace();
    let point = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some(point)
}
