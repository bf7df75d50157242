//! `stoneline play`: a game against an engine, or of two people, in the terminal.
//!
//! One line in, one answer out, so that scripts drive it through pipes as
//! people do by keyboard. What can't be understood is explained and asked
//! again; the end of input ends the game without complaint.

use crate::Verdict;
use crate::opponent::Opponent;
use crate::terminal::{Colour, Look};
use anyhow::Context;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use stoneline_rules::notation::{column_sign, read_move, write_move};
use stoneline_rules::{Cell, Chance, Outcome, Position, ReadError, Rule, Side};
use stoneline_search::{Engine, Limits, engines, think_quietly};

const EXAMPLES: &str = "\
Examples:
  stoneline play                            Connect Four; you open
  stoneline play gomoku --second            five in a row on 15x15; the engine opens
  stoneline play course --seed 7            the course's random board number 7
  stoneline play connectx:8x9x5 --both      two people, 8 rows, 9 columns, five in a row
  stoneline play --engine kaggle-negamax    ConnectX's built-in opponent
  stoneline play connect4 4453              from a position
  printf '4\\n4\\nquit\\n' | stoneline play    moves from a script

Moves are columns (1 to 9, then a to g) where stones fall and cells such as h8
elsewhere. During the game type `help` for everything else.";

/// Play a game in the terminal
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which game, by name, and the moves to begin with
    #[arg(value_name = "GAME [MOVES]", default_value = "connect4")]
    position: Vec<String>,

    /// The opponent: an engine by name, as `stoneline play --engines` lists them; the
    /// best there is for the game if not given
    #[arg(long, value_name = "E")]
    engine: Option<Opponent>,

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

    /// Chooses the board of `course` and the engine's taste; random if not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Bare ASCII without colours
    #[arg(long)]
    plain: bool,

    /// When to use colours
    #[arg(
        long,
        visible_alias = "color",
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        conflicts_with = "plain"
    )]
    colour: Colour,
}

/// Plays until the person quits or the input ends.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    if args.engines {
        list_engines(out)?;
        return Ok(Verdict::Positive);
    }
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let text = args.position.join(" ");
    let opening = Position::read(&text, seed).with_context(|| format!("{text:?}"))?;
    let opponent = args.engine.clone();
    let opponent = opponent.unwrap_or_else(Opponent::usual);
    let engine = opponent.build(opening.variant())?;
    let mut session = Session {
        input: io::stdin().lock(),
        // A terminal shows what is typed; a transcript should show it as well.
        echo: !io::stdin().is_terminal(),
        out,
        look: Look::of_stdout(args.plain, args.colour),
        engine,
        name: opponent.name(),
        seats: match (args.second, args.both) {
            (true, _) => [false, true],
            (_, true) => [true, true],
            _ => [true, false],
        },
        chance: Chance::new(seed),
        position: opening.clone(),
        opening,
        resigned: None,
    };
    session.play()?;
    Ok(Verdict::Positive)
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

/// What the engine may spend on a move, unless its name says otherwise.
fn limits(seed: u64) -> Limits {
    Limits {
        time: Some(MOVE_TIME),
        seed: Some(seed),
        ..Limits::default()
    }
}

/// Long enough to play well, short enough to wait for.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// Longest line that is read at once: far more than any move or command.
const LINE_BYTES: u64 = 1024;

const HELP: &str = "\
  MOVE     play there: %MOVE%
  undo     take back your last move, and the answer to it
  hint     a move that the strongest engine would play
  moves    the game so far
  board    draw the board again
  resign   give up
  new      start again
  quit     leave (so does the end of input)
";

/// What a person may type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Request {
    Move(Cell),
    Undo,
    Hint,
    Moves,
    Board,
    Resign,
    New,
    Help,
    Quit,
}

