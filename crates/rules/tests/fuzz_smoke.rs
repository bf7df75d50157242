//! Every fuzz target, over its committed seeds and thousands of mutations of them.
//!
//! Needs neither nightly nor libFuzzer. The mutations follow from a fixed
//! seed, so a failure shows again; its input is printed.

#[path = "../../../fuzz/src/lib.rs"]
#[allow(
    unreachable_pub,
    reason = "a library where the fuzz workspace builds it"
)]
mod bodies;

use std::panic::catch_unwind;
use std::path::Path;
use stoneline_rules::{Chance, scramble};

const MUTATIONS: usize = 20_000;

/// Longest input tried; whatever fails on a longer one fails on a shorter.
const LONGEST: usize = 2_000;

/// Words of the formats, which random bytes would hardly hit.
const WORDS: [&str; 40] = [
    "connect4",
    "connectx:",
    "course",
    "gomoku",
    "renju",
    "mnk:",
    "@0,0",
    "x",
    "9x9",
    "65535",
    "99999999999999999999",
    "4",
    "44",
    "g",
    "h8",
    "a1",
    "v22",
    "3,5",
    "7,7,",
    "moves: ",
    "\n",
    "\r\n",
    ". ",
    "xo#",
    "end\n",
    "result: draw\n",
    "board: ",
    "\"",
    "\\u{1f}",
    "depth=9",
    "(;",
    ")",
    "[",
    "]",
    "\\",
    ";B[hh]",
    "SZ[5:6]",
    "AB[aa:ee]",
    "Piskvorky 9x9, 0:0, 0\n",
    "é☃\u{0}",
];

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a listed file").path())
        .collect();
    // The order of a folder is the system's; the mutations must not depend on it.
    files.sort();
    files
        .iter()
        .map(|file| std::fs::read(file).expect("a committed seed"))
        .collect()
}

fn mutate(input: &mut Vec<u8>, seeds: &[Vec<u8>], chance: &mut Chance) {
    let mut place = |length: usize| chance.below(length as u32 + 1) as usize;
    let (from, to) = (place(input.len()), place(input.len()));
    let (low, high) = (from.min(to), from.max(to));
    match chance.below(8) {
        0 if low < input.len() => input[low] ^= 1 << chance.below(8),
        1 if low < input.len() => input[low] = chance.draw() as u8,
        2 => drop(input.drain(low..high)),
        3 => {
            let part = input[low..high].to_vec();
            input.splice(low..low, part);
        }
        4 => {
            let other = &seeds[chance.below(seeds.len() as u32) as usize];
            let cut = chance.below(other.len() as u32 + 1) as usize;
            input.splice(low.., other[cut..].iter().copied());
        }
        5 if high < input.len() => input.swap(low, high),
        _ => {
            let word = WORDS[chance.below(WORDS.len() as u32) as usize];
            input.splice(low..low, word.bytes());
        }
    }
    input.truncate(LONGEST);
}

fn run(target: &str, body: bodies::Body, input: &[u8]) {
    if catch_unwind(|| body(input)).is_err() {
        panic!(
            "target {target} fails on {:?}",
            String::from_utf8_lossy(input)
        );
    }
}

#[test]
fn no_text_makes_a_parser_panic() {
    for (number, (target, body)) in bodies::TARGETS.into_iter().enumerate() {
        let seeds = seeds(target);
        for seed in &seeds {
            run(target, body, seed);
        }
        let chance = &mut Chance::new(scramble(number as u64));
        for _ in 0..MUTATIONS {
            let mut input = seeds[chance.below(seeds.len() as u32) as usize].clone();
            for _ in 0..=chance.below(6) {
                mutate(&mut input, &seeds, chance);
            }
            run(target, body, &input);
        }
    }
}

/// The seeds are good texts, so that their mutations start behind the first check.
#[test]
fn every_seed_is_read() {
    use stoneline_rules::{Position, Record, Variant, psq, sgf};
    for (target, _) in bodies::TARGETS {
        for seed in seeds(target) {
            let text = String::from_utf8(seed).expect("seeds are text");
            let read = match target {
                "variant" => Variant::named(&text, 0).map(drop),
                "position" => Position::read(&text, 0).map(drop),
                "record" => Record::read(&text).map(drop),
                "sgf" => sgf::read(&text).map(drop),
                "psq" => psq::read(&text, None).map(drop),
                _ => continue,
            };
            assert_eq!(read, Ok(()), "{target}: {text}");
        }
    }
}
