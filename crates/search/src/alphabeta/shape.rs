//! The static evaluation: open windows of k, and threats with their parity.
//!
//! A window is open to a side while no stone of the other lies in it. It
//! counts by its stones and by how many of its empty cells that side will get:
//! if everything else fills first, a cell goes to the side whose turn it then
//! is, and since every stone changes the turn and the number of empty cells
//! alike, that side is known from the start and never changes. Needs no file
//! and no training, and works on every board.

use super::eval::Evaluation;
use super::gravity::State;
use super::windows;
use stoneline_rules::{Bits, Position, Side, Variant};

/// What an open window counts that lacks so many stones; beyond, the last.
const LACKING: [i32; 5] = [0, 40, 14, 5, 1];
/// An empty cell where a side wins and which it will get.
const OWNED_THREAT: i32 = 90;
/// The first such cell: from then on waiting is on that side's part.
const FIRST_OWNED_THREAT: i32 = 120;
/// Two winning cells of a side, one above the other.
const STACKED_THREATS: i32 = 250;
/// The right to move.
const TEMPO: i32 = 12;

/// Window counts, updated stone by stone.
#[derive(Clone)]
pub(super) struct Shape<const WORDS: usize> {
    /// For each bit: the windows through it.
    through: Vec<Vec<u16>>,
    /// For each window: stones of each side, and empty cells that the first side will get.
    counts: Vec<[u8; 3]>,
    /// The same on the empty board.
    empty: Vec<[u8; 3]>,
    /// By those three numbers: what the window is worth to the first side.
    worth: Vec<i32>,
    /// Who gets each cell, for each side the set of its cells.
    owned: [Bits<WORDS>; 2],
    played: Vec<u16>,
    side: usize,
    /// The sum of `worth` over all windows.
    sum: i32,
    run: usize,
}

impl<const WORDS: usize> Shape<WORDS> {
    /// The evaluation of a variant whose stones fall, at its empty board.
    pub(super) fn new(variant: &Variant) -> Self {
        let geometry = variant.geometry();
        let run = usize::from(variant.run());
        let owned = owned(variant);
        let windows = windows::all(geometry, variant.run());
        let mut through = vec![Vec::new(); geometry.bits() as usize];
        for (number, window) in windows.iter().enumerate() {
            for &cell in window {
                through[usize::from(cell)].push(number as u16);
            }
        }
        let first_gets = |cell: &&u16| owned[0].contains(u32::from(**cell));
        let empty: Vec<[u8; 3]> = windows
            .iter()
            .map(|window| [0, 0, window.iter().filter(first_gets).count() as u8])
            .collect();
        let mut worth = vec![0; (run + 1).pow(3)];
        for first in 0..=run {
            for second in 0..=run - first {
                for gets in 0..=run - first - second {
                    let lacking = run - first - second;
                    worth[(first * (run + 1) + second) * (run + 1) + gets] = match (first, second) {
                        (1.., 0) => window_worth(lacking, gets),
                        (0, 1..) => -window_worth(lacking, lacking - gets),
                        _ => 0,
                    };
                }
            }
        }
        Self {
            through,
            counts: empty.clone(),
            empty,
            worth,
            owned,
            played: Vec::with_capacity(geometry.capacity()),
            side: 0,
            sum: 0,
            run,
        }
    }

    #[inline(always)]
    fn worth_of(&self, [first, second, gets]: [u8; 3]) -> i32 {
        let base = self.run + 1;
        self.worth[(usize::from(first) * base + usize::from(second)) * base + usize::from(gets)]
    }

    /// Adds a stone of `side` to the windows through `cell`, or takes it away.
    #[inline(always)]
    fn change(&mut self, cell: u16, side: usize, add: bool) {
        let gets = u8::from(self.owned[0].contains(u32::from(cell)));
        let through = std::mem::take(&mut self.through[usize::from(cell)]);
        for &number in &through {
            let counts = self.counts[usize::from(number)];
            let mut changed = counts;
            if add {
                changed[side & 1] += 1;
                changed[2] -= gets;
            } else {
                changed[side & 1] -= 1;
                changed[2] += gets;
            }
            self.counts[usize::from(number)] = changed;
            self.sum += self.worth_of(changed) - self.worth_of(counts);
        }
        self.through[usize::from(cell)] = through;
    }
}

/// What a window open to one side is worth to it when it lacks so many stones, of
/// which it `gets` some if everything else fills first.
fn window_worth(lacking: usize, gets: usize) -> i32 {
    let base = LACKING[lacking.min(LACKING.len() - 1)];
    match lacking {
        0 => 0,
        _ => base + 2 * base * gets as i32 / lacking as i32,
    }
}

/// The cells that each side gets if everything else fills first.
fn owned<const WORDS: usize>(variant: &Variant) -> [Bits<WORDS>; 2] {
    let geometry = variant.geometry();
    let playable: Bits<WORDS> = geometry.playable().resize();
    let capacity = geometry.capacity();
    let mut owned = [Bits::EMPTY; 2];
    for index in playable.iter() {
        let column = geometry.cell(index).column();
        let above = playable
            .iter()
            .filter(|&other| other > index && geometry.cell(other).column() == column)
            .count();
        // When this cell falls, all stones but those above it lie on the board.
        let side = Side::to_move(capacity - 1 - above);
        owned[side.index()].insert(index);
    }
    owned
}

