//! Free boards as callers meet them: every rule and size is played to its end by legal moves.

use stoneline_rules::{Outcome, Position, Side, Variant};
use stoneline_search::{Limits, Spec, Value, think_quietly};

fn limits(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        memory_bytes: Some(4 << 20),
        ..Limits::default()
    }
}

fn choose(text: &str, nodes: u64) -> (String, Value) {
    let position: Position = text.parse().unwrap();
    let spec: Spec = "alphabeta".parse().unwrap();
    let mut engine = spec.build(position.variant()).unwrap();
    let choice = think_quietly(&mut *engine, &position, &limits(nodes));
    assert_eq!(choice.line().first(), choice.best.as_ref());
    (choice.best.unwrap().to_string(), choice.value)
}

#[test]
fn every_rule_and_size_is_played_to_its_end() {
    let games = [
        "gomoku",
        "gomoku:5",
        "gomoku:22",
        "standard:9",
        "renju:9",
        "caro:8",
        "gobang",
        "mnk:5x7x3",
        "mnk:6x6x4",
        "mnk:9x12x6",
        "mnk:8x10x7",
        "mnk:5x22x12",
    ];
    for game in games {
        let variant: Variant = game.parse().unwrap();
        let mut engine = "best".parse::<Spec>().unwrap().build(&variant).unwrap();
        let mut position = Position::new(variant);
        while position.outcome().is_none() {
            let choice = think_quietly(&mut *engine, &position, &limits(120));
            let cell = choice.best.expect("the game is not over");
            position
                .play(cell)
                .unwrap_or_else(|error| panic!("{game}: {error}"));
        }
        let over = think_quietly(&mut *engine, &position, &limits(120));
        assert!(over.best.is_none() && over.value.is_proven());
    }
}

#[test]
fn wins_are_taken_and_threats_answered() {
    assert_eq!(
        choose("gomoku h8 a1 i8 a3 j8 a5 k8 a7", 200).1,
        Value::Win { plies: 1 }
    );
    // An open three is a forced win of three plies; against one, only its cells help.
    assert_eq!(
        choose("gomoku h8 a1 i8 a3 j8 a5", 200).1,
        Value::Win { plies: 3 }
    );
    let (answer, value) = choose("gomoku h8 a1 i8 a3 j8", 2000);
    assert!(
        ["f8", "g8", "k8", "l8"].contains(&answer.as_str()),
        "{answer}"
    );
    assert!(!value.is_proven());
    // Two ends of a four can't be stopped.
    assert_eq!(
        choose("gomoku h8 a1 i8 a3 j8 a5 k8", 200).1,
        Value::Loss { plies: 2 }
    );
    // In renju the six does not help the first side, the second it does.
    let (move_first, value) = choose("renju b3 a1 c3 a3 d3 a5 f3 a7 g3 a9", 400);
    assert_ne!(
        (move_first.as_str(), value),
        ("e3", Value::Win { plies: 1 })
    );
}

#[test]
fn the_same_nodes_give_the_same_search() {
    let text = "gomoku h8 h9 i8 g8 j10";
    let position: Position = text.parse().unwrap();
    let search = || {
        let spec: Spec = "alphabeta".parse().unwrap();
        let mut engine = spec.build(position.variant()).unwrap();
        think_quietly(&mut *engine, &position, &limits(20_000))
    };
    let (one, other) = (search(), search());
    assert_eq!(one, other);
    assert!(one.effort.nodes <= 20_000 && one.effort.depth > Some(3));
    assert!(one.effort.memory_bytes <= 4 << 20);
}

#[test]
fn threads_share_the_work() {
    let position: Position = "standard h8 h9 i8 g8 j10".parse().unwrap();
    let spec: Spec = "alphabeta:threads=3".parse().unwrap();
    let mut engine = spec.build(position.variant()).unwrap();
    let choice = think_quietly(&mut *engine, &position, &limits(30_000));
    assert!(position.check(choice.best.unwrap()).is_ok());
    assert!(choice.effort.nodes > 10_000);
}

#[test]
fn renju_plays_no_forbidden_point() {
    let variant: Variant = "renju".parse().unwrap();
    let mut results = [0; 3];
    for seed in 0..12 {
        let mut position = Position::new(variant);
        let mut engine = "alphabeta"
            .parse::<Spec>()
            .unwrap()
            .build(&variant)
            .unwrap();
        let mut random = format!("random:seed={seed}")
            .parse::<Spec>()
            .unwrap()
            .build(&variant)
            .unwrap();
        while position.outcome().is_none() {
            let mind = if position.plies() < 4 {
                &mut random
            } else {
                &mut engine
            };
            let choice = think_quietly(&mut **mind, &position, &limits(60));
            // Refused if it is forbidden.
            position.play(choice.best.unwrap()).unwrap();
        }
        results[match position.outcome() {
            Some(Outcome::Win(Side::First)) => 0,
            Some(Outcome::Win(Side::Second)) => 1,
            _ => 2,
        }] += 1;
    }
    assert!(results[0] + results[1] > 0, "{results:?}");
}
