//! The tree: small nodes in one array, by index, under a hard bound.
//!
//! Siblings lie side by side and are made together. New blocks go to the end
//! of the array, so a parent always lies before its children; nothing is freed
//! until [`Tree::collect`] slides the living blocks together in one pass.
//! Workers share the tree through atomics; whoever holds it exclusively may
//! move the root or collect.

use super::nodes::Nodes;
use crate::buckets::prefetch;
use crate::value::Value;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// A move and what is known of the position after it.
///
/// The state of 24 bytes: visits and half points (8), first child (4), parent
/// (4), move (2), prior (2), proof (2), number of siblings (2).
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// Whether a value is proven, in bit 63; visits from bit 32 on; below, half points of
    /// the side that made the move.
    tally: AtomicU64,
    /// Index of the first child; 0 is none, for the root is nobody's child.
    children: AtomicU32,
    /// Index of the parent, kept in the first of each block of siblings.
    parent: AtomicU32,
    cell: AtomicU16,
    /// What was expected of the move among its siblings, in 65535ths.
    prior: AtomicU16,
    /// The proven value to the side to move after the move, packed.
    proof: AtomicU16,
    /// Length of the block, kept in its first node.
    sibling_count: AtomicU16,
}

const _: () = assert!(size_of::<Node>() == 24);

/// `children` while a worker is making them.
const BUSY: u32 = u32::MAX;
/// `parent` of a block that nothing leads to any more.
const DEAD: u32 = u32::MAX;
/// The root's index.
pub(crate) const ROOT: u32 = 0;

const VISIT: u64 = 1 << 32;
const PROVEN: u64 = 1 << 63;
const RELAXED: Ordering = Ordering::Relaxed;

impl Node {
    fn new(cell: u16) -> Self {
        Self {
            cell: AtomicU16::new(cell),
            ..Self::default()
        }
    }

    /// Visits, and half points of the side that made the move.
    #[inline(always)]
    pub(crate) fn tally(&self) -> (u32, u32) {
        let tally = self.raw_tally() & !PROVEN;
        ((tally >> 32) as u32, tally as u32)
    }

    /// Bit 63: whether a value is proven; visits from bit 32 on; below, half points.
    #[inline(always)]
    pub(crate) fn raw_tally(&self) -> u64 {
        self.tally.load(RELAXED)
    }

    /// How often a simulation came through.
    #[inline(always)]
    pub(crate) fn visits(&self) -> u32 {
        self.tally().0
    }

    /// Adds visits and half points; `SHARED`: so that no addition of another worker is lost.
    #[inline(always)]
    pub(crate) fn add<const SHARED: bool>(&self, visits: u64, half_points: u64) {
        let sum = visits * VISIT + half_points;
        if SHARED {
            self.tally.fetch_add(sum, RELAXED);
        } else {
            // A plain addition is several times faster than a locked one.
            let tally = self.tally.load(RELAXED);
            self.tally.store(tally.wrapping_add(sum), RELAXED);
        }
    }

    /// Takes back a visit that was counted on the way down.
    pub(crate) fn take_back_visit(&self) {
        self.tally.fetch_sub(VISIT, RELAXED);
    }

    /// The bit of the cell that was played to come here.
    #[inline(always)]
    pub(crate) fn cell(&self) -> u16 {
        self.cell.load(RELAXED)
    }

    /// What was expected of the move before it was tried, as a share of its siblings together.
    #[inline(always)]
    pub(crate) fn prior(&self) -> f32 {
        f32::from(self.prior.load(RELAXED)) * (1.0 / f32::from(u16::MAX))
    }

    /// The proven value to the side to move, if there is one.
    #[inline(always)]
    pub(crate) fn proof(&self) -> Option<Value> {
        Value::unpack(self.proof.load(RELAXED))
    }

    /// Whether a value is proven.
    #[inline(always)]
    pub(crate) fn is_proven(&self) -> bool {
        self.raw_tally() & PROVEN != 0
    }

