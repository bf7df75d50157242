//! `stoneline match`: what programs read, what people read, and the verdict.

use crate::run::stoneline;
use serde_json::Value;

#[test]
fn json_has_the_keys_that_programs_read() {
    let line = "match kaggle-negamax random --games 10 --seed 4 --json";
    let run = stoneline(line, "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "", "no bar where nobody looks");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let number = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(number("games"), 10);
    assert_eq!(number("wins") + number("draws") + number("losses"), 10);
    assert!(report["score"].as_f64().unwrap() > 0.7, "{report}");
    let elo: Vec<f64> = serde_json::from_value(report["elo"].clone()).unwrap();
    assert!(
        elo.len() == 3 && elo[0] < elo[1] && elo[1] <= elo[2],
        "{report}"
    );
    assert_eq!(report["forfeits"], serde_json::json!([0, 0]));
    assert!(report["reasons"]["line"].as_u64().unwrap() > 0);
    assert_eq!(
        stoneline(line, "").stdout,
        run.stdout,
        "the seed decides all"
    );
}

#[test]
fn the_exit_code_tells_the_verdict() {
    let accepted = stoneline("match kaggle-negamax random --sprt 0,100 --games 200", "");
    assert_eq!(accepted.code, Some(0), "{}", accepted.stdout);
    assert!(accepted.stdout.contains("accepted"), "{}", accepted.stdout);
    let rejected = stoneline("match random kaggle-negamax --sprt 0,100 --games 200", "");
    assert_eq!(rejected.code, Some(1), "{}", rejected.stdout);
    assert!(rejected.stdout.contains("rejected"), "{}", rejected.stdout);
    let open = stoneline("match random random --sprt -1,1 --games 2", "");
    assert_eq!(open.code, Some(1), "{}", open.stdout);
    assert!(open.stdout.contains("open"), "{}", open.stdout);
}

#[test]
fn boards_of_the_course_differ_from_pair_to_pair() {
    let run = stoneline(
        "match random random --game course --games 6 --concurrency 2",
        "",
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("as first       3 games"),
        "{}",
        run.stdout
    );
}

/// Our own program, as a foreign one.
fn foreign(scheme: &str, engine: &str) -> String {
    let program = env!("CARGO_BIN_EXE_stoneline");
    format!("{scheme}:{program} engine {scheme} --engine {engine}")
}

fn match_of(first: &str, second: &str, rest: &str) -> crate::run::Finished {
    let mut command = crate::run::command("match");
    command.args([first, second]).args(rest.split_whitespace());
    crate::run::finish(command, b"")
}

#[test]
fn our_own_engines_play_as_foreign_programs() {
    for (scheme, game) in [
        ("gomocup", "connect4"),
        ("gomocup", "gomoku:7"),
        ("gomocup", "renju"),
        ("gomocup", "standard:9x7"),
        ("json", "course"),
        ("json", "caro:9"),
        ("saiblo", "course"),
    ] {
        let rest = format!("--game {game} --games 4 --time 2000 --concurrency 2 --json");
        let run = match_of(&foreign(scheme, "random:seed=3"), "random", &rest);
        assert_eq!(
            (run.code, run.stderr.as_str()),
            (Some(0), ""),
            "{scheme} {game}"
        );
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(report["games"], 4, "{scheme} {game}");
        let none = serde_json::json!([0, 0]);
        assert_eq!(report["forfeits"], none, "{scheme} {game}: {report}");
    }
}

#[test]
fn the_courses_judge_has_its_codes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("codes.txt");
    let rest = format!(
        "--game course --games 6 --time 2000 --json --codes {}",
        file.display()
    );
    let run = match_of(&foreign("saiblo", "random"), "random", &rest);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let counts = report["codes"].as_object().unwrap().values();
    assert_eq!(counts.map(|count| count.as_u64().unwrap()).sum::<u64>(), 6);
    let codes = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<Vec<&str>> = codes
        .lines()
        .map(|line| line.split(' ').collect())
        .collect();
    let rounds: Vec<&[&str]> = lines.iter().map(|line| &line[..2]).collect();
    assert_eq!(
        rounds,
        [
            ["1", "A"],
            ["1", "B"],
            ["2", "A"],
            ["2", "B"],
            ["3", "A"],
            ["3", "B"]
        ]
    );
    let wins = lines.iter().filter(|line| line[2] == "1").count() as u64;
    assert_eq!(report["wins"].as_u64(), Some(wins), "{codes}");
    let failing = match_of("saiblo:sh -c 'echo alas >&2; exit 3'", "random", &rest);
    let told = "game 1: saiblo:sh -c 'echo alas >&2; exit 3' lost by crash: the program ended \
                with code 3\n  stderr: alas\n";
    assert!(failing.stderr.starts_with(told), "{}", failing.stderr);
    let report: Value = serde_json::from_str(&failing.stdout).unwrap();
    assert_eq!(
        report["codes"],
        serde_json::json!({"3": 6}),
        "{}",
        failing.stdout
    );
}
