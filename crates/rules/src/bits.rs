//! `Bits<WORDS>`: a fixed set of bit indices, the material of every fast board.
//!
//! Owns arithmetic on a few machine words: shifts, counts, one wide addition,
//! iteration. Knows nothing of boards. With `WORDS == 1` every operation is
//! the plain `u64` one.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A set of indices below `64 * WORDS`.
///
/// ```
/// use stoneline_rules::Bits;
/// let set = Bits::<2>::bit(3) | Bits::bit(70);
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.iter().collect::<Vec<_>>(), [3, 70]);
/// assert_eq!(set << 1, Bits::bit(4) | Bits::bit(71));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bits<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    /// The set without members.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// The set made of `words`, lowest indices first.
    #[inline]
    pub const fn from_words(words: [u64; WORDS]) -> Self {
        Self(words)
    }

    /// The words of the set, lowest indices first.
    #[inline]
    pub const fn words(self) -> [u64; WORDS] {
        self.0
    }

    /// The set whose only member is `index`.
    ///
    /// # Panics
    /// If `index` is not below `64 * WORDS`.
    #[inline]
    pub const fn bit(index: u32) -> Self {
        let mut words = [0; WORDS];
        words[(index / 64) as usize] = 1 << (index % 64);
        Self(words)
    }

    /// Adds `index`. Touches one word, where a union would build and read them all.
    ///
    /// # Panics
    /// If `index` is not below `64 * WORDS`.
    #[inline(always)]
    pub fn insert(&mut self, index: u32) {
        self.0[(index / 64) as usize] |= 1 << (index % 64);
    }

    /// Whether the set has no member.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether `index` is a member; `false` beyond the width.
    #[inline]
    pub const fn contains(self, index: u32) -> bool {
        let word = (index / 64) as usize;
        word < WORDS && self.0[word] >> (index % 64) & 1 == 1
    }

    /// Whether both sets share a member.
    #[inline]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// How many members the set has.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the set has two members or more.
    #[inline]
    pub fn has_two(self) -> bool {
        !self.without_lowest().is_empty()
    }

    /// The smallest member.
    #[inline]
    pub fn lowest(self) -> Option<u32> {
        (0..WORDS)
            .find(|&word| self.0[word] != 0)
            .map(|word| word as u32 * 64 + self.0[word].trailing_zeros())
    }

    /// The set of the smallest member alone; empty stays empty.
    #[inline]
    pub fn lowest_bit(self) -> Self {
        self & !self.without_lowest()
    }

    /// The set without its smallest member; empty stays empty.
    #[inline]
    pub fn without_lowest(self) -> Self {
        let mut words = self.0;
        for word in &mut words {
            if *word != 0 {
                *word &= *word - 1;
                break;
            }
        }
        Self(words)
    }

    /// The set without the members of `other`.
    #[inline]
    pub fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// `self << by` for `1 <= by < 64`, without the branches of the general shift.
    #[inline(always)]
    pub fn shl_small(self, by: u32) -> Self {
        debug_assert!((1..64).contains(&by));
        let mut words = self.0;
        for at in (1..WORDS).rev() {
            words[at] = words[at] << (by & 63) | words[at - 1] >> ((64 - by) & 63);
        }
        words[0] <<= by & 63;
        Self(words)
    }

    /// `self >> by` for `1 <= by < 64`, without the branches of the general shift.
    #[inline(always)]
    pub fn shr_small(self, by: u32) -> Self {
        debug_assert!((1..64).contains(&by));
        let mut words = self.0;
        for at in 0..WORDS - 1 {
            words[at] = words[at] >> (by & 63) | words[at + 1] << ((64 - by) & 63);
        }
        words[WORDS - 1] >>= by & 63;
        Self(words)
    }

    /// The sum of both sets read as numbers, the carry out of the top dropped.
    #[inline(always)]
    pub fn wrapping_add(self, other: Self) -> Self {
        let mut words = self.0;
        let mut carry = false;
        for (word, addend) in words.iter_mut().zip(other.0) {
            let (sum, over) = word.overflowing_add(addend);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            *word = sum;
            carry = over | over_again;
        }
        Self(words)
    }

    /// The member with exactly `rank` smaller members, alone in a set.
    ///
    /// Contract: `rank < self.len()`.
    #[inline(always)]
    pub fn nth_bit(self, rank: u32) -> Self {
        debug_assert!(rank < self.len());
        let mut words = [0; WORDS];
        let mut rank = rank;
        for at in 0..WORDS - 1 {
            let here = self.0[at].count_ones();
            if rank < here {
                words[at] = nth_of_word(self.0[at], rank);
                return Self(words);
            }
            rank -= here;
        }
        words[WORDS - 1] = nth_of_word(self.0[WORDS - 1], rank);
        Self(words)
    }

    /// The members, smallest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().enumerate().flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                let low = (word != 0).then(|| at as u32 * 64 + word.trailing_zeros());
                word &= word.wrapping_sub(1);
                low
            })
        })
    }

    /// The same members in another width.
    ///
    /// Contract: every member fits the new width.
    #[inline]
    pub fn resize<const TO: usize>(self) -> Bits<TO> {
        let mut words = [0; TO];
        for (at, word) in self.0.into_iter().enumerate() {
            if at < TO {
                words[at] = word;
            } else {
                debug_assert_eq!(word, 0, "a member does not fit the narrower set");
            }
        }
        Bits(words)
    }
}

