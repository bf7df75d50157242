//! The memory of searched positions, shared by threads without locks.
//!
//! Four entries make a bucket of one cache line. An entry is two words, the
//! second telling what was found and the first the key mixed with it, so that
//! an entry torn by two writers fits no key at all. Forgetting is one number:
//! entries from before it count as empty, and a table that has forgotten
//! behaves as a new one.

pub(super) use crate::bound::Bound;
use crate::buckets::Buckets;
use std::io;
use std::sync::atomic::Ordering::Relaxed;

/// Entries in a bucket.
const ENTRIES: usize = 4;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) score: i32,
    pub(super) bound: Bound,
    /// Plies that were looked ahead; [`COMPLETE`] when no estimate is behind the score.
    pub(super) depth: i32,
    /// The column that was best, if one was.
    pub(super) column: Option<u8>,
    /// What the position was estimated at without search, if it was.
    pub(super) estimate: Option<i32>,
}

/// The depth of a score that no estimate is behind.
pub(super) const COMPLETE: i32 = 511;

const DEPTH_BITS: u32 = 9;
const AGE_BITS: u32 = 12;
/// Ages from which on the next forgetting starts at 1 again.
const OLD: u64 = 1 << (AGE_BITS - 1);
/// The stored estimate of a position that was never estimated: even, so no estimate.
const NO_ESTIMATE: u16 = 0;

// From the lowest bit: score 16, estimate 16, bound 2, column 5, depth 9, age 12.
const ESTIMATE_AT: u32 = 16;
const BOUND_AT: u32 = 32;
const COLUMN_AT: u32 = 34;
const DEPTH_AT: u32 = 39;
const AGE_AT: u32 = DEPTH_AT + DEPTH_BITS;
const _: () = assert!(AGE_AT + AGE_BITS <= 64);

impl Entry {
    fn pack(self, age: u64) -> u64 {
        let column = self.column.map_or(0, |column| u64::from(column) + 1);
        let estimate = self
            .estimate
            .map_or(NO_ESTIMATE, |score| score as i16 as u16);
        u64::from(self.score as i16 as u16)
            | u64::from(estimate) << ESTIMATE_AT
            | self.bound.bits() << BOUND_AT
            | column << COLUMN_AT
            | (self.depth.clamp(0, COMPLETE) as u64) << DEPTH_AT
            | age << AGE_AT
    }

    fn unpack(word: u64) -> Self {
        let estimate = (word >> ESTIMATE_AT) as u16;
        Self {
            score: i32::from(word as u16 as i16),
            bound: Bound::from_bits(word >> BOUND_AT),
            depth: (word >> DEPTH_AT & ((1 << DEPTH_BITS) - 1)) as i32,
            column: (word >> COLUMN_AT & 31)
                .checked_sub(1)
                .map(|column| column as u8),
            estimate: (estimate != NO_ESTIMATE).then_some(i32::from(estimate as i16)),
        }
    }
}

/// Entries by key.
pub(super) struct Table {
    buckets: Buckets<{ 2 * ENTRIES }>,
    /// The age of what is stored now.
    age: u64,
    /// Entries of a lower age are forgotten.
    first_age: u64,
}

impl Table {
    /// An empty table of at most `bytes`, and at least one bucket.
    ///
    /// # Errors
    /// If the machine refuses the memory.
    pub(super) fn new(bytes: usize) -> io::Result<Self> {
        Ok(Self {
            buckets: Buckets::new(bytes)?,
            age: 1,
            first_age: 1,
        })
    }

