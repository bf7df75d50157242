//! `stoneline match`: two engines play many games, and what they show.

use crate::codes::Codes;
use crate::settings::Settings;
use crate::tournament::{run_kept, tell_missing_protection};
use crate::{Verdict, progress as bars};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use stoneline_arena::{
    Amount, Decision, Finished, Format, OpeningPlan, Plan, PlayerPlan, Report, Scale, Score, Sprt,
    Tournament, brief, read_openings, reasons,
};

const EXAMPLES: &str = "\
Examples:
  stoneline match kaggle-negamax random --games 20
  stoneline match kaggle-negamax random --game course --games 10 --time 50
  stoneline match kaggle-negamax random --sprt 0,50 --json
  stoneline match mcts random --games 10 --simulations 100 --store games.db

Every opening is played twice with the colours swapped. Results are told from
the first engine's side, with 95 % intervals from the spread of pairs.
With --sprt the exit code is 0 when ELO1 is accepted and 1 when it is not.
Without --store nothing is kept; with it, a match that was interrupted goes on
where it stopped.";

/// Play two engines against each other
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The first engine: NAME[:key=value,...], or another program: gomocup:COMMAND,
    /// saiblo:COMMAND, json:COMMAND, so:FILE (docs/protocols.md)
    #[arg(value_name = "A")]
    first: String,

    /// The second engine
    #[arg(value_name = "B")]
    second: String,

    /// Which game, connect4 if not given; `course` draws another board for each opening
    #[arg(long, value_name = "G")]
    game: Option<String>,

    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Time a move: 100 (ms), 100ms or 2s; 100 ms where no other limit is given
    #[arg(long, value_name = "T")]
    time: Option<String>,

    /// A clock for all moves of a player, and what it gains with each: 60s or 60s+1s
    #[arg(long, value_name = "T[+T]")]
    clock: Option<String>,

    /// A bank of time for each game, drawn on where a move takes longer than --time, as Kaggle has it
    #[arg(long, value_name = "T", requires = "time")]
    overage: Option<String>,

    /// Nodes a move, for searches by depth
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Simulations a move, for Monte-Carlo searches
    #[arg(long, value_name = "N")]
    simulations: Option<u64>,

    /// How late an answer may come before it loses
    #[arg(long, value_name = "T", default_value = "1s")]
    tolerance: String,

    /// Random moves before the engines take over, near the middle of a free board; 0 by default
    /// where the board is random already, else 3
    #[arg(long, value_name = "PLIES")]
    opening_plies: Option<usize>,

    /// Take the most even of N random openings each time
    #[arg(long, value_name = "N")]
    balance: Option<usize>,

    /// A file of openings, the moves of one a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["opening_plies", "balance"])]
    openings: Option<PathBuf>,

    /// End games as soon as the exact solver proves them within so many nodes
    #[arg(long, value_name = "NODES")]
    adjudicate: Option<u64>,

    /// Chooses openings and the engines' taste
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Threads of each engine, unless its own keys say otherwise
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Memory of each engine, unless its own keys say otherwise: 64MB
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,

    /// Games at once, 1 if not given; each engine thinks on its own threads besides
    #[arg(long, value_name = "C")]
    concurrency: Option<usize>,

    /// Whether each game at once has cores of its own; where that is useful, unless told: several
    /// games under a clock
    #[arg(long, value_name = "yes|no", value_parser = ["yes", "no"])]
    pin: Option<String>,

    /// Stop when the difference is shown to be at most ELO0 or at least ELO1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// Read the bounds of --sprt as normalised Elo
    #[arg(long, requires = "sprt")]
    normalised: bool,

    /// Keep the games in this file, and go on from those that are there
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// Write each game's result to this file, by the codes of the course's judge:
    /// ROUND FIRST CODE, where A is the first engine
    #[arg(long, value_name = "FILE", conflicts_with = "store")]
    codes: Option<PathBuf>,

    /// One JSON object at the end instead of text
    #[arg(long)]
    json: bool,
}

