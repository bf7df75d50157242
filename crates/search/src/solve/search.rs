//! The null-window search: is a score at least `beta`?
//!
//! Works on quiet nodes only: the mover can't win at once, the opponent
//! threatens nothing, and at least two moves don't lose at once. Everything
//! else is played out by [`Node::settle`] before a node is searched. Every
//! value returned is a proven bound of the score on the side of `beta` that
//! it lies on.

use super::bounds::follow_up_bound;
use super::busy::Busy;
use super::field::{Field, MOST_COLUMNS};
use super::key::key;
use super::score::win_at;
use super::table::{Bounds, Table, UNKNOWN};
use super::watch::Watch;
use stoneline_rules::Bits;

/// Nodes with at most this many empty cells are neither looked up nor stored.
///
/// So near to the end a look-up costs more than the search that it may save.
const UNSTORED_EMPTY: i32 = 10;

/// Nodes with at most this many empty cells are too small to share out among threads.
const UNSHARED_EMPTY: i32 = 20;

/// A position in the search: stones, and the empty cells that finish a run.
#[derive(Clone, Copy)]
pub(super) struct Node<const WORDS: usize> {
    /// Stones of the side to move.
    pub(super) own: Bits<WORDS>,
    /// Stones of the opponent.
    pub(super) other: Bits<WORDS>,
    /// Cells where the mover finishes a run, taken ones included.
    pub(super) own_wins: Bits<WORDS>,
    /// Cells where the opponent does.
    pub(super) other_wins: Bits<WORDS>,
    /// How many stones lie on the board.
    pub(super) stones: i32,
}

impl<const WORDS: usize> Node<WORDS> {
    /// The node of these stones, the mover's first.
    pub(super) fn new<const FOUR: bool>(
        field: &Field<WORDS, FOUR>,
        own: Bits<WORDS>,
        other: Bits<WORDS>,
    ) -> Self {
        Self {
            own,
            other,
            own_wins: field.wins(own),
            other_wins: field.wins(other),
            stones: (own | other).len() as i32,
        }
    }

    /// Stones and blocked cells.
    #[inline(always)]
    pub(super) fn occupied<const FOUR: bool>(&self, field: &Field<WORDS, FOUR>) -> Bits<WORDS> {
        self.own | self.other | field.blocked
    }

    /// The node after the mover's stone on `bit`, given the cells that then finish a run.
    #[inline(always)]
    fn after(&self, bit: Bits<WORDS>, wins: Bits<WORDS>) -> Self {
        Self {
            own: self.other,
            other: self.own | bit,
            own_wins: self.other_wins,
            other_wins: wins,
            stones: self.stones + 1,
        }
    }

    /// Plays forced moves until the game is decided or the node is quiet.
    ///
    /// The value is that of the mover of the node as it is then; `same_mover`
    /// is turned over with every stone. Contract: the mover can't win at once.
    #[inline(always)]
    pub(super) fn settle<const FOUR: bool>(
        &mut self,
        field: &Field<WORDS, FOUR>,
        same_mover: &mut bool,
    ) -> Option<i32> {
        loop {
            let occupied = self.occupied(field);
            let legal = field.legal(occupied);
            let forced = self.other_wins & legal;
            let safe = legal.minus(field.under(self.other_wins));
            let only = if !forced.is_empty() {
                forced & safe
            } else if legal.is_empty() {
                return Some(0);
            } else if safe.has_two() {
                return None;
            } else {
                safe
            };
            if only.is_empty() || forced.has_two() {
                return Some(-win_at(field.capacity, self.stones + 2));
            }
            let wins = field.wins(self.own | only);
            *self = self.after(only, wins);
            *same_mover = !*same_mover;
        }
    }
}

/// A quiet node reached by a move and the forced moves after it.
#[derive(Clone, Copy)]
struct Child<const WORDS: usize> {
    node: Node<WORDS>,
    /// Whether the mover of the parent is to move again.
    same_mover: bool,
    key: Option<u64>,
    merit: i32,
}

impl<const WORDS: usize> Child<WORDS> {
    /// A value of the child's mover as the parent's mover sees it, and the reverse.
    #[inline(always)]
    fn turned(&self, value: i32) -> i32 {
        if self.same_mover { value } else { -value }
    }

    /// The child's question that answers whether the parent reaches `beta`.
    #[inline(always)]
    fn beta(&self, beta: i32) -> i32 {
        if self.same_mover { beta } else { 1 - beta }
    }
}

/// What is known of a node before its children are searched.
enum Expansion {
    /// A bound that answers the question.
    Settled(i32),
    /// Children are left to search; those settled reach this at most.
    Open(Option<i32>),
}

/// One thread of the solver.
pub(super) struct Search<'a, const WORDS: usize, const FOUR: bool> {
    field: &'a Field<WORDS, FOUR>,
    table: &'a Table,
    watch: Watch<'a>,
    /// Whether mirrored positions can both occur, so that they should share entries.
    mirror: bool,
    /// What other threads work on, if there are any.
    busy: Option<&'a Busy>,
    /// The children of all nodes on the path, deepest last.
    children: Vec<Child<WORDS>>,
}

