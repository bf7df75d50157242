//! A zoo of bad engines: each loses with the right reason and leaves nothing behind.
//!
//! `bad_engine.c` misbehaves in the way that its argument names, at its second
//! move. Limits are short; only the bad engines themselves ever wait.
#![cfg(target_os = "linux")]

mod libraries;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use stoneline_arena::{Adjudication, Entrant, Game, Player, Reason, Seat, Start, Terms, play};
use stoneline_rules::{Position, Side};
use stoneline_search::Limits;

/// The program that supervises and confines.
const HOST: &str = env!("CARGO_BIN_EXE_stoneline");

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("zoo-{name}"));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// `bad_engine.c`, compiled into the folder.
fn compile(folder: &Path, arguments: &[&str], name: &str) -> PathBuf {
    let target = folder.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/zoo/bad_engine.c");
    let compiled = Command::new("cc")
        .args([
            "-std=gnu11",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Wno-implicit-fallthrough",
        ])
        .args(arguments)
        .arg(source)
        .arg("-o")
        .arg(&target)
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{complaints}");
    target
}

/// A bad engine and the folder by which its processes are known.
struct Animal {
    folder: PathBuf,
    player: Box<dyn Player>,
    /// What a move may take.
    time: Duration,
}

impl Animal {
    fn new(mode: &str) -> Self {
        let folder = folder(mode);
        let engine = compile(&folder, &[], "bad_engine");
        let text = format!(
            "gomocup:host={HOST},start=2500,memory=200,files=40,file=1,answer=1:'{}' {mode}",
            engine.display()
        );
        let entrant: Entrant = text.parse().unwrap();
        Self {
            folder,
            player: entrant.make(),
            time: Duration::from_millis(800),
        }
    }

    /// With all the time that it takes to come to its own end, on a busy machine too.
    fn patient(mut self) -> Self {
        self.time = Duration::from_secs(60);
        self
    }

    /// A game against random play, the bad engine opening.
    fn game(&mut self) -> Game {
        let mut random = "random".parse::<Entrant>().unwrap().make();
        let opening = Position::new("gomoku:7".parse().unwrap());
        let limits = Limits {
            time: Some(self.time),
            ..Limits::default()
        };
        let seats = [&mut *self.player, &mut *random].map(|player| Seat {
            player,
            limits: limits.clone(),
        });
        let terms = Terms {
            tolerance: Duration::from_millis(200),
            adjudication: Adjudication::default(),
        };
        let game = play(&opening, seats, &terms, &AtomicBool::new(false));
        game.expect("nobody stops it")
    }

    /// Asserts that it loses for `reason`, told in a sentence that holds `words`, twice, the
    /// second game beginning soon after the first.
    fn loses(mut self, reason: Reason, words: &str) -> Game {
        let game = self.game();
        assert_lost(&game, reason, words);
        let ended = Instant::now();
        // Begun, or lost at its beginning again: either way the arena goes on.
        let _ = self.player.new_game(&Start {
            variant: game.opening.variant(),
            side: Side::First,
            limits: &Limits::default(),
            tolerance: Duration::ZERO,
        });
        let waited = ended.elapsed();
        assert!(waited < Duration::from_secs(5), "{waited:?}");
        assert_lost(&self.game(), reason, words);
        self.player.end();
        self.leaves_nothing();
        game
    }

    /// Asserts that it plays to the end; what it wrote on stderr.
    fn plays(mut self) -> String {
        let game = self.game();
        let board = [Reason::Line, Reason::FullBoard];
        assert!(
            board.contains(&game.reason),
            "{:?} {:?}",
            game.reason,
            game.remark
        );
        self.player.end();
        self.leaves_nothing();
        // All of it is read by the end.
        self.player.stderr().unwrap_or_default()
    }

    fn leaves_nothing(&self) {
        assert_eq!(processes(&self.folder), Vec::<String>::new());
        let most_kb = peak_memory_kb();
        assert!(
            most_kb < 400_000,
            "our own memory stays bounded: {most_kb} KB"
        );
    }
}

fn assert_lost(game: &Game, reason: Reason, words: &str) {
    let remark = game.remark.clone().unwrap_or_default();
    assert_eq!(game.reason, reason, "{remark}");
    assert_eq!(game.winner, Some(Side::Second), "{remark}");
    assert!(remark.contains(words), "{remark:?} lacks {words:?}");
}

/// The commands of all processes that name the folder, our own test aside.
fn processes(folder: &Path) -> Vec<String> {
    let name = format!("{}/", folder.display());
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .map(|command| String::from_utf8_lossy(&command).replace('\0', " "))
        .filter(|command| command.contains(&name))
        .collect()
}

fn peak_memory_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn sound_engines_play() {
    Animal::new("sound").plays();
    Animal::new("greeting").plays();
}

