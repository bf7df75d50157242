//! The library as its hosts meet it: loaded by a C program, which plays and judges.
//!
//! `host.c` says what it does; here stand the expected verdicts. Each answer
//! comes twice in its output, once from each of two copies in one process.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The library, built with the profile of the tests.
fn library() -> PathBuf {
    // `cargo test` makes no cdylib by itself. All of the workspace, as its tests are run: with
    // other packages chosen, features of dependencies differ and everything is built again.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["build", "--lib", "--workspace"])
        .args(["--quiet", "--message-format=json", "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert_done(&output);
    stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter_map(|message| Some(message["filenames"].as_array()?.clone()))
        .flatten()
        .filter_map(|name| name.as_str().map(PathBuf::from))
        .find(|path| path.file_name().unwrap() == "libstoneline_strategy.so")
        .expect("cargo names the library that it built")
}

fn assert_done(output: &Output) {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {complaint}", output.status);
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// What the host prints, with two copies of the library loaded; a folder of `name` is used.
fn host(name: &str, random_boards: u32, environment: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let library = library();
    let copies = ["one.so", "two.so"].map(|file| folder.join(file));
    for copy in &copies {
        std::fs::copy(&library, copy).unwrap();
    }
    let program = folder.join("host");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/host.c"))
        .arg("-o")
        .arg(&program)
        .arg("-ldl")
        .output()
        .unwrap();
    assert_done(&compiled);
    let played = Command::new(program)
        .args(copies)
        .arg(random_boards.to_string())
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    assert_done(&played);
    assert_eq!(String::from_utf8_lossy(&played.stderr), "");
    stdout(&played).to_owned()
}

/// The different lines that begin with `word`, without it.
fn told<'a>(output: &'a str, word: &str) -> BTreeSet<&'a str> {
    let rest = |line: &'a str| line.strip_prefix(word)?.strip_prefix(' ');
    output.lines().filter_map(rest).collect()
}

/// Checks the parts of the host's output that don't depend on the engine, and that it is all.
fn assert_sound(output: &str, games: usize) {
    assert!(!output.contains("ILLEGAL"), "{output}");
    let of = |word: &str| output.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!(of("game "), games, "{output}");
    let others = of("probe ") + of("corrupt ") + 1;
    assert_eq!(output.lines().count(), games + others, "{output}");
    assert_eq!(output.lines().last(), Some("done"));
    let verdicts = [
        "alignment: both",
        "columns: none",
        "every cell taken: none",
        "every top: board",
        "finished game: both",
        "floating stone: both",
        "forbidden column: both",
        "forbidden row: both",
        "last stone: both",
        "marked forbidden cell: both",
        "negative mark: both",
        "nothing: both",
        "null board: top",
        "null both: none",
        "null top: board",
        "one stone too many: both",
        "rows: none",
        "size: both",
        "two too many: both",
        "unknown mark: both",
    ];
    assert_eq!(told(output, "corrupt"), BTreeSet::from(verdicts));
}

/// Games of the host on fixed boards and side by side.
const USUAL_GAMES: usize = 14;

#[test]
fn a_search_plays_whole_games() {
    let output = host("search", 2, &[("STONELINE_ENGINE", "mcts:simulations=300")]);
    assert_sound(&output, USUAL_GAMES + 4);
    let expected = [
        "block: 5,7",
        "win above the forbidden cell: 7,3",
        "win of the first: 6,8",
        "win of the second: 5,8",
    ];
    assert_eq!(told(&output, "probe"), BTreeSet::from(expected));
}

#[test]
fn the_usual_engine_plays_within_a_short_time() {
    let output = host(
        "short",
        0,
        &[
            ("STONELINE_MOVE_MS", "3"),
            ("STONELINE_MEMORY_MB", "1"),
            ("STONELINE_THREADS", "2"),
        ],
    );
    assert_sound(&output, USUAL_GAMES);
}

#[test]
fn random_moves_are_legal_on_many_boards() {
    let output = host("random", 60, &[("STONELINE_ENGINE", "random")]);
    assert_sound(&output, USUAL_GAMES + 120);
}

#[test]
fn two_functions_are_exported_and_nothing_else() {
    let output = Command::new("nm")
        .args(["--dynamic", "--defined-only", "--format=posix"])
        .arg(library())
        .output()
        .unwrap();
    assert_done(&output);
    let symbols: BTreeSet<&str> = stdout(&output)
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(symbols, BTreeSet::from(["clearPoint", "getPoint"]));
}

/// The glibc that the library may ask for.
const OLDEST_GLIBC: (u32, u32) = (2, 18);

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
fn old_machines_have_all_that_it_calls() {
    let output = Command::new("nm")
        .args(["--dynamic", "--undefined-only", "--format=posix"])
        .arg(library())
        .output()
        .unwrap();
    assert_done(&output);
    let mut seen = 0;
    for line in stdout(&output).lines() {
        let Some((name, version)) = line.split_once("@GLIBC_") else {
            continue;
        };
        let version = version.split(' ').next().unwrap();
        let numbers: Vec<u32> = version
            .split('.')
            .map(|part| part.parse().unwrap())
            .collect();
        assert!(
            (numbers[0], numbers[1]) <= OLDEST_GLIBC,
            "{name} asks for glibc {version}"
        );
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}
