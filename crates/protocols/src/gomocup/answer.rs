//! What an engine says: written by engines, read by managers.

use super::{Point, excerpt};
use std::fmt;
use thiserror::Error;

/// A line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The board is ready.
    Ok,
    /// A known command that can't be done, and why.
    Error(String),
    /// A command that is not known.
    Unknown(String),
    /// A move, or the two or three that swap2 asks for.
    Moves(Vec<Point>),
    /// The other colour, under swap2.
    Swap,
    /// The forbidden points.
    Forbid(Vec<Point>),
    /// Who the engine is: keys and values.
    About(String),
    /// Something for the person who watches.
    Message(String),
    /// Something for the engine's author.
    Debug(String),
    /// A move to be confirmed by PLAY.
    Suggest(Point),
}

/// A line that no engine says.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is no answer")]
pub struct BadAnswer(String);

const LONGEST_EXCERPT: usize = 120;

impl Answer {
    /// The answer of a line; `None` for a line that is empty.
    ///
    /// # Errors
    /// If the protocol has no such answer.
    pub fn read(line: &str) -> Result<Option<Self>, BadAnswer> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(None);
        }
        let (word, rest) = line
            .split_once(|letter: char| letter.is_whitespace())
            .unwrap_or((line, ""));
        let text = || rest.trim().to_owned();
        let bad = || BadAnswer(excerpt(line, LONGEST_EXCERPT));
        Ok(Some(match word.to_ascii_uppercase().as_str() {
            "OK" => Self::Ok,
            "ERROR" => Self::Error(text()),
            "UNKNOWN" => Self::Unknown(text()),
            "SWAP" => Self::Swap,
            "MESSAGE" => Self::Message(text()),
            "DEBUG" => Self::Debug(text()),
            "SUGGEST" => Self::Suggest(Point::read(rest).ok_or_else(bad)?),
            "FORBID" => Self::Forbid(forbidden(rest).ok_or_else(bad)?),
            // Nothing else holds an equals sign, and the keys come in any order.
            _ if line.contains("=\"") => Self::About(line.to_owned()),
            _ => {
                let points: Option<Vec<Point>> = line.split_whitespace().map(Point::read).collect();
                Self::Moves(points.filter(|points| points.len() <= 3).ok_or_else(bad)?)
            }
        }))
    }
}

/// The points of `xxyyxxyy.`
fn forbidden(text: &str) -> Option<Vec<Point>> {
    let digits = text.trim().strip_suffix('.')?.as_bytes();
    if digits.len() % 4 != 0 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |tens: u8, ones: u8| 10 * (tens - b'0') + ones - b'0';
    let points = digits.chunks_exact(4).map(|four| Point {
        x: number(four[0], four[1]),
        y: number(four[2], four[3]),
    });
    Some(points.collect())
}

/// The line as an engine sends it, without its end.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("OK"),
            Self::Error(text) => write!(f, "ERROR {text}"),
            Self::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Self::Moves(points) => {
                let words: Vec<String> = points.iter().map(Point::to_string).collect();
                f.write_str(&words.join(" "))
            }
            Self::Swap => f.write_str("SWAP"),
            Self::Forbid(points) => {
                f.write_str("FORBID ")?;
                for point in points {
                    write!(f, "{:02}{:02}", point.x, point.y)?;
                }
                f.write_str(".")
            }
            Self::About(text) => f.write_str(text),
            Self::Message(text) => write!(f, "MESSAGE {text}"),
            Self::Debug(text) => write!(f, "DEBUG {text}"),
            Self::Suggest(point) => write!(f, "SUGGEST {point}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let points = vec![Point { x: 0, y: 21 }, Point { x: 7, y: 3 }];
        let answers = [
            Answer::Ok,
            Answer::Error("no".to_owned()),
            Answer::Unknown("WHAT".to_owned()),
            Answer::Moves(points.clone()),
            Answer::Moves(vec![points[0]]),
            Answer::Swap,
            Answer::Forbid(points.clone()),
            Answer::Forbid(Vec::new()),
            Answer::About("name=\"a\", version=\"1\"".to_owned()),
            Answer::Message("depth 3".to_owned()),
            Answer::Debug("x".to_owned()),
            Answer::Suggest(points[1]),
        ];
        for answer in answers {
            let line = answer.to_string();
            assert_eq!(Answer::read(&line), Ok(Some(answer)), "{line}");
        }
        assert_eq!(Answer::read("  "), Ok(None));
    }

    #[test]
    fn what_no_engine_says_is_refused() {
        for line in [
            "7;7",
            "7",
            "-1,3",
            "300,1",
            "I resign",
            "FORBID 1",
            "FORBID 071.",
            "\0",
            "SUGGEST",
            "1,1 2,2 3,3 4,4",
        ] {
            assert!(Answer::read(line).is_err(), "{line:?}");
        }
    }
}
