//! Where a worker makes its nodes: a stretch of the array that is its alone.
//!
//! One counter of nodes for all workers would be wanted by each at every
//! simulation, and a word that two cores write by turns costs as much as a
//! short rollout. So a worker takes room for many nodes at once. What it
//! leaves over becomes a block that nothing leads to, which keeps the array a
//! row of blocks.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Nodes that each of several workers takes at once: some 400 kB, so that two of them seldom
/// come to a new page of the system at once, which then would be made ready twice.
const STEP: usize = 1 << 14;
/// Plots that a tree has room for, so that a small one is not full of what is left over.
const FEWEST_PLOTS: usize = 1 << 6;

/// A stretch of the array, from `next` on.
#[derive(Debug, Default)]
pub(crate) struct Plot {
    pub(super) next: usize,
    pub(super) end: usize,
}

impl Plot {
    /// The nodes that are still free.
    pub(super) fn left(&self) -> usize {
        self.end - self.next
    }

    /// The first of `count` nodes, if there is room for them.
    #[inline(always)]
    pub(super) fn take(&mut self, count: usize) -> Option<usize> {
        let first = self.next;
        let fits = self.left() >= count;
        if fits {
            self.next += count;
        }
        fits.then_some(first)
    }
}

/// How much of the array is taken, on lines of the cache that nothing else is on.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Taken(AtomicUsize);

impl Taken {
    pub(super) fn new(count: usize) -> Self {
        Self(AtomicUsize::new(count))
    }

    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// A new plot of at least `count` of `most` nodes, larger if `shared` with other workers;
    /// `None` if there is no room.
    #[inline(always)]
    pub(super) fn plot(&self, count: usize, most: usize, shared: bool) -> Option<Plot> {
        let step = match shared {
            true => STEP.min(most / FEWEST_PLOTS).max(count),
            false => count,
        };
        let mut taken = self.count();
        loop {
            let left = most.saturating_sub(taken);
            if left < count {
                return None;
            }
            let end = taken + step.min(left);
            match self.replace(taken, end) {
                Ok(next) => return Some(Plot { next, end }),
                Err(now) => taken = now,
            }
        }
    }

    /// Takes back what is left of a plot; `false` if others have taken what lies behind it.
    pub(super) fn take_back(&self, plot: &Plot) -> bool {
        self.replace(plot.end, plot.next).is_ok()
    }

    #[inline(always)]
    fn replace(&self, taken: usize, by: usize) -> Result<usize, usize> {
        self.0
            .compare_exchange(taken, by, Ordering::Relaxed, Ordering::Relaxed)
    }
}
