//! Camps: nodes where several simulations in a row start.
//!
//! A node with thousands of visits would be left and found again by one
//! simulation after the other, each writing to all nodes on the way. Instead a
//! simulation makes camp at every such node on its way down; from the last
//! camp as many simulations follow as a small share of its visits allows, and
//! what they found is added to the node once, when they are done. So nodes near
//! the root, which all workers read, are seldom written.
//!
//! Between two expeditions no camp stands, and every node has its visits.

use super::game::Game;
use super::simulate::{Search, Simulated, Worker};
use super::tree::ROOT;

/// How much longer rows are where several workers share the tree.
const LONGER_ROWS: u32 = 4;

/// What starts at a node, and what it has brought so far.
pub(super) struct Camp<S> {
    /// The position there.
    pub(super) state: S,
    /// Simulations that are still to come.
    left: u64,
    /// Simulations that came back.
    made: u64,
    /// Visits that they brought, and half points of the side that moved to the node.
    found: (u64, u64),
    /// Visits that the node counts in advance, without points, so that other workers look
    /// elsewhere meanwhile.
    counted: u64,
}

impl<S> Camp<S> {
    /// Counts simulations that came back.
    pub(super) fn count(&mut self, simulations: u64) {
        self.left -= simulations;
        self.made += simulations;
    }

    /// Adds visits and half points to what is found.
    pub(super) fn find(&mut self, visits: u64, half_points: u64) {
        self.found.0 += visits;
        self.found.1 += half_points;
    }
}

/// What became of an expedition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Expedition {
    /// Simulations that were made, at least one unless the tree is full.
    pub(crate) made: u64,
    /// Visits that the root got: theirs, and what opinions count as.
    pub(crate) visits: u64,
    /// Whether the tree has no room left.
    pub(crate) full: bool,
}

impl<G: Game> Worker<G> {
    /// The camp that the next simulation starts from.
    #[inline(always)]
    pub(super) fn last_camp(&mut self) -> &mut Camp<G::State> {
        let last = self.camps.len() - 1;
        &mut self.camps[last]
    }
}

impl<G: Game> Search<'_, G> {
    /// Simulations in a row, `most` or fewer. `SHARED`: other workers are at the same tree.
    pub(crate) fn explore<const SHARED: bool>(
        &self,
        worker: &mut Worker<G>,
        most: u64,
    ) -> Expedition {
        worker.path.clear();
        worker.path.push(ROOT);
        let visits = self.tree.node(ROOT).visits();
        let row = self.row::<SHARED>(visits).min(most);
        self.pitch::<SHARED>(worker, self.root, row);
        loop {
            let full = self.simulate::<SHARED>(worker) == Simulated::Full;
            while full || self.is_done(worker) {
                if let Some((made, visits)) = self.strike::<SHARED>(worker) {
                    return Expedition { made, visits, full };
                }
            }
        }
    }

    /// Makes camp at the last node of the path if it has the visits for it.
    #[inline(always)]
    pub(super) fn make_camp<const SHARED: bool>(
        &self,
        worker: &mut Worker<G>,
        state: &G::State,
    ) -> bool {
        let at = worker.path[worker.path.len() - 1];
        let row = self.row::<SHARED>(self.tree.node(at).visits());
        let row = row.min(worker.last_camp().left);
        if row > 1 {
            self.pitch::<SHARED>(worker, state, row);
        }
        row > 1
    }

    /// How many simulations in a row start at a node of so many visits.
    #[inline(always)]
    fn row<const SHARED: bool>(&self, visits: u32) -> u64 {
        let visits_each = match SHARED {
            // The longer the rows, the less often workers wait for each other's nodes.
            true => self.params.camp.div_ceil(LONGER_ROWS),
            false => self.params.camp,
        };
        let row = visits.checked_div(visits_each).unwrap_or(1);
        row.max(1).into()
    }

    /// Makes camp at the last node of the path, for `left` simulations.
    fn pitch<const SHARED: bool>(&self, worker: &mut Worker<G>, state: &G::State, left: u64) {
        let counted = if SHARED { left } else { 0 };
        if SHARED {
            let node = self.tree.node(worker.path[worker.camps.len()]);
            node.add::<true>(counted, 0);
        }
        worker.camps.push(Camp {
            state: state.clone(),
            left,
            made: 0,
            found: (0, 0),
            counted,
        });
    }

    /// Whether nothing more is to come from the last camp.
    #[inline(always)]
    fn is_done(&self, worker: &mut Worker<G>) -> bool {
        let at = worker.path[worker.path.len() - 1];
        worker.last_camp().left == 0 || self.params.proofs && self.tree.node(at).is_proven()
    }

    /// Strikes the last camp, and tells the one above or returns how many simulations and visits
    /// there were.
    fn strike<const SHARED: bool>(&self, worker: &mut Worker<G>) -> Option<(u64, u64)> {
        let camp = worker.camps.pop()?;
        let at = worker.path[worker.camps.len()];
        worker.path.truncate(worker.camps.len());
        let (visits, half_points) = camp.found;
        if SHARED {
            self.tree.node(at).settle(camp.found, camp.counted);
        } else {
            self.tree.node(at).add::<false>(visits, half_points);
        }
        if worker.camps.is_empty() {
            return Some((camp.made, visits));
        }
        let above = self.a_ply_before(visits, half_points);
        let next = worker.last_camp();
        next.count(camp.made);
        next.find(visits, above);
        None
    }
}

#[cfg(test)]
mod tests;
