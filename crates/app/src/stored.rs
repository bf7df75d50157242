//! Games in files: records, SGF, Piskvork files, lists of positions, and stores of runs.

mod picture;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use stoneline_arena::{Store, export};
use stoneline_rules::notation::write_move;
use stoneline_rules::{Outcome, Position, Record, Side, psq, sgf};

/// The most bytes of a text file: a hundred thousand games.
const LONGEST_FILE: u64 = 64 << 20;
/// How files of SQLite begin.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Every game of a file, or of stdin for `-`; of its run called `run` if it is a store.
pub(crate) fn all(path: &Path, run: Option<&str>) -> anyhow::Result<Vec<Record>> {
    records(path, run).with_context(|| format!("{}", path.display()))
}

/// The first game of a file.
pub(crate) fn first(path: &Path) -> anyhow::Result<Record> {
    let game = all(path, None)?.into_iter().next();
    game.with_context(|| format!("{}: no game in it", path.display()))
}

fn records(path: &Path, run: Option<&str>) -> anyhow::Result<Vec<Record>> {
    let mut file: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(fs::File::open(path)?)
    };
    let mut head = Vec::new();
    file.by_ref()
        .take(SQLITE.len() as u64)
        .read_to_end(&mut head)?;
    if head == SQLITE {
        return kept(path, run);
    }
    ensure!(run.is_none(), "only a store of games has runs");
    let mut bytes = head;
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes)?;
    ensure!(
        bytes.len() as u64 <= LONGEST_FILE,
        "longer than {LONGEST_FILE} bytes: split it"
    );
    let text = String::from_utf8(bytes).context("neither a store nor UTF-8 text")?;
    read(&text)
}

fn kept(path: &Path, run: Option<&str>) -> anyhow::Result<Vec<Record>> {
    let store = Store::open_to_read(path)?;
    let run = store.run_named(run)?;
    let games = store.games(&run)?;
    Ok(games
        .iter()
        .map(|game| export::record(&run, game))
        .collect())
}

/// The games in a text, whatever its form.
fn read(text: &str) -> anyhow::Result<Vec<Record>> {
    let begun = text.trim_start();
    if begun.starts_with('(') {
        return games_of_collection(begun).map(sgf_game).collect();
    }
    if begun.starts_with("stoneline game") {
        return Ok(Record::read_all(text)?);
    }
    let first = begun.split_whitespace().next().unwrap_or_default();
    if first.eq_ignore_ascii_case("piskvorky") {
        return Ok(vec![psq::read(text, None)?]);
    }
    let lines = text.lines().enumerate();
    let used = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    used.map(|(at, line)| {
        let position = Position::read(line, 0).with_context(|| format!("line {}", at + 1))?;
        Ok(Record::new(position))
    })
    .collect()
}

fn sgf_game(text: &str) -> anyhow::Result<Record> {
    Ok(sgf::read(text)?)
}

/// The games of an SGF collection; brackets in comments are none.
fn games_of_collection(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let (game, after) = rest.split_at(end_of_game(rest));
        rest = after;
        Some(game)
    })
}

/// Where the first game tree of `text` ends; its length if it does not.
fn end_of_game(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut is_value = false;
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_value => is_escaped = true,
            ']' => is_value = false,
            _ if is_value => {}
            '[' => is_value = true,
            '(' => depth += 1,
            ')' if depth <= 1 => return at + 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The forms in which games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Our own records, with all that is known
    Record,
    /// Smart Game Format, for five in a row
    Sgf,
    /// Piskvork's format, for five in a row
    Psq,
    /// One JSON object a game
    Json,
    /// One position a line, as commands take it
    Moves,
    /// A picture of the last position, the moves numbered
    Svg,
    /// An animated picture of the game
    Gif,
}

/// Formats and the endings of their files.
const ENDINGS: [(&str, Format); 10] = [
    ("record", Format::Record),
    ("game", Format::Record),
    ("sgf", Format::Sgf),
    ("psq", Format::Psq),
    ("json", Format::Json),
    ("jsonl", Format::Json),
    ("txt", Format::Moves),
    ("moves", Format::Moves),
    ("svg", Format::Svg),
    ("gif", Format::Gif),
];

