//! Engines for k-in-a-row games, all behind one trait.
//!
//! Owns limits, events, values, parameters and the registry of names. Never
//! prints, keeps no globals, and looks at no clock while a search is bounded
//! by nodes or simulations alone.

mod alphabeta;
pub mod bench;
mod best;
mod bound;
mod buckets;
mod clock;
mod columns;
mod engine;
mod exact;
mod gather;
pub mod gomoku;
mod level;
mod limits;
mod mcts;
mod negamax;
pub mod neural;
mod params;
mod presets;
mod punctual;
mod random;
mod registry;
pub mod solve;
mod value;

pub use best::weighs_every_move;
pub use engine::{Choice, Effort, Engine, Event, MoveReport, think_quietly};
pub use limits::Limits;
pub use params::{SettingError, Tunable};
pub use registry::{BuildError, Entry, Spec, engines};
pub use value::Value;
