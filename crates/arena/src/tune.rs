//! Parameters tuned by games: simultaneous perturbation, one short match a step.
//!
//! Each step moves every parameter a little, by chance up or down, and lets the
//! engine so made meet the one with every move reversed; the parameters then go
//! the winner's way. Two engines a step are enough for any number of parameters.
//! Every step is a run of the store, so an interrupted tuning goes on where it
//! stopped, and what it found is checked by a match against the beginning.

use crate::plan::{Plan, PlanError, PlayerPlan};
use crate::schedule::Format;
use crate::score::Score;
use crate::store::Store;
use crate::tournament::{Progress, Tournament, TournamentError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use stoneline_rules::Chance;

/// How fast the reach of a step shrinks, as usual for this method.
const REACH_DECAY: f64 = 0.101;
/// How fast the pull of a result shrinks, as usual for this method.
const PULL_DECAY: f64 = 0.602;
/// The share of all steps by which the first pulls are softened.
const SOFT_START: f64 = 0.1;

/// A tuning as it is written down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// The engine, with the keys that stay.
    pub engine: String,
    /// Matches that move the parameters.
    #[serde(default = "default_steps")]
    pub steps: u32,
    /// How far one game won moves a parameter at the end, in its steps.
    #[serde(default = "default_pull")]
    pub pull: f64,
    /// Games of the result against the beginning; none if 0.
    #[serde(default)]
    pub check_games: u32,
    /// What a tournament's file says, without players; `games` are those of a step.
    pub play: Plan,
    /// The keys that are tuned.
    #[serde(rename = "parameter")]
    pub parameters: BTreeMap<String, Knob>,
}

/// A parameter that is tuned.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knob {
    /// Where it begins.
    pub start: f64,
    /// The least it may be.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
    /// How far both ways it is tried in the last step; further at first.
    pub step: f64,
    /// Whether only whole numbers are meant.
    #[serde(default)]
    pub whole: bool,
}

const fn default_steps() -> u32 {
    100
}
const fn default_pull() -> f64 {
    0.05
}

/// What a tuning found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The keys.
    pub names: Vec<String>,
    /// The values before the first step and after each.
    pub path: Vec<Vec<f64>>,
    /// The engine at the beginning.
    pub before: String,
    /// The engine that came of it.
    pub after: String,
    /// The result against the beginning, if it was asked for and reached.
    pub check: Option<Score>,
    /// Whether all was played.
    pub complete: bool,
}

impl Knob {
    /// The value that an engine is given for `value`.
    fn fitted(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        if self.whole { value.round() } else { value }
    }

    fn check(&self) -> Result<(), &'static str> {
        let numbers = [self.start, self.low, self.high, self.step];
        if !numbers.iter().all(|number| number.is_finite()) {
            Err("every number must be finite")
        } else if self.low >= self.high {
            Err("low must be below high")
        } else if !(self.low..=self.high).contains(&self.start) {
            Err("start must lie between low and high")
        } else if self.step <= 0.0 || self.step > self.high - self.low {
            Err("step must be above 0 and at most high - low")
        } else if self.whole && self.step < 1.0 {
            Err("a whole number needs a step of at least 1")
        } else {
            Ok(())
        }
    }
}

/// The climb itself, without any game.
struct Climb<'a> {
    tuning: &'a Tuning,
    values: Vec<f64>,
}

/// A step of the climb: the way tried and how far.
struct Trial {
    ways: Vec<f64>,
    /// By how much steps are longer than in the end.
    stretch: f64,
    pull: f64,
}

impl<'a> Climb<'a> {
    fn new(tuning: &'a Tuning) -> Self {
        let values = tuning.parameters.values().map(|knob| knob.start).collect();
        Self { tuning, values }
    }

    fn trial(&self, step: u32) -> Trial {
        let steps = f64::from(self.tuning.steps);
        let now = f64::from(step + 1);
        let soft = SOFT_START * steps;
        let stretch = (steps / now).powf(REACH_DECAY);
        let mut chance = Chance::new(self.tuning.play.seed ^ u64::from(step) << 32);
        let ways = self.values.iter();
        Trial {
            ways: ways
                .map(|_| if chance.below(2) == 0 { 1.0 } else { -1.0 })
                .collect(),
            stretch,
            pull: self.tuning.pull * ((soft + steps) / (soft + now)).powf(PULL_DECAY)
                / stretch.powi(2),
        }
    }

