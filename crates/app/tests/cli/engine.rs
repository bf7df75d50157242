//! `stoneline engine`: whole conversations with the running program.

use crate::run::{command, stoneline};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};

/// A running program, spoken to line by line.
struct Talk {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Talk {
    fn new(arguments: &str) -> Self {
        let mut child = command(arguments).spawn().unwrap();
        Self {
            stdin: child.stdin.take().unwrap(),
            stdout: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn say(&mut self, text: &str) {
        self.stdin.write_all(text.as_bytes()).unwrap();
    }

    /// The next line that is no MESSAGE and no progress.
    fn hear(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "it ended");
            if !line.starts_with("MESSAGE") && !line.contains("\"progress\"") {
                return line.trim_end().to_owned();
            }
        }
    }

    fn ask(&mut self, text: &str) -> String {
        self.say(text);
        self.hear()
    }

    /// Waits for the end of the program; all that it still said.
    fn end(mut self) -> String {
        drop(self.stdin);
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        rest
    }
}

#[test]
fn gomocup_plays_whole_games_against_itself() {
    for (start, rule) in [
        ("START 15", "0"),
        ("START 20", "1"),
        ("START 15", "4"),
        ("START 15", "2"),
        ("START 15", "8"),
        ("RECTSTART 7,9", "0"),
        ("START 5", "0"),
        ("START 22", "0"),
        ("SLGAME connect4", "0"),
        ("SLGAME course:9x9@4,4", "0"),
    ] {
        let mut players = [1, 2].map(|seed| {
            let mut talk = Talk::new(&format!("engine gomocup --engine random:seed={seed}"));
            talk.say(&format!("INFO rule {rule}\nINFO timeout_turn 1000\n"));
            assert_eq!(talk.ask(&format!("{start}\n")), "OK");
            talk
        });
        let mut moves = vec![players[0].ask("BEGIN\n")];
        let end = loop {
            let last = moves.last().unwrap();
            let answer = players[moves.len() % 2].ask(&format!("TURN {last}\n"));
            if !answer.starts_with(|letter: char| letter.is_ascii_digit()) {
                break answer;
            }
            moves.push(answer);
        };
        assert!(end.starts_with("ERROR the game is over"), "{end}");
        assert!(moves.len() >= 7, "{start} {rule}: {moves:?}");
        for mut player in players {
            player.say("END\n");
            assert_eq!(player.end(), "");
        }
    }
}

#[test]
fn lines_that_come_while_it_thinks_wait() {
    let mut talk = Talk::new("engine gomocup --engine mcts:threads=1");
    talk.say("INFO timeout_turn 300\nSLGAME course:12x12@5,5\nBEGIN\nABOUT\nRESTART\nWHAT\n");
    assert_eq!(talk.hear(), "OK");
    assert!(talk.hear().contains(','), "a move");
    assert!(talk.hear().contains("Stoneline"));
    assert_eq!(talk.hear(), "OK");
    assert_eq!(talk.hear(), "UNKNOWN WHAT");
    assert_eq!(talk.end(), "");
}

#[test]
fn a_search_is_stopped_and_answered() {
    let mut talk = Talk::new("engine gomocup --engine mcts:threads=1");
    // A day: only the stop can end it.
    talk.say("INFO timeout_turn 86400000\nSLGAME course:12x12@5,5\nBEGIN\nYXSTOP\nABOUT\n");
    assert_eq!(talk.hear(), "OK");
    assert!(talk.hear().contains(','), "a move");
    assert!(talk.hear().contains("Stoneline"));
    // A stop that came before a search is not for it: this one runs its time.
    talk.say("YXSTOP\nINFO max_node 2000\nBEGIN\n");
    assert!(talk.hear().contains(','), "a move");
    let mut json = Talk::new("engine json --engine mcts:threads=1");
    json.say("{\"do\":\"position\",\"position\":\"course:12x12@5,5\"}\n");
    assert!(json.hear().contains("legal"));
    json.say("{\"do\":\"analyse\",\"lines\":3,\"id\":1}\n{\"do\":\"stop\"}\n");
    let best = json.hear();
    assert!(
        best.contains("\"is\":\"best\"") && best.contains("\"id\":1"),
        "{best}"
    );
    json.say("{\"do\":\"go\"}\n{\"do\":\"quit\"}\n");
    let rest = json.end();
    assert!(
        rest.lines().count() <= 1,
        "it quits in the middle of a search without bounds: {rest}"
    );
    talk.say("INFO timeout_turn 86400000\nBEGIN\nEND\n");
    let rest = talk.end();
    assert!(rest.lines().count() <= 2, "END needs no time: {rest}");
}

#[test]
fn swap2_is_played_from_both_sides() {
    let mut talk = Talk::new("engine gomocup");
    talk.say("START 15\nINFO timeout_turn 86400000\nINFO max_node 3000\n");
    assert_eq!(talk.hear(), "OK");
    let laid = talk.ask("SWAP2BOARD\nDONE\n");
    let stones: Vec<&str> = laid.split(' ').collect();
    assert_eq!(stones.len(), 3, "{laid}");
    let list = stones.join("\n");
    let chosen = talk.ask(&format!("SWAP2BOARD\n{list}\nDONE\n"));
    let answers = chosen.split(' ').count();
    assert!(chosen == "SWAP" || answers <= 2, "{chosen}");
    // An open three, and nothing against it: the better side is taken.
    let lost = "7,7\n0,0\n8,7\n14,14\n9,7\n";
    assert_eq!(talk.ask(&format!("SWAP2BOARD\n{lost}DONE\n")), "SWAP");
    assert!(talk.ask("SWAP2BOARD\n7,7\nDONE\n").starts_with("ERROR"));
    assert_eq!(talk.end(), "");
}

#[test]
fn what_was_asked_before_the_end_is_answered() {
    let all = "START 15\nINFO timeout_turn 30000\nINFO time_left 30000\nBEGIN\nEND\n";
    let heard = stoneline("engine gomocup", all);
    assert_eq!(heard.code, Some(0));
    let moves: Vec<&str> = heard
        .stdout
        .lines()
        .filter(|line| line.contains(','))
        .collect();
    assert!(heard.stdout.starts_with("OK"), "{}", heard.stdout);
    assert_eq!(moves.last(), Some(&"7,7"), "{}", heard.stdout);
    let all = "{\"do\":\"go\",\"time_ms\":30000,\"id\":1}\n{\"do\":\"quit\"}\n";
    let heard = stoneline("engine json --engine mcts", all);
    assert_eq!(heard.stdout.lines().count(), 1, "{}", heard.stdout);
    assert!(heard.stdout.contains("\"best\""), "{}", heard.stdout);
}

#[test]
fn a_search_without_bounds_ends_with_its_manager() {
    let run = stoneline(
        "engine json --engine mcts:threads=1",
        "{\"do\":\"position\",\"position\":\"course:12x12@5,5\"}\n{\"do\":\"go\"}\n",
    );
    assert_eq!(run.code, Some(0));
    assert_eq!(run.stdout.lines().count(), 2, "{}", run.stdout);
}

#[test]
fn an_engine_that_does_not_play_the_game_says_so() {
    let run = stoneline("engine gomocup --engine solver", "START 15\nBEGIN\nABOUT\n");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "OK");
    let refusal = "ERROR solver does not play gomoku: it needs falling stones";
    assert!(lines[1].starts_with(refusal), "{lines:?}");
    assert_eq!((lines.len(), run.code), (3, Some(0)));
    let refused = stoneline("engine gomocup --engine nobody", "");
    assert_eq!(refused.code, Some(2));
}

