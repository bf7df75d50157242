//! The command line: which commands exist. What each takes is in its own file.

use crate::log::Log;
use crate::settings::Settings;
use crate::{
    Verdict, analyse, bench, book, completions, config, engine, experiment, export, games, matches,
    play, puzzles, report, serve, solve, tournament, train, tune, version,
};
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  stoneline                        the page: play, watch and analyse in the browser
  stoneline play                   Connect Four in the terminal
  stoneline play gomoku --second   five in a row on 15x15; the engine opens
  stoneline analyse connect4 4453  what each move is worth
  stoneline match kaggle-negamax random --games 20
  stoneline solve connect4 444444  exact values of every move
  stoneline bench                  how fast this machine plays
  stoneline help play              all about a command

Games: connect4, connectx:ROWSxCOLSxK, course, course:ROWSxCOLS@ROW,COL, gomoku,
gomoku:N, standard, renju, caro, mnk:ROWSxCOLSxK, gobang.

Exit codes: 0 done, 1 negative verdict, 2 bad input, 130 interrupted.";

/// The arguments of this process.
///
/// Gomocup's managers start a program called `pbrain-NAME` without any; it speaks their protocol.
pub(crate) fn given() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    let program = arguments.first().map(Path::new).and_then(Path::file_name);
    let is_brain = program.is_some_and(|name| name.to_string_lossy().starts_with("pbrain-"));
    if is_brain && arguments.len() == 1 {
        arguments.extend(["engine", "gomocup"].map(OsString::from));
    }
    arguments
}

/// Plays k-in-a-row games: Connect Four and its kin, Gomoku, renju, caro.
///
/// Without a command it serves its page to the browsers of this machine, as `stoneline serve` does.
#[derive(Parser)]
#[command(name = "stoneline", version, long_version = version::text(), after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Defaults from this file, not from the usual ones: `stoneline config --help` tells them
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Tell what is done: a level (error, warn, info, debug, trace) on stderr, else a file
    #[arg(long, global = true, value_name = "LEVEL|FILE")]
    log: Option<Log>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Play(play::Args),
    Analyse(analyse::Args),
    Match(Box<matches::Args>),
    Tournament(tournament::Args),
    Experiment(experiment::Args),
    Report(report::Args),
    Games(games::Args),
    Engine(engine::Args),
    Export(export::Args),
    Solve(solve::Args),
    Bench(bench::Args),
    Puzzles(puzzles::Args),
    Book(book::Args),
    Train(train::Args),
    Tune(tune::Args),
    Config(config::Args),
    Completions(completions::Args),
    Man(completions::ManArgs),
}

impl Cli {
    /// What the chosen command found, its results written to `out`.
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if let Some(log) = &self.log {
            log.start()?;
        }
        // Only commands with defaults look for them: a broken file stops no other.
        let settings = || Settings::load(self.config.as_deref());
        match self.command {
            None => serve::run(&serve::Args::default(), &settings()?, out),
            Some(Command::Serve(args)) => serve::run(&args, &settings()?, out),
            Some(Command::Play(args)) => {
                if self.log.as_ref().is_some_and(Log::is_on_stderr) {
                    args.refuse_screen()?;
                }
                play::run(&args, &settings()?, out)
            }
            Some(Command::Analyse(args)) => analyse::run(&args, &settings()?, out),
            Some(Command::Config(args)) => config::run(&args, &settings()?, out),
            Some(Command::Completions(args)) => completions::run(&args, out),
            Some(Command::Man(args)) => completions::man(&args),
            Some(Command::Match(args)) => matches::run(&args, &settings()?, out),
            Some(Command::Tournament(args)) => tournament::run(&args, out),
            Some(Command::Experiment(args)) => experiment::run(&args, out),
            Some(Command::Report(args)) => report::run(&args, out),
            Some(Command::Games(args)) => games::run(&args, &settings()?, out),
            Some(Command::Engine(args)) => engine::run(&args, &settings()?, out),
            Some(Command::Export(args)) => export::run(&args, out),
            Some(Command::Solve(args)) => solve::run(&args, &settings()?, out),
            Some(Command::Bench(args)) => bench::run(&args, out),
            Some(Command::Puzzles(args)) => puzzles::run(&args, out),
            Some(Command::Book(args)) => book::run(&args, &settings()?, out),
            Some(Command::Train(args)) => train::run(&args, &settings()?, out),
            Some(Command::Tune(args)) => tune::run(&args, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string);
            assert!(
                help.is_some_and(|help| help.contains("Examples:")),
                "{} shows no examples",
                command.get_name()
            );
        }
    }
}