impl<'a, const WORDS: usize, const FOUR: bool> Search<'a, WORDS, FOUR> {
    /// A search that starts at `root`.
    pub(super) fn new(
        field: &'a Field<WORDS, FOUR>,
        table: &'a Table,
        root: &Node<WORDS>,
        watch: Watch<'a>,
        busy: Option<&'a Busy>,
    ) -> Self {
        // If a stone of one side lies on the mirror of one of the other, no two
        // positions from here are mirrors of each other.
        let mirror = field.symmetric && !root.own.intersects(field.mirrored(root.other));
        Self {
            field,
            table,
            watch,
            mirror,
            busy,
            children: Vec::with_capacity(MOST_COLUMNS * field.capacity as usize),
        }
    }

    /// How many nodes were searched.
    pub(super) fn nodes(&self) -> u64 {
        self.watch.nodes()
    }

    /// Answers one question from the root; see [`Self::search`].
    pub(super) fn ask(&mut self, root: &Node<WORDS>, beta: i32) -> Option<i32> {
        self.children.clear();
        self.search(root, self.key(root), beta)
    }

    /// A bound of the score of a quiet node: below `beta`, or `beta` or more.
    ///
    /// `None` when a limit was reached.
    fn search(&mut self, node: &Node<WORDS>, key: Option<u64>, beta: i32) -> Option<i32> {
        self.watch.count()?;
        let entered = self.watch.nodes();
        if let Some(value) = key.and_then(|key| self.known(key, beta)) {
            return Some(value);
        }
        let first = self.children.len();
        let mut best = match self.expand(node, beta) {
            Expansion::Settled(value) => {
                self.children.truncate(first);
                return Some(value);
            }
            Expansion::Open(best) => best,
        };
        self.children[first..].sort_unstable_by_key(|child| -child.merit);
        best = best.max(self.search_children(first, beta)?);
        self.children.truncate(first);
        let best = best.expect("a quiet node has a child");
        if let Some(key) = key {
            let bounds = if best >= beta {
                Bounds {
                    low: best,
                    ..UNKNOWN
                }
            } else {
                Bounds {
                    high: best,
                    ..UNKNOWN
                }
            };
            self.table.store(key, bounds, self.watch.nodes() - entered);
        }
        Some(best)
    }

    /// The best bound that the children from `first` on give, up to the first that reaches `beta`.
    ///
    /// Children that another thread is searching come last.
    #[inline(always)]
    fn search_children(&mut self, first: usize, beta: i32) -> Option<Option<i32>> {
        let mut best = None;
        let last = self.children.len();
        let mut put_off = 0;
        for at in first..last {
            let child = self.children[at];
            if at > first && self.is_busy(&child) {
                self.children[first + put_off] = child;
                put_off += 1;
                continue;
            }
            let value = self.search_child(&child, beta)?;
            best = best.max(Some(value));
            if value >= beta {
                return Some(best);
            }
        }
        for at in first..first + put_off {
            let child = self.children[at];
            let value = self.search_child(&child, beta)?;
            best = best.max(Some(value));
            if value >= beta {
                break;
            }
        }
        Some(best)
    }

    /// A bound of the child's value for the parent's mover.
    #[inline(always)]
    fn search_child(&mut self, child: &Child<WORDS>, beta: i32) -> Option<i32> {
        let mark = self.busy.zip(child.key).filter(|_| self.is_shared(child));
        if let Some((busy, key)) = mark {
            busy.enter(key);
        }
        let value = self.search(&child.node, child.key, child.beta(beta));
        if let Some((busy, key)) = mark {
            busy.leave(key);
        }
        value.map(|value| child.turned(value))
    }

    #[inline(always)]
    fn is_busy(&self, child: &Child<WORDS>) -> bool {
        self.is_shared(child)
            && self
                .busy
                .zip(child.key)
                .is_some_and(|(busy, key)| busy.contains(key))
    }

    /// Whether the child is large enough to be worth telling other threads of.
    #[inline(always)]
    fn is_shared(&self, child: &Child<WORDS>) -> bool {
        self.busy.is_some() && self.field.capacity - child.node.stones > UNSHARED_EMPTY
    }

    /// A stored bound that answers whether the score is at least `beta`.
    #[inline(always)]
    fn known(&self, key: u64, beta: i32) -> Option<i32> {
        let known = self.table.probe(key)?;
        if known.low >= beta {
            Some(known.low)
        } else {
            (known.high < beta).then_some(known.high)
        }
    }

