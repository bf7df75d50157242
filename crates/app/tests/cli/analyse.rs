//! `stoneline analyse`: tables for people, events for programs.

use crate::run::{command, stoneline};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};

const FIXED: &str = "--engine mcts:simulations=3000";

#[test]
fn the_last_event_has_the_keys_that_programs_read() {
    let run = stoneline(&format!("analyse connect4 4453 {FIXED} --json"), "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let last: Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last["final"], true);
    let moves = last["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    assert_eq!(last["best"], moves[0]["move"]);
    assert_eq!(last["line"][0], last["best"]);
    assert!(last["value"]["win_rate"].is_f64() || last["value"].is_object());
    assert!(last["simulations"].as_u64().unwrap() > 0);
    assert!(last["cpu_us"].is_u64());
    let visits: u64 = moves
        .iter()
        .map(|report| report["visits"].as_u64().unwrap())
        .sum();
    assert!(visits > 0);
}

#[test]
fn a_win_at_hand_is_proven() {
    let run = stoneline(
        &format!("analyse connect4 414141 {FIXED} --json --lines 1"),
        "",
    );
    let last: Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last["best"], "4");
    assert_eq!(last["value"]["win"], 1);
    assert_eq!(last["moves"].as_array().unwrap().len(), 1);
}

#[test]
fn a_batch_answers_in_order_and_names_the_bad_line() {
    let arguments = format!("analyse --file - {FIXED}");
    let run = stoneline(&arguments, "# wins\nconnect4 414141\n\nconnect4 4141414\n");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("best 4, win 1 for the first side"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("the game is over: the first side won"),
        "{}",
        run.stdout
    );
    let run = stoneline(&arguments, "connect4 414141\nconnect4 99\n");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("-, line 2"), "{}", run.stderr);
    assert!(run.stdout.contains("best 4"), "what came before is kept");
}

#[test]
fn positions_come_as_arguments_too() {
    for words in [
        &["connect4 414141", "connect4 44"][..],
        &["connect4", "414141", "connect4", "44"],
        &["connect4", "41 41 41", "connect4 44"],
    ] {
        let mut command = command("analyse --engine mcts:simulations=500 --json");
        command.args(words);
        let run = crate::run::finish(command, b"");
        assert_eq!(run.code, Some(0), "{words:?}: {}", run.stderr);
        let finals: Vec<Value> = run
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .filter(|event| event["final"] == true)
            .collect();
        let positions: Vec<&str> = finals
            .iter()
            .filter_map(|one| one["position"].as_str())
            .collect();
        assert_eq!(positions, ["connect4 414141", "connect4 44"], "{words:?}");
    }
    let run = stoneline(&format!("analyse - {FIXED}"), "connect4 414141\n");
    assert!(run.stdout.contains("best 4, win 1"), "{}", run.stdout);
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let mut child = command("analyse connect4 --time 60 --json")
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert!(serde_json::from_str::<Value>(&first).is_ok(), "{first}");
    drop(lines);
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(stderr, "");
}

#[cfg(unix)]
#[test]
fn interrupted_it_keeps_what_it_found() {
    let mut child = command("analyse connect4 --time 60 --json")
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let kill = format!("kill -INT {}", child.id());
    assert!(
        std::process::Command::new("sh")
            .args(["-c", &kill])
            .status()
            .unwrap()
            .success()
    );
    let last: Value = serde_json::from_str(&lines.map(Result::unwrap).last().unwrap()).unwrap();
    assert_eq!(last["final"], true);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
