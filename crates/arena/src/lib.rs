//! Games between engines, and what they show.
//!
//! Owns single games and who is to blame for their end, openings, matches
//! with the colours swapped, and the statistics of their results. Never
//! writes to a terminal: progress goes to a callback.

mod contest;
mod foreign;
mod game;
mod house;
mod opening;
mod player;
mod score;
mod sprt;

pub use contest::{Contest, ContestError, Played, Report};
pub use game::{Game, Move, Reason, Seat, play};
pub use opening::{NoOpening, Openings};
pub use player::{Answer, Entrant, Loss, Maker, Player, Scheme, Start, Turn, Unfit};
pub use score::{Elo, Score};
pub use sprt::{Decision, Sprt};
