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
