//! Makes the book: solves what our own play can meet, level by level.
//!
//! Owns the choice of positions. Does no file access: what was solved before
//! comes in, and each new result goes out at once, so that whoever keeps them
//! can stop and go on at any time.

use super::book::{Book, BookCode, BookEntry};
use super::book_walk::{Level, after, replies};
use super::solver::{Question, SolveError, SolveLimits, Solver};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use stoneline_rules::{Position, Variant};

/// Nodes for telling moves of equal score apart, for each position.
const TASTE_NODES: u64 = 2_000_000;

/// Which positions the book has to hold.
#[derive(Clone, Debug)]
pub struct BookPlan {
    /// Every position of at most this many stones.
    pub all_plies: usize,
    /// Every position of at most this many stones that our own play, as either side,
    /// can be led to by the opponent.
    pub own_plies: usize,
    /// Other positions, such as those beyond these that the solver needs too long for.
    pub also: Vec<Position>,
}

impl BookPlan {
    /// The most stones of any position of the plan.
    fn last_plies(&self) -> usize {
        let also = self.also.iter().map(Position::plies).max().unwrap_or(0);
        self.own_plies.max(self.all_plies).max(also)
    }
}

/// A result of the build, and how far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookStep {
    /// The position's code.
    pub code: u64,
    /// What was found.
    pub entry: BookEntry,
    /// How many stones the position has.
    pub plies: usize,
    /// Its number among those of its level, from 1.
    pub number: usize,
    /// How many positions its level has.
    pub level: usize,
    /// Whether it was solved now, and not known from before.
    pub fresh: bool,
}

/// Solves the positions of `plan` that are not in `known` and returns the whole book.
///
/// `watch` sees every position, known ones too, and may break off; the book
/// then holds what is done.
///
/// # Errors
/// If the solver was not built for `variant`.
pub fn build_book(
    variant: &Variant,
    solver: &mut Solver,
    plan: &BookPlan,
    known: &Book,
    watch: &mut dyn FnMut(BookStep) -> ControlFlow<()>,
) -> Result<Book, SolveError> {
    let mut book = Book::default();
    let mut own: BTreeMap<usize, Level> = BTreeMap::new();
    let empty = Position::new(*variant);
    // As the second side we meet every opening.
    for reply in replies(&empty) {
        own.entry(1).or_default().add(reply);
    }
    own.entry(0).or_default().add(empty.clone());
    let mut all = Level::default();
    all.add(empty);
    for plies in 0..=plan.last_plies() {
        let mut level = own.remove(&plies).unwrap_or_default();
        let ours = level.positions.len();
        let mut next_all = Level::default();
        for position in all.positions {
            if plies < plan.all_plies {
                replies(&position).for_each(|reply| next_all.add(reply));
            }
            level.add(position);
        }
        all = next_all;
        let also = plan.also.iter().filter(|also| also.plies() == plies);
        also.for_each(|position| level.add(position.clone()));
        let count = level.positions.len();
        for (at, position) in level.positions.iter().enumerate() {
            let code = BookCode::of(position).expect("a book's game fits its codes");
            let before = known.entry(code.code);
            let entry = match before {
                Some(entry) => entry,
                None => solve_entry(solver, position, code)?,
            };
            book.insert(code.code, entry);
            let step = BookStep {
                code: code.code,
                entry,
                plies,
                number: at + 1,
                level: count,
                fresh: before.is_none(),
            };
            if watch(step).is_break() {
                return Ok(book);
            }
            let moved = after(position, code.turned(variant, entry.column));
            if at < ours && plies + 2 <= plan.own_plies && moved.outcome().is_none() {
                let next = own.entry(plies + 2).or_default();
                replies(&moved).for_each(|reply| next.add(reply));
            }
        }
    }
    Ok(book)
}

fn solve_entry(
    solver: &mut Solver,
    position: &Position,
    code: BookCode,
) -> Result<BookEntry, SolveError> {
    let limits = SolveLimits::default();
    let solved = solver.solve(position, Question::Score, &limits)?;
    let score = solved
        .bounds
        .exact()
        .expect("without a limit the score is found");
    let (cell, _) = solver.best_move(position, score, &limits)?;
    let cell = cell.expect("without a limit a best move is found");
    let taste = SolveLimits {
        nodes: Some(TASTE_NODES),
        ..limits
    };
    let (cell, _) = solver.hardest_to_answer(position, score, cell, &taste)?;
    Ok(BookEntry {
        score,
        column: code.turned(position.variant(), cell.column()),
    })
}
