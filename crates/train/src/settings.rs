//! What a training run is: the file that `stoneline train` reads.
//!
//! Every key has a default but the name of the run; an unknown key is refused.
//! Paths are relative to the file.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use stoneline_arena::{Amount, Entrant};
use stoneline_rules::Variant;
use stoneline_search::Spec;
use thiserror::Error;

/// A training run: play games, fit a network to them, let it prove itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Games to be played.
    pub play: Option<Play>,
    /// A net to be fitted.
    pub fit: Option<Fit>,
    /// The matches that let the net in.
    pub gate: Option<Gate>,
}

/// The gate: the new net must beat the old one, and lose no ground against others.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The file of the new net; where `[fit]` stands, its net.
    #[serde(default)]
    pub net: PathBuf,
    /// The file of the old net; without it, the one that ships.
    pub old: Option<PathBuf>,
    /// The file that the new net replaces when it is let in; without it, nothing is replaced.
    pub replaces: Option<PathBuf>,
    /// Nodes that both nets' searches have for a move.
    #[serde(default = "default_nodes")]
    pub nodes: u64,
    /// Games against the old net at most.
    #[serde(default = "default_gate_games")]
    pub games: u32,
    /// The differences in Elo between which the test decides.
    #[serde(default = "default_sprt")]
    pub sprt: (f64, f64),
    /// The game by name; `course` draws a board for every pair.
    #[serde(default = "default_board")]
    pub board: String,
    /// Random moves before the players take over.
    #[serde(default)]
    pub opening_plies: usize,
    /// Engines against which the new net must not score worse than the old one, ours or
    /// other programs.
    #[serde(default)]
    pub yardsticks: Vec<String>,
    /// Time a move of yardsticks that are other programs.
    #[serde(default = "default_yardstick_time")]
    pub yardstick_time: Amount,
    /// Games of each net against each of them.
    #[serde(default = "default_yardstick_games")]
    pub yardstick_games: u32,
    /// Chooses openings.
    #[serde(default)]
    pub seed: u64,
}

const fn default_nodes() -> u64 {
    3000
}

const fn default_gate_games() -> u32 {
    1000
}

const fn default_sprt() -> (f64, f64) {
    (0.0, 30.0)
}

fn default_board() -> String {
    "course".to_owned()
}

fn default_yardstick_time() -> Amount {
    // What the judges of the course's libraries allow.
    Amount::Text("3s".to_owned())
}

const fn default_yardstick_games() -> u32 {
    100
}

/// Fitting: from which games, how, into which file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// Files of games.
    pub data: Vec<PathBuf>,
    /// The file that takes the net.
    pub net: PathBuf,
    /// The file of a net to begin with; without it, one that knows nothing.
    pub start: Option<PathBuf>,
    /// How often every position is learnt.
    #[serde(default = "default_epochs")]
    pub epochs: u32,
    /// Positions learnt at once.
    #[serde(default = "default_batch")]
    pub batch: usize,
    /// How far a step goes at first; it ends at a hundredth.
    #[serde(default = "default_rate")]
    pub rate: f32,
    /// The share of the game's result in what is learnt; the rest is what searches found.
    #[serde(default = "default_result_share")]
    pub result_share: f32,
    /// How much of the next position's target stands in for what the search found, from move
    /// to move back from the end: 0 for the search alone, 1 for the result alone.
    #[serde(default = "default_foresight")]
    pub foresight: f32,
    /// Sets units apart and shuffles positions.
    #[serde(default)]
    pub seed: u64,
}

const fn default_epochs() -> u32 {
    8
}

const fn default_batch() -> usize {
    4096
}

const fn default_rate() -> f32 {
    0.003
}

const fn default_foresight() -> f32 {
    0.9
}

const fn default_result_share() -> f32 {
    0.0
}

/// Self-play: who plays what, how often, into which file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The file that takes the games.
    pub file: PathBuf,
    /// The player of both sides, bounded by nodes or simulations.
    pub engine: String,
    /// How many games the file is to hold.
    pub games: u64,
    /// Source of all chance.
    #[serde(default)]
    pub seed: u64,
    /// The games by name, each with its weight; `course` draws a board every time.
    pub boards: Vec<(String, u32)>,
    /// The largest share of the board that random moves fill before the player takes over.
    #[serde(default = "default_opening")]
    pub opening: f32,
}

const fn default_opening() -> f32 {
    0.5
}

/// What is wrong with a file of settings.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file can't be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: std::io::Error,
    },
    /// The text is no settings.
    #[error("{}: {error}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// Place and reason.
        error: Box<toml::de::Error>,
    },
    /// Nothing is asked for.
    #[error("{}: nothing to do; expected a table [play], [fit] or [gate]", path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
    },
    /// A value that can't be.
    #[error("{key} = {value}: {reason}")]
    Value {
        /// The key, with its table.
        key: &'static str,
        /// What it was set to.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl SettingsError {
    fn value(key: &'static str, value: impl ToString, reason: impl ToString) -> Self {
        Self::Value {
            key,
            value: value.to_string(),
            reason: reason.to_string(),
        }
    }
}

