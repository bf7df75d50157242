//! `Engine`: any engine of the registry, kept warm between calls.
//!
//! An engine does one thing at a time: its searches share one lock, taken
//! without the GIL, and a new call ends an analysis that is still going on.

use crate::analysis::{Analysis, AnalysisIterator};
use crate::moves::{Move, refused};
use crate::position::Position;
use crate::signals::Signals;
use crate::solution::Solution;
use pyo3::exceptions::{PyRuntimeError, PyTimeoutError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use stoneline_rules::Variant;
use stoneline_search::solve::{Book, Question, SolveLimits, Solver};
use stoneline_search::{Choice, Event, Limits, Spec};

/// Time for a move where nothing bounds it.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Memory of the exact solver where nobody says.
const SOLVER_BYTES: usize = 64 << 20;

/// Every engine by name, with what it is in a few words.
///
/// >>> "best" in engines()
/// True
#[pyfunction]
pub(crate) fn engines(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let names = PyDict::new(py);
    for entry in stoneline_search::engines() {
        names.set_item(entry.name(), entry.about())?;
    }
    Ok(names)
}

/// An engine by name, with limits for each move.
///
/// The name is that of the command line, NAME[:key=value,...]; engines() lists
/// them. Limits are time (seconds), nodes, simulations, threads, memory (bytes
/// or "64MB") and seed; without time, nodes and simulations a move takes one
/// second. Any other key of the engine is a keyword as well.
///
/// >>> engine = Engine("best", time=1.0)
/// >>> engine.best_move(Position("connect4 4444"))
/// 3
/// >>> Engine("mcts", exploration=0.5, simulations=1000)
/// Engine('mcts:exploration=0.5,simulations=1000')
/// >>> Engine("bset")
/// Traceback (most recent call last):
///     ...
/// ValueError: character 1: unknown engine "bset"; did you mean best?
#[pyclass(module = "stoneline", frozen)]
pub(crate) struct Engine {
    text: String,
    spec: Arc<Spec>,
    limits: Limits,
    state: Arc<Mutex<State>>,
    /// Ends the analysis that was begun last.
    analysis: Mutex<Arc<AtomicBool>>,
}

/// What is kept between calls.
#[derive(Default)]
struct State {
    engine: Option<(Variant, Box<dyn stoneline_search::Engine>)>,
    solver: Option<(Variant, Solver)>,
}

impl State {
    /// The engine's choice; a panic in it costs its memory alone.
    fn think(
        &mut self,
        spec: &Spec,
        position: &stoneline_rules::Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Choice, String> {
        let variant = position.variant();
        let built = match self.engine.take() {
            Some((game, engine)) if game == *variant => Ok(engine),
            _ => spec.build(variant),
        };
        let mut engine = built.map_err(|error| error.to_string())?;
        let think = AssertUnwindSafe(|| engine.think(position, limits, watch));
        let choice = catch_unwind(think).map_err(|_| "the engine panicked".to_owned())?;
        self.engine = Some((*variant, engine));
        Ok(choice)
    }

    fn solver(&mut self, variant: &Variant, limits: &Limits) -> Result<&mut Solver, String> {
        let solver = match self.solver.take() {
            Some((game, solver)) if game == *variant => solver,
            _ => {
                let bytes = limits.memory_bytes.unwrap_or(SOLVER_BYTES);
                let mut solver = Solver::new(variant, bytes, limits.threads.unwrap_or(1))
                    .map_err(|error| error.to_string())?;
                if variant.to_string() == "connect4" {
                    solver.use_book(Book::connect4());
                }
                solver
            }
        };
        Ok(&mut self.solver.insert((*variant, solver)).1)
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (name = "best", **options))]
    fn new(name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut limits = Limits::default();
        let mut own = Vec::new();
        let mut all = Vec::new();
        for (key, value) in options.into_iter().flatten() {
            let key = key.cast::<PyString>()?.to_cow()?.into_owned();
            if value.is_none() {
                continue;
            }
            let text = setting(&key, &value)?;
            all.push(format!("{key}={text}"));
            if !limits.set(&key, &text).map_err(refused)? {
                own.push(format!("{key}={text}"));
            }
        }
        let spec: Spec = joined(name, &own).parse().map_err(refused)?;
        let limits = spec.limits().or(&limits);
        Ok(Self {
            text: joined(name, &all),
            spec: Arc::new(spec),
            limits,
            state: Arc::default(),
            analysis: Mutex::default(),
        })
    }

    /// The engine's name and all its settings, as the command line writes them.
    #[getter]
    pub(crate) fn name(&self) -> &str {
        &self.text
    }

    /// The move that the engine would play.
    ///
    /// >>> Engine("best").best_move(Position("gomoku h8"), time=0.1) in Position("gomoku h8").legal_moves()
    /// True
    #[pyo3(signature = (position, *, time = None, nodes = None, simulations = None))]
    fn best_move(
        &self,
        py: Python<'_>,
        position: PyRef<'_, Position>,
        time: Option<f64>,
        nodes: Option<u64>,
        simulations: Option<u64>,
    ) -> PyResult<Move> {
        let limits = self.limits_of(time, nodes, simulations)?;
        // A copy, so that another thread may go on playing.
        let at = position.inner().clone();
        drop(position);
        refuse_finished(&at)?;
        self.end_analysis();
        let mut signals = Signals::new();
        let choice = py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.think(&self.spec, &at, &limits, &mut |_| signals.check())
        });
        signals.result()?;
        let best = choice.map_err(refused)?.best;
        let best = best.ok_or_else(|| PyRuntimeError::new_err("the engine named no move"))?;
        Ok(Move::of(at.variant(), best))
    }

    /// How a search goes: an iterator of Analysis, newest state first to come, a final one last.
    ///
    /// With time=math.inf the search goes on until the loop is left or all is proven.
    ///
    /// >>> states = list(Engine("alphabeta", nodes=20000).analyse(Position("connectx:9x9x4")))
    /// >>> [state.final for state in states].count(True), states[-1].final
    /// (1, True)
    #[pyo3(signature = (position, *, time = None, nodes = None, simulations = None))]
    fn analyse(
        &self,
        position: PyRef<'_, Position>,
        time: Option<f64>,
        nodes: Option<u64>,
        simulations: Option<u64>,
    ) -> PyResult<AnalysisIterator> {
        let limits = self.limits_of(time, nodes, simulations)?;
        let at = position.inner().clone();
        refuse_finished(&at)?;
        let stop = self.end_analysis();
        let (send, receive) = mpsc::channel();
        let (state, spec, raised) = (
            Arc::clone(&self.state),
            Arc::clone(&self.spec),
            Arc::clone(&stop),
        );
        std::thread::spawn(move || {
            let variant = *at.variant();
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let choice = state.think(&spec, &at, &limits, &mut |event| {
                let heard = send.send(Ok(Analysis::of_event(variant, &event)));
                if heard.is_err() || raised.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            // Nobody may be listening any more.
            let _ = send.send(choice.map(|choice| Analysis {
                variant,
                choice,
                is_final: true,
            }));
        });
        Ok(AnalysisIterator {
            receive: Mutex::new(receive),
            stop,
        })
    }

    /// The exact score of every legal move, to the side that plays it.
    ///
    /// For games whose stones fall. Raises TimeoutError when the limits end the
    /// search before all is proven.
    ///
    /// >>> Engine("solver").score_all_moves(Position("connect4"))
    /// {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2}
    #[pyo3(signature = (position, *, time = None, nodes = None))]
    fn score_all_moves<'py>(
        &self,
        py: Python<'py>,
        position: PyRef<'_, Position>,
        time: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let at = position.inner().clone();
        drop(position);
        let limits = self.limits_of(time, nodes, None)?;
        let (moves, _) = self.with_solver(py, &at, &limits, |solver, limits| {
            solver.solve_moves(&at, Question::Score, limits)
        })?;
        let scores = PyDict::new(py);
        for moved in &moves {
            if let Some(score) = moved.bounds.exact() {
                scores.set_item(Move::of(at.variant(), moved.cell), score)?;
            }
        }
        match moves.len() - scores.len() {
            0 => Ok(scores),
            open => Err(PyTimeoutError::new_err(format!(
                "{open} of {} moves are not decided within the limits",
                moves.len()
            ))),
        }
    }

    /// The exact value of a position, or the bounds that were proven within the limits.
    ///
    /// For games whose stones fall.
    ///
    /// >>> Engine("solver").solve(Position("connect4 44444")).outcome
    /// 'loss'
    #[pyo3(signature = (position, *, time = None, nodes = None))]
    fn solve(
        &self,
        py: Python<'_>,
        position: PyRef<'_, Position>,
        time: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<Solution> {
        let at = position.inner().clone();
        drop(position);
        let limits = self.limits_of(time, nodes, None)?;
        let begun = Instant::now();
        self.with_solver(py, &at, &limits, |solver, limits| {
            let solved = solver.solve(&at, Question::Score, limits)?;
            let line = match solved.bounds.exact() {
                Some(score) => {
                    let left = SolveLimits {
                        time: limits.time.map(|time| time.saturating_sub(begun.elapsed())),
                        ..*limits
                    };
                    solver.line(&at, score, &left)?
                }
                None => Vec::new(),
            };
            Ok(Solution::new(&at, solved.bounds, line, solved.nodes))
        })
    }

    /// Drops what the engine kept of earlier searches.
    fn forget(&self, py: Python<'_>) {
        self.end_analysis();
        py.detach(|| {
            *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
        });
    }

    fn __repr__(&self) -> String {
        format!("Engine('{}')", self.text)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.text.clone(),))
    }
}

