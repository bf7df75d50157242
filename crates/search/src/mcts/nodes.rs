//! The memory of the tree: room for all its nodes, handed out by the system page by page.

use super::tree::Node;
use memmap2::{MmapMut, MmapRaw};
use std::ops::{Deref, DerefMut};

/// An array of nodes that takes memory only where it was written.
pub(super) struct Nodes {
    memory: MmapRaw,
    count: usize,
}

impl Nodes {
    /// Room for `count` nodes, all zero, or for fewer if the system refuses so many.
    ///
    /// # Panics
    /// If the system has not even room for one.
    pub(super) fn new(count: usize) -> Self {
        let mut count = count.max(1);
        let memory = loop {
            match MmapMut::map_anon(count * size_of::<Node>()) {
                Ok(memory) => break memory,
                Err(_) if count > 1 => count /= 2,
                Err(error) => panic!("no memory for a single node: {error}"),
            }
        };
        // A simulation touches a page at every ply: large ones are found faster. The system
        // may refuse them, and then everything still works.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Self {
            memory: memory.into(),
            count,
        }
    }
}

impl Deref for Nodes {
    type Target = [Node];

    #[inline(always)]
    fn deref(&self) -> &[Node] {
        #[allow(unsafe_code)]
        // SAFETY: the memory is a page-aligned, zeroed private map of `count` nodes that
        // lives as long as `self`; a node is atomics alone, of which zero is a valid value.
        unsafe {
            std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count)
        }
    }
}

impl DerefMut for Nodes {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Node] {
        #[allow(unsafe_code)]
        // SAFETY: as above, and nobody else has the map.
        unsafe {
            std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.count)
        }
    }
}

impl std::fmt::Debug for Nodes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} nodes", self.count)
    }
}
