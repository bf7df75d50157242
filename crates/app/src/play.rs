//! `stoneline play`: a game against an engine, of two people or of two engines, in the terminal.
//!
//! On a terminal the whole screen is used (`screen`); through pipes, on a dumb
//! terminal or with `--plain` it goes line by line (`lines`). What happens on
//! the screen is decided by `model`, which knows no terminal.

mod command;
mod dialog;
mod game;
mod input;
mod layout;
mod lines;
mod model;
mod screen;
mod task;
mod theme;
mod view;
mod worker;

use crate::opponent::Opponent;
use crate::settings::Settings;
use crate::terminal::{Colour, Look};
use crate::{Verdict, stored};
use anyhow::{Context, bail};
use model::{End, Model, Seat};
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use stoneline_rules::Position;
use stoneline_search::{Limits, engines};
use theme::Theme;

pub(crate) use theme::Palette;

const EXAMPLES: &str = "\
Examples:
  stoneline play                            Connect Four; you open
  stoneline play gomoku --second            five in a row on 15x15; the engine opens
  stoneline play course --seed 7            the course's random board number 7
  stoneline play connectx:8x9x5 --both      two people, 8 rows, 9 columns, five in a row
  stoneline play --engine kaggle-negamax    ConnectX's built-in opponent
  stoneline play --engine level:4 --versus level:2   watch two engines
  stoneline play connect4 4453              from a position
  printf '4\\n4\\nquit\\n' | stoneline play    moves from a script

On a terminal it takes the whole screen, with mouse and keys: ? tells them all.
With --plain, and through pipes, it goes line by line: type `help` there. Moves
are columns (1 to 9, then a to g) where stones fall, cells such as h8 elsewhere.";

/// Play a game in the terminal
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which game, by name, and the moves to begin with; Connect Four if not given
    #[arg(value_name = "GAME [MOVES]")]
    position: Vec<String>,

    /// The opponent: an engine by name, as `stoneline play --engines` lists them; the
    /// best there is for the game if not given
    #[arg(long, value_name = "E")]
    engine: Option<Opponent>,

    /// Watch: this engine plays the second side against the other
    #[arg(long, value_name = "E2", group = "seat")]
    versus: Option<Opponent>,

    /// List the engines and what they take, and leave
    #[arg(long)]
    engines: bool,

    /// You open (the default)
    #[arg(long, group = "seat")]
    first: bool,

    /// The engine opens
    #[arg(long, group = "seat")]
    second: bool,

    /// Two people at one keyboard
    #[arg(long, group = "seat")]
    both: bool,

    /// Take up the game of a file: a record, SGF, Piskvork or moves
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    file: Option<PathBuf>,

    /// Seconds for each move of an engine, unless its own keys say otherwise; 1 if not given
    #[arg(long, value_name = "SECONDS", value_parser = crate::bench::seconds)]
    time: Option<Duration>,

    /// Chooses the board of `course` and the engine's taste; random if not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Line by line, in bare ASCII without colours, as scripts like it
    #[arg(long)]
    plain: bool,

    /// How the full screen looks
    #[arg(long, value_enum, value_name = "THEME", conflicts_with = "plain")]
    theme: Option<Palette>,

    /// When to use colours; auto if not given
    #[arg(
        long,
        visible_alias = "color",
        value_enum,
        value_name = "WHEN",
        conflicts_with = "plain"
    )]
    colour: Option<Colour>,
}

/// Plays until the person quits or the input ends.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    if args.engines {
        list_engines(out)?;
        return Ok(Verdict::Positive);
    }
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let given = Limits {
        time: args.time,
        seed: Some(seed),
        ..Limits::default()
    };
    let limits = given.or(&settings.limits());
    let opening = opening(args, settings, seed)?;
    let seats = seats(args, settings);
    for seat in &seats {
        if let Seat::Engine(engine) = seat {
            engine.build(opening.variant())?;
        }
    }
    if !has_screen(args) {
        let look = Look::of_stdout(args.plain, colour(args, settings));
        lines::run(opening, &seats, &limits, look, out)?;
        return Ok(Verdict::Positive);
    }
    let mut model = Model::new(opening, seats, limits, theme(args, settings));
    let end = screen::run(&mut model)?;
    let game = model.game.whole();
    if !game.moves().is_empty() {
        writeln!(out, "{}", game.notation())?;
    }
    Ok(match end {
        End::Quit => Verdict::Positive,
        End::Interrupted => Verdict::Interrupted,
    })
}

fn opening(args: &Args, settings: &Settings, seed: u64) -> anyhow::Result<Position> {
    if let Some(file) = &args.file {
        return Ok(stored::first(file)?.position().clone());
    }
    let text = match args.position.as_slice() {
        [] => settings.game().to_owned(),
        words => words.join(" "),
    };
    Position::read(&text, seed).with_context(|| format!("{text:?}"))
}

fn seats(args: &Args, settings: &Settings) -> [Seat; 2] {
    let engine = || {
        let engine = args.engine.clone();
        Seat::Engine(engine.unwrap_or_else(|| settings.engine()))
    };
    match (&args.versus, args.second, args.both) {
        (Some(other), ..) => [engine(), Seat::Engine(other.clone())],
        (_, true, _) => [engine(), Seat::Person],
        (_, _, true) => [Seat::Person, Seat::Person],
        _ => [Seat::Person, engine()],
    }
}

/// Whether a full screen can be shown and is wanted.
fn has_screen(args: &Args) -> bool {
    let is_dumb = env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    is_terminal && !is_dumb && !args.plain
}

impl Args {
    /// An error if lines on stderr would spoil the full screen.
    pub(crate) fn refuse_screen(&self) -> anyhow::Result<()> {
        if has_screen(self) && io::stderr().is_terminal() {
            bail!("lines on stderr would spoil the full screen: --log FILE, or --plain");
        }
        Ok(())
    }
}

/// When to use colours: bare lines have none unless a flag asks for them.
fn colour(args: &Args, settings: &Settings) -> Colour {
    match args.colour {
        Some(colour) => colour,
        None if args.plain => Colour::Auto,
        None => settings.colour(),
    }
}

fn theme(args: &Args, settings: &Settings) -> Theme {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_colourless = match colour(args, settings) {
        Colour::Auto => is_set("NO_COLOR"),
        Colour::Always => false,
        Colour::Never => true,
    };
    let usual = if is_colourless {
        Palette::Mono
    } else {
        Palette::Default
    };
    let palette = args.theme.or_else(|| settings.theme()).unwrap_or(usual);
    Theme::new(palette, shows_unicode())
}

/// Whether the locale, the first that is set as the C library looks, has more than ASCII.
fn shows_unicode() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(env::var_os)
        .find(|value| !value.is_empty());
    let name = set.map(|value| value.to_string_lossy().to_ascii_uppercase());
    // Where nothing is said, terminals of today are meant.
    name.is_none_or(|name| name.contains("UTF-8") || name.contains("UTF8"))
}

fn list_engines(out: &mut dyn Write) -> io::Result<()> {
    for entry in engines() {
        writeln!(out, "{}: {}", entry.name(), entry.about())?;
        for key in entry.keys() {
            writeln!(out, "    {}: {}", key.name(), key.about())?;
        }
    }
    writeln!(out, "Keys follow the name: `random:seed=7`.")
}

fn seed_of_the_moment() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}
