//! Games as SGF and psq: what is written is read back, what is wrong is refused.

mod games;
mod written;

use proptest::prelude::*;
use stoneline_rules::{Outcome, Rule, Side, WriteError, psq, sgf};
use written::{random_record, refusal};

/// What the line breaks of a text become in formats that know only one kind, or none.
fn unix(text: &Option<String>) -> Option<String> {
    text.as_ref().map(|text| text.replace("\r\n", "\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_game_is_read_back_from_sgf(seed: u64, plies in 0_usize..80) {
        let record = random_record(seed, plies);
        let text = match sgf::write(&record) {
            Ok(text) => text,
            Err(error) => {
                prop_assert!(record.position().variant().rule().falls());
                prop_assert_eq!(error, WriteError::Falling("SGF"));
                return Ok(());
            }
        };
        let back = sgf::read(&text).unwrap();
        prop_assert_eq!(back.position(), record.position());
        prop_assert_eq!(back.position().moves(), record.position().moves());
        prop_assert_eq!(back.result(), record.result());
        prop_assert_eq!(&back.header.comment, &unix(&record.header.comment));
        let single = |text: &Option<String>| text.as_ref().map(|text| text.replace(['\r', '\n'], " "));
        prop_assert_eq!(back.header.players.clone(), [0, 1].map(|at| single(&record.header.players[at])));
        prop_assert_eq!(&back.header.date, &single(&record.header.date));
        for ((_, told), (_, original)) in back.moves().zip(record.moves()) {
            prop_assert_eq!(&told.comment, &unix(&original.comment));
        }
        prop_assert_eq!(sgf::write(&back).unwrap().replace("\r\n", "\n"), text.replace("\r\n", "\n"));
    }

    #[test]
    fn a_game_is_read_back_from_psq(seed: u64, plies in 0_usize..80) {
        let record = random_record(seed, plies);
        let variant = *record.position().variant();
        let rule = variant.rule();
        let text = match psq::write(&record) {
            Ok(text) => text,
            Err(error) => {
                let start = record.position().start();
                prop_assert_eq!(error, if rule.falls() {
                    WriteError::Falling("psq")
                } else if variant.run() != 5 {
                    WriteError::NotFive("psq")
                } else {
                    prop_assert!(start.plies() > 0);
                    WriteError::SetUp("psq")
                });
                return Ok(());
            }
        };
        let back = psq::read(&text, Some(rule)).unwrap();
        prop_assert_eq!(back.position(), record.position());
        prop_assert_eq!(back.position().moves(), record.position().moves());
        for ((_, told), (_, original)) in back.moves().zip(record.moves()) {
            prop_assert_eq!(told.time_ms, original.time_ms.or(Some(0)));
        }
        prop_assert_eq!(psq::write(&back).unwrap(), text);
    }
}

#[test]
fn sgf_is_read_in_its_several_forms() {
    let table = [
        ("(;GM[4])", "gomoku"),
        (
            "\u{feff} ( ; GM [ 4 ] SZ[15] ; B[hh] ; W[ig] )",
            "gomoku h8 i9",
        ),
        ("(;GM[4];B[H8];W[i9])", "gomoku h8 i9"),
        ("(;GM[4]SZ[7:9]RU[Renju];Black[ai])", "renju:9x7 a1"),
        ("(;GM[4]RU[caro]SZ[20];B[tt])", "caro:20 t1"),
        ("(;GM[4]RU[Japanese]SZ[19];B[aa])", "gomoku:19 a19"),
        ("(;GM[4]SZ[6]RU[mnk:6x6x4];B[aa])", "mnk:6x6x4 a6"),
        ("(;GM[4]SZ[7]RU[mnk:6x6x4];B[aa])", "gomoku:7 a7"),
        (
            "(;GM[4](;B[hh](;W[ig])(;W[aa];B[bb]))(;B[\\]]))(;GM[1]",
            "gomoku h8 i9",
        ),
        ("(;GM[4]C[(;\\]];B[hh])", "gomoku h8"),
        (
            "(;GM[4]SZ[5]AB[aa][ba]AW[ab:bb]PL[B];B[ca])",
            "gomoku:5\n 5 x x . . .\n 4 o o . . .\n 3 . . . . .\n 2 . . . . .\n 1 . . . . .\n   a b c d e\nmoves: c5",
        ),
    ];
    for (text, expected) in table {
        let record = sgf::read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(record.position().notation(), expected, "{text:?}");
    }
}

#[test]
fn sgf_tells_of_the_game() {
    let text = "(;GM[4]PB[Ada \\]\\\\]PW[Bob\nJr]RE[W+Time]DT[2026]TM[60]EV[Cup]C[one\\\ntwo];B[hh]C[a]C[b])";
    let record = sgf::read(text).unwrap();
    let header = &record.header;
    assert_eq!(header.players[0].as_deref(), Some("Ada ]\\"));
    assert_eq!(header.players[1].as_deref(), Some("Bob Jr"));
    assert_eq!(record.result(), Some(Outcome::Win(Side::Second)));
    assert_eq!(header.reason.as_deref(), Some("time"));
    assert_eq!(header.time_control.as_deref(), Some("60"));
    assert_eq!(header.tags.value("event"), Some("Cup"));
    assert_eq!(header.comment.as_deref(), Some("onetwo"));
    let (_, note) = record.moves().next().unwrap();
    assert_eq!(note.comment.as_deref(), Some("a\nb"));
    assert!(sgf::write(&record).unwrap().contains("RE[W+T]"));
}

#[test]
fn bad_sgf_is_refused_with_place_and_reason() {
    let table = [
        ("", "1:1 expected a game tree: (;"),
        ("hello", "1:1 expected (;, found 'h'"),
        ("()", "1:2 expected ; and a node after ("),
        ("(;GM[4]", "1:8 the text ends with 1 of ( not closed"),
        (
            "(;GM[4](;B[hh])",
            "1:16 the text ends with 1 of ( not closed",
        ),
        ("(;GM[4", "1:5 the bracket [ is never closed"),
        ("(;GM[4]C[\\", "1:9 the bracket [ is never closed"),
        ("(;GM)", "1:5 expected [ and a value of \"GM\""),
        (
            "(;GM[4]b[hh])",
            "1:8 expected a property in capitals, found 'b'",
        ),
        (
            "(;GM[4]é)",
            "1:8 expected a property in capitals, found 'é'",
        ),
        ("(;FF[4];B[hh])", "1:1 no GM[4] in the first node"),
        ("(;GM[1];B[hh])", "1:6 game \"1\" is not gomoku, which is 4"),
        (
            "(;GM[4]SZ[x])",
            "1:11 expected SZ[N] or SZ[COLUMNS:ROWS], found \"x\"",
        ),
        (
            "(;GM[4]SZ[99])",
            "1:11 99 rows: freestyle boards have 5 to 22",
        ),
        ("(;GM[4];B[])", "1:11 a pass is no move of this game"),
        ("(;GM[4];B[pp])", "1:11 \"pp\" is not on the board of 15:15"),
        ("(;GM[4];B[H16])", "1:11 \"H16\" is not on the board"),
        ("(;GM[4];B[A0])", "1:11 \"A0\" is not on the board"),
        (
            "(;GM[4];B[h+1])",
            "1:11 expected a point such as hh or H8, found \"h+1\"",
        ),
        ("(;GM[4];B[hé])", "1:11 expected a point"),
        ("(;GM[4];B[aa][bb])", "1:9 a move has one point"),
        (
            "(;GM[4];W[hh])",
            "1:9 W moves, but it is the turn of the first side",
        ),
        (
            "(;GM[4];B[hh]\n;B[hg])",
            "2:2 B moves, but it is the turn of the second side",
        ),
        ("(;GM[4];B[hh];W[hh])", "1:17 h8 is taken"),
        ("(;GM[4];B[hh];AW[aa])", "1:15 set-up after the first move"),
        ("(;GM[4]AE[hh])", "1:8 AE takes stones away"),
        (
            "(;GM[4]AB[aa][bb])",
            "1:8 2 stones of the first side and 0 of the second",
        ),
        (
            "(;GM[4]AB[aa]PL[B])",
            "1:17 PL gives the move to the first side",
        ),
        ("(;GM[4]PL[x])", "1:11 expected B or W, found \"x\""),
        (
            "(;GM[4]AB[aa:oo][aa])",
            "1:18 more stones than the board has cells",
        ),
        (
            "(;GM[4]SZ[5]RE[W+];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])",
            "1:16 the result is the second side won, but the game is over: the first side won",
        ),
        (
            "(;GM[4]SZ[5];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb])",
            "1:70 the game is over",
        ),
    ];
    for (text, expected) in table {
        let found = refusal(sgf::read(text), text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
}

#[test]
fn deep_nesting_is_only_long() {
    let depth = 200_000;
    let nested = format!("(;GM[4]{}{}", "(;".repeat(depth), ")".repeat(depth + 1));
    assert_eq!(sgf::read(&nested).unwrap().position().plies(), 0);
    let open = &nested[..nested.len() - 1];
    assert!(refusal(sgf::read(open), "nested").contains("1 of ( not closed"));
}

#[test]
fn psq_is_read_in_its_several_forms() {
    let bare = psq::read("Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n9, 7\r\n-1\r\n", None).unwrap();
    assert_eq!(bare.position().notation(), "gomoku h8 i9");
    assert_eq!(bare.header.players, [None, None]);
    let archived = "Piskvorky 20x20, 11:12, 1\n1,20,7\nA.zip\nB.zip\n-1\n2,Renju_1\n";
    let record = psq::read(archived, None).unwrap();
    assert_eq!(record.position().notation(), "renju:20 a1");
    // Who is named second moved first.
    assert_eq!(record.header.players[0].as_deref(), Some("B.zip"));
    assert_eq!(record.header.tags.value("psq-levels"), Some("12:11"));
    assert_eq!(record.header.tags.value("psq-group"), Some("2,Renju_1"));
    let told = psq::read(archived, Some(Rule::Standard)).unwrap();
    assert_eq!(told.position().variant().rule(), Rule::Standard);
}

#[test]
fn bad_psq_is_refused_with_place_and_reason() {
    let table = [
        ("", "1:1 expected \"Piskvorky WxH, ...\""),
        (
            "8,8,0",
            "1:1 expected \"Piskvorky WxH, LEVEL:LEVEL, 0\" (or 1), found \"8,8,0\"",
        ),
        ("Piskvorky 15, 0:0, 0", "1:1 expected \"Piskvorky WxH"),
        ("Piskvorky 15x15, 0:0, 2", "1:1 expected \"Piskvorky WxH"),
        ("Piskvorky 15x15, 0:0, 0, 0", "1:1 expected \"Piskvorky WxH"),
        (
            "Piskvorky 99x15, 0:0, 0",
            "1:1 99 columns: freestyle boards have 5 to 22",
        ),
        (
            "Piskvorky 9x9, 0:0, 0\n10,1,0",
            "2:1 not on the board: x from 1 to 9, y from 1 to 9",
        ),
        ("Piskvorky 9x9, 0:0, 0\n0,1,0", "2:1 not on the board"),
        ("Piskvorky 9x9, 0:0, 0\n1,1,0\n\n1,1,0", "4:1 a9 is taken"),
        (
            "Piskvorky 9x9, 0:0, 0\nA\nB\nC",
            "4:1 expected a move, two players or a number, found \"C\"",
        ),
        (
            "Piskvorky 9x9, 0:0, 0\nA",
            "2:1 expected a move, two players or a number, found \"A\"",
        ),
        (
            "Piskvorky 9x9, 0:0, 0\n-1\n1,1,0",
            "3:1 expected a move, two players or a number",
        ),
    ];
    for (text, expected) in table {
        let found = refusal(psq::read(text, None), text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
    let text = "Piskvorky 9x9, 0:0, 0";
    let found = refusal(psq::read(text, Some(Rule::Gravity)), text);
    assert_eq!(found, "1:1 stones do not fall in this format");
}