    /// Records a proof.
    pub(crate) fn prove(&self, value: Value) {
        self.proof.store(value.pack(), RELAXED);
        self.tally.fetch_or(PROVEN, RELAXED);
    }

    /// What the move is worth to the side that made it; nothing is known without a visit.
    pub(crate) fn move_value(&self) -> Option<Value> {
        if let Some(proof) = self.proof() {
            return Some(proof.one_ply_before());
        }
        let (visits, half_points) = self.tally();
        (visits > 0).then(|| Value::Guess(half_points as f32 / (2.0 * visits as f32)))
    }
}

/// What became of an attempt to make children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Growth {
    /// They are there.
    Grown,
    /// Another worker is making them.
    Busy,
    /// There is no room.
    Full,
}

/// Nodes in an array; the root is the first.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Nodes,
    used: AtomicUsize,
    /// Nodes in use at most, of those that there is room for.
    most_nodes: usize,
    /// Most nodes that were ever in use: so many take memory.
    reached: usize,
}

/// Nodes that are surely on the next line of the cache.
const NODES_OF_A_LINE: usize = 64 / size_of::<Node>();
/// Nodes that are brought closer together: the moves of most boards.
const PREFETCHED: usize = 12;

/// Fewest nodes of any tree: enough for the root and its moves on every board.
const FEWEST: usize = 1 << 10;

/// How many nodes so much memory holds.
fn nodes_of(memory_bytes: usize) -> usize {
    (memory_bytes / size_of::<Node>()).clamp(FEWEST, DEAD as usize - 1)
}

impl Tree {
    /// A tree of a root without children.
    pub(crate) fn new(memory_bytes: usize) -> Self {
        let most_nodes = nodes_of(memory_bytes);
        let nodes = Nodes::new(most_nodes);
        nodes[0].sibling_count.store(1, RELAXED);
        Self {
            used: AtomicUsize::new(1),
            most_nodes: most_nodes.min(nodes.len()),
            nodes,
            reached: 1,
        }
    }

    /// Keeps to another bound from now on; what is beyond it is collected before more is made.
    pub(crate) fn bound(&mut self, memory_bytes: usize) {
        let most_nodes = nodes_of(memory_bytes);
        if most_nodes > self.nodes.len() {
            let used = *self.used.get_mut();
            let mut nodes = Nodes::new(most_nodes);
            if nodes.len() > self.nodes.len() {
                nodes[..used].swap_with_slice(&mut self.nodes[..used]);
                self.nodes = nodes;
            }
        }
        self.most_nodes = most_nodes.min(self.nodes.len());
    }

    /// Starts again with a root alone.
    pub(crate) fn clear(&mut self) {
        self.note_reached();
        self.nodes[0] = Node::new(0);
        self.nodes[0].sibling_count = AtomicU16::new(1);
        self.used = AtomicUsize::new(1);
    }

    fn note_reached(&mut self) {
        self.reached = self.reached.max(*self.used.get_mut());
    }

    /// The node at an index.
    #[inline(always)]
    pub(crate) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    /// The children of a node and the index of the first; empty while there are none.
    #[inline(always)]
    pub(crate) fn children(&self, node: &Node) -> (u32, &[Node]) {
        // Acquire: the block was written before its index.
        let first = node.children.load(Ordering::Acquire);
        if first == 0 || first == BUSY {
            return (0, &[]);
        }
        let block = &self.nodes[first as usize..];
        let count = usize::from(block[0].sibling_count.load(RELAXED));
        (first, &block[..count])
    }

    /// Asks the machine to bring the children of a node closer.
    #[inline(always)]
    pub(crate) fn prefetch_children(&self, node: &Node) {
        let first = node.children.load(RELAXED) as usize;
        if let Some(block) = self.nodes.get(first..first + PREFETCHED) {
            for node in block.iter().step_by(NODES_OF_A_LINE) {
                prefetch(node);
            }
        }
    }

