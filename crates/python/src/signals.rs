//! Ctrl-C during long work: Python hears of signals only when it is asked to.

use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How often Python is asked whether a signal came.
pub(crate) const CHECK: Duration = Duration::from_millis(50);

/// Asks Python for signals, seldom enough to cost nothing.
pub(crate) struct Signals {
    next: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Self {
            next: Instant::now() + CHECK,
            raised: None,
        }
    }

    /// Breaks when a signal's handler raised; to be called without the GIL.
    pub(crate) fn check(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        if now < self.next {
            return ControlFlow::Continue(());
        }
        self.next = now + CHECK;
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.raised = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// What a handler raised, `KeyboardInterrupt` as a rule.
    pub(crate) fn result(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}
