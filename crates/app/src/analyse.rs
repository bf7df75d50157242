//! `stoneline analyse`: what an engine thinks of positions, while it thinks and in the end.

use crate::opponent::Opponent;
use crate::{Verdict, interrupt};
use anyhow::{Context, ensure};
use cpu_time::ProcessTime;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use stoneline_protocols::json as protocol;
use stoneline_rules::notation::write_move;
use stoneline_rules::{Cell, LONGEST_TEXT, Position};
use stoneline_search::{Choice, Effort, Event, Limits, MoveReport, Value};

const EXAMPLES: &str = "\
Examples:
  stoneline analyse connect4 4453                  one second's thought
  stoneline analyse course:9x9@4,4 5 --time 0.2    every move of a larger board
  stoneline analyse gomoku h8 i9 --time 0.2        five in a row
  stoneline analyse connect4 44 --engine mcts:simulations=2000 --json
  printf 'connect4 44\\nconnect4 4444\\n' | stoneline analyse --file - --time 0.1

Values are for the side to move: `win 7` and `loss 8` are proven, with the
number of plies to the end; `54.2%` is an estimate. Ctrl-C stops with the results so far.";

/// Show what each move of a position is worth
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which game, by name, and the moves played
    #[arg(value_name = "GAME [MOVES]", required_unless_present = "file")]
    position: Vec<String>,

    /// Analyse the positions of a file, one a line; `-` for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    file: Option<PathBuf>,

    /// Who thinks: an engine by name, as `stoneline play --engines` lists them
    ///
    /// If none is named: `mcts` where stones fall, `best` elsewhere.
    #[arg(long, value_name = "E")]
    engine: Option<Opponent>,

    /// How many moves to show
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    lines: usize,

    /// Seconds a position, unless the engine's own keys say otherwise
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = crate::bench::seconds)]
    time: Duration,

    /// Chooses the board of `course` and the engine's taste
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// JSON, one object an event; the last of a position has `"final":true`
    #[arg(long)]
    json: bool,
}

/// Analyses every position and writes what was found to `out`.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    interrupt::expect();
    for (place, text) in texts(args)? {
        let position = Position::read(&text, args.seed).with_context(|| place.clone())?;
        let analysis = Analysis {
            args,
            position: &position,
        };
        analysis.run(out).with_context(|| place)?;
        if interrupt::arrived() {
            return Ok(Verdict::Interrupted);
        }
    }
    Ok(Verdict::Positive)
}

/// The positions to analyse, each with what to call it in an error.
fn texts(args: &Args) -> anyhow::Result<Vec<(String, String)>> {
    let Some(file) = &args.file else {
        let text = args.position.join(" ");
        return Ok(vec![(format!("{text:?}"), text)]);
    };
    let name = file.display();
    let text = read_bounded(file).with_context(|| format!("{name}"))?;
    let lines = text.lines().enumerate();
    let used = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    Ok(used
        .map(|(at, line)| (format!("{name}, line {}", at + 1), line.to_owned()))
        .collect())
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
    position: &'a Position,
}

impl Analysis<'_> {
    fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let variant = self.position.variant();
        let chosen = self.args.engine.clone();
        let engine = chosen.unwrap_or_else(|| Opponent::analyst(variant));
        let mut engine = engine.build(variant)?;
        let limits = Limits {
            time: Some(self.args.time),
            seed: Some(self.args.seed),
            ..Limits::default()
        };
        let begun = ProcessTime::now();
        let live = !self.args.json && io::stderr().is_terminal();
        let mut trouble = Ok(());
        let choice = engine.think(self.position, &limits, &mut |event| {
            if self.args.json {
                trouble = writeln!(out, "{}", self.event_json(&event)).and_then(|()| out.flush());
            } else if live {
                let _ = write!(io::stderr(), "\r\x1b[K{}", self.live_line(&event));
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
            writeln!(out, "{}", self.final_json(&choice, cpu))?;
        } else {
            if live {
                let _ = write!(io::stderr(), "\r\x1b[K");
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

    fn live_line(&self, event: &Event<'_>) -> String {
        let best = event.moves.first().map(|report| self.name(report.cell));
        format!(
            "{} {} · {}",
            best.unwrap_or_default(),
            value_text(event.value),
            effort_text(event.effort)
        )
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
        writeln!(out, "{:<5} {:>8} {:>12}  line", "move", "value", "visits")?;
        for report in choice.moves.iter().take(self.args.lines) {
            writeln!(
                out,
                "{:<5} {:>8} {:>12}  {}",
                self.name(report.cell),
                value_text(report.value),
                report.visits,
                self.names(&report.line).join(" ")
            )?;
        }
        let effort = effort_text(&choice.effort);
        writeln!(out, "{effort}, {:.2} s of CPU time", cpu.as_secs_f64())
    }
}

fn add_effort(object: &mut Json, effort: &Effort) {
    protocol::add_effort(object, effort);
    if let Some(rate) = effort.simulations_per_second() {
        object["simulations_per_second"] = json!(rate.round());
    }
}

/// Proof and estimate look different, in words as in JSON.
fn value_text(value: Value) -> String {
    match value {
        Value::Win { plies } => format!("win {plies}"),
        Value::Loss { plies } => format!("loss {plies}"),
        Value::Draw => "draw".to_owned(),
        Value::Guess(rate) => format!("{:.1}%", 100.0 * rate),
    }
}

fn effort_text(effort: &Effort) -> String {
    let mut text = match effort.simulations {
        0 => format!("{} nodes", effort.nodes),
        simulations => format!("{simulations} simulations"),
    };
    if let Some(rate) = effort.simulations_per_second() {
        text += &format!(", {:.2} M/s", rate / 1e6);
    }
    text + &format!(", {} MB", effort.memory_bytes >> 20)
}
