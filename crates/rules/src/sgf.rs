//! Games of five in a row as SGF, the Smart Game Format (`FF[4]`, `GM[4]`).
//!
//! ```text
//! (;FF[4]GM[4]SZ[15]RU[renju]PB[Ada]PW[Bob]RE[B+R]
//! ;B[hh]C[the centre];W[ig])
//! ```
//!
//! Black is the first side. A point is two letters, column from the left and
//! row from the top, or letter and number from the bottom (`H8`), as some
//! programs write it. Of variations the first is followed, of several games
//! the first is read. `RU` names the rule (`renju`, `standard`, `caro`,
//! `freestyle`, or the name of one of our variants); without one it is
//! freestyle. Set-up stones (`AB`, `AW`, `PL`) stand before the first move and
//! must make a position that alternating play can reach.

mod tree;
mod write;

use crate::cell::{Cell, Side};
use crate::position::{Outcome, Position};
use crate::read_error::{LONGEST_TEXT, ReadError, excerpt};
use crate::record::{MoveNote, Record};
use crate::setup::Setup;
use crate::variant::{Rule, Variant};
use tree::{MainLine, Node, Property, Value};

pub use write::write;

/// Names of properties that become tags, and the tags' names.
const TAGS: [(&str, &str); 4] = [
    ("EV", "event"),
    ("RO", "round"),
    ("PC", "place"),
    ("GN", "game-name"),
];

/// Reasons as the format abbreviates them, and as records spell them.
const REASONS: [(&str, &str, &str); 3] = [
    ("R", "Resign", "resignation"),
    ("T", "Time", "time"),
    ("F", "Forfeit", "forfeit"),
];

/// The game that `text` records.
///
/// Kept are the moves, comments, players, result, date, opening (`ON`), time
/// (`TM`, `OT`), event, round, place and name; the rest is skipped.
///
/// # Errors
/// The place and the reason, when the text is no such game, a move is illegal,
/// or the result is not what the board shows.
///
/// ```
/// use stoneline_rules::sgf;
/// let record = sgf::read("(;GM[4]SZ[15]PB[Ada](;B[hh];W[I9]C[?])(;B[aa]))").unwrap();
/// assert_eq!(record.position().notation(), "gomoku h8 i9");
/// assert_eq!(record.header.players[0].as_deref(), Some("Ada"));
/// ```
pub fn read(text: &str) -> Result<Record, ReadError> {
    ReadError::check_length(text, LONGEST_TEXT)?;
    let mut nodes = MainLine::new(text);
    let root = nodes
        .next_node()?
        .ok_or_else(|| ReadError::at(text, text.len(), "expected a game tree: (;"))?;
    let mut game = Game::start(text, &root)?;
    game.add(&root)?;
    while let Some(node) = nodes.next_node()? {
        game.add(&node)?;
    }
    game.finish()
}

fn colour(side: Side) -> char {
    match side {
        Side::First => 'B',
        Side::Second => 'W',
    }
}

