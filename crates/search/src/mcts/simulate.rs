//! One simulation: down the tree, a rollout, and back up with what it showed.

use super::camp::Camp;
use super::game::{Ending, Game, Outlook};
use super::history::{History, Reply};
use super::params::{LeafJudge, Order, Params, Rewards, Selection};
use super::plot::Plot;
use super::tree::{Growth, Node, ROOT, Tree};
use crate::value::Value;
use stoneline_rules::Chance;

/// What all workers of a search share.
pub(crate) struct Search<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) params: &'a Params,
    pub(crate) tree: &'a Tree,
    /// The position at the root.
    pub(crate) root: &'a G::State,
    /// Which side is to move there, 0 or 1.
    pub(crate) root_side: usize,
    /// The moves that the root has.
    pub(crate) root_moves: G::Moves,
    /// The exploration constant at this share of the board.
    pub(crate) exploration: f32,
    /// Whether leaves stay leaves when there is no room for their children.
    pub(crate) may_stay_leaf: bool,
}

/// What one worker keeps from simulation to simulation.
///
/// On lines of the cache that no other worker writes.
#[repr(align(128))]
pub(crate) struct Worker<G: Game> {
    pub(crate) chance: Chance,
    pub(super) mind: G::Mind,
    /// From the root to the node where the rollout starts.
    pub(super) path: Vec<u32>,
    /// Of the first nodes of the path, one each.
    pub(super) camps: Vec<Camp<G::State>>,
    cells: Vec<u16>,
    /// What is expected of each of them.
    shares: Vec<f32>,
    /// The moves of the path, where somebody asks for them.
    pub(super) line: Vec<u16>,
    /// Where its nodes are made.
    plot: Plot,
    /// What its simulations brought to each cell.
    pub(super) history: History,
}

impl<G: Game> Worker<G> {
    pub(crate) fn new(seed: u64, mind: G::Mind, history: History) -> Self {
        Self {
            chance: Chance::new(seed),
            mind,
            history,
            path: Vec::new(),
            camps: Vec::new(),
            cells: Vec::new(),
            shares: Vec::new(),
            line: Vec::new(),
            plot: Plot::default(),
        }
    }

    /// Leaves the tree to others: it is a row of blocks again.
    pub(crate) fn leave(&mut self, tree: &Tree) {
        tree.leave(std::mem::take(&mut self.plot));
    }
}

/// Whether a simulation was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Simulated {
    /// It was.
    Done,
    /// The tree has no room left: nothing was changed.
    Full,
}

/// What the way down ended with.
enum Leaf {
    /// A value without a rollout, to the side to move.
    Known(Value),
    /// A rollout is due.
    Unknown,
    /// The tree has no room left.
    Full,
}

