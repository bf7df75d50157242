//! Games of a run in formats that others read: JSON lines, CSV, our records, SGF.

use crate::store::{KeptGame, KeptRun};
use serde_json::{Value, json};
use std::io::{self, Write};
use stoneline_rules::{MoveNote, Outcome, Record, WriteError, notation, sgf};

/// One JSON object a game.
///
/// # Errors
/// If `out` can't be written.
pub fn json_lines(run: &KeptRun, games: &[KeptGame], out: &mut dyn Write) -> io::Result<()> {
    for game in games {
        writeln!(out, "{}", json_of(run, game))?;
    }
    Ok(())
}

fn json_of(run: &KeptRun, game: &KeptGame) -> Value {
    let name = |at: usize| &run.players[game.fixture.players[at]].name;
    let moves: Vec<String> = game
        .cells
        .iter()
        .map(|&cell| notation::write_move(game.opening.variant(), cell))
        .collect();
    json!({
        "run": run.name,
        "number": game.fixture.number,
        "round": game.fixture.round,
        "identity": game.identity,
        "first": name(0),
        "second": name(1),
        "winner": game.outcome.winner_word(),
        "reason": game.outcome.reason.name(),
        "remark": game.remark,
        "opening": game.opening.notation(),
        "moves": moves,
        "time_us": game.facts.time_us,
        "value": game.facts.value,
        "nodes": game.facts.nodes,
        "simulations": game.facts.simulations,
        "first_stderr": game.stderr[0],
        "second_stderr": game.stderr[1],
        "seed": game.seed,
        "finished_at": game.finished_at,
    })
}

const COLUMNS: [&str; 14] = [
    "run",
    "number",
    "round",
    "identity",
    "first",
    "second",
    "winner",
    "reason",
    "remark",
    "opening",
    "moves",
    "plies",
    "seed",
    "finished_at",
];

/// A table with a header, quoted as RFC 4180 has it.
///
/// # Errors
/// If `out` can't be written.
pub fn csv(run: &KeptRun, games: &[KeptGame], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    for game in games {
        let name = |at: usize| run.players[game.fixture.players[at]].name.clone();
        let row = [
            run.name.clone(),
            game.fixture.number.to_string(),
            game.fixture.round.to_string(),
            game.identity.clone(),
            name(0),
            name(1),
            game.outcome.winner_word().to_owned(),
            game.outcome.reason.name().to_owned(),
            game.remark.clone().unwrap_or_default(),
            game.opening.notation(),
            notation::write_moves(game.opening.variant(), &game.cells),
            game.cells.len().to_string(),
            game.seed.to_string(),
            game.finished_at.clone(),
        ];
        writeln!(out, "{}", row.map(|field| quoted(&field)).join(","))?;
    }
    Ok(())
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Our own records, one after the other.
///
/// # Errors
/// If `out` can't be written.
pub fn records(run: &KeptRun, games: &[KeptGame], out: &mut dyn Write) -> io::Result<()> {
    for game in games {
        writeln!(out, "{}", record(run, game))?;
    }
    Ok(())
}

/// An SGF collection.
///
/// # Errors
/// If the game has no SGF, or `out` can't be written.
pub fn sgf_collection(run: &KeptRun, games: &[KeptGame], out: &mut dyn Write) -> io::Result<()> {
    for game in games {
        let text = sgf::write(&record(run, game))
            .map_err(|error: WriteError| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        write!(out, "{text}")?;
    }
    Ok(())
}

/// A kept game as a record, opening moves first.
pub fn record(run: &KeptRun, game: &KeptGame) -> Record {
    let mut record = Record::new(game.opening.clone());
    let name = |at: usize| Some(run.players[game.fixture.players[at]].name.clone());
    record.header.players = [name(0), name(1)];
    record.header.reason = Some(game.outcome.reason.name().to_owned());
    record.header.date = game.finished_at.get(..10).map(str::to_owned);
    record.header.opening = Some(format!("{}", game.fixture.opening + 1));
    record.header.comment.clone_from(&game.remark);
    for (name, value) in [
        ("identity", game.identity.clone()),
        ("seed", game.seed.to_string()),
    ] {
        let added = record.header.tags.add(name, value);
        debug_assert!(added.is_ok(), "the names are free");
    }
    for (at, &cell) in game.cells.iter().enumerate() {
        let note = MoveNote {
            time_ms: game.facts.time_us.get(at).map(|time| time / 1000),
            value: game.facts.value.get(at).cloned().flatten(),
            nodes: game.facts.nodes.get(at).copied().flatten(),
            simulations: game.facts.simulations.get(at).copied().flatten(),
            ..MoveNote::default()
        };
        record
            .play(cell, note)
            .expect("moves of a kept game were checked when it was read");
    }
    let outcome = game.outcome.winner.map_or(Outcome::Draw, Outcome::Win);
    // A game whose board shows another end than its row is told by its board.
    let _ = record.adjudge(outcome);
    record
}
