//! `stoneline solve` and `stoneline book`: exact answers, checked lists, bounds.

use crate::run::stoneline;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect()
}

/// A file of this test run alone.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).expect("a folder for scratch files");
    folder.join(name)
}

#[test]
fn a_position_is_solved_with_every_move() {
    let run = stoneline("solve connect4 4444445 --json", "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let answer = &json_lines(&run.stdout)[0];
    assert_eq!(answer["moves"], "4444445");
    assert_eq!(answer["score"], -1);
    let scores = json!({"1": -16, "2": -16, "3": -2, "5": -16, "6": -1, "7": -16});
    assert_eq!(answer["scores"], scores);
    assert_eq!(answer["best"], "6");
    // Seven stones lie, the first side wins with the 41st.
    assert_eq!(answer["line"].as_str().map(str::len), Some(34));
    assert!(answer["cpu_us"].is_u64() && answer["nodes"].is_u64());
    let text = stoneline("solve connect4 4444445", "").stdout;
    assert!(text.contains("the first side wins in 34 plies"), "{text}");
    assert!(text.contains("column 6  -1  best"), "{text}");
}

#[test]
fn a_file_is_checked_and_a_mismatch_names_its_line() {
    let list = "444444 1\n\n4444445   -1\n7777771111112222\n";
    let good = stoneline("solve --file - --json", list);
    assert_eq!(good.code, Some(0), "{}", good.stderr);
    let lines = json_lines(&good.stdout);
    assert_eq!(lines.len(), 4);
    assert!(lines[0].get("scores").is_none());
    assert_eq!(lines[3]["positions"], 3);
    assert_eq!(lines[3]["mismatches"], 0);
    assert!(lines[3]["cpu_us_mean"].is_f64());
    let bad = stoneline("solve --file -", "444444 1\n4444445 3\n");
    assert_eq!(bad.code, Some(1));
    assert!(
        bad.stdout.contains("mismatch on line 2: expected 3"),
        "{}",
        bad.stdout
    );
    let all = stoneline("solve --file - --all-moves --json", "4444445\n");
    assert_eq!(json_lines(&all.stdout)[0]["scores"]["3"], -2);
    let empty = stoneline("solve --file - --game connectx:4x4x4", "- 0\n- 1\n");
    assert!(empty.stdout.starts_with("- 0\n- 0  mismatch on line 2"));
    let ruled_out = stoneline("solve --file - --no-book --nodes 10", "44 -20\n");
    assert_eq!(ruled_out.code, Some(1), "{}", ruled_out.stdout);
    let outcome = stoneline("solve --file - --outcome --json", "4444445 -7\n");
    assert_eq!(outcome.code, Some(0));
    assert_eq!(json_lines(&outcome.stdout)[0]["score"], -1);
}

#[test]
fn what_is_wrong_in_a_file_is_named_by_line() {
    for (list, expected) in [
        ("44\n4x\n", "line 2"),
        ("44 one\n", "\"one\""),
        ("44 1 2\n", "unexpected \"2\""),
        ("4141414\n", "the game is over"),
    ] {
        let run = stoneline("solve --file -", list);
        assert_eq!(run.code, Some(2), "{list}");
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn a_limit_gives_bounds() {
    let run = stoneline("solve connect4 --no-book --nodes 1000 --json", "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let answer = &json_lines(&run.stdout)[0];
    assert_eq!(answer["score"], Value::Null);
    let bound = |at: usize| answer["bounds"][at].as_i64().expect("a bound");
    assert!(bound(0) <= 1 && 1 <= bound(1));
    let timed = stoneline("solve course:12x12@5,5 --limit 0.01", "");
    assert_eq!(timed.code, Some(0), "{}", timed.stderr);
    assert!(timed.stdout.contains("not decided"), "{}", timed.stdout);
}

#[test]
fn a_book_is_built_from_where_it_stopped_and_verified() {
    let file = scratch("resumed.book");
    let progress = scratch("resumed.book.progress");
    // The empty board is known; the line after it was cut short.
    fs::write(&progress, "4432676798593 1 3\n44326").expect("a scratch file");
    let name = file.display();
    let plan = "--all-plies 0 --own-plies 0 --memory 1";
    let run = stoneline(&format!("book build {name} {plan}"), "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("1 positions"), "{}", run.stdout);
    let check = format!("book verify {name} --plies 0 --sample 9 --json");
    let run = stoneline(&check, "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(json_lines(&run.stdout)[0]["in_book"], 1);
    fs::write(&file, "not a book").expect("a scratch file");
    let run = stoneline(&check, "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("not an opening book"), "{}", run.stderr);
}
