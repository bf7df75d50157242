//! Camps change when nodes are written, never what they add up to.

use crate::engine::think_quietly;
use crate::limits::Limits;
use crate::mcts::Mcts;
use crate::mcts::falling::Falling;
use crate::mcts::lanes::{Broad, Narrow};
use crate::mcts::params::{Params, Rewards};
use crate::mcts::tree::{Node, ROOT, Tree};
use stoneline_rules::{Position, Variant};

/// A search of so many simulations that nothing but them ends, on a tree without shared moves.
fn params(camp: u32) -> Params {
    Params {
        camp,
        graph: false,
        think_on: true,
        opinion_visits: 0,
        ..Params::default()
    }
}

fn limits(simulations: u64, threads: usize) -> Limits {
    Limits {
        simulations: Some(simulations),
        threads: Some(threads),
        seed: Some(3),
        memory_bytes: Some(64 << 20),
        ..Limits::default()
    }
}

fn search(params: Params, limits: &Limits) -> Mcts<Falling<Broad>> {
    let variant: Variant = "course:12x12@5,5".parse().unwrap();
    let mut engine = Mcts::new(Falling::new(&variant), params, Limits::default());
    let choice = think_quietly(&mut engine, &Position::new(variant), limits);
    assert_eq!(Some(choice.effort.simulations), limits.simulations);
    engine
}

/// Checks every node against its children; how many have some.
///
/// `ended`: simulations that may have ended at a node and gone no further.
fn check_sums(tree: &Tree, node: &Node, ended: u32) -> u32 {
    let (_, children) = tree.children(node);
    if children.is_empty() || node.is_proven() {
        return 0;
    }
    let (visits, half_points) = node.tally();
    let below: u32 = children.iter().map(Node::visits).sum();
    let points_below: u32 = children.iter().map(|child| child.tally().1).sum();
    assert!(
        below <= visits && visits <= below + ended,
        "{visits}, below {below}"
    );
    // What the children's movers did not get is what the mover to the node got.
    let own = visits - below;
    let expected = 2 * below - points_below;
    assert!(
        (expected..=expected + 2 * own).contains(&half_points),
        "{half_points} of {visits}, {points_below} of {below} below"
    );
    let inner: u32 = children
        .iter()
        .map(|child| check_sums(tree, child, ended))
        .sum();
    1 + inner
}

#[test]
fn a_node_has_what_its_children_have() {
    for (camp, threads) in [(0, 1), (16, 1), (2, 1), (1, 1), (0, 3), (16, 3), (1, 3)] {
        let engine = search(params(camp), &limits(40_000, threads));
        let tree = &engine.tree;
        assert_eq!(tree.node(ROOT).visits(), 40_000, "{camp} {threads}");
        // The first visit to a node is its rollout; while one worker makes its children others
        // may make theirs.
        let ended = if threads == 1 { 1 } else { 64 };
        let inner = check_sums(tree, tree.node(ROOT), ended);
        assert!(inner > 10_000, "{inner} nodes were looked at");
    }
}

#[test]
fn a_full_tree_loses_no_simulation() {
    for (camp, threads) in [(16, 1), (1, 1), (16, 3), (1, 3)] {
        let small = Limits {
            memory_bytes: Some(1 << 18),
            ..limits(60_000, threads)
        };
        let engine = search(params(camp), &small);
        let root = engine.tree.node(ROOT);
        assert_eq!(root.visits(), 60_000);
        let (_, children) = engine.tree.children(root);
        let below: u32 = children.iter().map(Node::visits).sum();
        assert!(below <= 60_000 && below + 64 >= 60_000, "{below}");
    }
}

#[test]
fn simulations_are_counted_to_the_last() {
    for simulations in [1, 2, 63, 64, 65, 1000, 4999, 20_001] {
        for camp in [0, 1, 16] {
            for threads in [1, 2] {
                let engine = search(params(camp), &limits(simulations, threads));
                let visits = engine.tree.node(ROOT).visits();
                assert_eq!(u64::from(visits), simulations, "{camp} {threads}");
            }
        }
    }
}

/// The visits of the root's moves.
fn visits(params: Params, simulations: u64) -> Vec<u32> {
    let engine = search(params, &limits(simulations, 1));
    let tree = &engine.tree;
    let (_, children) = tree.children(tree.node(ROOT));
    children.iter().map(Node::visits).collect()
}

#[test]
fn rows_of_one_are_a_search_without_camps() {
    for rewards in [Rewards::Mover, Rewards::Root] {
        let with = |camp, simulations| {
            let params = Params {
                rewards,
                ..params(camp)
            };
            visits(params, simulations)
        };
        assert_eq!(with(0, 20_000), with(1_000_000, 20_000));
        // No node has the visits for a row of two.
        assert_eq!(with(0, 30), with(16, 30));
        assert_ne!(with(0, 20_000), with(16, 20_000));
        assert_eq!(with(16, 20_000), with(16, 20_000));
    }
}

#[test]
fn a_camp_ends_with_the_proof_of_its_node() {
    let variant: Variant = "connectx:4x4x3".parse().unwrap();
    let mut proven = Vec::new();
    for (camp, threads) in [(0, 1), (16, 1), (1, 1), (1, 2)] {
        let game = Falling::<Narrow>::new(&variant);
        let mut engine = Mcts::new(game, params(camp), Limits::default());
        let limits = limits(100_000, threads);
        let choice = think_quietly(&mut engine, &Position::new(variant), &limits);
        assert!(choice.value.is_proven(), "{camp}");
        proven.push(choice.value.win_rate());
        let visits = engine.tree.node(ROOT).visits();
        assert_eq!(u64::from(visits), choice.effort.simulations, "{camp}");
    }
    proven.dedup();
    assert_eq!(proven.len(), 1);
}
