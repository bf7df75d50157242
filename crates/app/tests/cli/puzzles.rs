//! `stoneline puzzles`: wins that are found, counted by kind, and files that can't be read.

use crate::run::stoneline;
use serde_json::Value;

/// An open three, a four-three, a quiet position, and one that lacks two stones.
const PUZZLES: &str = "id\tmode\tside\tblack\twhite
1\tVCF\tblack\th8 i8 j8\ta1 a3 a5
2\tVCT\tfirst\th8 i8 j9 j10\ta1 a3 a5 c1
3\tVCF\tblack\th8 i9\ta1 a3
4\tVCF\tblack\th8 i8 j8\ta1
";

#[test]
fn wins_are_counted_by_kind() {
    let run = stoneline("puzzles - --game gomoku --time 1 --json", PUZZLES);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0]["solved"], true);
    assert_eq!(lines[0]["plies"], 3);
    assert_eq!(lines[1]["verified"], true);
    assert_eq!(lines[2]["solved"], false);
    assert_eq!(lines[3]["verified"], true);
    assert_eq!(
        lines[3]["added"]
            .as_str()
            .map(|text| text.split(' ').count()),
        Some(2)
    );
    let total = &lines[4];
    assert_eq!((&total["total"], &total["solved"]), (&4.into(), &3.into()));
    assert_eq!(total["by_mode"]["VCF"], serde_json::json!([2, 3]));
    assert_eq!(total["by_mode"]["VCT"], serde_json::json!([1, 1]));
    let table = stoneline("puzzles - --game gomoku --time 1", PUZZLES).stdout;
    assert!(
        table.contains("VCF    2 of 3 found and checked, 66.7 %"),
        "{table}"
    );
}

#[test]
fn bad_files_are_refused_with_the_line() {
    let refusals = [
        ("1\tVCF\tblack\th8", "line 1: expected 5 fields"),
        ("1\tVCF\tred\th8\t", "line 1: side \"red\""),
        ("1\tVCF\twhite\th8 8h\t", "line 1: \"8h\" is no cell"),
        ("1\tVCF\tblack\th8\th8", "h8"),
        ("1\tVCF\tblack\tz30\ta1", "z30"),
        ("1\tVCF\tblack\th8 i8 j8 k8 l8\ta1 a3 a5 a7 a9", "line 1: "),
    ];
    for (text, reason) in refusals {
        let run = stoneline("puzzles - --game gomoku", text);
        assert_eq!(run.code, Some(2), "{text}");
        assert!(run.stderr.contains(reason), "{text}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1);
    }
    let falling = stoneline("puzzles - --game connect4", PUZZLES);
    assert_eq!(falling.code, Some(2));
    assert!(falling.stderr.contains("falling stones"));
}
