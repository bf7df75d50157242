//! The tree search as an engine: repeatable, bounded, informed by earlier moves, never idle.

use std::ops::ControlFlow;
use stoneline_rules::{Position, Variant};
use stoneline_search::{Choice, Engine, Limits, Spec, Value, think_quietly};

fn engine(text: &str, game: &Variant) -> Box<dyn Engine> {
    text.parse::<Spec>().unwrap().build(game).unwrap()
}

fn played(game: &str, columns: &[u8]) -> Position {
    let mut position = Position::new(game.parse().unwrap());
    for &column in columns {
        let cell = position.landing(column).unwrap();
        position.play(cell).unwrap();
    }
    position
}

fn simulations(count: u64) -> Limits {
    Limits {
        simulations: Some(count),
        seed: Some(1),
        ..Limits::default()
    }
}

fn think(text: &str, position: &Position, count: u64) -> Choice {
    think_quietly(
        &mut *engine(text, position.variant()),
        position,
        &simulations(count),
    )
}

#[test]
fn the_same_seed_gives_the_same_search() {
    for game in [
        "connect4",
        "course:9x9@4,4",
        "course:12x12@5,5",
        "connectx:5x6x3",
    ] {
        for name in [
            "mcts",
            "mcts:rollout=follow,history=2.5",
            "rules-uct",
            "prover-uct",
            "centre-uct",
        ] {
            let position = Position::new(game.parse().unwrap());
            let (one, other) = (think(name, &position, 3000), think(name, &position, 3000));
            assert_eq!(one, other, "{name} {game}");
            assert_eq!(one.effort.time, None, "no clock was looked at");
        }
    }
    let position = played("connect4", &[3, 3]);
    let mut engine = engine("mcts", position.variant());
    let by_seed = |engine: &mut dyn Engine, seed| {
        engine.forget();
        think_quietly(
            engine,
            &position,
            &Limits {
                seed: Some(seed),
                ..simulations(500)
            },
        )
        .moves
    };
    assert_eq!(by_seed(&mut *engine, 4), by_seed(&mut *engine, 4));
    assert_ne!(by_seed(&mut *engine, 4), by_seed(&mut *engine, 5));
}

#[test]
fn memory_is_bounded_and_the_search_goes_on() {
    let position = Position::new("course:12x12@5,5".parse().unwrap());
    let mut engine = engine("mcts:memory=1MB", position.variant());
    let mut last = 0;
    let mut events = 0;
    let choice = engine.think(&position, &simulations(400_000), &mut |event| {
        assert!(event.effort.memory_bytes <= 1 << 20);
        assert!(event.effort.simulations > last);
        last = event.effort.simulations;
        events += 1;
        ControlFlow::Continue(())
    });
    assert!(choice.effort.memory_bytes <= 1 << 20);
    assert!(events >= 2);
    let visits: u64 = choice.moves.iter().map(|report| report.visits).sum();
    assert!(visits + 1 >= choice.effort.simulations, "{visits} visits");
}

#[test]
fn orders_of_moves_share_their_positions() {
    let position = Position::new("course:9x9@4,4".parse().unwrap());
    let nodes = |name: &str| {
        let mut engine = engine(name, position.variant());
        let choice = think_quietly(&mut *engine, &position, &simulations(50_000));
        choice.effort.nodes
    };
    let (graph, tree) = (nodes("mcts"), nodes("mcts:graph=false"));
    assert!(
        graph < tree * 19 / 20,
        "{graph} nodes, {tree} without sharing"
    );
}

#[test]
fn the_tree_is_kept_when_the_opponent_answers() {
    let game: Variant = "course:9x9@4,4".parse().unwrap();
    for name in ["mcts:opinion_visits=0", "prover-uct", "centre-uct"] {
        let mut engine = engine(name, &game);
        let mut position = Position::new(game);
        let first = think_quietly(&mut *engine, &position, &simulations(20_000));
        let line = first.line().to_vec();
        position.play(line[0]).unwrap();
        position.play(line[1]).unwrap();
        let second = think_quietly(&mut *engine, &position, &simulations(1000));
        let visits: u64 = second.moves.iter().map(|report| report.visits).sum();
        assert!(visits > 1500, "{name}: {visits} visits after a kept tree");
        engine.forget();
        let fresh = think_quietly(&mut *engine, &position, &simulations(1000));
        let visits: u64 = fresh.moves.iter().map(|report| report.visits).sum();
        assert!(visits <= 1000, "{name}: forgotten");
    }
}

