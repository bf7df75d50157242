//! The memory of searched positions of free boards, shared by threads without locks.
//!
//! As on falling boards an entry is two words, the key mixed with what was
//! found, so that a torn entry fits no key; here a move takes nine bits.

use super::cells::Spot;
pub(super) use crate::bound::Bound;
use crate::buckets::Buckets;
use std::io;
use std::sync::atomic::Ordering::Relaxed;

/// Entries in a bucket.
const ENTRIES: usize = 4;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// With wins counted from the position, not from the root.
    pub(super) score: i32,
    pub(super) bound: Bound,
    pub(super) depth: i32,
    pub(super) spot: Option<Spot>,
}

// From the lowest bit: score 16, bound 2, move 10, depth 8, age 8; never zero.
const BOUND_AT: u32 = 16;
const SPOT_AT: u32 = 18;
const DEPTH_AT: u32 = 28;
const AGE_AT: u32 = 36;

impl Entry {
    fn pack(self, age: u8) -> u64 {
        u64::from(self.score as i16 as u16)
            | self.bound.bits() << BOUND_AT
            | self.spot.map_or(0, |spot| u64::from(spot) + 1) << SPOT_AT
            | (self.depth.clamp(0, 255) as u64) << DEPTH_AT
            | u64::from(age) << AGE_AT
    }

    fn unpack(word: u64) -> Self {
        Self {
            score: i32::from(word as u16 as i16),
            bound: Bound::from_bits(word >> BOUND_AT),
            depth: (word >> DEPTH_AT & 255) as i32,
            spot: (word >> SPOT_AT & 1023)
                .checked_sub(1)
                .map(|spot| spot as Spot),
        }
    }
}

/// Entries by key.
pub(super) struct Memory {
    buckets: Buckets<{ 2 * ENTRIES }>,
    age: u8,
}

impl Memory {
    /// An empty memory of at most `bytes`.
    ///
    /// # Errors
    /// If the machine refuses it.
    pub(super) fn new(bytes: usize) -> io::Result<Self> {
        Ok(Self {
            buckets: Buckets::new(bytes)?,
            age: 1,
        })
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.bytes()
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.buckets.clear();
    }

    /// Another search begins: what is known stays, but gives way first.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Asks the machine to bring the bucket of `key` closer.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        self.buckets.prefetch(key);
    }

    /// What is known under `key`.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.of(key);
        (0..ENTRIES).find_map(|at| {
            let word = bucket[2 * at + 1].load(Relaxed);
            let fits = word != 0 && bucket[2 * at].load(Relaxed) ^ word == key;
            fits.then(|| Entry::unpack(word))
        })
    }

    /// Keeps `entry` in the place of the same position or of what is least worth keeping.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let bucket = self.buckets.of(key);
        let (mut victim, mut cheapest) = (0, i32::MAX);
        for at in 0..ENTRIES {
            let word = bucket[2 * at + 1].load(Relaxed);
            if bucket[2 * at].load(Relaxed) ^ word == key {
                let known = Entry::unpack(word);
                entry.spot = entry.spot.or(known.spot);
                victim = at;
                break;
            }
            let passed = self.age.wrapping_sub((word >> AGE_AT) as u8);
            let depth = (word >> DEPTH_AT & 255) as i32;
            let worth = if word == 0 {
                i32::MIN
            } else {
                depth - 4 * i32::from(passed)
            };
            if worth < cheapest {
                (victim, cheapest) = (at, worth);
            }
        }
        let word = entry.pack(self.age);
        bucket[2 * victim].store(key ^ word, Relaxed);
        bucket[2 * victim + 1].store(word, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::Chance;

    #[test]
    fn entries_survive_packing_and_a_small_memory_keeps_the_deep() {
        let mut chance = Chance::new(1);
        for _ in 0..2000 {
            let entry = Entry {
                score: chance.below(60_000) as i32 - 30_000,
                bound: [Bound::Upper, Bound::Lower, Bound::Exact][chance.below(3) as usize],
                depth: chance.below(256) as i32,
                spot: (chance.below(4) > 0).then(|| chance.below(484) as Spot),
            };
            assert_eq!(Entry::unpack(entry.pack(7)), entry);
        }
        let memory = Memory::new(0).unwrap();
        let of = |depth| Entry {
            score: 5,
            bound: Bound::Exact,
            depth,
            spot: None,
        };
        for (key, depth) in [(1, 9), (2, 2), (3, 3), (4, 4), (5, 5)] {
            memory.store(key, of(depth));
        }
        assert_eq!(memory.probe(2), None);
        assert_eq!(memory.probe(1), Some(of(9)));
        assert_eq!(memory.probe(5), Some(of(5)));
    }
}
