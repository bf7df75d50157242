//! Foreign libraries in their host: the same zoo behind the course's two functions.

use crate::{HOST, assert_lost, compile, folder, peak_memory_kb, processes};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use stoneline_arena::{Adjudication, Entrant, Game, Reason, Seat, Terms, play};
use stoneline_rules::Position;
use stoneline_search::Limits;

/// The kinds of bad libraries, by the number that `bad_engine.c` is compiled with.
#[derive(Clone, Copy)]
enum Kind {
    Sound = 0,
    Crash = 1,
    Exit = 2,
    Hang = 3,
    Flood = 4,
    NoPoint = 5,
    Illegal = 6,
    NoSymbol = 7,
    Undefined = 8,
}

fn game(kind: Kind) -> Game {
    let folder = folder(&format!("library-{}", kind as u32));
    let mode = format!("-DMODE={}", kind as u32);
    let file = compile(&folder, &["-shared", "-fPIC", &mode], "bad.so");
    let game = against_random(&file);
    assert_eq!(processes(&folder), Vec::<String>::new());
    assert!(peak_memory_kb() < 400_000, "{} KB", peak_memory_kb());
    game
}

fn against_random(file: &Path) -> Game {
    let text = format!("so:host={HOST},memory=500,answer=1:{}", file.display());
    let entrant: Entrant = text.parse().unwrap();
    let opening = Position::new("course:9x9@8,4".parse().unwrap());
    entrant.check(opening.variant()).unwrap();
    let mut players = [entrant.make(), "random".parse::<Entrant>().unwrap().make()];
    let seats = players.each_mut().map(|player| Seat {
        player: &mut **player,
        limits: Limits {
            time: Some(Duration::from_millis(1500)),
            ..Limits::default()
        },
    });
    let terms = Terms {
        tolerance: Duration::from_millis(500),
        adjudication: Adjudication::default(),
    };
    let game = play(&opening, seats, &terms, &AtomicBool::new(false));
    players.iter_mut().for_each(|player| player.end());
    game.expect("nobody stops it")
}

#[test]
fn a_sound_library_plays_and_its_words_go_to_stderr() {
    let game = game(Kind::Sound);
    assert!(!game.reason.is_forfeit(), "{:?}", game.remark);
    let stderr = game.stderr[0].clone().unwrap_or_default();
    // C's buffer may hold words back when the host is ended.
    assert!(stderr.is_empty() || stderr.contains("a few words on stdout"));
}

#[test]
fn bad_libraries_lose_with_their_reason() {
    assert_lost(&game(Kind::Crash), Reason::Crash, "segmentation fault");
    assert_lost(&game(Kind::Exit), Reason::Crash, "ended by itself");
    assert_lost(&game(Kind::Hang), Reason::Time, "more than 2000 ms");
    assert_lost(&game(Kind::Flood), Reason::Time, "more than 2000 ms");
    assert_lost(&game(Kind::NoPoint), Reason::Crash, "returned no point");
    assert_lost(&game(Kind::Illegal), Reason::IllegalMove, "would float");
}

#[test]
fn libraries_that_cannot_be_used_say_why() {
    let missing = game(Kind::NoSymbol);
    assert_lost(&missing, Reason::Crash, "no getPoint");
    let undefined = game(Kind::Undefined);
    assert_lost(&undefined, Reason::Crash, "ended with code 127");
    assert!(
        undefined.stderr[0]
            .clone()
            .unwrap()
            .contains("nobody_has_this")
    );
    let text = format!("so:host={HOST}:/no/such/library.so");
    let entrant: Entrant = text.parse().unwrap();
    let refused = entrant.check(&"course".parse().unwrap()).unwrap_err();
    assert!(
        refused.to_string().contains("/no/such/library.so"),
        "{refused}"
    );
    let wrong_game = format!("so:host={HOST}:{}", file!());
    let entrant: Entrant = wrong_game.parse().unwrap();
    assert!(entrant.check(&"gomoku".parse().unwrap()).is_err());
}

/// Our own library, built with the profile of the tests.
fn our_library() -> std::path::PathBuf {
    // All of the workspace, as its tests are run: with other packages chosen, features of
    // dependencies differ and everything is built again.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let output = std::process::Command::new(env!("CARGO"))
        .args(["build", "--lib", "--workspace", "--quiet"])
        .args(["--message-format=json", "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let messages = String::from_utf8(output.stdout).unwrap();
    let files = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| Some(message["filenames"].as_array()?.clone()))
        .flatten()
        .filter_map(|name| name.as_str().map(std::path::PathBuf::from));
    files
        .into_iter()
        .find(|path| path.ends_with("libstoneline_strategy.so"))
        .expect("cargo names the library that it built")
}

#[test]
fn slow_our_own_library_plays_itself() {
    let player = format!("so:{}", our_library().display());
    let output = std::process::Command::new(HOST)
        .args([
            "match", &player, &player, "--game", "course", "--games", "6",
        ])
        .args(["--time", "3000", "--concurrency", "2", "--json"])
        .env("STONELINE_ENGINE", "mcts:simulations=50")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["games"], 6);
    assert_eq!(report["forfeits"], serde_json::json!([0, 0]), "{report}");
}
