//! What our own program does as a child of the arena, before it reads any other argument.

use super::library;
use crate::system;
use std::ffi::OsString;
use std::process::ExitCode;

/// Watches over a player's processes and ends them all together.
pub(crate) const SUPERVISE: &str = "supervise-player";
/// Fences itself in and becomes the player.
pub(crate) const CONFINE: &str = "confine-player";
/// Loads one of the course's libraries and speaks for it.
pub(super) const HOST_LIBRARY: &str = "host-library";

/// The exit code of this process if it was started as a child of the arena; `None` otherwise.
///
/// A program that holds foreign players calls this first, before it starts
/// threads or changes how signals are handled: the arena starts the same
/// program again to supervise and to confine them. `arguments` are those after
/// the program's name.
pub fn run_as_child(arguments: &[OsString]) -> Option<ExitCode> {
    let (word, rest) = arguments.split_first()?;
    match word.to_str()? {
        SUPERVISE => Some(system::supervise(rest)),
        CONFINE => Some(system::confine(rest)),
        HOST_LIBRARY => Some(library::host(rest)),
        _ => None,
    }
}
