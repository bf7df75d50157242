//! A whole board in one register: sixteen bits a column, the lowest cell first.
//!
//! One addition finds where a stone lands in every column, a shift by bits
//! moves all stones up or down, a shift by lanes moves them a column aside,
//! and neither wraps. What a search asks of a position, who wins where and
//! which columns are safe, is a few dozen such steps on a board of any size.
//! `Plain` does the same with loops, for other processors and as the twin
//! that the tests compare with.

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod plain;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod x86;

use crate::columns::{Columns, MOST_COLUMNS};
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor};

/// Boards of at most eight columns.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) type Narrow = x86::Narrow;
/// All boards with falling stones.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) type Broad = x86::Broad;
/// Boards of at most eight columns.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) type Narrow = plain::Plain<8>;
/// All boards with falling stones.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) type Broad = plain::Plain<16>;

/// Evaluates `$body` with `$lanes` as the narrowest registers that hold the board.
macro_rules! with_lanes {
    ($geometry:expr, $lanes:ident => $body:expr) => {
        if $geometry.columns() <= 8 {
            type $lanes = $crate::mcts::lanes::Narrow;
            $body
        } else {
            type $lanes = $crate::mcts::lanes::Broad;
            $body
        }
    };
}
pub(super) use with_lanes;

/// Columns of sixteen bits each, handled all at once.
pub(crate) trait Lanes:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
{
    /// How many columns there are.
    const COUNT: usize;

    /// The first columns of `columns`.
    fn new(columns: &[u16; MOST_COLUMNS]) -> Self;

    /// The first columns of sixteen, four in each word.
    fn from_words(words: [u64; 4]) -> Self;

    /// The same in every column.
    fn all(bits: u16) -> Self;

    /// The columns; zero beyond their number.
    fn columns(self) -> [u16; MOST_COLUMNS];

    /// The bits that `other` has not.
    fn without(self, other: Self) -> Self;

    /// One added to each column, as a number.
    fn plus_one(self) -> Self;

    /// Every bit `BY` cells higher in its column.
    fn up<const BY: i32>(self) -> Self;

    /// Every bit `BY` cells lower in its column.
    fn down<const BY: i32>(self) -> Self;

    /// Every column at the place of the one `BY` to its right, at most three.
    fn right<const BY: usize>(self) -> Self;

    /// Every column at the place of the one `BY` to its left, at most three.
    fn left<const BY: usize>(self) -> Self;

    /// Whether no bit is set.
    fn is_empty(self) -> bool;

    /// All bits of the columns that are equal in both, none of the others.
    fn equal(self, other: Self) -> Self;

    /// The columns with any bit, as a set.
    fn set(self) -> Columns;

    /// How many columns have none of their bits, given that the others have all.
    fn count_empty(self) -> u32;

    /// The lowest column as an unsigned number, alone and in every column.
    fn lowest(self) -> (u16, Self);

    /// No bits.
    #[inline(always)]
    fn empty() -> Self {
        Self::all(0)
    }

    /// All bits of the columns that have none.
    #[inline(always)]
    fn empty_columns(self) -> Self {
        self.equal(Self::empty())
    }
}

#[cfg(all(test, target_arch = "x86_64", target_feature = "avx2"))]
mod tests {
    use super::plain::Plain;
    use super::{Broad, Lanes, MOST_COLUMNS, Narrow};
    use stoneline_rules::Chance;

    /// Random columns, some of them empty or alike.
    fn columns(chance: &mut Chance) -> [u16; MOST_COLUMNS] {
        let word = chance.draw();
        std::array::from_fn(|at| match word >> (2 * at) & 3 {
            0 => 0,
            1 => 0xffff,
            2 => (word >> 40) as u16,
            _ => chance.draw() as u16,
        })
    }

    /// Every operation on two boards, told as columns.
    fn all_of<L: Lanes>(one: &[u16; 16], other: &[u16; 16]) -> Vec<[u16; MOST_COLUMNS]> {
        let (one, other) = (L::new(one), L::new(other));
        let (number, everywhere) = one.lowest();
        let truth = [one.is_empty(), (one & other).is_empty(), one == other];
        let told = [
            one & other,
            one | other,
            one ^ other,
            one.without(other),
            one.plus_one(),
            one.up::<1>() | other.up::<3>(),
            one.down::<2>() ^ other.down::<3>(),
            one.right::<1>(),
            one.right::<2>(),
            one.right::<3>(),
            one.left::<1>(),
            one.left::<2>(),
            one.left::<3>(),
            one.equal(other),
            one.empty_columns(),
            L::all(one.set()),
            L::all(one.equal(other).count_empty() as u16),
            L::all(number),
            everywhere,
            L::from_words([number.into(), 1 << 40, 0x1234_5678_9abc_def0, u64::MAX]),
            L::all(truth.iter().fold(0, |sum, &is| sum * 2 + u16::from(is))),
        ];
        told.map(L::columns).to_vec()
    }

    #[test]
    fn registers_do_as_loops_do() {
        let mut chance = Chance::new(3);
        for _ in 0..20_000 {
            let (one, other) = (columns(&mut chance), columns(&mut chance));
            let other = if chance.below(8) == 0 { one } else { other };
            let broad = all_of::<Broad>(&one, &other);
            assert_eq!(broad, all_of::<Plain<16>>(&one, &other));
            let narrow = all_of::<Narrow>(&one, &other);
            assert_eq!(narrow, all_of::<Plain<8>>(&one, &other));
        }
    }
}
