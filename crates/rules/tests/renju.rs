//! Renju's forbidden points: drawn cases, and a slow twin on random positions.
//!
//! The twin below is written from the text of the rules alone, with sets of
//! cells and whole lines, and shares nothing with the crate but the cell type.

use std::collections::BTreeSet;
use std::fmt;
use stoneline_rules::{
    Bits, Cell, Chance, Forbidden, Geometry, Outcome, PlayError, Position, Rule, Setup, Variant,
    forbidden,
};

/// A point as row from the top and column from the left.
type Point = (usize, usize);

/// A drawn board: `x` first, `o` second, anything else empty.
#[derive(Clone)]
struct Grid(Vec<Vec<char>>);

/// What the first side's stone makes, by the twin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Makes {
    Five,
    Forbidden(Forbidden),
    Nothing,
}

/// Steps down and to the right.
type Direction = (i32, i32);

/// The stones of a row in the order of its line.
type Row = Vec<Point>;

const DIRECTIONS: [Direction; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Grid {
    fn holds(&self, (row, column): Point) -> Option<char> {
        self.0.get(row)?.get(column).copied()
    }

    fn is_empty_at(&self, point: Point) -> bool {
        self.holds(point)
            .is_some_and(|content| !matches!(content, 'x' | 'o'))
    }

    /// The points, row by row, whose content `is` as asked.
    fn points(&self, is: impl Fn(char) -> bool) -> Vec<Point> {
        (0..self.0.len())
            .flat_map(|row| (0..self.0[row].len()).map(move |column| (row, column)))
            .filter(|&(row, column)| is(self.0[row][column]))
            .collect()
    }

    fn empty_points(&self) -> Vec<Point> {
        self.points(|content| !matches!(content, 'x' | 'o'))
    }

    /// The answer with a first stone on the empty `point`, which is taken off again.
    fn with<T>(&mut self, point: Point, ask: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.0[point.0][point.1], 'x');
        let answer = ask(self);
        self.0[point.0][point.1] = before;
        answer
    }

    /// The empty points of the line through `point`, from edge to edge.
    fn empties(&self, point: Point, direction: Direction) -> Vec<Point> {
        (-22..=22)
            .filter_map(|steps| beside(point, direction, steps))
            .filter(|&place| self.is_empty_at(place))
            .collect()
    }

    /// The unbroken row of first stones through the one on `point`.
    fn row(&self, point: Point, direction: Direction) -> Row {
        let stone = |&steps: &i32| {
            beside(point, direction, steps).is_some_and(|place| self.holds(place) == Some('x'))
        };
        let below = (1..).take_while(|steps| stone(&-steps)).count() as i32;
        let above = (1..).take_while(stone).count() as i32;
        (-below..=above)
            .filter_map(|steps| beside(point, direction, steps))
            .collect()
    }

    /// The rows of exactly five through `point` that one more stone attains, with that stone.
    fn fives(&mut self, point: Point, direction: Direction) -> Vec<(Point, Row)> {
        self.empties(point, direction)
            .into_iter()
            .map(|added| (added, self.with(added, |grid| grid.row(added, direction))))
            .filter(|(_, row)| row.len() == 5 && row.contains(&point))
            .collect()
    }

    /// The fours through `point`: four stones that one more makes a five.
    fn fours(&mut self, point: Point, direction: Direction) -> BTreeSet<Row> {
        self.fives(point, direction)
            .into_iter()
            .map(|(added, five)| without(five, added))
            .collect()
    }

    /// The straight four through `point`: unbroken, and made a five in two different ways.
    fn straight_four(&mut self, point: Point, direction: Direction) -> Option<Row> {
        let row = self.row(point, direction);
        (row.len() == 4 && self.fives(point, direction).len() == 2).then_some(row)
    }

    /// The threes through `point`, each beside a move that makes it a straight four.
    fn threes(&mut self, point: Point, direction: Direction) -> Vec<(Row, Point)> {
        let mut threes = Vec::new();
        for added in self.empties(point, direction) {
            if let Some(four) = self.with(added, |grid| grid.straight_four(added, direction)) {
                threes.push((without(four, added), added));
            }
        }
        threes.retain(|(three, _)| three.contains(&point));
        threes
    }

    /// What a first stone on the empty `point` makes, seen `depth` moves ahead.
    ///
    /// At depth 0 a three counts though its straight four may be forbidden.
    fn makes(&mut self, point: Point, depth: u32) -> Makes {
        self.with(point, |grid| grid.made(point, depth))
    }

    fn made(&mut self, point: Point, depth: u32) -> Makes {
        let rows = DIRECTIONS.map(|direction| self.row(point, direction).len());
        if rows.contains(&5) {
            return Makes::Five;
        }
        if rows.iter().any(|&length| length >= 6) {
            return Makes::Forbidden(Forbidden::Overline);
        }
        let fours = DIRECTIONS.map(|direction| self.fours(point, direction).len());
        if fours.iter().sum::<usize>() >= 2 {
            return Makes::Forbidden(Forbidden::DoubleFour);
        }
        let mut threes = BTreeSet::new();
        for direction in DIRECTIONS {
            for (three, added) in self.threes(point, direction) {
                if depth == 0 || self.makes(added, depth - 1) == Makes::Nothing {
                    threes.insert(three);
                }
            }
        }
        if threes.len() >= 2 {
            return Makes::Forbidden(Forbidden::DoubleThree);
        }
        Makes::Nothing
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.0 {
            writeln!(f, "{}", row.iter().collect::<String>())?;
        }
        Ok(())
    }
}

