//! What a manager says, one command a line: read by engines, written by managers.

use super::setting::Info;
use super::{Point, excerpt};
use std::fmt;
use thiserror::Error;

/// A line of a manager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A new, empty, square board.
    Start(usize),
    /// A new, empty board of any shape.
    RectStart {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A new, empty board of a game by its name: our extension.
    Game(String),
    /// The same board, empty again.
    Restart,
    /// Open the game.
    Begin,
    /// The opponent's move.
    Turn(Point),
    /// Play this move as your own.
    Play(Point),
    /// Take a stone back.
    Takeback(Point),
    /// A list of stones follows; then think.
    Board,
    /// A list of stones follows; don't think.
    YxBoard,
    /// A list of stones of the opening follows; then choose as swap2 has it.
    Swap2Board,
    /// A stone in a list: 1 mine, 2 theirs; no owner under swap2.
    Stone(Point, Option<u8>),
    /// The end of a list.
    Done,
    /// Something to know; never answered.
    Info(Info),
    /// Who are you?
    About,
    /// Stop thinking and answer.
    Stop,
    /// Which points are forbidden?
    ShowForbid,
    /// Think, and tell of this many moves.
    NBest(usize),
    /// Drop what is remembered of earlier searches.
    HashClear,
    /// Stop and exit.
    End,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unread {
    /// The word is unknown.
    #[error("{0}")]
    Unknown(String),
    /// The word is known, what follows it is not.
    #[error("{word} expects {expected}, found {found:?}")]
    Wrong {
        /// The command.
        word: &'static str,
        /// What should follow it.
        expected: &'static str,
        /// What does.
        found: String,
    },
}

/// Longest part of a manager's line that is repeated in an answer.
const LONGEST_EXCERPT: usize = 60;

impl Command {
    /// The command of a line; `None` for a line that is empty.
    ///
    /// # Errors
    /// If there is no such command, or its arguments are not as they should be.
    pub fn read(line: &str) -> Result<Option<Self>, Unread> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(None);
        }
        let (word, rest) = line
            .split_once(|letter: char| letter.is_whitespace())
            .unwrap_or((line, ""));
        Words {
            line,
            rest: rest.trim(),
        }
        .read(&word.to_ascii_uppercase())
        .map(Some)
    }

    /// Whether the line ends every search that was asked for before it.
    pub(super) fn stops(line: &str) -> bool {
        matches!(Self::read(line), Ok(Some(Self::Stop)))
    }

    /// Whether the line ends the program.
    pub(super) fn ends(line: &str) -> bool {
        matches!(Self::read(line), Ok(Some(Self::End)))
    }
}

/// A line, its first word apart.
struct Words<'a> {
    line: &'a str,
    rest: &'a str,
}

impl Words<'_> {
    fn read(&self, word: &str) -> Result<Command, Unread> {
        Ok(match word {
            "START" => Command::Start(self.number("START", "a size")?),
            "RECTSTART" => {
                let wrong = || self.wrong("RECTSTART", "width,height");
                let (width, height) = self.rest.split_once(',').ok_or_else(wrong)?;
                Command::RectStart {
                    width: width.trim().parse().map_err(|_| wrong())?,
                    height: height.trim().parse().map_err(|_| wrong())?,
                }
            }
            "SLGAME" => Command::Game(self.rest.to_owned()),
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => Command::Turn(self.point("TURN")?),
            "PLAY" => Command::Play(self.point("PLAY")?),
            "TAKEBACK" => Command::Takeback(self.point("TAKEBACK")?),
            "BOARD" => Command::Board,
            "YXBOARD" => Command::YxBoard,
            "SWAP2BOARD" => Command::Swap2Board,
            "DONE" => Command::Done,
            "INFO" => Command::Info(Info::read(self.rest)),
            "ABOUT" => Command::About,
            "STOP" | "YXSTOP" => Command::Stop,
            "YXSHOWFORBID" => Command::ShowForbid,
            "YXNBEST" => Command::NBest(self.number("YXNBEST", "a number of moves")?),
            "YXHASHCLEAR" => Command::HashClear,
            "END" => Command::End,
            _ => {
                return self
                    .stone()
                    .ok_or_else(|| Unread::Unknown(excerpt(self.line, LONGEST_EXCERPT)));
            }
        })
    }

    /// `x,y` or `x,y,owner`.
    fn stone(&self) -> Option<Command> {
        let numbers: Option<Vec<u8>> = self
            .line
            .split(',')
            .map(|text| text.trim().parse().ok())
            .collect();
        match numbers?[..] {
            [x, y] => Some(Command::Stone(Point { x, y }, None)),
            [x, y, owner] => Some(Command::Stone(Point { x, y }, Some(owner))),
            _ => None,
        }
    }

    fn number(&self, word: &'static str, expected: &'static str) -> Result<usize, Unread> {
        self.rest.parse().map_err(|_| self.wrong(word, expected))
    }

    fn point(&self, word: &'static str) -> Result<Point, Unread> {
        Point::read(self.rest).ok_or_else(|| self.wrong(word, "x,y"))
    }

    fn wrong(&self, word: &'static str, expected: &'static str) -> Unread {
        Unread::Wrong {
            word,
            expected,
            found: excerpt(self.rest, LONGEST_EXCERPT),
        }
    }
}

