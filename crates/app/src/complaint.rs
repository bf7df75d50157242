//! What is said when a command can't be done: always one line.

use std::io;

/// One line for arguments that make no sense.
pub(crate) fn of_arguments(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let reasons = text.lines().take_while(|line| !line.starts_with("Usage:"));
    one_line(reasons)
}

/// One line for a command that failed: the error and its causes.
pub(crate) fn of_command(error: &anyhow::Error) -> String {
    one_line(format!("error: {error:#}").lines())
}

/// Whether a command failed only because nobody reads its output any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn one_line<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .fold(String::new(), |mut all, line| {
            if !all.is_empty() {
                all.push_str(if all.ends_with(':') { " " } else { "; " });
            }
            all + line
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_lines_become_one() {
        let lines = ["error: these are missing:", "  <A>", "", "  tip: say A"];
        assert_eq!(
            one_line(lines.into_iter()),
            "error: these are missing: <A>; tip: say A"
        );
    }

    #[test]
    fn a_closed_pipe_is_found_below_other_causes() {
        let cause = io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_closed_pipe(
            &anyhow::Error::from(cause).context("while drawing")
        ));
        let other = io::Error::from(io::ErrorKind::NotFound);
        assert!(!is_closed_pipe(&anyhow::Error::from(other)));
    }
}
