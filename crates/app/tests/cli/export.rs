//! `stoneline export`: what is written, and what is refused. Whether it plays is
//! tried in `tests/exports`, in Python.

use crate::run::{finish, stoneline};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn a_brain_is_a_program_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let written = stoneline(&format!("export gomocup {}", folder.path().display()), "");
    assert_eq!((written.code, written.stderr.as_str()), (Some(0), ""));
    let brain = folder.path().join("pbrain-stoneline");
    assert!(written.stdout.contains("pbrain-stoneline"));
    let own = Path::new(crate::run::stoneline_path()).metadata().unwrap();
    assert!(brain.metadata().unwrap().len() < own.len(), "it is lean");
    let mut started = Command::new(&brain);
    started
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let spoken = finish(started, b"START 15\nABOUT\nEND\n");
    assert!(spoken.stdout.starts_with("OK\n"), "{}", spoken.stdout);
    assert!(spoken.stdout.contains("Stoneline"), "{}", spoken.stdout);
    // Again, over the first one.
    let again = stoneline(&format!("export gomocup {}", folder.path().display()), "");
    assert_eq!(again.code, Some(0));
}

#[test]
fn what_can_not_be_exported_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    for (arguments, words) in [
        (
            format!("export kaggle {place} --engine bset"),
            "did you mean best",
        ),
        (
            format!("export gomocup {place} --engine mcts"),
            "without arguments",
        ),
        (
            format!("export course {place} --library {place}/none.so"),
            "none.so",
        ),
        (format!("export tv {place}"), "gomocup"),
    ] {
        let refused = stoneline(&arguments, "");
        assert_eq!(refused.code, Some(2), "{arguments}");
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    }
    // A program that lies alone, without cargo, has no library to export.
    let alone = folder.path().join("stoneline");
    std::fs::copy(crate::run::stoneline_path(), &alone).unwrap();
    let mut lonely = Command::new(&alone);
    lonely
        .args(["export", "course", &place.to_string()])
        .env_remove("CARGO")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let refused = finish(lonely, b"");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--library"), "{}", refused.stderr);
}
