//! Games as records: what is written is read back, what is wrong is refused.

mod games;
mod written;

use proptest::prelude::*;
use stoneline_rules::{Outcome, Position, Record, Side, TagError, Tags, psq, sgf};
use written::{random_record, refusal};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_record_is_read_back_without_loss(seed: u64, plies in 0_usize..80) {
        let record = random_record(seed, plies);
        let text = record.to_string();
        let back = Record::read(&text).unwrap();
        prop_assert_eq!(&back, &record);
        prop_assert_eq!(back.to_string(), text.as_str());
        prop_assert_eq!(back.position().start(), record.position().start());
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(&Record::read(&crlf).unwrap(), &record);
        prop_assert_eq!(Record::read_all(&text.repeat(3)).unwrap(), vec![record; 3]);
    }
}

#[test]
fn tags_keep_out_of_the_way_of_fields() {
    let mut tags = Tags::default();
    assert_eq!(tags.add("game", ""), Err(TagError::Reserved("game".into())));
    for name in ["", "1st", "a b", "ü", "a:b"] {
        assert_eq!(tags.add(name, ""), Err(TagError::Malformed(name.into())));
    }
}

#[test]
fn a_result_can_not_contradict_the_board() {
    let won: Position = "connect4 1212121".parse().unwrap();
    let mut record = Record::new(won);
    let first = Outcome::Win(Side::First);
    assert_eq!(record.result(), Some(first));
    assert!(record.adjudge(Outcome::Draw).is_err());
    assert!(record.adjudge(first).is_ok());
    for claim in ["second", "draw", "none"] {
        let text = record
            .to_string()
            .replace("result: first", &format!("result: {claim}"));
        let found = refusal(Record::read(&text), &text);
        let expected = format!("3:9 the result is {claim}, but the board shows the first side won");
        assert_eq!(found, expected);
    }
    let silent = record.to_string().replace("result: first\n", "");
    assert_eq!(Record::read(&silent).unwrap().result(), Some(first));
}

#[test]
fn bad_records_are_refused_with_place_and_reason() {
    let table = [
        ("", "1:1 the text ends where a record should come"),
        ("hello", "1:1 expected \"stoneline game 1\""),
        ("stoneline game 2", "1:16 version \"2\": only 1 is known"),
        (
            "stoneline game 1\n",
            "2:1 the text ends where the game should come",
        ),
        ("stoneline game 1\nend", "2:1 expected a header"),
        (
            "stoneline game 1\ndate: x\nend",
            "2:1 expected the header \"game: NAME\" first",
        ),
        (
            "stoneline game 1\ngame: chess\nend",
            "2:7 unknown game \"chess\"",
        ),
        (
            "GAME",
            "3:1 the text ends where a move or \"end\" should come",
        ),
        (
            "GAMEgame: connect4\nend",
            "3:1 the header game stands twice",
        ),
        (
            "GAMEdate: 1\n date: 2\nend",
            "4:2 the header date stands twice",
        ),
        (
            "GAMEresult: none\nresult: draw\nend",
            "4:1 the header result stands twice",
        ),
        (
            "GAMEresult: black\nend",
            "3:9 expected first, second, draw or none, found \"black\"",
        ),
        (
            "GAMEno header\nend",
            "3:1 expected a header \"NAME: TEXT\", found \"no header\"",
        ),
        ("GAMEdepth: 3\nend", "3:1 depth is no further tag"),
        ("GAMEdate: \"x\nend", "3:7 the closing quote is missing"),
        (
            "GAMEdate: \"x\"y\nend",
            "3:10 expected nothing after the closing quote",
        ),
        ("GAMEdate: \"\\q\"\nend", "3:8 no such escape"),
        ("GAMEdate: \"\\u{d800}\"\nend", "3:8 no such escape"),
        ("GAMEdate: \"\\u{1234567}\"\nend", "3:8 no such escape"),
        ("GAMEdate: \"\\", "3:8 no such escape"),
        ("GAMEboard: ./.\nend", "3:11 connect4 has 6 rows, found 2"),
        (
            "GAMEboard: 1/2/3/4/5/6\nend",
            "3:8 this is row 6, numbered \"1\"",
        ),
        (
            "GAMEboard: .......\nboard: .......\nend",
            "3:15 connect4 has 6 rows, found 1",
        ),
        (
            "GAME2 4\nend",
            "3:1 expected move number 1 or \"end\", found \"2\"",
        ),
        ("GAME1 8\nend", "3:3 no column '8'"),
        ("GAME1\nend", "3:2 expected a move"),
        ("GAME1 4 4\nend", "3:5 expected NAME=TEXT, found \"4\""),
        (
            "GAME1 4 depth=x\nend",
            "3:5 depth is a whole number, found \"x\"",
        ),
        ("GAME1 4 depth=+1\nend", "3:5 depth is a whole number"),
        (
            "GAME1 4 depth=4294967296\nend",
            "3:5 depth is a whole number",
        ),
        ("GAME1 4 depth=1 depth=1\nend", "3:13 depth stands twice"),
        ("GAME1 4 =1\nend", "3:5 a tag's name is a letter"),
        (
            "GAME1 4 a=\"x\"b\nend",
            "3:10 expected a space after the closing quote",
        ),
        (
            "GAME1 1\n2 1\n3 1\n4 1\n5 1\n6 1\n7 1\nend",
            "9:3 column 1 is full",
        ),
        (
            "GAME1 4\ndate: x\nend",
            "4:1 expected move number 2 or \"end\", found \"date:\"",
        ),
        (
            "GAMEend\nend",
            "4:1 expected nothing after the record's end",
        ),
    ];
    for (text, expected) in table {
        let text = text.replace("GAME", "stoneline game 1\ngame: connect4\n");
        let found = refusal(Record::read(&text), &text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
}

#[test]
fn oversized_games_are_refused() {
    let long = " ".repeat(stoneline_rules::LONGEST_TEXT + 1);
    for read in [
        Record::read(&long),
        sgf::read(&long),
        psq::read(&long, None),
    ] {
        assert!(refusal(read, "long").contains("bytes; at most"));
    }
}
