//! Whole conversations, bytes in and bytes out, from `data/PROTOCOL-NAME.txt`.
//!
//! `> ` is what a manager sends and `< ` what the engine's side answers to it;
//! `#` begins a remark. A line ends with a newline, unless a backslash stands
//! at its end; `\n`, `\r`, `\0`, `\\` and `\xff` stand for bytes. With
//! `STONELINE_WRITE_TRANSCRIPTS=1` the answers are written anew.

mod talk;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use talk::talk;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

/// The bytes that a line of a transcript stands for.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'\\' => match rest.next() {
                None => return bytes,
                Some(b'n') => bytes.push(b'\n'),
                Some(b'r') => bytes.push(b'\r'),
                Some(b'0') => bytes.push(0),
                Some(b'x') => {
                    let digits = [rest.next().unwrap(), rest.next().unwrap()];
                    let digits = std::str::from_utf8(&digits).unwrap().to_owned();
                    bytes.push(u8::from_str_radix(&digits, 16).unwrap());
                }
                Some(other) => bytes.push(other),
            },
            _ => bytes.push(byte),
        }
    }
    bytes.push(b'\n');
    bytes
}

/// Bytes as lines of a transcript.
fn written(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        text.push_str("< ");
        for &byte in line.strip_suffix(b"\n").unwrap_or(line) {
            match byte {
                b'\\' => text.push_str("\\\\"),
                0 => text.push_str("\\0"),
                b' '..=b'~' => text.push(char::from(byte)),
                _ => write!(text, "\\x{byte:02x}").unwrap(),
            }
        }
        text.push_str(if line.ends_with(b"\n") { "\n" } else { "\\\n" });
    }
    text
}

/// The transcript with the answers that are given now.
fn replayed(protocol: &str, transcript: &str) -> String {
    let mut talk = talk(protocol);
    let mut text = String::new();
    for line in transcript.lines().filter(|line| !line.starts_with("< ")) {
        text.push_str(line);
        text.push('\n');
        if let Some(sent) = line.strip_prefix("> ") {
            text.push_str(&written(&talk.hear(&bytes(sent))));
        }
    }
    text
}

#[test]
fn conversations_go_as_written() {
    let files = files();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let protocol = name.split('-').next().unwrap();
        let expected = fs::read_to_string(&file).unwrap();
        let found = replayed(protocol, &expected);
        if std::env::var_os("STONELINE_WRITE_TRANSCRIPTS").is_some() {
            fs::write(&file, &found).unwrap();
        } else {
            for (at, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
                assert_eq!(found, expected, "{name}, line {}", at + 1);
            }
            assert_eq!(found, expected, "{name}");
        }
    }
}

#[test]
fn pieces_of_any_size_are_answered_alike() {
    for file in files() {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let protocol = name.split('-').next().unwrap();
        let transcript = fs::read_to_string(&file).unwrap();
        let sent: Vec<u8> = transcript
            .lines()
            .filter_map(|line| line.strip_prefix("> "))
            .flat_map(bytes)
            .collect();
        let whole = talk(protocol).hear(&sent);
        for size in [1, 2, 3, 7, 50] {
            let mut talk = talk(protocol);
            let said: Vec<u8> = sent
                .chunks(size)
                .flat_map(|piece| talk.hear(piece))
                .collect();
            assert_eq!(written(&said), written(&whole), "{name} by {size}");
        }
    }
}
