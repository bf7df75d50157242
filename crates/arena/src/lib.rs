//! Games between engines, and what they show.
//!
//! Owns single games and who is to blame for their end, openings, matches
//! with the colours swapped, and the statistics of their results. Never
//! writes to a terminal: progress goes to a callback.

mod contest;
mod game;
mod opening;
mod score;
mod sprt;

pub use contest::{Contest, ContestError, Played, Report};
pub use game::{Clock, Game, Reason, play};
pub use opening::{NoOpening, Openings};
pub use score::{Elo, Score};
pub use sprt::{Decision, Sprt};
