//! Games as Piskvork writes them, the manager of the Gomocup tournament: `.psq`.
//!
//! ```text
//! Piskvorky 20x15, 11:11, 0     columns x rows, level of each player, who moved first
//! 8,8,0                         x,y from the top-left, from 1, and milliseconds
//! 9,8,1250
//! ALPHA.zip                     the players, if engines, in the order of the levels
//! BETA.zip
//! -1                            how the game ended, in the manager's numbers
//! 1,Freestyle                   a line that the tournament's archive adds
//! ```
//!
//! The format has neither the rule nor the winner. The rule comes from the
//! caller, or from the group that the archive's line names. The levels (in the
//! order of the sides), the number and the archive's line are kept as the tags
//! `psq-levels`, `psq-end` and `psq-group`, and written back; their meaning is
//! not interpreted.

use crate::cell::Cell;
use crate::position::Position;
use crate::read_error::{LONGEST_TEXT, ReadError, excerpt};
use crate::record::{MoveNote, Record, WriteError};
use crate::variant::{Rule, Variant};
use std::fmt::Write;

const LEVELS: &str = "psq-levels";
const END: &str = "psq-end";
const GROUP: &str = "psq-group";

/// The game that `text` records, played by `rule`.
///
/// Without a rule, the one that the group's name begins with (`Standard`,
/// `Renju`, `Caro`), else freestyle. A win is five in a line.
///
/// # Errors
/// The place and the reason, when the text is no such file or a move is illegal.
///
/// ```
/// use stoneline_rules::psq;
/// let text = "Piskvorky 20x15, 11:11, 0\n8,8,0\n9,8,1250\nALPHA.zip\nBETA.zip\n-1\n";
/// let record = psq::read(text, None).unwrap();
/// assert_eq!(record.position().notation(), "gomoku:15x20 h8 i8");
/// assert_eq!(record.header.players[1].as_deref(), Some("BETA.zip"));
/// assert_eq!(psq::write(&record).unwrap(), text);
/// ```
pub fn read(text: &str, rule: Option<Rule>) -> Result<Record, ReadError> {
    ReadError::check_length(text, LONGEST_TEXT)?;
    let mut lines = text
        .split('\n')
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .peekable();
    let wrong = |part: &str, reason: String| ReadError::at_part(text, part, reason);
    let Some(first) = lines.next() else {
        return Err(ReadError::at(
            text,
            text.len(),
            "expected \"Piskvorky WxH, ...\"",
        ));
    };
    let title = Title::read(first).map_err(|reason| wrong(first, reason))?;
    let last = text.trim_end().lines().next_back();
    let rule = rule.or(last.and_then(group_rule));
    let rule = rule.unwrap_or(Rule::Freestyle);
    if rule.falls() {
        return Err(wrong(first, "stones do not fall in this format".to_owned()));
    }
    let variant = Variant::new(rule, title.rows, title.columns, 5, &[])
        .map_err(|error| wrong(first, error.to_string()))?;
    let mut record = Record::new(Position::new(variant));
    while let Some(line) = lines.next_if(|line| Numbers::meant(line)) {
        let (cell, note) = Numbers::read(line)
            .and_then(|numbers| numbers.on(&variant))
            .map_err(|reason| wrong(line, reason))?;
        record
            .play(cell, note)
            .map_err(|error| wrong(line, error.to_string()))?;
    }
    let tail: Vec<&str> = lines.take(5).collect();
    read_tail(&mut record, &title, &tail).map_err(|(part, reason)| wrong(part, reason))?;
    Ok(record)
}

/// The game as a `.psq` file.
///
/// Lost: the rule, the result, one player's name without the other's, and what
/// is told of moves besides their time.
///
/// # Errors
/// If the format can't hold the game.
pub fn write(record: &Record) -> Result<String, WriteError> {
    const FORMAT: &str = "psq";
    let position = record.position();
    let variant = position.variant();
    if variant.rule().falls() {
        return Err(WriteError::Falling(FORMAT));
    }
    if variant.run() != 5 {
        return Err(WriteError::NotFive(FORMAT));
    }
    if position.plies() > position.moves().len() {
        return Err(WriteError::SetUp(FORMAT));
    }
    let (rows, columns) = (variant.geometry().rows(), variant.geometry().columns());
    let tag =
        |name, fits: fn(&str) -> bool| record.header.tags.value(name).filter(|text| fits(text));
    let levels = tag(LEVELS, is_levels).unwrap_or("0:0");
    let mut lines = vec![format!("Piskvorky {columns}x{rows}, {levels}, 0")];
    for (cell, note) in record.moves() {
        let (x, y) = (cell.column() + 1, rows - cell.row());
        lines.push(format!("{x},{y},{}", note.time_ms.unwrap_or(0)));
    }
    if let [Some(first), Some(second)] = &record.header.players {
        lines.extend([name_line(first), name_line(second)]);
    }
    lines.push(tag(END, is_end).unwrap_or("-1").to_owned());
    lines.extend(tag(GROUP, is_group).map(str::to_owned));
    let mut text = String::new();
    for line in lines {
        writeln!(text, "{line}").expect("a String takes any text");
    }
    Ok(text)
}

/// A player's name as a line that can't be taken for anything else.
fn name_line(name: &str) -> String {
    let line = name.replace(['\r', '\n'], " ").trim().to_owned();
    if line.is_empty() || is_end(&line) || Numbers::meant(&line) {
        format!("player {line}").trim_end().to_owned()
    } else {
        line
    }
}

