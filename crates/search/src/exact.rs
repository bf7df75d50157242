//! `solver`: the exact solver as an engine.
//!
//! Every value it tells is proven; where the limits end before the proof, the
//! value is a guess of one half and the move keeps what is proven.

use crate::clock::{Overage, Stage, budget};
use crate::engine::{Choice, Effort, Engine, Event, MoveReport};
use crate::limits::Limits;
use crate::params::{SettingError, Tunable, params};
use crate::registry::{BuildError, Recipe};
use crate::solve::{Book, Bounds, Question, SolveError, SolveLimits, Solver, plies_to_end};
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use stoneline_rules::{Position, Variant};

params! {
    /// What steers `solver`.
    pub(crate) struct SolverParams {
        /// Tell what every move is worth, not only the best one.
        all_moves: bool = false, ..;
    }
}

/// Memory for the table when the limits name none.
const MEMORY_BYTES: usize = 64 << 20;
/// The least with which a solver still works.
const LEAST_BYTES: usize = 1 << 20;
/// How often the watcher is asked whether to go on.
const WATCH_EVERY: Duration = Duration::from_millis(100);

impl Recipe for SolverParams {
    fn tunables(&self) -> Vec<Tunable> {
        Self::tunables(self)
    }

    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        Self::set(self, key, text)
    }

    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        Ok(Box::new(Exact::new(variant, self.clone())?))
    }
}

/// The exact solver, its table kept from move to move.
pub(crate) struct Exact {
    params: SolverParams,
    variant: Variant,
    solver: Solver,
    /// Bytes and threads of `solver`.
    size: (usize, usize),
}

impl Exact {
    pub(crate) fn new(variant: &Variant, params: SolverParams) -> Result<Self, BuildError> {
        let solver = make_solver(variant, LEAST_BYTES, 1).map_err(|_| BuildError::Unsuitable {
            engine: "solver",
            variant: *variant,
            needs: "falling stones and a board of at most 192 bits, its guard row included",
        })?;
        Ok(Self {
            params,
            variant: *variant,
            solver,
            size: (LEAST_BYTES, 1),
        })
    }

    /// Makes the table as large as the limits allow, or as the machine can.
    fn resize(&mut self, limits: &Limits) {
        let bytes = limits.memory_bytes.unwrap_or(MEMORY_BYTES);
        let wanted = (bytes.max(LEAST_BYTES), limits.threads.unwrap_or(1).max(1));
        if wanted == self.size {
            return;
        }
        // The old table goes first: there may not be room for two.
        if let Ok(small) = make_solver(&self.variant, LEAST_BYTES, 1) {
            (self.solver, self.size) = (small, (LEAST_BYTES, 1));
        }
        let sizes = std::iter::successors(Some(wanted.0), |bytes| Some(bytes / 2));
        let made = sizes
            .take_while(|&bytes| bytes >= LEAST_BYTES)
            .find_map(|bytes| make_solver(&self.variant, bytes, wanted.1).ok());
        if let Some(solver) = made {
            self.solver = solver;
            self.size = wanted;
        }
    }
}

fn make_solver(variant: &Variant, bytes: usize, threads: usize) -> Result<Solver, SolveError> {
    let mut solver = Solver::new(variant, bytes, threads)?;
    if is_connect4(variant) {
        solver.use_book(Book::connect4());
    }
    Ok(solver)
}

/// Whether the embedded book is of this game.
pub(crate) fn is_connect4(variant: &Variant) -> bool {
    variant.to_string() == "connect4"
}

impl Engine for Exact {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        self.resize(limits);
        let stop = AtomicBool::new(false);
        let (done, finished) = channel();
        let (params, solver, size) = (&self.params, &mut self.solver, self.size);
        let choice = std::thread::scope(|scope| {
            scope.spawn(|| {
                // The receiver waits until this arrives.
                let _ = done.send(find(solver, params, position, limits, &stop));
            });
            let effort = Effort {
                memory_bytes: size.0,
                ..Effort::default()
            };
            loop {
                match finished.recv_timeout(WATCH_EVERY) {
                    Ok(choice) => return choice,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
                let event = Event {
                    value: Value::Guess(0.5),
                    moves: &[],
                    effort: &effort,
                };
                if watch(event).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let mut choice = choice.expect("the solver was built for this game, which goes on");
        choice.effort.memory_bytes = size.0;
        choice
    }

    fn forget(&mut self) {
        self.solver.clear();
    }
}

/// The perfect move with its value and line; `None` only for a position of another game.
fn find(
    solver: &mut Solver,
    params: &SolverParams,
    position: &Position,
    limits: &Limits,
    stop: &AtomicBool,
) -> Option<Choice> {
    let stage = Stage {
        plies: position.plies(),
        capacity: position.variant().geometry().capacity(),
    };
    let limits = SolveLimits {
        nodes: limits.work(),
        time: budget(limits, stage, Overage::Even),
        stop: Some(stop),
    };
    let perfect = solver.perfect_move(position, &limits).ok()?;
    let mut nodes = perfect.nodes;
    let mut moves = vec![MoveReport {
        cell: perfect.cell,
        value: value(perfect.bounds, stage),
        visits: 0,
        line: vec![perfect.cell],
    }];
    if params.all_moves {
        let (all, spent) = solver
            .solve_moves(position, Question::Score, &limits)
            .ok()?;
        nodes += spent;
        let others = all.into_iter().filter(|one| one.cell != perfect.cell);
        moves.extend(others.map(|one| MoveReport {
            cell: one.cell,
            value: value(one.bounds, stage),
            visits: 0,
            line: vec![one.cell],
        }));
        moves[1..].sort_by(|one, other| other.value.compare(one.value));
    }
    Some(Choice {
        best: Some(perfect.cell),
        value: moves[0].value,
        moves,
        effort: Effort {
            nodes,
            ..Effort::default()
        },
    })
}

/// The value that proven bounds of a score stand for.
fn value(bounds: Bounds, stage: Stage) -> Value {
    let plies = |score| {
        let plies = plies_to_end(score, stage.plies, stage.capacity);
        plies.map_or(0, |plies| plies as u16)
    };
    match bounds {
        Bounds { low, .. } if low > 0 => Value::Win { plies: plies(low) },
        Bounds { high, .. } if high < 0 => Value::Loss { plies: plies(high) },
        Bounds { low: 0, high: 0 } => Value::Draw,
        _ => Value::Guess(0.5),
    }
}
