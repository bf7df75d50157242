//! `Field<WORDS, FOUR>`: the masks of a gravity board and the questions that
//! the solver asks of all its cells at once.
//!
//! Refuses nothing: it is made for a variant that fits the width. With
//! `FOUR` the run length is the constant 4, which the compiler unrolls.

use stoneline_rules::{Bits, Grid, Variant, finishing_cells, has_run, run_ends};

/// Most columns of a gravity board.
pub(super) const MOST_COLUMNS: usize = 16;

/// Masks of one variant; see the module.
pub(super) struct Field<const WORDS: usize, const FOUR: bool> {
    /// Cells where a stone may lie.
    pub(super) open: Bits<WORDS>,
    /// Cells where none may lie.
    pub(super) blocked: Bits<WORDS>,
    floor: Bits<WORDS>,
    guards: Bits<WORDS>,
    /// Every second open cell of a column, counted from its top, the top one included.
    ///
    /// Who answers each stone in its own column gets these wherever the
    /// number of empty cells was even.
    pub(super) follow: Bits<WORDS>,
    /// The other open cells.
    pub(super) lead: Bits<WORDS>,
    columns: [Bits<WORDS>; MOST_COLUMNS],
    from_middle: [Bits<WORDS>; MOST_COLUMNS],
    directions: [u32; 4],
    run: u8,
    stride: u32,
    /// How many stones the board holds.
    pub(super) capacity: i32,
    width: usize,
    /// Whether left and right may be exchanged.
    pub(super) symmetric: bool,
    /// For each cell and direction, the lower left ends of the runs through it.
    ends_through: Vec<[Bits<WORDS>; 4]>,
}

impl<const WORDS: usize, const FOUR: bool> Field<WORDS, FOUR> {
    /// Contract: the variant's stones fall, it fits the width, and `FOUR` says whether its run is 4.
    pub(super) fn new(variant: &Variant) -> Self {
        let grid = Grid::<WORDS>::new(variant).expect("the variant fits the width");
        let geometry = variant.geometry();
        debug_assert_eq!(FOUR, grid.run() == 4);
        let mut columns = [Bits::EMPTY; MOST_COLUMNS];
        let mut follow = Bits::EMPTY;
        for (column, mask) in (0..geometry.columns()).zip(&mut columns) {
            *mask = grid.column(column);
            let mut open: Vec<u32> = (*mask & grid.playable()).iter().collect();
            open.reverse();
            follow |= open.into_iter().step_by(2).collect();
        }
        let width = usize::from(geometry.columns());
        let mut from_middle = columns;
        let mut order: Vec<usize> = (0..width).collect();
        order.sort_by_key(|&column| (2 * column + 1).abs_diff(width));
        for (mask, column) in from_middle.iter_mut().zip(order) {
            *mask = columns[column];
        }
        let guards = (1..=u32::from(geometry.columns()))
            .map(|column| column * geometry.stride() - 1)
            .collect();
        Self {
            open: grid.playable(),
            blocked: grid.blocked(),
            floor: grid.floor(),
            guards,
            follow,
            lead: grid.playable().minus(follow),
            columns,
            from_middle,
            directions: geometry.directions(),
            run: grid.run(),
            stride: geometry.stride(),
            capacity: geometry.capacity() as i32,
            width,
            symmetric: variant.symmetries().count() > 1,
            ends_through: (0..geometry.bits())
                .map(|index| {
                    geometry.directions().map(|direction| {
                        (0..u32::from(grid.run()))
                            .filter_map(|step| index.checked_sub(step * direction))
                            .collect()
                    })
                })
                .collect(),
        }
    }

    #[inline(always)]
    fn run(&self) -> u8 {
        if FOUR { 4 } else { self.run }
    }

    /// The cells of each column, from the middle outwards.
    pub(super) fn columns(&self) -> &[Bits<WORDS>] {
        &self.from_middle[..self.width]
    }

    /// The column mask of the one cell of `bit`.
    #[inline(always)]
    pub(super) fn column_of(&self, bit: Bits<WORDS>) -> Bits<WORDS> {
        let index = bit.lowest().expect("a bit has a column");
        self.columns[(index / self.stride) as usize]
    }

    /// The first free cell of each column, guard cells of full columns included.
    #[inline(always)]
    pub(super) fn tops(&self, occupied: Bits<WORDS>) -> Bits<WORDS> {
        occupied.wrapping_add(self.floor).minus(occupied)
    }

