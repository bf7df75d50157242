//! The signature of fixed searches: a change of it is a change of play.
//!
//! `data/signature.txt` holds a line a search: engine, game, moves played
//! before, and what the search made of it. Set `STONELINE_BLESS=1` to write it
//! anew after a change that is meant.

use std::fmt::Write as _;
use std::path::Path;
use stoneline_rules::{Chance, Position, Variant};
use stoneline_search::{Limits, Spec, think_quietly};

const ENGINES: [&str; 8] = [
    "mcts",
    "mcts:history=2.5",
    "rules-uct",
    "prover-uct",
    "centre-uct",
    "connectx-uct",
    "kaggle-negamax",
    "alphabeta:eval=shape",
];
const GAMES: [&str; 5] = [
    "connect4",
    "connectx:8x8x5",
    "course:9x9@4,4",
    "course:12x12@5,5",
    "course:10x11@0,3",
];

/// A search in one line.
fn line(engine: &str, game: &str, plies: usize) -> String {
    let variant: Variant = game.parse().unwrap();
    let mut chance = Chance::new(plies as u64);
    let mut position = Position::new(variant);
    while position.plies() < plies && position.outcome().is_none() {
        let moves = position.legal_moves();
        let cell = moves[chance.below(moves.len() as u32) as usize];
        position.play(cell).unwrap();
    }
    let limits = Limits {
        simulations: Some(2000),
        nodes: Some(5000),
        seed: Some(1),
        ..Limits::default()
    };
    let mut engine_built = engine.parse::<Spec>().unwrap().build(&variant).unwrap();
    let choice = think_quietly(&mut *engine_built, &position, &limits);
    let best = choice.best.map_or("-".to_owned(), |cell| cell.to_string());
    let visits: Vec<String> = choice
        .moves
        .iter()
        .map(|report| report.visits.to_string())
        .collect();
    format!(
        "{engine} {game} {plies} {best} {:?} {} {}",
        choice.value,
        choice.effort.nodes,
        visits.join(",")
    )
}

#[test]
fn fixed_searches_give_what_they_gave() {
    let mut found = String::new();
    for engine in ENGINES {
        for game in GAMES {
            for plies in [0, 9, 20] {
                writeln!(found, "{}", line(engine, game, plies)).unwrap();
            }
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/signature.txt");
    if std::env::var_os("STONELINE_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &found).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    for (kept, found) in kept.lines().zip(found.lines()) {
        assert_eq!(kept, found, "a search has changed");
    }
    assert_eq!(kept.lines().count(), found.lines().count());
}