    /// Makes a child of the node at `parent` for each of `cells`.
    ///
    /// `shares`: what is expected of each; none where nobody asks for it.
    pub(crate) fn expand(&self, parent: u32, cells: &[u16], shares: &[f32]) -> Growth {
        let node = self.node(parent);
        if node
            .children
            .compare_exchange(0, BUSY, RELAXED, RELAXED)
            .is_err()
        {
            return Growth::Busy;
        }
        let first = self.used.fetch_add(cells.len(), RELAXED);
        let end = first + cells.len();
        if end > self.most_nodes {
            self.used.fetch_sub(cells.len(), RELAXED);
            node.children.store(0, RELAXED);
            return Growth::Full;
        }
        for (child, &cell) in self.nodes[first..end].iter().zip(cells) {
            child.tally.store(0, RELAXED);
            child.children.store(0, RELAXED);
            child.cell.store(cell, RELAXED);
            child.proof.store(0, RELAXED);
        }
        for (child, &share) in self.nodes[first..end].iter().zip(shares) {
            let prior = (share * f32::from(u16::MAX)) as u16;
            child.prior.store(prior, RELAXED);
        }
        let head = &self.nodes[first];
        head.parent.store(parent, RELAXED);
        head.sibling_count.store(cells.len() as u16, RELAXED);
        node.children.store(first as u32, Ordering::Release);
        Growth::Grown
    }

    /// Nodes in use, those that nothing leads to included.
    pub(crate) fn used(&self) -> usize {
        self.used.load(RELAXED)
    }

