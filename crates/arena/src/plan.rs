//! A tournament as it is written down: a TOML file, checked into a [`Plan`].
//!
//! What is unknown or impossible is refused with its place; what is missing
//! has the defaults named here.

use crate::adjudicate::Adjudication;
use crate::schedule::{Format, Shape};
use crate::sprt::Sprt;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use stoneline_search::Limits;
use thiserror::Error;

/// A tournament to be played.
///
/// ```
/// use stoneline_arena::Plan;
/// let plan = Plan::parse("
///     game = 'connect4'
///     format = 'round-robin'
///     games = 10
///     simulations = 50
///     player = [{ engine = 'mcts' }, { engine = 'random' }, { engine = 'kaggle-negamax' }]
/// ").unwrap();
/// assert_eq!(plan.players.len(), 3);
/// assert!(Plan::parse("gmae = 'connect4'").is_err());
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What the tournament is called; the file's name unless told.
    #[serde(default)]
    pub name: String,
    /// The game; `course` draws another board for each opening.
    #[serde(default = "default_game")]
    pub game: String,
    /// Who meets whom.
    #[serde(default = "default_format")]
    pub format: Format,
    /// Games between two players each time they meet.
    #[serde(default = "default_games")]
    pub games: u32,
    /// Rounds of a Swiss tournament; enough to find a winner unless told.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// How many of the first players run a gauntlet.
    #[serde(default = "default_challengers")]
    pub challengers: usize,
    /// Chooses openings and the engines' taste.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Games at once.
    #[serde(default = "default_concurrency")]
    pub concurrency: usize,
    /// Whether each game at once has processor cores of its own; where it is useful unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<bool>,
    /// Time a move: `100` (ms), `100ms` or `2.5s`.
    #[serde(default)]
    pub time: Option<Amount>,
    /// A clock for all moves and what it gains with each: `60s` or `60s+1s`.
    #[serde(default)]
    pub clock: Option<Amount>,
    /// A bank of time for a whole game, drawn on where a move takes longer than `time`: `60s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overage: Option<Amount>,
    /// Nodes a move, for searches by depth.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Simulations a move, for Monte-Carlo searches.
    #[serde(default)]
    pub simulations: Option<u64>,
    /// Threads of each player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// Memory of each player: `64MB`.
    #[serde(default)]
    pub memory: Option<Amount>,
    /// How late an answer may come before it loses.
    #[serde(default = "default_tolerance")]
    pub tolerance: Amount,
    /// From where games are played.
    #[serde(default)]
    pub openings: OpeningPlan,
    /// When games are ended early.
    #[serde(default)]
    pub adjudicate: Adjudication,
    /// Ends a match early when decided.
    #[serde(default)]
    pub sprt: Option<Sprt>,
    /// Where the games are kept; beside the file, with its name, unless told.
    #[serde(default)]
    pub store: Option<PathBuf>,
    /// The players; their order is their seeding.
    #[serde(rename = "player", default)]
    pub players: Vec<PlayerPlan>,
}

/// A player of a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerPlan {
    /// What tables call it; its engine's text unless told.
    #[serde(default)]
    pub name: String,
    /// `NAME[:key=value,...]`, `so:FILE`, `gomocup:COMMAND`, ...
    pub engine: String,
}

/// From where games are played.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningPlan {
    /// Random moves before the players take over; 0 unless told where the board is
    /// random already, else 3.
    #[serde(default)]
    pub plies: Option<usize>,
    /// Each opening is the most even of so many.
    #[serde(default)]
    pub balance: Option<usize>,
    /// The engine that judges evenness.
    #[serde(default)]
    pub judge: Option<String>,
    /// A file of openings, one a line.
    #[serde(default)]
    pub file: Option<PathBuf>,
    /// The openings themselves; the file's lines once it is read.
    #[serde(default)]
    pub list: Vec<String>,
    /// Whether listed moves are offsets from the centre, as Gomocup writes them.
    #[serde(default)]
    pub centred: bool,
}

/// A number or a text with a unit, as `100` or `"100ms"`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Amount {
    /// Without unit.
    Whole(u64),
    /// Without unit, with a fraction.
    Real(f64),
    /// With its unit.
    Text(String),
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn default_game() -> String {
    "connect4".to_owned()
}
const fn default_format() -> Format {
    Format::RoundRobin
}
const fn default_games() -> u32 {
    10
}
const fn default_challengers() -> usize {
    1
}
const fn default_seed() -> u64 {
    1
}
const fn default_concurrency() -> usize {
    1
}
const fn default_tolerance() -> Amount {
    Amount::Whole(1000)
}

/// Why a plan is refused.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A file can't be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The text is no plan.
    #[error("{0}")]
    Text(Box<toml::de::Error>),
    /// A value makes no sense.
    #[error("{key}: {reason}")]
    Value {
        /// The key.
        key: &'static str,
        /// Why not.
        reason: String,
    },
}

impl PlanError {
    pub(crate) fn value(key: &'static str, reason: impl Into<String>) -> Self {
        Self::Value {
            key,
            reason: reason.into(),
        }
    }
}

impl Plan {
    /// The plan of these players with all defaults.
    pub fn of(format: Format, players: Vec<PlayerPlan>) -> Self {
        Self {
            format,
            players,
            ..Self::parse("").expect("every key has a default")
        }
    }

