//! Which lines win under each rule: drawn lines, laid in all four directions.

use stoneline_rules::{Cell, Outcome, Position, Rule, Setup, Side};

/// Lines from edge to edge: `x` first side, `o` second, in capitals what wins.
const LINES: [(Rule, &[&str]); 4] = [
    (
        Rule::Freestyle,
        &[
            "..XXXXX..",
            "oXXXXXo..",
            ".XXXXXX..",
            "XXXXXXXXX",
            "XXXXX",
            "..OOOOO..",
            ".OOOOOOO.",
            "..xxxx...",
            ".xxxx.x..",
            ".xxoxxx..",
        ],
    ),
    (
        Rule::Standard,
        &[
            "..XXXXX..",
            "oXXXXXo..",
            "XXXXX",
            "..OOOOO..",
            "XXXXX.x..",
            ".xxxxxx..",
            ".oooooo..",
            "xxxxxxxxx",
            "..xxxx...",
        ],
    ),
    (
        Rule::Renju,
        &[
            "..XXXXX..",
            "oXXXXXo..",
            "XXXXX",
            "..OOOOO..",
            ".OOOOOO..",
            "OOOOOOO",
            ".xxxxxx..",
            "..xxxx...",
            "..oooo...",
        ],
    ),
    // The edge does not close an end: only a stone of the other side does.
    (
        Rule::Caro,
        &[
            "..XXXXX..",
            "oXXXXX...",
            "..XXXXXo.",
            ".oxxxxxo.",
            "oxxxxxo..",
            "XXXXXo...",
            "oXXXXX",
            "XXXXX",
            "o.XXXXXo.",
            "..OOOOO..",
            "xOOOOO...",
            ".xooooox.",
            "OOOOOx...",
            ".xxxxxx..",
            "..xxxx...",
        ],
    ),
];

const DIRECTIONS: usize = 4;

/// The line laid across, up, on the rising or on the falling diagonal of a square board.
fn place(direction: usize, size: usize, at: usize) -> Cell {
    let (middle, at, last) = (size as u8 / 2, at as u8, size as u8 - 1);
    match direction {
        0 => Cell::new(at, middle),
        1 => Cell::new(middle, at),
        2 => Cell::new(at, at),
        _ => Cell::new(at, last - at),
    }
}

/// The line on a board where its side moved last, the other's spare stones scattered off it.
fn setup(rule: Rule, direction: usize, line: &str) -> (Setup, Side, Vec<Cell>) {
    let size = line.len();
    let mut setup = Setup::empty(rule, size, size, 5);
    let mut winning = Vec::new();
    for (at, content) in line.chars().enumerate() {
        let cell = place(direction, size, at);
        match content.to_ascii_lowercase() {
            'x' => setup.stones[0].push(cell),
            'o' => setup.stones[1].push(cell),
            _ => {}
        }
        if content.is_ascii_uppercase() {
            winning.push(cell);
        }
    }
    let on_line: Vec<Cell> = (0..size).map(|at| place(direction, size, at)).collect();
    // No two scattered stones are neighbours, so they make no line.
    let mut scattered = (0..size as u8)
        .step_by(2)
        .flat_map(|column| (0..size as u8).step_by(2).map(move |row| (column, row)))
        .map(|(column, row)| Cell::new(column, row))
        .filter(|cell| !on_line.contains(cell));
    let [first, second] = [0, 1].map(|side: usize| setup.stones[side].len());
    let (side, missing) = if first > second {
        (Side::First, first - 1 - second)
    } else {
        (Side::Second, second - first)
    };
    setup.stones[(!side).index()].extend(scattered.by_ref().take(missing));
    winning.sort();
    (setup, side, winning)
}

#[test]
fn drawn_lines_win_as_marked() {
    for (rule, lines) in LINES {
        for (line, direction) in lines
            .iter()
            .flat_map(|&line| (0..DIRECTIONS).map(move |d| (line, d)))
        {
            let (setup, side, winning) = setup(rule, direction, line);
            let position = Position::try_from(setup).unwrap();
            let expected = (!winning.is_empty()).then_some(Outcome::Win(side));
            assert_eq!(position.outcome(), expected, "{rule} {line} {direction}");
            assert_eq!(
                position.winning_cells(),
                winning,
                "{rule} {line} {direction}"
            );
        }
    }
}

#[test]
fn any_last_stone_finishes_a_drawn_line() {
    let mut finished = 0;
    for (rule, lines) in LINES {
        for (line, direction) in lines
            .iter()
            .flat_map(|&line| (0..DIRECTIONS).map(move |d| (line, d)))
        {
            let (setup, side, winning) = setup(rule, direction, line);
            for &last in &winning {
                let mut before = setup.clone();
                before.stones[side.index()].retain(|&cell| cell != last);
                let Ok(mut position) = Position::try_from(before) else {
                    continue; // Six without an end stone are won already.
                };
                position.play(last).unwrap();
                assert_eq!(
                    position.outcome(),
                    Some(Outcome::Win(side)),
                    "{rule} {line} {last}"
                );
                assert_eq!(position.winning_cells(), winning, "{rule} {line} {last}");
                finished += 1;
            }
        }
    }
    assert!(finished > 400, "only {finished} lines");
}