impl Settings {
    /// The settings in the file at `path`, its paths made relative to where it lies.
    ///
    /// # Errors
    /// If there is no such file, or what is wrong with it and where.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = std::fs::read_to_string(path).map_err(|error| SettingsError::File {
            path: path.to_owned(),
            error,
        })?;
        let mut settings: Self = toml::from_str(&text).map_err(|error| SettingsError::Text {
            path: path.to_owned(),
            error: Box::new(error),
        })?;
        if let (None, None, None) = (&settings.play, &settings.fit, &settings.gate) {
            return Err(SettingsError::Nothing {
                path: path.to_owned(),
            });
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some(play) = &mut settings.play {
            play.file = folder.join(&play.file);
            play.check()?;
        }
        if let Some(fit) = &mut settings.fit {
            let nets = [&mut fit.net].into_iter().chain(&mut fit.start);
            for file in fit.data.iter_mut().chain(nets) {
                *file = folder.join(&*file);
            }
            fit.check()?;
        }
        if let Some(gate) = &mut settings.gate {
            gate.net = match &settings.fit {
                Some(fit) if gate.net.as_os_str().is_empty() => fit.net.clone(),
                _ => folder.join(&gate.net),
            };
            for file in gate.old.iter_mut().chain(&mut gate.replaces) {
                *file = folder.join(&*file);
            }
            gate.check()?;
        }
        Ok(settings)
    }
}

impl Gate {
    /// Refuses what can't be played.
    ///
    /// # Errors
    /// The key, its value and the reason.
    pub fn check(&self) -> Result<(), SettingsError> {
        Variant::named(&self.board, 0)
            .map_err(|error| SettingsError::value("gate.board", &self.board, error))?;
        for engine in &self.yardsticks {
            engine
                .parse::<Entrant>()
                .map_err(|error| SettingsError::value("gate.yardsticks", engine, error))?;
        }
        let (low, high) = self.sprt;
        if low >= high || low.abs().max(high.abs()) > 1000.0 {
            let reason = "expected two differences in Elo up to 1000, the lower first";
            let value = format!("[{low}, {high}]");
            return Err(SettingsError::value("gate.sprt", value, reason));
        }
        let counts = [
            ("gate.nodes", self.nodes),
            ("gate.games", self.games.into()),
            ("gate.yardstick_games", self.yardstick_games.into()),
        ];
        for (key, count) in counts {
            if count == 0 {
                return Err(SettingsError::value(key, 0, "expected at least 1"));
            }
        }
        Ok(())
    }
}

impl Fit {
    /// Refuses what can't be fitted.
    ///
    /// # Errors
    /// The key, its value and the reason.
    pub fn check(&self) -> Result<(), SettingsError> {
        let wrong = |key, value: &dyn ToString, reason: &str| {
            Err(SettingsError::value(key, value.to_string(), reason))
        };
        if self.data.is_empty() {
            return wrong("fit.data", &"[]", "expected at least one file of games");
        }
        if !(1..=10_000).contains(&self.epochs) {
            return wrong("fit.epochs", &self.epochs, "expected 1 to 10000");
        }
        if !(1..=1_000_000).contains(&self.batch) {
            return wrong("fit.batch", &self.batch, "expected 1 to 1000000");
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            return wrong("fit.rate", &self.rate, "expected more than 0, at most 1");
        }
        if !(0.0..=1.0).contains(&self.result_share) {
            return wrong("fit.result_share", &self.result_share, "expected 0 to 1");
        }
        if !(0.0..=1.0).contains(&self.foresight) {
            return wrong("fit.foresight", &self.foresight, "expected 0 to 1");
        }
        Ok(())
    }

    /// All that the net depends on besides its data, in one line.
    pub fn line(&self) -> String {
        let start = self.start.as_ref().and_then(|start| start.file_name());
        let start = start.map_or(String::new(), |name| {
            format!("start={} ", name.to_string_lossy())
        });
        format!(
            "{start}epochs={} batch={} rate={} result_share={} foresight={} seed={}",
            self.epochs, self.batch, self.rate, self.result_share, self.foresight, self.seed
        )
    }
}

impl Play {
    /// Refuses what can't be played.
    ///
    /// # Errors
    /// The key, its value and the reason.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.engine
            .parse::<Spec>()
            .map_err(|error| SettingsError::value("play.engine", &self.engine, error))?;
        let bounded = ["nodes=", "simulations=", "depth="]
            .iter()
            .any(|key| self.engine.contains(key));
        if !bounded {
            let reason = "expected a bound by nodes=, simulations= or depth=, so that the same \
                          settings give the same games";
            return Err(SettingsError::value("play.engine", &self.engine, reason));
        }
        if self.boards.iter().all(|(_, weight)| *weight == 0) {
            let reason = "expected at least one board with a weight";
            return Err(SettingsError::value("play.boards", "[]", reason));
        }
        for (name, _) in &self.boards {
            Variant::named(name, 0)
                .map_err(|error| SettingsError::value("play.boards", name, error))?;
        }
        if !(0.0..=0.9).contains(&self.opening) {
            let reason = "expected 0 to 0.9";
            return Err(SettingsError::value("play.opening", self.opening, reason));
        }
        Ok(())
    }

    /// All that the games depend on, in one line.
    pub fn line(&self) -> String {
        let boards: Vec<String> = self
            .boards
            .iter()
            .map(|(name, weight)| format!("{name}*{weight}"))
            .collect();
        format!(
            "engine={} seed={} opening={} boards={}",
            self.engine,
            self.seed,
            self.opening,
            boards.join(";")
        )
    }
}
