//! What the engine's side of every line protocol has in common.
//!
//! A session hears lines and returns steps; it never thinks itself, so that
//! whole conversations can be tested as text. Whoever drives it holds the
//! engine, the streams and the clock.

use crate::lines::LineTooLong;
use std::time::Duration;
use stoneline_rules::Position;
use stoneline_search::gomoku::Swap2;
use stoneline_search::{Choice, Event, Limits};

/// The engine's side of a conversation.
///
/// Lines that arrive while a task is thought about wait until
/// [`Session::chosen`], [`Session::swapped`] or [`Session::unfit`] was told of it.
pub trait Session {
    /// What a line asks for before its turn in the queue.
    fn urgency(line: &str) -> Urgency
    where
        Self: Sized;

    /// What to do about a line.
    fn hear(&mut self, line: &str) -> Vec<Step>;

    /// What to do about a line that was too long to be held.
    fn hear_too_long(&mut self, error: LineTooLong) -> Vec<Step>;

    /// The line that tells how the search stands, where the manager wants to know.
    fn progress(&mut self, event: &Event<'_>) -> Option<String>;

    /// What to do now that the engine chose; `spent` is what it took.
    fn chosen(&mut self, choice: &Choice, spent: Duration) -> Vec<Step>;

    /// What to do now that swap2 was answered; `spent` is what it took.
    ///
    /// Nothing in protocols that never ask for it.
    fn swapped(&mut self, answer: Swap2, spent: Duration) -> Vec<Step> {
        let _ = (answer, spent);
        Vec::new()
    }

    /// What to do when the engine does not play the game of its task.
    fn unfit(&mut self, reason: &str) -> Vec<Step>;
}

/// Whether a line may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// Until its turn comes.
    Waits,
    /// No longer than it takes to end every search that was asked for before it.
    StopsSearch,
    /// Not at all: the program ends.
    Quits,
}

/// Something to be done, in the order of the list it came in.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Write this line, and let it out at once.
    Say(String),
    /// Think; the session waits for the choice.
    Think(Box<Task>),
    /// Answer as swap2 has it; the session waits for the answer.
    Swap(Box<Task>),
    /// From now on think with this engine, by its text, which the registry knows.
    Use(String),
    /// Drop what the engine kept of earlier searches.
    Forget,
    /// End the program.
    Quit,
}

/// A position to think about.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// The position, whose game goes on.
    pub position: Position,
    /// What the search may spend.
    pub limits: Limits,
    /// The depth at which the search is stopped.
    pub depth: Option<u32>,
}
