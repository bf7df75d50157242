//! Help: there for every command, and true.

use crate::run::{shell, stoneline};

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

#[test]
fn the_examples_of_slow_and_fast_commands_work_as_printed() {
    let mut helps = vec![stoneline("--help", "").stdout];
    helps.extend(
        commands()
            .iter()
            .map(|name| stoneline(&format!("{name} --help"), "").stdout),
    );
    let lines: Vec<String> = helps.iter().flat_map(|help| examples(help)).collect();
    assert!(lines.len() >= 7, "{lines:?}");
    for line in lines {
        let run = shell(&line);
        assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
        assert_eq!(run.stderr, "", "{line}");
    }
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
