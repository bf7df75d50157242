//! The game line by line: one line in, one answer out.
//!
//! Scripts drive it through pipes as people do by keyboard. What can't be
//! understood is explained and asked again; the end of input ends the game
//! without complaint.

use super::model::Seat;
use crate::opponent::Opponent;
use crate::terminal::Look;
use anyhow::Context;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use stoneline_rules::notation::{column_sign, read_move, write_move};
use stoneline_rules::{Cell, Chance, Outcome, Position, ReadError, Rule, Side};
use stoneline_search::{Engine, Limits, think_quietly};

/// Plays until the person quits or the input ends.
pub(crate) fn run(
    opening: Position,
    seats: &[Seat; 2],
    limits: &Limits,
    look: Look,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let player = |seat: &Seat| {
        anyhow::Ok(match seat {
            Seat::Person => Player::Person,
            Seat::Engine(opponent) => Player::Engine {
                name: opponent.name().to_owned(),
                engine: opponent.build(opening.variant())?,
            },
        })
    };
    let mut session = Session {
        input: io::stdin().lock(),
        // A terminal shows what is typed; a transcript should show it as well.
        echo: !io::stdin().is_terminal(),
        out,
        look,
        players: [player(&seats[0])?, player(&seats[1])?],
        limits: limits.clone(),
        chance: Chance::new(limits.seed.unwrap_or(0)),
        position: opening.clone(),
        opening,
        resigned: None,
    };
    session.play()
}

fn seeded(limits: &Limits, seed: u64) -> Limits {
    Limits {
        seed: Some(seed),
        ..limits.clone()
    }
}

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

/// Who plays a side.
enum Player {
    Person,
    Engine {
        name: String,
        engine: Box<dyn Engine>,
    },
}

/// A game in progress and those who play it.
struct Session<'a, R> {
    input: R,
    echo: bool,
    out: &'a mut dyn Write,
    look: Look,
    players: [Player; 2],
    /// What an engine may spend on a move.
    limits: Limits,
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
        let out = &mut *self.out;
        match &self.players {
            [Player::Person, Player::Person] => writeln!(out, "{first} opens, {second} answers."),
            [Player::Person, Player::Engine { name, .. }] => {
                writeln!(out, "You are {first} and open; {name} is {second}.")
            }
            [Player::Engine { name, .. }, Player::Person] => {
                writeln!(out, "You are {second}; {name} is {first} and opens.")
            }
            [
                Player::Engine { name, .. },
                Player::Engine { name: other, .. },
            ] => {
                writeln!(out, "{name} is {first} and opens; {other} is {second}.")
            }
        }?;
        Ok(writeln!(
            self.out,
            "Type a move ({}) or `help`.",
            self.moves_text()
        )?)
    }

    /// Whether a person plays `side`.
    const fn is_person(&self, side: Side) -> bool {
        matches!(self.players[side.index()], Player::Person)
    }

    /// Lets engines move as long as it is their turn.
    fn answer(&mut self) -> anyhow::Result<()> {
        while !self.is_over() {
            let to_move = self.position.side_to_move();
            let Player::Engine { name, engine } = &mut self.players[to_move.index()] else {
                return Ok(());
            };
            let limits = seeded(&self.limits, self.chance.draw());
            let Some(cell) = think_quietly(&mut **engine, &self.position, &limits).best else {
                return Ok(());
            };
            tracing::info!(
                engine = name,
                position = self.position.notation(),
                ?cell,
                "chosen"
            );
            self.position.play(cell)?;
            let played = write_move(self.position.variant(), cell);
            let side = self.look.side(to_move);
            writeln!(self.out, "{name} ({side}) plays {played}.")?;
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
            if self.is_person(self.position.side_to_move()) {
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
                let limits = seeded(&self.limits, self.chance.clone().draw());
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
        let side = self.look.side(winner);
        match (
            &self.players[winner.index()],
            &self.players[(!winner).index()],
        ) {
            (Player::Person, Player::Person) => format!("{side} wins."),
            (Player::Person, Player::Engine { .. }) => "You win!".to_owned(),
            (Player::Engine { name, .. }, _) => format!("{name} wins."),
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
