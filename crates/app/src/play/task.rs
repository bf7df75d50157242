//! What engines are asked to do for the terminal, and what they tell.

use crate::opponent::Opponent;
use crate::study::{self, review};
use std::time::Duration;
use stoneline_rules::{Cell, Position};
use stoneline_search::{Effort, Limits, MoveReport, Value};

/// What an engine is to do.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) kind: Kind,
    /// The position that it is about, with all its moves.
    pub(crate) position: Position,
    /// What it may spend.
    pub(crate) limits: Limits,
}

/// The kinds of tasks.
#[derive(Clone)]
pub(crate) enum Kind {
    /// Choose a move, as the player of a side.
    Move(Opponent),
    /// Choose a move for a person who asks.
    Hint,
    /// Tell what every move is worth.
    Analyse,
    /// Tell what became of every move of the game.
    Review,
}

impl Task {
    /// Whether this asks for the same as `other`.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same_kind = match (&self.kind, &other.kind) {
            (Kind::Move(mine), Kind::Move(theirs)) => mine.name() == theirs.name(),
            (mine, theirs) => std::mem::discriminant(mine) == std::mem::discriminant(theirs),
        };
        same_kind
            && self.limits == other.limits
            && self.position == other.position
            && self.position.moves() == other.position.moves()
    }
}

/// What is heard of a task.
pub(crate) enum News {
    /// How the search stands.
    Thought(Thought),
    /// The move of an engine or a hint, with the thought behind it.
    Chosen(Option<Cell>, Thought),
    /// A part of a review.
    Review(review::News),
    /// The review is complete.
    Reviewed,
    /// It can't be done.
    Trouble(String),
}

/// How a search stood.
#[derive(Clone)]
pub(crate) struct Thought {
    /// Who thinks.
    pub(crate) who: String,
    pub(crate) position: Position,
    pub(crate) value: Value,
    pub(crate) moves: Vec<MoveReport>,
    pub(crate) effort: Effort,
    pub(crate) time: Duration,
    /// Whether nothing more will come.
    pub(crate) is_final: bool,
}

impl Thought {
    /// The thought of `who` as it stands.
    pub(crate) fn new(who: &str, standing: &study::Standing<'_>) -> Self {
        Self {
            who: who.to_owned(),
            position: standing.position.clone(),
            value: standing.value,
            moves: standing.moves.to_vec(),
            effort: standing.effort.clone(),
            time: standing.time,
            is_final: standing.is_final,
        }
    }
}
