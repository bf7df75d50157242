//! What a person sees of a board: lines of stones, some of them overlooked.
//!
//! Keeps the count of both sides' stones on every line of a run's length that
//! was noticed, and their worth together, stone by stone. A line that was
//! overlooked is as if it were not there, for a whole look at the board: that
//! is how people lose to a diagonal that they would have met had they seen it.

use stoneline_rules::{Cell, Chance, Position, Side, Variant};

/// Chances in a hundred to overlook a line, by how it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Overlooked {
    pub(super) upright: u32,
    pub(super) level: u32,
    pub(super) slanted: u32,
}

impl Overlooked {
    /// Of the four directions of the geometry: up, falling, right, rising.
    const fn by_direction(self) -> [u32; 4] {
        [self.upright, self.slanted, self.level, self.slanted]
    }
}

/// Worth of a line that only one side has stones on, by how many are missing.
const WORTH: [i32; 5] = [0, 60, 12, 3, 1];

/// A line of as many cells as a run needs.
struct Line {
    cells: Vec<u32>,
    direction: usize,
}

/// Every line of a board, and which of them pass through each cell.
pub(super) struct Lines {
    lines: Vec<Line>,
    through: Vec<Vec<usize>>,
    run: u8,
}

impl Lines {
    /// The lines of a variant's board that no blocked cell breaks.
    pub(super) fn new(variant: &Variant) -> Self {
        let geometry = variant.geometry();
        let playable = geometry.playable();
        let run = variant.run();
        let mut lines = Vec::new();
        for start in playable.iter() {
            for (direction, &step) in geometry.directions().iter().enumerate() {
                let cells: Vec<u32> = (0..u32::from(run)).map(|at| start + at * step).collect();
                // Guard rows keep a line from running off one side and on at another.
                if cells.iter().all(|&cell| playable.contains(cell)) {
                    lines.push(Line { cells, direction });
                }
            }
        }
        let mut through = vec![Vec::new(); geometry.bits() as usize];
        for (at, line) in lines.iter().enumerate() {
            for &cell in &line.cells {
                through[cell as usize].push(at);
            }
        }
        Self {
            lines,
            through,
            run,
        }
    }
}

/// The board as seen in one look.
pub(super) struct Sight<'a> {
    lines: &'a Lines,
    noticed: Vec<bool>,
    /// Stones of both sides on each line.
    counts: Vec<[u8; 2]>,
    /// Worth of all noticed lines to the first side.
    total: i32,
    /// Noticed lines full of one side's stones.
    runs: u32,
}

impl<'a> Sight<'a> {
    /// A look at `position`, with what is overlooked drawn by lot.
    pub(super) fn new(
        lines: &'a Lines,
        position: &Position,
        overlooked: Overlooked,
        chance: &mut Chance,
    ) -> Self {
        let odds = overlooked.by_direction();
        let noticed = lines
            .lines
            .iter()
            .map(|line| chance.below(100) >= odds[line.direction])
            .collect();
        let mut sight = Self {
            lines,
            noticed,
            counts: vec![[0; 2]; lines.lines.len()],
            total: 0,
            runs: 0,
        };
        for side in [Side::First, Side::Second] {
            for index in position.stones(side).iter() {
                sight.put(index, side);
            }
        }
        sight
    }

    /// Sees a stone of `side` put on a cell.
    pub(super) fn put(&mut self, index: u32, side: Side) {
        self.change(index, |counts| counts[side.index()] += 1);
    }

    /// Sees a stone of `side` taken off again.
    pub(super) fn take(&mut self, index: u32, side: Side) {
        self.change(index, |counts| counts[side.index()] -= 1);
    }

    /// Whether a run was noticed.
    pub(super) const fn has_run(&self) -> bool {
        self.runs > 0
    }

    /// How good the board looks to `side`.
    pub(super) const fn worth(&self, side: Side) -> i32 {
        match side {
            Side::First => self.total,
            Side::Second => -self.total,
        }
    }

