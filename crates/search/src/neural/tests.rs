//! The judge against a dull twin: rows listed by plain loops, summed in floating point.

use super::file::checksum;
use super::net::{Head, Row};
use super::rows::{ENDINGS, GROUPS, HEADS, NONE, PHASES, ROWS, groups, swapped};
use super::*;
use std::sync::Arc;
use stoneline_rules::{
    Board, Cell, Chance, Content, Grid, Position, Rule, Side, Variant, with_words,
};

/// A net of small random weights, whose sums stay far from the ends of their type.
fn random_net(seed: u64) -> Net {
    let mut chance = Chance::new(seed);
    let mut number = |reach: u32| (chance.below(2 * reach + 1) as i32 - reach as i32) as i16;
    let mut net = Net::blank();
    for row in net.rows[1..].iter_mut().chain([&mut net.bias]) {
        row.0 = std::array::from_fn(|_| number(60));
    }
    for head in net.heads.as_flattened_mut() {
        let weights = Row(std::array::from_fn(|_| number(3000)));
        let bias = i32::from(number(30_000)) * 10;
        *head = Head { weights, bias };
    }
    net
}

/// A board of any size with a run and blocked cells by lot.
fn random_variant(chance: &mut Chance) -> Variant {
    let side = |chance: &mut Chance| 4 + chance.below(13) as usize;
    let (rows, columns) = (side(chance), side(chance));
    let longest = rows.max(columns) as u32;
    let run = match chance.below(3) {
        0 => 3 + chance.below(longest - 2) as usize,
        _ => 4,
    };
    let mut blocked: Vec<Cell> = Vec::new();
    for _ in 0..[0, 1, 1, 3, 12][chance.below(5) as usize] {
        let column = chance.below(columns as u32) as u8;
        let cell = Cell::new(column, chance.below(rows as u32) as u8);
        if !blocked.contains(&cell) {
            blocked.push(cell);
        }
    }
    Variant::new(Rule::Gravity, rows, columns, run, &blocked).unwrap()
}

fn at(position: &Position, column: i32, row: i32) -> Option<Content> {
    let geometry = position.variant().geometry();
    let inside = (0..i32::from(geometry.columns())).contains(&column)
        && (0..i32::from(geometry.rows())).contains(&row);
    inside.then(|| {
        position
            .content(Cell::new(column as u8, row as u8))
            .expect("on the board")
    })
}

/// For each cell, 0 or 1: who gets it, if empty, when everything else is filled first.
fn owners(position: &Position) -> Vec<Vec<usize>> {
    let geometry = position.variant().geometry();
    let (columns, rows) = (i32::from(geometry.columns()), i32::from(geometry.rows()));
    let empty = |column, row| at(position, column, row) == Some(Content::Empty);
    let left = (0..columns * rows)
        .filter(|n| empty(n / rows, n % rows))
        .count();
    let mover = position.side_to_move().index();
    let owner = |column, row| {
        let above = (row + 1..rows).filter(|&row| empty(column, row)).count();
        match (left + above) % 2 {
            1 => mover,
            _ => 1 - mover,
        }
    };
    (0..columns)
        .map(|column| (0..rows).map(|row| owner(column, row)).collect())
        .collect()
}

/// The row of a window from (column, row) on, its lowest cell first.
fn window_row(
    position: &Position,
    owners: &[Vec<usize>],
    start: (i32, i32),
    step: (i32, i32),
) -> Option<usize> {
    let run = i32::from(position.variant().run());
    let cells: Vec<(i32, i32)> = (0..run)
        .map(|n| (start.0 + n * step.0, start.1 + n * step.1))
        .collect();
    let mut sides = Vec::new();
    // s: stone, 0 and 1: an empty cell's owner.
    let mut text = String::new();
    for &(column, row) in &cells {
        match at(position, column, row)? {
            Content::Blocked => return None,
            Content::Empty => text.push(['0', '1'][owners[column as usize][row as usize]]),
            Content::Stone(side) => {
                sides.push(side);
                text.push('s');
            }
        }
    }
    sides.dedup();
    if sides.len() > 1 {
        return None;
    }
    let forwards = four(&text, &sides)?;
    let backwards = four(&text.chars().rev().collect::<String>(), &sides)?;
    let half = if forwards.contains('s') {
        sides[0].index()
    } else {
        0
    };
    let number = |text: String| {
        text.chars().fold(0, |all, sign| {
            3 * all
                + match sign {
                    's' => 0,
                    '0' => 1 + half,
                    _ => 2 - half,
                }
        })
    };
    let (direction, pattern) = match step {
        (0, 1) => (0, number(forwards)),
        (1, 0) => (1, number(forwards).min(number(backwards))),
        _ => (2, number(forwards)),
    };
    let height = match start.1 {
        0..=3 => start.1 as usize,
        4 | 5 => 4,
        6 | 7 => 5,
        8 | 9 => 6,
        _ => 7,
    };
    Some(1 + direction * 1296 + height * 162 + half * 81 + pattern)
}

