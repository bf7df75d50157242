//! Moves, positions and drawn boards: what is written is read back, what is wrong is refused.

mod games;

use games::{random_game, without_history};
use proptest::prelude::*;
use stoneline_rules::{Cell, Position, ReadError, Variant, notation};

fn position(text: &str) -> Position {
    text.parse()
        .unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// `line:column reason` of the refusal of `text`.
fn refusal<T: std::fmt::Debug>(read: Result<T, ReadError>, text: &str) -> String {
    match read {
        Ok(read) => panic!("{text:?} was read as {read:?}"),
        Err(error) => format!("{}:{} {}", error.line(), error.column(), error.reason()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_position_is_read_back_with_its_history(seed: u64, plies in 0_usize..120) {
        let position = random_game(seed, plies);
        let text = position.notation();
        let back = Position::read(&text, seed).unwrap();
        prop_assert_eq!(&back, &position);
        prop_assert_eq!(back.moves(), position.moves());
        prop_assert_eq!(back.start(), position.start());
        prop_assert_eq!(back.notation(), text);
    }

    #[test]
    fn a_drawing_is_read_back(seed: u64, plies in 0_usize..120) {
        let position = random_game(seed, plies);
        let text = position.to_string();
        let back = Position::read(&text, seed).unwrap();
        prop_assert_eq!(&back, &position);
        prop_assert_eq!(back.outcome(), position.outcome());
        prop_assert_eq!(back.to_string(), text.as_str());
        // Bare: no numbers, no columns, no spaces.
        let lines: Vec<&str> = text.lines().collect();
        let mut bare = lines[0].to_owned();
        for row in &lines[1..lines.len() - 1] {
            bare.push('\n');
            bare.extend(row.chars().filter(|sign| ".xo#".contains(*sign)));
        }
        prop_assert_eq!(Position::read(&bare, seed).unwrap(), position);
    }

    #[test]
    fn every_form_of_a_move_is_the_same_move(seed: u64, plies in 0_usize..60) {
        let position = random_game(seed, plies);
        let variant = *position.variant();
        for cell in position.legal_moves() {
            let written = notation::write_move(&variant, cell);
            let y = variant.geometry().rows() - 1 - cell.row();
            let pair = format!(" {},{y} ", cell.column());
            prop_assert_eq!(notation::read_move(&position, &written), Ok(cell));
            prop_assert_eq!(notation::read_move(&position, &written.to_uppercase()), Ok(cell));
            prop_assert_eq!(notation::read_move(&position, &pair), Ok(cell));
        }
        let moves = position.moves();
        let start = position.start();
        let written = notation::write_moves(&variant, moves);
        prop_assert_eq!(notation::read_moves(&start, &written).unwrap(), moves);
        let apart: Vec<String> = moves.iter().map(|&cell| notation::write_move(&variant, cell)).collect();
        for separator in ["", " ", ", ", "\n"] {
            prop_assert_eq!(notation::read_moves(&start, &apart.join(separator)).unwrap(), moves);
        }
    }
}

#[test]
fn moves_have_several_forms() {
    let cells = |text: &str| position(text).moves().to_vec();
    let columns = [Cell::new(3, 0), Cell::new(3, 1), Cell::new(4, 0)];
    for text in [
        "connect4 445",
        "connect4 4 4 5",
        "connect4 4, 4, 5",
        "connect4 3,5 3,4 4,5",
        "connect4 4 3,4, 5",
        "  connect4\t44\n5\n",
    ] {
        assert_eq!(cells(text), columns, "{text:?}");
    }
    let corners = [Cell::new(0, 14), Cell::new(14, 0), Cell::new(7, 7)];
    for text in [
        "gomoku a15 o1 h8",
        "gomoku A15O1h8",
        "gomoku a15,o1,h8",
        "gomoku 0,0 14,14 7,7",
        "gomoku 0,0,14,14,7,7",
        "gomoku 0,0o1,7,7",
    ] {
        assert_eq!(cells(text), corners, "{text:?}");
    }
    let wide = [Cell::new(15, 0), Cell::new(9, 0)];
    assert_eq!(cells("connectx:4x16x4 ga"), wide);
    assert_eq!(cells("connectx:4x16x4 GA"), wide);
}

#[test]
fn a_stone_lands_above_blocked_cells() {
    let game = position("course:9x9@8,0@7,0@4,4 1555555");
    assert_eq!(game.moves()[0], Cell::new(0, 2));
    assert_eq!(game.moves()[5], Cell::new(4, 5));
}

#[test]
fn drawings_have_several_forms() {
    let expected = without_history(&position("connectx:4x5x4 3323"));
    for text in [
        "connectx:4x5x4\n.....\n..o..\n..o..\n.xx..",
        "connectx:4x5x4\r\n\r\n.....\r\n..o..\r\n..o..\r\n.xx..\r\n",
        "connectx:4x5x4\n 1 2 3 4 5\n4 . . . . .\n3 . . O . .\n2 . . o . .\n1 . X x . .",
        "connectx:4x5x4\n4 ..... 4\n3 ..o.. 3\n2 ..o.. 2\n1 .xx.. 1\n  abcde\n\n",
        "connectx:4x5x4\n.....\n.....\n..o..\n..x..\nmoves: 2\n3",
    ] {
        assert_eq!(position(text), expected, "{text:?}");
    }
    assert_eq!(
        expected.to_string(),
        "connectx:4x5x4\n 4 . . . . .\n 3 . . o . .\n 2 . . o . .\n 1 . x x . .\n   1 2 3 4 5"
    );
    assert_eq!(expected.notation(), expected.to_string());
}

#[test]
fn the_seed_draws_the_course_board() {
    let read = Position::read("course 5", 7).unwrap();
    assert_eq!(*read.variant(), Variant::course(7));
    assert!(read.notation().starts_with("course:"));
    assert_eq!(position(&read.notation()), read);
}

#[test]
fn bad_positions_are_refused_with_place_and_reason() {
    let table = [
        ("", "1:1 expected the name of a game"),
        (" \n ", "2:2 expected the name of a game"),
        ("chess 44", "1:1 unknown game \"chess\""),
        ("  connectx:6xx4 1", "1:14 expected a number, found \"\""),
        ("connect4 8", "1:10 no column '8': the last is 7"),
        ("connect4 44h", "1:12 expected a column, found 'h'"),
        ("connect4 0", "1:10 expected a column, found '0'"),
        ("connect4 4é", "1:11 expected a column, found 'é'"),
        ("connect4 4444444", "1:16 move 7: column 4 is full"),
        (
            "connect4 1212121 3",
            "1:18 move 8: the game is over: the first side won",
        ),
        ("connect4 3,0", "1:10 move 1: a stone at d6 would float"),
        ("connect4 4 3,5", "1:12 move 2: d1 is taken"),
        ("connect4 7,0", "1:10 x,y is not on the board"),
        (
            "connect4 3,6",
            "1:10 x,y is not on the board: x from 0 to 6, y from the top from 0 to 5",
        ),
        ("connect4 3,5,3", "1:10 3,5 is the cell x,y; put a space"),
        (
            "connect4 99999999999999999999999,1",
            "1:10 x,y is not on the board",
        ),
        ("connect4 4,", "1:11 expected a move after the comma"),
        ("connect4 ,4", "1:10 expected a column, found ','"),
        ("connect4 4,,4", "1:12 expected a column, found ','"),
        ("course:9x9@8,0 0,8", "1:16 move 1: a1 is a blocked cell"),
        ("gomoku h8 h8", "1:11 move 2: h8 is taken"),
        (
            "gomoku p1",
            "1:8 not on the board, which reaches from a1 to o15",
        ),
        ("gomoku a0", "1:8 not on the board"),
        ("gomoku a16", "1:8 not on the board"),
        ("gomoku h8\ni", "2:2 expected a row number, found the end"),
        ("gomoku hh", "1:9 expected a row number, found 'h'"),
        ("gomoku 7", "1:8 expected a column letter, found '7'"),
        ("gomoku 15,0", "1:8 x,y is not on the board"),
    ];
    for (text, expected) in table {
        let found = refusal(Position::read(text, 0), text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
}

#[test]
fn bad_drawings_are_refused_with_place_and_reason() {
    let rows = ".....\n.....\n";
    let table = [
        (
            format!("{rows}....."),
            "4:6 connectx:4x5x4 has 4 rows, found 3",
        ),
        (
            format!("{rows}{rows}....."),
            "6:1 connectx:4x5x4 has 4 rows, this is one more",
        ),
        (
            format!("{rows}....\n....."),
            "4:5 connectx:4x5x4 has 5 columns, this row has 4",
        ),
        (
            format!("{rows}......\n....."),
            "4:6 connectx:4x5x4 has 5 columns, this is one more cell",
        ),
        (
            format!("{rows}..z..\n....."),
            "4:3 expected one of . x o #, found 'z'",
        ),
        (format!("{rows}..#..\n....."), "4:3 c2 is no blocked cell"),
        (
            format!("{rows}3 .....\n....."),
            "4:1 this is row 2, numbered \"3\"",
        ),
        (
            format!("{rows}.....1\n....."),
            "4:6 this is row 2, numbered \"1\"",
        ),
        (
            format!("{rows}12345\n.....\n....."),
            "4:1 the line of columns stands once",
        ),
        (
            format!("12345\n{rows}{rows}abcde"),
            "7:1 the line of columns stands once",
        ),
        (format!("{rows}..x..\n....."), "2:1 stone at c2 floats"),
        (
            format!("{rows}.....\n..o.."),
            "2:1 0 stones of the first side and 1 of the second",
        ),
        (
            format!("{rows}.....\noxxxx"),
            "2:1 4 stones of the first side and 1 of the second",
        ),
        (
            format!("{rows}ooo..\nxxxxo"),
            "2:1 the first side has a finished line, yet the other side moved",
        ),
        (format!("{rows}{rows}moves: 16"), "6:9 no column '6'"),
        (
            format!("{rows}moves: 1"),
            "3:6 connectx:4x5x4 has 4 rows, found 2",
        ),
        ("44".to_owned(), "2:3 connectx:4x5x4 has 4 rows, found 1"),
    ];
    for (drawing, expected) in table {
        let text = format!("connectx:4x5x4\n{drawing}");
        let found = refusal(Position::read(&text, 0), &text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
    let text = "course:4x4@3,0\n....\n....\n....\n....";
    let found = refusal(Position::read(text, 0), text);
    assert_eq!(
        found,
        "5:1 a1 is a blocked cell of course:4x4@3,0: draw it as #"
    );
}

#[test]
fn one_move_is_read_alone() {
    let game = position("connect4 44");
    let table = [
        ("", "1:1 expected a move"),
        ("4 5", "1:3 expected one move only"),
        ("4,", "1:2 expected one move only"),
        ("3,5", "1:1 d1 is taken"),
    ];
    for (text, expected) in table {
        let found = refusal(notation::read_move(&game, text), text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
}

#[test]
fn a_refused_list_leaves_the_position_alone() {
    let mut game = position("connect4 44");
    let before = game.clone();
    assert!(notation::play_text(&mut game, "4455x").is_err());
    assert_eq!((&game, game.moves()), (&before, before.moves()));
    assert_eq!(game.key(), before.key());
}

#[test]
fn oversized_texts_are_refused() {
    let long = " ".repeat(stoneline_rules::LONGEST_TEXT + 1);
    let text = format!("connect4{long}");
    assert!(refusal(Position::read(&text, 0), "long").contains("bytes; at most"));
    let mut game = position("connect4");
    assert!(notation::play_text(&mut game, &long).is_err());
    let name = format!("course:9x9{}", "@1,1".repeat(1000));
    assert!(refusal(Variant::named(&name, 0), "long").contains("bytes; at most"));
}

#[test]
fn sizes_beyond_any_board_are_refused_by_name() {
    for name in [
        "course:300x300@0,0",
        "connectx:40x7x4@0,0",
        "course:9x65535@8,65534",
    ] {
        assert!(Variant::named(name, 0).is_err(), "{name}");
    }
}
