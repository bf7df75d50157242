//! Games with falling stones, for a search that asks the network at every node.
//!
//! A state keeps the winning cells of both sides, which the network wants to
//! see, and, as sets of columns, whose landing or next cell wins for whom. A
//! stone changes its own column and the four lines through it, so a move costs
//! the same on a board of any size.

use super::lines::Lines;
use crate::columns::{Columns, MOST_COLUMNS, Prospect, Wins, outward};
use crate::neural::View;
use std::num::NonZeroU16;
use stoneline_rules::{Bits, Grid, Position, Side};

/// Every bit of the widest layout has a number below this.
const MOST_BITS: usize = 512;

/// A board with falling stones.
#[derive(Clone, Debug)]
pub(super) struct Gravity<const WORDS: usize> {
    lines: Lines<WORDS>,
    /// For each cell: its column, and the next two cells above that can be played.
    places: Box<[Place; MOST_BITS]>,
    /// The columns, central ones first.
    outward: Vec<u8>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Place {
    column: u8,
    /// Above another cell, so never the first of the layout.
    above: Option<NonZeroU16>,
    /// The one above that.
    second: Option<NonZeroU16>,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct State<const WORDS: usize> {
    pub(super) stones: [[u64; WORDS]; 2],
    /// Cells that finish a run of each side; some may be occupied.
    pub(super) winning: [[u64; WORDS]; 2],
    /// The cell where a stone lands, of each column that is not full.
    pub(super) landing: [u16; MOST_COLUMNS],
    /// The landing cells and those above them.
    pub(super) near: [u64; WORDS],
    /// Columns that are not full.
    pub(super) open: Columns,
    /// For each side: open columns whose landing cell wins.
    pub(super) now: [Columns; 2],
    /// For each side: open columns in which the cell above the landing cell wins.
    pub(super) next: [Columns; 2],
    /// Index of the side to move.
    pub(super) side: usize,
}

impl<const WORDS: usize> Gravity<WORDS> {
    /// The game on a board.
    pub(super) fn new(grid: Grid<WORDS>) -> Self {
        let geometry = *grid.geometry();
        let columns = geometry.columns();
        let mut places = Box::new([Place::default(); MOST_BITS]);
        for column in 0..columns {
            let cells: Vec<u32> = (grid.playable() & grid.column(column)).iter().collect();
            for (at, &cell) in cells.iter().enumerate() {
                let higher = |by: usize| {
                    cells
                        .get(at + by)
                        .and_then(|&cell| NonZeroU16::new(cell as u16))
                };
                places[cell as usize] = Place {
                    column,
                    above: higher(1),
                    second: higher(2),
                };
            }
        }
        Self {
            lines: Lines::new(grid),
            places,
            outward: outward(columns),
        }
    }

    /// The winning cells of both sides within reach.
    #[inline(always)]
    pub(super) fn prospect(&self, state: &State<WORDS>) -> Prospect {
        let wins = |side: usize| Wins {
            now: state.now[side & 1],
            next: state.next[side & 1],
        };
        Prospect {
            open: state.open,
            mine: wins(state.side),
            theirs: wins(state.side ^ 1),
            stacked: self.stacked(state),
        }
    }

    /// Columns in which the side to move wins on both cells above the landing cell.
    #[inline(always)]
    fn stacked(&self, state: &State<WORDS>) -> Columns {
        let side = state.side & 1;
        let mut left = state.next[side] & !state.next[side ^ 1];
        let mut stacked = 0;
        while left != 0 {
            let column = left.trailing_zeros() as usize;
            let second = self.place(state.landing[column % MOST_COLUMNS]).second;
            let wins = second.is_some_and(|cell| holds(&state.winning[side], cell.get()));
            stacked |= Columns::from(wins) << column;
            left &= left - 1;
        }
        stacked
    }

    /// The landing cells of `columns`, central ones first.
    pub(super) fn landings(
        &self,
        state: &State<WORDS>,
        columns: Columns,
    ) -> impl Iterator<Item = u16> {
        self.outward
            .iter()
            .filter(move |&&column| columns >> column & 1 == 1)
            .map(|&column| state.landing[usize::from(column)])
    }

    #[inline(always)]
    fn place(&self, cell: u16) -> Place {
        // The remainder changes nothing and spares the check.
        self.places[usize::from(cell) % MOST_BITS]
    }

    /// The fast form of a position that is not over.
    pub(super) fn state(&self, position: &Position) -> State<WORDS> {
        let grid = self.lines.grid();
        let stones: [Bits<WORDS>; 2] = Side::BOTH.map(|side| position.stones(side).resize());
        let winning = stones.map(|stones| grid.finishing_cells(stones).words());
        let mut state = State {
            stones: stones.map(Bits::words),
            winning,
            landing: [0; MOST_COLUMNS],
            near: [0; WORDS],
            open: 0,
            now: [0; 2],
            next: [0; 2],
            side: position.side_to_move().index(),
        };
        for column in 0..grid.geometry().columns() {
            let Ok(cell) = position.landing(column) else {
                continue;
            };
            let at = usize::from(column);
            let index = grid.geometry().index(cell) as u16;
            state.landing[at] = index;
            state.open |= 1 << at;
            insert(&mut state.near, index);
            let above = self.place(index).above;
            if let Some(above) = above {
                insert(&mut state.near, above.get());
            }
            for (side, winning) in winning.iter().enumerate() {
                let wins_next = above.is_some_and(|above| holds(winning, above.get()));
                state.now[side] |= Columns::from(holds(winning, index)) << at;
                state.next[side] |= Columns::from(wins_next) << at;
            }
        }
        state
    }

    /// Drops a stone of the side to move into an open column.
    #[inline(always)]
    pub(super) fn drop_stone(&self, state: &mut State<WORDS>, column: usize) {
        let column = column % MOST_COLUMNS;
        let bit: Columns = 1 << column;
        debug_assert!(state.open & bit != 0);
        let side = state.side & 1;
        let cell = state.landing[column];
        insert(&mut state.stones[side], cell);
        self.rise(state, column, cell);
        let State {
            stones,
            winning,
            landing,
            near,
            now,
            next,
            ..
        } = state;
        let (stones, winning) = (&stones[side], &mut winning[side]);
        self.lines
            .extend(winning, stones, near, cell.into(), |gained| {
                let column = usize::from(self.place(gained as u16).column) % MOST_COLUMNS;
                let set = if u32::from(landing[column]) == gained {
                    &mut now[side]
                } else {
                    &mut next[side]
                };
                *set |= 1 << column;
            });
        state.side = side ^ 1;
    }

    /// Moves a column's landing cell up from `cell`, which was taken.
    #[inline(always)]
    fn rise(&self, state: &mut State<WORDS>, column: usize, cell: u16) {
        let bit: Columns = 1 << column;
        let Place {
            above: landing,
            second: next,
            ..
        } = self.place(cell);
        match landing {
            Some(landing) => state.landing[column] = landing.get(),
            None => state.open &= !bit,
        }
        state.near[usize::from(cell) / 64] &= !(1 << (cell % 64));
        if let Some(next) = next {
            insert(&mut state.near, next.get());
        }
        for side in 0..2 {
            let wins_next = next.is_some_and(|next| holds(&state.winning[side], next.get()));
            // What was next is now; without a landing cell, nothing was next.
            state.now[side] = state.now[side] & !bit | state.next[side] & bit;
            state.next[side] = state.next[side] & !bit | Columns::from(wins_next) << column;
        }
    }
}

/// Whether the set of cells holds `cell`.
#[inline(always)]
fn holds<const WORDS: usize>(set: &[u64; WORDS], cell: u16) -> bool {
    set[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
}

#[inline(always)]
fn insert<const WORDS: usize>(set: &mut [u64; WORDS], cell: u16) {
    set[usize::from(cell) / 64] |= 1 << (cell % 64);
}

impl<const WORDS: usize> State<WORDS> {
    /// The position as the network wants to see it.
    #[inline(always)]
    pub(super) fn view(&self) -> View<'_, WORDS> {
        View {
            stones: &self.stones,
            winning: &self.winning,
            landing: &self.landing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::{Chance, Variant, with_words};

    /// What counts of a state: winning cells that are free, landing cells of open columns.
    fn clean<const WORDS: usize>(state: &State<WORDS>, grid: &Grid<WORDS>) -> State<WORDS> {
        let mut state = *state;
        let taken = state.stones.map(Bits::from_words);
        let free = grid.playable().minus(taken[0] | taken[1]);
        state.winning = state
            .winning
            .map(|set| (Bits::from_words(set) & free).words());
        for column in (0..MOST_COLUMNS).filter(|column| state.open >> column & 1 == 0) {
            state.landing[column] = 0;
        }
        state
    }

    #[test]
    fn states_played_equal_states_built() {
        for name in [
            "connect4",
            "connectx:4x4x3",
            "connectx:7x9x5",
            "connectx:8x8x6",
            "course:9x10@8,3@7,3",
            "course:12x12@5,5",
            "course:16x16@3,3",
        ] {
            let variant: Variant = name.parse().unwrap();
            with_words!(variant.geometry(), WORDS => {
                let grid = Grid::<WORDS>::new(&variant).unwrap();
                let game = Gravity::new(grid);
                for seed in 0..20 {
                    let mut chance = Chance::new(seed);
                    let mut position = Position::new(variant);
                    let mut state = game.state(&position);
                    while position.outcome().is_none() {
                        let built = game.state(&position);
                        assert_eq!(clean(&state, &grid), clean(&built, &grid), "{name}");
                        let moves = position.legal_moves();
                        let cell = moves[chance.below(moves.len() as u32) as usize];
                        position.play(cell).unwrap();
                        game.drop_stone(&mut state, cell.column().into());
                    }
                }
            });
        }
    }
}
