//! The tree: small nodes in one array, by index, under a hard bound.
//!
//! Siblings lie side by side and are made together, at the end of the array.
//! Several nodes of one position may lead to the same siblings, so the tree is
//! a graph without cycles. Nothing is freed until [`Tree::recycle`] slides
//! together what the root still leads to and is visited most. Workers share the tree through
//! atomics; whoever holds it exclusively may move the root or collect.

use super::nodes::Nodes;
use super::plot::{Plot, Taken};
use super::twins::Twins;
use crate::buckets::prefetch;
use crate::value::Value;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A move and what is known of the position after it.
///
/// The state of 24 bytes: visits and half points (8), first child (4), note of
/// the collector (4), move (2), prior (2), proof (2), number of siblings (2).
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// Whether a value is proven, in bit 63; visits from bit 32 on; below, half points of
    /// the side that made the move.
    tally: AtomicU64,
    /// Index of the first child; 0 is none, for the root is nobody's child.
    children: AtomicU32,
    /// In the first of each block of siblings, while room is made: what becomes of the block.
    note: AtomicU32,
    cell: AtomicU16,
    /// What was expected of the move among its siblings, in 65535ths, and whether it is [`JUDGED`].
    prior: AtomicU16,
    /// The proven value to the side to move after the move, packed.
    proof: AtomicU16,
    /// Length of the block, kept in its first node, and whether the block is [`SETTLED`].
    sibling_count: AtomicU16,
}

const _: () = assert!(size_of::<Node>() == 24);

