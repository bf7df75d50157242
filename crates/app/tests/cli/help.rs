//! Help: there for every command, and true.

use crate::run::{shell, stoneline};
use crate::serve::Server;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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

/// The blocks of shell in a page, without those that say that they are not run.
fn blocks(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    let mut before = "";
    while let Some(line) = lines.next() {
        if line == "```sh" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            // Installing and building are what leads here.
            let is_ours = block.iter().any(|line| line.contains("stoneline "));
            if is_ours && !before.starts_with("<!-- not run") {
                found.push(block.join("\n"));
            }
        }
        before = line;
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn examples_of_the_readmes_work_as_printed() {
    for name in ["README.md", "README.zh-CN.md"] {
        let readme = fs::read_to_string(root().join(name)).unwrap();
        let blocks = blocks(&readme);
        let lines: Vec<&str> = blocks
            .iter()
            .flat_map(|block| block.lines())
            // Building and testing are what leads here.
            .filter(|line| line.contains("stoneline ") && !is_slow(line))
            .collect();
        assert!(lines.len() >= 5, "{lines:?}");
        lines.into_iter().for_each(works_as_printed);
    }
}

#[test]
fn slow_examples_of_the_guide_work_as_printed() {
    let mut run = 0;
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        for block in blocks(&page) {
            // The lines of a block belong together: what one writes, the next may read.
            let done = shell(&format!("set -e\n{block}"));
            let name = path.display();
            assert_eq!(done.code, Some(0), "{name}:\n{block}\n{}", done.stderr);
            assert_eq!(done.stderr, "", "{name}:\n{block}");
            run += 1;
        }
    }
    assert!(run >= 10, "only {run} blocks were found");
}

#[test]
fn the_guide_has_every_page_and_every_link_leads_somewhere() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut pages = vec![root().join("README.md"), root().join("README.zh-CN.md")];
    for entry in fs::read_dir(&docs).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "md") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_listed = name == "SUMMARY.md" || summary.contains(&format!("({name})"));
            assert!(is_listed, "{name} is not in SUMMARY.md");
            pages.push(path);
        }
    }
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let link = link.split([')', '#']).next().unwrap_or_default();
            let is_local = !link.is_empty() && !link.contains("://");
            let target = page.parent().unwrap().join(link);
            assert!(!is_local || target.exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn the_version_is_told() {
    let name = format!("stoneline {}\n", env!("CARGO_PKG_VERSION"));
    let short = stoneline("-V", "");
    assert_eq!((short.code, short.stdout), (Some(0), name.clone()));
    let long = stoneline("--version", "");
    assert_eq!(long.code, Some(0));
    assert!(long.stdout.starts_with(&name), "{}", long.stdout);
    for part in ["built for ", "this processor has "] {
        assert!(long.stdout.contains(part), "{}", long.stdout);
    }
}
