//! Named parameter sets of the tree search: ours, and those of published course engines.
//!
//! Each of the others plays as its author described it, as a sparring partner
//! and for ablations. Their constants are written for `sqrt(2 ln N / n)`; ours
//! stands before `sqrt(ln N / n)`.

use crate::clock::Overage;
use crate::limits::Limits;
use crate::mcts::{Final, MctsRecipe, Order, Params, Pruning, Rollout, RootRule};
use std::f32::consts::SQRT_2;
use std::time::Duration;

/// Above every bound that a visited move can have: each move is tried before any is repeated.
const TRY_ALL_FIRST: f32 = 100.0;

/// Our own tree search with the settings that won the most games.
pub(crate) fn mcts() -> MctsRecipe {
    MctsRecipe {
        name: "mcts",
        params: Params::default(),
        limits: Limits::default(),
        free_boards: true,
    }
}

/// What the published engines have in common: plain UCT, its tree made one node a simulation.
fn plain() -> Params {
    Params {
        exploration: SQRT_2,
        exploration_full: SQRT_2,
        first_play: TRY_ALL_FIRST,
        expand_visits: 2,
        rollout: Rollout::Uniform,
        pruning: Pruning::None,
        order: Order::Chance,
        proofs: false,
        graph: false,
        camp: 0,
        opinion_visits: 0,
        reuse: false,
        ..Params::default()
    }
}

fn usual(time_ms: u64) -> Limits {
    Limits {
        time: Some(Duration::from_millis(time_ms)),
        ..Limits::default()
    }
}

/// UCT with five rules at the root, wins and blocks in rollouts, and a cap on simulations.
pub(crate) fn rules_uct() -> MctsRecipe {
    MctsRecipe {
        name: "rules-uct",
        params: Params {
            rollout: Rollout::Block,
            root: RootRule::Guard,
            ..plain()
        },
        limits: Limits {
            simulations: Some(680_000),
            ..usual(2700)
        },
        free_boards: false,
    }
}

/// UCT that marks proven nodes, prunes by threats and keeps its tree.
pub(crate) fn prover_uct() -> MctsRecipe {
    MctsRecipe {
        name: "prover-uct",
        params: Params {
            rollout: Rollout::CentreBlock,
            pruning: Pruning::Threats,
            proofs: true,
            reuse: true,
            ..plain()
        },
        limits: usual(2500),
        free_boards: false,
    }
}

/// UCT with rollouts towards the centre, which thinks on below a forced move.
pub(crate) fn centre_uct() -> MctsRecipe {
    MctsRecipe {
        name: "centre-uct",
        params: Params {
            exploration: 1.0,
            exploration_full: 1.0,
            rollout: Rollout::Centre,
            root: RootRule::WinBlock,
            think_on: true,
            reuse: true,
            ..plain()
        },
        limits: usual(2700),
        free_boards: false,
    }
}

/// Kaggle's UCT: the centre first, then wins and blocks, then the best rate of uniform rollouts.
pub(crate) fn connectx_uct() -> MctsRecipe {
    MctsRecipe {
        name: "connectx-uct",
        params: Params {
            exploration_full: 1.1 * SQRT_2,
            root: RootRule::WinBlock,
            centre_first: true,
            choice: Final::Rate,
            overage: Overage::Filled,
            ..plain()
        },
        limits: usual(2000),
        free_boards: false,
    }
}
