//! The root of a search: its moves, and looking at them deeper and deeper.

use super::eval::Evaluation;
use super::pulse::News;
use super::score::{LEAST_WON, is_decided, value};
use super::search::{Descent, Node, Search, Window};
use crate::columns::Columns;
use crate::engine::MoveReport;
use crate::value::Value;
use std::time::Instant;
use stoneline_rules::Geometry;

/// Depth from which on the window begins around the last score.
const ASPIRATION_DEPTH: i32 = 4;
/// Depth to which a forced move is looked at, for its value alone.
const FORCED_DEPTH: i32 = 8;
/// A window that has grown beyond this is opened.
const WIDEST: i32 = 3000;

/// What is known of a move of the root.
#[derive(Clone, Debug)]
struct RootMove {
    column: u8,
    /// To the side to move; a bound where the window was narrow.
    score: i32,
    /// Whether the score is no bound, and no estimate is behind it.
    certain: bool,
    /// The move and what is expected after it.
    line: Vec<u16>,
}

impl RootMove {
    fn is_lost(&self) -> bool {
        self.score <= -LEAST_WON
    }
}

/// The root of a search and what was found so far.
#[derive(Clone)]
pub(super) struct Root<const WORDS: usize> {
    node: Node<WORDS>,
    /// The best first; those that lose at once last.
    moves: Vec<RootMove>,
    /// Plies of the last depth that was finished.
    depth: u32,
    /// Whether the score of the first move is exact and no estimate is behind any.
    certain: bool,
}

impl<const WORDS: usize> Root<WORDS> {
    /// The moves of `order`, before any search; those not in the node's `open` lose in two plies.
    pub(super) fn new(node: Node<WORDS>, order: impl Iterator<Item = u8>) -> Self {
        let lost = -super::score::win_at(i32::from(node.stones) + 2);
        let of = |column: u8| {
            let open = node.open >> column & 1 == 1;
            RootMove {
                column,
                score: if open { 1 } else { lost },
                certain: !open,
                line: vec![node.state.landing[usize::from(column)]],
            }
        };
        let mut moves: Vec<RootMove> = order.map(of).collect();
        moves.sort_by_key(RootMove::is_lost);
        Self {
            node,
            moves,
            depth: 0,
            certain: false,
        }
    }

    /// Columns that are not proven to lose.
    fn hopeful(&self) -> Columns {
        self.moves
            .iter()
            .filter(|one| !one.is_lost())
            .fold(0, |set, one| set | 1 << one.column)
    }

    /// Whether more search can't change the choice.
    fn is_settled(&self) -> bool {
        self.certain || is_decided(self.moves[0].score)
    }

    /// How much the result is worth beside that of other threads.
    pub(super) fn rank(&self) -> (bool, u32) {
        (self.is_settled(), self.depth)
    }

    /// Plies of the last depth that was finished.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// What the position is worth to the side to move.
    pub(super) fn value(&self) -> Value {
        value(self.moves[0].score, self.node.stones.into(), self.certain)
    }

    /// The moves with values and lines, the one to play first.
    pub(super) fn reports(&self, geometry: &Geometry) -> Vec<MoveReport> {
        let mut reports: Vec<MoveReport> = self
            .moves
            .iter()
            .map(|one| MoveReport {
                cell: geometry.cell(one.line[0].into()),
                value: value(one.score, self.node.stones.into(), one.certain),
                visits: 0,
                line: one
                    .line
                    .iter()
                    .map(|&at| geometry.cell(at.into()))
                    .collect(),
            })
            .collect();
        reports[1..].sort_by(|one, other| other.value.compare(one.value));
        reports
    }

    /// Brings the move to play to the front, when the search ended in the middle of a depth.
    fn settle(&mut self) {
        self.moves.sort_by_key(RootMove::is_lost);
        if self.moves[0].is_lost() {
            // The longest resistance.
            self.moves.sort_by_key(|one| -one.score);
        }
    }
}

/// How a search of the root goes on.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) first_depth: i32,
    pub(super) last_depth: i32,
    /// When no further depth is begun.
    pub(super) enough: Option<Instant>,
    /// Whether to end when only one move is left that is not proven to lose.
    pub(super) end_when_forced: bool,
}

