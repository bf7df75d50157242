//! Perfect play: the best score always, and among equals the hardest to answer.
//!
//! A won position is never given away, a lost one is held as long as it
//! goes: the score decides first. Among moves of the best score it takes the
//! one with the fewest replies that hold the opponent's score, because every
//! other reply is a mistake that people and engines can make.

use super::solver::{Question, SolveError, SolveLimits, Solver};
use super::table::Bounds;
use stoneline_rules::{Cell, Outcome, Position};

/// Nodes for telling moves of equal score apart in a game, all questions together.
const TASTE_NODES: u64 = 400_000;

/// A move, and what is proven of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerfectMove {
    /// The move.
    pub cell: Cell,
    /// The score of the position; exact unless a limit was reached.
    pub bounds: Bounds,
    /// Nodes searched.
    pub nodes: u64,
}

impl Solver {
    /// The move of perfect play, or the best that could be proven within the limits.
    ///
    /// When there is no time for the exact score, a move that keeps the proven
    /// outcome is preferred.
    ///
    /// # Errors
    /// If the game is over or another one.
    pub fn perfect_move(
        &mut self,
        position: &Position,
        limits: &SolveLimits,
    ) -> Result<PerfectMove, SolveError> {
        if let Some((score, cell)) = self.book_entry(position) {
            let bounds = Bounds {
                low: score,
                high: score,
            };
            return Ok(PerfectMove {
                cell,
                bounds,
                nodes: 0,
            });
        }
        let deadline = limits.deadline();
        let left = |share| limits.left(deadline, share);
        // The outcome first: it is what must not be given away.
        let outcome = self.solve(position, Question::Outcome, &left(2))?;
        let mut nodes = outcome.nodes;
        let solved = self.solve(position, Question::Score, &left(2))?;
        nodes += solved.nodes;
        let goal = solved.bounds.exact().or(outcome.bounds.exact());
        // Without any proof the lowest bound is all there is to hold on to.
        let goal = goal.unwrap_or(solved.bounds.low.max(outcome.bounds.low));
        let (cell, spent) = self.best_move(position, goal, &left(1))?;
        nodes += spent;
        let Some(cell) = cell else {
            return Ok(PerfectMove {
                cell: prudent_move(position),
                bounds: solved.bounds,
                nodes,
            });
        };
        let (cell, spent) = match solved.bounds.exact() {
            Some(score) => {
                let mut taste = left(1);
                taste.nodes = Some(taste.nodes.unwrap_or(TASTE_NODES).min(TASTE_NODES));
                self.hardest_to_answer(position, score, cell, &taste)?
            }
            None => (cell, 0),
        };
        Ok(PerfectMove {
            cell,
            bounds: solved.bounds,
            nodes: nodes + spent,
        })
    }

    /// Among the moves that reach `score`, of which `first` is one, that with the fewest
    /// replies that hold it, as far as the limits let them be told apart.
    ///
    /// # Errors
    /// If the game is over or another one.
    pub(super) fn hardest_to_answer(
        &mut self,
        position: &Position,
        score: i32,
        first: Cell,
        limits: &SolveLimits,
    ) -> Result<(Cell, u64), SolveError> {
        self.check(position)?;
        let budget = limits.nodes.unwrap_or(u64::MAX);
        let deadline = limits.deadline();
        let mut spent = 0;
        let mut best: Option<(usize, Cell)> = None;
        let mut moves = position.legal_moves();
        // `first` wins ties, so that it is played when nothing more is found out.
        moves.sort_by_key(|&cell| cell != first);
        for cell in moves {
            let ask = |spent: u64| SolveLimits {
                nodes: Some(budget.saturating_sub(spent)),
                ..limits.left(deadline, 1)
            };
            let least = Bounds {
                low: score - 1,
                high: score,
            };
            let reached = self.prove_move(position, cell, least, &ask(spent));
            spent += reached.nodes;
            if reached.bounds.low < score {
                continue;
            }
            let mut after = position.clone();
            after.play(cell).expect("a legal move");
            if matches!(after.outcome(), Some(Outcome::Win(_))) {
                return Ok((cell, spent));
            }
            let held = Bounds {
                low: -score - 1,
                high: -score,
            };
            let mut holding = 0;
            let mut is_certain = true;
            for reply in after.legal_moves() {
                let proven = self.prove_move(&after, reply, held, &ask(spent));
                spent += proven.nodes;
                is_certain &= proven.bounds.exact().is_some();
                holding += usize::from(proven.bounds.low == -score);
            }
            let is_better = best.is_none_or(|(fewest, _)| is_certain && holding < fewest);
            if is_better {
                best = Some((if is_certain { holding } else { usize::MAX }, cell));
            }
            if spent >= budget {
                break;
            }
        }
        Ok((best.map_or(first, |(_, cell)| cell), spent))
    }
}

/// The move nearest to the middle among those that win at once, or else leave the opponent
/// no win at once. Contract: the game goes on.
fn prudent_move(position: &Position) -> Cell {
    let columns = position.variant().geometry().columns();
    let danger = |cell: &Cell| {
        let mut after = position.clone();
        after.play(*cell).expect("a legal move");
        match after.outcome() {
            Some(Outcome::Win(_)) => 0,
            _ if wins_at_once(&after) => 2,
            _ => 1,
        }
    };
    position
        .legal_moves()
        .into_iter()
        .min_by_key(|cell| (danger(cell), (2 * cell.column() + 1).abs_diff(columns)))
        .expect("a game that goes on has a move")
}

/// Whether the side to move has a stone that ends the game in its favour.
fn wins_at_once(position: &Position) -> bool {
    position.legal_moves().into_iter().any(|cell| {
        let mut after = position.clone();
        after.play(cell).expect("a legal move");
        matches!(after.outcome(), Some(Outcome::Win(_)))
    })
}
