//! `mcts`: Monte-Carlo tree search with proofs.
//!
//! Generic over the game and monomorphic inside. Thinks in phases: workers
//! simulate on the shared tree until a batch is done or the tree is full;
//! between phases one thread alone recycles the tree, tells how the
//! search stands, and decides whether to go on.

mod bounds;
mod camp;
mod falling;
mod forcing;
pub(crate) mod game;
mod history;
mod lanes;
mod nodes;
mod opinion;
mod params;
mod phase;
mod plot;
mod report;
mod rollout;
mod room;
mod select;
mod simulate;
mod tree;
mod twins;

#[cfg(test)]
mod tests;

use crate::clock::{Stage, budget, event_gap};
use crate::engine::{Choice, Effort, Engine, Event, MoveReport};
use crate::limits::Limits;
use crate::neural::{Judge, Net};
use crate::params::{SettingError, Tunable};
use crate::registry::{BuildError, Recipe};
use crate::value::Value;
use falling::Falling;
use game::{Game, Outlook};
use history::History;
use lanes::with_lanes;
pub(crate) use params::{Final, Order, Params, Pruning, Rollout, RootRule};
use simulate::{Search, Worker};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use stoneline_rules::{Cell, Chance, Position, Side, Variant, Wide, scramble};
use tree::{ROOT, Tree};

/// Memory when the caller names no bound.
const MEMORY_BYTES: usize = 256 << 20;
/// Simulations between two events when no clock bounds the search.
const EVENT_SIMULATIONS: u64 = 1 << 16;
/// Time between two events.
const EVENT_TIME: Duration = Duration::from_millis(100);

/// An engine name's way to a tree search: its parameters and usual limits.
pub(crate) struct MctsRecipe {
    pub(crate) name: &'static str,
    pub(crate) params: Params,
    pub(crate) limits: Limits,
    /// Whether it plays boards without gravity too.
    pub(crate) free_boards: bool,
}

impl Recipe for MctsRecipe {
    fn tunables(&self) -> Vec<Tunable> {
        self.params.tunables()
    }

    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        self.params.set(key, text)
    }

    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        if !variant.rule().falls() && self.free_boards {
            let (params, limits) = (self.params.clone(), self.limits.clone());
            return Ok(crate::gomoku::mcts(variant, params, limits));
        }
        if !variant.rule().falls() {
            return Err(BuildError::Unsuitable {
                engine: self.name,
                variant: *variant,
                needs: "falling stones",
            });
        }
        let (params, limits) = (self.params.clone(), self.limits.clone());
        let judge = params
            .asks_network()
            .then(|| Judge::new(&Net::shipped(), variant))
            .flatten();
        Ok(with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(variant).judged_by(judge);
            Box::new(Mcts::new(game, params, limits))
        }))
    }
}

/// The tree search of a game that stands outside.
pub(crate) fn engine<G>(game: G, params: Params, usual: Limits) -> Box<dyn Engine>
where
    G: Game + Send + 'static,
{
    Box::new(Mcts::new(game, params, usual))
}

/// Half points of the first side over `count` rollouts from the empty board.
pub(crate) fn rollouts(variant: &Variant, rules: Rollout, count: u64) -> Option<u64> {
    variant.rule().falls().then(|| {
        with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(variant);
            let state = game.state(&Position::new(*variant));
            let mut chance = Chance::new(1);
            (0..count)
                .map(|_| game.rollout(&state, None, rules, &mut chance).half_points)
                .sum()
        })
    })
}

/// A tree search for one variant, and the tree that it keeps from move to move.
struct Mcts<G: Game> {
    game: G,
    params: Params,
    /// What holds where the caller says nothing.
    usual: Limits,
    tree: Tree,
    /// The position at the root; `None` before the first search.
    seen: Option<Position>,
    /// How long the last recycling of the tree took.
    pause: Option<Duration>,
    /// How long a simulation of the last search took one thread.
    pace: Duration,
    /// What each worker learnt of the cells in the searches before.
    histories: Vec<History>,
}

/// A search under way: what bounds it and what it has spent.
struct Progress {
    limits: Limits,
    threads: usize,
    /// When it began and must end; `None` without a clock.
    clock: Option<(Instant, Instant)>,
    simulations: u64,
    /// Visits that they brought the root.
    visits: u64,
    /// When the next event is due, in simulations or in time.
    next_event: u64,
    last_event: Option<Instant>,
}

impl Progress {
    fn left(&self) -> u64 {
        let most = self.limits.simulations.unwrap_or(u64::MAX);
        most.saturating_sub(self.simulations)
    }

    fn time_left(&self) -> Option<Duration> {
        self.clock
            .map(|(_, end)| end.saturating_duration_since(Instant::now()))
    }

    fn is_spent(&self) -> bool {
        self.left() == 0 || self.time_left() == Some(Duration::ZERO)
    }

    /// Simulations that may still come, at the pace so far.
    fn expected(&self) -> u64 {
        let Some((start, end)) = self.clock else {
            return self.left();
        };
        let spent = start.elapsed().as_secs_f64().max(1e-6);
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
        let by_pace = (self.simulations as f64 * left / spent) as u64;
        self.left().min(by_pace)
    }

