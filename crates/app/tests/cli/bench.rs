//! `stoneline bench`: the shape of what it prints, and numbers that never change.

use crate::run::stoneline;
use serde_json::Value;

const GAMES: [&str; 5] = [
    "connect4",
    "course:9x9@4,4",
    "course:12x12@5,5",
    "gomoku",
    "gomoku:20",
];

fn measured() -> Value {
    let run = stoneline("bench --only rules --time 0.001 --json", "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    serde_json::from_str(&run.stdout).expect("one JSON object")
}

#[test]
fn every_rate_of_the_rules_is_there() {
    let figures = measured();
    for unit in ["random_games", "plies"] {
        for game in GAMES {
            let rate = figures["rules"][unit][game].as_f64();
            assert!(
                rate.is_some_and(|rate| rate > 1000.0),
                "{unit} {game}: {figures}"
            );
        }
    }
}

#[test]
fn the_signature_repeats() {
    let signature = measured()["signature"].clone();
    assert_eq!(signature, measured()["signature"]);
    for game in GAMES {
        let plies = signature[format!("random_games {game}")].as_u64();
        assert!(
            plies.is_some_and(|plies| plies > 7000),
            "{game}: {signature}"
        );
    }
}

#[test]
fn the_table_has_a_line_a_figure() {
    let run = stoneline("bench --only rules --time 0.001", "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        run.stdout
            .lines()
            .filter(|line| line.ends_with(" M/s"))
            .count(),
        10
    );
    assert_eq!(
        run.stdout
            .lines()
            .filter(|line| line.starts_with("signature "))
            .count(),
        5
    );
}

#[test]
fn every_rate_of_the_engines_is_there() {
    let run = stoneline("bench --only mcts,alphabeta,solver --time 0.001 --json", "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let figures: Value = serde_json::from_str(&run.stdout).expect("one JSON object");
    for game in &GAMES[..3] {
        for (section, unit) in [
            ("mcts", "rollouts"),
            ("mcts", "simulations"),
            ("mcts", "uniform_simulations"),
            ("alphabeta", "nodes"),
            ("solver", "nodes"),
        ] {
            let rate = figures[section][unit][game].as_f64();
            assert!(
                rate.is_some_and(|rate| rate > 1000.0),
                "{section} {unit} {game}: {figures}"
            );
        }
    }
    for name in ["solver connectx:5x5x4", "alphabeta connectx:4x4x4"] {
        let nodes = figures["signature"][name].as_u64();
        assert!(nodes.is_some_and(|nodes| nodes > 0), "{figures}");
    }
    assert!(figures["mcts"]["thread_speedup"].is_f64(), "{figures}");
}
