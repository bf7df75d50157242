//! `stoneline solve`: exact values of positions on gravity boards.
//!
//! One position with the value of every move and the line of best play, or a
//! file of positions whose scores may be checked. What a limit leaves open is
//! told as bounds, never guessed.

use crate::settings::Settings;
use crate::{Verdict, interrupt, progress};
use anyhow::{Context, bail};
use cpu_time::ProcessTime;
use serde_json::{Map, Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stoneline_rules::notation::{column_sign, play_text, write_move, write_moves};
use stoneline_rules::{Cell, Position, Side, Variant};
use stoneline_search::solve::{
    Book, Bounds, MoveBounds, Question, SolveLimits, Solver, plies_to_end,
};

const EXAMPLES: &str = "\
Examples:
  stoneline solve connect4 4444445              every move of a position
  stoneline solve connectx:5x5x4 --json         the empty board, for programs
  stoneline solve connect4 --nodes 10000        proven bounds after 10,000 nodes
  printf '444444\\n' | stoneline solve --file -  a list of positions, from stdin

Scores are from the mover's view: a win with the last stone but one of the board
is 1, each pair of stones earlier one more, a loss is negative, a draw 0. A file
has a line a position: moves, or - for the empty board, and the expected score if
it is to be checked. Ctrl-C stops with what is proven so far.";

/// Megabytes of the table unless told.
const USUAL_MEMORY_MB: u32 = 64;

/// What stands for no moves in a file.
const EMPTY_BOARD: &str = "-";

/// Solve positions of boards whose stones fall, exactly
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which game, by name, and the moves played
    #[arg(value_name = "GAME [MOVES]", required_unless_present = "file")]
    position: Vec<String>,

    /// Solve the positions of a file, `moves [expected score]` a line; `-` for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    file: Option<PathBuf>,

    /// The game of the file's positions
    #[arg(long, value_name = "G", default_value = "connect4", requires = "file")]
    game: String,

    /// The value of every move, for each position of a file as well
    #[arg(long)]
    all_moves: bool,

    /// Only who wins: scores are 1, 0 and -1
    #[arg(long)]
    outcome: bool,

    /// Stop after so many seconds a position, with proven bounds
    #[arg(long, value_name = "SECONDS", value_parser = crate::bench::seconds)]
    limit: Option<Duration>,

    /// Stop after so many nodes a question, with proven bounds
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Threads that search; 1 if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Megabytes for the table of proven bounds; 64 if not given
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory: Option<u32>,

    /// Search even what the embedded book of connect4 knows
    #[arg(long)]
    no_book: bool,

    /// JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Solves what was asked for and writes it to `out`.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    match &args.file {
        Some(file) => solve_file(args, settings, file, out),
        None => {
            let text = args.position.join(" ");
            let position = Position::read(&text, 0).with_context(|| format!("{text:?}"))?;
            let mut solver = build_solver(args, settings, position.variant())?;
            let answer = answer(args, &mut solver, &position, true)?;
            if args.json {
                writeln!(out, "{}", answer.json(&position))?;
            } else {
                answer.write(&position, out)?;
            }
            Ok(if interrupt::arrived() {
                Verdict::Interrupted
            } else {
                Verdict::Positive
            })
        }
    }
}

fn build_solver(args: &Args, settings: &Settings, variant: &Variant) -> anyhow::Result<Solver> {
    let memory = settings.table_bytes(args.memory, USUAL_MEMORY_MB);
    let threads = settings.threads(args.threads).unwrap_or(1);
    let mut solver = Solver::new(variant, memory, threads)?;
    if !args.no_book && variant.to_string() == "connect4" {
        solver.use_book(Book::connect4());
    }
    Ok(solver)
}

/// What was proven of one position.
struct Answer {
    bounds: Bounds,
    /// `None` when they were not asked for.
    moves: Option<Vec<MoveBounds>>,
    best: Option<Cell>,
    line: Vec<Cell>,
    nodes: u64,
    cpu: Duration,
}

