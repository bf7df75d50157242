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

use stoneline_rules::{Bits, Grid};

/// Longest run whose patterns are kept in tables; longer ones are computed in full.
const LONGEST_RUN: u32 = 5;

/// Patterns of all directions for the longest run.
const TABLE: usize = 4 << (2 * (LONGEST_RUN - 1));

/// The tables of a board.
#[derive(Clone, Debug)]
pub(crate) struct Lines<const WORDS: usize> {
    grid: Grid<WORDS>,
    /// For each direction: the cells after a stone, bit 0 being the stone's own.
    after: [u64; 4],
    /// For each direction: the cells before a stone, bit 63 being its neighbour.
    before: [u64; 4],
    /// By direction and pattern: the finishing cells after the stone and before it.
    finishing: Box<[[u64; 2]; TABLE]>,
    /// Patterns of one side of a stone have this many bits; 0 when there are no tables.
    reach: u32,
    /// Most blocked cells on top of each other.
    blocked_height: u32,
}

impl<const WORDS: usize> Lines<WORDS> {
    /// The tables for a board.
    pub(crate) fn new(grid: Grid<WORDS>) -> Self {
        let run = u32::from(grid.run());
        let directions = grid.geometry().directions();
        let fits = run <= LONGEST_RUN && directions.iter().all(|step| (run - 1) * step < 64);
        let reach = if fits { run - 1 } else { 0 };
        let cells = |bit: fn(u32) -> u32| {
            directions.map(|step| (1..=reach).fold(0, |set, far| set | 1 << bit(far * step)))
        };
        let mut lines = Self {
            grid,
            after: cells(|far| far),
            before: cells(|far| 64 - far),
            finishing: Box::new([[0; 2]; TABLE]),
            reach,
            blocked_height: blocked_height(&grid),
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
    pub(crate) fn grid(&self) -> &Grid<WORDS> {
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

    /// All winning cells of `stones`, computed in full.
    ///
    /// Only cells that can be played, and below them blocked cells as marks: a
    /// stone under a blocked cell opens the cell above it.
    pub(crate) fn winning(&self, stones: Bits<WORDS>) -> Bits<WORDS> {
        self.marked(self.grid.finishing_cells(stones))
    }

    #[inline]
    fn marked(&self, winning: Bits<WORDS>) -> Bits<WORDS> {
        let mut marked = winning & self.grid.playable();
        for _ in 0..self.blocked_height {
            marked |= marked.shr_small(1) & self.grid.blocked();
        }
        marked
    }

    /// Adds to `winning` what the stone at `index`, already among `stones`, makes of its lines.
    #[inline(always)]
    pub(crate) fn extend(&self, winning: &mut Bits<WORDS>, stones: &Bits<WORDS>, index: u32) {
        if self.reach == 0 {
            *winning = self.winning(*stones);
            return;
        }
        let (word, offset) = ((index / 64) as usize, index % 64);
        let here = word_at(stones, word);
        let above = word_at(stones, word + 1);
        let below = word_at(stones, word.wrapping_sub(1));
        // Two shifts, since one by 64 would be none.
        let after = here >> offset | above << 1 << (63 - offset);
        let before = here << 1 << (63 - offset) | below >> offset;
        let found = match self.reach {
            2 => self.look_up::<2>(after, before),
            3 => self.look_up::<3>(after, before),
            _ => self.look_up::<4>(after, before),
        };
        if found != [0; 2] {
            *winning |= self.gained(found, word, offset);
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

    /// The cells that `extend` found, moved to their place.
    fn gained(&self, [after, before]: [u64; 2], word: usize, offset: u32) -> Bits<WORDS> {
        let mut words = [0; WORDS];
        words[word] = after << offset | before >> 1 >> (63 - offset);
        if word + 1 < WORDS {
            words[word + 1] = after >> 1 >> (63 - offset);
        }
        if word > 0 {
            words[word - 1] = before << offset;
        }
        self.marked(Bits::from_words(words))
    }
}

/// A word of a set; none beyond its ends.
///
/// By comparison, not by address: the words of a rollout stay in registers.
#[inline(always)]
fn word_at<const WORDS: usize>(set: &Bits<WORDS>, at: usize) -> u64 {
    let words = set.words();
    (0..WORDS).fold(
        0,
        |found, place| if place == at { words[place] } else { found },
    )
}

/// The set with `index` added, by comparison as [`word_at`].
#[inline(always)]
pub(super) fn with<const WORDS: usize>(set: Bits<WORDS>, index: u32) -> Bits<WORDS> {
    let bit = 1 << (index % 64);
    let mut words = set.words();
    for (place, word) in words.iter_mut().enumerate() {
        *word |= if place == (index / 64) as usize {
            bit
        } else {
            0
        };
    }
    Bits::from_words(words)
}

/// Whether `index` is in the set, by comparison as [`word_at`].
#[inline(always)]
pub(super) fn holds<const WORDS: usize>(set: &Bits<WORDS>, index: u32) -> bool {
    word_at(set, (index / 64) as usize) >> (index % 64) & 1 == 1
}

fn blocked_height<const WORDS: usize>(grid: &Grid<WORDS>) -> u32 {
    let mut standing = grid.blocked();
    let mut height = 0;
    while !standing.is_empty() {
        standing = standing & (standing << 1);
        height += 1;
    }
    height
}

/// The bits of `word` that `mask` selects, moved together at the low end.
#[inline(always)]
fn gather(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[allow(unsafe_code)]
    // SAFETY: the enclosing `cfg` says that the instruction exists on the target.
    unsafe {
        std::arch::x86_64::_pext_u64(word, mask)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut left, mut gathered, mut at) = (mask, 0, 0);
        while left != 0 {
            gathered |= (word >> left.trailing_zeros() & 1) << at;
            left &= left - 1;
            at += 1;
        }
        gathered
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
                let mut stones = [Bits::<WORDS>::EMPTY; 2];
                let mut winning = [Bits::<WORDS>::EMPTY; 2];
                while position.outcome().is_none() {
                    let moves = position.legal_moves();
                    let cell = moves[chance.below(moves.len() as u32) as usize];
                    let side = position.side_to_move().index();
                    let index = game.geometry().index(cell);
                    stones[side].insert(index);
                    lines.extend(&mut winning[side], &stones[side], index);
                    position.play(cell).unwrap();
                    let free = lines.grid().playable().minus(stones[0] | stones[1]);
                    let full = lines.grid().finishing_cells(stones[side]);
                    assert_eq!(winning[side] & free, full & free, "{name}");
                    // A mark may outlive the cell above it, never miss it.
                    let marks = lines.marked(full & free) & lines.grid().blocked();
                    assert_eq!(marks.minus(winning[side]), Bits::EMPTY, "{name}");
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
