//! `stoneline games`: games that were kept, listed, shown, replayed and written in other forms.

use crate::settings::Settings;
use crate::stored::{self, Format, json, result_word};
use crate::terminal::Look;
use crate::{Verdict, interrupt};
use anyhow::{Context, ensure};
use clap::Subcommand;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;
use stoneline_rules::Record;
use stoneline_rules::notation::write_move;

const EXAMPLES: &str = "\
Examples:
  echo 'connect4 4545454' | stoneline games show -
  echo 'connect4 4545454' | stoneline games replay - --delay 0
  echo 'gomoku h8 i9 h7' | stoneline games export - game.sgf && stoneline games list game.sgf
  echo 'connect4 4545454' | stoneline games export - game.gif
  stoneline match mcts random --games 4 --simulations 50 --store m.db && stoneline games list m.db

FILE is a store of `stoneline match`, `tournament` or `experiment`, a file of
records, SGF, Piskvork's .psq, or positions one a line; `-` is stdin.";

/// List, show, replay and export games that were kept
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = false)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

/// Where games come from.
#[derive(clap::Args)]
struct Source {
    /// A store of games, records, SGF, Piskvork's .psq, or positions; `-` for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which run of a store; the last one unless told
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
}

#[derive(Subcommand)]
enum What {
    /// One line a game: number, players, result, length
    List {
        #[command(flatten)]
        source: Source,
        /// One JSON object a game
        #[arg(long)]
        json: bool,
    },
    /// The board, the moves and all that is told of a game
    Show {
        #[command(flatten)]
        source: Source,
        /// Which game of the file, from 1
        #[arg(long, value_name = "N", default_value_t = 1)]
        number: usize,
        /// The board after so many moves; after the last unless told
        #[arg(long, value_name = "PLY")]
        ply: Option<usize>,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// The game move by move, in place on a terminal
    Replay {
        #[command(flatten)]
        source: Source,
        /// Which game of the file, from 1
        #[arg(long, value_name = "N", default_value_t = 1)]
        number: usize,
        /// Seconds that each move stays
        #[arg(long, value_name = "SECONDS", default_value_t = 0.7)]
        delay: f64,
    },
    /// Write games in another form: record, sgf, psq, json, moves, svg, gif
    #[command(visible_alias = "convert")]
    Export {
        #[command(flatten)]
        source: Source,
        /// The file to write, whose ending tells the form; `-` for stdout
        #[arg(value_name = "OUT")]
        out: PathBuf,
        /// The form, whatever the file is called
        #[arg(long, value_enum, value_name = "FORM")]
        format: Option<Format>,
        /// Only this game of the file, from 1
        #[arg(long, value_name = "N")]
        number: Option<usize>,
    },
}

/// Does what is asked with the games of a file.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let look = Look::of_stdout(false, settings.colour());
    match &args.what {
        What::List { source, json } => list(&source.games()?, *json, out)?,
        What::Show {
            source,
            number,
            ply,
            json,
        } => {
            let record = source.game(*number)?;
            if *json {
                writeln!(out, "{}", stored::json(&record))?;
            } else {
                show(&record, *ply, look, out)?;
            }
        }
        What::Replay {
            source,
            number,
            delay,
        } => return replay(&source.game(*number)?, *delay, look, out),
        What::Export {
            source,
            out: path,
            format,
            number,
        } => {
            let games = match number {
                Some(number) => vec![source.game(*number)?],
                None => source.games()?,
            };
            export(&games, path, *format, out)?;
        }
    }
    Ok(Verdict::Positive)
}

impl Source {
    fn games(&self) -> anyhow::Result<Vec<Record>> {
        stored::all(&self.file, self.run.as_deref())
    }

    fn game(&self, number: usize) -> anyhow::Result<Record> {
        let mut games = self.games()?;
        let count = games.len();
        let name = self.file.display();
        ensure!(
            (1..=count).contains(&number),
            "{name}: no game {number}: there are {count}"
        );
        Ok(games.swap_remove(number - 1))
    }
}

fn names(record: &Record) -> [&str; 2] {
    [0, 1].map(|side: usize| record.header.players[side].as_deref().unwrap_or("-"))
}

