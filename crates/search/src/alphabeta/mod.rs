//! `alphabeta`: alpha-beta search for falling stones, on boards of any size.
//!
//! Generic over the evaluation and monomorphic inside. Forced moves are played
//! out before recursion, so only quiet positions are searched and estimated.
//! Threads search the same root on a shared table. What is proven is told as a
//! proof. There is no chance in it: the seed changes nothing, and on one thread
//! a node limit gives the same result every time.

mod choice;
mod eval;
mod gravity;
mod lines;
mod order;
mod params;
pub(crate) mod pulse;
mod root;
mod score;
mod search;
mod shape;
mod table;
mod windows;

use crate::clock::{Stage, budget};
use crate::engine::{Choice, Effort, Engine, Event};
use crate::limits::Limits;
use crate::mcts::Pruning;
use crate::mcts::game::Outlook;
use crate::neural::Judge;
use crate::params::{SettingError, Tunable};
use crate::registry::{BuildError, Recipe};
use crate::value::Value;
use eval::Evaluation;
use gravity::{Gravity, State};
use order::Order;
pub(crate) use params::Params;
use pulse::{Ends, Pulse, Watcher};
use root::{Plan, Root};
use search::{Common, Node, Reductions, Search, stone_key};
use shape::Shape;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;
use stoneline_rules::{Grid, Position, Side, Variant};
use table::{COMPLETE, Table};

/// Memory for the table when the caller names none.
const MEMORY_BYTES: usize = 64 << 20;
/// A larger table than this is not made, whatever is allowed: no move of a few seconds
/// fills it, and its pages would have to be found.
const MOST_BYTES: usize = 256 << 20;
/// The least with which a search still works.
const LEAST_BYTES: usize = 1 << 12;

impl Recipe for Params {
    fn tunables(&self) -> Vec<Tunable> {
        Self::tunables(self)
    }

    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        Self::set(self, key, text)
    }

    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        if !variant.rule().falls() {
            return Ok(crate::gomoku::alphabeta(variant, self.overage));
        }
        // Boards with falling stones take 272 bits at most.
        Ok(match variant.geometry().bits() {
            0..=64 => self.engine::<1>(variant),
            65..=128 => self.engine::<2>(variant),
            129..=192 => self.engine::<3>(variant),
            _ => self.engine::<5>(variant),
        })
    }
}

impl Params {
    /// The engine in the width that fits the variant.
    fn engine<const WORDS: usize>(&self, variant: &Variant) -> Box<dyn Engine> {
        if let Some(net) = self.eval.net()
            && let Some(judge) = Judge::new(&net, variant)
        {
            return Box::new(AlphaBeta::<_, WORDS>::new(variant, judge, self.clone()));
        }
        let shape = Shape::<WORDS>::new(variant);
        Box::new(AlphaBeta::new(variant, shape, self.clone()))
    }
}

/// The search for one variant, with what it keeps from move to move.
struct AlphaBeta<E, const WORDS: usize> {
    game: Gravity<WORDS>,
    keys: Vec<[u64; 2]>,
    params: Params,
    reductions: Reductions,
    /// For each thread: its evaluation and what it learnt of moves.
    minds: Vec<(E, Order)>,
    table: Option<Table>,
    /// The bytes that were asked for when the table was made.
    asked_bytes: usize,
}

impl<E: Evaluation<WORDS>, const WORDS: usize> AlphaBeta<E, WORDS> {
    fn new(variant: &Variant, evaluation: E, params: Params) -> Self {
        let grid = Grid::<WORDS>::new(variant).expect("the width was chosen to fit");
        let order = Order::new(variant.geometry(), variant.run());
        Self {
            game: Gravity::new(grid),
            keys: (0..variant.geometry().bits() as u16)
                .map(|cell| [0, 1].map(|side| stone_key(side, cell)))
                .collect(),
            reductions: Reductions::new(&params),
            params,
            minds: vec![(evaluation, order)],
            table: None,
            asked_bytes: 0,
        }
    }

    /// Makes the table as large as the limits allow, or as the machine can.
    fn prepare_table(&mut self, limits: &Limits) {
        let asked = limits.memory_bytes.unwrap_or(MEMORY_BYTES);
        let asked = asked.clamp(LEAST_BYTES, MOST_BYTES);
        if self.table.is_none() || asked != self.asked_bytes {
            // The old table goes first: there may not be room for two.
            self.table = None;
            self.table = std::iter::successors(Some(asked), |bytes| Some(bytes / 2))
                .take_while(|&bytes| bytes >= LEAST_BYTES)
                .find_map(|bytes| Table::new(bytes).ok());
            self.asked_bytes = asked;
        }
        if let Some(table) = &mut self.table {
            table.grow_older();
        }
    }

    fn node(&self, position: &Position, state: State<WORDS>, open: u16) -> Node<WORDS> {
        let key = Side::BOTH
            .into_iter()
            .flat_map(|side| position.stones(side).iter().map(move |at| (at, side)))
            .fold(0, |key, (at, side)| {
                key ^ self.keys[at as usize][side.index()]
            });
        Node {
            state,
            key,
            stones: position.plies() as u16,
            open,
        }
    }

