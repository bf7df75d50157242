//! `stoneline tournament`: what people and programs read, and that nothing is ever lost.

use crate::run::{Finished, command, stoneline};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use stoneline_arena::Store;
use stoneline_rules::Chance;

/// A folder with a tournament of fast engines, bounded by nodes, in `cup.toml`.
fn cup(games: u32, simulations: u32) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    let text = format!(
        "games = {games}\nsimulations = {simulations}\nnodes = 100\nconcurrency = 2\nseed = 5\n\
         [[player]]\nengine = 'mcts'\n[[player]]\nengine = 'mcts:rollout=uniform'\n\
         [[player]]\nengine = 'kaggle-negamax'\n[[player]]\nengine = 'random'\n"
    );
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

fn tournament(file: &Path, more: &str) -> Finished {
    stoneline(&format!("tournament {} {more}", file.display()), "")
}

fn kept(file: &Path) -> u32 {
    let Ok(store) = Store::open_to_read(&file.with_extension("db")) else {
        return 0;
    };
    store
        .run_named(None)
        .and_then(|run| store.games_kept(&run))
        .unwrap_or(0)
}

#[test]
fn the_table_ranks_the_players() {
    let (_folder, file) = cup(4, 100);
    let run = tournament(&file, "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "", "no bar where nobody looks");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[1].contains("  1 mcts "), "{}", run.stdout);
    assert!(lines[4].contains("  4 random"), "{}", run.stdout);
    let again = tournament(&file, "--resume --json");
    let report: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(report["games"], 24);
    assert_eq!(report["complete"], true);
    assert_eq!(report["players"][0]["name"], "mcts");
    assert!(report["players"][0]["elo"][0].as_f64().unwrap() > 0.0);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 6);
    let sum: u64 = report["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["games"].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 48, "each game has two players");
}

#[test]
fn nonsense_is_refused_in_one_line() {
    let (folder, file) = cup(4, 10);
    let run = tournament(&file, "--resume");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("no tournament to go on with"),
        "{}",
        run.stderr
    );
    let wrong = folder.path().join("wrong.toml");
    std::fs::write(&wrong, "game = 'connect4'\ngmaes = 3\n").unwrap();
    let run = tournament(&wrong, "");
    assert_eq!(run.code, Some(2));
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("gmaes"), "{}", run.stderr);
    let missing = tournament(&folder.path().join("none.toml"), "");
    assert!(missing.stderr.contains("none.toml"), "{}", missing.stderr);
}

/// The bar of the judge that loses nothing.
#[test]
fn killed_fifty_times_it_loses_no_game_and_plays_none_twice() {
    let (_calm, undisturbed) = cup(160, 1200);
    let expected = tournament(&undisturbed, "--json");
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let (_folder, file) = cup(160, 1200);
    let mut chance = Chance::new(3);
    let mut before = 0;
    for kill in 0..50 {
        let mut child = command(&format!("tournament {}", file.display()))
            .spawn()
            .unwrap();
        // Killed at whatever it does after a few more games, not at a time.
        let wanted = before + 1 + chance.below(5);
        let mut seen = before;
        while seen < wanted && child.try_wait().unwrap().is_none() {
            seen = kept(&file);
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let after = kept(&file);
        assert!(
            after >= seen && seen >= before,
            "kill {kill}: {after} of {seen} games left"
        );
        before = after;
    }
    assert!(
        before < 960,
        "the kills came while games were left: {before}"
    );
    let finished = tournament(&file, "--json");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert_eq!(finished.stdout, expected.stdout);
    let games = |file: &Path| {
        let store = Store::open_to_read(&file.with_extension("db")).unwrap();
        let run = store.run_named(None).unwrap();
        let games = store.games(&run).unwrap().into_iter();
        games
            .map(|game| (game.fixture, game.identity, game.cells, game.outcome))
            .collect::<Vec<_>>()
    };
    assert_eq!(games(&file), games(&undisturbed));
}

/// A limit on the size of files stands for a full disk: writes fail in the same way.
#[test]
fn a_full_disk_stops_it_loudly_and_what_was_kept_is_whole() {
    let (_folder, file) = cup(40, 20);
    let binary = env!("CARGO_BIN_EXE_stoneline");
    let line = format!(
        "trap '' XFSZ; ulimit -f 300; {binary:?} tournament {:?}",
        file.display().to_string()
    );
    let run = Command::new("bash")
        .args(["-c", &line])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cup.db"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let store = Store::open_to_read(&file.with_extension("db")).unwrap();
    let run = store.run_named(None).unwrap();
    let games = store.games(&run).unwrap();
    assert!((1..240).contains(&games.len()), "{}", games.len());
    drop(store);
    let finished = tournament(&file, "--json");
    let (_calm, undisturbed) = cup(40, 20);
    assert_eq!(finished.stdout, tournament(&undisturbed, "--json").stdout);
}

/// The same on a disk that is full indeed: a small one, where the system lets us mount it.
#[cfg(target_os = "linux")]
#[test]
fn a_small_disk_that_fills_up_stops_it_loudly_and_what_was_kept_is_whole() {
    let (folder, file) = cup(40, 20);
    // The disk is seen by this shell alone; what was kept is carried out of it at the end.
    let script = "set -e; mkdir disk saved; mount -t tmpfs -o size=400k tmpfs disk; \
        cp cup.toml disk; set +e; \"$0\" tournament disk/cup.toml 2> saved/stderr; \
        echo $? > saved/code; \"$0\" report disk/cup.db --jsonl > saved/games; cp disk/cup.db* saved";
    let run = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(env!("CARGO_BIN_EXE_stoneline"))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output();
    let saved = |name: &str| std::fs::read_to_string(folder.path().join("saved").join(name));
    if !run.is_ok_and(|run| run.status.success()) || saved("code").is_err() {
        // No disks of our own here: the limit on the size of files stands for one.
        return;
    }
    let stderr = saved("stderr").unwrap();
    assert_eq!(saved("code").unwrap().trim(), "2", "{stderr}");
    assert!(stderr.contains("cup.db"), "{stderr}");
    assert!(stderr.contains("full"), "{stderr}");
    let games = saved("games").unwrap().lines().count();
    assert!((1..240).contains(&games), "{games}");
    for name in ["cup.db", "cup.db-wal"] {
        let source = folder.path().join("saved").join(name);
        if source.exists() {
            std::fs::copy(source, folder.path().join(name)).unwrap();
        }
    }
    assert_eq!(kept(&file) as usize, games, "carried out whole");
    let finished = tournament(&file, "--json");
    let (_calm, undisturbed) = cup(40, 20);
    assert_eq!(finished.stdout, tournament(&undisturbed, "--json").stdout);
}
