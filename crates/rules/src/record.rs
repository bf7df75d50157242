//! A game with everything that is told of it: players, result, what engines thought.
//!
//! The moves of a [`Record`] are always legal and its result never contradicts
//! the board; the rest is what someone wrote. The text form is in
//! [`Record::read`]; SGF and Piskvork files are read and written by
//! [`crate::sgf`] and [`crate::psq`].

mod read;
mod write;

use crate::cell::Cell;
use crate::position::{Outcome, PlayError, Position};
use thiserror::Error;

/// What is told of a game as a whole.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Header {
    /// Who played the first and the second side.
    pub players: [Option<String>; 2],
    /// Why the game ended as it did: `line`, `time`, `resignation`, ...
    pub reason: Option<String>,
    /// When it was played, best as `2026-11-15`.
    pub date: Option<String>,
    /// The opening's name or moves.
    pub opening: Option<String>,
    /// The time each player had, such as `60+1`.
    pub time_control: Option<String>,
    /// Anything else, in prose.
    pub comment: Option<String>,
    /// Further named texts.
    pub tags: Tags,
}

/// What is told of one move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MoveNote {
    /// Thinking time.
    pub time_ms: Option<u64>,
    /// The value in the words of who moved: `win 5`, `0.61`, `+120`.
    pub value: Option<String>,
    /// Depth reached, in plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Simulations run.
    pub simulations: Option<u64>,
    /// Anything else, in prose.
    pub comment: Option<String>,
    /// Further named texts.
    pub tags: Tags,
}

/// Named texts in order; a name may occur more than once.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tags(Vec<(String, String)>);

/// Why a text can't be kept under a name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TagError {
    /// Names are a letter, then letters, digits, `_` and `-`.
    #[error("a tag's name is a letter, then letters, digits, _ and -; found {0:?}")]
    Malformed(String),
    /// The name already has a place of its own.
    #[error("{0} is no further tag: it has a field of its own")]
    Reserved(String),
}

/// Why a game can't be written in a foreign format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WriteError {
    /// The format has only stones that stay where they are put.
    #[error("{0} holds no games with falling stones")]
    Falling(&'static str),
    /// The format has only games won by five in a line.
    #[error("{0} holds only games of five in a line")]
    NotFive(&'static str),
    /// The format has only games from the empty board.
    #[error("{0} holds only games that start from the empty board")]
    SetUp(&'static str),
}

impl Tags {
    /// Adds `value` under `name`.
    ///
    /// # Errors
    /// If the name is malformed or belongs to a field of [`Header`] or [`MoveNote`].
    pub fn add(&mut self, name: &str, value: impl Into<String>) -> Result<(), TagError> {
        if !write::is_name(name) {
            return Err(TagError::Malformed(name.to_owned()));
        }
        if write::is_reserved(name) {
            return Err(TagError::Reserved(name.to_owned()));
        }
        self.0.push((name.to_owned(), value.into()));
        Ok(())
    }

    /// The first text under `name`.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.iter()
            .find_map(|(own, value)| (own == name).then_some(value))
    }

    /// All names and texts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// A game: a start, legal moves with a note each, a result and a header.
///
/// ```
/// use stoneline_rules::{MoveNote, Outcome, Position, Record, Side};
/// let mut record = Record::new("connect4".parse().unwrap());
/// record.header.players = [Some("Ada".into()), Some("level:3".into())];
/// let cell = record.position().landing(3).unwrap();
/// let note = MoveNote { time_ms: Some(12), ..MoveNote::default() };
/// record.play(cell, note).unwrap();
/// record.adjudge(Outcome::Win(Side::First)).unwrap();
/// let back = Record::read(&record.to_string()).unwrap();
/// assert_eq!(back, record);
/// assert_eq!(back.result(), Some(Outcome::Win(Side::First)));
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// What is told of the game as a whole.
    pub header: Header,
    position: Position,
    /// One for each of the position's moves.
    notes: Vec<MoveNote>,
    /// The result of a game that ended before the board did.
    adjudged: Option<Outcome>,
}

impl Record {
    /// The game of which `position` shows the moves so far, with nothing told of it.
    pub fn new(position: Position) -> Self {
        Self {
            header: Header::default(),
            notes: vec![MoveNote::default(); position.moves().len()],
            position,
            adjudged: None,
        }
    }

    /// The position after the last move, with the moves as its history.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves with what is told of each, oldest first.
    pub fn moves(&self) -> impl Iterator<Item = (Cell, &MoveNote)> {
        self.position.moves().iter().copied().zip(&self.notes)
    }

    /// Plays `cell`; a result adjudged before is forgotten.
    ///
    /// # Errors
    /// If the move is not legal; the record stays as it was.
    pub fn play(&mut self, cell: Cell, note: MoveNote) -> Result<(), PlayError> {
        self.position.play(cell)?;
        self.notes.push(note);
        self.adjudged = None;
        Ok(())
    }

    /// How the game ended, on the board or otherwise; `None` if it did not.
    pub fn result(&self) -> Option<Outcome> {
        self.position.outcome().or(self.adjudged)
    }

    /// Ends a game that the board has not ended: a resignation, a lost clock, an agreement.
    ///
    /// # Errors
    /// If the board has ended it otherwise.
    pub fn adjudge(&mut self, outcome: Outcome) -> Result<(), PlayError> {
        match self.position.outcome() {
            Some(on_board) if on_board != outcome => Err(PlayError::GameOver(on_board)),
            Some(_) => Ok(()),
            None => {
                self.adjudged = Some(outcome);
                Ok(())
            }
        }
    }

    /// What is told of the move at `ply`, to be changed; `None` beyond the last.
    pub fn note_mut(&mut self, ply: usize) -> Option<&mut MoveNote> {
        self.notes.get_mut(ply)
    }
}

/// The same start, moves, notes, result and header.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
            && self.position.moves() == other.position.moves()
            && self.header == other.header
            && self.notes == other.notes
            && self.result() == other.result()
    }
}

impl Eq for Record {}