    /// The values tried, the way itself (1) or reversed (-1).
    fn tried(&self, trial: &Trial, direction: f64) -> Vec<f64> {
        let knobs = self.tuning.parameters.values();
        knobs
            .zip(&self.values)
            .zip(&trial.ways)
            .map(|((knob, value), way)| value + direction * way * knob.step * trial.stretch)
            .collect()
    }

    /// Goes the way of the winner; `lead` is games won less games lost the way tried.
    fn follow(&mut self, trial: &Trial, lead: f64) {
        let knobs = self.tuning.parameters.values();
        for ((knob, value), way) in knobs.zip(&mut self.values).zip(&trial.ways) {
            let moved = *value + lead * way * knob.step * trial.stretch * trial.pull;
            *value = moved.clamp(knob.low, knob.high);
        }
    }
}

impl Tuning {
    /// The tuning in a file; an openings' file is read from beside it.
    ///
    /// # Errors
    /// If a file can't be read or is no tuning.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let text = std::fs::read_to_string(path).map_err(|error| PlanError::File {
            path: path.to_owned(),
            error,
        })?;
        let mut tuning = Self::parse(&text)?;
        tuning.play.settle_openings(path)?;
        Ok(tuning)
    }

    /// The tuning in a text.
    ///
    /// # Errors
    /// The place and the reason when the text is no tuning.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let tuning: Self =
            toml::from_str(text).map_err(|error| PlanError::Text(Box::new(error)))?;
        let wrong = |key, reason: &str| Err(PlanError::value(key, reason));
        if tuning.parameters.is_empty() {
            return wrong("parameter", "name at least one");
        }
        for (name, knob) in &tuning.parameters {
            if let Err(reason) = knob.check() {
                return wrong("parameter", &format!("{name}: {reason}"));
            }
        }
        if !tuning.play.players.is_empty() {
            return wrong("play.player", "the players are made by the tuning");
        }
        let is_even = |games: u32| games.is_multiple_of(2);
        if tuning.play.games == 0 || !is_even(tuning.play.games) || !is_even(tuning.check_games) {
            return wrong("games", "colours are swapped: give an even number");
        }
        if tuning.steps == 0 {
            return wrong("steps", "at least one");
        }
        if !tuning.pull.is_finite() || tuning.pull <= 0.0 {
            return wrong("pull", "must be above 0");
        }
        Ok(tuning)
    }

    /// The engine with these values.
    pub fn engine_with(&self, values: &[f64]) -> String {
        let mut text = self.engine.clone();
        for ((name, knob), &value) in self.parameters.iter().zip(values) {
            let joint = if text.contains(':') { ',' } else { ':' };
            let value = knob.fitted(value);
            let digits = if knob.whole { 0 } else { 4 };
            let _ = write!(text, "{joint}{name}={value:.digits$}");
        }
        text
    }

    /// All games of the tuning.
    pub fn total(&self) -> u64 {
        u64::from(self.steps) * u64::from(self.play.games) + u64::from(self.check_games)
    }

    fn tournament(
        &self,
        name: String,
        engines: [String; 2],
        (games, seed): (u32, u64),
    ) -> Result<Tournament, TournamentError> {
        let players = engines.map(|engine| PlayerPlan {
            name: String::new(),
            engine,
        });
        Tournament::new(Plan {
            name,
            format: Format::Match,
            games,
            seed,
            players: players.into(),
            ..self.play.clone()
        })
    }

    /// Plays what is missing in the store and tells where the parameters went.
    ///
    /// # Errors
    /// If an engine does not exist or fit, or the store fails.
    pub fn run(
        &self,
        store: &mut Store,
        stop: &AtomicBool,
        mut watch: impl FnMut(&str, &Progress<'_>),
    ) -> Result<Tuned, TournamentError> {
        let mut climb = Climb::new(self);
        let before = self.engine_with(&climb.values);
        let mut tuned = Tuned {
            names: self.parameters.keys().cloned().collect(),
            path: vec![climb.values.clone()],
            after: before.clone(),
            before,
            check: None,
            complete: false,
        };
        for step in 0..self.steps {
            // A step may be over before its tournament sees that it is to stop.
            if stop.load(Relaxed) {
                return Ok(tuned);
            }
            let trial = climb.trial(step);
            let engines = [1.0, -1.0].map(|way| self.engine_with(&climb.tried(&trial, way)));
            let name = format!("step {} of {}", step + 1, self.steps);
            let seed = self.play.seed.wrapping_add(u64::from(step));
            let tournament = self.tournament(name.clone(), engines, (self.play.games, seed))?;
            let mut run = store.run(&tournament)?;
            let standing = tournament.run(&mut run, stop, |progress| watch(&name, progress))?;
            if !standing.complete {
                return Ok(tuned);
            }
            let score = standing.tally.report(0, 1).score;
            climb.follow(&trial, f64::from(score.wins) - f64::from(score.losses));
            tuned.path.push(climb.values.clone());
            tuned.after = self.engine_with(&climb.values);
        }
        if self.check_games > 0 && tuned.after != tuned.before {
            if stop.load(Relaxed) {
                return Ok(tuned);
            }
            let name = "check".to_owned();
            let engines = [tuned.after.clone(), tuned.before.clone()];
            // Openings that no step has seen.
            let seed = self.play.seed.wrapping_add(u64::from(self.steps));
            let tournament = self.tournament(name.clone(), engines, (self.check_games, seed))?;
            let mut run = store.run(&tournament)?;
            let standing = tournament.run(&mut run, stop, |progress| watch(&name, progress))?;
            tuned.check = Some(standing.tally.report(0, 1).score);
            tuned.complete = standing.complete;
        } else {
            tuned.complete = true;
        }
        Ok(tuned)
    }
}

