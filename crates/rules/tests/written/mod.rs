//! Random records, and refusals in a form that tables can hold.

use crate::games::random_game;
use stoneline_rules::{Chance, MoveNote, Outcome, ReadError, Record, Side, Tags};

/// `line:column reason` of the refusal of `text`.
pub(crate) fn refusal(read: Result<Record, ReadError>, text: &str) -> String {
    match read {
        Ok(read) => panic!("{text:?} was read as {read:?}"),
        Err(error) => format!("{}:{} {}", error.line(), error.column(), error.reason()),
    }
}

/// Texts that a careless format would lose.
const TEXTS: [&str; 14] = [
    "Ada",
    "",
    " ",
    "two words",
    "\"quoted\"",
    "a \"b\" \\ c",
    "line\nbreak\r\n\ttab",
    "end",
    "1 h8",
    "a=b",
    "[x] (;B[aa]) \\]",
    "naïve ☃ 石線",
    "\u{0}\u{7f}\u{85}\u{a0}",
    "trailing ",
];

fn some_text(chance: &mut Chance) -> Option<String> {
    let choice = chance.below(2 * TEXTS.len() as u32) as usize;
    TEXTS.get(choice).map(|text| (*text).to_owned())
}

fn some_number(chance: &mut Chance) -> Option<u64> {
    (chance.below(2) == 0).then(|| chance.draw() >> chance.below(64))
}

fn some_tags(chance: &mut Chance) -> Tags {
    let mut tags = Tags::default();
    for name in ["round", "Elo_first", "a-b", "round"] {
        if let Some(text) = some_text(chance) {
            tags.add(name, text).unwrap();
        }
    }
    tags
}

fn some_note(chance: &mut Chance) -> MoveNote {
    MoveNote {
        time_ms: some_number(chance),
        value: some_text(chance),
        depth: some_number(chance).map(|depth| depth as u32),
        nodes: some_number(chance),
        simulations: some_number(chance),
        comment: some_text(chance),
        tags: some_tags(chance),
    }
}

pub(crate) fn random_record(seed: u64, plies: usize) -> Record {
    let chance = &mut Chance::new(seed ^ 0x5eed);
    let game = random_game(seed, plies);
    let mut record = Record::new(game.start());
    for &cell in game.moves() {
        record.play(cell, some_note(chance)).unwrap();
    }
    record.header.players = [some_text(chance), some_text(chance)];
    record.header.reason = some_text(chance);
    record.header.date = some_text(chance);
    record.header.opening = some_text(chance);
    record.header.time_control = some_text(chance);
    record.header.comment = some_text(chance);
    record.header.tags = some_tags(chance);
    let results = [
        Outcome::Win(Side::First),
        Outcome::Win(Side::Second),
        Outcome::Draw,
    ];
    if let Some(&outcome) = results.get(chance.below(4) as usize) {
        let _ = record.adjudge(outcome);
    }
    record
}
