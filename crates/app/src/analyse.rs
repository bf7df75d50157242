//! `stoneline analyse`: what an engine thinks of positions, while it thinks and in the end.

use crate::opponent::Opponent;
use crate::settings::Settings;
use crate::{Verdict, interrupt, progress};
use anyhow::{Context, ensure};
use cpu_time::ProcessTime;
use indicatif::ProgressBar;
use ratatui::crossterm::terminal;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stoneline_protocols::json as protocol;
use stoneline_rules::notation::write_move;
use stoneline_rules::{Cell, LONGEST_TEXT, Position, Variant};
use stoneline_search::{Choice, Effort, Event, Limits, MoveReport, Value};

const EXAMPLES: &str = "\
Examples:
  stoneline analyse connect4 4453                  one second's thought
  stoneline analyse course:9x9@4,4 5 --time 0.2    every move of a larger board
  stoneline analyse gomoku h8 i9 --time 0.2        five in a row
  stoneline analyse connect4 44 --engine mcts:simulations=2000 --json
  stoneline analyse 'connect4 44' 'gomoku h8' --time 0.1   several positions
  printf 'connect4 44\\nconnect4 4444\\n' | stoneline analyse - --time 0.1

Values are for the side to move: `win 7` and `loss 8` are proven, with the
number of plies to the end; `54.2%` is an estimate. Ctrl-C stops with the results
so far. In a batch, stderr tells how many positions are done and the time left.";

/// Show what each move of a position is worth
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which game, by name, and the moves played, in quotes or not; each game named begins another position; `-` for stdin, one a line
    #[arg(value_name = "GAME [MOVES]", required_unless_present = "file")]
    position: Vec<String>,

    /// Analyse the positions of a file, one a line; `-` for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    file: Option<PathBuf>,

    /// Who thinks: an engine by name, as `stoneline play --engines` lists them
    ///
    /// If none is named: `best`, but `mcts` where stones fall on up to 48 cells.
    #[arg(long, value_name = "E")]
    engine: Option<Opponent>,

    /// How many moves to show
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    lines: usize,

    /// Seconds a position, unless the engine's own keys say otherwise; 1 if not given
    #[arg(long, value_name = "SECONDS", value_parser = crate::bench::seconds)]
    time: Option<Duration>,

    /// Chooses the board of `course` and the engine's taste
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// JSON, one object an event; the last of a position has `"final":true`
    #[arg(long)]
    json: bool,
}

/// Analyses every position and writes what was found to `out`.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let texts = texts(args)?;
    interrupt::expect();
    let batch = Batch::of(args, texts.len());
    for (done, (place, text)) in texts.into_iter().enumerate() {
        let position = Position::read(&text, args.seed).with_context(|| place.clone())?;
        let analysis = Analysis {
            args,
            settings,
            position: &position,
            bar: &batch.bar,
            heading: batch.heading(done),
        };
        analysis.run(out).with_context(|| place)?;
        if interrupt::arrived() {
            batch.bar.finish_and_clear();
            return Ok(Verdict::Interrupted);
        }
        batch.bar.inc(1);
    }
    batch.bar.finish_and_clear();
    Ok(Verdict::Positive)
}

/// Many positions, and how far they are done.
struct Batch {
    begun: Instant,
    total: usize,
    /// Of JSON, whose lines go by; a table that is drawn in place tells it in its heading.
    bar: ProgressBar,
}

impl Batch {
    fn of(args: &Args, total: usize) -> Self {
        Self {
            begun: Instant::now(),
            total,
            bar: if args.json && total > 1 {
                progress::bar(total as u64)
            } else {
                ProgressBar::hidden()
            },
        }
    }

    /// Which position it is after so many, and how long the rest will take; nothing for one alone.
    fn heading(&self, done: usize) -> String {
        if self.total < 2 {
            return String::new();
        }
        let each = self.begun.elapsed().checked_div(done as u32);
        let left = each.map(|each| each * (self.total - done) as u32);
        let left = left.map_or_else(String::new, |left| {
            format!(", {} left", progress::words(left))
        });
        format!("position {} of {}{left}\n", done + 1, self.total)
    }
}

