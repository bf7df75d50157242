//! Bars on stderr with the time left, one look for every command.
//!
//! Where stderr is no terminal nothing is drawn. What is written to stdout
//! meanwhile goes through `suspend`, so that bar and lines never mix.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often a bar is drawn anew though nothing happened: the time left goes on.
const TICK: Duration = Duration::from_millis(500);

/// A bar for so many steps; `set_length` changes them later.
pub(crate) fn bar(steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}  left {eta}  {msg}")
        .expect("the template is well formed");
    let bar = ProgressBar::new(steps).with_style(style);
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
    bar
}

/// Moves a bar on by a step; what was done before this start must not count as speed.
pub(crate) fn count(bar: &ProgressBar, is_new: bool) {
    bar.inc(1);
    if !is_new {
        bar.reset_eta();
    }
}

/// A short time in words: `8 s`, `3 min 20 s`, `2 h 5 min`.
pub(crate) fn words(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_with_two_units_at_most() {
        for (seconds, expected) in [(8, "8 s"), (200, "3 min 20 s"), (7530, "2 h 5 min")] {
            assert_eq!(words(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn nothing_is_drawn_where_nobody_looks() {
        // The tests' stderr is a pipe or a file; on a terminal there is a bar.
        use std::io::IsTerminal;
        assert_eq!(bar(3).is_hidden(), !std::io::stderr().is_terminal());
    }
}
