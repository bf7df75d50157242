//! Runs the binary and catches all that comes of it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// What came of a run.
pub(crate) struct Finished {
    /// The exit code; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Where the binary is.
pub(crate) fn stoneline_path() -> &'static str {
    env!("CARGO_BIN_EXE_stoneline")
}

/// The binary with `arguments`, separated by blanks.
pub(crate) fn command(arguments: &str) -> Command {
    let mut command = Command::new(stoneline_path());
    command
        .args(arguments.split_whitespace())
        // No defaults of whoever runs the tests.
        .env("STONELINE_CONFIG", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the binary with `arguments`, separated by blanks, and `input` on stdin.
pub(crate) fn stoneline(arguments: &str, input: impl AsRef<[u8]>) -> Finished {
    finish(command(arguments), input.as_ref())
}

/// Runs a line of shell in which `stoneline` is the binary, without input, in an empty folder.
pub(crate) fn shell(line: &str) -> Finished {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut command = Command::new("bash");
    command.current_dir(folder.path());
    let function = format!("stoneline() {{ {:?} \"$@\"; }}", stoneline_path());
    command
        .args(["-c", &format!("set -o pipefail\n{function}\n{line}")])
        .env("STONELINE_CONFIG", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(command, b"")
}

/// Runs a command with `input` on stdin to its end.
pub(crate) fn finish(mut command: Command, input: &[u8]) -> Finished {
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let output = std::thread::scope(|scope| {
        // A command may end before it has read everything.
        scope.spawn(move || {
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the command ends")
    });
    let Output {
        status,
        stdout,
        stderr,
    } = output;
    Finished {
        code: status.code(),
        stdout: String::from_utf8(stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8(stderr).expect("stderr is UTF-8"),
    }
}
