//! Ctrl-C, and a kill that can be caught: ends the program at once, unless a command asked to
//! end by itself.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

/// The exit code of an interrupted program.
pub(crate) const CODE: u8 = 130;

static EXPECTED: AtomicBool = AtomicBool::new(false);
static ARRIVED: AtomicBool = AtomicBool::new(false);
static CALLED: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);
static AT_THE_END: OnceLock<fn()> = OnceLock::new();

/// Takes over Ctrl-C for the whole program.
pub(crate) fn install() {
    // Without a handler the default action stands, and the shell reports 130 as well.
    let _ = ctrlc::set_handler(|| {
        let again = ARRIVED.swap(true, Ordering::Relaxed);
        if again || !EXPECTED.load(Ordering::Relaxed) {
            if let Some(restore) = AT_THE_END.get() {
                restore();
            }
            // Not to stdout: the command that is interrupted holds its lock.
            let _ = writeln!(io::stderr());
            std::process::exit(CODE.into());
        }
        if let Ok(called) = CALLED.lock()
            && let Some(called) = &*called
        {
            called();
        }
    });
}

/// Leaves the first Ctrl-C to the command, as [`expect`] does, and calls `then` when it comes.
pub(crate) fn call(then: impl Fn() + Send + 'static) {
    if let Ok(mut called) = CALLED.lock() {
        *called = Some(Box::new(then));
    }
    expect();
}

/// Calls `restore` before a second Ctrl-C ends all, from a thread that must not wait for stdout:
/// the command that is stuck holds its lock.
pub(crate) fn restore_by(restore: fn()) {
    // There is one screen in a process, and one way to leave it.
    let _ = AT_THE_END.set(restore);
}

/// From now on the first Ctrl-C is left to the command, which asks [`arrived`]; a second ends all.
pub(crate) fn expect() {
    EXPECTED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
pub(crate) fn arrived() -> bool {
    ARRIVED.load(Ordering::Relaxed)
}

/// Goes on until Ctrl-C.
pub(crate) fn unless_arrived() -> ControlFlow<()> {
    if arrived() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Raised by Ctrl-C, for those who watch a flag; the first is left to them, as by [`expect`].
pub(crate) fn flag() -> &'static AtomicBool {
    expect();
    &ARRIVED
}
