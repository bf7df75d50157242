//! `stoneline match`: two engines play many games, and what they show.

use crate::Verdict;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::Duration;
use stoneline_arena::{Contest, Decision, Entrant, Openings, Report, Score, Sprt};
use stoneline_search::Limits;

const EXAMPLES: &str = "\
Examples:
  stoneline match kaggle-negamax random --games 20
  stoneline match kaggle-negamax random --game course --games 10 --time 50
  stoneline match kaggle-negamax random --sprt 0,50 --json

Every opening is played twice with the colours swapped. Results are told from
the first engine's side, with 95 % intervals from the spread of pairs.
With --sprt the exit code is 0 when ELO1 is accepted and 1 when it is not.";

/// Play two engines against each other
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The first engine: NAME[:key=value,...]
    #[arg(value_name = "A")]
    first: String,

    /// The second engine
    #[arg(value_name = "B")]
    second: String,

    /// Which game; `course` draws another board for each opening
    #[arg(long, value_name = "G", default_value = "connect4")]
    game: String,

    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Milliseconds a move, unless an engine's own keys say otherwise
    #[arg(long, value_name = "MS", default_value_t = 100)]
    time: u64,

    /// How late an answer may come before it loses, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    tolerance: u64,

    /// Random moves before the engines take over; 0 by default where the board is
    /// random already, else 3
    #[arg(long, value_name = "PLIES")]
    opening_plies: Option<usize>,

    /// Chooses openings and the engines' taste
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Games at once; each engine thinks on its own threads besides
    #[arg(long, value_name = "C", default_value_t = 1)]
    concurrency: usize,

    /// Stop when the difference is shown to be at most ELO0 or at least ELO1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// One JSON object at the end instead of text
    #[arg(long)]
    json: bool,
}

/// Plays the match and writes what it showed.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let read = |text: &str| {
        text.parse::<Entrant>()
            .with_context(|| format!("engine {text:?}"))
    };
    let (first, second) = (read(&args.first)?, read(&args.second)?);
    let default_plies = if args.game == "course" { 0 } else { 3 };
    let plies = args.opening_plies.unwrap_or(default_plies);
    let openings = Openings::new(&args.game, plies, args.seed)
        .with_context(|| format!("game {:?}", args.game))?;
    let contest = Contest {
        entrants: [&first, &second],
        openings,
        limits: Limits {
            time: Some(Duration::from_millis(args.time)),
            seed: Some(args.seed),
            ..Limits::default()
        },
        tolerance: Duration::from_millis(args.tolerance),
        games: args.games,
        concurrency: args.concurrency,
        sprt: args.sprt,
    };
    let bar = progress_bar(args.games.into());
    let report = contest.run(|_, report| {
        bar.inc(1);
        bar.set_message(live(&report.score));
    })?;
    bar.finish_and_clear();
    if args.json {
        writeln!(out, "{}", as_json(&report))?;
    } else {
        write_table(args, &report, out)?;
    }
    Ok(match args.sprt.map(|sprt| sprt.decide(&report.score)) {
        None | Some(Decision::Accepted) => Verdict::Positive,
        Some(Decision::Rejected | Decision::Open) => Verdict::Negative,
    })
}

/// A bar on stderr that is silent where stderr is not a terminal.
fn progress_bar(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} left {eta}")
        .expect("the template is well formed");
    ProgressBar::new(games).with_style(style)
}

fn live(score: &Score) -> String {
    let elo = score.elo();
    format!(
        "+{} ={} -{} Elo {:+.0} [{:+.0}, {:+.0}]",
        score.wins, score.draws, score.losses, elo.mid, elo.low, elo.high
    )
}

fn write_table(args: &Args, report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
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
    writeln!(out, "{} against {}, {}", args.first, args.second, args.game)?;
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
    if let Some(sprt) = args.sprt {
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

fn as_json(report: &Report) -> Value {
    let brief = |score: &Score| {
        json!({"games": score.games(), "wins": score.wins, "draws": score.draws,
            "losses": score.losses, "score": score.share()})
    };
    let elo = report.score.elo();
    let reasons: Map<String, Value> = report
        .reasons
        .iter()
        .map(|(reason, &count)| (reason.name().to_owned(), count.into()))
        .collect();
    let mut object = brief(&report.score);
    object["elo"] = json!([elo.low, elo.mid, elo.high]);
    object["forfeits"] = json!(report.forfeits);
    object["reasons"] = Value::Object(reasons);
    object["as_first"] = brief(&report.by_side[0]);
    object["as_second"] = brief(&report.by_side[1]);
    object["pairs"] = json!(report.score.pairs);
    object
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let (elo0, elo1) = text.split_once(',').ok_or("expected ELO0,ELO1")?;
    let number = |text: &str| {
        let number = text.trim().parse::<f64>().ok();
        number
            .filter(|number| number.abs() <= 1000.0)
            .ok_or_else(|| format!("{text:?} is no difference in Elo between -1000 and 1000"))
    };
    let (elo0, elo1) = (number(elo0)?, number(elo1)?);
    if elo0 < elo1 {
        Ok(Sprt { elo0, elo1 })
    } else {
        Err("ELO0 must be below ELO1".to_owned())
    }
}
