//! 2,000 positions of 20 board sizes, with blocked cells and without.
//!
//! Their scores in `tests/data/solved_positions.txt` come from plain
//! alpha-beta. A line: rows, columns, run, blocked cells (`-` for none),
//! moves as columns from 1 (`-` for none), score. To make the file anew:
//! `cargo test -p stoneline-search --release write_positions -- --ignored`

use super::plain;
use crate::solve::{Question, SolveLimits, Solver};
use std::fmt::Write;
use stoneline_rules::{Cell, Chance, Position, Variant};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/solved_positions.txt"
);
const TEXT: &str = include_str!("../../../tests/data/solved_positions.txt");

/// Rows and columns.
const SIZES: [(usize, usize); 20] = [
    (4, 4),
    (4, 5),
    (5, 4),
    (5, 5),
    (4, 7),
    (6, 4),
    (6, 6),
    (6, 7),
    (7, 6),
    (7, 7),
    (8, 7),
    (7, 8),
    (8, 8),
    (9, 9),
    (10, 10),
    (9, 12),
    (12, 9),
    (11, 11),
    (12, 12),
    (13, 13),
];
const POSITIONS: usize = 2000;

/// One line of the file.
struct Known {
    position: Position,
    score: i32,
}

impl Known {
    fn read(line: &str) -> Self {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| fields[at].parse::<usize>().expect("a number");
        let blocked: Vec<Cell> = fields[3]
            .split(';')
            .filter(|&cell| cell != "-")
            .map(|cell| {
                let (column, row) = cell.split_once(',').expect("column,row");
                Cell::new(
                    column.parse().expect("a column"),
                    row.parse().expect("a row"),
                )
            })
            .collect();
        let variant = plain::board(number(0), number(1), number(2), &blocked);
        let mut position = Position::new(variant);
        for column in fields[4].chars().filter(|&column| column != '-') {
            let column = column.to_digit(36).expect("a column") as u8 - 1;
            let cell = position.landing(column).expect("a column with room");
            position.play(cell).expect("a legal move");
        }
        Self {
            position,
            score: fields[5].parse().expect("a score"),
        }
    }
}

fn known_positions() -> Vec<Known> {
    TEXT.lines().map(Known::read).collect()
}

#[test]
fn every_score_of_the_file_is_found() {
    let known = known_positions();
    assert_eq!(known.len(), POSITIONS);
    let mut solver: Option<(Variant, Solver)> = None;
    for Known { position, score } in known {
        let variant = *position.variant();
        if solver.as_ref().is_none_or(|(of, _)| *of != variant) {
            let threads = 1 + position.plies() % 2;
            solver = Some((variant, Solver::new(&variant, 1 << 20, threads).unwrap()));
        }
        let (_, solver) = solver.as_mut().unwrap();
        let limits = SolveLimits::default();
        let solved = solver.solve(&position, Question::Score, &limits).unwrap();
        assert_eq!(
            solved.bounds.exact(),
            Some(score),
            "{variant} {:?}",
            position.moves()
        );
        let outcome = solver.solve(&position, Question::Outcome, &limits).unwrap();
        assert_eq!(outcome.bounds.exact(), Some(score.signum()));
        let (moves, _) = solver
            .solve_moves(&position, Question::Score, &limits)
            .unwrap();
        let best = moves
            .iter()
            .map(|moved| moved.bounds.exact().unwrap())
            .max();
        assert_eq!(best, Some(score));
    }
}

#[test]
fn the_file_agrees_with_plain_alpha_beta() {
    for Known { position, score } in known_positions().into_iter().step_by(40) {
        assert_eq!(plain::score(&position), score, "{:?}", position.moves());
    }
}

#[test]
#[ignore = "writes the file that the other tests read"]
fn write_positions() {
    let mut chance = Chance::new(2026);
    let mut text = String::new();
    let mut written = 0;
    let mut boards = 0;
    while written < POSITIONS {
        // Neighbouring lines share a board, so that readers can keep a solver.
        let (rows, columns) = SIZES[boards % SIZES.len()];
        boards += 1;
        let run = [4, 4, 4, 5, 3][chance.below(5) as usize].min(rows.max(columns));
        let blocked: Vec<Cell> = match chance.below(3) {
            0 => Vec::new(),
            several => (0..several)
                .map(|_| {
                    (
                        chance.below(columns as u32) as u8,
                        chance.below(rows as u32) as u8,
                    )
                })
                .map(|(column, row)| Cell::new(column, row))
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect(),
        };
        let variant = plain::board(rows, columns, run, &blocked);
        for _ in 0..10 {
            // As many empty cells as plain alpha-beta can take.
            let empty = if columns <= 7 {
                6 + chance.below(9)
            } else {
                4 + chance.below(7)
            } as usize;
            let position =
                (0..300).find_map(|_| plain::random_position(variant, empty, &mut chance));
            // Some boards hold a run before they are nearly full: take another.
            let Some(position) = position else { break };
            let cells: Vec<String> = blocked
                .iter()
                .map(|cell| format!("{},{}", cell.column(), cell.row()))
                .collect();
            let cells = if cells.is_empty() {
                "-".into()
            } else {
                cells.join(";")
            };
            let moves: String = position
                .moves()
                .iter()
                .map(|cell| char::from_digit(u32::from(cell.column()) + 1, 36).unwrap())
                .collect();
            let moves = if moves.is_empty() { "-".into() } else { moves };
            let score = plain::score(&position);
            writeln!(text, "{rows} {columns} {run} {cells} {moves} {score}").unwrap();
            written += 1;
            if written == POSITIONS {
                break;
            }
        }
    }
    std::fs::write(FILE, text).unwrap();
}
