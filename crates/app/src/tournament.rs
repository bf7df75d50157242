//! `stoneline tournament`: many engines, many games, every one kept, and the table at the end.

use crate::{Verdict, interrupt, progress};
use indicatif::ProgressBar;
use std::io::Write;
use std::path::{Path, PathBuf};
use stoneline_arena::{
    Forgetful, Plan, Progress, Ratings, Standing, Store, Summary, Tournament, TournamentError,
};

const EXAMPLES: &str = "\
Examples:
  stoneline tournament --example
  stoneline tournament --example > cup.toml && stoneline tournament cup.toml

The file names the players, the game, the format (match, round-robin, gauntlet,
swiss, knockout) and the limits; docs/arena.md tells every key. Each game is on
disk before it is counted, in a store beside the file (cup.db). The same
command goes on where an interrupted tournament stopped, and `stoneline report
cup.db` tells all about it.";

/// A plan that is quick to play and shows the most useful keys.
const EXAMPLE_PLAN: &str = "\
# A tournament: every key but the players has a default.
game = \"connect4\"          # connect4, course, gomoku, connectx:5x6x4, ...
format = \"round-robin\"     # match, round-robin, gauntlet, swiss, knockout
games = 4                  # games of two players each time they meet
seed = 1
concurrency = 2            # games at once
simulations = 100          # a move; also: nodes, time = \"50ms\", clock = \"10s+0.1s\"

[openings]
plies = 3                  # random moves first; also: balance, list, file

[[player]]
engine = \"mcts\"

[[player]]
name = \"plain\"
engine = \"mcts:rollout=uniform,pruning=none\"

[[player]]
engine = \"kaggle-negamax\"

[[player]]
engine = \"random\"
";

/// Play a tournament of many engines
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The tournament: players, game, format, limits
    #[arg(value_name = "FILE.toml", required_unless_present = "example")]
    file: Option<PathBuf>,

    /// Go on with a tournament, and refuse to begin one
    #[arg(long)]
    resume: bool,

    /// Print a file to begin with
    #[arg(long, conflicts_with_all = ["file", "resume"])]
    example: bool,

    /// One JSON object at the end instead of text
    #[arg(long)]
    json: bool,
}

/// Plays the tournament and writes its table.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let Some(file) = args.file.as_deref().filter(|_| !args.example) else {
        write!(out, "{EXAMPLE_PLAN}")?;
        return Ok(Verdict::Positive);
    };
    let tournament = Tournament::new(Plan::read(file)?)?;
    tell_missing_protection(&tournament);
    let store = tournament.plan().store.clone();
    if let Some(store) = store
        .as_deref()
        .filter(|store| args.resume && !store.exists())
    {
        anyhow::bail!("{}: there is no tournament to go on with", store.display());
    }
    let bar = progress::bar(tournament.schedule().total().into());
    let standing = run_kept(&tournament, store.as_deref(), |progress| {
        show(&bar, progress, tournament.names());
    })?;
    bar.finish_and_clear();
    let summary = Summary::of(&tournament, &standing);
    if args.json {
        writeln!(out, "{}", summary.json())?;
    } else {
        write!(out, "{}", summary.text())?;
    }
    if standing.complete {
        return Ok(Verdict::Positive);
    }
    if !args.json {
        let (games, total) = (summary.tally.games(), summary.total);
        writeln!(
            out,
            "Stopped after {games} of {total} games; the same command goes on."
        )?;
    }
    Ok(Verdict::Interrupted)
}

/// Moves the bar on, with the player who leads.
fn show(bar: &ProgressBar, progress: &Progress<'_>, names: &[String]) {
    let played = u64::from(progress.tally.games());
    bar.set_length(u64::from(progress.total).max(played));
    bar.set_position(played);
    // What an earlier session played must not count as speed.
    if progress.finished.is_none() {
        bar.reset_eta();
    }
    // A fit a game would take longer than games of fast engines do.
    if !bar.is_hidden() && (played < 50 || played.is_multiple_of(played / 50)) {
        let ratings = Ratings::of(progress.tally);
        let best = ratings.ranking()[0];
        let elo = stoneline_arena::elo_text(ratings.rating(best));
        bar.set_message(format!("{} leads by Elo {elo}", names[best]));
    }
}

/// Says on stderr what this system can't keep foreign players from.
pub(crate) fn tell_missing_protection(tournament: &Tournament) {
    if let Some(missing) = tournament.missing_protection() {
        // Nobody is left to tell when stderr is closed.
        let _ = writeln!(std::io::stderr(), "note: {missing}");
    }
}

/// Plays a tournament, kept in `store` if given, until its end or Ctrl-C.
pub(crate) fn run_kept(
    tournament: &Tournament,
    store: Option<&Path>,
    watch: impl FnMut(&Progress<'_>),
) -> Result<Standing, TournamentError> {
    let stop = interrupt::flag();
    match store {
        None => tournament.run(&mut Forgetful, stop, watch),
        Some(path) => {
            let mut store = Store::open(path)?;
            tournament.run(&mut store.run(tournament)?, stop, watch)
        }
    }
}