    /// Bytes that the table takes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.bytes()
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.age += 1;
        if self.age > OLD {
            self.buckets.clear();
            self.age = 1;
        }
        self.first_age = self.age;
    }

    /// Another search begins: what is known stays, but gives way first.
    pub(super) fn grow_older(&mut self) {
        self.age = (self.age + 1).min((1 << AGE_BITS) - 1);
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
        for at in 0..ENTRIES {
            let word = bucket[2 * at + 1].load(Relaxed);
            if bucket[2 * at].load(Relaxed) ^ word == key && word >> AGE_AT >= self.first_age {
                return Some(Entry::unpack(word));
            }
        }
        None
    }

    /// Keeps `entry` under `key`, in the place of what was known of the same
    /// position, or of what is least worth keeping in the bucket.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let bucket = self.buckets.of(key);
        let mut victim = 0;
        let mut cheapest = u64::MAX;
        for at in 0..ENTRIES {
            let word = bucket[2 * at + 1].load(Relaxed);
            let age = word >> AGE_AT;
            if age < self.first_age {
                if cheapest > 0 {
                    (victim, cheapest) = (at, 0);
                }
                continue;
            }
            if bucket[2 * at].load(Relaxed) ^ word == key {
                let known = Entry::unpack(word);
                if known.depth == COMPLETE && entry.depth != COMPLETE && known.bound == Bound::Exact
                {
                    return;
                }
                entry.column = entry.column.or(known.column);
                entry.estimate = entry.estimate.or(known.estimate);
                victim = at;
                break;
            }
            // Each search that passed counts as much as four plies of depth.
            let depth = word >> DEPTH_AT & ((1 << DEPTH_BITS) - 1);
            let worth = 1 + (1 << AGE_BITS) * 4 + depth - 4 * (self.age - age);
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

    fn entry(chance: &mut Chance) -> Entry {
        Entry {
            score: chance.below(60_000) as i32 - 30_000,
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][chance.below(3) as usize],
            depth: chance.below(512) as i32,
            column: (chance.below(2) == 0).then(|| chance.below(16) as u8),
            estimate: (chance.below(2) == 0).then(|| (chance.below(40_000) as i32 - 20_000) | 1),
        }
    }

    #[test]
    fn entries_survive_packing() {
        let mut chance = Chance::new(1);
        for _ in 0..10_000 {
            let entry = entry(&mut chance);
            let age = u64::from(chance.below(1 << AGE_BITS));
            let word = entry.pack(age);
            assert_eq!(Entry::unpack(word), entry);
            assert_eq!(word >> AGE_AT, age);
        }
    }

    #[test]
    fn a_table_that_has_forgotten_is_as_a_new_one() {
        let mut used = Table::new(1 << 12).unwrap();
        let mut chance = Chance::new(2);
        for _ in 0..1000 {
            used.store(chance.draw(), entry(&mut chance));
        }
        used.forget();
        let fresh = Table::new(1 << 12).unwrap();
        let keys: Vec<u64> = (0..1000).map(|_| chance.draw()).collect();
        assert!(keys.iter().all(|&key| used.probe(key).is_none()));
        for &key in &keys {
            let entry = entry(&mut chance);
            used.store(key, entry);
            fresh.store(key, entry);
        }
        for &key in &keys {
            assert_eq!(used.probe(key), fresh.probe(key));
        }
        assert!(
            keys.iter()
                .filter(|&&key| used.probe(key).is_some())
                .count()
                > 200
        );
    }

    #[test]
    fn old_and_shallow_entries_give_way_first() {
        let mut table = Table::new(0).unwrap();
        let of = |depth| Entry {
            score: 1,
            bound: Bound::Exact,
            depth,
            column: None,
            estimate: None,
        };
        table.store(1, of(9));
        table.grow_older();
        table.grow_older();
        for (key, depth) in [(2, 2), (3, 3), (4, 4), (5, 5)] {
            table.store(key, of(depth));
        }
        assert_eq!(table.probe(1), None, "nine plies two searches ago");
        table.store(6, of(1));
        assert_eq!(table.probe(2), None);
        for key in [3, 4, 5, 6] {
            assert!(table.probe(key).is_some());
        }
    }

    #[test]
    fn the_oldest_age_begins_anew() {
        let mut table = Table::new(0).unwrap();
        let mut chance = Chance::new(3);
        for _ in 0..3 * OLD {
            let entry = Entry {
                bound: Bound::Exact,
                ..entry(&mut chance)
            };
            table.store(7, entry);
            assert_eq!(table.probe(7), Some(entry));
            table.forget();
            assert_eq!(table.probe(7), None);
        }
    }
}
