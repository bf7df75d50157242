//! How the library thinks, and the environment variables that change it.
//!
//! A host shows nobody an error, so what can't be read is passed over in
//! silence and the usual value stays.

use std::ops::RangeInclusive;
use std::sync::OnceLock;
use std::time::Duration;
use stoneline_search::{Limits, Spec};

/// What we would send to a tournament; time that a move leaves over is lost there.
const USUAL_ENGINE: &str = "best:think_on=true";
/// The judge allows 3 s; the rest is for a machine that is busy with others.
const USUAL_MOVE_MS: u64 = 2700;
/// The judge allows 1 GB for the whole process.
const USUAL_MEMORY_MB: u64 = 800;

/// Which engine thinks, and within which limits.
pub(crate) struct Settings {
    /// The engine.
    pub(crate) engine: Spec,
    /// Time, threads and memory for a move.
    pub(crate) limits: Limits,
}

impl Settings {
    /// The settings of this process, read at the first call: a host may change its environment
    /// from any thread while a later call would be reading it.
    pub(crate) fn shared() -> &'static Self {
        static SETTINGS: OnceLock<Settings> = OnceLock::new();
        SETTINGS.get_or_init(|| Self::read(|name| std::env::var(name).ok()))
    }

    /// The engine when another is not asked for, or does not play the game.
    pub(crate) fn usual_engine() -> Spec {
        USUAL_ENGINE
            .parse()
            .expect("the usual engine is in the registry")
    }

    /// The settings with `value` of each variable in place of the usual one.
    pub(crate) fn read(value: impl Fn(&str) -> Option<String>) -> Self {
        let number = |name: &str, range: RangeInclusive<u64>, usual: u64| {
            value(name)
                .and_then(|text| text.trim().parse().ok())
                .filter(|number| range.contains(number))
                .unwrap_or(usual)
        };
        // A day, more threads than cores anywhere, a terabyte: beyond is a slip of the pen.
        let move_ms = number("STONELINE_MOVE_MS", 1..=86_400_000, USUAL_MOVE_MS);
        let threads = number("STONELINE_THREADS", 1..=512, 1);
        let memory_mb = number("STONELINE_MEMORY_MB", 1..=1 << 20, USUAL_MEMORY_MB);
        Self {
            engine: value("STONELINE_ENGINE")
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or_else(Self::usual_engine),
            limits: Limits {
                time: Some(Duration::from_millis(move_ms)),
                threads: Some(threads as usize),
                memory_bytes: Some((memory_mb as usize) << 20),
                ..Limits::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> (String, Limits) {
        let settings = Settings::read(|name| {
            let (_, text) = pairs.iter().find(|(key, _)| *key == name)?;
            Some((*text).to_owned())
        });
        (settings.engine.text().to_owned(), settings.limits)
    }

    fn usual() -> (String, Limits) {
        let limits = Limits {
            time: Some(Duration::from_millis(2700)),
            threads: Some(1),
            memory_bytes: Some(800 << 20),
            ..Limits::default()
        };
        ("best:think_on=true".to_owned(), limits)
    }

    #[test]
    fn nothing_set_is_the_usual() {
        assert_eq!(read(&[]), usual());
    }

    #[test]
    fn each_variable_changes_its_setting() {
        let (engine, limits) = read(&[
            ("STONELINE_MOVE_MS", "200"),
            ("STONELINE_THREADS", " 2 "),
            ("STONELINE_MEMORY_MB", "64"),
            ("STONELINE_ENGINE", "random:seed=3"),
        ]);
        assert_eq!(engine, "random:seed=3");
        assert_eq!(limits.time, Some(Duration::from_millis(200)));
        assert_eq!(limits.threads, Some(2));
        assert_eq!(limits.memory_bytes, Some(64 << 20));
    }

    #[test]
    fn what_cannot_be_read_is_passed_over() {
        for text in ["", "0", "-5", "ten", "2.5", "99999999999999999999"] {
            let pairs = [
                ("STONELINE_MOVE_MS", text),
                ("STONELINE_THREADS", text),
                ("STONELINE_MEMORY_MB", text),
                ("STONELINE_ENGINE", text),
            ];
            assert_eq!(read(&pairs), usual(), "{text:?}");
        }
        assert_eq!(read(&[("STONELINE_ENGINE", "mcts:pace=9")]), usual());
    }
}
