//! Which node has the children of a position, so that another node of the same position shares them.
//!
//! Stones fall into the same places by many orders of moves: what a simulation
//! learns below one of them holds below all. An entry is bound to the tree as it
//! is now; when nodes move, all entries are forgotten at once.

use crate::buckets::Buckets;
use std::sync::atomic::Ordering::Relaxed;

/// Positions by key, each with the index of its node.
pub(super) struct Twins {
    entries: Buckets<2>,
    /// Entries of other generations say nothing.
    generation: u32,
}

impl Twins {
    /// Room for entries of at most so many bytes; `None` if the machine refuses them.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let entries = Buckets::new(bytes).ok()?;
        // A search asks before it tells: a page that is read first is handed out a second
        // time when it is written, and that interrupts every other thread of the search.
        entries.touch();
        Some(Self {
            entries,
            generation: 1,
        })
    }

    /// Whether there is room of as many bytes, and not more.
    pub(super) fn has_room_of(&self, bytes: usize) -> bool {
        Buckets::<2>::bytes_of(bytes) == self.bytes()
    }

    /// Bytes that the entries take.
    pub(super) fn bytes(&self) -> usize {
        self.entries.bytes()
    }

    /// Forgets all entries.
    pub(super) fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.clear();
            self.generation = 1;
        }
    }

    /// Asks the machine to bring the entry of a key closer.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.entries.prefetch(key);
    }

    /// The node of the position with this key.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        let [check, place] = self.entries.of(key);
        let place = place.load(Relaxed);
        // Both words are of one writer only if they agree.
        let found = check.load(Relaxed) == key ^ place && (place >> 32) as u32 == self.generation;
        found.then_some(place as u32)
    }

    /// Keeps the node of the position with this key, in place of another position's.
    #[inline]
    pub(super) fn keep(&self, key: u64, node: u32) {
        let new = u64::from(self.generation) << 32 | u64::from(node);
        let [check, place] = self.entries.of(key);
        place.store(new, Relaxed);
        check.store(key ^ new, Relaxed);
    }
}

impl std::fmt::Debug for Twins {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} bytes of twins", self.bytes())
    }
}
