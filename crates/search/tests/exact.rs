//! The solver behind the engine trait, and `best` where it is perfect.

use std::ops::ControlFlow;
use stoneline_rules::{Chance, Position, Variant};
use stoneline_search::{Choice, Limits, Spec, Value, think_quietly};

fn think(engine: &str, position: &Position) -> Choice {
    let spec: Spec = engine.parse().unwrap();
    let mut engine = spec.build(position.variant()).unwrap();
    think_quietly(&mut *engine, position, &Limits::default())
}

#[test]
fn values_are_the_known_ones() {
    let empty: Position = "connect4".parse().unwrap();
    assert_eq!(think("best", &empty).value, Value::Win { plies: 41 });
    let six_by_four: Position = "connectx:4x6x4".parse().unwrap();
    assert_eq!(think("best", &six_by_four).value, Value::Loss { plies: 24 });
    let five: Position = "connectx:5x5x4".parse().unwrap();
    assert_eq!(think("solver", &five).value, Value::Draw);
}

#[test]
fn every_move_is_told_when_asked() {
    let position: Position = "connect4 444444".parse().unwrap();
    let choice = think("solver:all_moves=yes", &position);
    assert_eq!(choice.moves.len(), 6);
    assert_eq!(Some(choice.moves[0].cell), choice.best);
    for pair in choice.moves.windows(2) {
        assert_ne!(
            pair[0].value.compare(pair[1].value),
            std::cmp::Ordering::Less
        );
    }
    assert!(choice.moves.iter().all(|report| report.value.is_proven()));
}

/// The value of a position is that of its chosen move, one ply on: no step gives anything away.
#[test]
fn perfect_play_keeps_its_value() {
    let game: Variant = "connectx:5x5x4@2,2".parse().unwrap();
    let spec: Spec = "best".parse().unwrap();
    for seed in 0..20 {
        let mut chance = Chance::new(seed);
        let mut engine = spec.build(&game).unwrap();
        let mut position = Position::new(game);
        while position.outcome().is_none() {
            let choice = think_quietly(&mut *engine, &position, &Limits::default());
            position.play(choice.best.unwrap()).unwrap();
            if position.outcome().is_some() {
                break;
            }
            let after = think_quietly(&mut *engine, &position, &Limits::default());
            assert_eq!(after.value.one_ply_before(), choice.value, "{position}");
            let replies = position.legal_moves();
            let reply = replies[chance.below(replies.len() as u32) as usize];
            position.play(reply).unwrap();
        }
    }
}

#[test]
fn limits_leave_a_legal_move_and_no_false_proof() {
    let position: Position = "course:12x12@5,5".parse().unwrap();
    let choice = think("solver:nodes=1000", &position);
    assert!(position.check(choice.best.unwrap()).is_ok());
    assert_eq!(choice.value, Value::Guess(0.5));
}

/// Without an end to every part of the search this would take hours.
#[test]
fn time_ends_it_anywhere() {
    let position: Position = "connectx:12x12x4 667".parse().unwrap();
    let choice = think("solver:time=5,all_moves=yes", &position);
    assert!(position.check(choice.best.unwrap()).is_ok());
}

#[test]
fn a_watcher_can_stop_it() {
    let position: Position = "course:12x12@5,5".parse().unwrap();
    let spec: Spec = "solver".parse().unwrap();
    let mut engine = spec.build(position.variant()).unwrap();
    let choice = engine.think(&position, &Limits::default(), &mut |_| {
        ControlFlow::Break(())
    });
    assert!(position.check(choice.best.unwrap()).is_ok());
}

#[test]
fn games_out_of_reach_are_refused() {
    let spec: Spec = "solver".parse().unwrap();
    for game in ["gomoku", "connectx:16x16x4"] {
        let error = spec.build(&game.parse().unwrap()).err().unwrap();
        assert!(error.to_string().contains("192 bits"), "{error}");
    }
    let best: Spec = "best".parse().unwrap();
    assert!(best.build(&"connectx:16x16x4".parse().unwrap()).is_ok());
    assert!(best.build(&"gomoku".parse().unwrap()).is_ok());
}
