//! `stoneline puzzles`: how many forced wins are found, by kind.
//!
//! A file has a line a puzzle, its fields apart by tabs: a name, the kind, the
//! side to move, and the stones of the first and of the second side. Kinds
//! that begin with `VCF` are sought by fours alone, all others by threes too.
//! Every win found is checked against every reply before it counts.

use crate::{Verdict, interrupt, progress};
use anyhow::{Context, bail, ensure};
use cpu_time::ThreadTime;
use serde_json::{Map, json};
use std::cmp::Ordering;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;
use stoneline_rules::notation::write_moves;
use stoneline_rules::{Cell, Position, Setup, Side, Variant};
use stoneline_search::gomoku::{Means, Proof, Threats};

const EXAMPLES: &str = "\
Examples:
  printf '1\\tVCF\\tfirst\\th8 i8 j8\\ta1 a3 a5\\n' | stoneline puzzles - --game gomoku
  printf '2\\tVCT\\tblack\\th8 i8 j9 j10\\ta1 a3 a5 c1\\n' | stoneline puzzles - --time 1 --json

A line a puzzle, fields apart by tabs: name, kind (VCF: by fours alone; others: by
threes too), side to move (first, second, black or white), stones of the first
side, stones of the second. A first line that starts with `id` is skipped. Where
one side has too few stones for that turn, some are added far from all others.
Time is CPU time of the one thread that searches.";

/// Find forced wins in a file of positions, and check each
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The puzzles, one a line; `-` for stdin
    #[arg(value_name = "FILE.tsv")]
    file: PathBuf,

    /// Which game, by name
    #[arg(long, value_name = "G", default_value = "renju")]
    game: Variant,

    /// Most CPU-seconds for each puzzle
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = crate::bench::seconds)]
    time: Duration,

    /// JSON, one object a puzzle and one at the end
    #[arg(long)]
    json: bool,
}

/// One position to win.
struct Puzzle {
    name: String,
    kind: String,
    position: Position,
    /// Stones that were added to make the position legal.
    added: Vec<Cell>,
}

/// What came of one kind.
#[derive(Clone, Copy, Default)]
struct Tally {
    total: u64,
    solved: u64,
    verified: u64,
}

/// Seeks every win and writes what was found to `out`.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    interrupt::expect();
    let name = args.file.display();
    let text = if args.file.as_os_str() == "-" {
        io::read_to_string(io::stdin()).context("stdin")?
    } else {
        fs::read_to_string(&args.file).with_context(|| format!("{name}"))?
    };
    let Some(threats) = Threats::new(&args.game) else {
        bail!(
            "{} has falling stones: puzzles are for free boards",
            args.game
        );
    };
    let mut puzzles = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() || at == 0 && line.starts_with("id") {
            continue;
        }
        let puzzle = read(line, &args.game).with_context(|| format!("{name}, line {}", at + 1))?;
        puzzles.push(puzzle);
    }
    let bar = progress::bar(puzzles.len() as u64);
    let mut tallies: Vec<(String, Tally)> = Vec::new();
    for puzzle in &puzzles {
        if interrupt::arrived() {
            break;
        }
        let at = tallies.iter().position(|(kind, _)| *kind == puzzle.kind);
        let at = at.unwrap_or_else(|| {
            tallies.push((puzzle.kind.clone(), Tally::default()));
            tallies.len() - 1
        });
        let told = attempt(args, &threats, puzzle, &mut tallies[at].1);
        bar.suspend(|| writeln!(out, "{told}"))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    write_totals(args, &tallies, out)?;
    Ok(if interrupt::arrived() {
        Verdict::Interrupted
    } else if tallies
        .iter()
        .all(|(_, tally)| tally.solved == tally.verified)
    {
        Verdict::Positive
    } else {
        Verdict::Negative
    })
}

/// One puzzle: the search, the check, and a line on it.
fn attempt(args: &Args, threats: &Threats, puzzle: &Puzzle, tally: &mut Tally) -> String {
    let means = if puzzle.kind.starts_with("VCF") {
        Means::Fours
    } else {
        Means::Threes
    };
    let begun = ThreadTime::now();
    let mut nodes = 0;
    let proof = threats.search(&puzzle.position, means, &mut |spent| {
        nodes = spent;
        begun.elapsed() >= args.time || interrupt::arrived()
    });
    let cpu = begun.elapsed();
    let flaw = proof
        .as_ref()
        .and_then(|proof| proof.verify(&puzzle.position).err());
    tally.total += 1;
    tally.solved += u64::from(proof.is_some());
    tally.verified += u64::from(proof.is_some() && flaw.is_none());
    let line = proof.as_ref().map_or_else(Vec::new, Proof::line);
    let moves = write_moves(&args.game, &line);
    if args.json {
        let object = json!({
            "id": puzzle.name, "mode": puzzle.kind, "solved": proof.is_some(),
            "verified": proof.is_some() && flaw.is_none(),
            "plies": proof.as_ref().map(Proof::plies), "line": moves,
            "nodes": nodes, "cpu_us": cpu.as_micros() as u64,
            "added": write_moves(&args.game, &puzzle.added),
            "flaw": flaw.map(|flaw| flaw.to_string()),
        });
        object.to_string()
    } else {
        let found = match (&proof, &flaw) {
            (None, _) => "not found".to_owned(),
            (Some(proof), None) => format!("win {}: {moves}", proof.plies()),
            (Some(_), Some(flaw)) => format!("wrong: {flaw}"),
        };
        let (name, kind) = (&puzzle.name, &puzzle.kind);
        let seconds = cpu.as_secs_f64();
        format!("{name:<6} {kind:<5} {seconds:>7.3} s  {found}")
    }
}

