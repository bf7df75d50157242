//! `stoneline train`: plays games, fits a network to them, and lets it prove itself.
//!
//! Every step keeps what it has: games are on disk as they finish and are
//! continued, a net is written when it is fitted, and Ctrl-C loses at most the
//! games that are being played.

use crate::matches::live;
use crate::settings::Settings as Defaults;
use crate::{Verdict, interrupt, progress};
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;
use stoneline_train::{Fit, Gate, Match, Play, Settings};

const EXAMPLES: &str = "\
Examples:
  stoneline train --show-net    where the net that ships comes from

A run is a file; its tables are steps, done in this order, each if it is there:
  [play]   games of an engine against itself, continued if some are there
  [fit]    a net from files of games
  [gate]   matches that let the new net replace the old, exit code 1 if not
docs/training.md tells every key, and the file that made the net that ships.";

/// Make a network from games of the engine against itself
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The run: what to play, to fit and to test
    #[arg(value_name = "FILE.toml", required_unless_present = "show_net")]
    file: Option<PathBuf>,

    /// Threads that work; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,

    /// Tell where a net comes from, the one that ships or the one in a file
    #[arg(long, value_name = "NET", num_args = 0..=1)]
    show_net: Option<Option<PathBuf>>,
}

/// Does the steps of a run, or tells about a net.
pub(crate) fn run(
    args: &Args,
    defaults: &Defaults,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    if let Some(net) = &args.show_net {
        return show(net.as_deref(), out);
    }
    let file = args.file.as_deref().context("expected a FILE.toml")?;
    let settings = Settings::read(file)?;
    let all_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = defaults.threads(args.threads).unwrap_or_else(all_cores);
    interrupt::expect();
    let mut verdict = Verdict::Positive;
    if let Some(settings) = &settings.play {
        verdict = play(settings, threads, out)?;
    }
    if let (Some(settings), Verdict::Positive) = (&settings.fit, verdict) {
        verdict = fit(settings, threads, out)?;
    }
    if let (Some(settings), Verdict::Positive) = (&settings.gate, verdict) {
        verdict = gate(settings, threads, out)?;
    }
    Ok(verdict)
}

fn show(net: Option<&std::path::Path>, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    use stoneline_search::neural::Net;
    let provenance = match net {
        Some(path) => Net::load(path)?.1,
        None => Net::shipped_provenance(),
    };
    for (key, value) in provenance.lines() {
        writeln!(out, "{key:<20} {value}")?;
    }
    Ok(Verdict::Positive)
}

fn play(settings: &Play, threads: usize, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let bar = progress::bar(settings.games);
    let progress = stoneline_train::play(settings, threads, |progress| {
        // What an earlier run played must not count as speed.
        if bar.position() == 0 && progress.games > 1 {
            bar.set_position(progress.games - 1);
            bar.reset_eta();
        }
        bar.set_position(progress.games);
        bar.set_message(format!("games, {} positions", progress.positions));
        interrupt::unless_arrived()
    })?;
    bar.finish_and_clear();
    let (games, positions) = (progress.games, progress.positions);
    let file = settings.file.display();
    writeln!(out, "{file}: {games} games, {positions} positions")?;
    Ok(if games < settings.games {
        Verdict::Interrupted
    } else {
        Verdict::Positive
    })
}

fn fit(settings: &Fit, threads: usize, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let bar = progress::bar(0);
    let fitted = stoneline_train::fit(settings, threads, |state| {
        bar.set_length(state.all_batches);
        bar.set_position(state.batches);
        bar.set_message(format!("batches, loss {:.4}", state.loss));
        interrupt::unless_arrived()
    })?;
    bar.finish_and_clear();
    let Some(fitted) = fitted else {
        return Ok(Verdict::Interrupted);
    };
    let file = settings.net.display();
    std::fs::write(&settings.net, &fitted.file).with_context(|| format!("{file}"))?;
    let [before, after] = fitted.held_out_loss;
    let positions = fitted.positions;
    writeln!(
        out,
        "{file}: {positions} positions, held-out loss {after:.4}, untrained {before:.4}"
    )?;
    Ok(Verdict::Positive)
}

fn gate(settings: &Gate, threads: usize, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let bar = progress::bar(settings.games.into());
    let stop = interrupt::flag();
    let (matches, verdict) = stoneline_train::gate(settings, threads, stop, |played: &Match| {
        let score = &played.report.score;
        bar.set_length(played.games.into());
        bar.set_position(score.games().into());
        bar.set_message(live(score));
    })?;
    bar.finish_and_clear();
    for played in &matches {
        let [first, second] = &played.engines;
        let report = &played.report;
        let points = |side: usize| 100.0 * report.by_side[side].share();
        writeln!(out, "{first} against {second}")?;
        writeln!(
            out,
            "  {}  as first {:.1} %, as second {:.1} %",
            live(&report.score),
            points(0),
            points(1)
        )?;
        if let [ours, theirs] = report.forfeits
            && ours + theirs > 0
        {
            writeln!(out, "  forfeits: {ours} by {first}, {theirs} by {second}")?;
        }
    }
    match verdict {
        stoneline_train::Verdict::Stopped => Ok(Verdict::Interrupted),
        stoneline_train::Verdict::Refused(reason) => {
            writeln!(out, "refused: {reason}")?;
            Ok(Verdict::Negative)
        }
        stoneline_train::Verdict::Let => {
            if let Some(replaced) = &settings.replaces {
                let name = replaced.display();
                std::fs::copy(&settings.net, replaced).with_context(|| format!("{name}"))?;
                writeln!(out, "let in: {name} is the new net")?;
            } else {
                writeln!(out, "let in")?;
            }
            Ok(Verdict::Positive)
        }
    }
}