/// A game being read.
struct Game<'a> {
    text: &'a str,
    /// The board as set up so far, until the first move.
    setup: Setup,
    /// Where the last set-up property stands.
    setup_at: &'a str,
    to_move: Option<(Side, &'a str)>,
    record: Record,
    moving: bool,
    result: Option<(Outcome, &'a str)>,
}

impl<'a> Game<'a> {
    fn start(text: &'a str, root: &Node<'a>) -> Result<Self, ReadError> {
        let first = |name: &str| {
            root.iter()
                .find(|property| property.name == name)
                .map(|property| property.values[0])
        };
        match first("GM") {
            Some(game) if game.raw.trim() == "4" => {}
            Some(game) => {
                let reason = format!("game {} is not gomoku, which is 4", excerpt(game.raw));
                return Err(ReadError::at_part(text, game.raw, reason));
            }
            None => {
                let reason = "no GM[4] in the first node: the game is not gomoku";
                return Err(ReadError::at(text, 0, reason));
            }
        }
        let (columns, rows, size_at) = match first("SZ") {
            None => (15, 15, text),
            Some(size) => {
                let (columns, rows) = read_size(size.raw).ok_or_else(|| {
                    let reason = format!(
                        "expected SZ[N] or SZ[COLUMNS:ROWS], found {}",
                        excerpt(size.raw)
                    );
                    ReadError::at_part(text, size.raw, reason)
                })?;
                (columns, rows, size.raw)
            }
        };
        let named = first("RU").map(|rules| rules.text());
        let variant = variant(named.as_deref().unwrap_or_default(), rows, columns)
            .map_err(|reason| ReadError::at_part(text, size_at, reason))?;
        Ok(Self {
            text,
            setup: Setup::of(&variant),
            setup_at: size_at,
            to_move: None,
            record: Record::new(Position::new(variant)),
            moving: false,
            result: None,
        })
    }

    fn add(&mut self, node: &Node<'a>) -> Result<(), ReadError> {
        // The set-up of a node comes before its move, wherever it stands.
        for property in node {
            self.add_setup(property)?;
        }
        for property in node {
            match property.name.as_str() {
                "B" => self.play(Side::First, property)?,
                "W" => self.play(Side::Second, property)?,
                _ => {}
            }
        }
        for property in node {
            self.add_information(property);
        }
        Ok(())
    }

    fn add_setup(&mut self, property: &Property<'a>) -> Result<(), ReadError> {
        let side = match property.name.as_str() {
            "AB" => Some(Side::First),
            "AW" => Some(Side::Second),
            "PL" => None,
            "AE" => return Err(self.wrong(property.at, "AE takes stones away, which no game does")),
            _ => return Ok(()),
        };
        if self.moving {
            return Err(self.wrong(property.at, "set-up after the first move"));
        }
        for value in &property.values {
            match side {
                Some(side) => self.add_stones(side, *value)?,
                None => {
                    let side = match value.raw.trim() {
                        "B" | "b" | "1" | "black" => Side::First,
                        "W" | "w" | "2" | "white" => Side::Second,
                        other => {
                            let reason = format!("expected B or W, found {}", excerpt(other));
                            return Err(self.wrong(value.raw, reason));
                        }
                    };
                    self.to_move = Some((side, value.raw));
                }
            }
        }
        self.setup_at = property.at;
        Ok(())
    }

    /// One point, or the rectangle between two: `aa:cc`.
    fn add_stones(&mut self, side: Side, value: Value<'a>) -> Result<(), ReadError> {
        let (low, high) = match value.raw.split_once(':') {
            Some((low, high)) => (self.cell(low)?, self.cell(high)?),
            None => (self.cell(value.raw)?, self.cell(value.raw)?),
        };
        let (left, right) = (
            low.column().min(high.column()),
            low.column().max(high.column()),
        );
        let (bottom, top) = (low.row().min(high.row()), low.row().max(high.row()));
        let stones = &mut self.setup.stones[side.index()];
        for column in left..=right {
            for row in bottom..=top {
                stones.push(Cell::new(column, row));
            }
        }
        // More stones than cells is wrong already; a longer list is only longer.
        let capacity = self.setup.rows * self.setup.columns;
        if stones.len() > capacity {
            return Err(self.wrong(value.raw, "more stones than the board has cells"));
        }
        Ok(())
    }

    /// Makes the set-up stones a position, once.
    fn begin(&mut self) -> Result<(), ReadError> {
        if self.moving {
            return Ok(());
        }
        self.moving = true;
        let position = Position::try_from(self.setup.clone())
            .map_err(|error| self.wrong(self.setup_at, error.to_string()))?;
        let header = std::mem::take(&mut self.record.header);
        self.record = Record::new(position);
        self.record.header = header;
        match self.to_move {
            Some((side, at)) if side != self.record.position().side_to_move() => {
                let reason =
                    format!("PL gives the move to the {side} side, the stones to the other");
                Err(self.wrong(at, reason))
            }
            _ => Ok(()),
        }
    }

    fn play(&mut self, side: Side, property: &Property<'a>) -> Result<(), ReadError> {
        self.begin()?;
        let [value] = property.values[..] else {
            return Err(self.wrong(property.at, "a move has one point"));
        };
        let due = self.record.position().side_to_move();
        let over = self.record.position().outcome().is_some();
        if side != due && !over {
            let reason = format!(
                "{} moves, but it is the turn of the {due} side",
                colour(side)
            );
            return Err(self.wrong(property.at, reason));
        }
        let cell = self.cell(value.raw)?;
        self.record
            .play(cell, MoveNote::default())
            .map_err(|error| self.wrong(value.raw, error.to_string()))
    }

    fn add_information(&mut self, property: &Property<'a>) {
        let value = property.values[0];
        let ply = self.record.position().moves().len();
        let header = &mut self.record.header;
        let name = property.name.as_str();
        let field = match name {
            "PB" => &mut header.players[0],
            "PW" => &mut header.players[1],
            "DT" => &mut header.date,
            "ON" => &mut header.opening,
            "TM" | "OT" => &mut header.time_control,
            "RE" => {
                self.add_result(value);
                return;
            }
            "C" | "GC" => {
                let comment = match ply.checked_sub(1) {
                    Some(last) if name == "C" => {
                        let note = self.record.note_mut(last);
                        &mut note.expect("each move has a note").comment
                    }
                    _ => &mut header.comment,
                };
                let text = value.text();
                *comment = Some(match comment.take() {
                    Some(before) => format!("{before}\n{text}"),
                    None => text,
                });
                return;
            }
            _ => {
                if let Some((_, tag)) = TAGS.iter().find(|(own, _)| *own == name) {
                    let added = header.tags.add(tag, value.simple_text());
                    added.expect("the names in the table are free");
                }
                return;
            }
        };
        field.get_or_insert_with(|| value.simple_text());
    }

    /// `B+`, `W+R`, `0`, `Draw`; what is no result is kept as a tag.
    fn add_result(&mut self, value: Value<'a>) {
        let text = value.simple_text();
        let text = text.trim();
        let outcome = match text.split_once('+') {
            Some(("B" | "b", _)) => Some(Outcome::Win(Side::First)),
            Some(("W" | "w", _)) => Some(Outcome::Win(Side::Second)),
            _ if text == "0" || text.eq_ignore_ascii_case("draw") => Some(Outcome::Draw),
            _ => None,
        };
        let header = &mut self.record.header;
        let Some(outcome) = outcome else {
            let added = header.tags.add("sgf-result", text);
            added.expect("the name is free");
            return;
        };
        self.result = Some((outcome, value.raw));
        let reason = text.split_once('+').map_or("", |(_, reason)| reason);
        let known = REASONS.iter().find(|(short, long, _)| {
            reason.eq_ignore_ascii_case(short) || reason.eq_ignore_ascii_case(long)
        });
        if let Some((_, _, reason)) = known {
            header.reason = Some((*reason).to_owned());
        } else if !reason.is_empty() {
            header.reason = Some(reason.to_owned());
        }
    }

    fn finish(mut self) -> Result<Record, ReadError> {
        self.begin()?;
        if let Some((outcome, at)) = self.result {
            self.record
                .adjudge(outcome)
                .map_err(|error| self.wrong(at, format!("the result is {outcome}, but {error}")))?;
        }
        Ok(self.record)
    }

    /// The cell that two letters name, or a letter and a number.
    fn cell(&self, point: &str) -> Result<Cell, ReadError> {
        let (rows, columns) = (self.setup.rows, self.setup.columns);
        let trimmed = point.trim();
        let coordinates = match trimmed.as_bytes() {
            [] => return Err(self.wrong(point, "a pass is no move of this game")),
            [column @ b'a'..=b'z', row @ b'a'..=b'z'] => {
                let from_top = usize::from(row - b'a');
                Some((column - b'a', rows.checked_sub(1 + from_top)))
            }
            [letter, digits @ ..]
                if letter.is_ascii_alphabetic() && (1..=2).contains(&digits.len()) =>
            {
                let number: Option<usize> = trimmed[1..]
                    .parse()
                    .ok()
                    .filter(|_| digits.iter().all(u8::is_ascii_digit));
                number.map(|number| (letter.to_ascii_lowercase() - b'a', number.checked_sub(1)))
            }
            _ => None,
        };
        match coordinates {
            None => {
                let reason = format!(
                    "expected a point such as hh or H8, found {}",
                    excerpt(point)
                );
                Err(self.wrong(point, reason))
            }
            Some((column, Some(row))) if usize::from(column) < columns && row < rows => {
                Ok(Cell::new(column, row as u8))
            }
            Some(_) => {
                let reason = format!("{} is not on the board of {columns}:{rows}", excerpt(point));
                Err(self.wrong(point, reason))
            }
        }
    }

    fn wrong(&self, part: &str, reason: impl Into<String>) -> ReadError {
        ReadError::at_part(self.text, part, reason)
    }
}

/// `N` or `COLUMNS:ROWS`.
fn read_size(text: &str) -> Option<(usize, usize)> {
    let number = |text: &str| text.trim().parse::<u8>().ok().map(usize::from);
    match text.split_once(':') {
        Some((columns, rows)) => Some((number(columns)?, number(rows)?)),
        None => Some((number(text)?, number(text)?)),
    }
}

/// The variant of that size whose rule `named` tells.
fn variant(named: &str, rows: usize, columns: usize) -> Result<Variant, String> {
    let name = named.trim().to_ascii_lowercase();
    if let Ok(own) = Variant::named(&name, 0) {
        let geometry = own.geometry();
        let size = (geometry.rows().into(), geometry.columns().into());
        if !own.rule().falls() && size == (rows, columns) {
            return Ok(own);
        }
    }
    let rule = [Rule::Standard, Rule::Renju, Rule::Caro]
        .into_iter()
        .find(|rule| rule.to_string() == name)
        .unwrap_or(Rule::Freestyle);
    Variant::new(rule, rows, columns, 5, &[]).map_err(|error| error.to_string())
}
