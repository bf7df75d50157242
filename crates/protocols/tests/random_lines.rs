//! Ten thousand random lines at each protocol: alive, bounded, and in step after each of them.

mod talk;

use stoneline_rules::Chance;
use talk::{Talk, talk};

const LINES: usize = 10_000;

/// A line of words of the protocol, of bytes, or of both.
fn random_line(chance: &mut Chance, words: &[&str]) -> Vec<u8> {
    let mut line = Vec::new();
    for _ in 0..chance.below(6) {
        match chance.below(8) {
            0 => (0..chance.below(300)).for_each(|_| line.push(chance.below(256) as u8)),
            1 => line.extend((i64::from(chance.below(60)) - 20).to_string().bytes()),
            _ => line.extend(words[chance.below(words.len() as u32) as usize].bytes()),
        }
        if chance.below(2) == 0 {
            line.push(b" ,:\t"[chance.below(4) as usize]);
        }
    }
    line.retain(|&byte| byte != b'\n');
    line.push(b'\n');
    line
}

/// Sends random lines, and after every tenth asks whether the other side is still in step.
fn bombard(protocol: &str, words: &[&str], probe: &[u8], answer: &[u8]) {
    let mut chance = Chance::new(7);
    let mut talk: Box<dyn Talk> = talk(protocol);
    let mut said = 0;
    for number in 0..LINES {
        said += talk.hear(&random_line(&mut chance, words)).len();
        if number % 10 == 9 {
            let told = talk.hear(probe);
            assert!(
                told.ends_with(answer),
                "line {number}: {:?}",
                String::from_utf8_lossy(&told)
            );
        }
    }
    assert!(said < LINES * 2000, "answers are bounded: {said} bytes");
}

#[test]
fn gomocup_stays_in_step() {
    let words = [
        "START",
        "15",
        "20",
        "RECTSTART",
        "7,9",
        "SLGAME",
        "connect4",
        "RESTART",
        "BEGIN",
        "TURN",
        "7,7",
        "0,0",
        "3,5",
        "PLAY",
        "TAKEBACK",
        "BOARD",
        "YXBOARD",
        "SWAP2BOARD",
        "1",
        "2",
        "DONE",
        "INFO",
        "rule",
        "timeout_turn",
        "time_left",
        "max_memory",
        "strength",
        "max_depth",
        "ABOUT",
        "YXSTOP",
        "YXSHOWFORBID",
        "YXNBEST",
        "YXHASHCLEAR",
        "7,7,1",
        "8,8,2",
        "1,1,3",
    ];
    bombard(
        "gomocup",
        &words,
        b"INFO rule 0\nSTART 19\nTURN 9,9\n",
        b"OK\nMESSAGE 75.0% line 0,18 nodes 21\n0,18\n",
    );
}

#[test]
fn json_stays_in_step() {
    let words = [
        "{",
        "}",
        "\"do\"",
        "{\"do\":\"position\",\"position\":\"",
        "connect4",
        "gomoku h8",
        "\"}",
        "{\"do\":\"go\"}",
        "{\"do\":\"go\",\"nodes\":1}",
        "{\"do\":\"play\",\"moves\":\"4\"}",
        "{\"do\":\"undo\"}",
        "{\"do\":\"stop\"}",
        "{\"do\":\"analyse\",\"lines\":2}",
        "{\"do\":\"engine\",\"engine\":\"random\"}",
        "{\"do\":[[[[[[",
        "\"id\":7",
        "null",
        "{\"do\":\"forget\"}",
        "{\"do\":\"hello\"}",
    ];
    bombard(
        "json",
        &words,
        b"{\"do\":\"position\",\"position\":\"connect4 44\"}\n{\"do\":\"go\",\"id\":9}\n",
        b"\"line\":[\"1\"],\"simulations\":0,\"nodes\":21,\"memory_bytes\":0,\"time_ms\":5,\"id\":9}\n",
    );
}

#[test]
fn both_variants_of_saiblo_find_their_way_back() {
    let words = [
        "9",
        "10",
        "-1",
        "0",
        "1",
        "2",
        "9 9 4 4",
        "0 0 0 0 0 0 0 0 0",
        "9 9 9 9 9 9 9 9 9",
        "0052{\"type\":0,\"row\":9,\"col\":9,\"nox\":1,\"noy\":1}",
        "0011{\"type\":2}",
        "9999{",
        "0012{\"type\":1}",
        "{",
        "}",
        "[",
    ];
    let board = "0 ".repeat(81);
    let probe = format!("9 9 4 4\n-1 -1\n9 9 9 9 9 9 9 9 9\n{board}\n");
    bombard(
        "saiblo",
        &words,
        probe.as_bytes(),
        b"(new game)\0\0\0\x038 0",
    );
    let framed = |text: &str| format!("{:04}{text}", text.len());
    let zeros = vec!["0"; 81].join(",");
    let probe = framed("{\"type\":0,\"row\":9,\"col\":9,\"nox\":4,\"noy\":4}")
        + &framed(&format!(
            "{{\"type\":1,\"top\":[9,9,9,9,9,9,9,9,9],\"board\":[{zeros}],\"lastx\":-1,\"lasty\":-1}}"
        ));
    // The variant shows in the first bytes, so those are sound.
    let mut chance = Chance::new(8);
    let mut talk = talk("saiblo");
    for number in 0..LINES {
        if number % 10 == 0 {
            let told = talk.hear(probe.as_bytes());
            let expected = b"\0\0\0\x0e{\"X\":8,\"Y\":0}\n";
            assert!(
                told.ends_with(expected),
                "{number}: {:?}",
                String::from_utf8_lossy(&told)
            );
        }
        talk.hear(&random_line(&mut chance, &words));
    }
}

#[test]
fn managers_read_anything_without_a_panic() {
    use stoneline_protocols::gomocup::Answer;
    use stoneline_protocols::json::Reply;
    use stoneline_protocols::saiblo::Answers;
    let words = [
        "OK",
        "ERROR",
        "7,7",
        "SWAP",
        "FORBID",
        "0707.",
        "SUGGEST",
        "name=\"a\"",
        "MESSAGE",
        "{\"is\":\"best\",\"move\":",
        "\"4\"}",
        "{\"is\":\"progress\"}",
        "null}",
        "\"value\":{\"win\":3}",
        "\0\0\0\x03",
        "8 4",
        "-1 -1",
        "\0\0\0\x0d{\"X\":1,\"Y\":2}\n",
    ];
    let mut chance = Chance::new(9);
    let mut answers = Answers::default();
    for _ in 0..LINES {
        let line = random_line(&mut chance, &words);
        let text = String::from_utf8_lossy(&line);
        if let Ok(Some(answer)) = Answer::read(&text) {
            let written = answer.to_string();
            assert_eq!(Answer::read(&written), Ok(Some(answer)), "{written:?}");
        }
        let _ = Reply::read(&text);
        answers.push(&line);
        for answer in answers.by_ref() {
            let _ = answer;
        }
    }
    // Lengths that are too long clear all that waits, so the next frame is understood.
    answers.push(&[255; 8]);
    assert!(answers.by_ref().last().unwrap().is_err());
    answers.push(b"\0\0\0\x038 4");
    assert_eq!(answers.next(), Some(Ok((8, 4))));
}
