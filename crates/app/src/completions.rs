//! `stoneline completions` and `stoneline man`: what shells and `man` know of the command line,
//! from the same definitions that read it.

use crate::Verdict;
use crate::args::Cli;
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  stoneline completions bash > stoneline.bash
  stoneline completions zsh > _stoneline
  stoneline completions fish > stoneline.fish

For bash: source the file in ~/.bashrc, or put it into
~/.local/share/bash-completion/completions/stoneline. For zsh: into a folder of
$fpath. For fish: into ~/.config/fish/completions.";

/// Write a shell's completions to stdout
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Writes the completions of a shell.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let mut command = Cli::command();
    // Into memory first: the generator panics when its reader leaves.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "stoneline", &mut text);
    out.write_all(&text)?;
    Ok(Verdict::Positive)
}

const MAN_EXAMPLES: &str = "\
Examples:
  stoneline man man1 && ls man1/stoneline-play.1";

/// Write the manual pages into a folder
#[derive(clap::Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// The folder; made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes a page for every command.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<Verdict> {
    let name = || format!("{}", args.folder.display());
    fs::create_dir_all(&args.folder).with_context(name)?;
    clap_mangen::generate_to(Cli::command(), &args.folder).with_context(name)?;
    Ok(Verdict::Positive)
}
