//! How many nodes the alpha-beta search visits.

use super::{Report, variant};
use std::io;
use stoneline_rules::Position;
use stoneline_search::{Engine, Limits, Spec, think_quietly};

/// The games of the benchmark whose stones fall.
const FALLING: [&str; 3] = ["connect4", "course:9x9@4,4", "course:12x12@5,5"];
/// Middle games of free boards, each with the name of its game.
const FREE: [(&str, &str); 2] = [
    ("gomoku", "gomoku h8 h9 i8 g8 j10"),
    ("gomoku:20", "gomoku:20 j10 k11 k10 l10 i12 j9 m9 j11"),
];
const NODES: u64 = 200_000;
/// A board that is proven within a second: the nodes that takes make the signature.
const SIGNED_GAME: &str = "connectx:4x4x4";

pub(super) fn measure(report: &mut Report<'_>) -> io::Result<()> {
    let limited = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    for game in FALLING {
        let mut work = Work::new(Position::new(variant(game)))?;
        report.rate("alphabeta", "nodes", game, || work.search(&limited))?;
    }
    for (game, position) in FREE {
        let position = position
            .parse()
            .expect("the positions of the benchmark are legal");
        let mut work = Work::new(position)?;
        report.rate("alphabeta", "nodes", game, || work.search(&limited))?;
    }
    let nodes = Work::new(Position::new(variant(SIGNED_GAME)))?.search(&Limits::default());
    report.sign(&format!("alphabeta {SIGNED_GAME}"), nodes)
}

/// A position, and an engine for it.
struct Work {
    start: Position,
    engine: Box<dyn Engine>,
}

impl Work {
    fn new(start: Position) -> io::Result<Self> {
        let spec: Spec = "alphabeta".parse().expect("the registry knows it");
        let engine = spec.build(start.variant()).map_err(io::Error::other)?;
        Ok(Self { start, engine })
    }

    /// The nodes that a search with nothing remembered visits.
    fn search(&mut self, limits: &Limits) -> u64 {
        self.engine.forget();
        think_quietly(&mut *self.engine, &self.start, limits)
            .effort
            .nodes
    }
}