/// The point some steps away; `None` above or left of every board.
fn beside(point: Point, (down, right): Direction, steps: i32) -> Option<Point> {
    let row = usize::try_from(point.0 as i32 + down * steps).ok()?;
    let column = usize::try_from(point.1 as i32 + right * steps).ok()?;
    Some((row, column))
}

fn without(mut row: Row, point: Point) -> Row {
    row.retain(|&at| at != point);
    row
}

/// Deep enough for every board here: each move ahead takes a cell.
const ANY_DEPTH: u32 = 1000;

/// Drawn cases: `== name`, comments after `#`, then the board.
///
/// `x` first side, `o` second, and on every empty point what a stone of the
/// first side makes there: `6` overline, `4` double four, `3` double three, `5`
/// exactly five, `.` nothing; `!` is nothing too, where one might expect more.
const CASES: [(&str, &str); 6] = [
    ("overline", include_str!("data/renju/overline.txt")),
    ("fours", include_str!("data/renju/fours.txt")),
    ("threes", include_str!("data/renju/threes.txt")),
    ("five", include_str!("data/renju/five.txt")),
    ("edges", include_str!("data/renju/edges.txt")),
    ("nested", include_str!("data/renju/nested.txt")),
];

/// The name and the board of each case.
fn cases() -> Vec<(String, Grid)> {
    CASES
        .iter()
        .flat_map(|(file, text)| {
            text.split("\n== ").skip(1).map(move |case| {
                let (name, board) = case.split_once('\n').expect("a case has a board");
                let rows = board
                    .lines()
                    .filter(|line| !line.is_empty() && !line.starts_with('#'))
                    .map(|line| line.chars().collect())
                    .collect();
                (format!("{file}: {name}"), Grid(rows))
            })
        })
        .collect()
}

/// The board with every empty point marked as `makes` says, `!` kept where nothing is made.
fn marked(drawn: &Grid, mut makes: impl FnMut(Point) -> Makes) -> Grid {
    let mut grid = drawn.clone();
    for (row, column) in drawn.empty_points() {
        grid.0[row][column] = match makes((row, column)) {
            Makes::Five => '5',
            Makes::Forbidden(Forbidden::Overline) => '6',
            Makes::Forbidden(Forbidden::DoubleFour) => '4',
            Makes::Forbidden(Forbidden::DoubleThree) => '3',
            Makes::Nothing if drawn.0[row][column] == '!' => '!',
            Makes::Nothing => '.',
        };
    }
    grid
}

#[test]
fn drawn_cases_are_judged_as_marked() {
    let cases = cases();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    for (name, drawn) in cases {
        let board = Drawn::new(&drawn);
        // That a five is allowed is all that the crate says of it.
        let judged = marked(&drawn, |point| match board.forbidden(point) {
            Some(why) => Makes::Forbidden(why),
            None if drawn.holds(point) == Some('5') => Makes::Five,
            None => Makes::Nothing,
        });
        assert_eq!(judged.to_string(), drawn.to_string(), "{name}");
    }
}

#[test]
fn twin_agrees_on_drawn_cases() {
    for (name, drawn) in cases() {
        let judged_to = |depth| {
            let mut twin = drawn.clone();
            marked(&drawn, |point| twin.makes(point, depth)).to_string()
        };
        let expected = drawn.to_string();
        assert_eq!(judged_to(ANY_DEPTH), expected, "{name}");
        // The nested cases say how far ahead must be seen: that far and no less.
        let ahead = name.strip_prefix("nested: ").map(|name| &name[..1]);
        if let Some(ahead) = ahead.and_then(|digit| digit.parse().ok()) {
            assert_eq!(judged_to(ahead), expected, "{name}");
            assert!(ahead == 0 || judged_to(ahead - 1) != expected, "{name}");
        }
    }
}

/// The drawn stones as a position.
fn position(drawn: &[&str]) -> Position {
    let grid = Grid(drawn.iter().map(|row| row.chars().collect()).collect());
    let geometry = Drawn::new(&grid).geometry;
    let cells = |stone| {
        let points = grid.points(|content| content == stone);
        points
            .into_iter()
            .map(|point| cell(&geometry, point))
            .collect()
    };
    let setup = Setup::empty(Rule::Renju, drawn.len(), drawn[0].len(), 5);
    let stones = [cells('x'), cells('o')];
    Position::try_from(Setup { stones, ..setup }).unwrap()
}