/// A window's text as one of four cells, if it can be.
fn four(text: &str, sides: &[Side]) -> Option<String> {
    let mut text = text.to_owned();
    while text.len() > 4 {
        let stone = text.find('s')?;
        text.remove(stone);
    }
    while text.len() < 4 {
        sides.first()?;
        text.insert(0, 's');
    }
    Some(text)
}

/// Whether a stone of `side` on an empty cell would finish a run.
fn wins_at(position: &Position, column: i32, row: i32, side: Side) -> bool {
    let run = i32::from(position.variant().run());
    [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|step| {
        (1 - run..=0).any(|begin| {
            (begin..begin + run).filter(|&n| n != 0).all(|n| {
                at(position, column + n * step.0, row + n * step.1) == Some(Content::Stone(side))
            })
        })
    })
}

/// For each column, the empty cells from the landing one up: whom each is a threat of.
fn threat_columns(position: &Position) -> Vec<Vec<[bool; 2]>> {
    let geometry = position.variant().geometry();
    (0..i32::from(geometry.columns()))
        .map(|column| {
            (0..i32::from(geometry.rows()))
                .filter(|&row| at(position, column, row) == Some(Content::Empty))
                .map(|row| Side::BOTH.map(|side| wins_at(position, column, row, side)))
                .collect()
        })
        .collect()
}

/// The end of a fill, stone by stone: 0 full, 1 or 2 who wins, and the safe cells filled first.
fn fill(mut columns: Vec<Vec<[bool; 2]>>, mut mover: usize) -> (usize, usize) {
    let mut patience = 0;
    let mut has_filled = false;
    loop {
        let landing =
            |column: &Vec<[bool; 2]>, side: usize| column.first().is_some_and(|c| c[side]);
        let is_threatened = |column: &Vec<[bool; 2]>| column.iter().any(|c| c[0] || c[1]);
        if columns.iter().any(|column| landing(column, mover)) {
            return (1 + mover, patience);
        }
        let other = 1 - mover;
        let block = columns.iter().position(|column| landing(column, other));
        let safe = columns.iter().position(|column| {
            !column.is_empty()
                && (!is_threatened(column) || column.len() > 1 && column[1] == [false; 2])
        });
        let mask = |column: &Vec<[bool; 2]>, side: usize| {
            column
                .iter()
                .rev()
                .fold(0_u32, |all, cell| 2 * all + u32::from(cell[side]))
        };
        let chosen = if let Some(block) = block {
            block
        } else if let Some(safe) = safe {
            patience += usize::from(!has_filled);
            safe
        } else {
            has_filled = true;
            let given = (0..columns.len())
                .filter(|&n| !columns[n].is_empty() && !columns[n][1][other])
                .min_by_key(|&n| {
                    let column = &columns[n];
                    (column.len(), mask(column, mover), mask(column, other))
                });
            match given {
                Some(given) => given,
                None if columns.iter().any(|column| !column.is_empty()) => {
                    return (1 + other, patience);
                }
                None => return (0, patience),
            }
        };
        columns[chosen].remove(0);
        mover = other;
    }
}

/// Every row of a position, and its output.
fn plain_rows(position: &Position) -> (Vec<usize>, usize) {
    let geometry = position.variant().geometry();
    let mover = position.side_to_move().index();
    let owners = owners(position);
    let columns = threat_columns(position);
    let left: usize = columns.iter().map(Vec::len).sum();
    let mut rows = Vec::new();
    for column in 0..i32::from(geometry.columns()) {
        for row in 0..i32::from(geometry.rows()) {
            for step in [(0, 1), (1, 0), (1, 1), (-1, 1)] {
                rows.extend(window_row(position, &owners, (column, row), step));
            }
        }
    }
    for (number, cells) in columns.iter().enumerate() {
        let mut code = 0;
        for (height, cell) in cells.iter().take(6).enumerate() {
            code += usize::from(cell[0]) << height;
            code += usize::from(cell[1]) << (6 + height);
        }
        if code > 0 {
            let landing = (0..i32::from(geometry.rows()))
                .find(|&row| at(position, number as i32, row) == Some(Content::Empty))
                .expect("the column has a threat");
            rows.push(3889 + 4096 * owners[number][landing as usize] + code);
        }
    }
    let phase = [9, 17, 29, 43, 61, 81, 106]
        .iter()
        .filter(|&&n| left >= n)
        .count();
    rows.push(12081 + 2 * phase + mover);
    let (ending, patience) = fill(columns, mover);
    let patience = match patience {
        0 => 0,
        1..=6 => 1,
        7..=20 => 2,
        _ => 3,
    };
    rows.push(12097 + 8 * ending + 2 * patience + mover);
    rows.sort_unstable();
    let to_mover = [0, 1 + mover, 2 - mover][ending];
    (rows, 3 * phase + to_mover)
}