/// The `rank`-th one of `word`, alone in a word.
#[inline(always)]
fn nth_of_word(word: u64, rank: u32) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[allow(unsafe_code)]
    // SAFETY: the enclosing `cfg` says that the instruction exists on the target.
    unsafe {
        std::arch::x86_64::_pdep_u64(1 << rank, word)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let mut word = word;
        for _ in 0..rank {
            word &= word - 1;
        }
        word & word.wrapping_neg()
    }
}

macro_rules! word_by_word {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident, $op:tt) => {
        impl<const WORDS: usize> $trait for Bits<WORDS> {
            type Output = Self;
            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                self $op other;
                self
            }
        }
        impl<const WORDS: usize> $assign_trait for Bits<WORDS> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                for at in 0..WORDS {
                    self.0[at] $op other.0[at];
                }
            }
        }
    };
}
word_by_word!(BitAnd, bitand, BitAndAssign, bitand_assign, &=);
word_by_word!(BitOr, bitor, BitOrAssign, bitor_assign, |=);
word_by_word!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^=);

impl<const WORDS: usize> Not for Bits<WORDS> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

/// Every member moved up; those pushed past the width are dropped.
impl<const WORDS: usize> Shl<u32> for Bits<WORDS> {
    type Output = Self;
    #[inline]
    fn shl(self, by: u32) -> Self {
        let skip = (by / 64) as usize;
        let mut moved = Self::EMPTY;
        if skip < WORDS {
            moved.0[skip..].copy_from_slice(&self.0[..WORDS - skip]);
        }
        match by % 64 {
            0 => moved,
            by => moved.shl_small(by),
        }
    }
}

/// Every member moved down; those pushed below zero are dropped.
impl<const WORDS: usize> Shr<u32> for Bits<WORDS> {
    type Output = Self;
    #[inline]
    fn shr(self, by: u32) -> Self {
        let skip = (by / 64) as usize;
        let mut moved = Self::EMPTY;
        if skip < WORDS {
            moved.0[..WORDS - skip].copy_from_slice(&self.0[skip..]);
        }
        match by % 64 {
            0 => moved,
            by => moved.shr_small(by),
        }
    }
}

impl<const WORDS: usize> Default for Bits<WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const WORDS: usize> FromIterator<u32> for Bits<WORDS> {
    fn from_iter<T: IntoIterator<Item = u32>>(members: T) -> Self {
        members
            .into_iter()
            .fold(Self::EMPTY, |set, index| set | Self::bit(index))
    }
}