/// The positions to analyse, each with what to call it in an error.
fn texts(args: &Args) -> anyhow::Result<Vec<(String, String)>> {
    let stdin = Path::new("-");
    let is_stdin = args.position.len() == 1 && args.position[0] == "-";
    let Some(file) = args.file.as_deref().or_else(|| is_stdin.then_some(stdin)) else {
        return Ok(positions(&args.position));
    };
    let name = file.display();
    let text = read_bounded(file).with_context(|| format!("{name}"))?;
    let lines = text.lines().enumerate();
    let used = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    Ok(used
        .map(|(at, line)| (format!("{name}, line {}", at + 1), line.to_owned()))
        .collect())
}

/// Words are one position until another game is named; where the first holds several words, each
/// is a position of its own.
fn positions(words: &[String]) -> Vec<(String, String)> {
    let names_game = |word: &str| {
        let name = word.split_whitespace().next();
        name.is_some_and(|name| Variant::named(name, 0).is_ok())
    };
    let is_batch = words.first().is_some_and(|word| word.trim().contains(' '));
    let mut texts: Vec<String> = Vec::new();
    for word in words {
        match texts.last_mut() {
            Some(text) if !is_batch && !names_game(word) => *text += &format!(" {word}"),
            _ => texts.push(word.clone()),
        }
    }
    let named = texts.into_iter().map(|text| (format!("{text:?}"), text));
    named.collect()
}

fn read_bounded(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let bound = LONGEST_TEXT as u64 + 1;
    if file == Path::new("-") {
        io::stdin().lock().take(bound).read_to_end(&mut bytes)?;
    } else {
        fs::File::open(file)?.take(bound).read_to_end(&mut bytes)?;
    }
    ensure!(
        bytes.len() <= LONGEST_TEXT,
        "longer than {LONGEST_TEXT} bytes: split it"
    );
    String::from_utf8(bytes).context("not UTF-8 text")
}

/// One position under analysis.
struct Analysis<'a> {
    args: &'a Args,
    settings: &'a Settings,
    position: &'a Position,
    bar: &'a ProgressBar,
    /// What stands above the table while it is drawn in place.
    heading: String,
}

impl Analysis<'_> {
    fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let variant = self.position.variant();
        let chosen = self.args.engine.clone().or_else(|| self.settings.analyst());
        let engine = chosen.unwrap_or_else(|| Opponent::analyst(variant));
        let mut engine = engine.build(variant)?;
        let given = Limits {
            time: self.args.time,
            seed: Some(self.args.seed),
            ..Limits::default()
        };
        let limits = given.or(&self.settings.limits());
        let begun = ProcessTime::now();
        let mut live = (!self.args.json && io::stderr().is_terminal()).then(Live::default);
        let mut trouble = Ok(());
        let choice = engine.think(self.position, &limits, &mut |event| {
            if self.args.json {
                let line = self.event_json(&event);
                let write = || writeln!(out, "{line}").and_then(|()| out.flush());
                trouble = self.bar.suspend(write);
            } else if let Some(live) = &mut live {
                live.show(&self.table(event.value, event.moves, event.effort));
            }
            if trouble.is_err() || interrupt::arrived() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        trouble?;
        let cpu = begun.elapsed();
        if self.args.json {
            let line = self.final_json(&choice, cpu);
            self.bar.suspend(|| writeln!(out, "{line}"))?;
        } else {
            if let Some(live) = &mut live {
                live.show("");
            }
            self.write_table(&choice, cpu, out)?;
        }
        Ok(())
    }

    fn name(&self, cell: Cell) -> String {
        write_move(self.position.variant(), cell)
    }

    fn names(&self, cells: &[Cell]) -> Vec<String> {
        protocol::moves(self.position.variant(), cells)
    }

    fn moves_json(&self, moves: &[MoveReport]) -> Vec<Json> {
        protocol::reports(self.position.variant(), moves, self.args.lines)
    }

    fn event_json(&self, event: &Event<'_>) -> Json {
        let first = event.moves.first();
        let mut object = json!({
            "value": protocol::value(event.value),
            "moves": self.moves_json(event.moves),
            "line": first.map_or_else(Vec::new, |report| self.names(&report.line)),
        });
        add_effort(&mut object, event.effort);
        object
    }

    fn final_json(&self, choice: &Choice, cpu: Duration) -> Json {
        let mut object = json!({
            "final": true,
            "position": self.position.notation(),
            "best": choice.best.map(|cell| self.name(cell)),
            "value": protocol::value(choice.value),
            "moves": self.moves_json(&choice.moves),
            "line": self.names(choice.line()),
        });
        add_effort(&mut object, &choice.effort);
        object["cpu_us"] = json!(cpu.as_micros() as u64);
        object
    }

    fn write_table(&self, choice: &Choice, cpu: Duration, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.position.notation())?;
        let Some(best) = choice.best else {
            let outcome = self.position.outcome();
            let outcome = outcome.map_or_else(String::new, |outcome| outcome.to_string());
            return writeln!(out, "the game is over: {outcome}");
        };
        writeln!(
            out,
            "best {}, {} for the {} side",
            self.name(best),
            value_text(choice.value),
            self.position.side_to_move()
        )?;
        write!(out, "{}", self.moves_table(&choice.moves, self.args.lines))?;
        let effort = effort_text(&choice.effort);
        writeln!(out, "{effort}, {:.2} s of CPU time", cpu.as_secs_f64())
    }

    fn moves_table(&self, moves: &[MoveReport], rows: usize) -> String {
        let mut text = format!("{:<5} {:>8} {:>12}  line\n", "move", "value", "visits");
        for report in moves.iter().take(rows) {
            // Engines without a tree count none.
            let visits = match report.visits {
                0 => "-".to_owned(),
                visits => visits.to_string(),
            };
            text += &format!(
                "{:<5} {:>8} {:>12}  {}\n",
                self.name(report.cell),
                value_text(report.value),
                visits,
                self.names(&report.line).join(" ")
            );
        }
        text
    }

    /// How the search stands, as it is shown while it goes on.
    fn table(&self, value: Value, moves: &[MoveReport], effort: &Effort) -> String {
        let best = moves.first().map(|report| self.name(report.cell));
        format!(
            "{}{} {}, {}\n{}",
            self.heading,
            best.unwrap_or_default(),
            value_text(value),
            effort_text(effort),
            self.moves_table(moves, self.args.lines)
        )
    }
}