#[test]
fn saiblo_answers_both_variants_in_frames() {
    let plain = "5 5 0 0\n-1 -1\n5 5 5 5 5\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
    let run = stoneline("engine saiblo --engine random:seed=1", plain);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.starts_with("\0\0\0\u{3}4 "), "{:?}", run.stdout);
    let frame = |text: &str| format!("{:04}{text}", text.len());
    let zeros = vec!["0"; 25].join(",");
    let framed = frame("{\"type\":0,\"row\":5,\"col\":5,\"nox\":0,\"noy\":0}")
        + &frame(&format!(
            "{{\"type\":1,\"top\":[5,5,5,5,5],\"board\":[{zeros}],\"lastx\":-1,\"lasty\":-1}}"
        ))
        + &frame("{\"type\":2}");
    let run = stoneline("engine saiblo --engine random:seed=1", framed);
    assert!(
        run.stdout.starts_with("\0\0\0\u{e}{\"X\":4,\"Y\":"),
        "{:?}",
        run.stdout
    );
    assert!(run.stdout.ends_with("}\n"));
}

#[test]
fn a_copy_called_pbrain_speaks_gomocup() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pbrain");
    std::fs::create_dir_all(&folder).unwrap();
    let brain = folder.join("pbrain-stoneline");
    let _ = std::fs::remove_file(&brain);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_stoneline"), &brain).unwrap();
    let output = std::process::Command::new(&brain)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stdout.is_empty(),
        "{output:?}"
    );
}

