//! `stoneline report` and `stoneline experiment`: every form of a small run.

use crate::run::{Finished, stoneline};
use serde_json::Value;
use std::path::Path;
use stoneline_rules::Record;

fn report(store: &Path, more: &str) -> Finished {
    let run = stoneline(&format!("report {} {more}", store.display()), "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn kept_match(folder: &Path, game: &str) -> std::path::PathBuf {
    let store = folder.join("games.db");
    let run = stoneline(
        &format!(
            "match random random --game {game} --games 4 --store {}",
            store.display()
        ),
        "",
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    store
}

#[test]
fn games_are_exported_whole_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let store = kept_match(folder.path(), "gobang");
    let lines = report(&store, "--jsonl").stdout;
    let games: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games.len(), 4);
    let moves = games[0]["moves"].as_array().unwrap().len();
    assert_eq!(games[0]["time_us"].as_array().unwrap().len(), moves);
    let csv = report(&store, "--csv").stdout;
    assert_eq!(csv.lines().count(), 5, "a header and four games");
    assert!(
        csv.lines()
            .nth(1)
            .unwrap()
            .contains(games[0]["identity"].as_str().unwrap())
    );
    let records = report(&store, "--records").stdout;
    for text in records
        .split("\nend\n")
        .filter(|text| !text.trim().is_empty())
    {
        let record = Record::read(&format!("{}\nend\n", text.trim_start())).unwrap();
        assert!(record.result().is_some());
    }
    let sgf = report(&store, "--sgf").stdout;
    assert_eq!(sgf.matches("(;FF[4]").count(), 4);
    let markdown = report(&store, "").stdout;
    assert!(markdown.contains("## Ranking"), "{markdown}");
    let page = folder.path().join("page.html");
    report(&store, &format!("--out {}", page.display()));
    assert!(
        std::fs::read_to_string(&page)
            .unwrap()
            .starts_with("<!doctype html>")
    );
    let summary: Value = serde_json::from_str(&report(&store, "--json").stdout).unwrap();
    assert_eq!(summary["games"], 4);
}

#[test]
fn what_can_not_be_told_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = kept_match(folder.path(), "connect4");
    for (arguments, offender) in [
        (
            format!("report {} --sgf", store.display()),
            "falling stones",
        ),
        (format!("report {} --run none", store.display()), "none"),
        ("report nowhere.db".to_owned(), "nowhere.db"),
    ] {
        let run = stoneline(&arguments, "");
        assert_eq!(run.code, Some(2), "{arguments}");
        assert!(run.stderr.contains(offender), "{}", run.stderr);
    }
}

#[test]
fn a_kept_match_goes_on_instead_of_beginning_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = kept_match(folder.path(), "connect4");
    let line = format!(
        "match random random --game connect4 --games 6 --store {} --json",
        store.display()
    );
    let run = stoneline(&line, "");
    let result: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(result["games"], 6);
    assert_eq!(report(&store, "--jsonl").stdout.lines().count(), 6);
}

/// Every ready experiment can be read, and its engines exist and play its game.
#[test]
fn ready_experiments_begin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let experiment = stoneline_arena::Experiment::read(&path).unwrap();
            for arm in experiment.all_arms() {
                let game = stoneline_rules::Variant::named(&experiment.game, 1).unwrap();
                for engine in experiment.opponents.iter().chain([&arm.engine]) {
                    let entrant: stoneline_arena::Entrant = engine.parse().unwrap();
                    entrant.check(&game).unwrap();
                }
            }
            count += 1;
        }
    }
    assert!(count >= 4);
}
