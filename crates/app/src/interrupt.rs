//! Ctrl-C: ends the program at once, unless a command asked to end by itself.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of an interrupted program.
pub(crate) const CODE: u8 = 130;

static EXPECTED: AtomicBool = AtomicBool::new(false);
static ARRIVED: AtomicBool = AtomicBool::new(false);

/// Takes over Ctrl-C for the whole program.
pub(crate) fn install() {
    // Without a handler the default action stands, and the shell reports 130 as well.
    let _ = ctrlc::set_handler(|| {
        let again = ARRIVED.swap(true, Ordering::Relaxed);
        if again || !EXPECTED.load(Ordering::Relaxed) {
            // Not to stdout: the command that is interrupted holds its lock.
            let _ = writeln!(io::stderr());
            std::process::exit(CODE.into());
        }
    });
}

/// From now on the first Ctrl-C is left to the command, which asks [`arrived`]; a second ends all.
pub(crate) fn expect() {
    EXPECTED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
pub(crate) fn arrived() -> bool {
    ARRIVED.load(Ordering::Relaxed)
}

/// Raised by Ctrl-C, for those who watch a flag; the first is left to them, as by [`expect`].
pub(crate) fn flag() -> &'static AtomicBool {
    expect();
    &ARRIVED
}