/// The line as a manager sends it, without its end.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(size) => write!(f, "START {size}"),
            Self::RectStart { width, height } => write!(f, "RECTSTART {width},{height}"),
            Self::Game(name) => write!(f, "SLGAME {name}"),
            Self::Restart => f.write_str("RESTART"),
            Self::Begin => f.write_str("BEGIN"),
            Self::Turn(point) => write!(f, "TURN {point}"),
            Self::Play(point) => write!(f, "PLAY {point}"),
            Self::Takeback(point) => write!(f, "TAKEBACK {point}"),
            Self::Board => f.write_str("BOARD"),
            Self::YxBoard => f.write_str("YXBOARD"),
            Self::Swap2Board => f.write_str("SWAP2BOARD"),
            Self::Stone(point, None) => point.fmt(f),
            Self::Stone(point, Some(owner)) => write!(f, "{point},{owner}"),
            Self::Done => f.write_str("DONE"),
            Self::Info(info) => write!(f, "INFO {info}"),
            Self::About => f.write_str("ABOUT"),
            Self::Stop => f.write_str("YXSTOP"),
            Self::ShowForbid => f.write_str("YXSHOWFORBID"),
            Self::NBest(moves) => write!(f, "YXNBEST {moves}"),
            Self::HashClear => f.write_str("YXHASHCLEAR"),
            Self::End => f.write_str("END"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let point = Point { x: 3, y: 17 };
        let commands = [
            Command::Start(20),
            Command::RectStart {
                width: 7,
                height: 6,
            },
            Command::Game("connect4".to_owned()),
            Command::Restart,
            Command::Begin,
            Command::Turn(point),
            Command::Play(point),
            Command::Takeback(point),
            Command::Board,
            Command::YxBoard,
            Command::Swap2Board,
            Command::Stone(point, None),
            Command::Stone(point, Some(2)),
            Command::Done,
            Command::Info(Info::TurnMs(5000)),
            Command::Info(Info::LeftMs(None)),
            Command::Info(Info::LeftMs(Some(300))),
            Command::Info(Info::Rule(4)),
            Command::Info(Info::MemoryBytes(367_001_600)),
            Command::About,
            Command::Stop,
            Command::ShowForbid,
            Command::NBest(5),
            Command::HashClear,
            Command::End,
        ];
        for command in commands {
            let line = command.to_string();
            assert_eq!(Command::read(&line), Ok(Some(command)), "{line}");
        }
    }

    #[test]
    fn case_and_blanks_do_not_count() {
        let turn = Command::Turn(Point { x: 7, y: 8 });
        for line in ["turn 7,8", "  Turn\t7 , 8  ", "TURN 7,8\r"] {
            assert_eq!(Command::read(line), Ok(Some(turn.clone())), "{line:?}");
        }
        assert_eq!(Command::read("  "), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let told = |line: &str| Command::read(line).unwrap_err().to_string();
        assert_eq!(told("START"), "START expects a size, found \"\"");
        assert_eq!(told("turn 7"), "TURN expects x,y, found \"7\"");
        assert_eq!(told("TURN -1,999"), "TURN expects x,y, found \"-1,999\"");
        assert_eq!(told("MAKE\u{7} tea"), "MAKE\u{fffd} tea");
        assert_eq!(told("1,2,3,4"), "1,2,3,4");
    }
}
