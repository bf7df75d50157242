//! Ablations: engines that differ in one parameter, against the same opponents, and what follows.
//!
//! Each arm meets each opponent in a match of its own, kept as a run of the
//! experiment's store, so an interrupted experiment goes on where it stopped.
//! A difference is only claimed when its 95 % interval excludes zero.

use crate::plan::{Amount, OpeningPlan, Plan, PlanError, PlayerPlan};
use crate::report::plot;
use crate::schedule::Format;
use crate::score::{Elo, Score};
use crate::store::Store;
use crate::tally::Report;
use crate::tournament::{Progress, Tournament, TournamentError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// An experiment as it is written down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its title.
    pub title: String,
    /// What is asked, in a sentence.
    pub question: String,
    /// What was found elsewhere, or why it is asked.
    #[serde(default)]
    pub background: String,
    /// The game.
    pub game: String,
    /// Games of each arm against each opponent.
    pub games: u32,
    /// Chooses openings and the engines' taste.
    #[serde(default)]
    pub seed: u64,
    /// Games at once.
    #[serde(default = "one")]
    pub concurrency: usize,
    /// Time a move.
    #[serde(default)]
    pub time: Option<Amount>,
    /// A bank of time for a whole game, for moves that take longer than `time`.
    #[serde(default)]
    pub overage: Option<Amount>,
    /// Nodes a move.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Simulations a move.
    #[serde(default)]
    pub simulations: Option<u64>,
    /// From where games are played.
    #[serde(default)]
    pub openings: OpeningPlan,
    /// Who plays against every arm.
    pub opponents: Vec<String>,
    /// With what conclusions compare an arm.
    #[serde(default)]
    pub compare_with: Baseline,
    /// The engines compared, as they are.
    #[serde(default, rename = "arm")]
    pub arms: Vec<Arm>,
    /// Parameters whose values make further arms, every one with every other.
    #[serde(default)]
    pub vary: Option<Vary>,
}

/// With what an arm is compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// With the first arm, by their results against the same opponents.
    #[default]
    FirstArm,
    /// With its opponents, directly.
    Opponent,
}

/// One engine of an experiment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// What tables call it.
    pub name: String,
    /// The engine.
    pub engine: String,
}

/// An engine and the values of its parameters that are tried.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vary {
    /// The engine, with the keys that stay.
    pub engine: String,
    /// Keys and their values, as texts.
    pub values: std::collections::BTreeMap<String, Vec<String>>,
}

const fn one() -> usize {
    1
}

/// What an arm made of an opponent.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The arm's number.
    pub arm: usize,
    /// The opponent's number.
    pub opponent: usize,
    /// The results from the arm's side.
    pub report: Report,
}

/// What an experiment showed.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The experiment.
    pub experiment: Experiment,
    /// Its arms, in order.
    pub arms: Vec<Arm>,
    /// All matches.
    pub cells: Vec<Cell>,
    /// Whether every game was played.
    pub complete: bool,
}

