//! The sparring partners play as they were described.

use crate::gomoku::field::Field;
use crate::gomoku::gobang::judged;
use crate::gomoku::ground::Ground;
use crate::{Limits, Spec, think_quietly};
use stoneline_rules::{Outcome, Position, Variant};

fn judged_at(text: &str) -> i32 {
    let position: Position = text.parse().unwrap();
    let ground = Ground::new(position.variant());
    judged(&Field::new(&ground, &position))
}

fn move_of(engine: &str, text: &str) -> String {
    let position: Position = text.parse().unwrap();
    let spec: Spec = engine.parse().unwrap();
    let mut engine = spec.build(position.variant()).unwrap();
    let choice = think_quietly(&mut *engine, &position, &Limits::default());
    choice.best.unwrap().to_string()
}

#[test]
fn the_ten_rules_judge_for_the_side_that_moved_last() {
    // X moved last: c5, then d5, and so on; O's stones are scattered.
    assert_eq!(judged_at("gobang c5 a1 d5 j9 e5"), 400);
    assert_eq!(judged_at("gobang c5 a1 d5 a3 e5 a8 f5"), 9030);
    assert_eq!(judged_at("gobang c5 b5 d5 a3 e5 a8 f5 j1 f6 j3 f7"), 9020);
    // O moved last and X has an open three; then a four that one stone stops.
    assert_eq!(judged_at("gobang c5 a1 d5 a3 e5 j9"), -9010);
    assert_eq!(judged_at("gobang c5 b5 d5 a3 e5 a8 f5 j10"), -9040);
    assert_eq!(judged_at("gobang c5 a1 d5 a3 e5 a8 f5 j10"), -9050);
    // An open two against scattered stones.
    assert_eq!(judged_at("gobang e5 a1 f5"), 4);
}

#[test]
fn minimax_sees_three_plies_and_no_more() {
    assert_eq!(
        move_of("gobang-minimax", "gobang c5 b5 d5 a3 e5 a8 f5 j10"),
        "g5"
    );
    let stops = ["b5", "f5", "a5", "g5"];
    let stop = move_of("gobang-minimax", "gobang c5 a1 d5 a3 e5");
    assert!(stops.contains(&stop.as_str()), "{stop}");
}

#[test]
fn the_tree_takes_a_win_alone() {
    assert_eq!(
        move_of("gobang-mcts", "gobang c5 a1 d5 a3 e5 b5 f5 j10"),
        "g5"
    );
    let position: Position = "gobang c5 a1 d5 a3 e5 b5 f5 j10".parse().unwrap();
    let spec: Spec = "gobang-mcts".parse().unwrap();
    let mut engine = spec.build(position.variant()).unwrap();
    let choice = think_quietly(&mut *engine, &position, &Limits::default());
    assert_eq!(choice.effort.simulations, 500);
    assert_eq!(choice.effort.nodes, 2, "the winning child alone");
}

#[test]
fn both_play_to_the_last_cell_without_falling_over() {
    let variant: Variant = "gobang".parse().unwrap();
    for (first, second) in [("gobang-mcts:iterations=40", "gobang-minimax:depth=2"); 2] {
        let mut engines =
            [first, second].map(|name| name.parse::<Spec>().unwrap().build(&variant).unwrap());
        let mut position = Position::new(variant);
        while position.outcome().is_none() {
            let at = position.plies() % 2;
            let choice = think_quietly(&mut *engines[at], &position, &Limits::default());
            position.play(choice.best.unwrap()).unwrap();
        }
        assert!(matches!(
            position.outcome(),
            Some(Outcome::Win(_) | Outcome::Draw)
        ));
    }
    let falling: Variant = "connect4".parse().unwrap();
    for name in ["gobang-mcts", "gobang-minimax"] {
        assert!(name.parse::<Spec>().unwrap().build(&falling).is_err());
    }
}
