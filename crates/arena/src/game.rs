//! One game between two engines: who moved what, how it ended, and why.
//!
//! The referee trusts nobody: every answer is checked by the rules, and every
//! move is timed.

use std::time::{Duration, Instant};
use stoneline_rules::{Cell, Outcome, Position, Side};
use stoneline_search::{Engine, Limits, think_quietly};

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// A finished line.
    Line,
    /// No legal move was left.
    FullBoard,
    /// An answer that the rules refuse.
    IllegalMove,
    /// No answer although there were legal moves.
    NoMove,
    /// An answer after the time was up.
    Time,
}

impl Reason {
    /// The word for it in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::FullBoard => "full board",
            Self::IllegalMove => "illegal move",
            Self::NoMove => "no move",
            Self::Time => "time",
        }
    }

    /// Whether the loser lost by breaking the rules of play rather than on the board.
    pub const fn is_forfeit(self) -> bool {
        !matches!(self, Self::Line | Self::FullBoard)
    }
}

/// What each move may take.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The limits given to both engines.
    pub limits: Limits,
    /// How late an answer may come beyond the time limit before it loses.
    pub tolerance: Duration,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position from which the engines played.
    pub opening: Position,
    /// Their moves.
    pub moves: Vec<Cell>,
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Reason,
    /// The longest time that each side took for a move.
    pub slowest: [Duration; 2],
}

/// Plays from `opening` to the end; `players` are the first and the second side.
pub fn play(opening: &Position, players: [&mut dyn Engine; 2], clock: &Clock) -> Game {
    let mut position = opening.clone();
    let mut slowest = [Duration::ZERO; 2];
    let (winner, reason) = loop {
        match position.outcome() {
            Some(Outcome::Win(side)) => break (Some(side), Reason::Line),
            Some(Outcome::Draw) => break (None, Reason::FullBoard),
            None => {}
        }
        let side = position.side_to_move();
        let begun = Instant::now();
        let choice = think_quietly(&mut *players[side.index()], &position, &clock.limits);
        let taken = begun.elapsed();
        slowest[side.index()] = slowest[side.index()].max(taken);
        let allowed = clock.limits.time.map(|time| time + clock.tolerance);
        if allowed.is_some_and(|allowed| taken > allowed) {
            break (Some(!side), Reason::Time);
        }
        match choice.best.map(|cell| position.play(cell)) {
            Some(Ok(())) => {}
            Some(Err(_)) => break (Some(!side), Reason::IllegalMove),
            None => break (Some(!side), Reason::NoMove),
        }
    };
    Game {
        opening: opening.clone(),
        moves: position.moves()[opening.moves().len()..].to_vec(),
        winner,
        reason,
        slowest,
    }
}
