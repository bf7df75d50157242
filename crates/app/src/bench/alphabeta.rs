//! How many nodes the alpha-beta search visits.

use super::{Report, variant};
use std::io;
use stoneline_rules::Position;
use stoneline_search::{Engine, Limits, Spec, think_quietly};

/// The games of the benchmark whose stones fall.
const FALLING: [&str; 3] = ["connect4", "course:9x9@4,4", "course:12x12@5,5"];
const NODES: u64 = 200_000;
/// A board that is proven within a second: the nodes that takes make the signature.
const SIGNED_GAME: &str = "connectx:4x4x4";

pub(super) fn measure(report: &mut Report<'_>) -> io::Result<()> {
    let limited = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    for game in FALLING {
        let mut work = Work::new(game)?;
        report.rate("alphabeta", "nodes", game, || work.search(&limited))?;
    }
    let nodes = Work::new(SIGNED_GAME)?.search(&Limits::default());
    report.sign(&format!("alphabeta {SIGNED_GAME}"), nodes)
}

/// The empty board of a game, and an engine for it.
struct Work {
    start: Position,
    engine: Box<dyn Engine>,
}

impl Work {
    fn new(game: &str) -> io::Result<Self> {
        let start = Position::new(variant(game));
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