    /// Bytes that were written.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.reached.max(self.used()) * size_of::<Node>()
    }

    /// Makes the node at `at` the root. What no longer hangs on it is garbage.
    pub(crate) fn move_root(&mut self, at: u32) {
        if at == ROOT {
            return;
        }
        let abandoned = *self.nodes[0].children.get_mut();
        if abandoned != 0 {
            *self.nodes[abandoned as usize].parent.get_mut() = DEAD;
        }
        let mut root = std::mem::replace(&mut self.nodes[at as usize], Node::new(0));
        // What the replaced node said of its block still holds.
        *self.nodes[at as usize].parent.get_mut() = *root.parent.get_mut();
        *self.nodes[at as usize].sibling_count.get_mut() = *root.sibling_count.get_mut();
        *root.sibling_count.get_mut() = 1;
        let children = *root.children.get_mut();
        if children != 0 {
            *self.nodes[children as usize].parent.get_mut() = ROOT;
        }
        self.nodes[0] = root;
    }

    /// Drops what nothing leads to and the children of all nodes with fewer
    /// visits than `fewest_visits`, the root's excepted; the rest moves together.
    pub(crate) fn collect(&mut self, fewest_visits: u32) {
        self.note_reached();
        let used = *self.used.get_mut();
        let mut kept = 0;
        let mut at = 0;
        while at < used {
            let length = usize::from(*self.nodes[at].sibling_count.get_mut());
            let parent = *self.nodes[at].parent.get_mut();
            let lives = at == 0 || parent != DEAD;
            if lives && at != 0 {
                *self.nodes[parent as usize].children.get_mut() = kept as u32;
            }
            for from in at..at + length {
                let children = *self.nodes[from].children.get_mut();
                let keeps = lives && (from == 0 || self.nodes[from].visits() >= fewest_visits);
                let to = kept + from - at;
                if children != 0 {
                    let parent = self.nodes[children as usize].parent.get_mut();
                    *parent = if keeps { to as u32 } else { DEAD };
                    if !keeps {
                        *self.nodes[from].children.get_mut() = 0;
                    }
                }
                if lives {
                    self.nodes.swap(from, to);
                }
            }
            if lives {
                kept += length;
            }
            at += length;
        }
        self.used = AtomicUsize::new(kept);
    }

    /// Makes room: garbage goes first, then the children of the least visited,
    /// until at most half of the bound is in use.
    pub(crate) fn recycle(&mut self) {
        self.collect(0);
        let goal = self.most_nodes / 2;
        if *self.used.get_mut() > goal {
            let fewest = self.visits_to_keep(goal);
            self.collect(fewest);
        }
    }

    /// Fewest visits, a power of two, such that children of nodes with as many fill at most `goal`.
    fn visits_to_keep(&mut self, goal: usize) -> u32 {
        let used = *self.used.get_mut();
        let mut by_magnitude = [0; 32];
        for node in &self.nodes[..used] {
            let magnitude = node.visits().max(1).ilog2();
            let (_, children) = self.children(node);
            by_magnitude[magnitude as usize] += children.len();
        }
        let mut kept = used;
        for (magnitude, nodes) in by_magnitude.into_iter().enumerate() {
            if kept <= goal {
                return 1 << magnitude;
            }
            kept -= nodes;
        }
        u32::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::Chance;

    /// A tree of random shape, each node with as many visits as its subtree has nodes.
    fn random_tree(seed: u64, nodes: usize) -> Tree {
        let tree = Tree::new(nodes * size_of::<Node>());
        let mut chance = Chance::new(seed);
        let mut cell = 0;
        loop {
            let mut path = vec![ROOT];
            loop {
                let (first, children) = tree.children(tree.node(path[path.len() - 1]));
                if children.is_empty() {
                    break;
                }
                path.push(first + chance.below(children.len() as u32));
            }
            let cells: Vec<u16> = (0..1 + chance.below(12))
                .map(|at| cell + at as u16)
                .collect();
            cell = (cell + 20) % 60_000;
            let grown = tree.expand(path[path.len() - 1], &cells, &[]);
            for &at in &path {
                tree.node(at).add::<false>(1, u64::from(at % 3));
            }
            if grown == Growth::Full {
                return tree;
            }
        }
    }

    /// Moves, tallies and shape below a node, as far as its visits reach `fewest`.
    fn shape(tree: &Tree, node: &Node, is_root: bool, fewest: u32) -> String {
        let (_, children) = tree.children(node);
        let below: String = if is_root || node.visits() >= fewest {
            children
                .iter()
                .map(|child| shape(tree, child, false, fewest))
                .collect()
        } else {
            String::new()
        };
        format!("{} {:?} [{below}]", node.cell(), node.tally())
    }

    fn assert_linked(tree: &Tree) {
        let mut at = 0;
        while at < tree.used() {
            let node = &tree.nodes[at];
            if at > 0 {
                let (first, _) = tree.children(tree.node(node.parent.load(RELAXED)));
                assert_eq!(first as usize, at, "the parent knows its children");
            }
            at += usize::from(node.sibling_count.load(RELAXED));
        }
        assert_eq!(at, tree.used());
    }

    #[test]
    fn collecting_keeps_what_is_visited_and_nothing_else() {
        for seed in 0..30 {
            for fewest in [0, 1, 2, 5, 20] {
                let mut tree = random_tree(seed, 5000);
                let expected = shape(&tree, tree.node(ROOT), true, fewest);
                tree.collect(fewest);
                assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
                assert_linked(&tree);
            }
        }
    }

    #[test]
    fn a_moved_root_keeps_its_subtree_alone() {
        for seed in 0..100 {
            let mut tree = random_tree(seed, 3000);
            let mut chance = Chance::new(seed);
            for _ in 0..3 {
                let (first, children) = tree.children(tree.node(ROOT));
                if children.is_empty() {
                    break;
                }
                let to = first + chance.below(children.len() as u32);
                let expected = shape(&tree, tree.node(to), true, 0);
                tree.move_root(to);
                assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
                if chance.below(2) == 0 {
                    tree.collect(0);
                    assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
                    assert_linked(&tree);
                }
            }
        }
    }

    #[test]
    fn recycling_makes_room_for_half() {
        for seed in 0..20 {
            let mut tree = random_tree(seed, 4000);
            tree.recycle();
            assert!(tree.used() <= 2000, "{}", tree.used());
            assert!(!tree.children(tree.node(ROOT)).1.is_empty());
            assert_linked(&tree);
        }
    }
}