fn answer(
    args: &Args,
    solver: &mut Solver,
    position: &Position,
    all_moves: bool,
) -> anyhow::Result<Answer> {
    let start = ProcessTime::now();
    let deadline = args.limit.map(|limit| Instant::now() + limit);
    let limits = || SolveLimits {
        nodes: args.nodes,
        time: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
        stop: Some(interrupt::flag()),
    };
    let question = if args.outcome {
        Question::Outcome
    } else {
        Question::Score
    };
    let solved = solver.solve(position, question, &limits())?;
    let cpu = start.elapsed();
    let mut nodes = solved.nodes;
    let moves = if all_moves {
        let (moves, spent) = solver.solve_moves(position, question, &limits())?;
        nodes += spent;
        Some(moves)
    } else {
        None
    };
    let mut best = None;
    let mut line = Vec::new();
    // With outcomes alone, moves that win at different times look alike: no line.
    if let (Some(score), true) = (solved.bounds.exact(), all_moves && !args.outcome) {
        line = solver.line(position, score, &limits())?;
        best = line.first().copied();
    }
    Ok(Answer {
        bounds: solved.bounds,
        moves,
        best,
        line,
        nodes,
        cpu: if all_moves { start.elapsed() } else { cpu },
    })
}

impl Answer {
    fn json(&self, position: &Position) -> Value {
        let variant = position.variant();
        let mut object = Map::new();
        object.insert(
            "moves".into(),
            json!(write_moves(variant, position.moves())),
        );
        insert_score(&mut object, self.bounds);
        if let Some(moves) = &self.moves {
            let scores: Map<String, Value> = moves
                .iter()
                .map(|moved| (write_move(variant, moved.cell), score_json(moved.bounds)))
                .collect();
            object.insert("scores".into(), Value::Object(scores));
            object.insert(
                "best".into(),
                json!(self.best.map(|cell| write_move(variant, cell))),
            );
            object.insert("line".into(), json!(write_moves(variant, &self.line)));
        }
        object.insert("nodes".into(), json!(self.nodes));
        object.insert("cpu_us".into(), json!(self.cpu.as_micros() as u64));
        Value::Object(object)
    }

    fn write(&self, position: &Position, out: &mut dyn Write) -> io::Result<()> {
        let variant = position.variant();
        writeln!(out, "{}", self.summary(position))?;
        self.write_moves(variant, out)?;
        if !self.line.is_empty() {
            writeln!(out, "line {}", write_moves(variant, &self.line))?;
        }
        let seconds = self.cpu.as_secs_f64();
        writeln!(out, "nodes {}   cpu {seconds:.3} s", self.nodes)
    }

    fn write_moves(&self, variant: &Variant, out: &mut dyn Write) -> io::Result<()> {
        for moved in self.moves.iter().flatten() {
            let sign = column_sign(variant, moved.cell.column());
            let is_best = Some(moved.cell) == self.best;
            let mark = if is_best { "  best" } else { "" };
            writeln!(out, "  column {sign}  {}{mark}", score_text(moved.bounds))?;
        }
        Ok(())
    }

    fn summary(&self, position: &Position) -> String {
        let mover = position.side_to_move();
        let score = score_text(self.bounds);
        let capacity = position.variant().geometry().capacity();
        let told = match self.bounds.exact() {
            None if interrupt::arrived() => "not decided so far".to_owned(),
            None => "not decided within the limit".to_owned(),
            Some(0) => "a draw".to_owned(),
            Some(score) => {
                let winner: Side = if score > 0 { mover } else { !mover };
                match plies_to_end(score, position.plies(), capacity) {
                    Some(plies) if !self.line.is_empty() => {
                        format!("the {winner} side wins in {plies} plies")
                    }
                    _ => format!("the {winner} side wins"),
                }
            }
        };
        format!("score {score}: {told}")
    }
}

fn insert_score(object: &mut Map<String, Value>, bounds: Bounds) {
    object.insert("score".into(), json!(bounds.exact()));
    if bounds.exact().is_none() {
        object.insert("bounds".into(), score_json(bounds));
    }
}

/// A score, or both bounds of one.
fn score_json(bounds: Bounds) -> Value {
    match bounds.exact() {
        Some(score) => json!(score),
        None => json!([bounds.low, bounds.high]),
    }
}