impl Format {
    /// The format that the ending of a file's name asks for.
    pub(crate) fn of(path: &Path) -> anyhow::Result<Self> {
        let Some(ending) = path.extension() else {
            return Ok(Self::Record);
        };
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        let found = ENDINGS.iter().find(|(own, _)| *own == ending);
        let endings = ENDINGS.map(|(own, _)| own).join(", ");
        found
            .map(|&(_, format)| format)
            .with_context(|| format!("no format for .{ending} files: there are {endings}"))
    }

    /// Whether a file holds no more than one game.
    const fn is_single(self) -> bool {
        matches!(self, Self::Psq | Self::Svg | Self::Gif)
    }

    /// Writes `games` one after the other.
    pub(crate) fn write(self, games: &[Record], out: &mut dyn Write) -> anyhow::Result<()> {
        ensure!(
            games.len() <= 1 || !self.is_single(),
            "a {} file holds one game, these are {}: choose one by --number",
            self.to_possible_value()
                .map_or_else(String::new, |name| name.get_name().to_owned()),
            games.len()
        );
        for record in games {
            match self {
                Self::Record => write!(out, "{record}")?,
                Self::Sgf => write!(out, "{}", sgf::write(record)?)?,
                Self::Psq => write!(out, "{}", psq::write(record)?)?,
                Self::Json => writeln!(out, "{}", json(record))?,
                Self::Moves => writeln!(out, "{}", record.position().notation())?,
                Self::Svg => write!(out, "{}", picture::svg(record.position()))?,
                Self::Gif => picture::gif(record.position(), out)?,
            }
        }
        Ok(())
    }
}

/// A game as programs read it.
pub(crate) fn json(record: &Record) -> Json {
    let position = record.position();
    let game = position.variant();
    let moves = record.moves().map(|(cell, note)| {
        let mut object = json!({"move": write_move(game, cell)});
        for (name, value) in [
            ("time_ms", json!(note.time_ms)),
            ("value", json!(note.value)),
            ("depth", json!(note.depth)),
            ("nodes", json!(note.nodes)),
            ("simulations", json!(note.simulations)),
            ("comment", json!(note.comment)),
        ] {
            if !value.is_null() {
                object[name] = value;
            }
        }
        object
    });
    json!({
        "game": game.to_string(),
        "position": position.notation(),
        "players": record.header.players,
        "result": result_word(record),
        "reason": record.header.reason,
        "date": record.header.date,
        "plies": position.moves().len(),
        "moves": moves.collect::<Vec<Json>>(),
    })
}

/// `first`, `second`, `draw`, or `none` while nobody has won.
pub(crate) fn result_word(record: &Record) -> &'static str {
    match record.result() {
        Some(Outcome::Win(Side::First)) => "first",
        Some(Outcome::Win(Side::Second)) => "second",
        Some(Outcome::Draw) => "draw",
        None => "none",
    }
}

/// Writes a game in the format that the file's name asks for.
pub(crate) fn save(path: &Path, record: &Record) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    Format::of(path)?.write(std::slice::from_ref(record), &mut bytes)?;
    Ok(fs::write(path, bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_falls_into_its_games() {
        let text = "(;GM[4]SZ[15];B[hh]C[a \\] and a )];W[ig])\n(;GM[4]SZ[15](;B[aa])(;B[bb]))";
        let records = read(text).unwrap();
        let moves: Vec<String> = records
            .iter()
            .map(|one| one.position().notation())
            .collect();
        assert_eq!(moves, ["gomoku h8 i9", "gomoku a15"]);
    }

    #[test]
    fn every_format_is_written_and_what_can_be_read_comes_back() {
        let record = Record::new("gomoku h8 i9".parse().unwrap());
        for (ending, format) in ENDINGS {
            assert_eq!(
                Format::of(Path::new(&format!("a.{ending}"))).unwrap(),
                format
            );
            let mut bytes = Vec::new();
            format
                .write(std::slice::from_ref(&record), &mut bytes)
                .unwrap();
            if matches!(
                format,
                Format::Record | Format::Sgf | Format::Psq | Format::Moves
            ) {
                let back = read(&String::from_utf8(bytes).unwrap()).unwrap();
                assert_eq!(back[0].position().notation(), "gomoku h8 i9");
            }
        }
        let two = [record.clone(), record];
        assert!(Format::Svg.write(&two, &mut Vec::new()).is_err());
        assert!(Format::of(Path::new("a.png")).is_err());
    }

    #[test]
    fn bad_lines_are_named() {
        let error = read("connect4 44\nconnect4 99\n").unwrap_err();
        assert!(format!("{error:#}").contains("line 2"), "{error:#}");
    }
}
