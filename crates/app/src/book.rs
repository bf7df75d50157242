//! `stoneline book`: makes and checks the opening book of connect4.
//!
//! A build writes each result to a progress file at once and goes on from
//! there when it is started again.

use crate::settings::Settings;
use crate::{Verdict, interrupt, progress};
use anyhow::{Context, ensure};
use serde_json::json;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stoneline_rules::notation::{play_text, write_moves};
use stoneline_rules::{Position, Variant};
use stoneline_search::solve::{
    Book, BookEntry, BookPlan, Solver, VerifyPlan, build_book, verify_book,
};

const EXAMPLES: &str = "\
Examples:
  stoneline book verify --plies 3 --sample 1000   walk the first levels of the book

A whole build takes hours of CPU: stoneline book build connect4.book";

const GAME: &str = "connect4";
/// Megabytes of the tables unless told.
const BUILD_MEMORY_MB: u32 = 1024;
const VERIFY_MEMORY_MB: u32 = 64;

/// Make or check the opening book of connect4
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, arg_required_else_help = false)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand, Debug)]
enum Task {
    Build(BuildArgs),
    Verify(VerifyArgs),
}

/// Solve the positions of the book; goes on where an earlier build stopped
#[derive(clap::Args, Debug)]
struct BuildArgs {
    /// Where the book is written; FILE.progress keeps what is solved
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Every position of at most this many stones
    #[arg(long, value_name = "N", default_value = "3")]
    all_plies: usize,

    /// Every position of at most this many stones that our own play can meet
    #[arg(long, value_name = "N", default_value = "10")]
    own_plies: usize,

    /// One more position, by its moves, such as `verify` names as slow; may be repeated
    #[arg(long, value_name = "MOVES")]
    also: Vec<String>,

    /// Take the scores that an earlier book knows; moves are chosen anew where a harder
    /// one to answer is found
    #[arg(long, value_name = "BOOK")]
    scores: Option<PathBuf>,

    /// Megabytes for the solver's table; 1024 if not given
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory: Option<u32>,

    /// Threads that search; 1 if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Walk every line of our own play through the book, and check what is found
#[derive(clap::Args, Debug)]
struct VerifyArgs {
    /// The book; the embedded one if not given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Follow the lines to this many stones
    #[arg(long, value_name = "N", default_value = "12")]
    plies: usize,

    /// Check one entry in so many with the solver; 1 checks all
    #[arg(long, value_name = "N", default_value = "500")]
    sample: usize,

    /// Solve one position in so many where the book ends; 1 solves all
    #[arg(long, value_name = "N", default_value = "100")]
    leaf_sample: usize,

    /// Nodes within which the solver alone must answer where the book ends
    #[arg(long, value_name = "N", default_value = "3000000")]
    nodes: u64,

