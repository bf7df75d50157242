//! Bad input: each fault has its own error, and all of them are named.

use stoneline_rules::{Cell, Fault, Outcome, PlayError, Position, Rule, Setup, Side, Variant};

fn faults(setup: Setup) -> Vec<Fault> {
    Position::try_from(setup)
        .expect_err("the setup is impossible")
        .faults()
        .to_vec()
}

fn cells(places: &[(u8, u8)]) -> Vec<Cell> {
    places
        .iter()
        .map(|&(column, row)| Cell::new(column, row))
        .collect()
}

fn connect4(first: &[(u8, u8)], second: &[(u8, u8)]) -> Setup {
    Setup {
        stones: [cells(first), cells(second)],
        ..Setup::empty(Rule::Gravity, 6, 7, 4)
    }
}

#[test]
fn every_fault_of_a_board_is_named() {
    let board = |rule, rows, columns, run| faults(Setup::empty(rule, rows, columns, run));
    let (rule, low, high) = (Rule::Gravity, 4, 16);
    assert_eq!(
        board(rule, 3, 17, 2),
        [
            Fault::Rows {
                rows: 3,
                rule,
                low,
                high
            },
            Fault::Columns {
                columns: 17,
                rule,
                low,
                high
            },
            Fault::RunTooShort(2),
        ]
    );
    assert_eq!(
        board(rule, 6, 7, 8),
        [Fault::RunTooLong { run: 8, longest: 7 }]
    );
    let (rule, low, high) = (Rule::Freestyle, 5, 22);
    assert_eq!(
        board(rule, 4, 23, 5),
        [
            Fault::Rows {
                rows: 4,
                rule,
                low,
                high
            },
            Fault::Columns {
                columns: 23,
                rule,
                low,
                high
            },
        ]
    );
    assert_eq!(board(Rule::Renju, 15, 15, 6), [Fault::RenjuRun(6)]);
    assert!(!board(Rule::Caro, usize::MAX, usize::MAX, usize::MAX).is_empty());
}

#[test]
fn blocked_cells_are_checked() {
    let blocked = |rule, cells: Vec<Cell>| {
        faults(Setup {
            blocked: cells,
            ..Setup::empty(rule, 6, 7, 4)
        })
    };
    assert_eq!(
        blocked(Rule::Gravity, cells(&[(7, 0), (1, 1), (1, 1), (0, 6)])),
        [
            Fault::BlockedOutside(Cell::new(7, 0)),
            Fault::BlockedTwice(Cell::new(1, 1)),
            Fault::BlockedOutside(Cell::new(0, 6)),
        ]
    );
    let all = (0..7).flat_map(|column| (0..6).map(move |row| Cell::new(column, row)));
    assert_eq!(blocked(Rule::Gravity, all.collect()), [Fault::AllBlocked]);
    assert_eq!(
        blocked(Rule::Freestyle, cells(&[(0, 0)])),
        [Fault::BlockedOnFreeBoard]
    );
}

#[test]
fn every_misplaced_stone_is_named() {
    let setup = Setup {
        blocked: cells(&[(2, 0), (3, 1)]),
        ..connect4(
            &[(0, 1), (9, 9), (2, 0), (3, 2)],
            &[(1, 0), (1, 0), (4, 0), (5, 0)],
        )
    };
    assert_eq!(
        faults(setup),
        [
            Fault::StoneOutside(Side::First, Cell::new(9, 9)),
            Fault::StoneOnBlocked(Side::First, Cell::new(2, 0)),
            Fault::StoneTwice(Cell::new(1, 0)),
            Fault::Floating(Cell::new(0, 1)),
            // On a blocked cell, but the cell beneath that one is still empty.
            Fault::Floating(Cell::new(3, 2)),
        ]
    );
}

#[test]
fn counts_of_stones_must_alternate() {
    let too_many_first = connect4(&[(0, 0), (1, 0)], &[]);
    assert_eq!(
        faults(too_many_first),
        [Fault::Count {
            first: 2,
            second: 0
        }]
    );
    let too_many_second = connect4(&[], &[(0, 0)]);
    assert_eq!(
        faults(too_many_second),
        [Fault::Count {
            first: 0,
            second: 1
        }]
    );
}