#[test]
fn a_surprise_or_another_game_does_no_harm() {
    let game: Variant = "connect4".parse().unwrap();
    let mut engine = engine("mcts", &game);
    for columns in [
        &[3, 3, 0][..],
        &[3, 3, 0, 6],
        &[3, 3, 0, 6, 6, 6],
        &[0],
        &[],
        &[3, 3, 0, 6],
    ] {
        let position = played("connect4", columns);
        let choice = think_quietly(&mut *engine, &position, &simulations(300));
        assert_eq!(position.check(choice.best.unwrap()), Ok(()));
        for report in &choice.moves {
            let mut next = position.clone();
            for &cell in &report.line {
                next.play(cell).unwrap();
            }
        }
    }
}

#[test]
fn forced_moves_cost_nothing() {
    for columns in [&[3, 0, 3, 0, 3][..], &[3, 0, 3, 0, 3, 0]] {
        let choice = think("mcts", &played("connect4", columns), 1000);
        assert_eq!(choice.best.unwrap().column(), 3);
        assert_eq!(choice.effort.simulations, 0);
    }
    let won = think("mcts", &played("connect4", &[3, 0, 3, 0, 3, 0]), 1000);
    assert_eq!(won.value, Value::Win { plies: 1 });
}

#[test]
fn a_lost_position_is_defended_to_the_end() {
    // Two open ends: whatever is played, the other wins in two.
    let position = played("connect4", &[2, 2, 3, 3, 4]);
    let choice = think("mcts", &position, 1000);
    assert_eq!(choice.value, Value::Loss { plies: 2 });
    assert!(
        [1, 5].contains(&choice.best.unwrap().column()),
        "one of the two is blocked"
    );
}

#[test]
fn the_watcher_ends_the_search() {
    let position = Position::new("course:12x12@5,5".parse().unwrap());
    let mut heard = 0;
    let choice =
        engine("mcts", position.variant()).think(&position, &Limits::default(), &mut |event| {
            heard += 1;
            assert!(!event.moves.is_empty() && !event.value.is_proven());
            if heard == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
    assert_eq!(heard, 2);
    assert!(choice.best.is_some());
}

#[test]
fn no_simulation_past_the_point_where_it_can_change_the_move() {
    // One move wins by force within a few plies and soon has most visits.
    let position = played("connect4", &[3, 3, 2]);
    let most = 200_000;
    let choice = think("mcts:proofs=no", &position, most);
    assert!(choice.effort.simulations < most);
    let visits: Vec<u64> = choice.moves.iter().map(|report| report.visits).collect();
    assert!(visits[0] - visits[1] > most - choice.effort.simulations);
}

#[test]
fn threads_share_one_tree() {
    let position = Position::new("course:12x12@5,5".parse().unwrap());
    for keys in ["memory=1MB", "memory=64MB", "memory=64MB,history=2.5"] {
        let text = format!("mcts:threads=4,opinion_visits=0,{keys}");
        let choice = think(&text, &position, 100_000);
        let visits: u64 = choice.moves.iter().map(|report| report.visits).sum();
        // All simulations went through a move but those under way while the moves were made.
        let made = choice.effort.simulations;
        assert!(
            made > 50_000 && visits <= made && visits + 64 >= made,
            "{keys}: {visits} of {made}"
        );
    }
}

#[test]
fn threads_prove_what_one_thread_proves() {
    for columns in [&[3, 2, 3, 3, 2][..], &[3, 3, 3, 3, 3, 1], &[2, 2, 3]] {
        let position = played("connect4", columns);
        let one = think("mcts", &position, 30_000).value;
        let four = think("mcts:threads=4", &position, 30_000).value;
        if one.is_proven() && four.is_proven() {
            assert_eq!(one.win_rate(), four.win_rate(), "{columns:?}");
        }
    }
}