impl<const WORDS: usize> Evaluation<WORDS> for Shape<WORDS> {
    fn reset(&mut self, position: &Position) {
        self.counts.clone_from(&self.empty);
        self.played.clear();
        self.sum = 0;
        for side in Side::BOTH {
            for index in position.stones(side).iter() {
                self.change(index as u16, side.index(), true);
            }
        }
        self.side = position.side_to_move().index();
    }

    fn play(&mut self, cell: u16) {
        self.change(cell, self.side, true);
        self.played.push(cell);
        self.side ^= 1;
    }

    fn undo(&mut self) {
        let cell = self.played.pop().expect("a stone was played before");
        self.side ^= 1;
        self.change(cell, self.side, false);
    }

    fn value(&mut self, state: &State<WORDS>) -> i32 {
        let stones = state.stones.map(Bits::from_words);
        let taken = stones[0] | stones[1];
        let threats = |side: usize| {
            let cells = Bits::from_words(state.winning[side]).minus(taken);
            let owned = (cells & self.owned[side]).len() as i32;
            let stacked = (cells & cells.shr_small(1)).len() as i32;
            OWNED_THREAT * owned
                + STACKED_THREATS * stacked
                + if owned > 0 { FIRST_OWNED_THREAT } else { 0 }
        };
        let first = self.sum + threats(0) - threats(1);
        TEMPO + if self.side == 0 { first } else { -first }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gravity::Gravity;
    use super::*;
    use stoneline_rules::{Cell, Chance, Grid, Outcome, with_words};

    /// The sum over windows, from the grid.
    fn slow_sum(position: &Position) -> i32 {
        let variant = position.variant();
        let geometry = variant.geometry();
        let first_gets = |cell: Cell| {
            // Play everything else into the board, cell by cell, and see whose turn it is.
            let above = (cell.row() + 1..geometry.rows())
                .filter(|&row| !geometry.is_blocked(Cell::new(cell.column(), row)))
                .count();
            let empty = geometry.capacity() - position.plies();
            let mover_gets = (empty - 1 - above).is_multiple_of(2);
            mover_gets == (position.side_to_move() == Side::First)
        };
        let mut sum = 0;
        for window in windows::all(geometry, variant.run()) {
            let cells: Vec<Cell> = window.iter().map(|&at| geometry.cell(at.into())).collect();
            let of = |side: Side| {
                let stones = position.stones(side);
                window
                    .iter()
                    .filter(|&&at| stones.contains(at.into()))
                    .count()
            };
            let free = cells.iter().filter(|&&cell| {
                Side::BOTH
                    .iter()
                    .all(|&side| !position.stones(side).contains(geometry.index(cell)))
            });
            let gets = free.filter(|&&cell| first_gets(cell)).count();
            let (first, second) = (of(Side::First), of(Side::Second));
            let lacking = window.len() - first - second;
            sum += match (first, second) {
                (1.., 0) => window_worth(lacking, gets),
                (0, 1..) => -window_worth(lacking, lacking - gets),
                _ => 0,
            };
        }
        sum
    }

    #[test]
    fn the_sum_kept_equals_the_sum_computed() {
        for name in [
            "connect4",
            "connectx:5x4x3",
            "connectx:8x8x5",
            "course:9x9@4,4",
            "course:12x12@5,5",
            "course:10x11@0,3@1,3@9,0",
            "connectx:16x16x6",
        ] {
            let game: Variant = name.parse().unwrap();
            with_words!(game.geometry(), WORDS => {
                let gravity = Gravity::<WORDS>::new(Grid::new(&game).unwrap());
                let mut chance = Chance::new(5);
                for _ in 0..2 {
                    let mut shape = Shape::<WORDS>::new(&game);
                    let mut position = Position::new(game);
                    while position.outcome().is_none() {
                        let moves = position.legal_moves();
                        // There and back with another move changes nothing.
                        for &cell in &moves {
                            shape.play(game.geometry().index(cell) as u16);
                        }
                        for _ in &moves {
                            shape.undo();
                        }
                        let cell = moves[chance.below(moves.len() as u32) as usize];
                        position.play(cell).unwrap();
                        shape.play(game.geometry().index(cell) as u16);
                        if matches!(position.outcome(), Some(Outcome::Win(_))) {
                            break;
                        }
                        assert_eq!(shape.sum, slow_sum(&position), "{name}");
                        let state = gravity.state(&position);
                        let mut anew = Shape::<WORDS>::new(&game);
                        anew.reset(&position);
                        assert_eq!(shape.value(&state), anew.value(&state), "{name}");
                    }
                }
            });
        }
    }

    #[test]
    fn sides_get_every_second_cell_of_a_column() {
        let game: Variant = "course:6x7@2,3".parse().unwrap();
        let [first, second] = owned::<1>(&game);
        assert_eq!((first | second), game.geometry().playable().resize());
        // 41 cells: the last stone is the first side's, on the top of any column.
        let index = |column, row| game.geometry().index(Cell::new(column, row));
        for row in 0..6 {
            assert_eq!(first.contains(index(0, row)), row % 2 == 1);
        }
        // Below the blocked cell, one less lies above.
        for (row, gets) in [(5, true), (4, false), (2, true), (1, false), (0, true)] {
            assert_eq!(first.contains(index(3, row)), gets, "{row}");
        }
    }
}