    /// Settles what it can of the node and pushes the children that are left.
    #[inline(always)]
    fn expand(&mut self, node: &Node<WORDS>, beta: i32) -> Expansion {
        let field = self.field;
        let occupied = node.occupied(field);
        let safe = field.legal(occupied).minus(field.under(node.other_wins));
        let mut moves = [Bits::EMPTY; MOST_COLUMNS];
        let mut count = 0;
        for &column in field.columns() {
            let bit = safe & column;
            moves[count] = bit;
            count += usize::from(!bit.is_empty());
        }
        let mut wins = [Bits::EMPTY; MOST_COLUMNS];
        for (wins, moves) in wins
            .chunks_exact_mut(4)
            .zip(moves.chunks_exact(4))
            .take(count.div_ceil(4))
        {
            for lane in 0..4 {
                wins[lane] = field.wins(node.own | moves[lane]);
            }
        }
        for (&bit, &wins) in moves[..count].iter().zip(&wins) {
            if self.leaves_no_answer(occupied | bit, wins) {
                return Expansion::Settled(win_at(field.capacity, node.stones + 3));
            }
        }
        let most = win_at(field.capacity, node.stones + 5);
        if beta > most {
            return Expansion::Settled(most);
        }
        let lines = field.lines_within(field.open.minus(node.other));
        let first = self.children.len();
        let mut best = None;
        for (&bit, &wins) in moves[..count].iter().zip(&wins) {
            let merit = self.merit(node, bit, wins, occupied | bit, &lines);
            let mut child = Child {
                node: node.after(bit, wins),
                same_mover: false,
                key: None,
                merit,
            };
            match self.settle_child(&mut child, beta) {
                Some(value) if value >= beta => return Expansion::Settled(value),
                Some(value) => best = best.max(Some(value)),
                None => self.children.push(child),
            }
        }
        self.probe_children(first, beta, best)
    }

    /// Looks the new children up in the table: one may settle the node, others themselves.
    #[inline(always)]
    fn probe_children(&mut self, first: usize, beta: i32, mut best: Option<i32>) -> Expansion {
        let mut kept = first;
        for at in first..self.children.len() {
            let child = self.children[at];
            if let Some(known) = child.key.and_then(|key| self.table.probe(key)) {
                let known = if child.same_mover {
                    known
                } else {
                    known.negated()
                };
                if known.low >= beta {
                    return Expansion::Settled(known.low);
                }
                if known.high < beta {
                    best = best.max(Some(known.high));
                    continue;
                }
            }
            self.children[kept] = child;
            kept += 1;
        }
        self.children.truncate(kept);
        match best {
            Some(best) if kept == first => Expansion::Settled(best),
            _ => Expansion::Open(best),
        }
    }

    /// Whether the side that just moved wins with its next stone whatever comes between.
    #[inline(always)]
    fn leaves_no_answer(&self, occupied: Bits<WORDS>, wins: Bits<WORDS>) -> bool {
        let legal = self.field.legal(occupied);
        let threats = wins & legal;
        let poisoned = self.field.under(wins);
        threats.has_two()
            || threats.intersects(poisoned)
            || (!legal.is_empty() && legal.minus(poisoned).is_empty())
    }

    /// How promising a move is: threats, the sooner usable the better, then open lines.
    #[inline(always)]
    fn merit(
        &self,
        node: &Node<WORDS>,
        bit: Bits<WORDS>,
        wins: Bits<WORDS>,
        occupied: Bits<WORDS>,
        lines: &[Bits<WORDS>; 4],
    ) -> i32 {
        // A threat above a cell that the opponent must not leave to us is never used.
        let threats = wins.minus(occupied);
        let theirs = node.other_wins;
        let useful = threats
            .minus((threats & theirs).shl_small(1))
            .minus(theirs.shl_small(1) & theirs);
        let legal = self.field.legal(occupied);
        let soon = useful & legal.shl_small(1);
        let later = useful & legal.shl_small(2);
        let open_lines = self.field.lines_through(bit, lines);
        (12 * soon.len() + 5 * later.len() + 6 * useful.len() + open_lines) as i32
    }

    /// Plays out forced moves and applies every bound that needs no search.
    ///
    /// The value is that of the parent's mover. `None` leaves a quiet child
    /// whose question is open.
    #[inline(always)]
    fn settle_child(&self, child: &mut Child<WORDS>, beta: i32) -> Option<i32> {
        let field = self.field;
        if let Some(value) = child.node.settle(field, &mut child.same_mover) {
            return Some(child.turned(value));
        }
        let node = &child.node;
        let child_beta = child.beta(beta);
        let most = win_at(field.capacity, node.stones + 3);
        if child_beta > most {
            return Some(child.turned(most));
        }
        let least = -win_at(field.capacity, node.stones + 4);
        if child_beta <= least {
            return Some(child.turned(least));
        }
        let empty = field.open.minus(node.occupied(field));
        let hopeless = if child_beta > 0 { node.own } else { node.other };
        if !field.has_run(hopeless | empty) {
            return Some(0);
        }
        if let Some(bound) = follow_up_bound(field, node).filter(|&bound| bound < child_beta) {
            return Some(child.turned(bound));
        }
        child.key = self.key(node);
        if let Some(key) = child.key {
            self.table.prefetch(key);
        }
        None
    }

    /// The key of a node; `None` where looking it up would not pay.
    #[inline(always)]
    fn key(&self, node: &Node<WORDS>) -> Option<u64> {
        (self.field.capacity - node.stones > UNSTORED_EMPTY)
            .then(|| key(self.field, node, self.mirror))
    }
}