impl Experiment {
    /// The experiment in a file.
    ///
    /// # Errors
    /// If the file can't be read or is no experiment.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let text = std::fs::read_to_string(path).map_err(|error| PlanError::File {
            path: path.to_owned(),
            error,
        })?;
        Self::parse(&text)
    }

    /// The experiment in a text.
    ///
    /// # Errors
    /// The place and the reason when the text is no experiment.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let experiment: Self =
            toml::from_str(text).map_err(|error| PlanError::Text(Box::new(error)))?;
        if experiment.opponents.is_empty() {
            return Err(PlanError::value("opponents", "name at least one"));
        }
        if experiment.all_arms().is_empty() {
            return Err(PlanError::value(
                "arm",
                "name at least one, or vary a parameter",
            ));
        }
        if experiment.games == 0 || experiment.games % 2 == 1 {
            return Err(PlanError::value(
                "games",
                "colours are swapped: give an even number",
            ));
        }
        Ok(experiment)
    }

    /// The arms that are named, then every combination of values.
    pub fn all_arms(&self) -> Vec<Arm> {
        let mut arms = self.arms.clone();
        let Some(vary) = &self.vary else {
            return arms;
        };
        let mut combinations = vec![String::new()];
        for (key, values) in &vary.values {
            combinations = combinations
                .iter()
                .flat_map(|before| {
                    let comma = if before.is_empty() { "" } else { "," };
                    values
                        .iter()
                        .map(move |value| format!("{before}{comma}{key}={value}"))
                })
                .collect();
        }
        let joint = if vary.engine.contains(':') { ',' } else { ':' };
        arms.extend(combinations.into_iter().map(|values| Arm {
            engine: format!("{}{joint}{values}", vary.engine),
            name: values,
        }));
        arms
    }

    /// The match of an arm against an opponent.
    fn plan(&self, arm: &Arm, opponent: &str) -> Plan {
        let player = |name: &str, engine: &str| PlayerPlan {
            name: name.to_owned(),
            engine: engine.to_owned(),
        };
        let players = vec![player(&arm.name, &arm.engine), player("", opponent)];
        let mut plan = Plan::of(Format::Match, players);
        plan.name = format!("{} ({}) against {opponent}", arm.name, arm.engine);
        plan.game.clone_from(&self.game);
        plan.games = self.games;
        plan.seed = self.seed;
        plan.concurrency = self.concurrency;
        plan.time.clone_from(&self.time);
        plan.overage.clone_from(&self.overage);
        plan.nodes = self.nodes;
        plan.simulations = self.simulations;
        plan.openings = self.openings.clone();
        plan
    }

    /// Plays what is missing in the store and tells what all of it shows.
    ///
    /// # Errors
    /// If an engine does not exist or fit, or the store fails.
    pub fn run(
        &self,
        store: &mut Store,
        stop: &AtomicBool,
        mut watch: impl FnMut(&str, &Progress<'_>),
    ) -> Result<Findings, TournamentError> {
        let arms = self.all_arms();
        let mut tournaments = Vec::new();
        for (number, arm) in arms.iter().enumerate() {
            for (opponent, engine) in self.opponents.iter().enumerate() {
                // All are checked before the first game is played.
                let tournament = Tournament::new(self.plan(arm, engine))?;
                tournaments.push((number, opponent, tournament));
            }
        }
        let mut findings = Findings {
            experiment: self.clone(),
            arms,
            cells: Vec::new(),
            complete: true,
        };
        for (arm, opponent, tournament) in tournaments {
            let name = tournament.plan().name.clone();
            let mut run = store.run(&tournament)?;
            let standing = tournament.run(&mut run, stop, |progress| watch(&name, progress))?;
            findings.cells.push(Cell {
                arm,
                opponent,
                report: standing.tally.report(0, 1),
            });
            if !standing.complete {
                findings.complete = false;
                break;
            }
        }
        Ok(findings)
    }

    /// All games of the experiment.
    pub fn total(&self) -> u64 {
        u64::from(self.games) * (self.all_arms().len() * self.opponents.len()) as u64
    }
}

/// What an interval allows to say.
fn verdict(elo: Elo, better: &str, worse: &str) -> String {
    let numbers = format!("{:+.0} Elo [{:+.0}, {:+.0}]", elo.mid, elo.low, elo.high);
    if elo.low > 0.0 {
        format!("{better}: {numbers}")
    } else if elo.high < 0.0 {
        format!("{worse}: {numbers}")
    } else {
        format!("no difference shown: {numbers}")
    }
}

impl Findings {
    /// The difference of an arm to the first one over the same opponents, if both met them.
    ///
    /// The differences against each are weighted by their certainty: an opponent against whom
    /// both win everything tells next to nothing.
    fn to_first(&self, arm: usize) -> Option<Elo> {
        let (mut sum, mut weights) = (0.0, 0.0);
        let opponents = self.experiment.opponents.len();
        for opponent in 0..opponents {
            let elo = |arm: usize| {
                let cell = self.cells.iter();
                let mut own = cell.filter(|cell| (cell.arm, cell.opponent) == (arm, opponent));
                own.next().map(|cell| cell.report.score.elo())
            };
            let (own, base) = (elo(arm)?, elo(0)?);
            // Independent matches: their spreads add as squares.
            let spread = |elo: Elo| ((elo.high - elo.low) / 2.0).powi(2);
            let weight = 1.0 / (spread(own) + spread(base)).max(f64::MIN_POSITIVE);
            sum += weight * (own.mid - base.mid);
            weights += weight;
        }
        let (mid, half) = (sum / weights, weights.sqrt().recip());
        Some(Elo {
            low: mid - half,
            mid,
            high: mid + half,
        })
    }

