//! What a search says while it goes on and at its end, and the iterator over it.
//!
//! The search runs on a thread of its own that never touches Python. Whoever
//! iterates gets the newest state; states that nobody fetched in time are
//! skipped. Dropping the iterator ends the search.

use crate::moves::Move;
use crate::signals::CHECK;
use crate::value::Value;
use pyo3::exceptions::{PyRuntimeError, PyStopIteration};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use stoneline_rules::Variant;
use stoneline_search::{Choice, Effort, Event};

/// What is known about one move.
#[pyclass(module = "stoneline", frozen)]
pub(crate) struct MoveReport {
    variant: Variant,
    inner: stoneline_search::MoveReport,
}

#[pymethods]
impl MoveReport {
    /// The move.
    #[getter]
    fn r#move(&self) -> Move {
        Move::of(&self.variant, self.inner.cell)
    }

    /// What it is worth to the side that plays it.
    #[getter]
    fn value(&self) -> Value {
        Value(self.inner.value)
    }

    /// Simulations that went through it; 0 in engines that do not simulate.
    #[getter]
    fn visits(&self) -> u64 {
        self.inner.visits
    }

    /// The expected continuation, this move first.
    #[getter]
    fn line(&self) -> Vec<Move> {
        Move::list(&self.variant, &self.inner.line)
    }

    /// The report as plain data, a row of a table.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("move", self.r#move())?;
        dict.update(self.value().as_dict(py)?.as_mapping())?;
        dict.set_item("visits", self.visits())?;
        dict.set_item("line", self.line())?;
        Ok(dict)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let played = self.r#move().into_pyobject(py)?.repr()?;
        Ok(format!(
            "MoveReport({played}, {})",
            Value(self.inner.value).__str__()
        ))
    }
}

/// How a search stands, or what it came to.
///
/// >>> analysis = Engine("mcts", simulations=5000, seed=1).analyse(Position("connect4")).last()
/// >>> analysis.final, analysis.best, analysis.simulations >= 5000
/// (True, 3, True)
/// >>> sorted(report.move for report in analysis.moves)
/// [0, 1, 2, 3, 4, 5, 6]
#[pyclass(module = "stoneline", frozen)]
pub(crate) struct Analysis {
    pub(crate) variant: Variant,
    pub(crate) choice: Choice,
    pub(crate) is_final: bool,
}

impl Analysis {
    /// The state that an event tells.
    pub(crate) fn of_event(variant: Variant, event: &Event<'_>) -> Self {
        Self {
            variant,
            choice: Choice {
                best: event.moves.first().map(|report| report.cell),
                value: event.value,
                moves: event.moves.to_vec(),
                effort: event.effort.clone(),
            },
            is_final: false,
        }
    }

    const fn effort(&self) -> &Effort {
        &self.choice.effort
    }
}

#[pymethods]
impl Analysis {
    /// The move to play.
    #[getter]
    fn best(&self) -> Option<Move> {
        self.choice.best.map(|cell| Move::of(&self.variant, cell))
    }

    /// What the position is worth to the side to move.
    #[getter]
    fn value(&self) -> Value {
        Value(self.choice.value)
    }

    /// What is known about each move that was looked at, best first.
    #[getter]
    fn moves(&self) -> Vec<MoveReport> {
        let reports = self.choice.moves.iter();
        reports
            .map(|report| MoveReport {
                variant: self.variant,
                inner: report.clone(),
            })
            .collect()
    }

    /// The expected continuation, the best move first.
    #[getter]
    fn line(&self) -> Vec<Move> {
        Move::list(&self.variant, self.choice.line())
    }

    /// Positions searched or tree nodes made.
    #[getter]
    fn nodes(&self) -> u64 {
        self.effort().nodes
    }

    /// Simulations, in engines that simulate.
    #[getter]
    fn simulations(&self) -> u64 {
        self.effort().simulations
    }

    /// Plies to which the search looked, where it knows.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.effort().depth
    }

    /// Seconds spent; None where no clock bounds the search.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.effort().time.map(|time| time.as_secs_f64())
    }

    /// Bytes held by trees and tables.
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.effort().memory_bytes
    }

    /// Whether the search is over and this its result.
    #[getter]
    fn r#final(&self) -> bool {
        self.is_final
    }

    /// All of it as plain data; its "moves" make a table.
    ///
    /// >>> data = Engine("mcts", simulations=100).analyse(Position("connect4")).last().as_dict()
    /// >>> sorted(data["moves"][0])
    /// ['kind', 'line', 'move', 'plies', 'visits', 'win_rate']
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("best", self.best())?;
        dict.set_item("value", self.value().as_dict(py)?)?;
        let moves = self.moves();
        let rows: PyResult<Vec<_>> = moves.iter().map(|report| report.as_dict(py)).collect();
        dict.set_item("moves", rows?)?;
        dict.set_item("line", self.line())?;
        dict.set_item("nodes", self.nodes())?;
        dict.set_item("simulations", self.simulations())?;
        dict.set_item("depth", self.depth())?;
        dict.set_item("time", self.time())?;
        dict.set_item("final", self.is_final)?;
        Ok(dict)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let best = self.best().into_pyobject(py)?.repr()?;
        let value = Value(self.choice.value).__str__();
        Ok(format!(
            "Analysis(best={best}, value='{value}', final={})",
            if self.is_final { "True" } else { "False" }
        ))
    }
}

/// What the searching thread sends: states, the last of them final, or why there is none.
pub(crate) type News = Result<Analysis, String>;

/// The progress of a search: an iterator of Analysis, the last one final.
///
/// Leaving the loop, or stop(), ends the search.
///
/// >>> for analysis in Engine("mcts", time=5.0).analyse(Position("connect4 44")):
/// ...     if analysis.simulations > 1000:
/// ...         break
/// >>> analysis.best
/// 3
#[pyclass(module = "stoneline", frozen)]
pub(crate) struct AnalysisIterator {
    pub(crate) receive: Mutex<Receiver<News>>,
    pub(crate) stop: Arc<AtomicBool>,
}

#[pymethods]
impl AnalysisIterator {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Analysis> {
        loop {
            let news = py.detach(|| {
                let receive = self.receive.lock().unwrap_or_else(PoisonError::into_inner);
                let first = receive.recv_timeout(CHECK)?;
                // The newest state says all that older ones did.
                Ok(receive.try_iter().last().unwrap_or(first))
            });
            match news {
                Ok(Ok(analysis)) => return Ok(analysis),
                Ok(Err(reason)) => return Err(PyRuntimeError::new_err(reason)),
                Err(RecvTimeoutError::Disconnected) => return Err(PyStopIteration::new_err(())),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }

    /// Ends the search; the states that are left end with a final one.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for the end of the search: its final Analysis.
    ///
    /// >>> Engine("best").analyse(Position("connect4 4455")).last().value.kind
    /// 'win'
    fn last(&self, py: Python<'_>) -> PyResult<Analysis> {
        loop {
            let analysis = self.__next__(py)?;
            if analysis.is_final {
                return Ok(analysis);
            }
        }
    }
}

impl Drop for AnalysisIterator {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
