//! Each clever part alone against plain alpha-beta, and the promises of the door.

use super::plain;
use crate::solve::bounds::follow_up_bound;
use crate::solve::field::Field;
use crate::solve::key::key;
use crate::solve::search::Node;
use crate::solve::{Question, SolveError, SolveLimits, Solver};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use stoneline_rules::{Cell, Chance, Position, Variant};

fn node(field: &Field<1, true>, position: &Position) -> Node<1> {
    let mover = position.side_to_move();
    Node::new(
        field,
        position.stones(mover).resize(),
        position.stones(!mover).resize(),
    )
}

fn small_boards() -> Vec<Variant> {
    let mut boards = vec![
        plain::board(4, 4, 4, &[]),
        plain::board(6, 4, 4, &[]),
        plain::board(4, 6, 4, &[]),
        plain::board(5, 5, 4, &[]),
        plain::board(6, 7, 4, &[]),
        plain::board(7, 5, 4, &[]),
    ];
    boards.push(plain::board(6, 6, 4, &[Cell::new(2, 3)]));
    boards.push(plain::board(5, 6, 4, &[Cell::new(0, 0), Cell::new(3, 2)]));
    boards
}

#[test]
fn answering_in_the_same_column_bounds_the_score() {
    let mut chance = Chance::new(3);
    let mut proven = [0; 2];
    for variant in small_boards() {
        let field = Field::<1, true>::new(&variant);
        for _ in 0..1500 {
            let empty = 3 + chance.below(8) as usize;
            let Some(position) = plain::random_position(variant, empty, &mut chance) else {
                continue;
            };
            let node = node(&field, &position);
            if let Some(bound) = follow_up_bound(&field, &node) {
                proven[position.plies() % 2] += 1;
                let score = plain::score(&position);
                assert!(score <= bound, "{variant} {:?}: {score}", position.moves());
            }
        }
    }
    assert!(proven.iter().all(|&count| count > 100), "{proven:?}");
}

#[test]
fn equal_keys_have_equal_scores() {
    let mut chance = Chance::new(4);
    for variant in small_boards() {
        let field = Field::<1, true>::new(&variant);
        let mut scores: HashMap<u64, (i32, Position)> = HashMap::new();
        let mut shared = 0;
        for _ in 0..1500 {
            let empty = 2 + chance.below(6) as usize;
            let Some(position) = plain::random_position(variant, empty, &mut chance) else {
                continue;
            };
            let score = plain::score(&position);
            let key = key(&field, &node(&field, &position), field.symmetric);
            let (known, first) = scores
                .entry(key)
                .or_insert_with(|| (score, position.clone()));
            assert_eq!(
                *known,
                score,
                "{variant} {:?} {:?}",
                first.moves(),
                position.moves()
            );
            shared += usize::from(*first != position && first.mirrored() != position);
        }
        assert!(shared > 0, "{variant}: no two positions shared a key");
    }
}

#[test]
fn limits_give_proven_bounds_and_the_same_ones_again() {
    let variant: Variant = "connect4".parse().unwrap();
    let position = Position::new(variant);
    let mut found = Vec::new();
    for nodes in [0, 1, 100, 10_000, 10_000] {
        let mut solver = Solver::new(&variant, 1 << 20, 1).unwrap();
        let limits = SolveLimits {
            nodes: Some(nodes),
            ..SolveLimits::default()
        };
        let solved = solver.solve(&position, Question::Score, &limits).unwrap();
        assert!(solved.bounds.low <= 1 && 1 <= solved.bounds.high);
        assert!(solved.nodes <= nodes);
        found.push(solved);
    }
    assert_eq!(found[3], found[4]);
    let stop = AtomicBool::new(true);
    let limits = SolveLimits {
        stop: Some(&stop),
        ..SolveLimits::default()
    };
    let mut solver = Solver::new(&variant, 1 << 20, 2).unwrap();
    let solved = solver.solve(&position, Question::Score, &limits).unwrap();
    assert!(solved.bounds.exact().is_none());
}

#[test]
fn the_line_ends_when_its_score_says() {
    let variant: Variant = "connect4".parse().unwrap();
    let mut chance = Chance::new(5);
    let mut solver = Solver::new(&variant, 1 << 22, 1).unwrap();
    let limits = SolveLimits::default();
    for _ in 0..100 {
        let Some(position) = plain::random_position(variant, 20, &mut chance) else {
            continue;
        };
        let solved = solver.solve(&position, Question::Score, &limits).unwrap();
        let score = solved.bounds.exact().unwrap();
        let line = solver.line(&position, score, &limits).unwrap();
        let plies = crate::solve::plies_to_end(score, position.plies(), 42);
        assert_eq!(line.len(), plies.unwrap_or(20));
    }
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    let free: Variant = "gomoku".parse().unwrap();
    assert!(matches!(
        Solver::new(&free, 1 << 10, 1),
        Err(SolveError::NoGravity(_))
    ));
    let large = plain::board(16, 16, 4, &[]);
    let refused = Solver::new(&large, 1 << 10, 1).err().unwrap();
    assert!(
        refused.to_string().contains("16 rows and 16 columns"),
        "{refused}"
    );
    let small = plain::board(4, 4, 4, &[]);
    let mut solver = Solver::new(&small, 1 << 10, 1).unwrap();
    let other = Position::new(plain::board(5, 5, 4, &[]));
    let limits = SolveLimits::default();
    let refused = solver.solve(&other, Question::Score, &limits);
    assert!(matches!(refused, Err(SolveError::OtherGame { .. })));
}
