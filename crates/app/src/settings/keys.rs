//! Every key that has a default: its name, its meaning, who heeds it, what it takes.

use crate::opponent::Opponent;
use crate::play::Palette;
use crate::terminal::Colour;
use anyhow::{Context, ensure};
use clap::ValueEnum;
use std::time::Duration;
use stoneline_rules::Position;
use stoneline_search::Limits;

/// The value of keys that leave the choice to the command or the engine.
pub(super) const AUTO: &str = "auto";
/// Most games at once.
const MOST_AT_ONCE: usize = 1024;

/// A key: its name, what it means, who heeds it, its built-in value, and what else it takes.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The commands that heed it.
    pub(crate) commands: &'static str,
    pub(super) built_in: &'static str,
    pub(super) check: fn(&str) -> anyhow::Result<()>,
}

/// Every key, in the order of `stoneline config`.
pub(crate) static KEYS: [Key; 12] = [
    Key {
        name: "game",
        about: "the game where none is named",
        commands: "play, match",
        built_in: "connect4",
        check: |text| Ok(Position::read(text, 0).map(drop)?),
    },
    Key {
        name: "engine",
        about: "the opponent",
        commands: "play",
        built_in: "best",
        check: |text| Ok(text.parse::<Opponent>().map(drop)?),
    },
    Key {
        name: "analyst",
        about: "who analyses; auto: best, but mcts where stones fall on up to 48 cells",
        commands: "analyse",
        built_in: AUTO,
        check: |text| match text {
            AUTO => Ok(()),
            name => Ok(name.parse::<Opponent>().map(drop)?),
        },
    },
    Key {
        name: "time",
        about: "seconds a move, seconds a position",
        commands: "play, analyse",
        built_in: "1",
        check: |text| seconds(text).map(drop),
    },
    Key {
        name: "match_time",
        about: "time a move where a match names no limit: 100 (ms), 100ms or 2s",
        commands: "match",
        built_in: "100ms",
        check: |text| limit("time", text).map(drop),
    },
    Key {
        name: "threads",
        about: "threads of an engine; auto: as the command or the engine likes",
        commands: "play, analyse, match, solve, book, engine, train",
        built_in: AUTO,
        check: |text| limit("threads", text).map(drop),
    },
    Key {
        name: "memory",
        about: "memory of an engine, such as 256MB; auto: as the command or the engine likes",
        commands: "play, analyse, match, solve, book, engine",
        built_in: AUTO,
        check: |text| limit("memory", text).map(drop),
    },
    Key {
        name: "concurrency",
        about: "games at once",
        commands: "match",
        built_in: "1",
        check: |text| at_once(text).map(drop),
    },
    Key {
        name: "store",
        about: "the file that keeps the games of a match; auto: none",
        commands: "match, serve",
        built_in: AUTO,
        check: |text| {
            ensure!(!text.trim().is_empty(), "expected a file");
            Ok(())
        },
    },
    Key {
        name: "theme",
        about: "how the full screen looks: default, safe (for colour-blind people) or mono",
        commands: "play",
        built_in: "default",
        check: |text| palette(text).map(drop),
    },
    Key {
        name: "colour",
        about: "when to use colours: auto, always or never",
        commands: "play, games",
        built_in: AUTO,
        check: |text| colour(text).map(drop),
    },
    Key {
        name: "port",
        about: "the port of the page; auto: 4747, or a free one",
        commands: "serve",
        built_in: AUTO,
        check: |text| port(text).map(drop),
    },
];

pub(super) fn seconds(text: &str) -> anyhow::Result<Duration> {
    crate::bench::seconds(text).map_err(anyhow::Error::msg)
}

pub(super) fn limit(name: &str, text: &str) -> anyhow::Result<Limits> {
    let mut limits = Limits::default();
    if text != AUTO {
        limits.set(name, text)?;
    }
    Ok(limits)
}

pub(super) fn at_once(text: &str) -> anyhow::Result<usize> {
    let games = text.parse().ok();
    games
        .filter(|games| (1..=MOST_AT_ONCE).contains(games))
        .with_context(|| format!("{text:?}: expected 1 to {MOST_AT_ONCE} games"))
}

pub(super) fn palette(text: &str) -> anyhow::Result<Palette> {
    Palette::from_str(text, false)
        .map_err(|_| anyhow::anyhow!("no theme {text:?}: there are default, safe and mono"))
}

pub(super) fn colour(text: &str) -> anyhow::Result<Colour> {
    Colour::from_str(text, false)
        .map_err(|_| anyhow::anyhow!("{text:?}: expected auto, always or never"))
}

pub(super) fn port(text: &str) -> anyhow::Result<Option<u16>> {
    match text {
        AUTO => Ok(None),
        number => Ok(Some(
            number
                .parse()
                .with_context(|| format!("no port {number:?}"))?,
        )),
    }
}