impl<G: Game> Search<'_, G> {
    /// One simulation from the last camp on, which counts it. `SHARED`: other workers are at
    /// the same tree.
    pub(super) fn simulate<const SHARED: bool>(&self, worker: &mut Worker<G>) -> Simulated {
        let mut state = worker.last_camp().state.clone();
        let leaf = self.descend::<SHARED>(worker, &mut state);
        let ending = match leaf {
            Leaf::Known(value) => Ending::known(value),
            Leaf::Unknown => self.ending(worker, &state),
            Leaf::Full => {
                if self.counts_in_advance::<SHARED>() {
                    for &at in &worker.path[worker.camps.len()..] {
                        self.tree.node(at).take_back_visit();
                    }
                }
                return Simulated::Full;
            }
        };
        let half_points = self.faded(worker, &ending);
        let visits = u64::from(!self.counts_in_advance::<SHARED>());
        self.back_up::<SHARED>(worker, 1, visits, half_points);
        worker.last_camp().count(1);
        if let Some(value) = ending.proof
            && self.params.proofs
        {
            carry_up(self.tree, &worker.path, value);
        }
        worker.path.truncate(worker.camps.len());
        Simulated::Done
    }

    /// Whether a simulation is counted at nodes below the last camp on its way down, so that
    /// others look elsewhere meanwhile. Where there are camps, those lead others elsewhere.
    #[inline(always)]
    fn counts_in_advance<const SHARED: bool>(&self) -> bool {
        SHARED && self.params.camp == 0
    }

    /// How the game will end from the last node of the path on.
    #[inline(always)]
    fn ending(&self, worker: &mut Worker<G>, state: &G::State) -> Ending {
        let estimate = match self.params.leaf {
            LeafJudge::Rollout => None,
            LeafJudge::Net => {
                self.tell_line(worker);
                let Worker {
                    line, mind, chance, ..
                } = worker;
                let value = self.game.estimate(state, line, mind);
                value.map(|value| Ending::judged(value, chance))
            }
        };
        estimate.unwrap_or_else(|| {
            let at = worker.path[worker.path.len() - 1];
            let last = (at != ROOT).then(|| self.tree.node(at).cell());
            let rules = self.params.rollout;
            self.game.rollout(state, last, rules, &mut worker.chance)
        })
    }

    /// The half points of an ending, nearer to a draw the farther it is from the root.
    #[inline(always)]
    fn faded(&self, worker: &mut Worker<G>, ending: &Ending) -> u64 {
        if self.params.fade == 0.0 {
            return ending.half_points;
        }
        let plies = worker.path.len() as i32 - 1 + i32::from(ending.plies);
        let kept = (1.0 - self.params.fade).powi(plies);
        let half_points = 1.0 + (ending.half_points as f32 - 1.0) * kept;
        rounded(half_points, &mut worker.chance)
    }

    /// Writes down the moves of the path.
    pub(super) fn tell_line(&self, worker: &mut Worker<G>) {
        let moves = worker.path[1..].iter().map(|&at| self.tree.node(at).cell());
        worker.line.clear();
        worker.line.extend(moves);
    }

    /// From the last camp to a node without children, making them where they are due, and
    /// further camps.
    fn descend<const SHARED: bool>(&self, worker: &mut Worker<G>, state: &mut G::State) -> Leaf {
        let mut at = worker.path[worker.path.len() - 1];
        let mut only_child = false;
        let mut camps = true;
        loop {
            let node = self.tree.node(at);
            if let (true, Some(value)) = (self.params.proofs, node.proof()) {
                return Leaf::Known(value);
            }
            if self.opinion_is_due(at, node)
                && let Some(value) = self.hear::<SHARED>(worker, node, state)
            {
                return Leaf::Known(value);
            }
            let (mut first, mut children) = self.tree.children(node);
            if children.is_empty() {
                // The visit under way is counted already when others must see it.
                let counted = self.counts_in_advance::<SHARED>() && at != ROOT;
                let earlier = node.visits() - u32::from(counted);
                if at != ROOT && earlier + 1 < self.params.expand_visits && !only_child {
                    return Leaf::Unknown;
                }
                if let Some(leaf) = self.expand::<SHARED>(worker, at, state) {
                    return leaf;
                }
                (first, children) = self.tree.children(node);
                if children.is_empty() {
                    return Leaf::Unknown;
                }
            }
            if children[0].begins_settled_block() {
                // By a simulation that came here another way.
                return settled_leaf(children);
            }
            only_child = children.len() == 1;
            let Some(chosen) = self.select(worker, node, children) else {
                return settled_leaf(children);
            };
            at = first + chosen as u32;
            self.tree.prefetch_children(&children[chosen]);
            self.game.play(state, children[chosen].cell());
            worker.path.push(at);
            camps = camps && self.make_camp::<SHARED>(worker, state);
            if !camps && self.counts_in_advance::<SHARED>() {
                // Seen by the others as a loss until it is known.
                self.tree.node(at).add::<true>(1, 0);
            }
        }
    }

    /// Makes the children of a node; a leaf if it gets none.
    fn expand<const SHARED: bool>(
        &self,
        worker: &mut Worker<G>,
        at: u32,
        state: &G::State,
    ) -> Option<Leaf> {
        let key = self.key(at, state);
        if let Some(key) = key {
            self.tree.prefetch_twin(key);
        }
        let moves = match self.game.outlook(state, self.params.pruning) {
            Outlook::Decided(value) => return Some(Leaf::Known(value)),
            Outlook::Open(_) if at == ROOT => self.root_moves,
            Outlook::Open(moves) => moves,
        };
        if let Some(twin) = key.and_then(|key| self.tree.twin(key)) {
            if let (true, Some(value)) = (self.params.proofs, twin.proof()) {
                return Some(Leaf::Known(value));
            }
            if self.tree.share_children(at, twin) {
                return None;
            }
        }
        self.game.ordered(state, moves, &mut worker.cells);
        if self.params.order == Order::Chance {
            shuffle(&mut worker.cells, &mut worker.chance);
        }
        if self.params.selection == Selection::Puct {
            self.weigh(worker, state);
        }
        let Worker {
            plot,
            cells,
            shares,
            ..
        } = worker;
        match self.tree.expand::<SHARED>(plot, at, cells, shares) {
            Growth::Grown => {
                if let Some(key) = key {
                    self.tree.keep_twin(key, at);
                }
                None
            }
            Growth::Busy => Some(Leaf::Unknown),
            Growth::Full if self.may_stay_leaf => Some(Leaf::Unknown),
            Growth::Full => Some(Leaf::Full),
        }
    }

    /// The key of a position whose moves may be shared; those of the root may be fewer than all.
    #[inline]
    fn key(&self, at: u32, state: &G::State) -> Option<u64> {
        let shares = G::HAS_KEYS && self.params.graph && at != ROOT;
        shares.then(|| self.game.key(state))
    }

    /// Shares out what is expected of the moves that a node will have.
    fn weigh(&self, worker: &mut Worker<G>, state: &G::State) {
        self.tell_line(worker);
        let Worker {
            cells,
            line,
            mind,
            shares,
            ..
        } = worker;
        let prior = self.params.prior;
        self.game.weights(state, prior, cells, line, mind, shares);
        let sum: f32 = shares.iter().sum();
        for share in shares {
            *share /= sum;
        }
    }

    /// Counts `weight` simulations that brought `half_points` to the side to move at every node
    /// of the path, each from its own mover's side. Below the last camp only `visits` of them
    /// are new.
    pub(super) fn back_up<const SHARED: bool>(
        &self,
        worker: &mut Worker<G>,
        weight: u64,
        visits: u64,
        half_points: u64,
    ) {
        let theirs = 2 * weight - half_points;
        let mut points = match self.params.rewards {
            // The side that moved into a node is the one not to move there.
            Rewards::Mover => theirs,
            // The root's side is to move at the last node when an odd number of nodes leads
            // there, the root included.
            Rewards::Root if worker.path.len() % 2 == 1 => half_points,
            Rewards::Root => theirs,
        };
        for depth in (worker.camps.len()..worker.path.len()).rev() {
            let node = self.tree.node(worker.path[depth]);
            node.add::<SHARED>(visits, points);
            if worker.history.is_kept() {
                let reply = Reply {
                    side: self.side_before(depth),
                    before: self.tree.node(worker.path[depth - 1]).cell(),
                    cell: node.cell(),
                };
                worker.history.count(reply, weight, points);
            }
            points = self.a_ply_before(weight, points);
        }
        worker.last_camp().find(weight, points);
    }

    /// The side that moved to the node at `depth` of the path, or would.
    #[inline(always)]
    pub(super) fn side_before(&self, depth: usize) -> usize {
        (self.root_side + depth + 1) % 2
    }

    /// What half points of so many simulations are at the node above.
    #[inline(always)]
    pub(super) fn a_ply_before(&self, simulations: u64, half_points: u64) -> u64 {
        match self.params.rewards {
            Rewards::Mover => 2 * simulations - half_points,
            Rewards::Root => half_points,
        }
    }
}

