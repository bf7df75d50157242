//! Networks from self-play: games, fitting, and the matches that let a network in.
//!
//! Stands beside the arena, above the engines, and is not needed to play.
//! Owns the data of training runs and their settings. Never writes to a
//! terminal: progress goes to callbacks.

mod dataset;
mod fit;
mod game;
mod gate;
mod inputs;
mod model;
mod selfplay;
mod settings;
mod store;

pub use fit::{FitError, FittedNet, Fitting, fit};
pub use game::Game;
pub use gate::{GateError, Match, Verdict, gate};
pub use inputs::{Fitted, Gravity, Inputs, Start};
pub use selfplay::{PlayError, Progress, play};
pub use settings::{Fit, Gate, Play, Settings, SettingsError};
pub use store::{Store, StoreError, read_games};
