//! Winning cells, kept stone by stone.
//!
//! A new stone changes only the four lines through it. So a side's winning
//! cells are not computed anew: the stones near the new one are gathered into
//! a short pattern for each direction, and a table tells which cells of that
//! line now finish a run. For `run` 4 and the rising direction:
//!
//! ```text
//!   . . . 5      pattern 0b_543_210 of the cells around the new stone *,
//!   . . 4 .      the nearest three on each side; the table answers with
//!   . 3 . .      the empty ones that would finish four, as two words of
//!   * . . .      bits: those after the stone and those before it
//! ```

use crate::gather::gather;
use stoneline_rules::{Bits, Grid};

/// Longest run whose patterns are kept in tables; longer ones are computed in full.
const LONGEST_RUN: u32 = 5;

/// Patterns of all directions for the longest run.
const TABLE: usize = 4 << (2 * (LONGEST_RUN - 1));

/// The tables of a board.
#[derive(Clone, Debug)]
pub(super) struct Lines<const WORDS: usize> {
    grid: Grid<WORDS>,
    playable: [u64; WORDS],
    /// For each direction: the cells after a stone, bit 0 being the stone's own.
    after: [u64; 4],
    /// For each direction: the cells before a stone, bit 63 being its neighbour.
    before: [u64; 4],
    /// By direction and pattern: the finishing cells after the stone and before it.
    finishing: Box<[[u64; 2]; TABLE]>,
    /// Patterns of one side of a stone have this many bits; 0 when there are no tables.
    reach: u32,
}

impl<const WORDS: usize> Lines<WORDS> {
    /// The tables for a board.
    pub(super) fn new(grid: Grid<WORDS>) -> Self {
        let run = u32::from(grid.run());
        let directions = grid.geometry().directions();
        let fits = run <= LONGEST_RUN && directions.iter().all(|step| (run - 1) * step < 64);
        let reach = if fits { run - 1 } else { 0 };
        let cells = |bit: fn(u32) -> u32| {
            directions.map(|step| (1..=reach).fold(0, |set, far| set | 1 << bit(far * step)))
        };
        let mut lines = Self {
            grid,
            playable: grid.playable().words(),
            after: cells(|far| far),
            before: cells(|far| 64 - far),
            finishing: Box::new([[0; 2]; TABLE]),
            reach,
        };
        if fits {
            for direction in 0..4 {
                for pattern in 0..1 << (2 * reach) {
                    let at = direction << (2 * reach) | pattern as usize;
                    lines.finishing[at] = lines.finishing_of(direction, pattern);
                }
            }
        }
        lines
    }

    /// The masks of the board.
    #[inline(always)]
    pub(super) fn grid(&self) -> &Grid<WORDS> {
        &self.grid
    }

    /// The finishing cells of a pattern, found by trying each.
    fn finishing_of(&self, direction: usize, pattern: u32) -> [u64; 2] {
        let reach = self.reach as usize;
        // The cells before the stone, nearest last, the stone, and those after it.
        let mut line: Vec<bool> = (0..2 * reach).map(|at| pattern >> at & 1 == 1).collect();
        line.insert(reach, true);
        let step = self.grid.geometry().directions()[direction];
        let mut found = [0; 2];
        for at in (0..line.len()).filter(|&at| !line[at]).collect::<Vec<_>>() {
            let mut filled = line.clone();
            filled[at] = true;
            // Only runs that the cell itself is part of.
            let through = at.saturating_sub(reach)..=at.min(reach);
            let finishes = |start: usize| filled[start..=start + reach].iter().all(|&stone| stone);
            if through.into_iter().any(finishes) {
                match at.checked_sub(reach) {
                    Some(far) => found[0] |= 1 << (far as u32 * step),
                    None => found[1] |= 1 << (64 - (reach - at) as u32 * step),
                }
            }
        }
        found
    }

