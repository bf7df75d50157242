//! Limits of one search thread: nodes, a deadline, a flag that asks to stop.
//!
//! Looks at the clock only when there is a deadline, and rarely then.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Nodes between two looks at the clock and the flags.
const NODES_BETWEEN_LOOKS: u64 = 1 << 12;

/// Counts nodes and says when to stop.
#[derive(Clone)]
pub(super) struct Watch<'a> {
    nodes: u64,
    /// The count at which something must be looked at.
    look_at: u64,
    most_nodes: Option<u64>,
    deadline: Option<Instant>,
    flags: [Option<&'a AtomicBool>; 2],
}

impl<'a> Watch<'a> {
    /// Stops after `most_nodes`, at `deadline`, or when one of `flags` is raised.
    pub(super) fn new(
        most_nodes: Option<u64>,
        deadline: Option<Instant>,
        flags: [Option<&'a AtomicBool>; 2],
    ) -> Self {
        let mut watch = Self {
            nodes: 0,
            look_at: 0,
            most_nodes,
            deadline,
            flags,
        };
        watch.plan();
        watch
    }

    /// How many nodes were counted.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node; `None` when the search has to stop.
    #[inline(always)]
    pub(super) fn count(&mut self) -> Option<()> {
        if self.nodes >= self.look_at {
            self.look()?;
        }
        self.nodes += 1;
        Some(())
    }

    #[cold]
    fn look(&mut self) -> Option<()> {
        let spent = self.most_nodes.is_some_and(|most| self.nodes >= most)
            || self.flags.iter().flatten().any(|flag| flag.load(Relaxed))
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline);
        if spent {
            return None;
        }
        self.plan();
        Some(())
    }

    fn plan(&mut self) {
        let next = self.nodes + NODES_BETWEEN_LOOKS;
        self.look_at = self.most_nodes.map_or(next, |most| most.min(next));
    }
}
