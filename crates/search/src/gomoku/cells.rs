//! `CellSet`: a set of cells of a free board, row by row without guards.

/// Most cells of a free board.
pub(crate) const CELLS: usize = 22 * 22;

const WORDS: usize = CELLS.div_ceil(64);

/// Places for cells in arrays: a power of two, so that a remainder spares the check.
pub(crate) const CELL_SLOTS: usize = 64 * WORDS;

/// A cell of a free board: its row times the number of columns, plus its column.
pub(crate) type Spot = u16;

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct CellSet([u64; WORDS]);

impl CellSet {
    /// No cell.
    pub(crate) const EMPTY: Self = Self([0; WORDS]);

    /// Adds the cell, or takes it out.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, spot: Spot) {
        self.0[usize::from(spot) / 64 % WORDS] ^= 1 << (spot % 64);
    }

    /// Adds the cell.
    #[inline(always)]
    pub(crate) fn insert(&mut self, spot: Spot) {
        self.0[usize::from(spot) / 64 % WORDS] |= 1 << (spot % 64);
    }

    /// Whether the cell is in the set.
    #[inline(always)]
    pub(crate) fn contains(&self, spot: Spot) -> bool {
        self.0[usize::from(spot) / 64 % WORDS] >> (spot % 64) & 1 == 1
    }

    /// Whether no cell is in the set.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// How many cells are in the set.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The cell with the lowest number.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<Spot> {
        self.iter().next()
    }

    /// Cells that are in either set.
    #[inline(always)]
    pub(crate) fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// Cells that are in both sets.
    #[inline(always)]
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    /// The cells, lowest number first.
    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = Spot> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |at| {
            let mut word = words[at];
            std::iter::from_fn(move || {
                let low = word.trailing_zeros();
                (word != 0).then(|| {
                    word &= word - 1;
                    (at * 64) as Spot + low as Spot
                })
            })
        })
    }
}

impl FromIterator<Spot> for CellSet {
    fn from_iter<I: IntoIterator<Item = Spot>>(spots: I) -> Self {
        let mut set = Self::EMPTY;
        for spot in spots {
            set.insert(spot);
        }
        set
    }
}
