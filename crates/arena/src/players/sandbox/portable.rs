//! Where there is no fence: the player runs bare and is ended alone.

use super::super::command::CommandLine;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, ExitCode};

/// The command that runs a player, not yet started.
pub(in super::super) fn supervised(line: &CommandLine, scratch: &Path) -> Command {
    let mut command = Command::new(&line.words[0]);
    command.args(&line.words[1..]).env("TMPDIR", scratch);
    command
}

/// Ends a player.
pub(in super::super) fn end(player: &mut Child) {
    let _ = player.kill();
    let _ = player.wait();
}

/// Never started here.
pub(in super::super) fn supervise(_: &[OsString]) -> ExitCode {
    ExitCode::FAILURE
}

/// Never started here.
pub(in super::super) fn confine(_: &[OsString]) -> ExitCode {
    ExitCode::FAILURE
}

/// What can't be kept from a player: anything.
pub(super) fn missing() -> Vec<&'static str> {
    vec![
        "writing files",
        "using the network",
        "taking memory",
        "leaving processes behind",
    ]
}
