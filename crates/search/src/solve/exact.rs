//! From one position to its score: narrows proven bounds by null windows.
//!
//! Owns the order of the questions and the threads that answer them.

use super::busy::Busy;
use super::field::Field;
use super::score::win_at;
use super::search::{Node, Search};
use super::solver::{SolveLimits, Solved};
use super::table::{Bounds, Table};
use super::watch::Watch;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Instant;
use stoneline_rules::{Bits, Position, Variant};

/// The solver's work in one width; chosen once, when a solver is built.
pub(super) trait Prover: Send + Sync {
    /// Proven bounds of the score, moved to the nearest score `within`.
    ///
    /// Contract: the game goes on.
    fn prove(&self, position: &Position, within: Bounds, limits: &SolveLimits) -> Solved;
    /// Forgets every stored bound.
    fn clear(&self);
}

/// [`Prover`] for boards of `WORDS` words; `FOUR` says that four in a row win.
pub(super) struct Exact<const WORDS: usize, const FOUR: bool> {
    field: Field<WORDS, FOUR>,
    table: Table,
    threads: usize,
}

impl<const WORDS: usize, const FOUR: bool> Exact<WORDS, FOUR> {
    /// # Errors
    /// If the machine refuses the memory.
    pub(super) fn new(variant: &Variant, memory_bytes: usize, threads: usize) -> io::Result<Self> {
        Ok(Self {
            field: Field::new(variant),
            table: Table::new(memory_bytes)?,
            threads,
        })
    }

    /// Asks until one score is left or a limit is reached. Contract: the node is quiet.
    fn narrow(&self, node: &Node<WORDS>, mut bounds: Bounds, limits: &SolveLimits) -> Solved {
        let answered = AtomicBool::new(false);
        let busy = (self.threads > 1).then(Busy::new);
        let deadline = limits.time.map(|time| Instant::now() + time);
        let flags = [limits.stop, busy.as_ref().map(|_| &answered)];
        let mut searches: Vec<_> = (0..self.threads)
            .map(|_| {
                let watch = Watch::new(limits.nodes, deadline, flags);
                Search::new(&self.field, &self.table, node, watch, busy.as_ref())
            })
            .collect();
        while bounds.low < bounds.high {
            let beta = next_question(bounds);
            answered.store(false, Relaxed);
            let answer = match &mut searches[..] {
                [alone] => alone.ask(node, beta),
                searches => ask_together(searches, node, beta, &answered),
            };
            match answer {
                Some(value) if value >= beta => bounds.low = value.min(bounds.high),
                Some(value) => bounds.high = value.max(bounds.low),
                None => break,
            }
        }
        Solved {
            bounds,
            nodes: searches.iter().map(Search::nodes).sum(),
        }
    }
}

impl<const WORDS: usize, const FOUR: bool> Prover for Exact<WORDS, FOUR> {
    fn prove(&self, position: &Position, within: Bounds, limits: &SolveLimits) -> Solved {
        let field = &self.field;
        let mover = position.side_to_move();
        let own: Bits<WORDS> = position.stones(mover).resize();
        let mut node = Node::new(field, own, position.stones(!mover).resize());
        let exactly = |score: i32| Solved {
            bounds: within.clamped(score, score),
            nodes: 0,
        };
        if node.own_wins.intersects(field.legal(node.occupied(field))) {
            return exactly(win_at(field.capacity, node.stones + 1));
        }
        let mut same_mover = true;
        if let Some(score) = node.settle(field, &mut same_mover) {
            return exactly(if same_mover { score } else { -score });
        }
        let turned = |bounds: Bounds| if same_mover { bounds } else { bounds.negated() };
        let least = -win_at(field.capacity, node.stones + 4);
        let most = win_at(field.capacity, node.stones + 3);
        let mut solved = self.narrow(&node, turned(within).clamped(least, most), limits);
        solved.bounds = turned(solved.bounds);
        solved
    }

    fn clear(&self) {
        self.table.clear();
    }
}

/// The answer of whichever thread has it first; the others stop.
fn ask_together<const WORDS: usize, const FOUR: bool>(
    searches: &mut [Search<WORDS, FOUR>],
    node: &Node<WORDS>,
    beta: i32,
    answered: &AtomicBool,
) -> Option<i32> {
    thread::scope(|scope| {
        let threads: Vec<_> = searches
            .iter_mut()
            .map(|search| {
                scope.spawn(move || {
                    let answer = search.ask(node, beta);
                    answered.fetch_or(answer.is_some(), Relaxed);
                    answer
                })
            })
            .collect();
        threads.into_iter().fold(None, |first, thread| {
            first.or(thread.join().expect("a search does not panic"))
        })
    })
}

/// The score to ask for next: the far half of the bounds first, where answers are cheap.
fn next_question(bounds: Bounds) -> i32 {
    let Bounds { low, high } = bounds;
    let middle = low + (high - low) / 2;
    1 + if middle <= 0 && low / 2 < middle {
        low / 2
    } else if middle >= 0 && high / 2 > middle {
        high / 2
    } else {
        middle
    }
}