/// Proves the last node of the path, and its ancestors as far as that decides them.
fn carry_up(tree: &Tree, path: &[u32], value: Value) {
    let mut value = value;
    for (depth, &at) in path.iter().enumerate().rev() {
        tree.node(at).prove(value);
        let Some(&parent) = depth.checked_sub(1).and_then(|above| path.get(above)) else {
            return;
        };
        let (_, siblings) = tree.children(tree.node(parent));
        let Some(decided) = decided(siblings, value) else {
            return;
        };
        siblings[0].settle_block();
        value = decided;
    }
}

/// The value of a node, to its side to move, if a child just proven to be `latest` decides it.
fn decided(children: &[Node], latest: Value) -> Option<Value> {
    if let win @ Value::Win { .. } = latest.one_ply_before() {
        return Some(win);
    }
    best_of_all(children)
}

/// Takes the root's proof back unless its moves carry it: a rollout or a chain of threats may
/// have proven the node without telling by which move.
pub(super) fn doubt_root(tree: &Tree) {
    let root = tree.node(ROOT);
    if root.is_proven() && settled(tree.children(root).1).is_none() {
        root.take_back_proof();
    }
}

/// What children tell of their node when they decide it.
#[cold]
fn settled_leaf(children: &[Node]) -> Leaf {
    settled(children).map_or(Leaf::Unknown, Leaf::Known)
}

