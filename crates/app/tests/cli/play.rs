//! `stoneline play`, driven through pipes.

use crate::run::{command, stoneline};
use std::io::{Read, Write};
use std::process::Command;

#[test]
fn two_people_play_a_whole_game() {
    let run = stoneline("play --both", "4\n5\n4\n5\n4\n5\n4\nquit\n");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout.matches("[X]").count(), 4, "{}", run.stdout);
    assert!(run.stdout.contains("\nX wins. "), "{}", run.stdout);
    assert!(
        run.stdout.ends_with("\nconnect4 4545454\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn falling_stones_and_free_ones_are_drawn() {
    let run = stoneline("play course:9x9@8,3 --both", "4\n4\n9\n");
    let rows = "    .  .  .  O  .  .  .  .  .\n    .  .  .  X  .  .  .  .  .\n    .  .  .  #  .  .  .  . (X)\n";
    assert!(run.stdout.contains(rows), "{}", run.stdout);
    let run = stoneline("play gomoku --both", "h8\nI9\n");
    assert!(
        run.stdout
            .contains("\n 9  .  .  .  .  .  .  .  . (O) .  .  .  .  .  .\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("\ngomoku h8 i9\n"), "{}", run.stdout);
}

#[test]
fn a_game_against_the_engine_ends_and_repeats() {
    let moves: String = "1\n2\n3\n4\n5\n6\n7\n".repeat(12);
    for seat in ["--first", "--second"] {
        for engine in ["alphabeta:nodes=300", "random", "kaggle-negamax"] {
            let arguments = format!("play --engine {engine} --seed 5 {seat}");
            let run = stoneline(&arguments, &moves);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
            let ends = ["You win!", " wins. `new`", "A draw."];
            assert!(
                ends.iter().any(|end| run.stdout.contains(end)),
                "{}",
                run.stdout
            );
            assert_eq!(run.stdout, stoneline(&arguments, &moves).stdout);
        }
    }
}

#[test]
fn two_engines_play_a_whole_game() {
    let run = stoneline("play --engine random --versus random --seed 5", "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("random (O) plays"), "{}", run.stdout);
    assert!(run.stdout.contains(" wins. ") || run.stdout.contains("A draw."));
}

#[test]
fn engines_are_listed_with_their_keys() {
    let run = stoneline("play --engines", "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for line in ["best: ", "random: ", "    seed: "] {
        assert!(
            run.stdout.lines().any(|found| found.starts_with(line)),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn taking_back_restores_the_turn() {
    let run = stoneline("play --seed 1", "undo\n4\nundo\nmoves\nquit\n");
    assert!(run.stdout.contains("no move of yours"), "{}", run.stdout);
    assert!(
        run.stdout.ends_with("X > moves\nconnect4\nX > quit\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn resigning_ends_the_game_until_taken_back() {
    let run = stoneline("play --both", "4\nresign\n4\nundo\n4\n");
    assert!(run.stdout.contains("O resigns. X wins. "), "{}", run.stdout);
    assert!(
        run.stdout.contains("> 4\nThe game is over"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("connect4 44\n"), "{}", run.stdout);
}

#[test]
fn a_hint_can_be_played_and_changes_nothing() {
    let hinted = stoneline("play --seed 9", "hint\n4\nhint\n4\n").stdout;
    let bare = stoneline("play --seed 9", "4\n4\n").stdout;
    assert!(hinted.contains("\nTry 4.\n"), "{hinted}");
    assert_eq!(hinted.lines().last(), bare.lines().last());
}

#[test]
fn a_hint_is_the_best_move_there_is() {
    // Every column but the middle one gives the win away.
    let run = stoneline("play connect4 4444 --engine random", "hint\n");
    assert!(run.stdout.contains("\nTry 4.\n"), "{}", run.stdout);
}

#[test]
fn what_makes_no_sense_is_explained() {
    let run = stoneline("play --both", "8\nbanana\n\n4\n4\n4\n4\n4\n4\n4\nhelp\n");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for answer in [
        "Can't play \"8\": no column '8': the last is 7. `help` tells",
        "Can't play \"banana\": ",
        "Can't play \"4\": column 4 is full. ",
        "take back your last move",
    ] {
        assert!(run.stdout.contains(answer), "{answer}: {}", run.stdout);
    }
    let run = stoneline("play gomoku --both", "h8\nh8\nz9\n");
    assert!(run.stdout.contains("h8 is taken"), "{}", run.stdout);
    assert!(run.stdout.contains("not on the board"), "{}", run.stdout);
}

#[test]
fn a_game_may_begin_anywhere() {
    let run = stoneline(
        "play connect4 4453 --both",
        "1\nundo\nundo\n2\nmoves\nnew\nmoves\n",
    );
    assert!(run.stdout.contains("\nconnect4 4452\n"), "{}", run.stdout);
    assert!(
        run.stdout
            .ends_with("\nconnect4 4453\nX > \nconnect4 4453\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn any_bytes_are_survived() {
    let mut input = vec![b'x'; 100_000];
    input.extend(b"\n\xff\xfe\x00\x1b[2J\n4\n");
    let run = stoneline("play --both", input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(
        !run.stdout.contains('\x1b'),
        "escape sequences are not echoed"
    );
    assert!(run.stdout.ends_with("connect4 4\n"), "{}", run.stdout);
}

#[test]
fn the_end_of_input_ends_the_game() {
    let run = stoneline("play", "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.ends_with("X > \n"), "{}", run.stdout);
}

#[test]
fn pipes_get_colours_only_when_asked() {
    assert!(!stoneline("play", "4\n").stdout.contains('\x1b'));
    assert!(
        stoneline("play --colour always", "4\n")
            .stdout
            .contains("\x1b[1;31mX\x1b[0m")
    );
}

#[test]
fn a_closed_reader_ends_it_quietly() {
    let mut child = command("play --both").spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(b"4\n4\n");
    let end = child.wait_with_output().unwrap();
    assert_eq!(end.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&end.stderr), "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_130() {
    let mut child = command("play --both").spawn().unwrap();
    // The first byte of output shows that the game has begun.
    let mut byte = [0];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut byte)
        .unwrap();
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let _stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
