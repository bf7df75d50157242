//! What a stored score says of the true one, in two bits of a table's word.

/// How a stored score stands to the true one at that depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// It is this.
    Exact = 3,
}

impl Bound {
    /// The two bits that stand for it; never both zero.
    pub(crate) const fn bits(self) -> u64 {
        self as u64
    }

    /// The bound in the two lowest bits of `word`.
    pub(crate) const fn from_bits(word: u64) -> Self {
        match word & 3 {
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }
}
