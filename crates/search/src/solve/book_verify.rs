//! Checks the book: follows every line of our own play to where the book ends.
//!
//! Shows two things: that the entries are right, and that beyond the last of
//! them the solver alone answers within a number of nodes.

use super::book::Book;
use super::book_walk::{Level, after, replies};
use super::solver::{Question, SolveError, SolveLimits, Solver};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use stoneline_rules::{Cell, Position, Variant};

/// How thoroughly to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerifyPlan {
    /// Lines are followed to this many stones.
    pub plies: usize,
    /// One entry in so many is checked by the solver.
    pub entry_sample: usize,
    /// One position in so many where the book ends is solved.
    pub leaf_sample: usize,
    /// Nodes within which the solver must answer where the book ends.
    pub nodes: u64,
}

/// What the check found.
#[derive(Clone, Default, Debug)]
pub struct BookReport {
    /// Positions of our own play, us to move.
    pub walked: usize,
    /// How many of them the book holds.
    pub in_book: usize,
    /// How many of these went to the solver.
    pub checked: usize,
    /// Positions where the book ends.
    pub leaves: usize,
    /// How many of these were solved.
    pub solved_leaves: usize,
    /// Those of the book that are wrong.
    pub wrong: Vec<Position>,
    /// Positions at the book's end that take the solver too long.
    pub slow: Vec<Position>,
    /// Most nodes that one at the book's end took.
    pub most_nodes: u64,
}

/// Follows our own play, as either side against every reply, and checks a sample.
///
/// A position that the book does not hold ends its line. `watch` sees the
/// stones, the number and the size of each level, and may break off.
///
/// # Errors
/// If the solver was not built for `variant`.
pub fn verify_book(
    variant: &Variant,
    book: &Book,
    solver: &mut Solver,
    plan: VerifyPlan,
    watch: &mut dyn FnMut(usize, usize, usize) -> ControlFlow<()>,
) -> Result<BookReport, SolveError> {
    let mut report = BookReport::default();
    let mut levels: BTreeMap<usize, Level> = BTreeMap::new();
    let empty = Position::new(*variant);
    for reply in replies(&empty) {
        levels.entry(1).or_default().add(reply);
    }
    levels.entry(0).or_default().add(empty);
    while let Some((plies, level)) = levels.pop_first() {
        if plies > plan.plies {
            break;
        }
        for (at, position) in level.positions.iter().enumerate() {
            report.walked += 1;
            if let Some((score, cell)) = book.look_up(position) {
                report.in_book += 1;
                if report.in_book % plan.entry_sample.max(1) == 0 {
                    report.checked += 1;
                    if !is_right(solver, position, score, cell)? {
                        report.wrong.push(position.clone());
                    }
                }
                let ours = after(position, cell.column());
                if ours.outcome().is_none() {
                    let next = levels.entry(plies + 2).or_default();
                    replies(&ours).for_each(|reply| next.add(reply));
                }
            } else {
                report.leaves += 1;
                if report.leaves % plan.leaf_sample.max(1) == 0 {
                    report.solved_leaves += 1;
                    time_leaf(solver, position, plan.nodes, &mut report)?;
                }
            }
            if watch(plies, at + 1, level.positions.len()).is_break() {
                return Ok(report);
            }
        }
    }
    Ok(report)
}

fn is_right(
    solver: &mut Solver,
    position: &Position,
    score: i32,
    cell: Cell,
) -> Result<bool, SolveError> {
    let limits = SolveLimits::default();
    let solved = solver.solve(position, Question::Score, &limits)?;
    let (moves, _) = solver.solve_moves(position, Question::Score, &limits)?;
    let moved = moves.iter().find(|moved| moved.cell == cell);
    Ok(solved.bounds.exact() == Some(score)
        && moved.is_some_and(|moved| moved.bounds.exact() == Some(score)))
}

/// Solves a position at the book's end as in a game that starts there: nothing is known.
fn time_leaf(
    solver: &mut Solver,
    position: &Position,
    most_nodes: u64,
    report: &mut BookReport,
) -> Result<(), SolveError> {
    solver.clear();
    let limits = SolveLimits {
        nodes: Some(most_nodes),
        ..SolveLimits::default()
    };
    let solved = solver.solve(position, Question::Score, &limits)?;
    let mut nodes = solved.nodes;
    let is_found = match solved.bounds.exact() {
        None => false,
        Some(score) => {
            let (cell, spent) = solver.best_move(position, score, &limits)?;
            nodes += spent;
            cell.is_some()
        }
    };
    if !is_found || nodes > most_nodes {
        report.slow.push(position.clone());
    }
    report.most_nodes = report.most_nodes.max(nodes);
    Ok(())
}
