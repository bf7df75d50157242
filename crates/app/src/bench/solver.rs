//! How many nodes the exact solver searches.

use super::{Report, variant};
use std::io;
use stoneline_rules::Position;
use stoneline_search::solve::{Question, SolveLimits, Solver};

const GAMES: [&str; 3] = ["connect4", "course:9x9@4,4", "course:12x12@5,5"];
const TABLE_BYTES: usize = 64 << 20;
const NODES: u64 = 200_000;

/// A board that is solved within a second: the nodes that takes make the signature.
const SIGNED_GAME: &str = "connectx:5x5x4";

pub(super) fn measure(report: &mut Report<'_>) -> io::Result<()> {
    let limited = SolveLimits {
        nodes: Some(NODES),
        ..SolveLimits::default()
    };
    for game in GAMES {
        let mut work = Work::new(game)?;
        report.rate("solver", "nodes", game, || work.search(&limited))?;
    }
    let nodes = Work::new(SIGNED_GAME)?.search(&SolveLimits::default());
    report.sign(&format!("solver {SIGNED_GAME}"), nodes)
}

/// The empty board of a game, and a solver for it.
struct Work {
    start: Position,
    solver: Solver,
}

impl Work {
    fn new(game: &str) -> io::Result<Self> {
        let start = Position::new(variant(game));
        let solver = Solver::new(start.variant(), TABLE_BYTES, 1).map_err(io::Error::other)?;
        Ok(Self { start, solver })
    }

    /// The nodes that a search with an empty table takes.
    fn search(&mut self, limits: &SolveLimits) -> u64 {
        self.solver.clear();
        let solved = self.solver.solve(&self.start, Question::Score, limits);
        solved.expect("the empty board can be solved").nodes
    }
}