/// The same seeded nonsense for every protocol: words, numbers and bytes.
fn nonsense(words: &[&str]) -> Vec<u8> {
    let mut state = 1_u64;
    let mut below = move |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut bytes = Vec::new();
    for _ in 0..10_000 {
        for _ in 0..below(4) {
            match below(6) {
                0 => bytes.extend(
                    (0..below(20))
                        .map(|_| below(256) as u8)
                        .filter(|&byte| byte != b'\n'),
                ),
                _ => bytes.extend(words[below(words.len())].bytes()),
            }
            bytes.push(b' ');
        }
        bytes.push(b'\n');
    }
    bytes
}

#[test]
fn ten_thousand_random_lines_leave_it_alive_and_in_step() {
    let gomocup = [
        "START 15",
        "BEGIN",
        "TURN",
        "7,7",
        "3,4",
        "BOARD",
        "DONE",
        "1,1,1",
        "INFO rule",
        "SWAP2BOARD",
        "YXNBEST 3",
        "TAKEBACK",
        "RESTART",
        "YXSTOP",
        "4",
    ];
    let mut sent = nonsense(&gomocup);
    sent.extend(b"\nSTART 15\nINFO rule 0\nTURN 7,7\n");
    let run = stoneline("engine gomocup --engine random", sent);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let tail: Vec<&str> = run.stdout.lines().rev().take(3).collect();
    assert!(tail[0].contains(',') && tail[2] == "OK", "{tail:?}");

    let json = [
        "{\"do\":\"go\"}",
        "{\"do\":\"position\",\"position\":\"",
        "connect4",
        "\"}",
        "{",
        "{\"do\":\"undo\"}",
        "{\"do\":\"play\",\"moves\":\"4\"}",
        "\"id\":3",
    ];
    let mut sent = nonsense(&json);
    sent.extend(b"\n{\"do\":\"hello\",\"id\":77}\n");
    let run = stoneline("engine json --engine random", sent);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.trim_end().ends_with("\"protocol\":1,\"id\":77}"));

    let saiblo = ["9 9 4 4", "-1", "0", "1", "2", "9", "0 0 0 0 0 0 0 0 0"];
    let mut sent = nonsense(&saiblo);
    sent.extend(b"\n9 9 4 4\n-1 -1\n9 9 9 9 9 9 9 9 9\n");
    sent.extend("0 ".repeat(81).bytes());
    let output = {
        let mut child = command("engine saiblo --engine random").spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::spawn(move || stdin.write_all(&sent));
        child.wait_with_output().unwrap()
    };
    assert!(output.status.success() && output.stderr.is_empty());
    let last = &output.stdout[output.stdout.len() - 7..];
    assert!(last.starts_with(b"\0\0\0\x038 "), "{last:?}");
}
