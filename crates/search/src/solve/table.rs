//! The solver's memory of proven bounds, shared by its threads without locks.
//!
//! An entry is one atomic word, so a reader sees all of a write or nothing of
//! it. Four entries make a bucket inside one cache line; a new entry replaces
//! the one that was cheapest to prove. The memory bound given is never
//! exceeded.

use crate::buckets::Buckets;
use std::io;
use std::sync::atomic::Ordering::Relaxed;

/// Entries that share a place.
const BUCKET_ENTRIES: usize = 4;

const SCORE_BITS: u32 = 8;
const WORK_BITS: u32 = 5;
/// Bits of an entry that are not part of the key.
const DATA_BITS: u32 = 2 * SCORE_BITS + WORK_BITS;
/// Added to scores, so that they are stored as positive numbers: no entry in use is zero.
const SCORE_OFFSET: i32 = 1 << (SCORE_BITS - 1);
const WORK_MASK: u64 = ((1 << WORK_BITS) - 1) << (2 * SCORE_BITS);

/// A score lies within these, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The score is at least this.
    pub low: i32,
    /// The score is at most this.
    pub high: i32,
}

impl Bounds {
    /// The score, when only one is left.
    pub fn exact(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// Both numbers moved to the nearest within these bounds.
    pub(super) fn clamped(self, low: i32, high: i32) -> Self {
        Self {
            low: low.clamp(self.low, self.high),
            high: high.clamp(self.low, self.high),
        }
    }

    /// The same bounds as the opponent sees them.
    pub(super) fn negated(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }
}

/// Every score there is, and what the table knows when it knows nothing.
pub(super) const UNKNOWN: Bounds = Bounds {
    low: 1 - SCORE_OFFSET,
    high: SCORE_OFFSET - 1,
};

/// Proven bounds by key.
pub(super) struct Table {
    buckets: Buckets<BUCKET_ENTRIES>,
}

impl Table {
    /// An empty table of at most `bytes`, and at least one bucket.
    ///
    /// # Errors
    /// If the machine refuses the memory.
    pub(super) fn new(bytes: usize) -> io::Result<Self> {
        let buckets = Buckets::new(bytes)?;
        buckets.touch();
        Ok(Self { buckets })
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.buckets.clear();
    }

    /// Asks the machine to bring the bucket of `key` closer.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        self.buckets.prefetch(key);
    }

    /// The bounds stored under `key`.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Bounds> {
        let wanted = key << DATA_BITS;
        self.buckets
            .of(key)
            .iter()
            .map(|entry| entry.load(Relaxed))
            .find(|&word| is_of(word, wanted))
            .map(unpacked)
    }

    /// Keeps `bounds`, which took `nodes` to prove, joined with what was known.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, bounds: Bounds, nodes: u64) {
        let wanted = key << DATA_BITS;
        let work = u64::from(nodes.max(1).ilog2().min((1 << WORK_BITS) - 1)) << (2 * SCORE_BITS);
        let mut victim = 0;
        let mut cheapest = u64::MAX;
        let bucket = self.buckets.of(key);
        for (at, entry) in bucket.iter().enumerate() {
            let word = entry.load(Relaxed);
            if is_of(word, wanted) {
                let known = unpacked(word);
                let joined = Bounds {
                    low: bounds.low.max(known.low),
                    high: bounds.high.min(known.high),
                };
                entry.store(packed(wanted, joined, work.max(word & WORK_MASK)), Relaxed);
                return;
            }
            // An empty entry is cheaper than any in use.
            let cost = if word == 0 { 0 } else { 1 + (word & WORK_MASK) };
            if cost < cheapest {
                cheapest = cost;
                victim = at;
            }
        }
        bucket[victim].store(packed(wanted, bounds, work), Relaxed);
    }
}

#[inline(always)]
fn is_of(word: u64, wanted: u64) -> bool {
    (word ^ wanted) >> DATA_BITS == 0 && word != 0
}

#[inline(always)]
fn packed(wanted: u64, bounds: Bounds, work: u64) -> u64 {
    let low = (bounds.low + SCORE_OFFSET) as u64;
    let high = (bounds.high + SCORE_OFFSET) as u64;
    wanted | work | high << SCORE_BITS | low
}

#[inline(always)]
fn unpacked(word: u64) -> Bounds {
    let score = |shift: u32| (word >> shift & ((1 << SCORE_BITS) - 1)) as i32 - SCORE_OFFSET;
    Bounds {
        low: score(0),
        high: score(SCORE_BITS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::Chance;

    #[test]
    fn bounds_come_back_joined() {
        let table = Table::new(1 << 12).unwrap();
        let mut chance = Chance::new(1);
        for _ in 0..1000 {
            let key = chance.draw();
            let low = chance.below(100) as i32 - 96;
            let high = low + chance.below(10) as i32;
            table.store(key, Bounds { low, ..UNKNOWN }, 7);
            table.store(key, Bounds { high, ..UNKNOWN }, 7);
            assert_eq!(table.probe(key), Some(Bounds { low, high }));
            assert_eq!(table.probe(!key), None);
        }
    }

    #[test]
    fn the_cheapest_entry_gives_way() {
        let table = Table::new(0).unwrap();
        for work in 0..4_u64 {
            table.store(work + 1, UNKNOWN, 1 << (work + 3));
        }
        table.store(9, UNKNOWN, 1);
        assert_eq!(table.probe(1), None);
        for key in [2, 3, 4, 9] {
            assert_eq!(table.probe(key), Some(UNKNOWN));
        }
    }
}
