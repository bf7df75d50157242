//! The recursive search of one thread: principal variation search on quiet positions.
//!
//! A quiet position is one where the side to move can't win at once, nothing
//! is threatened, and two moves or more don't lose at once. Everything else is
//! played out or decided by [`Search::descend`] before recursion, without a
//! cost in depth. Keeps apart what is certain: `guessed` tells after each call
//! whether an estimate had a part in the score that it returned. Proven wins
//! and losses need no such care, since no estimate reaches so far.

use super::eval::Evaluation;
use super::gravity::{Gravity, State};
use super::order::Order;
use super::params::Params;
use super::pulse::Pulse;
use super::score::{INFINITE, guessed, is_decided, win_at};
use super::table::{Bound, COMPLETE, Entry, Table};
use crate::columns::{Columns, has_two};
use crate::mcts::Pruning;
use crate::mcts::game::Outlook;
use crate::value::Value;
use stoneline_rules::scramble;

/// A position in the search.
#[derive(Clone, Copy)]
pub(super) struct Node<const WORDS: usize> {
    pub(super) state: State<WORDS>,
    pub(super) key: u64,
    /// Stones on the board.
    pub(super) stones: u16,
    /// Columns that don't lose at once; at least two in a quiet position.
    pub(super) open: Columns,
}

/// What a move and the forced ones after it lead to.
#[derive(Clone, Copy)]
pub(super) enum Descent {
    /// The score, to the side that made the move.
    Decided(i32),
    /// A quiet position, and whether the side that made the move is to move again.
    Quiet { same_mover: bool },
}

/// The window of a call: scores at or below `alpha` and at or above `beta` need no more detail.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// Every score.
    pub(super) const OPEN: Self = Self {
        alpha: -INFINITE,
        beta: INFINITE,
    };

    /// The window as the side to move in the child sees it.
    #[inline(always)]
    fn turned(self, same_mover: bool) -> Self {
        if same_mover {
            self
        } else {
            Self {
                alpha: -self.beta,
                beta: -self.alpha,
            }
        }
    }

    /// Whether anything lies between the ends.
    #[inline(always)]
    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }
}

/// Levels of which the expected continuation is kept: no board has more cells.
const MOST_LEVELS: usize = 257;

/// Numbers for the keys of positions.
pub(super) fn stone_key(side: usize, cell: u16) -> u64 {
    scramble(u64::from(cell) << 1 | side as u64 | 1 << 41)
}

/// How many plies late moves lose, by depth and number of the move.
pub(super) struct Reductions([[u8; 16]; 32]);

impl Reductions {
    pub(super) fn new(params: &Params) -> Self {
        let mut plies = [[0; 16]; 32];
        for (depth, row) in plies.iter_mut().enumerate().skip(3) {
            let first = params.full_moves as usize;
            for (number, plies) in row.iter_mut().enumerate().skip(first) {
                let by = (depth as f64).ln() * (number as f64 + 1.0).ln();
                *plies = (by * f64::from(params.reduction) / 100.0) as u8;
            }
        }
        Self(plies)
    }

    #[inline(always)]
    fn plies(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[(depth as usize).min(31)][number.min(15)])
    }
}

/// What all threads of a search share.
pub(super) struct Common<'a, const WORDS: usize> {
    pub(super) game: &'a Gravity<WORDS>,
    pub(super) table: &'a Table,
    pub(super) keys: &'a [[u64; 2]],
    pub(super) params: &'a Params,
    pub(super) reductions: &'a Reductions,
}

/// One thread of the search.
pub(super) struct Search<'a, E, const WORDS: usize> {
    pub(super) common: &'a Common<'a, WORDS>,
    pub(super) evaluation: &'a mut E,
    pub(super) order: &'a mut Order,
    pub(super) pulse: Pulse<'a>,
    /// Whether an estimate had a part in the last score that was returned.
    pub(super) guessed: bool,
    /// The cells played since the root.
    pub(super) path: Vec<u16>,
    /// How many of them the evaluation has seen.
    synced: usize,
    /// By level below the root: the expected continuation.
    pub(super) lines: Vec<Vec<u16>>,
}

impl<'a, E: Evaluation<WORDS>, const WORDS: usize> Search<'a, E, WORDS> {
    pub(super) fn new(
        common: &'a Common<'a, WORDS>,
        evaluation: &'a mut E,
        order: &'a mut Order,
        pulse: Pulse<'a>,
    ) -> Self {
        Self {
            common,
            evaluation,
            order,
            pulse,
            guessed: false,
            path: Vec::with_capacity(MOST_LEVELS),
            synced: 0,
            lines: vec![Vec::new(); MOST_LEVELS],
        }
    }

