//! `stoneline experiment`: ablations from a file, as tables, a plot and conclusions.

use crate::matches::live;
use crate::written::Written;
use crate::{Verdict, interrupt, progress as bars};
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;
use stoneline_arena::Experiment;

const EXAMPLES: &str = "\
Examples:
  stoneline experiment --example
  stoneline experiment --example > r.toml && stoneline experiment r.toml --plot r.svg

Each arm meets each opponent; games are kept beside the file (r.db), and the
same command goes on where it stopped. A difference is claimed only when its
95 % interval excludes zero. Ready files are in experiments/.";

/// An experiment that is quick to run.
const EXAMPLE: &str = "\
title = \"Rollouts\"
question = \"Do wins and blocks in rollouts help at equal simulations?\"
game = \"connect4\"
games = 10                 # of each arm against each opponent
simulations = 50           # a move; also: time = \"20ms\", nodes
concurrency = 2
opponents = [\"mcts\"]

[vary]
engine = \"mcts\"
values = { rollout = [\"uniform\", \"block\"] }
";

/// Compare parameters by games
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    written: Written,

    /// Write the plot into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Plays the experiment and writes what it showed.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let Some((experiment, mut store)) = args.written.open(Experiment::read)? else {
        write!(out, "{EXAMPLE}")?;
        return Ok(Verdict::Positive);
    };
    let bar = bars::bar(experiment.total());
    let findings = experiment.run(&mut store, interrupt::flag(), |name, progress| {
        bars::count(&bar, progress.finished.is_some());
        bar.set_message(format!(
            "{name} {}",
            live(&progress.tally.report(0, 1).score)
        ));
    })?;
    bar.finish_and_clear();
    let figure = args.plot.as_deref().map(|path| path.display().to_string());
    if let Some(path) = &args.plot {
        std::fs::write(path, findings.svg()).with_context(|| path.display().to_string())?;
    }
    if args.written.json {
        writeln!(out, "{}", findings.json())?;
    } else {
        write!(out, "{}", findings.markdown(figure.as_deref()))?;
    }
    Ok(if findings.complete {
        Verdict::Positive
    } else {
        Verdict::Interrupted
    })
}