#[test]
fn crashes_are_told_with_the_last_words() {
    Animal::new("crash-at-once").loses(Reason::Crash, "ended with code 3");
    let game = Animal::new("crash-later").loses(Reason::Crash, "segmentation fault");
    assert_eq!(game.stderr[0].as_deref(), Some("my last words"));
    assert_eq!(game.moves.len(), 2);
}

#[test]
fn whoever_does_not_start_is_out_of_time() {
    Animal::new("hang-at-start").loses(Reason::Time, "start-up took more than 2500 ms");
}

#[test]
fn whoever_hangs_or_is_late_is_out_of_time() {
    Animal::new("hang").loses(Reason::Time, "more than 1000 ms");
    Animal::new("closes-stdin").loses(Reason::Time, "more than 1000 ms");
    Animal::new("late").loses(Reason::Time, "more than 1000 ms");
}

#[test]
fn a_deaf_engine_is_ended_all_the_same() {
    let mut animal = Animal::new("deaf");
    for _ in 0..2 {
        let game = animal.game();
        assert!(!game.reason.is_forfeit(), "{:?}", game.remark);
    }
    animal.player.end();
    animal.leaves_nothing();
}

#[test]
fn floods_are_bounded() {
    Animal::new("flood-stdout").loses(Reason::ProtocolError, "bytes for one answer");
    Animal::new("endless-line").loses(Reason::ProtocolError, "a line of more than");
    let stderr = Animal::new("flood-stderr").plays();
    assert!(stderr.ends_with("the end of the flood"));
    assert!(stderr.len() <= 64 << 10);
}

#[test]
fn words_that_the_protocol_lacks_are_protocol_errors() {
    Animal::new("broken-text").loses(Reason::ProtocolError, "is no answer");
    Animal::new("nonsense").loses(Reason::ProtocolError, "I resign");
    Animal::new("error").loses(Reason::ProtocolError, "ERROR I can't");
}

#[test]
fn illegal_moves_are_told() {
    Animal::new("illegal").loses(Reason::IllegalMove, "is taken");
    Animal::new("off-board").loses(Reason::IllegalMove, "99,99 is not on the board");
}

#[test]
fn processes_end_with_their_parent() {
    Animal::new("closes-stdout").loses(Reason::Crash, "closed its output");
    Animal::new("forks-and-exits").loses(Reason::Crash, "ended by itself");
    Animal::new("forks-and-stays").plays();
}

#[test]
fn memory_and_files_are_bounded() {
    let game = Animal::new("allocates")
        .patient()
        .loses(Reason::Crash, "abort");
    assert_eq!(game.stderr[0].as_deref(), Some("no more memory"));
    let stderr = Animal::new("opens-files").patient().plays();
    let count: u32 = stderr.trim_end_matches(" files").parse().unwrap();
    assert!((30..=40).contains(&count), "{stderr}");
    Animal::new("fills-disk")
        .patient()
        .loses(Reason::Crash, "file too large");
}

#[test]
fn there_is_no_network_and_no_writing_outside() {
    if let Some(missing) = stoneline_arena::missing_protection() {
        // The arena says so to its users as well.
        assert!(missing.contains("on this system"));
        return;
    }
    let stderr = Animal::new("socket").plays();
    assert_eq!(stderr, "inet: Permission denied\nunix: Permission denied");
    let stderr = Animal::new("writes").plays();
    let ends: Vec<&str> = stderr
        .lines()
        .filter_map(|line| line.rsplit(": ").next())
        .collect();
    let denied = "Permission denied";
    assert_eq!(ends[..3], [denied, denied, "written"], "{stderr}");
    let home = std::env::var("HOME").unwrap();
    assert!(!Path::new(&home).join("stoneline-zoo-was-here").exists());
}

#[test]
fn a_killed_arena_leaves_no_player_behind() {
    let folder = folder("killed");
    let engine = compile(&folder, &[], "bad_engine");
    let player = format!("gomocup:'{}' hang", engine.display());
    let mut arena = Command::new(HOST)
        .args(["match", &player, "random", "--game", "gomoku:7"])
        .args(["--games", "1", "--opening-plies", "0", "--time", "100000"])
        .spawn()
        .unwrap();
    let engine = engine.to_str().unwrap().to_owned();
    // The player runs once its command stands alone, without the words of its fence before it.
    let until = Instant::now() + Duration::from_secs(60);
    while !processes(&folder)
        .iter()
        .any(|command| command.starts_with(&engine))
    {
        assert!(Instant::now() < until, "the player starts");
        std::thread::yield_now();
    }
    arena.kill().unwrap();
    arena.wait().unwrap();
    while !processes(&folder).is_empty() {
        assert!(Instant::now() < until, "{:?}", processes(&folder));
        std::thread::yield_now();
    }
}