#[test]
fn only_the_first_side_is_bound() {
    let mut position = position(&[
        "..........",
        "....x.....",
        "....x.....",
        "..xx......",
        "..........",
        "..........",
        "......o...",
        "......o...",
        "....oo....",
        "..........",
    ]);
    let (first, second) = (Cell::new(4, 6), Cell::new(6, 1));
    let why = Forbidden::DoubleThree;
    assert_eq!(position.forbidden(first), Some(why));
    assert_eq!(position.play(first), Err(PlayError::Forbidden(first, why)));
    assert!(!position.legal_moves().contains(&first));
    position.play(Cell::new(0, 0)).unwrap();
    assert_eq!(position.forbidden(second), None);
    position.play(second).unwrap();
}

#[test]
fn without_an_allowed_point_the_game_is_drawn() {
    let stuck = position(&["xoooxoo", "xooxoox", "xxx.xxx", "oxooxox", "oooxxxo"]);
    assert_eq!(stuck.outcome(), Some(Outcome::Draw));
    assert_eq!(stuck.legal_moves(), []);
    // The same by play: the second side fills the last cell that is not forbidden.
    let mut game = position(&["xooox.o", "xooxoox", "xxx.xxx", "oxooxox", "oooxxxo"]);
    assert_eq!(game.outcome(), None);
    game.play(Cell::new(5, 4)).unwrap();
    assert_eq!(game, stuck);
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

/// Rows, stones of each side in a hundred cells, and how many random positions.
const RANDOM: [(usize, u32, u32, usize); 9] = [
    (5, 30, 5, 300),
    (7, 30, 5, 800),
    (8, 30, 0, 800),
    (9, 25, 0, 800),
    (9, 40, 15, 800),
    (12, 20, 0, 150),
    (15, 25, 5, 250),
    (15, 30, 15, 100),
    (20, 25, 5, 20),
];

#[test]
fn twin_agrees_on_random_positions() {
    let mut chance = Chance::new(15);
    let mut nested = [0; 3];
    for (rows, own, other, positions) in RANDOM {
        for _ in 0..positions {
            let mut grid = random_grid(&mut chance, rows, own, other);
            let board = Drawn::new(&grid);
            for point in grid.empty_points() {
                let makes = grid.makes(point, ANY_DEPTH);
                let expected = match makes {
                    Makes::Forbidden(why) => Some(why),
                    Makes::Five | Makes::Nothing => None,
                };
                assert_eq!(board.forbidden(point), expected, "{point:?} of\n{grid}");
                // Only what looks like a double three can depend on moves ahead.
                if grid.makes(point, 0) == Makes::Forbidden(Forbidden::DoubleThree) {
                    for (depth, count) in (0..).zip(&mut nested) {
                        *count += u32::from(grid.makes(point, depth) != makes);
                    }
                }
            }
        }
    }
    // The set is worth its name only if looking one or two moves less ahead gets some wrong.
    assert!(
        nested[0] > 1000 && nested[1] > 50 && nested[2] > 0,
        "{nested:?}"
    );
}

/// A board of `rows` and as many columns or up to two more.
fn random_grid(chance: &mut Chance, rows: usize, own: u32, other: u32) -> Grid {
    let columns = rows + chance.below(3) as usize;
    let mut stone = || match chance.below(100) {
        roll if roll < own => 'x',
        roll if roll < own + other => 'o',
        _ => '.',
    };
    Grid(
        (0..rows)
            .map(|_| (0..columns).map(|_| stone()).collect())
            .collect(),
    )
}

/// A grid in the layout of the crate.
struct Drawn {
    geometry: Geometry,
    stones: [Bits<8>; 2],
}

impl Drawn {
    fn new(grid: &Grid) -> Self {
        let (rows, columns) = (grid.0.len(), grid.0[0].len());
        let variant: Variant = format!("renju:{rows}x{columns}").parse().unwrap();
        let geometry = *variant.geometry();
        let stones = ['x', 'o'].map(|stone| {
            grid.points(|content| content == stone)
                .into_iter()
                .map(|point| geometry.index(cell(&geometry, point)))
                .collect()
        });
        Self { geometry, stones }
    }

    /// The verdict, which is the same in every width that holds the board.
    fn forbidden(&self, point: Point) -> Option<Forbidden> {
        let verdict = self.in_words::<8>(point);
        match self.geometry.bits() {
            0..=64 => assert_eq!(self.in_words::<1>(point), verdict),
            65..=128 => assert_eq!(self.in_words::<2>(point), verdict),
            129..=256 => assert_eq!(self.in_words::<4>(point), verdict),
            _ => {}
        }
        verdict
    }

    fn in_words<const WORDS: usize>(&self, point: Point) -> Option<Forbidden> {
        let stones = self.stones.map(|set| set.resize::<WORDS>());
        forbidden(&self.geometry, &stones, cell(&self.geometry, point))
    }
}

fn cell(geometry: &Geometry, (row, column): Point) -> Cell {
    Cell::new(column as u8, geometry.rows() - 1 - row as u8)
}