    /// What follows, a line for each comparison.
    pub fn conclusions(&self) -> Vec<String> {
        if self.arms.len() == 1 || self.experiment.compare_with == Baseline::Opponent {
            let line = |cell: &Cell| {
                let opponent = &self.experiment.opponents[cell.opponent];
                let text = verdict(cell.report.score.elo(), "stronger", "weaker");
                format!("{} against {opponent}: {text}.", self.arms[cell.arm].name)
            };
            return self.cells.iter().map(line).collect();
        }
        let first = &self.arms[0].name;
        (1..self.arms.len())
            .filter_map(|arm| {
                let text = verdict(self.to_first(arm)?, "stronger", "weaker");
                Some(format!(
                    "{} compared with {first}: {text}.",
                    self.arms[arm].name
                ))
            })
            .collect()
    }

    /// Tables and conclusions as a section of Markdown; `figure` is the plot's address, if it has one.
    pub fn markdown(&self, figure: Option<&str>) -> String {
        let experiment = &self.experiment;
        let mut text = format!("## {}\n\n{}\n", experiment.title, experiment.question);
        if !experiment.background.is_empty() {
            let _ = write!(text, "\n{}\n", experiment.background.trim());
        }
        let amount =
            |name: &str, value: Option<String>| value.map(|value| format!("{name} {value}"));
        let limits = [
            amount(
                "time a move",
                experiment.time.as_ref().map(ToString::to_string),
            ),
            amount(
                "a bank of",
                experiment.overage.as_ref().map(ToString::to_string),
            ),
            amount("nodes", experiment.nodes.map(|count| count.to_string())),
            amount(
                "simulations",
                experiment.simulations.map(|count| count.to_string()),
            ),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let _ = write!(
            text,
            "\nGame {}, {} games a cell, {}, seed {}.\n\n| Arm | Engine | Opponent | Won | Drawn | Lost | Points | 95 % | Elo |\n\
             |---|---|---|---:|---:|---:|---:|---:|---:|\n",
            experiment.game,
            experiment.games,
            limits.join(", "),
            experiment.seed
        );
        for cell in &self.cells {
            let score = &cell.report.score;
            let [low, high] = share_interval(score);
            let elo = score.elo();
            let _ = writeln!(
                text,
                "| {} | `{}` | `{}` | {} | {} | {} | {:.1} % | {:.1} … {:.1} | {:+.0} [{:+.0}, {:+.0}] |",
                self.arms[cell.arm].name,
                self.arms[cell.arm].engine,
                experiment.opponents[cell.opponent],
                score.wins,
                score.draws,
                score.losses,
                100.0 * score.share(),
                100.0 * low,
                100.0 * high,
                elo.mid,
                elo.low,
                elo.high
            );
        }
        text.push('\n');
        if let Some(figure) = figure {
            let _ = writeln!(text, "![Elo of each arm against each opponent]({figure})\n");
        }
        for line in self.conclusions() {
            let _ = writeln!(text, "- **{line}**");
        }
        if !self.complete {
            text.push_str("\nThe experiment is not finished.\n");
        }
        text
    }

    /// The plot: Elo of each arm against each opponent, as an SVG file of its own.
    pub fn svg(&self) -> String {
        let names: Vec<String> = self
            .cells
            .iter()
            .map(|cell| match self.experiment.opponents.len() {
                1 => self.arms[cell.arm].name.clone(),
                _ => format!(
                    "{} – {}",
                    self.arms[cell.arm].name, self.experiment.opponents[cell.opponent]
                ),
            })
            .collect();
        let bars: Vec<plot::Bar<'_>> = self
            .cells
            .iter()
            .zip(&names)
            .map(|(cell, name)| plot::Bar {
                name,
                elo: cell.report.score.elo(),
            })
            .collect();
        plot::standalone(&plot::ranking(&bars, "Elo against the opponent", 40))
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let cells: Vec<Value> = self
            .cells
            .iter()
            .map(|cell| {
                let score = &cell.report.score;
                let elo = score.elo();
                json!({
                    "arm": self.arms[cell.arm].name,
                    "engine": self.arms[cell.arm].engine,
                    "opponent": self.experiment.opponents[cell.opponent],
                    "games": score.games(), "wins": score.wins, "draws": score.draws,
                    "losses": score.losses, "score": score.share(),
                    "interval": share_interval(score),
                    "elo": [elo.low, elo.mid, elo.high],
                })
            })
            .collect();
        json!({
            "title": self.experiment.title,
            "game": self.experiment.game,
            "complete": self.complete,
            "cells": cells,
            "conclusions": self.conclusions(),
        })
    }
}

/// The share of points at both ends of the interval.
fn share_interval(score: &Score) -> [f64; 2] {
    let elo = score.elo();
    [elo.low, elo.high].map(crate::score::share_of)
}

#[cfg(test)]
mod tests;
