//! What recycling keeps, on trees and graphs of random shape.

use super::*;
use stoneline_rules::Chance;

/// A tree of random shape, each node with as many visits as its subtree has nodes.
fn random_tree(seed: u64, nodes: usize) -> Tree {
    random_graph(seed, nodes, 0)
}

/// The same, in which `shared` nodes lead to the children of another.
fn random_graph(seed: u64, nodes: usize, mut shared: u32) -> Tree {
    let tree = Tree::new(nodes * size_of::<Node>());
    let mut plot = Plot::default();
    let mut chance = Chance::new(seed);
    let mut cell = 0;
    loop {
        let mut path = vec![ROOT];
        loop {
            let (first, children) = tree.children(tree.node(path[path.len() - 1]));
            if children.is_empty() {
                break;
            }
            path.push(first + chance.below(children.len() as u32));
        }
        let cells: Vec<u16> = (0..1 + chance.below(12))
            .map(|at| cell + at as u16)
            .collect();
        cell = (cell + 20) % 60_000;
        let leaf = path[path.len() - 1];
        let twin = tree.node(chance.below(tree.used() as u32));
        let grown = if shared > 0 && tree.children(twin).0 > leaf {
            shared -= 1;
            assert!(tree.share_children(leaf, twin));
            Growth::Grown
        } else {
            tree.expand::<false>(&mut plot, leaf, &cells, &[])
        };
        for &at in &path {
            tree.node(at).add::<false>(1, u64::from(at % 3));
        }
        if grown == Growth::Full {
            assert_eq!(shared, 0, "all were shared that were asked for");
            return tree;
        }
    }
}

/// Moves, tallies and shape below a node, as far as its visits reach `fewest`.
fn shape(tree: &Tree, node: &Node, is_root: bool, fewest: u32) -> String {
    let (_, children) = tree.children(node);
    let below: String = if is_root || node.visits() >= fewest {
        children
            .iter()
            .map(|child| shape(tree, child, false, fewest))
            .collect()
    } else {
        String::new()
    };
    format!("{} {:?} [{below}]", node.cell(), node.tally())
}

/// Drops what the root does not lead to by nodes with visits of at least that magnitude.
fn collect(tree: &mut Tree, magnitude: u32) {
    tree.mark_living();
    tree.keep(magnitude);
}

/// Whether blocks fill the array, and every one has a node that leads to it.
fn assert_linked(tree: &mut Tree) {
    let (starts, led_to) = links(tree);
    assert_eq!(starts, led_to);
}

/// Where blocks begin, and where nodes lead to.
fn links(tree: &mut Tree) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0];
    let mut led_to = vec![0];
    let mut end = 0;
    tree.for_each_block(|nodes, at, length| {
        for node in &mut nodes[at..at + length] {
            led_to.extend(Some(*node.children.get_mut()).filter(|&first| first != 0));
        }
        end = at + length;
        starts.push(end as u32);
    });
    assert_eq!(end, tree.used());
    starts.pop();
    led_to.sort_unstable();
    led_to.dedup();
    (starts, led_to)
}

#[test]
fn collecting_keeps_what_is_visited_and_nothing_else() {
    for seed in 0..30 {
        for magnitude in [0, 1, 2, 4, 7] {
            let mut tree = random_tree(seed, 5000);
            let expected = shape(&tree, tree.node(ROOT), true, 1 << magnitude);
            collect(&mut tree, magnitude);
            assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
            assert_linked(&mut tree);
        }
    }
}

#[test]
fn shared_children_stay_shared() {
    for seed in 0..30 {
        let mut tree = random_graph(seed, 5000, 12);
        let expected = shape(&tree, tree.node(ROOT), true, 0);
        collect(&mut tree, 0);
        assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
        assert!(tree.used() > 4900, "{}", tree.used());
        assert_linked(&mut tree);
        let (first, children) = tree.children(tree.node(ROOT));
        let to = first + Chance::new(seed).below(children.len() as u32);
        let expected = shape(&tree, tree.node(to), true, 0);
        tree.move_root(to);
        assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
        tree.recycle();
        assert!(tree.used() <= 2500, "{}", tree.used());
        // What led to a block that was visited enough may itself be gone, by another order
        // of moves; such a block goes next time.
        let (starts, led_to) = links(&mut tree);
        assert!(led_to.iter().all(|to| starts.contains(to)));
        let expected = shape(&tree, tree.node(ROOT), true, 0);
        collect(&mut tree, 0);
        assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
        assert_linked(&mut tree);
    }
}

#[test]
fn a_moved_root_keeps_its_subtree_alone() {
    for seed in 0..100 {
        let mut tree = random_tree(seed, 3000);
        let mut chance = Chance::new(seed);
        for _ in 0..3 {
            let (first, children) = tree.children(tree.node(ROOT));
            if children.is_empty() {
                break;
            }
            let to = first + chance.below(children.len() as u32);
            let expected = shape(&tree, tree.node(to), true, 0);
            tree.move_root(to);
            assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
            if chance.below(2) == 0 {
                collect(&mut tree, 0);
                assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
                assert_linked(&mut tree);
            }
        }
    }
}

#[test]
fn recycling_makes_room_for_half() {
    for seed in 0..20 {
        let mut tree = random_tree(seed, 4000);
        tree.recycle();
        assert!(tree.used() <= 2000, "{}", tree.used());
        assert!(!tree.children(tree.node(ROOT)).1.is_empty());
        assert_linked(&mut tree);
    }
}

#[test]
fn plots_of_several_workers_leave_a_row_of_blocks() {
    for seed in 0..60 {
        let mut chance = Chance::new(seed);
        let most = 1 << (12 + chance.below(5));
        let mut tree = Tree::new(most * size_of::<Node>());
        for _ in 0..3 {
            let mut plots: [Plot; 3] = Default::default();
            let mut open = vec![ROOT];
            tree.clear();
            loop {
                let at = open.swap_remove(chance.below(open.len() as u32) as usize);
                let cells: Vec<u16> = (0..2 + chance.below(9) as u16).collect();
                let plot = &mut plots[chance.below(3) as usize];
                if tree.expand::<true>(plot, at, &cells, &[]) == Growth::Full {
                    break;
                }
                let (first, children) = tree.children(tree.node(at));
                open.extend((first..).take(children.len()));
                if chance.below(500) == 0 {
                    tree.leave(std::mem::take(&mut plots[chance.below(3) as usize]));
                }
            }
            plots.into_iter().for_each(|plot| tree.leave(plot));
            assert!(tree.used() <= most);
            let expected = shape(&tree, tree.node(ROOT), true, 0);
            let mut end = 0;
            tree.for_each_block(|_, at, length| end = at + length);
            assert_eq!(end, tree.used());
            collect(&mut tree, 0);
            // Plots that were left early had most of their nodes to spare.
            assert!(tree.used() >= most * 3 / 4, "{} of {most}", tree.used());
            assert_eq!(shape(&tree, tree.node(ROOT), true, 0), expected);
            assert_linked(&mut tree);
        }
    }
}
