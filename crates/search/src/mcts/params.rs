//! The tunables of the tree search, each with its meaning, default and range.

use crate::clock::Overage;
use crate::params::{choices, params};

choices! {
    /// How rollouts choose their moves.
    pub(crate) enum Rollout {
        /// Any legal move.
        Uniform = "uniform",
        /// Any legal move, central columns more often.
        Centre = "centre",
        /// A win now, else the block of one, else any.
        Block = "block",
        /// As block, central columns more often.
        CentreBlock = "centre-block",
        /// As block, never under a cell where the opponent wins.
        Safe = "safe",
        /// As safe, not under an own winning cell while another safe move exists, but under two.
        Keep = "keep",
        /// As keep, each stone in the column of the one before where that is safe.
        Follow = "follow",
    }
}

choices! {
    /// What tells how a game will end from a new node on.
    pub(crate) enum LeafJudge {
        /// A game played on by chance and rules.
        Rollout = "rollout",
        /// The network that ships, where stones fall; rollouts elsewhere.
        Net = "net",
    }
}

choices! {
    /// Which move a simulation follows.
    pub(crate) enum Selection {
        /// The largest rate + exploration * sqrt(ln N / n).
        Ucb1 = "ucb1",
        /// As ucb1, with less pull where the points so far differ little.
        Tuned = "tuned",
        /// The largest rate + exploration * prior * sqrt(N) / (1 + n).
        Puct = "puct",
    }
}

choices! {
    /// What is expected of moves before they are tried, where puct selects.
    pub(crate) enum Prior {
        /// The same of all.
        Uniform = "uniform",
        /// More of central columns.
        Centre = "centre",
        /// As centre, and more of moves that make or take winning cells.
        Threats = "threats",
        /// As the network sees the positions after them.
        Net = "net",
    }
}

choices! {
    /// Which moves become nodes.
    pub(crate) enum Pruning {
        /// Every legal move.
        None = "none",
        /// A win or two threats decide; one threat leaves its block.
        Threats = "threats",
        /// As threats, never under a cell where the opponent wins, and two own wins one above the other decide.
        Full = "full",
    }
}

choices! {
    /// What is decided at the root without search.
    pub(crate) enum RootRule {
        /// Nothing.
        None = "none",
        /// A win now is played, else a win of the opponent blocked.
        WinBlock = "win-block",
        /// As win-block; else not under a winning cell of either side, and an open two is stopped.
        Guard = "guard",
    }
}

choices! {
    /// In which order the moves of a new node are tried.
    pub(crate) enum Order {
        /// Central columns first.
        Centre = "centre",
        /// By lot.
        Chance = "chance",
    }
}

choices! {
    /// Which move is played in the end, when none is proven to win.
    pub(crate) enum Final {
        /// The most visited.
        Visits = "visits",
        /// The best share of points.
        Rate = "rate",
        /// The best share of points less its uncertainty, 1 / sqrt(n).
        Secure = "secure",
    }
}

choices! {
    /// Whose points a node counts.
    pub(crate) enum Rewards {
        /// Those of the side that moved into it.
        Mover = "mover",
        /// Those of the side to move at the root, everywhere: the classic mistake, for experiments.
        Root = "root",
    }
}

params! {
    /// What steers the tree search.
    pub(crate) struct Params {
        /// Which move a simulation follows.
        selection: Selection = Selection::Ucb1, ..;
        /// What is expected of moves before they are tried, where puct selects.
        prior: Prior = Prior::Threats, ..;
        /// Pull towards rarely visited moves: rate + exploration * sqrt(ln N / n).
        exploration: f32 = 0.6, 0.0..=4.0;
        /// The same on a full board; between, it follows the share of cells that are filled.
        exploration_full: f32 = 0.6, 0.0..=4.0;
        /// What a move without visits counts, where puct selects its rate; above 1 + exploration each is tried before any is repeated.
        first_play: f32 = 1.1, 0.0..=100.0;
        /// Visits that a node gets before its moves become nodes.
        expand_visits: u32 = 2, 1..=1000;
        /// What tells how a game will end from a new node on.
        leaf: LeafJudge = LeafJudge::Rollout, ..;
        /// Visits at which the network is asked about a node, where stones fall; 0: never.
        opinion_visits: u32 = 3, 0..=1_000_000;
        /// How many simulations its opinion counts as.
        opinion_weight: u32 = 4, 1..=1000;
        /// How much counts what a move's cell brought elsewhere in the tree, until simulations of its own are lost, where stones fall; 0: nothing.
        history: f32 = 0.0, 0.0..=100.0;
        /// Positions in which a win by threats alone is looked for when the network is asked.
        forcing: u32 = 64, 0..=1_000_000;
        /// How much of its distance from a draw an ending loses with each ply before it.
        fade: f32 = 0.0, 0.0..=0.5;
        /// How rollouts choose their moves.
        rollout: Rollout = Rollout::Keep, ..;
        /// Which moves become nodes.
        pruning: Pruning = Pruning::Full, ..;
        /// In which order the moves of a new node are tried.
        order: Order = Order::Centre, ..;
        /// Whose points a node counts: root is the classic mistake of the wrong sign, for experiments.
        rewards: Rewards = Rewards::Mover, ..;
        /// Whether proven wins, losses and draws are carried to the root.
        proofs: bool = true, ..;
        /// What is decided at the root without search.
        root: RootRule = RootRule::None, ..;
        /// Whether the first move of a side goes to the centre without search.
        centre_first: bool = false, ..;
        /// Whether time is spent on a forced move, and saved for no later one, to know more on the next.
        think_on: bool = false, ..;
        /// Whether positions that several orders of moves lead to share what is known of their moves, where stones fall.
        graph: bool = true, ..;
        /// Visits of a node for each simulation of a row that starts there, a quarter of that with several threads; 0: every simulation starts at the root.
        camp: u32 = 64, 0..=1_000_000;
        /// Whether the tree is kept from move to move.
        reuse: bool = true, ..;
        /// Which move is played in the end, when none is proven to win.
        choice: Final = Final::Visits, ..;
        /// How much of an overage bank a move draws.
        overage: Overage = Overage::Even, ..;
    }
}

impl Params {
    /// Whether the network is asked anywhere.
    pub(crate) fn asks_network(&self) -> bool {
        self.leaf == LeafJudge::Net
            || self.opinion_visits > 0
            || self.selection == Selection::Puct && self.prior == Prior::Net
    }
}
