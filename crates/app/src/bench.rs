//! `stoneline bench`: speed, and the signature of fixed work.
//!
//! Rates are per CPU-second of one thread, so that other programs on the
//! machine disturb them little. A signature is a number that the same code
//! always makes: when it changes, so did what the program does.
//!
//! A section is a file beside this one and an arm of [`Section`].

mod alphabeta;
mod mcts;
mod rules;
mod solver;

use crate::Verdict;
use crate::interrupt;
use clap::ValueEnum;
use cpu_time::ThreadTime;
use serde_json::{Map, Value, json};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;
use stoneline_rules::Variant;

const EXAMPLES: &str = "\
Examples:
  stoneline bench                        everything, as a table
  stoneline bench --only rules --json    one section, for programs
  stoneline bench --time 0.1             quick and rough

Each rate is the median of five measurements. Ctrl-C ends with those taken so far.";

/// Measure speed, per CPU-second of one thread
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only these sections, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "SECTIONS")]
    only: Vec<Section>,

    /// CPU-seconds for each rate
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds)]
    time: Duration,

    /// One JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// What can be measured by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Section {
    /// Plies and uniform random games of the bare rules
    Rules,
    /// Rollouts and simulations of the tree search
    Mcts,
    /// Nodes of the alpha-beta search
    Alphabeta,
    /// Nodes of the exact solver
    Solver,
}

/// The games that everything is measured on.
const GAMES: [&str; 5] = [
    "connect4",
    "course:9x9@4,4",
    "course:12x12@5,5",
    "gomoku",
    "gomoku:20",
];

/// Measures what was asked for and writes it to `out`.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let sections = if args.only.is_empty() {
        Section::value_variants()
    } else {
        &args.only
    };
    let mut report = Report {
        out,
        table: !args.json,
        time: args.time,
        sections: Map::new(),
        signature: Map::new(),
    };
    interrupt::expect();
    let measured = sections.iter().try_for_each(|section| match section {
        Section::Rules => rules::measure(&mut report),
        Section::Mcts => mcts::measure(&mut report),
        Section::Alphabeta => alphabeta::measure(&mut report),
        Section::Solver => solver::measure(&mut report),
    });
    let verdict = match measured {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Verdict::Interrupted,
        other => other.map(|()| Verdict::Positive)?,
    };
    report.finish()?;
    Ok(verdict)
}

/// Fails once Ctrl-C was pressed, so that what was measured before is told.
fn go_on() -> io::Result<()> {
    if interrupt::arrived() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    Ok(())
}

/// The figures so far; a table is written as they come, JSON at the end.
struct Report<'a> {
    out: &'a mut dyn Write,
    table: bool,
    time: Duration,
    sections: Map<String, Value>,
    signature: Map<String, Value>,
}

impl Report<'_> {
    /// Measures how much of `unit` a CPU-second `work` does, which returns how much it did.
    fn rate(
        &mut self,
        section: &str,
        unit: &str,
        game: &str,
        work: impl FnMut() -> u64,
    ) -> io::Result<()> {
        go_on()?;
        if !self.table && io::stderr().is_terminal() {
            let _ = writeln!(io::stderr(), "measuring {section} {unit} {game}");
        }
        let rate = rate_a_second(self.time, work);
        tracing::debug!(section, unit, game, rate, "measured");
        if self.table {
            writeln!(
                self.out,
                "{section:<10} {unit:<20} {game:<18} {:>10.3} M/s",
                rate / 1e6
            )?;
            self.out.flush()?;
        }
        self.sections.entry(section).or_insert_with(|| json!({}))[unit][game] = json!(rate.round());
        Ok(())
    }

    /// Notes how many times as fast one way is as another.
    fn ratio(&mut self, section: &str, name: &str, ratio: f64) -> io::Result<()> {
        if self.table {
            writeln!(self.out, "{section:<10} {name:<39} {ratio:>10.2} x")?;
        }
        self.sections.entry(section).or_insert_with(|| json!({}))[name] = json!(ratio);
        Ok(())
    }

    /// Notes a number that fixed work always makes.
    fn sign(&mut self, name: &str, number: u64) -> io::Result<()> {
        go_on()?;
        if self.table {
            writeln!(self.out, "{:<10} {name:<39} {number:>14}", "signature")?;
        }
        self.signature.insert(name.to_owned(), json!(number));
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        if self.table {
            return Ok(());
        }
        self.sections
            .insert("signature".to_owned(), Value::Object(self.signature));
        writeln!(self.out, "{}", Value::Object(self.sections))
    }
}

/// How many measurements the median is taken of.
const MEASUREMENTS: usize = 5;

/// The median rate of work a CPU-second, measured for about `time` altogether.
fn rate_a_second(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let slice = time / MEASUREMENTS as u32;
    // Caches and branch predictors warm up first.
    work();
    let mut rates = [(); MEASUREMENTS].map(|()| {
        let start = ThreadTime::now();
        let mut done = 0;
        loop {
            done += work();
            let spent = start.elapsed();
            if spent >= slice && !spent.is_zero() {
                return done as f64 / spent.as_secs_f64();
            }
        }
    });
    rates.sort_by(f64::total_cmp);
    rates[MEASUREMENTS / 2]
}

fn variant(game: &str) -> Variant {
    game.parse().expect("the games of the benchmark exist")
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds")?;
    if !(0.001..=86_400.0).contains(&seconds) {
        return Err("expected 0.001 to 86400 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}