    /// The plan in a text.
    ///
    /// # Errors
    /// The place and the reason when the text is no plan.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        toml::from_str(text).map_err(|error| PlanError::Text(Box::new(error)))
    }

    /// The plan in a file, with the openings' file read in and the name and store settled.
    ///
    /// # Errors
    /// If a file can't be read or is no plan.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let mut plan = Self::parse(&read_file(path)?)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if plan.name.is_empty() {
            let stem = path.file_stem().unwrap_or_default();
            plan.name = stem.to_string_lossy().into_owned();
        }
        plan.store = Some(match &plan.store {
            Some(store) => folder.join(store),
            None => path.with_extension("db"),
        });
        plan.settle_openings(path)?;
        Ok(plan)
    }

    /// Reads the openings' file in; it is named relative to the folder of `path`.
    pub(crate) fn settle_openings(&mut self, path: &Path) -> Result<(), PlanError> {
        if let Some(file) = self.openings.file.take() {
            let folder = path.parent().unwrap_or(Path::new(""));
            let lines = read_openings(&folder.join(file))?;
            self.openings.list.extend(lines);
        }
        Ok(())
    }

    /// The numbers of the schedule.
    ///
    /// # Errors
    /// If the format can't be played with these numbers.
    pub fn shape(&self) -> Result<Shape, PlanError> {
        let players = self.players.len();
        let wrong = |key, reason: &str| Err(PlanError::value(key, reason));
        match (self.format, players) {
            (Format::Match, 2) => {}
            (Format::Match, _) => return wrong("player", "a match has two players"),
            (_, 0..=1) => return wrong("player", "a tournament has at least two players"),
            _ => {}
        }
        if self.games == 0 || self.format != Format::Match && self.games % 2 == 1 {
            return wrong("games", "colours are swapped: give an even number above 0");
        }
        if self.format == Format::Gauntlet && !(1..players).contains(&self.challengers) {
            return wrong("challengers", "at least one, and fewer than the players");
        }
        if self.sprt.is_some() && self.format != Format::Match {
            return wrong("sprt", "only a match can be decided by it");
        }
        if let Some(fault) = self.sprt.and_then(|sprt| sprt.fault()) {
            return wrong("sprt", fault);
        }
        let enough = usize::BITS - (players - 1).leading_zeros();
        Ok(Shape {
            format: self.format,
            players,
            games: self.games,
            rounds: self.rounds.unwrap_or(enough).max(1),
            challengers: self.challengers,
        })
    }

    /// What moves may take, unless a player's own keys say otherwise.
    ///
    /// # Errors
    /// If a text is no time or size.
    pub fn limits(&self) -> Result<Limits, PlanError> {
        let mut limits = Limits {
            nodes: self.nodes,
            simulations: self.simulations,
            ..Limits::default()
        };
        if let Some(threads) = self.threads {
            limits
                .set("threads", &threads.to_string())
                .map_err(|error| PlanError::value("threads", error.to_string()))?;
        }
        if let Some(memory) = &self.memory {
            limits
                .set("memory", &memory.to_string())
                .map_err(|error| PlanError::value("memory", error.to_string()))?;
        }
        if let Some(time) = &self.time {
            limits.time = Some(read_time("time", &time.to_string())?);
        }
        if let Some(clock) = &self.clock {
            let text = clock.to_string();
            let (total, increment) = text.split_once('+').unwrap_or((&text, "0"));
            limits.remaining = Some(read_time("clock", total.trim())?);
            limits.increment = Some(read_time("clock", increment.trim())?);
        }
        if let Some(overage) = &self.overage {
            if limits.time.is_none() {
                let reason = "a bank for moves that take longer than `time`: give that too";
                return Err(PlanError::value("overage", reason));
            }
            limits.overage = Some(read_time("overage", &overage.to_string())?);
        }
        Ok(limits)
    }

    /// How late an answer may come before it loses.
    ///
    /// # Errors
    /// If the text is no time.
    pub fn tolerance(&self) -> Result<std::time::Duration, PlanError> {
        read_time("tolerance", &self.tolerance.to_string())
    }

    /// The part of the plan on which the games depend, as text: equal for two plans
    /// of which one only goes on for longer or faster than the other.
    pub fn core(&self) -> String {
        let mut core = self.clone();
        core.name.clear();
        core.store = None;
        core.concurrency = 1;
        core.pin = None;
        core.sprt = None;
        core.openings.file = None;
        match core.format {
            Format::Match | Format::RoundRobin | Format::Gauntlet => core.games = 0,
            Format::Swiss => core.rounds = None,
            Format::Knockout => {}
        }
        serde_json::to_string(&core).expect("a plan has only texts and numbers")
    }
}

fn read_time(key: &'static str, text: &str) -> Result<std::time::Duration, PlanError> {
    let mut limits = Limits::default();
    limits
        .set("time", text)
        .map_err(|error| PlanError::value(key, error.to_string()))?;
    Ok(limits.time.expect("it was just set"))
}

fn read_file(path: &Path) -> Result<String, PlanError> {
    fs::read_to_string(path).map_err(|error| PlanError::File {
        path: path.to_owned(),
        error,
    })
}

/// The openings in a file: a line each, blank lines and those after `#` left out.
///
/// # Errors
/// If the file can't be read.
pub fn read_openings(path: &Path) -> Result<Vec<String>, PlanError> {
    let text = read_file(path)?;
    let lines = text.lines().map(str::trim);
    Ok(lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect())
}
