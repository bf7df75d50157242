//! A small reproducible source of chance.
//!
//! Its sequence is part of our formats: the boards of `course` follow from a
//! seed by it, so it must never change. Every search and test takes its seed
//! from outside as well.

/// SplitMix64 (Steele, Lea, Flood 2014): one addition and a mix a number.
#[derive(Clone, Debug)]
pub struct Chance(u64);

/// A one-to-one scramble of 64 bits in which every input bit reaches every output bit.
#[inline]
pub const fn scramble(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl Chance {
    /// The sequence that belongs to `seed`.
    #[inline]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    /// A number below `bound`, each equally likely up to one part in 2^32.
    ///
    /// Contract: `bound > 0`.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        ((self.draw() >> 32).wrapping_mul(u64::from(bound)) >> 32) as u32
    }
}
