//! Help: there for every command, and true.

use crate::run::{shell, stoneline};
use crate::serve::Server;
use std::collections::BTreeSet;

/// The names of all commands, from the help itself.
fn commands() -> Vec<String> {
    let help = stoneline("--help", "").stdout;
    let names: Vec<String> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect();
    assert!(names.contains(&"play".to_owned()), "{help}");
    names
}

/// The command lines of `Examples:` in a help text, without their explanations.
fn examples(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Examples:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.trim_start().split("  ").next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_help() {
    for name in commands() {
        let help = stoneline(&format!("{name} --help"), "");
        assert_eq!(help.code, Some(0), "{name}");
        assert!(help.stdout.contains("Usage: stoneline"), "{}", help.stdout);
        assert!(!examples(&help.stdout).is_empty(), "{}", help.stdout);
        assert_eq!(help.stderr, "");
        assert!(
            help.stdout.lines().all(|line| line.chars().count() <= 100),
            "{}",
            help.stdout
        );
    }
}

/// Every example of every help text, once.
fn all_examples() -> BTreeSet<String> {
    let helps = commands().into_iter().map(|name| format!("{name} --help"));
    let lines: BTreeSet<String> = helps
        .chain(["--help".to_owned()])
        .flat_map(|arguments| examples(&stoneline(&arguments, "").stdout))
        .collect();
    assert!(lines.len() >= 7, "{lines:?}");
    lines
}

/// Whether an example takes its time, as measurements do.
fn is_slow(line: &str) -> bool {
    line.contains("stoneline bench")
}

/// Whether an example starts the page's server, which ends only when it is told to.
fn serves(line: &str) -> bool {
    line == "stoneline" || line.starts_with("stoneline serve")
}

fn works_as_printed(line: &str) {
    if serves(line) {
        let line = line.split('#').next().unwrap_or_default();
        let arguments: Vec<&str> = line.split_whitespace().skip(1).collect();
        Server::start(&arguments);
        return;
    }
    let run = shell(line);
    assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
    assert_eq!(run.stderr, "", "{line}");
}

#[test]
fn examples_work_as_printed() {
    let lines = all_examples();
    lines
        .iter()
        .filter(|line| !is_slow(line))
        .for_each(|line| works_as_printed(line));
}

#[test]
fn slow_examples_work_as_printed() {
    let lines = all_examples();
    lines
        .iter()
        .filter(|line| is_slow(line))
        .for_each(|line| works_as_printed(line));
}

#[test]
fn examples_of_the_readme_work_as_printed() {
    let readme = include_str!("../../../../README.md");
    let mut blocks = readme.split("```sh\n").skip(1);
    let lines: Vec<&str> = blocks
        .by_ref()
        .flat_map(|block| block.split("```").next().unwrap_or_default().lines())
        // Building and testing are what leads here.
        .filter(|line| line.contains("stoneline ") && !is_slow(line))
        .collect();
    assert!(lines.len() >= 5, "{lines:?}");
    lines.into_iter().for_each(works_as_printed);
}

#[test]
fn the_version_is_told() {
    let version = stoneline("--version", "");
    assert_eq!(version.code, Some(0));
    assert_eq!(
        version.stdout,
        format!("stoneline {}\n", env!("CARGO_PKG_VERSION"))
    );
}
