//! The network's opinion of nodes that were visited a few times.
//!
//! Rollouts see threats and misjudge who must give way when the columns are
//! full; the network knows more of that and misses what is close at hand. To
//! ask it at every new node takes as long as the rollout itself, and most of
//! those nodes are never seen again. So it is asked once about each node that
//! simulations come back to, and its answer counts as several of them, there
//! and at all nodes above.

use super::game::Game;
use super::simulate::{Search, Worker, rounded};
use super::tree::{Node, ROOT};
use crate::value::Value;

impl<G: Game> Search<'_, G> {
    /// Whether the network is to be asked about the node at `at` now.
    ///
    /// Never about the root: that says nothing of its moves, and one that is forced to win
    /// would be known to win without the move that does.
    #[inline(always)]
    pub(super) fn opinion_is_due(&self, at: u32, node: &Node) -> bool {
        let due = self.params.opinion_visits;
        due > 0 && node.visits() >= due && !node.is_judged() && at != ROOT
    }

    /// Counts the network's opinion of the last node of the path; the value if all that
    /// follows is forced.
    #[inline(never)]
    pub(super) fn hear<const SHARED: bool>(
        &self,
        worker: &mut Worker<G>,
        node: &Node,
        state: &G::State,
    ) -> Option<Value> {
        if !node.mark_judged() {
            return None;
        }
        let forced = self.game.forced_win(state, self.params.forcing);
        if forced.is_some() {
            return forced;
        }
        self.tell_line(worker);
        let Worker {
            line, mind, chance, ..
        } = worker;
        let value = self.game.estimate(state, line, mind)?;
        let Value::Guess(rate) = value else {
            return Some(value);
        };
        let weight = self.params.opinion_weight.into();
        let most = 2 * weight;
        let half_points = rounded(most as f32 * rate, chance).min(most);
        self.back_up::<SHARED>(worker, weight, weight, half_points);
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::think_quietly;
    use crate::limits::Limits;
    use crate::mcts::Mcts;
    use crate::mcts::falling::Falling;
    use crate::mcts::lanes::Broad;
    use crate::mcts::params::Params;
    use crate::mcts::tree::{Node, ROOT, Tree};
    use crate::neural::{Judge, Net};
    use std::sync::Arc;
    use stoneline_rules::{Position, Variant};

    fn params(camp: u32) -> Params {
        Params {
            camp,
            graph: false,
            think_on: true,
            opinion_visits: 3,
            opinion_weight: 5,
            ..Params::default()
        }
    }

    fn searched(
        net: &Arc<Net>,
        params: Params,
        position: &Position,
        threads: usize,
    ) -> Mcts<Falling<Broad>> {
        let judge = Judge::new(net, position.variant());
        let game = Falling::new(position.variant()).judged_by(judge);
        let mut engine = Mcts::new(game, params, Limits::default());
        let limits = Limits {
            simulations: Some(20_000),
            threads: Some(threads),
            seed: Some(7),
            memory_bytes: Some(64 << 20),
            ..Limits::default()
        };
        think_quietly(&mut engine, position, &limits);
        engine
    }

    fn empty_board() -> Position {
        Position::new("course:12x12@5,5".parse::<Variant>().unwrap())
    }

    /// How many nodes the network was asked about; each must have been visited enough.
    fn judged(tree: &Tree, node: &Node, params: &Params) -> u32 {
        let visits = node.visits();
        if node.is_judged() {
            assert!(visits >= params.opinion_visits, "{visits}");
        } else if !node.is_proven() && !std::ptr::eq(node, tree.node(ROOT)) {
            // The next simulation would have asked.
            assert!(visits <= params.opinion_visits, "{visits}");
        }
        let (_, children) = tree.children(node);
        let below: u32 = children.iter().map(|node| judged(tree, node, params)).sum();
        below + u32::from(node.is_judged())
    }

    #[test]
    fn an_opinion_counts_as_simulations_once_at_each_node() {
        for (camp, threads) in [(0, 1), (16, 1), (1, 1), (16, 3)] {
            let params = params(camp);
            let engine = searched(&Net::shipped(), params.clone(), &empty_board(), threads);
            let root = engine.tree.node(ROOT);
            let asked = (root.visits() - 20_000) / params.opinion_weight;
            assert_eq!(
                root.visits(),
                20_000 + asked * params.opinion_weight,
                "{camp} {threads}"
            );
            assert!(asked > 2000, "{asked}");
            // Rows of simulations that begin at a node with fewer visits pass the time to ask.
            let is_asked_in_time = threads == 1 && camp != 1;
            if is_asked_in_time {
                // Forced ends are asked about too, and count as the one simulation they are.
                let judged = judged(&engine.tree, root, &params);
                assert!((asked..asked + asked / 4).contains(&judged), "{judged}");
            }
        }
    }

    #[test]
    fn opinions_pull_towards_what_the_network_says() {
        let mut position = empty_board();
        for _ in 0..2 {
            let rate = |bias: f32| {
                let mut weights = Net::blank().weights();
                weights.head_bias.fill(bias);
                let net = Arc::new(Net::new(&weights));
                let engine = searched(&net, params(16), &position, 1);
                let (visits, half_points) = engine.tree.node(ROOT).tally();
                // Of the side that moved last.
                half_points as f32 / (2 * visits) as f32
            };
            let first_moved_last = position.plies() % 2 == 1;
            let (for_first, for_second) = (rate(4.0), rate(-4.0));
            let (high, low) = match first_moved_last {
                true => (for_first, for_second),
                false => (for_second, for_first),
            };
            assert!(high > low + 0.2, "{high} {low}");
            let cell = position.landing(6).unwrap();
            position.play(cell).unwrap();
        }
    }
}