#[test]
fn finished_lines_must_end_the_game() {
    let row = |row| [(0, row), (1, row), (2, row), (3, row)];
    assert_eq!(faults(connect4(&row(0), &row(1))), [Fault::BothWon]);
    let second_moved_on = connect4(&row(0), &[(4, 0), (5, 0), (6, 0), (4, 1)]);
    assert_eq!(faults(second_moved_on), [Fault::PlayedOn(Side::First)]);
    // Two lines that no single last stone explains.
    let two_lines = connect4(
        &[
            (0, 0),
            (1, 0),
            (2, 0),
            (3, 0),
            (6, 0),
            (6, 1),
            (6, 2),
            (6, 3),
        ],
        &[(0, 1), (1, 1), (2, 1), (4, 0), (4, 1), (5, 0), (5, 1)],
    );
    assert_eq!(faults(two_lines), [Fault::PlayedOn(Side::First)]);
    let won = Position::try_from(connect4(&row(0), &[(4, 0), (5, 0), (6, 0)])).unwrap();
    assert_eq!(won.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(won.winning_cells(), cells(&row(0)));
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let game: Variant = "course:6x7@4,1".parse().unwrap();
    let mut position = Position::new(game);
    position.play(Cell::new(0, 0)).unwrap();
    let before = position.clone();
    let tries = [
        (Cell::new(7, 0), PlayError::Outside(Cell::new(7, 0))),
        (Cell::new(1, 1), PlayError::Blocked(Cell::new(1, 1))),
        (Cell::new(0, 0), PlayError::Taken(Cell::new(0, 0))),
        (Cell::new(0, 2), PlayError::Floating(Cell::new(0, 2))),
        // The blocked cell carries nothing while the cell below it is empty.
        (Cell::new(1, 2), PlayError::Floating(Cell::new(1, 2))),
    ];
    for (cell, error) in tries {
        assert_eq!(position.play(cell), Err(error));
        assert_eq!(position, before);
    }
}

#[test]
fn nothing_is_played_after_the_end() {
    let mut position = Position::new("connect4".parse().unwrap());
    for column in [0, 1, 0, 1, 0, 1, 0] {
        position.play(position.landing(column).unwrap()).unwrap();
    }
    let won = Outcome::Win(Side::First);
    assert_eq!(position.outcome(), Some(won));
    assert_eq!(
        position.play(Cell::new(3, 0)),
        Err(PlayError::GameOver(won))
    );
    assert_eq!(position.landing(3), Err(PlayError::GameOver(won)));
    assert!(position.legal_moves().is_empty());
    position.undo();
    assert_eq!(position.outcome(), None);
}

#[test]
fn full_columns_say_so() {
    let mut position = Position::new("connectx:4x4x4".parse().unwrap());
    for _ in 0..4 {
        position.play(position.landing(2).unwrap()).unwrap();
    }
    assert_eq!(position.landing(2), Err(PlayError::ColumnFull(2)));
    assert_eq!(
        position.landing(4),
        Err(PlayError::Outside(Cell::new(4, 0)))
    );
}

/// A column as the course's judge fills it: `top` counts from the top, and the
/// forbidden cell is skipped when the cell below it is taken.
#[test]
fn forbidden_cells_behave_as_in_the_course() {
    for (name, column, rows) in [
        ("course:4x5@3,2", 2, vec![1, 2, 3]),
        ("course:4x5@0,2", 2, vec![0, 1, 2]),
        ("course:4x5@1,2", 2, vec![0, 1, 3]),
        ("course:4x5@3,2@2,2", 2, vec![2, 3]),
        ("course:4x5@0,2@1,2", 2, vec![0, 1]),
        ("course:4x5@0,2@2,2", 2, vec![0, 2]),
        ("course:4x5@0,2@1,2@2,2@3,2", 2, vec![]),
    ] {
        let mut position = Position::new(name.parse().unwrap());
        let mut landed = Vec::new();
        while let Ok(cell) = position.landing(column) {
            landed.push(cell.row());
            position.play(cell).unwrap();
        }
        assert_eq!(landed, rows, "{name}");
        assert_eq!(position.landing(column), Err(PlayError::ColumnFull(column)));
    }
}

#[test]
fn a_full_board_is_a_draw_and_the_win_is_tested_first() {
    let blocked: Vec<Cell> = (0..4)
        .flat_map(|column| (1..4).map(move |row| Cell::new(column, row)))
        .collect();
    let one_row = Variant::new(Rule::Gravity, 4, 4, 3, &blocked).unwrap();
    let play = |columns: [u8; 4]| {
        let mut position = Position::new(one_row);
        for column in columns {
            position.play(position.landing(column).unwrap()).unwrap();
        }
        position.outcome()
    };
    assert_eq!(play([0, 1, 2, 3]), Some(Outcome::Draw));
    let one_row_and_a_column = Variant::new(Rule::Gravity, 4, 4, 4, &blocked[..9]).unwrap();
    let mut position = Position::new(one_row_and_a_column);
    for column in [3, 0, 3, 1, 3, 2, 3] {
        position.play(position.landing(column).unwrap()).unwrap();
    }
    assert_eq!(position.plies(), one_row_and_a_column.geometry().capacity());
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn course_boards_follow_from_the_seed() {
    let boards: Vec<String> = (0..5)
        .map(|seed| Variant::course(seed).to_string())
        .collect();
    assert_eq!(
        boards,
        [
            "course:12x10@0,9",
            "course:11x11@10,4",
            "course:11x11@6,8",
            "course:9x11@5,0",
            "course:10x12@8,5"
        ]
    );
    let (mut sizes, mut corners) = (std::collections::HashSet::new(), 0);
    for seed in 0..4000 {
        let variant = Variant::course(seed);
        let geometry = variant.geometry();
        assert_eq!(geometry.blocked().len(), 1);
        sizes.insert((geometry.rows(), geometry.columns()));
        corners += u32::from(geometry.is_blocked(Cell::new(0, 0)));
    }
    assert_eq!(sizes.len(), 16);
    assert!((15..80).contains(&corners), "{corners} of 4000 in a corner");
}

#[test]
fn names_are_read_or_refused_with_place_and_reason() {
    for (name, canonical) in [
        ("connect4", "connect4"),
        ("connectx:6x7x4", "connect4"),
        ("connectx:8x9x5", "connectx:8x9x5"),
        ("connectx:8x9x5@0,0", "connectx:8x9x5@0,0"),
        ("course:9x9@4,4,8,0", "course:9x9@8,0@4,4"),
        ("gomoku", "gomoku"),
        ("gomoku:15", "gomoku"),
        ("gomoku:20", "gomoku:20"),
        ("gomoku:10", "gobang"),
        ("mnk:15x15x5", "gomoku"),
        ("mnk:8x9x4", "mnk:8x9x4"),
        ("standard:15x20", "standard:15x20"),
        ("renju", "renju"),
        ("caro", "caro"),
    ] {
        assert_eq!(name.parse::<Variant>().unwrap().to_string(), canonical);
    }
    for (name, column, reason) in [
        ("", 1, "unknown game"),
        ("chess", 1, "unknown game"),
        ("connect4:7x6", 10, "takes no size"),
        ("connectx", 9, "needs a size"),
        ("connectx:6x7", 10, "expected ROWSxCOLSxK"),
        ("connectx:6xx4", 12, "expected a number"),
        ("connectx:99x7x4", 10, "99 rows"),
        ("connectx:6x7x9", 10, "run of 9"),
        ("course:9x9", 11, "forbidden cell"),
        ("course:9x9@", 12, "expected a number"),
        ("course:9x9@1", 12, "ROW,COL"),
        ("course:9x9@9,0", 12, "not on the board"),
        ("course:9x9@1,1@1,1", 8, "blocked twice"),
        ("gomoku:4", 8, "4 rows"),
        ("gomoku:99999999999", 8, "expected a number"),
        ("gomoku:+9", 8, "expected a number"),
        ("renju:15x15x6", 7, "renju is played with five"),
        ("棋:3", 1, "unknown game"),
    ] {
        let error = name.parse::<Variant>().unwrap_err();
        assert_eq!(error.column(), column, "{name}: {error}");
        assert!(error.reason().contains(reason), "{name}: {error}");
    }
}