    /// Megabytes for the solver's table; 64 if not given
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory: Option<u32>,

    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Builds or verifies, and writes what came of it to `out`.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    match &args.task {
        Task::Build(args) => build(args, settings, out),
        Task::Verify(args) => verify(args, settings, out),
    }
}

fn build(args: &BuildArgs, settings: &Settings, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let game: Variant = GAME.parse().expect("the game exists");
    let mut progress = args.file.clone().into_os_string();
    progress.push(".progress");
    let progress = PathBuf::from(progress);
    let known = read_progress(&progress)?;
    let mut kept = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&progress)
        .with_context(|| progress.display().to_string())?;
    let memory = settings.table_bytes(args.memory, BUILD_MEMORY_MB);
    let threads = settings.threads(args.threads).unwrap_or(1);
    let mut solver = Solver::new(&game, memory, threads)?;
    if let Some(file) = &args.scores {
        solver.use_book(read_book(file)?);
    }
    let plan = BookPlan {
        all_plies: args.all_plies,
        own_plies: args.own_plies,
        also: read_positions(&args.also, game)?,
    };
    let bar = progress::bar(0);
    let mut trouble = None;
    let book = build_book(&game, &mut solver, &plan, &known, &mut |step| {
        bar.set_length(step.level as u64);
        bar.set_position(step.number as u64);
        bar.set_message(format!("positions of {} stones", step.plies));
        if step.fresh
            && let Err(error) = write_progress(&mut kept, step.code, step.entry)
        {
            trouble = Some(error);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    bar.finish_and_clear();
    if let Some(error) = trouble {
        return Err(error).with_context(|| progress.display().to_string());
    }
    let bytes = book.to_bytes();
    fs::write(&args.file, &bytes).with_context(|| args.file.display().to_string())?;
    let name = args.file.display();
    writeln!(
        out,
        "{name}: {} positions, {} bytes",
        book.len(),
        bytes.len()
    )?;
    Ok(Verdict::Positive)
}

fn read_positions(texts: &[String], game: Variant) -> anyhow::Result<Vec<Position>> {
    let read = |moves: &String| {
        let mut position = Position::new(game);
        play_text(&mut position, moves).with_context(|| format!("--also {moves}"))?;
        ensure!(
            position.outcome().is_none(),
            "--also {moves}: the game is over"
        );
        Ok(position)
    };
    texts.iter().map(read).collect()
}

fn moves_text(position: &Position) -> String {
    write_moves(position.variant(), position.moves())
}

fn read_book(file: &Path) -> anyhow::Result<Book> {
    let name = file.display().to_string();
    let bytes = fs::read(file).with_context(|| name.clone())?;
    Book::from_bytes(&bytes).context(name)
}

fn write_progress(file: &mut File, code: u64, entry: BookEntry) -> std::io::Result<()> {
    writeln!(file, "{code} {} {}", entry.score, entry.column)
}

/// What an earlier build has solved; a last line that was cut short is left out.
fn read_progress(path: &Path) -> anyhow::Result<Book> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let mut book = Book::default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for (at, line) in whole.lines().enumerate() {
        let read = || {
            let mut fields = line.split_whitespace();
            let code = fields.next()?.parse().ok()?;
            let score = fields.next()?.parse().ok()?;
            let column = fields.next()?.parse().ok()?;
            Some((code, BookEntry { score, column }))
        };
        let (code, entry) = read().with_context(|| {
            format!(
                "{}, line {}: expected code, score and column",
                path.display(),
                at + 1
            )
        })?;
        book.insert(code, entry);
    }
    Ok(book)
}

fn verify(args: &VerifyArgs, settings: &Settings, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let book = match &args.file {
        None => Book::connect4(),
        Some(file) => read_book(file)?,
    };
    let game: Variant = GAME.parse().expect("the game exists");
    let memory = settings.table_bytes(args.memory, VERIFY_MEMORY_MB);
    let mut solver = Solver::new(&game, memory, 1)?;
    let plan = VerifyPlan {
        plies: args.plies,
        entry_sample: args.sample,
        leaf_sample: args.leaf_sample,
        nodes: args.nodes,
    };
    interrupt::expect();
    let bar = progress::bar(0);
    let report = verify_book(
        &game,
        &book,
        &mut solver,
        plan,
        &mut |plies, number, level| {
            bar.set_length(level as u64);
            bar.set_position(number as u64);
            bar.set_message(format!("positions of {plies} stones"));
            interrupt::unless_arrived()
        },
    )?;
    bar.finish_and_clear();
    if args.json {
        let slow: Vec<String> = report.slow.iter().map(moves_text).collect();
        let object = json!({
            "entries": book.len(),
            "walked": report.walked,
            "in_book": report.in_book,
            "checked": report.checked,
            "leaves": report.leaves,
            "solved_leaves": report.solved_leaves,
            "wrong": report.wrong.len(),
            "most_nodes": report.most_nodes,
            "slow": slow,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "{} entries; {} positions of our own play, {} of them in the book",
            book.len(),
            report.walked,
            report.in_book
        )?;
        writeln!(
            out,
            "{} entries checked by the solver, {} wrong",
            report.checked,
            report.wrong.len()
        )?;
        writeln!(
            out,
            "{} positions where the book ends, {} of them solved in at most {} nodes each",
            report.leaves, report.solved_leaves, report.most_nodes
        )?;
        for position in &report.slow {
            let moves = moves_text(position);
            writeln!(out, "slow: {moves} takes more than {} nodes", args.nodes)?;
        }
        for position in &report.wrong {
            writeln!(out, "wrong: {}", moves_text(position))?;
        }
    }
    Ok(if interrupt::arrived() {
        Verdict::Interrupted
    } else if report.wrong.is_empty() && report.slow.is_empty() {
        Verdict::Positive
    } else {
        Verdict::Negative
    })
}