/// Plays the match and writes what it showed.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let plan = plan(args, settings)?;
    let sprt = plan.sprt;
    let title = plan.name.clone();
    let tournament = Tournament::new(plan)?;
    let mut codes = args.codes.as_deref().map(Codes::create).transpose()?;
    tell_missing_protection(&tournament);
    // Codes are of games that are played now, so such a match is never kept.
    let usual_store = settings.store().filter(|_| codes.is_none());
    let store = args.store.as_deref().or(usual_store);
    let bar = bars::bar(args.games.into());
    let standing = run_kept(&tournament, store, |progress| {
        bars::count(&bar, progress.finished.is_some());
        bar.set_message(live(&progress.tally.report(0, 1).score));
        let Some(finished) = progress.finished else {
            return;
        };
        if let Some(codes) = &mut codes {
            codes.add(finished);
        }
        if finished.game.reason.is_forfeit() {
            bar.suspend(|| tell_forfeit(args, finished));
        }
    })?;
    bar.finish_and_clear();
    let report = standing.tally.report(0, 1);
    if args.json {
        let mut object = as_json(&report, sprt);
        if let Some(codes) = codes {
            object["codes"] = codes.json()?;
        }
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{title}")?;
        write_table(args, &report, sprt, out)?;
        if let Some(codes) = codes {
            codes.write_table(out)?;
        }
    }
    Ok(match sprt.map(|sprt| sprt.decide(&report.score)) {
        _ if !standing.complete => Verdict::Interrupted,
        None | Some(Decision::Accepted) => Verdict::Positive,
        Some(Decision::Rejected | Decision::Open) => Verdict::Negative,
    })
}

/// Lines of a loser's stderr that are shown; a store keeps more.
const SHOWN_LINES: usize = 10;

/// Says on stderr who lost by its own fault, why, and its last words.
fn tell_forfeit(args: &Args, finished: &Finished) {
    let game = &finished.game;
    let Some(loser) = game.winner.map(|side| !side) else {
        return;
    };
    let name = match finished.fixture.players[loser.index()] {
        0 => &args.first,
        _ => &args.second,
    };
    let mut text = format!(
        "game {}: {name} lost by {}: {}\n",
        finished.fixture.number + 1,
        game.reason.name(),
        game.remark.as_deref().unwrap_or("no more is known")
    );
    let words = game.stderr[loser.index()].as_deref().unwrap_or_default();
    let lines: Vec<&str> = words.lines().collect();
    for line in &lines[lines.len().saturating_sub(SHOWN_LINES)..] {
        text.push_str(&format!("  stderr: {line}\n"));
    }
    // Nobody is left to tell when stderr is closed.
    let _ = io::stderr().write_all(text.as_bytes());
}

fn plan(args: &Args, settings: &Settings) -> anyhow::Result<Plan> {
    let game = args.game.as_deref().unwrap_or(settings.game());
    let is_bounded = args.clock.is_some() || args.nodes.is_some() || args.simulations.is_some();
    let usual_time = settings.match_time().filter(|_| !is_bounded);
    let resources = settings.resources();
    let text = |text: &String| Amount::Text(text.clone());
    let player = |engine: &String| PlayerPlan {
        name: String::new(),
        engine: engine.clone(),
    };
    let list = match &args.openings {
        Some(file) => read_openings(file)?,
        None => Vec::new(),
    };
    let sprt = args.sprt.map(|sprt| Sprt {
        scale: if args.normalised {
            Scale::Normalised
        } else {
            Scale::Logistic
        },
        ..sprt
    });
    let mut plan = Plan::of(
        Format::Match,
        vec![player(&args.first), player(&args.second)],
    );
    plan.name = format!("{} against {}, {game}", args.first, args.second);
    game.clone_into(&mut plan.game);
    plan.games = args.games;
    plan.seed = args.seed;
    plan.concurrency = args.concurrency.unwrap_or(settings.concurrency());
    plan.threads = args.threads.or(resources.threads);
    let usual_memory = resources.memory_bytes.map(|bytes| bytes.to_string());
    plan.memory = args.memory.clone().or(usual_memory).map(Amount::Text);
    plan.pin = args.pin.as_ref().map(|answer| answer == "yes");
    plan.time = args
        .time
        .as_deref()
        .or(usual_time)
        .map(|time| Amount::Text(time.to_owned()));
    plan.clock = args.clock.as_ref().map(text);
    plan.overage = args.overage.as_ref().map(text);
    plan.nodes = args.nodes;
    plan.simulations = args.simulations;
    plan.tolerance = text(&args.tolerance);
    plan.openings = OpeningPlan {
        plies: args.opening_plies,
        balance: args.balance,
        list,
        ..OpeningPlan::default()
    };
    plan.adjudicate.proof_nodes = args.adjudicate;
    plan.sprt = sprt;
    Ok(plan)
}