    /// The cells that may be played.
    #[inline(always)]
    pub(super) fn legal(&self, occupied: Bits<WORDS>) -> Bits<WORDS> {
        self.tops(occupied) & self.open
    }

    /// Open cells, taken or not, that finish a run of `stones`.
    #[inline(always)]
    pub(super) fn wins(&self, stones: Bits<WORDS>) -> Bits<WORDS> {
        finishing_cells(stones, self.directions, self.run()) & self.open
    }

    /// Whether `set` holds a whole run.
    #[inline(always)]
    pub(super) fn has_run(&self, set: Bits<WORDS>) -> bool {
        has_run(set, self.directions, self.run())
    }

    /// The cells that make each member of `set` playable: below it, or below the
    /// blocked cells on which it rests.
    #[inline(always)]
    pub(super) fn under(&self, set: Bits<WORDS>) -> Bits<WORDS> {
        let mut below = set.shr_small(1);
        if !self.blocked.is_empty() {
            loop {
                let resting = below & self.blocked;
                if resting.is_empty() {
                    break;
                }
                below = below.minus(resting) | resting.shr_small(1);
            }
        }
        below
    }

    /// In each column, the lowest member of `set` and every cell above it.
    #[inline(always)]
    pub(super) fn lowest_and_above(&self, set: Bits<WORDS>) -> Bits<WORDS> {
        // Per column guard - set: equal to set at and below its lowest member, its
        // complement above. The guard absorbs the borrow.
        let difference = !(!self.guards).wrapping_add(set);
        (difference | set) & (self.open | self.blocked)
    }

    /// The left ends of the runs within `set`, for the three directions that cross columns.
    #[inline(always)]
    pub(super) fn crossing_runs(&self, set: Bits<WORDS>) -> [Bits<WORDS>; 3] {
        let [_, falling, right, rising] = self.directions;
        [falling, right, rising].map(|direction| run_ends(set, direction, self.run()))
    }

    /// Whether `set` holds an upright run.
    #[inline(always)]
    pub(super) fn has_upright_run(&self, set: Bits<WORDS>) -> bool {
        !run_ends(set, self.directions[0], self.run()).is_empty()
    }

    /// The cells of the runs that lie entirely within `set`.
    #[inline(always)]
    pub(super) fn cover(&self, set: Bits<WORDS>) -> Bits<WORDS> {
        let mut all = Bits::EMPTY;
        for direction in self.directions {
            let ends = run_ends(set, direction, self.run());
            all |= if FOUR {
                let pairs = ends | ends.shl_small(direction);
                pairs | pairs.shl_small(2 * direction)
            } else {
                (1..self.run()).fold(ends, |cells, _| cells.shl_small(direction) | ends)
            };
        }
        all
    }

    /// The lower left ends of the runs within `set`, by direction.
    #[inline(always)]
    pub(super) fn lines_within(&self, set: Bits<WORDS>) -> [Bits<WORDS>; 4] {
        self.directions
            .map(|direction| run_ends(set, direction, self.run()))
    }

    /// How many of `lines`, as [`Self::lines_within`] gives them, go through the one cell of `bit`.
    #[inline(always)]
    pub(super) fn lines_through(&self, bit: Bits<WORDS>, lines: &[Bits<WORDS>; 4]) -> u32 {
        let index = bit.lowest().expect("a bit has an index") as usize;
        lines
            .iter()
            .zip(&self.ends_through[index])
            .map(|(&lines, &through)| (lines & through).len())
            .sum()
    }

    /// `set` with left and right exchanged, guards included.
    #[inline(always)]
    pub(super) fn mirrored(&self, set: Bits<WORDS>) -> Bits<WORDS> {
        let mut mirrored = Bits::EMPTY;
        for left in 0..self.width / 2 {
            let right = self.width - 1 - left;
            let by = (right - left) as u32 * self.stride;
            let guarded = |column: usize| self.columns[column] | self.columns[column].shl_small(1);
            mirrored |= (set & guarded(left)) << by | (set & guarded(right)) >> by;
        }
        if self.width % 2 == 1 {
            let middle = self.columns[self.width / 2];
            mirrored |= set & (middle | middle.shl_small(1));
        }
        mirrored
    }
}
