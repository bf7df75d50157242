//! Which nodes the solver's threads are searching right now.
//!
//! A thread that finds a node taken turns to another child first and comes
//! back later, when the table most likely has the answer. Marks are hints: a
//! lost or stale one costs time, never a result.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Enough that two nodes rarely share a place.
const PLACES: usize = 1 << 12;

/// Keys of nodes in work; 0 marks a free place.
pub(super) struct Busy(Box<[AtomicU64]>);

impl Busy {
    /// Nothing in work.
    pub(super) fn new() -> Self {
        Self((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % PLACES]
    }

    /// Whether some thread works on `key`.
    pub(super) fn contains(&self, key: u64) -> bool {
        self.place(key).load(Relaxed) == key
    }

    /// Notes that a thread starts to work on `key`.
    pub(super) fn enter(&self, key: u64) {
        self.place(key).store(key, Relaxed);
    }

    /// Notes that it stopped.
    pub(super) fn leave(&self, key: u64) {
        if self.contains(key) {
            self.place(key).store(0, Relaxed);
        }
    }
}