    /// Visits that those may bring the root, as so far.
    fn expected_visits(&self) -> u64 {
        let each = self.visits as f64 / self.simulations.max(1) as f64;
        (self.expected() as f64 * each.max(1.0)) as u64
    }

    fn event_is_due(&mut self) -> bool {
        let due = match (self.clock, self.last_event) {
            (Some((start, _)), last) => {
                let gap = event_gap(start.elapsed(), EVENT_TIME);
                last.unwrap_or(start).elapsed() >= gap
            }
            (None, _) => self.simulations >= self.next_event,
        };
        if due {
            self.last_event = self.clock.map(|_| Instant::now());
            self.next_event = self.simulations + EVENT_SIMULATIONS;
        }
        due
    }
}

impl<G: Game + Send> Engine for Mcts<G> {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        let mut progress = self.begin(position, limits);
        let state = self.game.state(position);
        let Outlook::Open(legal) = self.game.outlook(&state, Pruning::None) else {
            unreachable!("a position that is not over has a move");
        };
        let mut cells = Vec::new();
        let moves = match self.game.outlook(&state, self.params.pruning) {
            Outlook::Open(moves) => self.game.root_moves(&state, self.params.root, moves),
            Outlook::Decided(value) => {
                let moves = self.game.decisive_moves(&state, legal);
                self.game.ordered(&state, moves, &mut cells);
                return self.at_once(position, cells[0], Some(value));
            }
        };
        if self.params.centre_first
            && position.plies() < 2
            && let Some(centre) = falling::centre(position)
        {
            let index = position.variant().geometry().index(centre);
            return self.at_once(position, index as u16, None);
        }
        self.game.ordered(&state, moves, &mut cells);
        if cells.len() == 1 && !self.params.think_on {
            return self.at_once(position, cells[0], None);
        }
        self.run(position, &state, moves, &mut progress, watch);
        self.note_pace(&progress);
        self.choice(position, &progress)
    }

    fn forget(&mut self) {
        self.seen = None;
    }
}

impl<G: Game> Mcts<G> {
    fn new(game: G, params: Params, usual: Limits) -> Self {
        Self {
            game,
            params,
            usual,
            // The memory comes with the first search, which knows its bound.
            tree: Tree::new(0),
            seen: None,
            pause: None,
            pace: Duration::ZERO,
            histories: Vec::new(),
        }
    }

    /// Settles the limits and the root of the tree.
    fn begin(&mut self, position: &Position, limits: &Limits) -> Progress {
        let mut usual = self.usual.clone();
        if limits.simulations.is_some() {
            // Whoever counts simulations wants no clock.
            usual.time = None;
        }
        let limits = limits.or(&usual);
        let stage = stage(position);
        let clock = budget(&limits, stage, self.params.overage).map(|budget| {
            let start = Instant::now();
            (start, start + budget)
        });
        self.bound_tree(&limits);
        self.find_root(position);
        Progress {
            threads: limits.threads.unwrap_or(1),
            clock,
            limits,
            simulations: 0,
            visits: 0,
            next_event: EVENT_SIMULATIONS,
            last_event: None,
        }
    }

    /// Keeps the tree to the memory that the limits allow.
    fn bound_tree(&mut self, limits: &Limits) {
        let bytes = limits.memory_bytes.unwrap_or(MEMORY_BYTES);
        let twins = match limits.simulations {
            _ if !self.params.graph || !G::HAS_KEYS => 0,
            Some(simulations) => {
                (bytes / TWINS).min(TWIN_BYTES.saturating_mul(simulations as usize))
            }
            None => bytes / TWINS,
        };
        self.tree.bound(bytes, twins);
    }

    /// Moves the root to `position` if the tree holds it, else starts anew.
    fn find_root(&mut self, position: &Position) {
        let kept = self
            .seen
            .take()
            .filter(|_| self.params.reuse)
            .and_then(|seen| self.node_of(&seen, position));
        match kept {
            Some(at) => self.tree.move_root(at),
            None => {
                self.tree.clear();
                self.histories.clear();
            }
        }
        simulate::doubt_root(&self.tree);
        self.seen = Some(position.clone());
    }

    /// The node of `position` below the root, which is at `seen`.
    fn node_of(&self, seen: &Position, position: &Position) -> Option<u32> {
        let added = Side::BOTH.map(|side| position.stones(side).minus(seen.stones(side)));
        let grown = Side::BOTH
            .iter()
            .all(|&side| seen.stones(side).minus(position.stones(side)).is_empty());
        let plies = position.plies().checked_sub(seen.plies())?;
        if seen.variant() != position.variant() || !grown || plies > MOST_PLIES_BETWEEN {
            return None;
        }
        self.descendant(ROOT, seen.side_to_move(), added)
    }

