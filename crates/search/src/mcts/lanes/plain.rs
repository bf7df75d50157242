//! Columns in an array, one after the other.

use super::Lanes;
use crate::columns::{Columns, MOST_COLUMNS};
use std::ops::{BitAnd, BitOr, BitXor};

/// `COUNT` columns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Plain<const COUNT: usize>([u16; COUNT]);

impl<const COUNT: usize> Plain<COUNT> {
    fn map(self, change: impl Fn(u16) -> u16) -> Self {
        Self(self.0.map(change))
    }

    fn with(self, other: Self, join: impl Fn(u16, u16) -> u16) -> Self {
        Self(std::array::from_fn(|at| join(self.0[at], other.0[at])))
    }

    /// Each column from the place that `from` tells; none from beyond the board.
    fn moved(self, from: impl Fn(usize) -> usize) -> Self {
        Self(std::array::from_fn(|at| {
            self.0.get(from(at)).copied().unwrap_or(0)
        }))
    }
}

impl<const COUNT: usize> BitAnd for Plain<COUNT> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.with(other, |one, other| one & other)
    }
}

impl<const COUNT: usize> BitOr for Plain<COUNT> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(other, |one, other| one | other)
    }
}

impl<const COUNT: usize> BitXor for Plain<COUNT> {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        self.with(other, |one, other| one ^ other)
    }
}

impl<const COUNT: usize> Lanes for Plain<COUNT> {
    const COUNT: usize = COUNT;

    fn new(columns: &[u16; MOST_COLUMNS]) -> Self {
        Self(std::array::from_fn(|at| columns[at]))
    }

    fn from_words(words: [u64; 4]) -> Self {
        Self(std::array::from_fn(|at| {
            (words[at / 4] >> (at % 4 * 16)) as u16
        }))
    }

    fn all(bits: u16) -> Self {
        Self([bits; COUNT])
    }

    fn columns(self) -> [u16; MOST_COLUMNS] {
        std::array::from_fn(|at| self.0.get(at).copied().unwrap_or(0))
    }

    fn without(self, other: Self) -> Self {
        self.with(other, |one, other| one & !other)
    }

    fn plus_one(self) -> Self {
        self.map(|column| column.wrapping_add(1))
    }

    fn up<const BY: i32>(self) -> Self {
        self.map(|column| column << BY)
    }

    fn down<const BY: i32>(self) -> Self {
        self.map(|column| column >> BY)
    }

    fn right<const BY: usize>(self) -> Self {
        self.moved(|at| at.wrapping_sub(BY))
    }

    fn left<const BY: usize>(self) -> Self {
        self.moved(|at| at + BY)
    }

    fn is_empty(self) -> bool {
        self.0.iter().all(|&column| column == 0)
    }

    fn equal(self, other: Self) -> Self {
        self.with(other, |one, other| if one == other { u16::MAX } else { 0 })
    }

    fn set(self) -> Columns {
        let members = self.0.iter().enumerate();
        members.fold(0, |set, (at, &column)| {
            set | Columns::from(column != 0) << at
        })
    }

    fn count_empty(self) -> u32 {
        self.0.iter().filter(|&&column| column == 0).count() as u32
    }

    fn lowest(self) -> (u16, Self) {
        let lowest = self.0.iter().copied().min().unwrap_or(0);
        (lowest, Self::all(lowest))
    }
}