impl<E: Evaluation<WORDS>, const WORDS: usize> Search<'_, E, WORDS> {
    /// Searches deeper and deeper until a limit or a proof ends it.
    pub(super) fn deepen(&mut self, root: &mut Root<WORDS>, plan: &Plan<'_>) {
        for depth in plan.first_depth..=plan.last_depth {
            let finished = self.aspire(root, depth, plan);
            self.retreat(0);
            if finished.is_none() {
                break;
            }
            root.depth = depth as u32;
            let alone =
                plan.end_when_forced && depth >= FORCED_DEPTH && root.hopeful().count_ones() <= 1;
            let enough = plan.enough.is_some_and(|enough| Instant::now() >= enough);
            if root.is_settled() || alone || enough {
                break;
            }
        }
        root.settle();
    }

    /// One depth, first with a window around the last score, then as wide as it takes.
    fn aspire(&mut self, root: &mut Root<WORDS>, depth: i32, plan: &Plan<'_>) -> Option<()> {
        let params = self.common.params;
        let center = root.moves[0].score;
        let mut width = params.aspiration as i32;
        let mut window = if depth < ASPIRATION_DEPTH || is_decided(center) || params.all_moves {
            Window::OPEN
        } else {
            Window {
                alpha: center - width,
                beta: center + width,
            }
        };
        loop {
            let score = self.sweep(root, depth, window, plan)?;
            width *= 3;
            let open = width > WIDEST || is_decided(score);
            if score <= window.alpha && window.alpha > Window::OPEN.alpha {
                window.alpha = if open {
                    Window::OPEN.alpha
                } else {
                    score - width
                };
            } else if score >= window.beta && window.beta < Window::OPEN.beta {
                window.beta = if open {
                    Window::OPEN.beta
                } else {
                    score + width
                };
            } else {
                return Some(());
            }
        }
    }

    /// Searches every move of the root once; the score of the best.
    fn sweep(
        &mut self,
        root: &mut Root<WORDS>,
        depth: i32,
        window: Window,
        plan: &Plan<'_>,
    ) -> Option<i32> {
        let all_moves = self.common.params.all_moves;
        let hopeful = root.hopeful();
        let mut best = -super::score::INFINITE;
        let mut alpha = window.alpha;
        let mut any_guessed = false;
        root.certain = false;
        for at in 0..root.moves.len() {
            let column = root.moves[at].column;
            if hopeful != 0 && root.moves[at].is_lost() {
                best = best.max(root.moves[at].score);
                continue;
            }
            let inner = if all_moves {
                window
            } else {
                Window { alpha, ..window }
            };
            let number = if all_moves { 0 } else { at };
            let mut child = root.node;
            let descent = self.descend(&mut child, column, depth);
            let score = match descent {
                Descent::Decided(score) => {
                    self.guessed = false;
                    score
                }
                Descent::Quiet { same_mover } => {
                    self.child_score(&child, same_mover, depth, inner, number, 0)?
                }
            };
            any_guessed |= self.guessed;
            self.note_line(0, 0, descent);
            self.retreat(0);
            let one = &mut root.moves[at];
            // A bound on the far side of a win or loss proves neither, and tells nothing.
            let tells = !is_decided(score)
                || if score > 0 {
                    score > inner.alpha
                } else {
                    score < inner.beta
                };
            if tells {
                one.score = score;
                one.certain = !self.guessed && score > inner.alpha && score < inner.beta;
            }
            if score > best && (score > alpha || all_moves && score > window.alpha) {
                one.line.clone_from(&self.lines[0]);
                root.moves[..=at].rotate_right(1);
            } else if all_moves || at == 0 {
                one.line.clone_from(&self.lines[0]);
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= window.beta {
                any_guessed = self.guessed;
                break;
            }
            self.tell(root, plan);
        }
        root.certain = !any_guessed && best > window.alpha && best < window.beta;
        Some(best)
    }

    /// Keeps the news for the next event.
    fn tell(&mut self, root: &Root<WORDS>, plan: &Plan<'_>) {
        if self.pulse.wants_news() {
            self.pulse.note(News {
                value: root.value(),
                moves: root.reports(plan.geometry),
                depth: root.depth,
            });
        }
    }
}
