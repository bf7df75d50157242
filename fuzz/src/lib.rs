//! What every fuzz target does with its bytes.
//!
//! The targets and the smoke test of the rules crate both call these, so that
//! each check is written once. A body never panics unless a parser panics, or
//! reads something that it does not read back after writing it.

use stoneline_rules::{Position, Record, Rule, Variant, psq, sgf};

/// A body: whatever the bytes, it must return.
pub type Body = fn(&[u8]);

/// The name of every target, and its body.
pub const TARGETS: [(&str, Body); 6] = [
    ("variant", variant),
    ("position", position),
    ("drawing", drawing),
    ("record", record),
    ("sgf", sgf),
    ("psq", psq),
];

/// Names of games.
pub fn variant(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(read) = Variant::named(&text, 7) {
        assert_eq!(Ok(read), Variant::named(&read.to_string(), 0));
    }
}

/// Positions as `GAME moves`, or drawn with the game's name above.
pub fn position(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(read) = Position::read(&text, 7) {
        let back = Position::read(&read.notation(), 0).expect("our own notation");
        assert_eq!((&back, back.moves()), (&read, read.moves()));
        assert_eq!(Position::read(&read.to_string(), 0), Ok(read));
    }
}

/// Drawings of a few fixed games, so that more of them reach the rows.
pub fn drawing(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for game in [
        "connectx:4x5x3",
        "course:4x4@3,0@1,2",
        "mnk:5x6x4",
        "renju:5",
    ] {
        position(format!("{game}\n{text}").as_bytes());
    }
}

/// Records in our own format.
pub fn record(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let all = Record::read_all(&text);
    if let Ok(read) = Record::read(&text) {
        assert_eq!(Record::read(&read.to_string()), Ok(read.clone()));
        assert_eq!(all, Ok(vec![read]));
    }
}

/// SGF files.
pub fn sgf(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(read) = sgf::read(&text) {
        let written = sgf::write(&read).expect("SGF holds what was read from it");
        same_game(&read, &sgf::read(&written).expect("our own SGF"));
    }
}

/// Piskvork's files, by each rule.
pub fn psq(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for rule in [
        None,
        Some(Rule::Standard),
        Some(Rule::Renju),
        Some(Rule::Gravity),
    ] {
        if let Ok(read) = psq::read(&text, rule) {
            let written = psq::write(&read).expect("psq holds what was read from it");
            let same_rule = Some(read.position().variant().rule());
            same_game(&read, &psq::read(&written, same_rule).expect("our own psq"));
        }
    }
}

fn same_game(read: &Record, back: &Record) {
    assert_eq!(back.position(), read.position());
    assert_eq!(back.position().moves(), read.position().moves());
    assert_eq!(back.result(), read.result());
}