    /// Adds to `winning` the cells that the stone at `index`, already among
    /// `stones`, makes winning, and calls `tell` with each new one of `near`, cells of the board.
    #[inline(always)]
    pub(super) fn extend(
        &self,
        winning: &mut [u64; WORDS],
        stones: &[u64; WORDS],
        near: &[u64; WORDS],
        index: u32,
        mut tell: impl FnMut(u32),
    ) {
        if self.reach == 0 {
            let all = self.grid.finishing_cells(Bits::from_words(*stones)).words();
            for (word, cells) in all.into_iter().enumerate() {
                self.add(winning, near, word, cells, &mut tell);
            }
            return;
        }
        let (word, offset) = ((index / 64) as usize, index % 64);
        let here = stones[word];
        let above = stones.get(word + 1).copied().unwrap_or(0);
        let below = stones.get(word.wrapping_sub(1)).copied().unwrap_or(0);
        // Two shifts, since one by 64 would be none.
        let after = here >> offset | above << 1 << (63 - offset);
        let before = here << 1 << (63 - offset) | below >> offset;
        let [after, before] = if self.reach == 3 {
            self.look_up::<3>(after, before)
        } else {
            self.look_up_rare(after, before)
        };
        if after | before != 0 {
            let here = after << offset | before >> 1 >> (63 - offset);
            self.add(winning, near, word, here, &mut tell);
            let later = after >> 1 >> (63 - offset);
            self.add(winning, near, word + 1, later, &mut tell);
            let earlier = before << offset;
            self.add(winning, near, word.wrapping_sub(1), earlier, &mut tell);
        }
    }

    /// Adds `cells`, bits of one word; none beyond the board.
    #[inline(always)]
    fn add(
        &self,
        winning: &mut [u64; WORDS],
        near: &[u64; WORDS],
        word: usize,
        cells: u64,
        tell: &mut impl FnMut(u32),
    ) {
        if word < WORDS {
            let mut new = cells & near[word] & !winning[word];
            winning[word] |= cells & self.playable[word];
            while new != 0 {
                tell(64 * word as u32 + new.trailing_zeros());
                new &= new - 1;
            }
        }
    }

    /// As [`Self::look_up`] for runs other than four, out of the way of its constants.
    #[cold]
    #[inline(never)]
    fn look_up_rare(&self, after: u64, before: u64) -> [u64; 2] {
        match self.reach {
            2 => self.look_up::<2>(after, before),
            _ => self.look_up::<4>(after, before),
        }
    }

    /// The finishing cells among those after and before a stone.
    #[inline(always)]
    fn look_up<const REACH: u32>(&self, after: u64, before: u64) -> [u64; 2] {
        let mut found = [0; 2];
        for direction in 0..4 {
            let pattern = gather(before, self.before[direction])
                | gather(after, self.after[direction]) << REACH;
            let at = direction << (2 * REACH) | pattern as usize;
            // The remainder changes nothing and spares the check.
            let [gained_after, gained_before] = self.finishing[at % TABLE];
            found[0] |= gained_after;
            found[1] |= gained_before;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::{Chance, Position, Variant, with_words};

    fn meets_full_computation(name: &str) {
        let game: Variant = name.parse().unwrap();
        with_words!(game.geometry(), WORDS => {
            let lines = Lines::<WORDS>::new(Grid::new(&game).unwrap());
            let mut chance = Chance::new(11);
            for _ in 0..300 {
                let mut position = Position::new(game);
                let mut stones = [[0; WORDS]; 2];
                let mut winning = [[0; WORDS]; 2];
                while position.outcome().is_none() {
                    let moves = position.legal_moves();
                    let cell = moves[chance.below(moves.len() as u32) as usize];
                    let side = position.side_to_move().index();
                    let index = game.geometry().index(cell);
                    stones[side][index as usize / 64] |= 1 << (index % 64);
                    let near = lines.playable.map(|word| word & chance.draw());
                    let before = Bits::from_words(winning[side]);
                    let mut told = Bits::EMPTY;
                    lines.extend(&mut winning[side], &stones[side], &near, index, |cell| {
                        told.insert(cell);
                    });
                    let new = Bits::from_words(winning[side]).minus(before);
                    position.play(cell).unwrap();
                    let [first, second] = stones.map(Bits::from_words);
                    let free = lines.grid().playable().minus(first | second);
                    let full = lines.grid().finishing_cells(Bits::from_words(stones[side]));
                    assert_eq!(Bits::from_words(winning[side]) & free, full & free, "{name}");
                    assert_eq!(told, new & Bits::from_words(near), "{name}");
                }
            }
        });
    }

    #[test]
    fn winning_cells_kept_equal_winning_cells_computed() {
        for name in [
            "connect4",
            "connectx:4x4x3",
            "connectx:4x6x4",
            "connectx:8x8x5",
            "connectx:9x9x6",
            "connectx:16x16x5",
            "course:9x9@4,4",
            "course:12x12@5,5",
            "course:12x12@0,0@5,5@6,5@7,5@11,11",
            "course:16x16@3,3",
        ] {
            meets_full_computation(name);
        }
    }
}