pub(crate) fn live(score: &Score) -> String {
    let elo = score.elo();
    format!(
        "+{} ={} -{} Elo {:+.0} [{:+.0}, {:+.0}]",
        score.wins, score.draws, score.losses, elo.mid, elo.low, elo.high
    )
}

fn write_table(
    args: &Args,
    report: &Report,
    sprt: Option<Sprt>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let row = |name: &str, score: &Score| {
        format!(
            "{name:<10} {:>5} games  +{} ={} -{}  {:.1} %",
            score.games(),
            score.wins,
            score.draws,
            score.losses,
            100.0 * score.share()
        )
    };
    let elo = report.score.elo();
    writeln!(out, "{}", row("all", &report.score))?;
    writeln!(out, "{}", row("as first", &report.by_side[0]))?;
    writeln!(out, "{}", row("as second", &report.by_side[1]))?;
    writeln!(
        out,
        "Elo        {:+.0} [{:+.0}, {:+.0}]",
        elo.mid, elo.low, elo.high
    )?;
    for (reason, count) in &report.reasons {
        writeln!(out, "{:<14} {count}", reason.name())?;
    }
    if report.forfeits != [0, 0] {
        let [ours, theirs] = report.forfeits;
        writeln!(
            out,
            "forfeits       {ours} by {}, {theirs} by {}",
            args.first, args.second
        )?;
    }
    if let Some(sprt) = sprt {
        let verdict = match sprt.decide(&report.score) {
            Decision::Accepted => "accepted: at least ELO1",
            Decision::Rejected => "rejected: at most ELO0",
            Decision::Open => "open: more games are needed",
        };
        writeln!(
            out,
            "SPRT       {verdict} (LLR {:.2})",
            sprt.llr(&report.score)
        )?;
    }
    Ok(())
}

fn as_json(report: &Report, sprt: Option<Sprt>) -> Value {
    let elo = report.score.elo();
    let mut object = brief(&report.score);
    object["elo"] = json!([elo.low, elo.mid, elo.high]);
    object["forfeits"] = json!(report.forfeits);
    object["reasons"] = reasons(report);
    object["as_first"] = brief(&report.by_side[0]);
    object["as_second"] = brief(&report.by_side[1]);
    object["pairs"] = json!(report.score.pairs);
    if let Some(sprt) = sprt {
        let decision = match sprt.decide(&report.score) {
            Decision::Accepted => "accepted",
            Decision::Rejected => "rejected",
            Decision::Open => "open",
        };
        object["sprt"] = json!({"llr": sprt.llr(&report.score), "bounds": sprt.bounds(),
            "decision": decision});
    }
    object
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let (elo0, elo1) = text.split_once(',').ok_or("expected ELO0,ELO1")?;
    let number = |text: &str| {
        text.trim()
            .parse::<f64>()
            .map_err(|_| format!("{text:?} is no number"))
    };
    let sprt = Sprt::new(number(elo0)?, number(elo1)?);
    match sprt.fault() {
        None => Ok(sprt),
        Some(fault) => Err(fault.to_owned()),
    }
}
