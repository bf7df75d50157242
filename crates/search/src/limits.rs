//! How much an engine may spend on a move: time, nodes, memory, threads, and its seed.
//!
//! Chance and time are arguments. What is absent is not limited; a search
//! without any limit goes on until its watcher stops it or all is proven.

use crate::params::{Setting, SettingError, Tunable};
use std::ops::RangeInclusive;
use std::time::Duration;

/// What a search may spend on one move.
///
/// ```
/// use stoneline_search::Limits;
/// let limits = Limits { simulations: Some(10_000), seed: Some(7), ..Limits::default() };
/// assert!(limits.time.is_none());
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most wall-clock time for this move, the reserve included.
    pub time: Option<Duration>,
    /// Time left on the match clock for all moves to come.
    pub remaining: Option<Duration>,
    /// Time that the match clock gains with each move.
    pub increment: Option<Duration>,
    /// A bank of time that may be drawn on beyond `time`, as Kaggle has it.
    pub overage: Option<Duration>,
    /// Kept back from any of these times, for the way of the answer to the caller.
    pub reserve: Option<Duration>,
    /// Most nodes of a tree search by depth.
    pub nodes: Option<u64>,
    /// Most simulations of a Monte-Carlo search.
    pub simulations: Option<u64>,
    /// Most bytes for the engine's tree and tables.
    pub memory_bytes: Option<usize>,
    /// Source of all chance; the same seed gives the same search on one thread.
    pub seed: Option<u64>,
    /// How many threads may work.
    pub threads: Option<usize>,
}

/// The keys that every engine name takes, with what they mean.
const KEYS: [Tunable; 7] = [
    Tunable::new("time", "time for each move: 300 (ms), 300ms or 2.5s"),
    Tunable::new("nodes", "most nodes of a search by depth"),
    Tunable::new("simulations", "most simulations of a Monte-Carlo search"),
    Tunable::new("memory", "most memory: 64MB, 1GB, or bytes"),
    Tunable::new("seed", "source of all chance"),
    Tunable::new("threads", "how many threads work"),
    Tunable::new("reserve", "time kept back from each move, as `time`"),
];

const COUNTS: RangeInclusive<u64> = 1..=u64::MAX;

impl Limits {
    /// The keys of [`Self::set`].
    pub(crate) const KEYS: &'static [Tunable] = &KEYS;

    /// These limits, and where they say nothing the others.
    #[must_use]
    pub fn or(&self, others: &Self) -> Self {
        Self {
            time: self.time.or(others.time),
            remaining: self.remaining.or(others.remaining),
            increment: self.increment.or(others.increment),
            overage: self.overage.or(others.overage),
            reserve: self.reserve.or(others.reserve),
            nodes: self.nodes.or(others.nodes),
            simulations: self.simulations.or(others.simulations),
            memory_bytes: self.memory_bytes.or(others.memory_bytes),
            seed: self.seed.or(others.seed),
            threads: self.threads.or(others.threads),
        }
    }

    /// Most nodes of an engine that makes no simulations: a bound on those binds it too.
    pub(crate) fn work(&self) -> Option<u64> {
        self.nodes.or(self.simulations)
    }

    /// Whether the wall clock bounds the search in any way.
    pub const fn has_clock(&self) -> bool {
        self.time.is_some() || self.remaining.is_some()
    }

    /// Whether time that a move leaves over is there for later ones.
    pub(crate) fn has_time_to_save(&self) -> bool {
        self.remaining.is_some() || self.overage.is_some_and(|bank| !bank.is_zero())
    }

    /// Sets one of the common keys of engine names; `false` if there is no such key.
    ///
    /// # Errors
    /// If the text is no value for the key.
    pub fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        let wrong = |reason| SettingError::new(key, text, reason);
        match key {
            "time" => self.time = Some(read_time(text).map_err(wrong)?),
            "reserve" => self.reserve = Some(read_time(text).map_err(wrong)?),
            "nodes" => self.nodes = Some(u64::read(text, &COUNTS).map_err(wrong)?),
            "simulations" => self.simulations = Some(u64::read(text, &COUNTS).map_err(wrong)?),
            "memory" => self.memory_bytes = Some(read_bytes(text).map_err(wrong)?),
            "seed" => self.seed = Some(u64::read(text, &(0..=u64::MAX)).map_err(wrong)?),
            "threads" => self.threads = Some(usize::read(text, &(1..=512)).map_err(wrong)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// A number and its unit, the unit in capitals.
fn split_unit(text: &str) -> (&str, String) {
    let end = text
        .find(|letter: char| letter.is_ascii_alphabetic())
        .unwrap_or(text.len());
    (&text[..end], text[end..].to_ascii_uppercase())
}

fn read_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let seconds_each = match unit.as_str() {
        "" | "MS" => 1e-3,
        "S" => 1.0,
        _ => return Err("expected a time as 300, 300ms or 2.5s".to_owned()),
    };
    // A day is more than any move takes, and far from what a duration can hold.
    let seconds = f64::read(number, &(0.0..=86_400_000.0))? * seconds_each;
    Ok(Duration::from_secs_f64(seconds))
}

fn read_bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = split_unit(text);
    let bytes_each = match unit.as_str() {
        "" | "B" => 1.0,
        "KB" | "K" => 1024.0,
        "MB" | "M" => 1024.0 * 1024.0,
        "GB" | "G" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("expected a size as 64MB, 1GB or bytes".to_owned()),
    };
    let bytes = f64::read(number, &(0.0..=1e15))? * bytes_each;
    if (1024.0..=1e15).contains(&bytes) {
        Ok(bytes as usize)
    } else {
        Err("expected at least 1 KB".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_with_units() {
        assert_eq!(read_time("300"), Ok(Duration::from_millis(300)));
        assert_eq!(read_time("300ms"), Ok(Duration::from_millis(300)));
        assert_eq!(read_time("2.5s"), Ok(Duration::from_millis(2500)));
        assert_eq!(read_bytes("64MB"), Ok(64 << 20));
        assert_eq!(read_bytes("1gb"), Ok(1 << 30));
        for text in ["", "-1", "3m", "ten", "nan", "1e99s"] {
            assert!(read_time(text).is_err(), "{text}");
        }
        for text in ["", "5", "64TB", "-64MB", "inf"] {
            assert!(read_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn time_is_worth_saving_where_later_moves_have_it() {
        let second = Some(Duration::from_secs(1));
        let per_move = Limits {
            time: second,
            ..Limits::default()
        };
        assert!(!per_move.has_time_to_save());
        let mut with_bank = per_move.clone();
        with_bank.overage = Some(Duration::ZERO);
        assert!(!with_bank.has_time_to_save());
        with_bank.overage = second;
        assert!(with_bank.has_time_to_save());
        let mut with_clock = per_move;
        with_clock.remaining = second;
        assert!(with_clock.has_time_to_save());
    }

    #[test]
    fn every_key_can_be_set() {
        for key in Limits::KEYS {
            let mut limits = Limits::default();
            let text = if key.name() == "threads" { "2" } else { "2000" };
            assert_eq!(limits.set(key.name(), text), Ok(true));
            assert_ne!(limits, Limits::default(), "{}", key.name());
        }
        assert_eq!(Limits::default().set("depth", "3"), Ok(false));
    }

    #[test]
    fn own_limits_come_first() {
        let own = Limits {
            nodes: Some(1),
            ..Limits::default()
        };
        let others = Limits {
            nodes: Some(2),
            seed: Some(3),
            ..Limits::default()
        };
        let both = own.or(&others);
        assert_eq!((both.nodes, both.seed), (Some(1), Some(3)));
    }
}