/// A game in progress and the person or people who play it.
struct Session<'a, R> {
    input: R,
    echo: bool,
    out: &'a mut dyn Write,
    look: Look,
    engine: Box<dyn Engine>,
    /// What the engine is called.
    name: &'a str,
    /// Whether a person plays, for each side.
    seats: [bool; 2],
    chance: Chance,
    /// Where the game begins.
    opening: Position,
    position: Position,
    resigned: Option<Side>,
}

impl<R: BufRead> Session<'_, R> {
    fn play(&mut self) -> anyhow::Result<()> {
        self.introduce()?;
        self.answer()?;
        self.draw()?;
        while let Some(line) = self.ask()? {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            match self.read(line) {
                Ok(Request::Quit) => break,
                Ok(request) => self.serve(request)?,
                Err(error) => {
                    // What was typed is one move: its place says nothing new.
                    let reason = error.reason().trim_start_matches("move 1: ");
                    writeln!(
                        self.out,
                        "Can't play {line:?}: {reason}. `help` tells what can be typed."
                    )?;
                }
            }
        }
        if !self.position.moves().is_empty() {
            writeln!(self.out, "{}", self.position.notation())?;
        }
        Ok(())
    }

    fn serve(&mut self, request: Request) -> anyhow::Result<()> {
        match request {
            Request::Move(_) if self.resigned.is_some() => Ok(writeln!(
                self.out,
                "The game is over: try `new` or `undo`."
            )?),
            Request::Move(cell) => {
                self.position.play(cell)?;
                self.answer()?;
                self.draw()
            }
            Request::Undo => self.undo(),
            Request::Hint => self.hint(),
            Request::Moves => Ok(writeln!(self.out, "{}", self.position.notation())?),
            Request::Board => self.draw(),
            Request::Resign => self.resign(),
            Request::New => {
                self.position.clone_from(&self.opening);
                self.resigned = None;
                self.answer()?;
                self.draw()
            }
            Request::Help => Ok(write!(
                self.out,
                "{}",
                HELP.replace("%MOVE%", &self.moves_text())
            )?),
            Request::Quit => Ok(()),
        }
    }

    fn introduce(&mut self) -> anyhow::Result<()> {
        let variant = self.position.variant();
        let geometry = variant.geometry();
        let how = match variant.rule() {
            Rule::Gravity => "or more in a line win; stones fall",
            Rule::Freestyle => "or more in a line win",
            Rule::Standard => "in a line win, no more and no less",
            Rule::Renju => "in a line win; X has forbidden points",
            Rule::Caro => "in a line win, unless both ends are closed",
        };
        writeln!(
            self.out,
            "{variant}: {} rows, {} columns; {} {how}.",
            geometry.rows(),
            geometry.columns(),
            variant.run(),
        )?;
        let (first, second) = (self.look.side(Side::First), self.look.side(Side::Second));
        match self.seats {
            [true, true] => writeln!(self.out, "{first} opens, {second} answers."),
            [true, false] => writeln!(
                self.out,
                "You are {first} and open; {} is {second}.",
                self.name
            ),
            _ => writeln!(
                self.out,
                "You are {second}; {} is {first} and opens.",
                self.name
            ),
        }?;
        Ok(writeln!(
            self.out,
            "Type a move ({}) or `help`.",
            self.moves_text()
        )?)
    }

    /// Lets the engine move if it is its turn.
    fn answer(&mut self) -> anyhow::Result<()> {
        if self.seats[self.position.side_to_move().index()] || self.is_over() {
            return Ok(());
        }
        let side = self.look.side(self.position.side_to_move());
        let limits = limits(self.chance.draw());
        if let Some(cell) = think_quietly(&mut *self.engine, &self.position, &limits).best {
            self.position.play(cell)?;
            let name = write_move(self.position.variant(), cell);
            writeln!(self.out, "{} ({side}) plays {name}.", self.name)?;
        }
        Ok(())
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let board = self.look.board(&self.position);
        write!(self.out, "\n{board}\n")?;
        match self.result() {
            Some(text) => Ok(writeln!(
                self.out,
                "{text} `new` starts again, `quit` leaves."
            )?),
            None => Ok(()),
        }
    }

    /// The next line that someone types; `None` at the end of input.
    fn ask(&mut self) -> anyhow::Result<Option<String>> {
        if self.is_over() {
            write!(self.out, "> ")?;
        } else {
            let side = self.look.side(self.position.side_to_move());
            write!(self.out, "{side} > ")?;
        }
        self.out.flush()?;
        let mut bytes = Vec::new();
        let read = self
            .input
            .by_ref()
            .take(LINE_BYTES)
            .read_until(b'\n', &mut bytes);
        if read.context("reading a move")? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if self.echo {
            writeln!(self.out, "{}", line.trim().escape_debug())?;
        }
        Ok(Some(line))
    }

    fn read(&self, line: &str) -> Result<Request, ReadError> {
        Ok(match line.to_ascii_lowercase().as_str() {
            "undo" | "u" => Request::Undo,
            "hint" => Request::Hint,
            "moves" => Request::Moves,
            "board" => Request::Board,
            "resign" => Request::Resign,
            "new" => Request::New,
            "help" | "?" => Request::Help,
            "quit" | "exit" | "q" => Request::Quit,
            _ => Request::Move(read_move(&self.position, line)?),
        })
    }

    /// Takes back a resignation, or moves until the person who typed it is to move again.
    fn undo(&mut self) -> anyhow::Result<()> {
        if self.resigned.take().is_some() {
            return self.draw();
        }
        let before = self.position.clone();
        while self.position.undo().is_some() {
            if self.seats[self.position.side_to_move().index()] {
                return self.draw();
            }
        }
        self.position = before;
        Ok(writeln!(
            self.out,
            "There is no move of yours to take back."
        )?)
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        // From the strongest there is, whoever plays; it does not spend the engine's
        // chance, so that the game goes on as without it.
        let choice = match self.resigned {
            None => {
                let variant = self.position.variant();
                let mut adviser = Opponent::usual().build(variant)?;
                let limits = limits(self.chance.clone().draw());
                think_quietly(&mut *adviser, &self.position, &limits).best
            }
            Some(_) => None,
        };
        Ok(match choice {
            Some(cell) => writeln!(
                self.out,
                "Try {}.",
                write_move(self.position.variant(), cell)
            ),
            None => writeln!(self.out, "The game is over."),
        }?)
    }

    fn resign(&mut self) -> anyhow::Result<()> {
        if self.is_over() {
            return Ok(writeln!(self.out, "The game is over already.")?);
        }
        self.resigned = Some(self.position.side_to_move());
        self.draw()
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.position.outcome().is_some()
    }

    /// How the game ended, for people; `None` while it goes on.
    fn result(&self) -> Option<String> {
        let text = match (self.resigned, self.position.outcome()) {
            (Some(side), _) => format!("{} resigns. {}", self.look.side(side), self.victory(!side)),
            (None, Some(Outcome::Win(side))) => self.victory(side),
            (None, Some(Outcome::Draw)) => "A draw.".to_owned(),
            (None, None) => return None,
        };
        Some(text)
    }

    fn victory(&self, winner: Side) -> String {
        match self.seats {
            [true, true] => format!("{} wins.", self.look.side(winner)),
            seats if seats[winner.index()] => "You win!".to_owned(),
            _ => format!("{} wins.", self.name),
        }
    }

    /// What moves look like in this game.
    fn moves_text(&self) -> String {
        let variant = self.position.variant();
        let geometry = variant.geometry();
        let last = column_sign(variant, geometry.columns() - 1);
        match (variant.rule().falls(), geometry.columns()) {
            (true, ..=9) => format!("a column, 1 to {last}"),
            (true, _) => format!("a column, 1 to 9 or a to {last}"),
            (false, columns) => {
                let centre = Cell::new(columns / 2, geometry.rows() / 2);
                format!("a cell such as {centre}, a1 to {last}{}", geometry.rows())
            }
        }
    }
}