/// The value to the side to move, in floating point from one end to the other.
fn plain_value(net: &Net, position: &Position) -> f64 {
    let (rows, head) = plain_rows(position);
    let mover = position.side_to_move().index();
    let head = &net.heads[head][mover];
    let full = f64::from(FULL);
    let mut value = f64::from(head.bias) / full / f64::from(OUTPUT_SCALE);
    for unit in 0..UNITS {
        let sum: i32 = rows
            .iter()
            .map(|&row| i32::from(net.rows[row].0[unit]))
            .sum();
        let hidden = (f64::from(sum + i32::from(net.bias.0[unit])) / full).clamp(0.0, 1.0);
        value += hidden * f64::from(head.weights.0[unit]) / f64::from(OUTPUT_SCALE);
    }
    let first = (value * 400.0 * 4096.0).round() / 4096.0;
    if mover == 0 {
        first.floor()
    } else {
        -first.floor()
    }
}

/// The judge's value of the position that it was led to.
fn value(judge: &mut Judge, position: &Position) -> i32 {
    with_words!(position.variant().geometry(), WORDS => {
        let grid = Grid::<WORDS>::new(position.variant()).unwrap();
        let board = Board::new(&grid, position);
        let mut landing = [0; MOST_COLUMNS];
        for cell in position.legal_moves() {
            landing[usize::from(cell.column())] = grid.geometry().index(cell) as u16;
        }
        // Winning cells that are taken are passed as well, as the search does.
        judge.value(&View {
            stones: &Side::BOTH.map(|side| board.stones(side).words()),
            winning: &Side::BOTH.map(|side| grid.finishing_cells(board.stones(side)).words()),
            landing: &landing,
        })
    })
}

/// Leads judge and position on by a random move; `false` when the game is over.
fn step(judge: &mut Judge, position: &mut Position, chance: &mut Chance) -> bool {
    let moves = position.legal_moves();
    let Some(count) = u32::try_from(moves.len()).ok().filter(|&count| count > 0) else {
        return false;
    };
    let cell = moves[chance.below(count) as usize];
    let mut after = position.clone();
    after.play(cell).unwrap();
    if after.outcome().is_some() {
        return false;
    }
    judge.play(position.variant().geometry().index(cell) as u16);
    *position = after;
    true
}

#[test]
fn the_judge_agrees_with_its_twin_on_every_board() {
    let net = Arc::new(random_net(1));
    let mut chance = Chance::new(2);
    let mut compared = 0;
    for _ in 0..600 {
        let variant = random_variant(&mut chance);
        let mut judge = Judge::new(&net, &variant).unwrap();
        let mut position = Position::new(variant);
        // Begin somewhere in the game, not always at the empty board.
        for _ in 0..chance.below(20) {
            step(&mut judge, &mut position, &mut chance);
        }
        judge.reset(&position);
        let root = position.plies();
        for _ in 0..60 {
            match chance.below(4) {
                0 if position.plies() > root => {
                    position.undo();
                    judge.undo();
                }
                1 => {
                    let expected = plain_value(&net, &position);
                    assert_eq!(
                        f64::from(value(&mut judge, &position)),
                        expected,
                        "{position}"
                    );
                    compared += 1;
                }
                _ => {
                    step(&mut judge, &mut position, &mut chance);
                }
            }
        }
    }
    assert!(compared > 6000, "{compared}");
}

#[test]
fn inputs_list_the_rows_that_plain_loops_find() {
    let mut chance = Chance::new(3);
    let net = Arc::new(Net::blank());
    for _ in 0..300 {
        let variant = random_variant(&mut chance);
        let inputs = Inputs::new(&variant).unwrap();
        let mut judge = Judge::new(&net, &variant).unwrap();
        let mut position = Position::new(variant);
        for _ in 0..chance.below(variant.geometry().capacity() as u32) {
            step(&mut judge, &mut position, &mut chance);
        }
        let mut rows = Vec::new();
        let head = inputs.list(&position, &mut rows);
        rows.sort_unstable();
        let rows: Vec<usize> = rows.into_iter().map(usize::from).collect();
        assert_eq!((rows, head), plain_rows(&position), "{position}");
        let mut mirrored = Vec::new();
        let mirror = position.mirrored();
        Inputs::new(mirror.variant())
            .unwrap()
            .list(&mirror, &mut mirrored);
        mirrored.sort_unstable();
        let mirrored: Vec<usize> = mirrored.into_iter().map(usize::from).collect();
        assert_eq!(mirrored, plain_rows(&position).0, "{position}");
    }
}

