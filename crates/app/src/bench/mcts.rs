//! How fast the tree search is: rollouts alone, whole simulations, and what threads add.

use super::{Report, variant};
use std::io;
use std::time::Instant;
use stoneline_search::bench::{UNIFORM_UCT, rollouts, simulations};

/// The games of the benchmark whose stones fall.
const FALLING: [&str; 3] = ["connect4", "course:9x9@4,4", "course:12x12@5,5"];
/// Enough that setting up the board does not count.
const ROLLOUTS: u64 = 20_000;
/// Enough for a tree that no longer fits the caches.
const SIMULATIONS: u64 = 50_000;

pub(super) fn measure(report: &mut Report<'_>) -> io::Result<()> {
    for (unit, rules) in [("rollouts", "block"), ("safe_rollouts", "safe")] {
        for game in FALLING {
            let variant = variant(game);
            report.rate("mcts", unit, game, || {
                rollouts(&variant, rules, ROLLOUTS).expect("stones fall in these games");
                ROLLOUTS
            })?;
        }
    }
    for (unit, engine) in [
        ("simulations", "mcts"),
        ("uniform_simulations", UNIFORM_UCT),
    ] {
        for game in FALLING {
            let variant = variant(game);
            report.rate("mcts", unit, game, || search(&variant, engine))?;
        }
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let one = seconds("mcts");
    let all = seconds(&format!("mcts:threads={threads}"));
    report.ratio("mcts", "thread_speedup", one / all)?;
    for game in FALLING {
        let done = search(&variant(game), "mcts");
        report.sign(&format!("mcts {game}"), done)?;
    }
    Ok(())
}

fn search(variant: &stoneline_rules::Variant, engine: &str) -> u64 {
    simulations(variant, engine, SIMULATIONS).expect("stones fall in these games")
}

/// Wall-clock seconds a simulation of the largest board.
fn seconds(engine: &str) -> f64 {
    let variant = variant("course:12x12@5,5");
    let begun = Instant::now();
    let done: u64 = (0..4).map(|_| search(&variant, engine)).sum();
    begun.elapsed().as_secs_f64() / done as f64
}
