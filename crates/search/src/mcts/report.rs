//! What the tree says: the moves with their values and lines, and which is best.

use super::params::Final;
use super::tree::{Node, ROOT, Tree};
use crate::engine::MoveReport;
use crate::value::Value;
use std::cmp::Ordering;
use stoneline_rules::Geometry;

/// Which of two moves is better to play, as far as the tree knows.
///
/// Proven wins first, the shortest before; proven losses last, the longest
/// before, and of equal ones the most visited, where the opponent's win was
/// hardest to find. Between them, a draw stands above every move that expects less.
fn compare(one: &Node, other: &Node, by: Final) -> Ordering {
    let (value, rival) = (one.move_value(), other.move_value());
    let visits = one.visits().cmp(&other.visits());
    let (Some(value), Some(rival)) = (value, rival) else {
        return visits;
    };
    match (value, rival, by) {
        (Value::Guess(_), Value::Guess(_), Final::Visits) => {
            visits.then_with(|| value.compare(rival))
        }
        (Value::Guess(rate), Value::Guess(other_rate), Final::Secure) => {
            let lowest = |rate: f32, node: &Node| rate - 1.0 / (node.visits() as f32).sqrt();
            lowest(rate, one).total_cmp(&lowest(other_rate, other))
        }
        _ => value.compare(rival).then(visits),
    }
}

/// The moves of the root, best first; those never tried last.
pub(crate) fn moves(tree: &Tree, geometry: &Geometry, by: Final) -> Vec<MoveReport> {
    let (_, children) = tree.children(tree.node(ROOT));
    let mut ranked: Vec<&Node> = children.iter().collect();
    ranked.sort_by(|one, other| compare(other, one, by));
    ranked
        .into_iter()
        .map(|child| MoveReport {
            cell: geometry.cell(child.cell().into()),
            value: child.move_value().unwrap_or(Value::Guess(0.5)),
            visits: child.visits().into(),
            line: line(tree, child, by)
                .map(|index| geometry.cell(index.into()))
                .collect(),
        })
        .collect()
}

/// The move of a node and the best ones after it, each side choosing its own.
fn line<'a>(tree: &'a Tree, from: &'a Node, by: Final) -> impl Iterator<Item = u16> + 'a {
    std::iter::successors(Some(from), move |node| {
        let (_, children) = tree.children(node);
        children
            .iter()
            .max_by(|one, other| compare(one, other, by))
            .filter(|best| best.visits() > 0 || best.is_proven())
    })
    .map(Node::cell)
}

/// Whether more visits, `left` at most, can't change which move is most visited.
pub(crate) fn is_settled(tree: &Tree, left: u64) -> bool {
    let (_, children) = tree.children(tree.node(ROOT));
    let mut open: Vec<u32> = children
        .iter()
        .filter(|child| !child.is_proven())
        .map(Node::visits)
        .collect();
    open.sort_unstable();
    match open.as_slice() {
        [] => true,
        // A lone open move is certain only if nothing proven could be preferred.
        [_] => children.len() == 1,
        [.., second, first] => u64::from(first - second) > left,
    }
}