fn score_text(bounds: Bounds) -> String {
    match bounds.exact() {
        Some(score) => score.to_string(),
        None => format!("{} to {}", bounds.low, bounds.high),
    }
}

/// A line of a file: a position, and the score it should have.
struct Task {
    line: usize,
    position: Position,
    expected: Option<i32>,
}

fn solve_file(
    args: &Args,
    settings: &Settings,
    file: &Path,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let variant = Variant::named(&args.game, 0).with_context(|| format!("{:?}", args.game))?;
    let tasks = read_tasks(file, variant)?;
    let mut solver = build_solver(args, settings, &variant)?;
    let bar = progress::bar(tasks.len() as u64);
    let mut mismatches = 0_u64;
    let mut count = 0_u64;
    let mut nodes = 0;
    let mut cpu = Duration::ZERO;
    for task in &tasks {
        let answer = answer(args, &mut solver, &task.position, args.all_moves)
            .with_context(|| format!("line {}", task.line))?;
        // What Ctrl-C broke off is half an answer.
        if interrupt::arrived() {
            break;
        }
        count += 1;
        nodes += answer.nodes;
        cpu += answer.cpu;
        let expected = task
            .expected
            .map(|score| if args.outcome { score.signum() } else { score });
        let Bounds { low, high } = answer.bounds;
        // Bounds that a limit left wide still rule scores out.
        let is_wrong = expected.is_some_and(|score| !(low..=high).contains(&score));
        mismatches += u64::from(is_wrong);
        let wrong = expected.filter(|_| is_wrong);
        bar.suspend(|| write_task(args, task, &answer, wrong, out))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mean = cpu.as_secs_f64() * 1e6 / count.max(1) as f64;
    if args.json {
        let total = json!({
            "positions": count,
            "mismatches": mismatches,
            "nodes": nodes,
            "cpu_us_mean": mean,
        });
        writeln!(out, "{total}")?;
    } else {
        writeln!(
            out,
            "{count} positions, {mismatches} mismatches, {nodes} nodes, {mean:.2} us of CPU each"
        )?;
    }
    Ok(match mismatches {
        _ if interrupt::arrived() => Verdict::Interrupted,
        0 => Verdict::Positive,
        _ => Verdict::Negative,
    })
}

/// The answer to a line of a file; `wrong` is the score that it should have been.
fn write_task(
    args: &Args,
    task: &Task,
    answer: &Answer,
    wrong: Option<i32>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if args.json {
        let mut object = answer.json(&task.position);
        if wrong.is_some() {
            object["line_number"] = json!(task.line);
            object["expected"] = json!(wrong);
        }
        return writeln!(out, "{object}");
    }
    let variant = task.position.variant();
    let moves = match task.position.moves() {
        [] => EMPTY_BOARD.to_owned(),
        moves => write_moves(variant, moves),
    };
    write!(out, "{moves} {}", score_text(answer.bounds))?;
    if let Some(expected) = wrong {
        write!(out, "  mismatch on line {}: expected {expected}", task.line)?;
    }
    writeln!(out)?;
    answer.write_moves(variant, out)
}

fn read_tasks(file: &Path, variant: Variant) -> anyhow::Result<Vec<Task>> {
    let name = file.display();
    let text = if file == Path::new("-") {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(file)
    }
    .with_context(|| format!("{name}"))?;
    let mut tasks = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut fields = line.split_whitespace();
        let Some(moves) = fields.next() else { continue };
        let mut position = Position::new(variant);
        if moves != EMPTY_BOARD {
            play_text(&mut position, moves).with_context(|| format!("{name}, line {}", at + 1))?;
        }
        let expected = fields
            .next()
            .map(|score| {
                score
                    .parse()
                    .with_context(|| format!("{name}, line {}: score {score:?}", at + 1))
            })
            .transpose()?;
        if let Some(rest) = fields.next() {
            bail!("{name}, line {}: unexpected {rest:?}", at + 1);
        }
        tasks.push(Task {
            line: at + 1,
            position,
            expected,
        });
    }
    Ok(tasks)
}