/// `children` while a worker is making them.
const BUSY: u32 = u32::MAX;
/// In `sibling_count`: the proofs in the block decide every node that leads to it.
const SETTLED: u16 = 1 << 15;
/// In `prior`: the network was asked about the node.
const JUDGED: u16 = 1;
/// Powers of two that visits come in.
const MAGNITUDES: usize = 32;
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

    /// Adds the visits and half points that were found, of which `counted` visits are there already.
    pub(crate) fn settle(&self, found: (u64, u64), counted: u64) {
        let sum = found.0 * VISIT + found.1;
        self.tally
            .fetch_add(sum.wrapping_sub(counted * VISIT), RELAXED);
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

    /// Whether the network was asked about the node.
    #[inline(always)]
    pub(crate) fn is_judged(&self) -> bool {
        self.prior.load(RELAXED) & JUDGED != 0
    }

    /// Notes that the network is asked about the node; `false` if it was noted before.
    pub(crate) fn mark_judged(&self) -> bool {
        self.prior.fetch_or(JUDGED, RELAXED) & JUDGED == 0
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

    /// Forgets a proof.
    pub(crate) fn take_back_proof(&self) {
        self.proof.store(0, RELAXED);
        self.tally.fetch_and(!PROVEN, RELAXED);
    }

    /// Keeps other workers from giving the node children; `false` if it has some, or another does.
    fn claim_children(&self) -> bool {
        self.children
            .compare_exchange(0, BUSY, RELAXED, RELAXED)
            .is_ok()
    }

    /// The length of the block that begins with this node.
    #[inline(always)]
    fn siblings(&self) -> usize {
        usize::from(self.sibling_count.load(RELAXED) & !SETTLED)
    }

    /// Whether proofs in the block that begins with this node decide all nodes that lead to it.
    #[inline(always)]
    pub(crate) fn begins_settled_block(&self) -> bool {
        self.sibling_count.load(RELAXED) & SETTLED != 0
    }

    /// Tells all that come to the block that begins with this node that it decides them.
    pub(crate) fn settle_block(&self) {
        self.sibling_count.fetch_or(SETTLED, RELAXED);
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
    /// Nodes in use, those in the workers' plots included.
    used: Taken,
    /// Nodes in use at most, of those that there is room for.
    most_nodes: usize,
    /// Most nodes that were ever in use: so many take memory.
    reached: usize,
    /// Which positions have children; `None` where none are shared.
    twins: Option<Twins>,
}

/// Nodes that are surely on the next line of the cache.
const NODES_OF_A_LINE: usize = 64 / size_of::<Node>();
/// Nodes that are brought closer together: the moves of most boards.
const PREFETCHED: usize = 12;

/// Fewest nodes of any tree: enough for the root and its moves on every board.
const FEWEST: usize = 1 << 10;

/// How many nodes so much memory holds.
fn nodes_of(memory_bytes: usize) -> usize {
    (memory_bytes / size_of::<Node>()).clamp(FEWEST, BUSY as usize - 1)
}

impl Tree {
    /// A tree of a root without children.
    pub(crate) fn new(memory_bytes: usize) -> Self {
        let most_nodes = nodes_of(memory_bytes);
        let nodes = Nodes::new(most_nodes);
        nodes[0].sibling_count.store(1, RELAXED);
        Self {
            used: Taken::new(1),
            most_nodes: most_nodes.min(nodes.len()),
            nodes,
            reached: 1,
            twins: None,
        }
    }

    /// Keeps to another bound from now on, of which `twin_bytes` are for telling positions
    /// that are there already; what is beyond it is collected before more is made.
    pub(crate) fn bound(&mut self, memory_bytes: usize, twin_bytes: usize) {
        let most_nodes = nodes_of(memory_bytes - twin_bytes);
        match &self.twins {
            _ if twin_bytes == 0 => self.twins = None,
            Some(twins) if twins.has_room_of(twin_bytes) => {}
            _ => self.twins = Twins::new(twin_bytes),
        }
        if most_nodes > self.nodes.len() {
            let used = self.used();
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
        self.used = Taken::new(1);
        self.forget_twins();
    }

    /// Forgets which positions are there, since their nodes are no longer where they were.
    fn forget_twins(&mut self) {
        if let Some(twins) = &mut self.twins {
            twins.forget();
        }
    }

    fn note_reached(&mut self) {
        self.reached = self.reached.max(self.used());
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
        (first, &block[..block[0].siblings()])
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

    /// Makes a child of the node at `parent` for each of `cells`, on the worker's `plot`.
    ///
    /// `shares`: what is expected of each; none where nobody asks for it. `SHARED`: other
    /// workers make nodes too.
    pub(crate) fn expand<const SHARED: bool>(
        &self,
        plot: &mut Plot,
        parent: u32,
        cells: &[u16],
        shares: &[f32],
    ) -> Growth {
        let node = self.node(parent);
        if !node.claim_children() {
            return Growth::Busy;
        }
        let Some(first) = self.room::<SHARED>(plot, cells.len()) else {
            node.children.store(0, RELAXED);
            return Growth::Full;
        };
        let end = first + cells.len();
        for (child, &cell) in self.nodes[first..end].iter().zip(cells) {
            child.tally.store(0, RELAXED);
            child.children.store(0, RELAXED);
            child.cell.store(cell, RELAXED);
            child.proof.store(0, RELAXED);
            child.prior.store(0, RELAXED);
        }
        for (child, &share) in self.nodes[first..end].iter().zip(shares) {
            let prior = (share * f32::from(u16::MAX)) as u16;
            child.prior.store(prior & !JUDGED, RELAXED);
        }
        let head = &self.nodes[first];
        head.sibling_count.store(cells.len() as u16, RELAXED);
        node.children.store(first as u32, Ordering::Release);
        Growth::Grown
    }

    /// The first of `count` free nodes of a plot, or of a new one if it has no room for them.
    #[inline(always)]
    fn room<const SHARED: bool>(&self, plot: &mut Plot, count: usize) -> Option<usize> {
        plot.take(count).or_else(|| {
            self.leave(std::mem::take(plot));
            *plot = self.used.plot(count, self.most_nodes, SHARED)?;
            plot.take(count)
        })
    }

    /// Gives back what is left of a plot; until then nobody may walk from block to block.
    pub(crate) fn leave(&self, plot: Plot) {
        if plot.left() == 0 || self.used.take_back(&plot) {
            return;
        }
        let rest = &self.nodes[plot.next..plot.end];
        for node in rest {
            node.children.store(0, RELAXED);
        }
        rest[0].sibling_count.store(rest.len() as u16, RELAXED);
    }

    /// Asks the machine to bring closer what is known of the position with this key.
    #[inline]
    pub(crate) fn prefetch_twin(&self, key: u64) {
        if let Some(twins) = &self.twins {
            twins.prefetch(key);
        }
    }

    /// A node of the position with this key that has children.
    #[inline]
    pub(crate) fn twin(&self, key: u64) -> Option<&Node> {
        self.twins.as_ref()?.find(key).map(|at| self.node(at))
    }

    /// Tells that the node at `at`, of the position with this key, has children.
    #[inline]
    pub(crate) fn keep_twin(&self, key: u64, at: u32) {
        if let Some(twins) = &self.twins {
            twins.keep(key, at);
        }
    }

    /// Leads a node to the children of another node of the same position; `false` if either
    /// is not ready for that.
    pub(crate) fn share_children(&self, at: u32, twin: &Node) -> bool {
        let (first, siblings) = self.children(twin);
        let node = self.node(at);
        let shares = !siblings.is_empty() && node.claim_children();
        if shares {
            node.children.store(first, Ordering::Release);
        }
        shares
    }

    /// Nodes in use, those that nothing leads to included.
    pub(crate) fn used(&self) -> usize {
        self.used.count()
    }

    /// Bytes of the nodes that were written, and of the table of positions.
    pub(crate) fn memory_bytes(&self) -> usize {
        let twins = self.twins.as_ref().map_or(0, Twins::bytes);
        self.reached.max(self.used()) * size_of::<Node>() + twins
    }

    /// Makes the node at `at` the root. What no longer hangs on it is garbage.
    pub(crate) fn move_root(&mut self, at: u32) {
        if at == ROOT {
            return;
        }
        let mut root = std::mem::replace(&mut self.nodes[at as usize], Node::new(0));
        // What the replaced node said of its block still holds.
        *self.nodes[at as usize].sibling_count.get_mut() = *root.sibling_count.get_mut();
        *root.sibling_count.get_mut() = 1;
        self.nodes[0] = root;
    }

    /// Makes room: garbage goes first, then the children of the least visited,
    /// until at most half of the bound is in use.
    pub(crate) fn recycle(&mut self) {
        let by_magnitude = self.mark_living();
        self.keep(magnitude_to_keep(by_magnitude, self.most_nodes / 2));
    }

    /// Slides together all blocks with a note of at least that magnitude.
    fn keep(&mut self, magnitude: u32) {
        self.note_reached();
        self.forget_twins();
        self.lead_to_new_places(magnitude);
        let mut kept = 0;
        self.for_each_block(|nodes, at, length| {
            if at == 0 || *nodes[at].note.get_mut() != 0 {
                for from in at..at + length {
                    nodes.swap(from, kept);
                    kept += 1;
                }
            }
        });
        self.used = Taken::new(kept);
    }

    /// Notes at each block that the root leads to one more than the magnitude of the visits
    /// that the node before it has, the most visited of several; all others have no note.
    /// How many nodes there are of each magnitude.
    fn mark_living(&mut self) -> [usize; MAGNITUDES] {
        self.for_each_block(|nodes, at, _| *nodes[at].note.get_mut() = 0);
        let mut census = Census::default();
        // Most blocks lie behind what leads to them: one walk finds them, from end to end,
        // which is many times as fast as from node to child all over the memory.
        self.for_each_block(|nodes, at, length| {
            if at != 0 && *nodes[at].note.get_mut() == 0 {
                return;
            }
            census.note_children(nodes, at, length, at);
            while let Some(block) = census.behind.pop() {
                let length = nodes[block].siblings();
                census.note_children(nodes, block, length, at);
            }
        });
        census.by_magnitude
    }

    /// Notes the new place of each block of at least that magnitude, takes the note from the
    /// others, and leads all nodes to the new places.
    fn lead_to_new_places(&mut self, magnitude: u32) {
        let mut kept = 1;
        self.for_each_block(|nodes, at, length| {
            let note = nodes[at].note.get_mut();
            if *note > magnitude {
                *note = kept;
                kept += length as u32;
            } else {
                *note = 0;
            }
        });
        self.for_each_block(|nodes, at, length| {
            if at != 0 && *nodes[at].note.get_mut() == 0 {
                return;
            }
            for from in at..at + length {
                prefetch_later_children(nodes, from);
                let children = *nodes[from].children.get_mut() as usize;
                if children != 0 {
                    let place = *nodes[children].note.get_mut();
                    *nodes[from].children.get_mut() = place;
                }
            }
        });
    }

    /// Calls `visit` with the nodes, where a block begins and its length, for all in use.
    fn for_each_block(&mut self, mut visit: impl FnMut(&mut [Node], usize, usize)) {
        let used = self.used();
        let mut at = 0;
        while at < used {
            let length = self.nodes[at].siblings();
            visit(&mut self.nodes, at, length);
            at += length;
        }
    }
}

/// How many nodes ahead of a walk memory is asked for.
const AHEAD: usize = 64;

/// Asks the machine to bring closer what the walk will want when it comes to the children of a
/// later node.
#[inline(always)]
fn prefetch_later_children(nodes: &[Node], from: usize) {
    if let Some(later) = nodes.get(from + AHEAD) {
        let children = later.children.load(RELAXED) as usize;
        if let Some(block) = nodes.get(children) {
            prefetch(block);
        }
    }
}

/// A walk through the blocks that live.
#[derive(Default)]
struct Census {
    /// How many nodes there are by the visits of the node before them.
    by_magnitude: [usize; MAGNITUDES],
    /// Blocks that live and that the walk has passed without knowing it.
    behind: Vec<usize>,
}

impl Census {
    /// Notes the children of the nodes of a living block, when the walk has come to `passed`.
    #[inline(always)]
    fn note_children(&mut self, nodes: &mut [Node], at: usize, length: usize, passed: usize) {
        for from in at..at + length {
            prefetch_later_children(nodes, from);
            let children = *nodes[from].children.get_mut() as usize;
            if children == 0 {
                continue;
            }
            // The root keeps its children whatever happens.
            let visits = if from == 0 {
                u32::MAX
            } else {
                nodes[from].visits()
            };
            let magnitude = visits.max(1).ilog2();
            let block = &mut nodes[children];
            let known = *block.note.get_mut();
            if known > magnitude {
                continue;
            }
            let length = block.siblings();
            self.by_magnitude[magnitude as usize] += length;
            match known.checked_sub(1) {
                Some(lower) => self.by_magnitude[lower as usize] -= length,
                None if children < passed => self.behind.push(children),
                None => {}
            }
            *block.note.get_mut() = magnitude + 1;
        }
    }
}

/// The least magnitude of which, and of those above, at most `goal` nodes are there.
fn magnitude_to_keep(by_magnitude: [usize; MAGNITUDES], goal: usize) -> u32 {
    let mut kept: usize = 1 + by_magnitude.iter().sum::<usize>();
    let mut magnitude = 0;
    while kept > goal && magnitude < MAGNITUDES - 1 {
        kept -= by_magnitude[magnitude];
        magnitude += 1;
    }
    magnitude as u32
}

#[cfg(test)]
mod tests;
