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
fn moves_are_told_by_their_worth() {
    let position: Position = "gomoku h8 i9".parse().unwrap();
    let spec: Spec = "alphabeta".parse().unwrap();
    let mut engine = spec.build(position.variant()).unwrap();
    let choice = think_quietly(&mut *engine, &position, &limits(3000));
    assert_eq!(choice.best, Some(choice.moves[0].cell));
    assert!(choice.moves.len() > 10);
    let rest = &choice.moves[1..];
    assert!(rest.is_sorted_by(|one, next| one.value.compare(next.value).is_ge()));
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

#[test]
fn swap2_is_answered_at_every_stage() {
    use stoneline_search::gomoku::{NotSwap2, Swap2, Swapper};
    for game in ["gomoku", "standard:20", "renju", "caro:9", "gomoku:5"] {
        let variant: Variant = game.parse().unwrap();
        let mut swapper = Swapper::new(&variant).unwrap();
        let limits = Limits {
            seed: Some(3),
            ..limits(3_000)
        };
        let mut position = Position::new(variant);
        let Ok(Swap2::Lay(laid)) = swapper.answer(&position, &limits) else {
            panic!("{game}: three stones are laid");
        };
        for cell in laid {
            position.play(cell).unwrap();
        }
        assert_eq!(
            swapper.answer(&Position::new(variant), &limits),
            Ok(Swap2::Lay(laid)),
            "the same seed lays the same"
        );
        match swapper.answer(&position, &limits).unwrap() {
            Swap2::LayTwo(two) => {
                for cell in two {
                    position.play(cell).unwrap();
                }
                match swapper.answer(&position, &limits).unwrap() {
                    Swap2::Play(cell) => assert!(position.check(cell).is_ok()),
                    other => assert_eq!(other, Swap2::Swap),
                }
            }
            Swap2::Play(cell) => assert!(position.check(cell).is_ok()),
            other => assert_eq!(other, Swap2::Swap),
        }
    }
    let mut swapper = Swapper::new(&"gomoku".parse().unwrap()).unwrap();
    let mut answer = |text: &str| swapper.answer(&text.parse().unwrap(), &limits(4_000));
    assert_eq!(answer("gomoku h8"), Err(NotSwap2::Stones(1)));
    // Two stones side by side against one in the corner; and a stone nobody needs.
    assert_eq!(answer("gomoku h8 a1 h9"), Ok(Swap2::Swap));
    assert!(matches!(
        answer("gomoku a1 h8 o15 h9 a15"),
        Ok(Swap2::Play(_))
    ));
    assert!(Swapper::new(&"connect4".parse().unwrap()).is_none());
}

#[test]
fn the_tree_plays_every_rule_and_sees_what_is_forced() {
    let simulations = Limits {
        simulations: Some(24),
        memory_bytes: Some(1 << 20),
        ..Limits::default()
    };
    for game in [
        "gomoku",
        "gomoku:22",
        "renju:9",
        "caro:7",
        "mnk:5x5x4",
        "mnk:8x10x7",
    ] {
        let variant: Variant = game.parse().unwrap();
        let mut engine = "mcts".parse::<Spec>().unwrap().build(&variant).unwrap();
        let mut position = Position::new(variant);
        while position.outcome().is_none() {
            let choice = think_quietly(&mut *engine, &position, &simulations);
            position
                .play(choice.best.unwrap())
                .unwrap_or_else(|error| panic!("{game}: {error}"));
        }
    }
    let think = |text: &str| {
        let position: Position = text.parse().unwrap();
        let spec: Spec = "mcts".parse().unwrap();
        let mut engine = spec.build(position.variant()).unwrap();
        let choice = think_quietly(&mut *engine, &position, &simulations);
        (choice.best.unwrap().to_string(), choice.value)
    };
    assert_eq!(
        think("gomoku h8 a1 i8 a3 j8 a5").1,
        Value::Win { plies: 3 },
        "fours are proofs"
    );
    let (answer, value) = think("gomoku h8 a1 i8 a3 j8");
    assert!(["f8", "g8", "k8", "l8"].contains(&answer.as_str()));
    assert!(!value.is_proven(), "what the tree proves is an opinion");
}