impl Tuned {
    /// Whether the result is shown to be stronger than the beginning; `None` without a check.
    pub fn is_stronger(&self) -> Option<bool> {
        self.check.as_ref().map(|score| score.elo().low > 0.0)
    }

    /// The values of one parameter, in order.
    fn course(&self, at: usize) -> impl Iterator<Item = f64> {
        self.path.iter().map(move |values| values[at])
    }

    /// What was found, as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| Parameter | Start | End | Way |\n|---|---:|---:|---|\n");
        for (at, name) in self.names.iter().enumerate() {
            let (first, last) = (self.path[0][at], self.path[self.path.len() - 1][at]);
            let way = sparkline(&self.course(at).collect::<Vec<_>>());
            let _ = writeln!(text, "| {name} | {first:.4} | {last:.4} | `{way}` |");
        }
        let steps = self.path.len() - 1;
        let _ = write!(text, "\nAfter {steps} steps: `{}`\n", self.after);
        if let Some(score) = &self.check {
            let elo = score.elo();
            let claim = match self.is_stronger() {
                Some(true) => "stronger than",
                _ => "no difference shown to",
            };
            let _ = write!(
                text,
                "\n**{claim} `{}`**: +{} ={} -{}, {:.1} %, {:+.0} Elo [{:+.0}, {:+.0}]\n",
                self.before,
                score.wins,
                score.draws,
                score.losses,
                100.0 * score.share(),
                elo.mid,
                elo.low,
                elo.high
            );
        }
        if !self.complete {
            text.push_str("\nNot finished; the same command goes on.\n");
        }
        text
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let check = self.check.as_ref().map(|score| {
            let elo = score.elo();
            json!({"wins": score.wins, "draws": score.draws, "losses": score.losses,
                "elo": elo.mid, "elo_low": elo.low, "elo_high": elo.high})
        });
        json!({"parameters": self.names, "path": self.path, "before": self.before,
            "after": self.after, "check": check, "stronger": self.is_stronger(),
            "complete": self.complete})
    }
}

/// Values as a row of bars, at most 40 of them.
fn sparkline(values: &[f64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const MOST: usize = 40;
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = (high - low).max(1e-12);
    let shown = values.len().min(MOST);
    let last = values.len() - 1;
    (0..shown)
        .map(|at| values[(at * last).checked_div(shown - 1).unwrap_or(0)])
        .map(|value| BARS[((value - low) / span * 7.0).round() as usize])
        .collect()
}

#[cfg(test)]
mod tests;