fn list(games: &[Record], as_json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    if as_json {
        for (at, record) in games.iter().enumerate() {
            let mut object = json(record);
            object["number"] = (at + 1).into();
            writeln!(out, "{object}")?;
        }
        return Ok(());
    }
    let width = |side: usize| {
        let lengths = games.iter().map(|game| names(game)[side].chars().count());
        lengths.max().unwrap_or(0).clamp(6, 32)
    };
    let (first, second) = (width(0), width(1));
    writeln!(
        out,
        "{:>6}  {:<first$}  {:<second$}  {:<6}  {:<12}  {:>5}  game",
        "number", "first", "second", "winner", "reason", "plies"
    )?;
    for (at, record) in games.iter().enumerate() {
        let [one, other] = names(record);
        writeln!(
            out,
            "{:>6}  {one:<first$}  {other:<second$}  {:<6}  {:<12}  {:>5}  {}",
            at + 1,
            result_word(record),
            record.header.reason.as_deref().unwrap_or("-"),
            record.position().moves().len(),
            record.position().variant(),
        )?;
    }
    Ok(())
}

fn show(
    record: &Record,
    ply: Option<usize>,
    look: Look,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let position = record.position();
    let total = position.moves().len();
    let ply = ply.unwrap_or(total);
    ensure!(ply <= total, "no ply {ply}: the game has {total}");
    let mut at = position.start();
    for &cell in &position.moves()[..ply] {
        at.play(cell)?;
    }
    let [first, second] = names(record);
    writeln!(
        out,
        "{}: {first} (X) against {second} (O)",
        position.variant()
    )?;
    for (name, text) in [
        ("date", &record.header.date),
        ("reason", &record.header.reason),
        ("comment", &record.header.comment),
    ] {
        if let Some(text) = text {
            writeln!(out, "{name}: {text}")?;
        }
    }
    write!(out, "\n{}\n", look.board(&at))?;
    for (at, (cell, note)) in record.moves().take(ply).enumerate() {
        let mut line = format!("{:>4} {:<4}", at + 1, write_move(position.variant(), cell));
        if let Some(value) = &note.value {
            line += &format!(" {value}");
        }
        if let Some(time) = note.time_ms {
            line += &format!(" {time} ms");
        }
        if let Some(comment) = &note.comment {
            line += &format!(" {comment}");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "winner: {}", result_word(record))?;
    Ok(writeln!(out, "{}", position.notation())?)
}

/// The longest that a move stays.
const LONGEST_DELAY: f64 = 3600.0;

fn replay(record: &Record, delay: f64, look: Look, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    ensure!(
        (0.0..=LONGEST_DELAY).contains(&delay),
        "--delay {delay}: expected 0 to {LONGEST_DELAY} seconds"
    );
    let (interrupted, pause) = channel();
    interrupt::call(move || {
        let _ = interrupted.send(());
    });
    let is_live = io::stdout().is_terminal();
    let [first, second] = names(record);
    let position = record.position();
    writeln!(
        out,
        "{}: {first} (X) against {second} (O)",
        position.variant()
    )?;
    let mut at = position.start();
    let mut moves = position.moves().iter();
    loop {
        let board = look.board(&at);
        let last = at.moves().last();
        let played = last.map(|&cell| write_move(at.variant(), cell));
        let title = match played {
            Some(name) => format!("{:>3} {name}", at.moves().len()),
            None => "    the start".to_owned(),
        };
        writeln!(out, "{title:<20}\n{board}")?;
        out.flush()?;
        if interrupt::arrived() {
            return Ok(Verdict::Interrupted);
        }
        let Some(&cell) = moves.next() else {
            break;
        };
        if is_live {
            if pause.recv_timeout(Duration::from_secs_f64(delay)).is_ok() {
                return Ok(Verdict::Interrupted);
            }
            // Over the board that was drawn, its title and the blank line after it.
            write!(out, "\x1b[{}A\x1b[J", board.lines().count() + 2)?;
        }
        at.play(cell)?;
    }
    writeln!(out, "winner: {}", result_word(record))?;
    Ok(Verdict::Positive)
}

fn export(
    games: &[Record],
    path: &Path,
    format: Option<Format>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let is_stdout = path == Path::new("-");
    let format = match format {
        Some(format) => format,
        None if is_stdout => Format::Record,
        None => Format::of(path)?,
    };
    if is_stdout {
        return format.write(games, out);
    }
    // Nothing is written unless all of it can be.
    let mut bytes = Vec::new();
    format.write(games, &mut bytes)?;
    let name = path.display();
    let file = File::create(path).with_context(|| format!("{name}"))?;
    let mut file = BufWriter::new(file);
    file.write_all(&bytes)
        .and_then(|()| file.flush())
        .with_context(|| format!("{name}"))
}