/// Lines on stderr that are written over by the next ones.
#[derive(Default)]
struct Live {
    /// Lines that are to be seen now.
    shown: usize,
}

impl Live {
    /// Shows as much of `text` as the terminal has room for, in one write so that nothing flickers.
    fn show(&mut self, text: &str) {
        let (width, height) = terminal::size().unwrap_or((80, 24));
        let rows = usize::from(height.saturating_sub(2)).max(1);
        let mut drawn = String::new();
        if self.shown > 0 {
            drawn += &format!("\x1b[{}A\r", self.shown);
        }
        self.shown = 0;
        for line in text.lines().take(rows) {
            let line: String = line.chars().take(usize::from(width).max(1)).collect();
            drawn += &format!("{line}\x1b[K\n");
            self.shown += 1;
        }
        drawn += "\x1b[J";
        let _ = io::stderr().write_all(drawn.as_bytes());
    }
}

fn add_effort(object: &mut Json, effort: &Effort) {
    protocol::add_effort(object, effort);
    if let Some(rate) = effort.simulations_per_second() {
        object["simulations_per_second"] = json!(rate.round());
    }
}

/// Proof and estimate look different, in words as in JSON.
pub(crate) fn value_text(value: Value) -> String {
    match value {
        Value::Win { plies } => format!("win {plies}"),
        Value::Loss { plies } => format!("loss {plies}"),
        Value::Draw => "draw".to_owned(),
        Value::Guess(rate) => format!("{:.1}%", 100.0 * rate),
    }
}

fn effort_text(effort: &Effort) -> String {
    let (count, unit) = match effort.simulations {
        0 => (effort.nodes, "nodes"),
        simulations => (simulations, "simulations"),
    };
    let mut text = format!("{count} {unit}");
    if let Some(time) = effort.time.filter(|time| !time.is_zero()) {
        let rate = count as f64 / time.as_secs_f64();
        text += &format!(", {:.2} M/s", rate / 1e6);
    }
    text + &format!(", {} MB", effort.memory_bytes >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_counts_is_what_its_rate_is_of() {
        let mut effort = Effort {
            nodes: 3_000_000,
            memory_bytes: 5 << 20,
            time: Some(Duration::from_secs(2)),
            ..Effort::default()
        };
        assert_eq!(effort_text(&effort), "3000000 nodes, 1.50 M/s, 5 MB");
        effort.simulations = 1_000_000;
        assert_eq!(effort_text(&effort), "1000000 simulations, 0.50 M/s, 5 MB");
        effort.time = None;
        assert_eq!(effort_text(&effort), "1000000 simulations, 5 MB");
    }
}
