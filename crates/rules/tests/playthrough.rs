//! A fixed game of every kind, with all that can be observed after each ply.
//!
//! The files in `data/playthrough` are what the rules say today. A difference
//! is a change of the rules, of notation or of hash keys; if it is wanted,
//!
//! ```text
//! STONELINE_BLESS=1 cargo test -p stoneline-rules --test playthrough
//! ```
//!
//! writes the files anew, and the change can be read in them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stoneline_rules::{Cell, Chance, Outcome, Position, Side, notation};

/// File, game, seed of the moves, most plies.
const GAMES: [(&str, &str, u64, usize); 16] = [
    ("connect4", "connect4", 1, 42),
    ("connectx_wide", "connectx:4x9x4", 2, 36),
    ("connectx_tall", "connectx:9x5x4", 3, 45),
    ("connectx_three", "connectx:5x4x3", 12, 20),
    ("connectx_draw", "connectx:4x4x4", 5, 16),
    ("connectx_largest", "connectx:16x16x6", 6, 30),
    ("course_floor", "course:9x9@8,4", 7, 40),
    ("course_top", "course:9x10@0,4", 10, 40),
    ("course_stacked", "course:9x9@8,0@4,4@3,4", 51, 40),
    ("course_seed", "course", 8, 40),
    ("gomoku", "gomoku", 11, 30),
    ("standard", "standard:9", 12, 40),
    ("renju", "renju:9", 15, 40),
    ("caro", "caro:9", 14, 40),
    ("mnk_rectangle", "mnk:5x8x4", 15, 40),
    ("mnk_draw", "mnk:5x5x5", 16, 25),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/playthrough")
}

/// Whether the side to move can win at once, and by which move.
fn winning_move(position: &mut Position) -> Option<Cell> {
    position.legal_moves().into_iter().find(|&cell| {
        position.play(cell).expect("a legal move");
        let won = matches!(position.outcome(), Some(Outcome::Win(_)));
        position.undo();
        won
    })
}

/// A move that wins, else any next to a stone that does not lose at once: lively, long games.
fn choose(position: &mut Position, chance: &mut Chance) -> Option<Cell> {
    let legal = position.legal_moves();
    if let Some(cell) = winning_move(position) {
        return Some(cell);
    }
    let geometry = *position.variant().geometry();
    let stones = position.stones(Side::First) | position.stones(Side::Second);
    let near = |cell: &Cell| {
        geometry.cells(stones).any(|stone| {
            stone.column().abs_diff(cell.column()) <= 1 && stone.row().abs_diff(cell.row()) <= 1
        })
    };
    let safe = |position: &mut Position, cell: Cell| {
        position.play(cell).expect("a legal move");
        let safe = winning_move(position).is_none();
        position.undo();
        safe
    };
    let (near, far): (Vec<Cell>, Vec<Cell>) = legal.iter().partition(|cell| near(cell));
    let mut choice: Vec<Cell> = near
        .into_iter()
        .filter(|&cell| safe(position, cell))
        .collect();
    if choice.is_empty() {
        choice = far
            .into_iter()
            .filter(|&cell| safe(position, cell))
            .collect();
    }
    if choice.is_empty() {
        choice = legal;
    }
    (!choice.is_empty()).then(|| choice[chance.below(choice.len() as u32) as usize])
}

/// All observables of a position.
fn observe(position: &Position) -> String {
    let variant = position.variant();
    let list = |cells: &[Cell]| {
        let cells: Vec<String> = cells.iter().map(Cell::to_string).collect();
        if cells.is_empty() {
            "none".to_owned()
        } else {
            cells.join(" ")
        }
    };
    let geometry = variant.geometry();
    let forbidden: Vec<String> = geometry
        .cells(geometry.playable())
        .filter_map(|cell| Some(format!("{cell} {}", position.forbidden(cell)?)))
        .collect();
    let mut text = format!("{position}\n");
    let mut line = |name: &str, value: String| writeln!(text, "{name}: {value}").unwrap();
    line("plies", position.plies().to_string());
    line("side to move", position.side_to_move().to_string());
    let outcome = position.outcome().map(|outcome| outcome.to_string());
    line("outcome", outcome.unwrap_or("none".to_owned()));
    line("winning cells", list(&position.winning_cells()));
    line("legal moves", list(&position.legal_moves()));
    if !forbidden.is_empty() {
        line("forbidden", forbidden.join(", "));
    }
    line("key", format!("{:016x}", position.key()));
    line(
        "canonical key",
        format!("{:016x}", position.canonical_key()),
    );
    text
}

fn play_through(game: &str, seed: u64, plies: usize) -> (String, Position) {
    let mut position = Position::read(game, seed).expect("a known game");
    let mut chance = Chance::new(seed);
    let mut text = format!("{game}, seed {seed}\n\n{}", observe(&position));
    for _ in 0..plies {
        let Some(cell) = choose(&mut position, &mut chance) else {
            break;
        };
        position.play(cell).expect("a legal move");
        let played = notation::write_move(position.variant(), cell);
        write!(text, "\nplayed: {played}\n{}", observe(&position)).unwrap();
    }
    writeln!(text, "\nnotation: {}", position.notation()).unwrap();
    (text, position)
}

#[test]
fn games_go_as_recorded() {
    let bless = std::env::var_os("STONELINE_BLESS").is_some_and(|value| value == "1");
    let mut outcomes = BTreeSet::new();
    for (name, game, seed, plies) in GAMES {
        let (found, position) = play_through(game, seed, plies);
        outcomes.insert(position.outcome().map(|outcome| outcome.to_string()));
        let file = folder().join(format!("{name}.txt"));
        if bless {
            std::fs::write(&file, &found).expect("the folder is there");
            continue;
        }
        let recorded = std::fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // Where Git checks files out with other line ends.
        let recorded = recorded.replace("\r\n", "\n");
        for (number, (found, recorded)) in found.lines().zip(recorded.lines()).enumerate() {
            assert_eq!(found, recorded, "{name}.txt, line {}", number + 1);
        }
        assert_eq!(found.len(), recorded.len(), "{name}.txt: one is longer");
    }
    // The games are worth recording only if they end in every way.
    assert_eq!(outcomes.len(), 4, "{outcomes:?}");
}

#[test]
fn every_file_belongs_to_a_game() {
    let expected: BTreeSet<String> = GAMES
        .iter()
        .map(|(name, ..)| format!("{name}.txt"))
        .collect();
    let found: BTreeSet<String> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("a listed file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(found, expected);
}
