//! `stoneline config`: which defaults are in force, and where each comes from.

use crate::Verdict;
use crate::settings::{self, Settings};
use serde_json::{Map, Value as Json, json};
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  stoneline config                             what is in force, and from where
  STONELINE_THEME=safe stoneline config        a variable sets a default
  stoneline config --example > stoneline.toml  a file to begin with
  stoneline config --json                      for programs

Later ones win: what is built in, a file, variables STONELINE_KEY, flags of the
command. The file is --config FILE, else what STONELINE_CONFIG names, else
stoneline.toml here, else stoneline/stoneline.toml in XDG_CONFIG_HOME, which is
~/.config unless set. Files of tournaments, experiments, tunings and training
runs mean the same everywhere: they take nothing from here, nor does `bench`.";

/// Show which defaults are in force, and from where
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write a file with every key, to begin with
    #[arg(long, conflicts_with = "json")]
    example: bool,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Tells every key, its value and its origin.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    if args.example {
        settings::example(out)?;
    } else if args.json {
        let keys: Map<String, Json> = settings
            .all()
            .map(|(key, value, origin)| {
                let told = json!({"value": value, "from": origin.to_string(),
                    "commands": key.commands});
                (key.name.to_owned(), told)
            })
            .collect();
        writeln!(out, "{}", json!({"file": settings.file(), "keys": keys}))?;
    } else {
        let rows = settings.all().map(|(key, value, origin)| {
            [key.name, value, &origin.to_string(), key.commands].map(str::to_owned)
        });
        let titles = ["key", "value", "from", "for"].map(str::to_owned);
        let rows: Vec<[String; 4]> = std::iter::once(titles).chain(rows).collect();
        let width = |column: usize| {
            let widths = rows.iter().map(|row| row[column].chars().count());
            widths.max().unwrap_or(0)
        };
        let [key, value, from] = [width(0), width(1), width(2)];
        for row in &rows {
            let [a, b, c, d] = row;
            writeln!(out, "{a:<key$}  {b:<value$}  {c:<from$}  {d}")?;
        }
        match settings.file() {
            Some(file) => writeln!(out, "file: {}", file.display())?,
            None => writeln!(out, "file: none; `stoneline config --example` writes one")?,
        }
    }
    Ok(Verdict::Positive)
}
