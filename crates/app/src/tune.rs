//! `stoneline tune`: parameters of an engine, moved by the results of games.

use crate::matches::live;
use crate::written::Written;
use crate::{Verdict, interrupt, progress as bars};
use std::io::Write;
use stoneline_arena::Tuning;

const EXAMPLES: &str = "\
Examples:
  stoneline tune --example
  stoneline tune --example > t.toml && stoneline tune t.toml

Each step plays a short match between two engines whose parameters differ by
chance, and moves the parameters the winner's way. Games are kept beside the
file (t.db); the same command goes on where it stopped. With check_games, the
result then meets the beginning, and the exit code is 1 unless it is shown to
be stronger. Hundreds of steps are needed to find small gains.";

/// A tuning that is quick to run.
const EXAMPLE: &str = "\
engine = \"mcts\"           # with the keys that stay
steps = 10                # matches that move the parameters; hundreds for real
# check_games = 200       # of the result against the beginning

[play]                    # keys of a tournament's file, without players
game = \"connect4\"
games = 2                 # of a step
simulations = 50          # a move; also: time = \"20ms\", nodes
concurrency = 2

[parameter.exploration]
start = 1.0
low = 0.1
high = 2.0
step = 0.2                # how far both ways it is tried

[parameter.expand_visits]
start = 2
low = 1
high = 12
step = 1
whole = true              # only whole numbers
";

/// Tune an engine's parameters by games
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    written: Written,
}

/// Plays the tuning and writes where the parameters went.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let Some((tuning, mut store)) = args.written.open(Tuning::read)? else {
        write!(out, "{EXAMPLE}")?;
        return Ok(Verdict::Positive);
    };
    let bar = bars::bar(tuning.total());
    let tuned = tuning.run(&mut store, interrupt::flag(), |name, progress| {
        bars::count(&bar, progress.finished.is_some());
        let score = progress.tally.report(0, 1).score;
        bar.set_message(format!("{name} {}", live(&score)));
    })?;
    bar.finish_and_clear();
    if args.written.json {
        writeln!(out, "{}", tuned.json())?;
    } else {
        write!(out, "{}", tuned.markdown())?;
    }
    Ok(match (tuned.complete, tuned.is_stronger()) {
        (false, _) => Verdict::Interrupted,
        (true, Some(false)) => Verdict::Negative,
        (true, _) => Verdict::Positive,
    })
}
