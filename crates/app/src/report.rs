//! `stoneline report`: what a kept run shows, as a page, as Markdown, or as games for other programs.

use crate::Verdict;
use anyhow::Context;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use stoneline_arena::{Page, Store, export};

const EXAMPLES: &str = "\
Examples:
  stoneline match mcts random --games 10 --simulations 50 --store m.db && stoneline report m.db
  stoneline match mcts random --games 4 --simulations 50 --store m.db && stoneline report m.db --csv

The page (--html, the default with --out *.html) is one file that needs nothing
else: ranking, cross table, openings, times, reasons, and every game to replay.
--jsonl, --csv, --records and --sgf write the games themselves.";

/// Tell what a tournament showed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The store of a tournament, a match or an experiment
    #[arg(value_name = "RUN")]
    store: PathBuf,

    /// Which run of the store; the last one unless told
    #[arg(long, value_name = "NAME")]
    run: Option<String>,

    /// Into this file instead of stdout; its ending chooses the form
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Where `stoneline serve` shows the page on which the report's links open games
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:4747")]
    page: String,

    #[command(flatten)]
    form: Form,
}

/// What is written.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Form {
    /// One self-contained HTML page
    #[arg(long)]
    html: bool,
    /// Markdown (the default)
    #[arg(long)]
    md: bool,
    /// One JSON object for the whole run
    #[arg(long)]
    json: bool,
    /// The games, one JSON object a line
    #[arg(long)]
    jsonl: bool,
    /// The games as a table
    #[arg(long)]
    csv: bool,
    /// The games as records of ours
    #[arg(long)]
    records: bool,
    /// The games as SGF, where stones don't fall
    #[arg(long)]
    sgf: bool,
}

/// Writes the report.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let store = Store::open_to_read(&args.store)?;
    match &args.out {
        None => write(args, &store, out)?,
        Some(path) => {
            let named = || path.display().to_string();
            let mut file = BufWriter::new(File::create(path).with_context(named)?);
            write(args, &store, &mut file)?;
            file.flush().with_context(named)?;
        }
    }
    Ok(Verdict::Positive)
}

fn write(args: &Args, store: &Store, out: &mut dyn Write) -> anyhow::Result<()> {
    let ending = args
        .out
        .as_deref()
        .and_then(|path| path.extension()?.to_str());
    let form = &args.form;
    let any =
        form.html || form.md || form.json || form.jsonl || form.csv || form.records || form.sgf;
    let chosen = |flag: bool, own: &str| flag || !any && ending == Some(own);
    let name = args.run.as_deref();
    if chosen(form.jsonl, "jsonl")
        || chosen(form.csv, "csv")
        || form.records
        || chosen(form.sgf, "sgf")
    {
        let run = store.run_named(name)?;
        let games = store.games(&run)?;
        let export = if chosen(form.jsonl, "jsonl") {
            export::json_lines
        } else if chosen(form.csv, "csv") {
            export::csv
        } else if form.records {
            export::records
        } else {
            export::sgf_collection
        };
        return Ok(export(&run, &games, out)?);
    }
    let page = Page::read(store, name)?;
    if chosen(form.html, "html") {
        out.write_all(page.html(&args.page).as_bytes())?;
    } else if chosen(form.json, "json") {
        writeln!(out, "{}", page.summary().json())?;
    } else {
        out.write_all(page.markdown().as_bytes())?;
    }
    Ok(())
}