/// `11:11`
fn is_levels(text: &str) -> bool {
    let levels = text.split_once(':');
    levels.is_some_and(|(first, second)| number(first).and(number(second)).is_some())
}

/// `-1`
fn is_end(line: &str) -> bool {
    number(line.strip_prefix('-').unwrap_or(line)).is_some()
}

/// `1,Freestyle`
fn is_group(line: &str) -> bool {
    let group = line.split_once(',');
    let named =
        |group: &str| group.starts_with(char::is_alphabetic) && !group.contains(['\r', '\n']);
    group.is_some_and(|(winner, group)| number(winner).is_some() && named(group.trim_start()))
}

/// The first line: `Piskvorky WxH, LEVEL:LEVEL, WHO`.
struct Title<'a> {
    columns: usize,
    rows: usize,
    levels: &'a str,
    /// Whether the player named second moved first.
    swapped: bool,
}

impl<'a> Title<'a> {
    fn read(line: &'a str) -> Result<Self, String> {
        let parts = || {
            let mut parts = line.strip_prefix("Piskvorky ")?.split(',').map(str::trim);
            let (columns, rows) = parts.next()?.split_once('x')?;
            let title = Self {
                columns: number(columns)? as usize,
                rows: number(rows)? as usize,
                levels: parts.next().unwrap_or_default(),
                swapped: match parts.next() {
                    None | Some("0") => false,
                    Some("1") => true,
                    Some(_) => return None,
                },
            };
            parts.next().is_none().then_some(title)
        };
        parts().ok_or_else(|| {
            let found = excerpt(line);
            format!("expected \"Piskvorky WxH, LEVEL:LEVEL, 0\" (or 1), found {found}")
        })
    }
}

impl Title<'_> {
    /// The levels with that of the side that moved first in front; `None` if there are none.
    fn levels_by_side(&self) -> Option<String> {
        match self.levels.split_once(':') {
            Some((one, other)) if self.swapped => Some(format!("{other}:{one}")),
            _ => (!self.levels.is_empty()).then(|| self.levels.to_owned()),
        }
    }
}

/// Digits only; a number too large for anything counts as the largest.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// `x,y` or `x,y,time`.
struct Numbers {
    x: u64,
    y: u64,
    time_ms: Option<u64>,
}

impl Numbers {
    /// Whether `line` means to be a move: a number, a comma, and something like a number.
    fn meant(line: &str) -> bool {
        line.split_once(',').is_some_and(|(x, rest)| {
            is_end(x.trim())
                && rest
                    .trim_start()
                    .starts_with(|sign: char| sign == '-' || sign.is_ascii_digit())
        })
    }

    fn read(line: &str) -> Result<Self, String> {
        let parts: Option<Vec<u64>> = line.split(',').map(|part| number(part.trim())).collect();
        match parts.as_deref() {
            Some(&[x, y]) => Ok(Self {
                x,
                y,
                time_ms: None,
            }),
            Some(&[x, y, time_ms]) => Ok(Self {
                x,
                y,
                time_ms: Some(time_ms),
            }),
            _ => Err(format!("expected x,y,time, found {}", excerpt(line))),
        }
    }

    /// The move that the numbers mean.
    fn on(&self, variant: &Variant) -> Result<(Cell, MoveNote), String> {
        let (columns, rows) = (variant.geometry().columns(), variant.geometry().rows());
        let on_board = |at: u64, length: u8| (1..=u64::from(length)).contains(&at);
        if !on_board(self.x, columns) || !on_board(self.y, rows) {
            return Err(format!(
                "not on the board: x from 1 to {columns}, y from 1 to {rows}"
            ));
        }
        let note = MoveNote {
            time_ms: self.time_ms,
            ..MoveNote::default()
        };
        Ok((Cell::new(self.x as u8 - 1, rows - self.y as u8), note))
    }
}

/// The rule that the group of the archive's line begins with, if that line this is.
fn group_rule(line: &str) -> Option<Rule> {
    let (_, group) = line
        .trim()
        .split_once(',')
        .filter(|_| is_group(line.trim()))?;
    let group = group.trim().to_ascii_lowercase();
    [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro]
        .into_iter()
        .find(|rule| group.starts_with(&rule.to_string()))
}

/// The lines after the moves: players, end and group, each of which may be missing.
fn read_tail<'a>(
    record: &mut Record,
    title: &Title<'_>,
    tail: &[&'a str],
) -> Result<(), (&'a str, String)> {
    let (players, rest) = match tail {
        [first, second, rest @ ..] if !is_end(first) => (Some([*first, *second]), rest),
        _ => (None, tail),
    };
    let (end, rest) = match rest {
        [end, rest @ ..] if is_end(end) => (Some(*end), rest),
        _ => (None, rest),
    };
    let (group, rest) = match rest {
        [group, rest @ ..] if is_group(group) => (Some(*group), rest),
        _ => (None, rest),
    };
    if let [line, ..] = rest {
        return Err((
            line,
            format!(
                "expected a move, two players or a number, found {}",
                excerpt(line)
            ),
        ));
    }
    if let Some(mut players) = players {
        if title.swapped {
            players.reverse();
        }
        record.header.players = players.map(|name| Some(name.to_owned()));
    }
    let levels = title.levels_by_side();
    for (name, value) in [(LEVELS, levels.as_deref()), (END, end), (GROUP, group)] {
        if let Some(value) = value {
            let added = record.header.tags.add(name, value);
            added.expect("these names are free");
        }
    }
    Ok(())
}