    /// Takes back to `length` stones since the root.
    #[inline(always)]
    pub(super) fn retreat(&mut self, length: usize) {
        while self.synced > length {
            self.evaluation.undo();
            self.synced -= 1;
        }
        self.path.truncate(length);
    }

    /// Drops a stone in `column` and plays on while there is only one move; `child` is
    /// the position itself before and the one reached after.
    ///
    /// Contract: the side to move can't win at once. With `depth` to look the position up
    /// there, its place in the table is brought closer meanwhile.
    #[inline(always)]
    pub(super) fn descend(&mut self, child: &mut Node<WORDS>, column: u8, depth: i32) -> Descent {
        let mover = child.state.side;
        let mut column = usize::from(column);
        loop {
            let side = child.state.side & 1;
            let cell = child.state.landing[column % 16];
            child.key ^= self.common.keys[usize::from(cell)][side];
            if depth > 1 {
                self.common.table.prefetch(child.key);
            }
            self.common.game.drop_stone(&mut child.state, column);
            child.stones += 1;
            self.path.push(cell);
            let prospect = self.common.game.prospect(&child.state);
            match prospect.judge(Pruning::Full) {
                Outlook::Decided(value) => {
                    let stones = i32::from(child.stones);
                    let score = match value {
                        Value::Win { plies } => win_at(stones + i32::from(plies)),
                        Value::Loss { plies } => -win_at(stones + i32::from(plies)),
                        Value::Draw | Value::Guess(_) => 0,
                    };
                    let same = child.state.side == mover;
                    return Descent::Decided(if same { score } else { -score });
                }
                Outlook::Open(open) if has_two(open) => {
                    child.open = open;
                    return Descent::Quiet {
                        same_mover: child.state.side == mover,
                    };
                }
                Outlook::Open(only) => column = only.trailing_zeros() as usize,
            }
        }
    }

    /// Brings closer what the table knows of the position after a stone in `column`.
    #[inline(always)]
    fn expect(&self, node: &Node<WORDS>, column: u8) {
        let cell = node.state.landing[usize::from(column) % 16];
        let stone = self.common.keys[usize::from(cell)][node.state.side & 1];
        self.common.table.prefetch(node.key ^ stone);
    }

    /// The estimate of a quiet position.
    #[inline(always)]
    fn estimate(&mut self, node: &Node<WORDS>) -> i32 {
        for at in self.synced..self.path.len() {
            self.evaluation.play(self.path[at]);
        }
        self.synced = self.path.len();
        guessed(self.evaluation.value(&node.state))
    }

    /// The score of a quiet position, `depth` plies ahead; `None` when a limit was reached.
    ///
    /// Outside the window it is a bound of the score.
    pub(super) fn visit(
        &mut self,
        node: &Node<WORDS>,
        depth: i32,
        window: Window,
        level: usize,
    ) -> Option<i32> {
        self.pulse.count()?;
        self.lines[level].clear();
        // The soonest ends of a quiet position: a win with the third stone, a loss with the fourth.
        let stones = i32::from(node.stones);
        let (most, least) = (win_at(stones + 3), -win_at(stones + 4));
        self.guessed = false;
        if window.alpha >= most {
            return Some(most);
        }
        if window.beta <= least {
            return Some(least);
        }
        if depth <= 0 {
            self.guessed = true;
            return Some(self.estimate(node));
        }
        let known = self.common.table.probe(node.key);
        if let Some(entry) = known
            && let Some(score) = self.recalled(&entry, depth, window)
        {
            return Some(score);
        }
        self.explore(node, depth, window, level, known)
    }

    /// The stored score if it answers the question.
    #[inline(always)]
    fn recalled(&mut self, entry: &Entry, depth: i32, window: Window) -> Option<i32> {
        let score = entry.score;
        let (low, high) = match entry.bound {
            Bound::Lower => (true, false),
            Bound::Upper => (false, true),
            Bound::Exact => (true, true),
        };
        let proven =
            low && score > 0 && is_decided(score) || high && score < 0 && is_decided(score);
        if entry.depth < depth && !proven {
            return None;
        }
        let answers = low && score >= window.beta
            || high && score <= window.alpha
            || low && high && (window.is_null() || entry.depth == COMPLETE || proven);
        if answers {
            self.guessed = entry.depth != COMPLETE && !proven;
        }
        answers.then_some(score)
    }

