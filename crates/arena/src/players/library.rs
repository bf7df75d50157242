//! The host of a foreign library: loads it, where the system can, and speaks Saiblo's protocol
//! for it.
//!
//! Runs in a process of its own, confined like every foreign player, so that a
//! crash, an `exit`, a hang or a flood is that player's loss. What the library
//! prints goes to stderr, never into the answers.

use crate::system;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// The library can't be loaded.
pub(crate) const CANNOT_LOAD: u8 = 80;
/// The library lacks one of the two functions.
pub(crate) const NO_SYMBOL: u8 = 81;
/// The library returned no point.
pub(crate) const NO_POINT: u8 = 82;

/// Hosts the library that the one argument names, until stdin ends.
pub(super) fn host(arguments: &[OsString]) -> ExitCode {
    match arguments {
        [file] => match system::speak_for_library(file) {
            Ok(()) => ExitCode::SUCCESS,
            Err((code, reason)) => {
                let _ = writeln!(io::stderr(), "{reason}");
                ExitCode::from(code)
            }
        },
        _ => ExitCode::from(CANNOT_LOAD),
    }
}

/// What the exit codes above mean, as a sentence about the library.
pub(super) fn meaning(code: i32) -> Option<&'static str> {
    match u8::try_from(code).ok()? {
        CANNOT_LOAD => Some("the library can't be loaded"),
        NO_SYMBOL => Some("the library has no getPoint or no clearPoint"),
        NO_POINT => Some("the library returned no point"),
        _ => None,
    }
}
