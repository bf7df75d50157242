//! Any other system: players run bare and are ended alone, libraries are not hosted, threads stay
//! where the system puts them.

use crate::players::command::CommandLine;
use crate::players::library::CANNOT_LOAD;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Child, Command, ExitCode};

/// The command that runs a player, not yet started.
pub(crate) fn supervised(line: &CommandLine, scratch: &Path) -> Command {
    let mut command = Command::new(&line.words[0]);
    command.args(&line.words[1..]).env("TMPDIR", scratch);
    command
}

/// Ends a player.
pub(crate) fn end(player: &mut Child) {
    let _ = player.kill();
    let _ = player.wait();
}

/// Never started here.
pub(crate) fn supervise(_: &[OsString]) -> ExitCode {
    ExitCode::FAILURE
}

/// Never started here.
pub(crate) fn confine(_: &[OsString]) -> ExitCode {
    ExitCode::FAILURE
}

/// What can't be kept from a player: anything.
pub(crate) fn missing() -> Vec<&'static str> {
    vec![
        "writing files",
        "using the network",
        "taking memory",
        "leaving processes behind",
    ]
}

/// The course's libraries are built for Linux.
pub(crate) fn speak_for_library(_: &OsStr) -> Result<(), (u8, String)> {
    let reason = "shared libraries of the course run on Linux only";
    Err((CANNOT_LOAD, reason.to_owned()))
}

/// None are known.
pub(crate) fn allowed_cores() -> Vec<usize> {
    Vec::new()
}

/// Threads stay where the system puts them.
pub(crate) fn keep_on_cores(_: &[usize]) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::process::Stdio;

    #[test]
    fn a_bare_program_runs_and_is_ended() {
        let line = CommandLine::read("cat").unwrap();
        let mut player = supervised(&line, &std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = player.stdin.take().unwrap();
        told.write_all(b"8,8\n").unwrap();
        let mut answer = [0; 4];
        let mut said = player.stdout.take().unwrap();
        said.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"8,8\n");
        end(&mut player);
        assert_eq!(said.read(&mut answer).unwrap(), 0, "it is gone");
    }

    #[test]
    fn what_is_not_there_is_said_or_left_out() {
        assert_eq!(missing().len(), 4);
        assert_eq!(
            speak_for_library("a.so".as_ref()).unwrap_err().0,
            CANNOT_LOAD
        );
        assert_eq!(supervise(&[]), ExitCode::FAILURE);
        assert_eq!(confine(&[]), ExitCode::FAILURE);
        keep_on_cores(&[0]);
        assert!(allowed_cores().is_empty());
    }
}