/// The value of a node, to its side to move, if its children decide it.
fn settled(children: &[Node]) -> Option<Value> {
    let mut values = children
        .iter()
        .filter_map(|child| Some(child.proof()?.one_ply_before()));
    values
        .find(|value| matches!(value, Value::Win { .. }))
        .or_else(|| best_of_all(children))
}

/// The best of the children's values if all are proven.
fn best_of_all(children: &[Node]) -> Option<Value> {
    let mut best: Option<Value> = None;
    for child in children {
        let value = child.proof()?.one_ply_before();
        if best.is_none_or(|best| value.compare(best).is_gt()) {
            best = Some(value);
        }
    }
    best
}

/// One of the whole numbers next to `number`, by chance so that the mean is right.
pub(super) fn rounded(number: f32, chance: &mut Chance) -> u64 {
    let share = (chance.draw() >> 40) as f32 / (1 << 24) as f32;
    (number + share) as u64
}

fn shuffle(cells: &mut [u16], chance: &mut Chance) {
    for at in (1..cells.len()).rev() {
        cells.swap(at, chance.below(at as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_decides_every_node_that_leads_to_it() {
        let tree = Tree::new(1 << 16);
        let mut plot = Plot::default();
        let mut grow = |at: u32, cells: &[u16]| {
            let growth = tree.expand::<false>(&mut plot, at, cells, &[]);
            assert_eq!(growth, Growth::Grown);
            tree.children(tree.node(at)).0
        };
        let one = grow(ROOT, &[3, 4]);
        let other = one + 1;
        let child = grow(one, &[5, 6]);
        assert!(tree.share_children(other, tree.node(one)));
        let (_, children) = tree.children(tree.node(other));
        assert!(!children[0].begins_settled_block());

        carry_up(&tree, &[ROOT, one, child], Value::Win { plies: 1 });
        assert!(
            !children[0].begins_settled_block(),
            "the other child is open"
        );
        carry_up(&tree, &[ROOT, one, child + 1], Value::Loss { plies: 2 });
        assert!(children[0].begins_settled_block());
        let leaf = settled_leaf(children);
        assert!(matches!(leaf, Leaf::Known(Value::Win { plies: 3 })));
        assert_eq!(tree.node(one).proof(), Some(Value::Win { plies: 3 }));
        assert_eq!(tree.node(other).proof(), None, "nobody came by yet");
    }
}
