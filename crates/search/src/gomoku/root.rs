//! The root of a search on a free board: its moves, looked at deeper and deeper.

use super::cells::Spot;
use super::order::{Demand, demand};
use super::search::{LEAST_WON, Search, WON, Window};
use crate::alphabeta::pulse::News;
use crate::engine::MoveReport;
use crate::value::{Value, win_rate};
use std::time::Instant;

/// Half the first window around the last score.
const ASPIRATION: i32 = 60;
/// A window that has grown beyond this is opened.
const WIDEST: i32 = 2000;
/// Depth that no search passes.
const DEEPEST: i32 = 90;
/// Most moves of a line that is told.
const LINE: usize = 24;

/// A move of the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) spot: Spot,
    score: i32,
}

/// What was found so far.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// The best first.
    pub(super) moves: Vec<RootMove>,
    pub(super) depth: u32,
}

impl Root {
    /// The moves of the position, ranked without search.
    pub(super) fn new(search: &Search<'_>) -> Self {
        let field = &search.field;
        let cells = match demand(field) {
            Demand::StopFour(cells) | Demand::StopThree(cells) => cells,
            Demand::OpenFour(spot) => std::iter::once(spot).collect(),
            Demand::Win | Demand::Lost | Demand::Free => field.near(),
        };
        let known = search
            .memory
            .probe(field.key())
            .and_then(|entry| entry.spot);
        let mut moves = Vec::new();
        for cells in [cells, *field.empty()] {
            let mut candidates = search.order.rank(field, &cells, known, 0);
            while let Some(candidate) = candidates.take() {
                moves.push(RootMove {
                    spot: candidate.spot,
                    score: 0,
                });
            }
            if !moves.is_empty() {
                break;
            }
        }
        Self { moves, depth: 0 }
    }

    /// Looks deeper and deeper until the search has to stop, or more would change nothing.
    pub(super) fn deepen(&mut self, search: &mut Search<'_>, soft_end: Option<Instant>, skip: i32) {
        let mut last = 0;
        for depth in 1..DEEPEST {
            // Threads that help start at other depths, so that they see other things first.
            let depth = depth + skip;
            let Some(score) = self.aspire(search, depth, last) else {
                return;
            };
            last = score;
            self.depth = depth as u32;
            if search.pulse.wants_news() {
                let news = News {
                    value: self.value(),
                    moves: self.reports(search),
                    depth: self.depth,
                };
                search.pulse.note(news);
            }
            let late = soft_end.is_some_and(|end| Instant::now() >= end);
            // A loss may not be one: candidates were chosen, and the opponent has to see it.
            if self.moves.len() == 1 || score >= LEAST_WON || late {
                return;
            }
        }
    }

    /// One depth, with a window around the last score that grows as needed.
    fn aspire(&mut self, search: &mut Search<'_>, depth: i32, last: i32) -> Option<i32> {
        let mut half = ASPIRATION;
        let (mut low, mut high) = (last - half, last + half);
        if depth < 3 {
            (low, high) = (-WON, WON);
        }
        loop {
            let window = Window {
                alpha: low.max(-WON),
                beta: high.min(WON),
            };
            let score = self.look(search, window, depth)?;
            half *= 2;
            if score <= window.alpha && window.alpha > -WON {
                low = if half > WIDEST { -WON } else { score - half };
            } else if score >= window.beta && window.beta < WON {
                high = if half > WIDEST { WON } else { score + half };
            } else {
                return Some(score);
            }
        }
    }

    /// Every move once; the best goes to the front as soon as it is found.
    fn look(&mut self, search: &mut Search<'_>, window: Window, depth: i32) -> Option<i32> {
        let mut rising = window;
        let mut best = -WON;
        for at in 0..self.moves.len() {
            let spot = self.moves[at].spot;
            let reduction = i32::from(at >= 12 && depth > 3);
            let score = search.child(spot, rising, depth, 0, (at, reduction))?;
            self.moves[at].score = score;
            if score > best {
                best = score;
            }
            if score > rising.alpha || at == 0 {
                let found = self.moves.remove(at);
                self.moves.insert(0, found);
                rising.alpha = rising.alpha.max(score);
                if score >= window.beta {
                    break;
                }
            }
        }
        Some(best)
    }

    /// Whether the best move wins, as far as the search sees.
    pub(super) fn is_won(&self) -> bool {
        self.moves
            .first()
            .is_some_and(|best| best.score >= LEAST_WON)
    }

    /// What the position is worth: an opinion, however sure.
    pub(super) fn value(&self) -> Value {
        Value::Guess(win_rate(self.moves[0].score))
    }

    /// The moves with values, the one to play first and with the expected line.
    pub(super) fn reports(&self, search: &mut Search<'_>) -> Vec<MoveReport> {
        let ground = std::sync::Arc::clone(search.field.ground());
        let mut reports: Vec<MoveReport> = self
            .moves
            .iter()
            .map(|one| MoveReport {
                cell: ground.cell(one.spot),
                value: Value::Guess(win_rate(one.score)),
                visits: 0,
                line: vec![ground.cell(one.spot)],
            })
            .collect();
        if let Some(best) = self.moves.first() {
            let line = expected(search, best.spot);
            reports[0].line = line.into_iter().map(|spot| ground.cell(spot)).collect();
            reports[1..].sort_by(|one, other| other.value.compare(one.value));
        }
        reports
    }
}

/// The line from `first` on that the memory holds.
fn expected(search: &mut Search<'_>, first: Spot) -> Vec<Spot> {
    let mut line = Vec::new();
    let mut next = Some(first);
    while let Some(spot) = next.filter(|&spot| search.field.is_empty(spot)) {
        let side = search.field.side_to_move();
        if line.len() == LINE || !search.field.allows(side, spot) {
            break;
        }
        search.field.play(spot);
        line.push(spot);
        if search.field.is_won() {
            break;
        }
        next = search
            .memory
            .probe(search.field.key())
            .and_then(|entry| entry.spot);
    }
    for _ in &line {
        search.field.undo();
    }
    line
}
