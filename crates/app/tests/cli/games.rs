//! `stoneline games`: what was kept, in every form.

use crate::run::{Finished, finish, shell, stoneline};
use serde_json::Value;
use std::process::{Command, Stdio};

const WON: &str = "connect4 4545454\n";

fn in_folder(folder: &std::path::Path, arguments: &str, input: &str) -> Finished {
    let mut command = Command::new(crate::run::stoneline_path());
    command
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(command, input.as_bytes())
}

#[test]
fn games_of_a_store_are_listed_shown_and_exported() {
    let run = shell(
        "stoneline match random random --games 2 --seed 3 --store m.db >/dev/null \
         && stoneline games list m.db && stoneline games list m.db --json \
         && stoneline games show m.db --number 2 \
         && stoneline games export m.db all.record && stoneline games list all.record",
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines[0].trim_start().starts_with("number  first"),
        "{}",
        lines[0]
    );
    let number: Value = serde_json::from_str(lines[4]).unwrap();
    assert_eq!(number["number"], 2);
    assert!(
        number["moves"]
            .as_array()
            .is_some_and(|moves| moves.len() >= 7)
    );
    assert_eq!(
        lines[..3],
        lines[lines.len() - 3..],
        "records tell the same"
    );
}

#[test]
fn a_game_goes_from_form_to_form_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let gomoku = "gomoku h8 i9 h7 i10\n";
    let run = in_folder(folder.path(), "games export - a.sgf", gomoku);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for (from, to) in [
        ("a.sgf", "a.psq"),
        ("a.psq", "a.record"),
        ("a.record", "a.txt"),
    ] {
        let run = in_folder(folder.path(), &format!("games convert {from} {to}"), "");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{to}");
    }
    let text = std::fs::read_to_string(folder.path().join("a.txt")).unwrap();
    assert_eq!(text, gomoku);
    let json = in_folder(folder.path(), "games export a.txt - --format json", "").stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["moves"][1]["move"], "i9");
}

#[test]
fn pictures_are_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.svg", "a.gif"] {
        let run = in_folder(folder.path(), &format!("games export - {name}"), WON);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    }
    let svg = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    let gif = std::fs::read(folder.path().join("a.gif")).unwrap();
    assert!(gif.starts_with(b"GIF89a"));
}

#[test]
fn a_replay_shows_every_position() {
    let run = stoneline("games replay - --delay 5", WON);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout.matches("1  2  3  4  5  6  7").count(), 8);
    assert!(
        !run.stdout.contains('\x1b'),
        "a pipe gets no escape sequences"
    );
    assert!(run.stdout.ends_with("winner: first\n"), "{}", run.stdout);
}

#[test]
fn what_can_not_be_done_is_told() {
    for (arguments, input, expected) in [
        ("games show nowhere.sgf", "", "nowhere.sgf"),
        ("games show - --number 2", WON, "no game 2: there are 1"),
        ("games show - --ply 9", WON, "no ply 9"),
        ("games export - a.png", WON, ".png"),
        ("games export - a.sgf", WON, "falling stones"),
        ("games list -", "(;GM[1])", "not gomoku"),
        ("games list -", "connect4 99", "line 1"),
        ("games list - --run x", WON, "only a store"),
        (
            "games export - - --format gif",
            "connect4 4\nconnect4 5\n",
            "--number",
        ),
    ] {
        let run = stoneline(arguments, input);
        assert_eq!(run.code, Some(2), "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
}
