//! The binary `stoneline`: reads the command line, runs one command, and turns
//! what came of it into an exit code.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | done, and the verdict is negative: a mismatch, a failed check |
//! | 2 | bad input or trouble, told in one line on stderr |
//! | 130 | interrupted |
//!
//! Everything is written through `io::Write`, never `println!`: a reader that
//! closes the pipe ends the command quietly instead of by a panic.

mod analyse;
mod args;
mod bench;
mod book;
mod codes;
mod complaint;
mod completions;
mod config;
mod engine;
mod experiment;
mod export;
mod games;
mod interrupt;
mod log;
mod matches;
mod opponent;
mod play;
mod progress;
mod puzzles;
mod report;
mod serve;
mod settings;
mod solve;
mod stored;
mod study;
mod terminal;
mod tournament;
mod train;
mod tune;
mod version;
mod written;

use clap::Parser;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// What a command found that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// All is well.
    Positive,
    /// Something that was to hold does not.
    Negative,
    /// Ctrl-C ended it early, with what was found so far.
    Interrupted,
}

const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(code) = stoneline_arena::run_as_child(&arguments) {
        return code;
    }
    interrupt::install();
    let cli = match args::Cli::try_parse_from(args::given()) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return refuse(&complaint::of_arguments(&error)),
        Err(help) => {
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    let mut out = io::stdout().lock();
    let verdict = cli.run(&mut out);
    tracing::info!(?verdict, "done");
    match verdict.and_then(|verdict| Ok(out.flush().map(|()| verdict)?)) {
        Ok(Verdict::Positive) => ExitCode::SUCCESS,
        Ok(Verdict::Negative) => ExitCode::from(1),
        Ok(Verdict::Interrupted) => ExitCode::from(interrupt::CODE),
        Err(error) if complaint::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => refuse(&complaint::of_command(&error)),
    }
}

fn refuse(line: &str) -> ExitCode {
    // Nobody is left to tell when stderr is closed too.
    let _ = writeln!(io::stderr(), "{line}");
    ExitCode::from(TROUBLE)
}