    /// Searches the moves of a quiet position.
    fn explore(
        &mut self,
        node: &Node<WORDS>,
        depth: i32,
        window: Window,
        level: usize,
        known: Option<Entry>,
    ) -> Option<i32> {
        let params = self.common.params;
        let mut depth = depth;
        let known_column = known.and_then(|entry| entry.column);
        if let Some(column) = known_column {
            self.expect(node, column);
        }
        if params.unknown_depth > 0
            && depth >= params.unknown_depth as i32
            && known_column.is_none()
        {
            depth -= 1;
        }
        let prunes = window.is_null()
            && depth <= params.margin_depth as i32
            && !is_decided(window.alpha)
            && !is_decided(window.beta);
        let mut estimate = None;
        let mut passes_over = false;
        if prunes && (params.margin > 0 || params.hopeless > 0) {
            let score = known
                .and_then(|entry| entry.estimate)
                .unwrap_or_else(|| self.estimate(node));
            estimate = Some(score);
            if params.margin > 0 && score - params.margin as i32 * depth >= window.beta {
                self.guessed = true;
                return Some(score);
            }
            passes_over =
                params.hopeless > 0 && score + params.hopeless as i32 * depth <= window.alpha;
        }
        let base = self.path.len();
        let mut alpha = window.alpha;
        let mut best = -INFINITE;
        let mut best_column = None;
        let mut any_guessed = false;
        let mut tried = [0; 16];
        let mut moves = self
            .order
            .moves(&node.state, node.stones, node.open, known_column);
        let mut number = 0;
        let mut upcoming = moves.next();
        while let Some(column) = upcoming {
            upcoming = moves.next();
            if let Some(next) = upcoming
                && depth > 1
            {
                self.expect(node, next);
            }
            if passes_over && number >= params.full_moves as usize {
                any_guessed = true;
                break;
            }
            // In place: a node has some two hundred bytes, and this loop is the search.
            let mut child = *node;
            let descent = self.descend(&mut child, column, depth);
            let score = match descent {
                Descent::Decided(score) => {
                    self.guessed = false;
                    score
                }
                Descent::Quiet { same_mover } => {
                    let window = Window { alpha, ..window };
                    self.child_score(&child, same_mover, depth, window, number, level)?
                }
            };
            let cell = node.state.landing[usize::from(column) % 16];
            any_guessed |= self.guessed;
            if score > best {
                best = score;
                if score > alpha {
                    best_column = Some(column);
                    if !window.is_null() {
                        self.note_line(base, level, descent);
                    }
                }
            }
            self.retreat(base);
            if score >= window.beta {
                // One move is enough: what the others were guessed at does not matter.
                any_guessed = self.guessed;
                let side = node.state.side & 1;
                self.order
                    .learn(side, node.stones, depth, cell, &tried[..number]);
                break;
            }
            alpha = alpha.max(score);
            tried[number] = cell;
            number += 1;
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.guessed = any_guessed;
        let entry = Entry {
            score: best,
            bound,
            depth: if any_guessed { depth } else { COMPLETE },
            column: best_column,
            estimate,
        };
        self.common.table.store(node.key, entry);
        Some(best)
    }

    /// The score of a child to the parent's mover: late moves less deep and with a null
    /// window first, and in full if they surprise.
    #[inline(always)]
    pub(super) fn child_score(
        &mut self,
        child: &Node<WORDS>,
        same: bool,
        depth: i32,
        window: Window,
        number: usize,
        level: usize,
    ) -> Option<i32> {
        let turn = |score: i32| if same { score } else { -score };
        if number == 0 {
            let score = self.visit(child, depth - 1, window.turned(same), level + 1)?;
            return Some(turn(score));
        }
        let null = Window {
            alpha: window.alpha,
            beta: window.alpha + 1,
        };
        let reduction = self.common.reductions.plies(depth, number);
        let mut score = turn(self.visit(
            child,
            (depth - 1 - reduction).max(0),
            null.turned(same),
            level + 1,
        )?);
        if score > window.alpha && reduction > 0 && self.guessed {
            score = turn(self.visit(child, depth - 1, null.turned(same), level + 1)?);
        }
        if score > window.alpha && score < window.beta && !window.is_null() {
            score = turn(self.visit(child, depth - 1, window.turned(same), level + 1)?);
        }
        Some(score)
    }

    /// The line of this level becomes the stones since `base` and the line of the child.
    #[inline(always)]
    pub(super) fn note_line(&mut self, base: usize, level: usize, descent: Descent) {
        let mut line = std::mem::take(&mut self.lines[level]);
        line.clear();
        line.extend_from_slice(&self.path[base..]);
        if matches!(descent, Descent::Quiet { .. }) {
            line.extend_from_slice(&self.lines[level + 1]);
        }
        self.lines[level] = line;
    }
}
