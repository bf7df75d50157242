//! The older variant, as an engine hears it: JSON behind four digits of length.

use super::{Header, Nonsense, Request};
use serde_json::Value as Json;

/// Digits before each object.
const DIGITS: usize = 4;

/// What was understood so far.
#[derive(Default, Debug)]
pub(super) struct Framed {
    header: Option<Header>,
    /// Whether the bytes that are being skipped were told of.
    lost: bool,
}

impl Framed {
    pub(super) fn next(&mut self, bytes: &mut Vec<u8>) -> Option<Result<Request, Nonsense>> {
        loop {
            let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
            bytes.drain(..blank.count());
            match take_frame(bytes)? {
                Ok(object) => {
                    self.lost = false;
                    return Some(self.read(&object));
                }
                Err(reason) => {
                    // One byte at a time until a frame begins again, told once.
                    bytes.remove(0);
                    let start = bytes.windows(DIGITS + 1).position(|five| {
                        five[..DIGITS].iter().all(u8::is_ascii_digit) && five[DIGITS] == b'{'
                    });
                    let keep = start.unwrap_or(bytes.len().saturating_sub(DIGITS));
                    bytes.drain(..keep);
                    if !std::mem::replace(&mut self.lost, true) {
                        return Some(Err(Nonsense::Frame(reason)));
                    }
                }
            }
        }
    }

    fn read(&mut self, object: &Json) -> Result<Request, Nonsense> {
        let number = |key: &str| {
            let value = &object[key];
            value
                .as_i64()
                .ok_or_else(|| Nonsense::Number(format!("{key}: {value}")))
        };
        match number("type")? {
            0 => {
                let forbidden = (number("nox")?, number("noy")?);
                self.header = Some(Header::new(number("row")?, number("col")?, forbidden)?);
                Ok(Request::NewGame)
            }
            1 => {
                let header = self.header.ok_or(Nonsense::NoGame)?;
                let top = numbers(&object["top"], "top")?;
                let view = header.view(top, numbers(&object["board"], "board")?)?;
                // The board tells all: a last stone that is not told is none.
                let narrow = |key| i32::try_from(number(key).ok()?).ok();
                let last = narrow("lastx").zip(narrow("lasty")).unwrap_or((-1, -1));
                Ok(Request::Turn { view, last })
            }
            2 => Ok(Request::End),
            other => Err(Nonsense::Number(format!("type: {other}"))),
        }
    }
}

/// The numbers of an array; arrays in it, as of rows, are taken one after the other.
fn numbers(array: &Json, name: &'static str) -> Result<Vec<i32>, Nonsense> {
    let nothing = || Nonsense::Number(format!("{name}: {array}").chars().take(80).collect());
    let mut found = Vec::new();
    for item in array.as_array().ok_or_else(nothing)? {
        match item.as_array() {
            Some(row) => row.iter().for_each(|item| found.push(item.as_i64())),
            None => found.push(item.as_i64()),
        }
    }
    found
        .into_iter()
        .map(|number| number.and_then(|number| i32::try_from(number).ok()))
        .collect::<Option<Vec<i32>>>()
        .ok_or_else(nothing)
}

/// The object of a whole frame at the start of `bytes`, taken out; `None` if its end is to come.
fn take_frame(bytes: &mut Vec<u8>) -> Option<Result<Json, String>> {
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits < DIGITS {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(DIGITS + 1)]).into_owned();
        return (digits < bytes.len()).then_some(Err(format!("found {shown:?}")));
    }
    let length = bytes[..DIGITS]
        .iter()
        .fold(0, |length, digit| 10 * length + usize::from(digit - b'0'));
    let have = bytes.len().min(DIGITS + length);
    let mut objects = serde_json::Deserializer::from_slice(&bytes[DIGITS..have]).into_iter();
    let object: Option<Result<Json, _>> = objects.next();
    // A length that reaches beyond its object into the next frame is no length.
    let beyond = &bytes[DIGITS + objects.byte_offset()..have];
    if matches!(object, Some(Ok(_))) && !beyond.iter().all(u8::is_ascii_whitespace) {
        return Some(Err("the length does not fit the object".to_owned()));
    }
    match object {
        Some(Ok(object)) if object.is_object() && have == DIGITS + length => {
            bytes.drain(..have);
            Some(Ok(object))
        }
        Some(Err(error)) if !error.is_eof() || have == DIGITS + length => {
            Some(Err(error.to_string()))
        }
        Some(Ok(object)) if !object.is_object() => Some(Err("no object".to_owned())),
        None if have == DIGITS + length => Some(Err("an empty frame".to_owned())),
        _ => None,
    }
}

/// An object behind its length, as a judge sends it.
///
/// Contract: of the course's boards, so that four digits hold the length.
pub(super) fn frame(object: &Json) -> Vec<u8> {
    let text = object.to_string();
    debug_assert!(text.len() < 10_000);
    format!("{:04}{text}", text.len()).into_bytes()
}
