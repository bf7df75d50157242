//! Games between engines, and what they show.
//!
//! Owns single games and who is to blame for their end, openings, matches
//! with the colours swapped, and the statistics of their results. Never
//! writes to a terminal: progress goes to a callback.

mod adjudicate;
mod cores;
mod experiment;
pub mod export;
mod game;
mod house;
mod identity;
mod opening;
mod plan;
mod player;
mod players;
mod rating;
mod report;
mod schedule;
mod score;
mod sprt;
mod store;
mod summary;
mod system;
mod tally;
mod tournament;
mod tune;

pub use adjudicate::Adjudication;
pub use experiment::{Arm, Baseline, Experiment, Findings, Vary};
pub use game::{Game, Move, Reason, Seat, Terms, play};
pub use identity::Identity;
pub use opening::{ListError, NoOpening, Openings};
pub use plan::{Amount, OpeningPlan, Plan, PlanError, PlayerPlan, read_openings};
pub use player::{Answer, Entrant, Loss, Maker, Player, Scheme, Start, Turn, Unfit};
pub use players::{course_code, course_code_meaning, run_as_child};
pub use rating::{Encounter, Ratings, encounters};
pub use report::Page;
pub use schedule::{Fixture, Format, Schedule, Shape};
pub use score::{Elo, Score};
pub use sprt::{Decision, Scale, Sprt};
pub use store::{
    Forgetful, Keeper, Kept, KeptGame, KeptPlayer, KeptRun, MoveFacts, Run, Store, StoreError,
};
pub use summary::{Summary, brief, elo_text, reasons};
pub use system::missing_protection;
pub use tally::{Outcome, Report, Tally};
pub use tournament::{Finished, Progress, Standing, Tournament, TournamentError};
pub use tune::{Knob, Tuned, Tuning};