#[test]
fn exchanged_colours_are_exchanged_back() {
    for row in 0..ROWS as u16 {
        // Patterns that no window has need no partner.
        if swapped(swapped(row)) != row {
            let again = swapped(swapped(row));
            assert_eq!(swapped(swapped(again)), again, "{row}");
        }
        groups(row, |group| assert!(group < GROUPS, "{row}"));
    }
    assert_eq!(swapped(NONE), NONE);
}

#[test]
fn nets_are_read_as_they_were_written() {
    let net = random_net(5);
    let mut provenance = Provenance::default();
    provenance.tell("games", 12);
    provenance.tell("note", "two\nlines");
    let bytes = net.write(&provenance);
    assert!(bytes.len() < 2_000_000, "{}", bytes.len());
    let (back, told) = Net::read(&bytes).unwrap();
    assert_eq!((&back, &told), (&net, &provenance));
    assert_eq!(told.find("note"), Some("two lines"));
}

#[test]
fn a_net_with_an_output_a_phase_is_read_as_the_same_for_every_ending() {
    let mut net = random_net(15);
    for at in 0..HEADS {
        net.heads[at] = net.heads[at / ENDINGS * ENDINGS];
    }
    let bytes = net.bytes();
    let (rows, rest) = bytes.split_at(2 * UNITS * (ROWS + 1));
    let (heads, biases) = rest.split_at(2 * UNITS * 2 * HEADS);
    let mut weights = rows.to_vec();
    for (part, each) in [(heads, 2 * 2 * UNITS), (biases, 2 * 4)] {
        for head in part.chunks(each).step_by(ENDINGS) {
            weights.extend(head);
        }
    }
    let sum = checksum(&[b"", &weights]);
    let shape = format!("{ROWS} rows, {UNITS} units, {PHASES} phases");
    let head = format!("stoneline net 1\nshape {shape}\nchecksum {sum}\n\n");
    let mut file = head.into_bytes();
    file.extend(&weights);
    assert_eq!(Net::read(&file).unwrap().0, net);
}

#[test]
fn weights_give_the_net_that_they_are_of() {
    let net = random_net(9);
    assert!(Net::new(&net.weights()) == net);
}

#[test]
fn what_is_no_net_is_refused() {
    let bytes = random_net(6).write(&Provenance::default());
    let reason = |bytes: &[u8]| Net::read(bytes).unwrap_err().to_string();
    assert!(reason(b"").contains("stoneline net 1"));
    assert!(reason(b"stoneline net 1").contains("no empty line"));
    assert!(reason(b"stoneline net 17\n\n").contains("first line"));
    assert!(reason(&bytes[..bytes.len() - 1]).contains("checksum"));
    let text = String::from_utf8_lossy(&bytes[..200]).into_owned();
    let mut other = bytes.clone();
    let at = text.find("32 units").unwrap();
    other[at] = b'9';
    assert!(reason(&other).contains("92 units"), "{}", reason(&other));
    let mut chance = Chance::new(7);
    for _ in 0..150 {
        let mut broken = bytes.clone();
        let length = broken.len() as u32;
        let at = match chance.below(2) {
            0 => chance.below(120),
            _ => chance.below(length),
        } as usize;
        broken[at] ^= 1 << chance.below(8);
        assert!(Net::read(&broken).is_err(), "byte {at}");
        broken.truncate(chance.below(length) as usize);
        assert!(Net::read(&broken).is_err());
    }
}

#[test]
fn the_net_that_ships_can_be_read() {
    assert_eq!(Net::shipped().rows.len(), ROWS);
    let _ = Net::shipped_provenance();
}

#[test]
fn nonsense_weights_never_panic() {
    let mut chance = Chance::new(8);
    let mut net = random_net(9);
    for row in net.rows.iter_mut().chain([&mut net.bias]) {
        row.0 = std::array::from_fn(|_| chance.draw() as i16);
    }
    for head in net.heads.as_flattened_mut() {
        head.weights = Row([i16::MIN; UNITS]);
        head.bias = i32::MIN;
    }
    let net = Arc::new(net);
    for _ in 0..50 {
        let variant = random_variant(&mut chance);
        let mut judge = Judge::new(&net, &variant).unwrap();
        let mut position = Position::new(variant);
        while step(&mut judge, &mut position, &mut chance) {
            value(&mut judge, &position);
        }
    }
    assert!(Judge::new(&net, &"gomoku".parse().unwrap()).is_none());
}