    fn change(&mut self, index: u32, change: impl Fn(&mut [u8; 2])) {
        let lines = self.lines;
        for &at in &lines.through[index as usize] {
            if !self.noticed[at] {
                continue;
            }
            let counts = &mut self.counts[at];
            self.total -= line_worth(*counts, lines.run);
            self.runs -= u32::from(is_full(*counts, lines.run));
            change(counts);
            self.total += line_worth(*counts, lines.run);
            self.runs += u32::from(is_full(*counts, lines.run));
        }
    }
}

/// Worth of a line to the first side.
fn line_worth([first, second]: [u8; 2], run: u8) -> i32 {
    let worth = |stones: u8| {
        let missing = usize::from(run - stones);
        WORTH.get(missing).copied().unwrap_or(0)
    };
    match (first, second) {
        (0, 0) => 0,
        (stones, 0) => worth(stones),
        (0, stones) => -worth(stones),
        _ => 0,
    }
}

fn is_full(counts: [u8; 2], run: u8) -> bool {
    counts.contains(&run)
}

/// The cells worth a thought: all where stones fall, else those near a stone.
pub(super) fn considered(position: &Position) -> Vec<Cell> {
    const NEAR: u8 = 2;
    let variant = position.variant();
    let geometry = variant.geometry();
    if variant.rule().falls() {
        return position.legal_moves();
    }
    let stones = position.stones(Side::First) | position.stones(Side::Second);
    let is_near = |cell: &Cell| {
        geometry.cells(stones).any(|stone| {
            stone.column().abs_diff(cell.column()) <= NEAR
                && stone.row().abs_diff(cell.row()) <= NEAR
        })
    };
    let near: Vec<Cell> = geometry
        .cells(geometry.playable().minus(stones))
        .filter(is_near)
        .filter(|&cell| position.check(cell).is_ok())
        .collect();
    if near.is_empty() {
        position.legal_moves()
    } else {
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERYTHING: Overlooked = Overlooked {
        upright: 0,
        level: 0,
        slanted: 0,
    };

    #[test]
    fn what_is_seen_stone_by_stone_is_what_is_seen_at_once() {
        let mut chance = Chance::new(3);
        for game in [
            "connect4",
            "course:9x11@4,4",
            "connectx:5x8x3",
            "gomoku:9",
            "mnk:6x7x6",
        ] {
            let variant: Variant = game.parse().unwrap();
            let lines = Lines::new(&variant);
            for seed in 0..40 {
                let mut position = Position::new(variant);
                let odds = Overlooked {
                    upright: 20,
                    level: 40,
                    slanted: 60,
                };
                let look = |position: &Position| {
                    Sight::new(&lines, position, odds, &mut Chance::new(seed))
                };
                let mut sight = look(&position);
                for _ in 0..20 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    let cell = moves[chance.below(moves.len() as u32) as usize];
                    let (index, side) = (variant.geometry().index(cell), position.side_to_move());
                    sight.put(index, side);
                    sight.take(index, side);
                    assert_eq!(sight.total, look(&position).total, "{game}");
                    sight.put(index, side);
                    position.play(cell).unwrap();
                    let again = look(&position);
                    assert_eq!(
                        (sight.total, sight.runs),
                        (again.total, again.runs),
                        "{game}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_run_is_seen_unless_its_line_is_overlooked() {
        let position: Position = "connect4 1213142".parse().unwrap();
        let lines = Lines::new(position.variant());
        let won: Position = "connect4 1213141".parse().unwrap();
        let look = |position: &Position, odds| {
            Sight::new(&lines, position, odds, &mut Chance::new(1)).has_run()
        };
        assert!(look(&won, EVERYTHING));
        assert!(!look(&position, EVERYTHING));
        let blind = Overlooked {
            upright: 100,
            ..EVERYTHING
        };
        assert!(!look(&won, blind));
    }
}