    /// The node that is reached from `at` by playing all of `added`, in whatever order.
    fn descendant(&self, at: u32, side: Side, added: [Wide; 2]) -> Option<u32> {
        if added.iter().all(|stones| stones.is_empty()) {
            return Some(at);
        }
        let (first, children) = self.tree.children(self.tree.node(at));
        children.iter().enumerate().find_map(|(offset, child)| {
            let bit = Wide::bit(child.cell().into());
            if !added[side.index()].intersects(bit) {
                return None;
            }
            let mut rest = added;
            rest[side.index()] = rest[side.index()].minus(bit);
            self.descendant(first + offset as u32, !side, rest)
        })
    }

    /// The move of bit `index` without search.
    fn at_once(&self, position: &Position, index: u16, value: Option<Value>) -> Choice {
        let (_, children) = self.tree.children(self.tree.node(ROOT));
        let known = children.iter().find(|child| child.cell() == index);
        let value = value
            .or_else(|| known.and_then(|child| child.move_value()))
            .unwrap_or(Value::Guess(0.5));
        let cell = position.variant().geometry().cell(index.into());
        Choice {
            best: Some(cell),
            value,
            moves: vec![MoveReport {
                cell,
                value,
                visits: known.map_or(0, |child| child.visits().into()),
                line: vec![cell],
            }],
            effort: Effort {
                memory_bytes: self.tree.memory_bytes(),
                ..Effort::default()
            },
        }
    }

    /// Simulates until a limit, a proof or the watcher ends it.
    fn run(
        &mut self,
        position: &Position,
        state: &G::State,
        root_moves: G::Moves,
        progress: &mut Progress,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) {
        let filled = stage(position).filled();
        let (empty, full) = (self.params.exploration, self.params.exploration_full);
        let seed = scramble(progress.limits.seed.unwrap_or(0)) ^ position.key();
        let mut workers: Vec<Worker<G>> = (0..progress.threads as u64)
            .map(|thread| {
                let history = self.history(position.variant(), thread as usize);
                Worker::new(seed ^ scramble(thread), self.game.mind(position), history)
            })
            .collect();
        let mut may_stay_leaf = false;
        loop {
            let search = Search {
                game: &self.game,
                params: &self.params,
                tree: &self.tree,
                root: state,
                root_side: position.side_to_move().index(),
                root_moves,
                exploration: empty + (full - empty) * filled,
                may_stay_leaf,
            };
            let full = phase::run(&search, &mut workers, progress);
            if full {
                may_stay_leaf = !self.make_room(progress);
            }
            if progress.event_is_due() {
                let choice = self.choice(position, progress);
                let event = Event {
                    value: choice.value,
                    moves: &choice.moves,
                    effort: &choice.effort,
                };
                if watch(event).is_break() {
                    break;
                }
            }
            if progress.is_spent() || self.is_decided(progress) {
                break;
            }
        }
        self.histories = workers.into_iter().map(|worker| worker.history).collect();
    }

    /// What the worker of a thread knows of the cells, half of it forgotten since the last search.
    fn history(&mut self, variant: &Variant, thread: usize) -> History {
        if self.params.history == 0.0 || !variant.rule().falls() {
            return History::default();
        }
        match self.histories.get_mut(thread) {
            Some(kept) => {
                kept.fade();
                std::mem::take(kept)
            }
            None => History::new(variant.geometry().bits() as usize),
        }
    }

    fn is_decided(&self, progress: &Progress) -> bool {
        if self.params.proofs && self.tree.node(ROOT).is_proven() {
            return true;
        }
        // Time that is lost if it is left over goes into the tree, which the next move keeps.
        let saves = progress.clock.is_none() || progress.limits.has_time_to_save();
        saves && !self.params.think_on && report::is_settled(&self.tree, progress.expected_visits())
    }

    fn choice(&self, position: &Position, progress: &Progress) -> Choice {
        let moves = report::moves(
            &self.tree,
            position.variant().geometry(),
            self.params.choice,
        );
        let best: Option<&MoveReport> = moves.first();
        let proven = self.tree.node(ROOT).proof();
        let best_value = best.map_or(Value::Guess(0.5), |report| report.value);
        Choice {
            best: best
                .map(|report| report.cell)
                .or_else(|| first_legal(position)),
            value: proven.unwrap_or(best_value),
            effort: Effort {
                simulations: progress.simulations,
                nodes: self.tree.used() as u64,
                depth: None,
                memory_bytes: self.tree.memory_bytes(),
                time: progress.clock.map(|(start, _)| start.elapsed()),
            },
            moves,
        }
    }
}

/// So large a part of the memory is for telling which positions are there already.
const TWINS: usize = 16;
/// Bytes for that of a simulation: a short search needs no large table.
const TWIN_BYTES: usize = 64;

/// A tree is looked through for a position at most this many plies later.
const MOST_PLIES_BETWEEN: usize = 4;

fn first_legal(position: &Position) -> Option<Cell> {
    position.legal_moves().first().copied()
}

fn stage(position: &Position) -> Stage {
    Stage {
        plies: position.plies(),
        capacity: position.variant().geometry().capacity(),
    }
}
