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
/// As many as a move of a fifth of a second has: threads are for long thought.
const THREAD_SIMULATIONS: u64 = 200_000;
/// How often one thread and all are compared.
const ROUNDS: usize = 7;

pub(super) fn measure(report: &mut Report<'_>) -> io::Result<()> {
    for (unit, rules) in [
        ("rollouts", "block"),
        ("safe_rollouts", "safe"),
        ("follow_rollouts", "follow"),
    ] {
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
    report.ratio("mcts", "thread_speedup", thread_speedup())?;
    for game in FALLING {
        let done = search(&variant(game), "mcts");
        report.sign(&format!("mcts {game}"), done)?;
    }
    Ok(())
}

/// How many times as fast all threads are as one: the median of rounds in which both searched,
/// since the machine changes its pace from moment to moment.
fn thread_speedup() -> f64 {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let all_threads = format!("mcts:threads={threads}");
    let mut ratios: [f64; ROUNDS] =
        std::array::from_fn(|_| seconds("mcts") / seconds(&all_threads));
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}

fn search(variant: &stoneline_rules::Variant, engine: &str) -> u64 {
    simulations(variant, engine, SIMULATIONS).expect("stones fall in these games")
}

/// Wall-clock seconds a simulation of the largest board.
fn seconds(engine: &str) -> f64 {
    let variant = variant("course:12x12@5,5");
    let begun = Instant::now();
    let done = simulations(&variant, engine, THREAD_SIMULATIONS).expect("stones fall there");
    begun.elapsed().as_secs_f64() / done as f64
}