fn write_totals(args: &Args, tallies: &[(String, Tally)], out: &mut dyn Write) -> io::Result<()> {
    if !args.json {
        for (kind, tally) in tallies {
            let share = 100.0 * tally.verified as f64 / tally.total as f64;
            let (verified, total) = (tally.verified, tally.total);
            writeln!(
                out,
                "{kind:<6} {verified} of {total} found and checked, {share:.1} %"
            )?;
        }
        return Ok(());
    }
    let sum = |of: fn(&Tally) -> u64| tallies.iter().map(|(_, tally)| of(tally)).sum::<u64>();
    let by_mode: Map<String, serde_json::Value> = tallies
        .iter()
        .map(|(kind, tally)| (kind.clone(), json!([tally.verified, tally.total])))
        .collect();
    let object = json!({
        "total": sum(|tally| tally.total), "solved": sum(|tally| tally.solved),
        "verified": sum(|tally| tally.verified), "by_mode": by_mode,
    });
    writeln!(out, "{object}")
}

fn read(line: &str, game: &Variant) -> anyhow::Result<Puzzle> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, kind, side, first, second] = fields[..] else {
        bail!("expected 5 fields apart by tabs, found {}", fields.len());
    };
    let side = match side.to_ascii_lowercase().as_str() {
        "first" | "black" => Side::First,
        "second" | "white" => Side::Second,
        _ => bail!("side {side:?}: expected first, second, black or white"),
    };
    let mut setup = Setup {
        stones: [cells(first)?, cells(second)?],
        ..Setup::of(game)
    };
    let added = balance(&mut setup, side);
    let position = Position::try_from(setup)?;
    if let Some(outcome) = position.outcome() {
        bail!("the game is over: {outcome}");
    }
    ensure!(
        position.side_to_move() == side,
        "the {side} side can't be to move with these numbers of stones"
    );
    Ok(Puzzle {
        name: name.to_owned(),
        kind: kind.to_owned(),
        position,
        added,
    })
}

/// Most stones that are added to a puzzle.
const MOST_ADDED: usize = 8;

/// Adds stones of the side that has too few for `side` to move, far from all others.
///
/// Composed puzzles often show only the stones that matter.
fn balance(setup: &mut Setup, side: Side) -> Vec<Cell> {
    let mut added = Vec::new();
    while added.len() < MOST_ADDED {
        let [first, second] = [setup.stones[0].len(), setup.stones[1].len()];
        let wanted = second + usize::from(side == Side::Second);
        let lacking = match first.cmp(&wanted) {
            Ordering::Less => Side::First,
            Ordering::Equal => break,
            Ordering::Greater => Side::Second,
        };
        let distance = |cell: &Cell| {
            let stones = setup.stones.iter().flatten();
            let apart = stones.map(|stone| {
                let columns = stone.column().abs_diff(cell.column());
                columns.max(stone.row().abs_diff(cell.row()))
            });
            apart.min().unwrap_or(u8::MAX)
        };
        let all = (0..setup.columns as u8)
            .flat_map(|column| (0..setup.rows as u8).map(move |row| Cell::new(column, row)));
        let Some(far) = all.max_by_key(distance).filter(|cell| distance(cell) > 0) else {
            break;
        };
        setup.stones[lacking.index()].push(far);
        added.push(far);
    }
    added
}

/// Cells by column letter and row number, apart by spaces.
fn cells(text: &str) -> anyhow::Result<Vec<Cell>> {
    text.split_whitespace()
        .map(|word| {
            let read = || {
                let letter = word.chars().next()?.to_ascii_lowercase();
                let column = u8::try_from(letter).ok()?.checked_sub(b'a')?;
                let row: u8 = word.get(1..)?.parse().ok()?;
                let row = row.checked_sub(1)?;
                (column < 32 && row < 32).then(|| Cell::new(column, row))
            };
            read().with_context(|| format!("{word:?} is no cell: expected one as h8"))
        })
        .collect()
}
