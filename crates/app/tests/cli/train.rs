//! `stoneline train`: what the gate lets in, and what it refuses.

use crate::run::{Finished, stoneline, stoneline_path};
use std::path::{Path, PathBuf};

/// The net that ships.
fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../search/data/gravity.net")
}

/// Runs `stoneline train` with the file `name` of `folder`, which gets this text.
fn train(folder: &Path, name: &str, text: &str) -> Finished {
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    stoneline(&format!("train {} --threads 2", file.display()), "")
}

/// A folder with `weak.net`, fitted to a few games of a player that knows little.
fn with_weak_net() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = train(
        folder.path(),
        "weak.toml",
        "[play]\nfile = 'few.games'\nengine = 'mcts:simulations=10,memory=1MB'\ngames = 100\n\
         boards = [['connectx:5x5x4', 1]]\n\
         [fit]\ndata = ['few.games']\nnet = 'weak.net'\nepochs = 1\nrate = 0.0001\n",
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    folder
}

/// A gate in which `net` meets `old`, and then `yardstick`.
fn gate(net: &Path, old: &Path, yardstick: &str) -> String {
    format!(
        "[gate]\nnet = '{}'\nold = '{}'\nreplaces = 'in.net'\nnodes = 300\ngames = 400\n\
         board = 'connectx:7x7x4'\nopening_plies = 2\nyardsticks = ['random', '{yardstick}']\n\
         yardstick_games = 3\n",
        net.display(),
        old.display(),
    )
}

#[test]
fn the_gate_lets_a_better_net_in_slow() {
    let folder = with_weak_net();
    let weak = folder.path().join("weak.net");
    let replaced = folder.path().join("in.net");
    let another = format!("json:{} engine json", stoneline_path());
    let better = gate(&shipped(), &weak, &format!("{another} --engine random"));
    let run = train(folder.path(), "better.toml", &better);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("against json:"), "{}", run.stdout);
    assert!(run.stdout.contains("+4 =0 -0"), "{}", run.stdout);
    assert!(run.stdout.contains("let in: "), "{}", run.stdout);
    let net = std::fs::read(&replaced).unwrap();
    assert!(net == std::fs::read(shipped()).unwrap());

    std::fs::write(&replaced, "as it was").unwrap();
    let worse = gate(&weak, &shipped(), "random");
    let run = train(folder.path(), "worse.toml", &worse);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let reason = "refused: not 30 Elo better than the old net";
    assert!(run.stdout.contains(reason), "{}", run.stdout);

    // A program that is none says nothing of the nets.
    let run = train(
        folder.path(),
        "foreign.toml",
        &gate(&shipped(), &weak, "json:false"),
    );
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains(", 4 by json:false\n"), "{}", run.stdout);
    let reason = "refused: json:false forfeited 4 of 4 games";
    assert!(run.stdout.contains(reason), "{}", run.stdout);
    assert_eq!(std::fs::read(&replaced).unwrap(), b"as it was");
}

#[test]
fn a_gate_that_cannot_be_held_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: &str, code: i32, reason: &str| {
        let run = train(folder.path(), "gate.toml", text);
        assert_eq!(run.code, Some(code), "{text}");
        assert!(run.stderr.contains(reason), "{text}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    };
    let net = shipped();
    let good = gate(&net, &net, "random");
    let but = |from: &str, to: &str| good.replacen(from, to, 1);
    refused(&but("'random'", "'rnadom'"), 2, "gate.yardsticks = rnadom");
    refused(&but("'random'", "'so:'"), 2, "expected a library's file");
    refused(&but("'random'", "'so:nowhere.so'"), 2, "nowhere.so");
    refused(&but("nodes = 300", "nodes = 0"), 2, "gate.nodes = 0");
    refused(&but("games = 400", "games = 0"), 2, "gate.games = 0");
    refused(&but("net = '", "net = 'nowhere"), 2, "nowhere");
}
