//! What Linux alone offers, and what stands in for it elsewhere; no other place asks which system
//! this is.
//!
//! On Linux, in `linux`: the fence around a foreign program and the end of all
//! its processes, the host of foreign libraries, cores of a thread's own.
//! Elsewhere, in `portable`: the program runs bare, is ended alone, and
//! [`missing_protection`] says so. The fence is put up by the player's own
//! process before it becomes the player, so that nothing has to be done
//! between fork and exec.
//!
//! ```text
//! arena -> supervise-player: reaps, and ends all that descends from it
//!            -> confine-player: limits and fences itself, then becomes the player
//! ```

// The fallback is compiled and tried in tests as well: nobody else sees it on Linux.
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
mod portable;

#[cfg(target_os = "linux")]
use linux as own;
#[cfg(not(target_os = "linux"))]
use portable as own;

pub(crate) use own::{
    allowed_cores, confine, end, keep_on_cores, speak_for_library, supervise, supervised,
};

use std::fs::File;
use std::io;

/// Takes the lock of a file until that is closed, however the process ends; `false` if somebody
/// else has it.
#[cfg(unix)]
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(error) if error == rustix::io::Errno::WOULDBLOCK => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Nothing is locked: SQLite alone keeps writers apart, a transaction at a time.
#[cfg(not(unix))]
pub(crate) fn lock(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// What this system can't keep foreign programs from, in a sentence; `None` if it can all that
/// we ask for.
pub fn missing_protection() -> Option<String> {
    let missing = own::missing();
    (!missing.is_empty()).then(|| {
        format!(
            "foreign programs are not kept from {} on this system",
            missing.join(", nor from ")
        )
    })
}