impl Engine {
    /// The limits of a call: its own, then the engine's, then a second.
    fn limits_of(
        &self,
        time: Option<f64>,
        nodes: Option<u64>,
        simulations: Option<u64>,
    ) -> PyResult<Limits> {
        let endless = time == Some(f64::INFINITY);
        let time = time.filter(|_| !endless).map(seconds).transpose()?;
        let call = Limits {
            time,
            nodes,
            simulations,
            ..Limits::default()
        };
        let mut limits = call.or(&self.limits);
        if endless {
            limits.time = None;
        } else if !limits.has_clock() && limits.nodes.is_none() && limits.simulations.is_none() {
            limits.time = Some(USUAL_TIME);
        }
        Ok(limits)
    }

    /// Ends the analysis that goes on, if any, and gives the flag of the next one.
    fn end_analysis(&self) -> Arc<AtomicBool> {
        let mut last = self.analysis.lock().unwrap_or_else(PoisonError::into_inner);
        last.store(true, Ordering::Relaxed);
        *last = Arc::default();
        Arc::clone(&last)
    }

    /// What `ask` proves, without the GIL; Ctrl-C ends it.
    fn with_solver<T: Send>(
        &self,
        py: Python<'_>,
        at: &stoneline_rules::Position,
        limits: &Limits,
        ask: impl FnOnce(
            &mut Solver,
            &SolveLimits<'_>,
        ) -> Result<T, stoneline_search::solve::SolveError>
        + Send,
    ) -> PyResult<T> {
        refuse_finished(at)?;
        self.end_analysis();
        let stop = AtomicBool::new(false);
        let mut signals = Signals::new();
        let proven = py.detach(|| {
            std::thread::scope(|scope| {
                let work = scope.spawn(|| {
                    let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                    let solver = state.solver(at.variant(), limits)?;
                    let limits = SolveLimits {
                        nodes: limits.nodes,
                        time: limits.time,
                        stop: Some(&stop),
                    };
                    ask(solver, &limits).map_err(|error| error.to_string())
                });
                while !work.is_finished() {
                    std::thread::park_timeout(Duration::from_micros(200));
                    if signals.check().is_break() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                work.join()
            })
        });
        signals.result()?;
        match proven {
            Ok(Ok(proven)) => Ok(proven),
            Ok(Err(error)) => Err(PyValueError::new_err(error)),
            Err(_) => Err(PyRuntimeError::new_err("the solver panicked")),
        }
    }
}

fn refuse_finished(position: &stoneline_rules::Position) -> PyResult<()> {
    match position.outcome() {
        Some(outcome) => Err(PyValueError::new_err(format!(
            "the game is over: {outcome}"
        ))),
        None => Ok(()),
    }
}

fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time)
        .map_err(|_| PyValueError::new_err(format!("time is {time}; expected seconds")))
}

/// The text of a keyword's value; times are seconds in Python.
fn setting(key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if matches!(key, "time" | "reserve") && !value.is_instance_of::<PyString>() {
        return Ok(format!(
            "{}ms",
            seconds(value.extract()?)?.as_secs_f64() * 1e3
        ));
    }
    let is_plain = value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>()
        || value.is_instance_of::<PyString>();
    if !is_plain {
        return Err(PyTypeError::new_err(format!(
            "{key} takes a number or text"
        )));
    }
    // Python's True is a number; the engines' switches are words.
    match value.extract::<bool>() {
        Ok(switch) => Ok(switch.to_string()),
        Err(_) => Ok(value.str()?.to_cow()?.into_owned()),
    }
}

/// `name` with further settings behind those that it has.
fn joined(name: &str, settings: &[String]) -> String {
    if settings.is_empty() {
        return name.to_owned();
    }
    let separator = if name.contains(':') { ',' } else { ':' };
    format!("{name}{separator}{}", settings.join(","))
}