    /// The move of a position that is decided without search.
    fn at_once(&self, position: &Position, state: &State<WORDS>, value: Value) -> Choice {
        let columns = self.game.prospect(state).decisive();
        let mut cells = self.game.landings(state, columns);
        let cell = cells
            .next()
            .expect("a position that is not over has a move");
        Choice::at_once(position.variant().geometry().cell(cell.into()), value)
    }

    /// Searches on all threads; the best root found and the nodes that took.
    fn run(
        &mut self,
        position: &Position,
        root: &Root<WORDS>,
        limits: &Limits,
        begun: Option<Instant>,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> (Root<WORDS>, u64) {
        let threads = limits.threads.unwrap_or(1).max(1);
        while self.minds.len() < threads {
            self.minds.push(self.minds[0].clone());
        }
        for (evaluation, _) in &mut self.minds {
            evaluation.reset(position);
        }
        let capacity = position.variant().geometry().capacity();
        let stage = Stage {
            plies: position.plies(),
            capacity,
        };
        let time = budget(limits, stage, self.params.overage);
        let clock = begun.zip(time).map(|(begun, time)| (begun, begun + time));
        let stop = AtomicBool::new(false);
        let ends = Ends {
            nodes: limits.work().map(|nodes| (nodes / threads as u64).max(1)),
            clock,
            stop: &stop,
        };
        let table = self.table.as_ref().expect("the table was prepared");
        let common = Common {
            game: &self.game,
            table,
            keys: &self.keys,
            params: &self.params,
            reductions: &self.reductions,
        };
        // A match clock is for all moves: a depth that would not be finished is not begun.
        let saves = limits.time.is_none();
        // Twice the stones that are left: late moves lose plies, and in the end none may.
        let last_depth = (2 * (capacity - position.plies()) + 8) as i32;
        let plan = Plan {
            geometry: position.variant().geometry(),
            first_depth: 1,
            last_depth: last_depth.min(COMPLETE - 1),
            enough: begun
                .zip(time)
                .filter(|_| saves)
                .map(|(begun, time)| begun + time / 2),
            end_when_forced: clock.is_some() && !self.params.think_on,
        };
        let (leader, helpers) = self.minds[..threads].split_at_mut(1);
        let helper = |mind: &mut (E, Order), number: usize| {
            let mut root = root.clone();
            let mut search = Search::new(&common, &mut mind.0, &mut mind.1, Pulse::new(ends, None));
            // Threads that begin at different depths find different things.
            let plan = Plan {
                first_depth: 1 + (number as i32 % 2),
                ..plan
            };
            search.deepen(&mut root, &plan);
            (root, search.pulse.nodes())
        };
        let (best, nodes) = std::thread::scope(|scope| {
            let handles: Vec<_> = helpers
                .iter_mut()
                .enumerate()
                .map(|(number, mind)| scope.spawn(move || helper(mind, number)))
                .collect();
            let mut own = root.clone();
            let watcher = Watcher::new(watch, table.bytes());
            let pulse = Pulse::new(ends, Some(watcher));
            let (evaluation, order) = &mut leader[0];
            let mut search = Search::new(&common, evaluation, order, pulse);
            search.deepen(&mut own, &plan);
            stop.store(true, Relaxed);
            let mut nodes = search.pulse.nodes();
            for handle in handles {
                let (other, spent) = handle.join().expect("a search thread never panics");
                nodes += spent;
                if other.rank() > own.rank() {
                    own = other;
                }
            }
            (own, nodes)
        });
        (best, nodes)
    }
}

impl<E: Evaluation<WORDS>, const WORDS: usize> Engine for AlphaBeta<E, WORDS> {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        let state = self.game.state(position);
        let open = match self.game.prospect(&state).judge(Pruning::Full) {
            Outlook::Decided(value) => return self.at_once(position, &state, value),
            Outlook::Open(open) => open,
        };
        // Before the table is made: a large one takes its time.
        let begun = limits.has_clock().then(Instant::now);
        self.prepare_table(limits);
        for (_, order) in &mut self.minds {
            order.forget();
        }
        let geometry = position.variant().geometry();
        let node = self.node(position, state, open);
        let known = self.table.as_ref().and_then(|table| table.probe(node.key));
        let mut moves = self.minds[0].1.moves(
            &state,
            node.stones,
            state.open,
            known.and_then(|entry| entry.column),
        );
        let root = Root::new(node, std::iter::from_fn(|| moves.next()));
        let (root, nodes) = self.run(position, &root, limits, begun, watch);
        let moves = root.reports(geometry);
        Choice {
            best: Some(moves[0].cell),
            value: root.value(),
            moves,
            effort: Effort {
                nodes,
                depth: Some(root.depth()),
                memory_bytes: self.table.as_ref().map_or(0, Table::bytes),
                time: begun.map(|begun| begun.elapsed()),
                ..Effort::default()
            },
        }
    }

    fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.forget();
        }
    }
}
