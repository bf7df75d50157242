//! Alpha-beta on free boards: principal variation search with threats resolved first.
//!
//! What is forced is settled before recursion: fives, answers to fours, open
//! fours, complete answers to open threes. Leaves ask whether fours win before
//! they are estimated. Scores of wins are opinions here, since candidates are
//! chosen; what is told as proven comes from the threat search.

use super::cells::Spot;
use super::field::Field;
use super::memory::{Bound, Entry, Memory};
use super::order::{Candidate, Demand, MOST_PLIES, Order, demand};
use super::shape::Class;
use super::vcf::Vcf;
use crate::alphabeta::pulse::Pulse;

/// The score of a game that is won now; each ply to come takes one away.
pub(super) const WON: i32 = 30_000;
/// Scores from here on are wins.
pub(super) const LEAST_WON: i32 = WON - 1000;
/// No estimate is beyond.
const MOST_ESTIMATE: i32 = 20_000;
/// Nodes of the search by fours at a leaf and at an inner position.
const LEAF_VCF_NODES: u64 = 24;
const INNER_VCF_NODES: u64 = 120;
/// How far an estimate must lie beyond the window, for each ply left, to stand for a search.
const MARGIN: i32 = 260;
/// Plies left at most for that.
const MARGIN_DEPTH: i32 = 4;

/// One thread's search.
pub(super) struct Search<'a> {
    pub(super) field: Field,
    pub(super) memory: &'a Memory,
    pub(super) order: &'a mut Order,
    pub(super) vcf: &'a mut Vcf,
    pub(super) pulse: Pulse<'a>,
}

/// The window of scores that matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// The window as the opponent sees it.
    pub(super) const fn turned(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    const fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl Search<'_> {
    /// What the position looks like without search, to the side to move.
    pub(super) fn estimate(&self) -> i32 {
        let weights = self.field.ground().weights();
        let value = self.field.value() + weights.turn();
        value.clamp(-MOST_ESTIMATE, MOST_ESTIMATE)
    }

    /// The score of the position to the side to move; `None` when the search has to stop.
    pub(super) fn score(&mut self, window: Window, depth: i32, ply: usize) -> Option<i32> {
        self.pulse.count()?;
        let now = ply as i32;
        let mut cells = match demand(&self.field) {
            Demand::Win => return Some(WON - now - 1),
            Demand::Lost => return Some(now + 2 - WON),
            Demand::OpenFour(_) => return Some(WON - now - 3),
            Demand::StopFour(cells) => {
                // Forced: it costs no depth.
                return self.moves(window, depth.max(0) + 1, ply, &cells, Forced::Four);
            }
            // An estimate of a position that must be answered says little.
            Demand::StopThree(cells) if ply < MOST_PLIES => {
                return self.moves(window, depth.max(1), ply, &cells, Forced::Three);
            }
            _ if depth <= 0 || ply >= MOST_PLIES => return Some(self.leaf(ply)),
            _ => self.field.near(),
        };
        if self.field.empty().is_empty() {
            return Some(0);
        }
        if cells.is_empty() {
            cells = *self.field.empty();
        }
        self.moves(window, depth, ply, &cells, Forced::Not)
    }

    /// A position that is not searched further: fours, then the estimate.
    fn leaf(&mut self, ply: usize) -> i32 {
        match self.vcf.plies(&mut self.field, LEAF_VCF_NODES) {
            Some(plies) => WON - ply as i32 - i32::from(plies),
            None => self.estimate(),
        }
    }

    /// The best score among `cells`.
    fn moves(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        cells: &super::cells::CellSet,
        forced: Forced,
    ) -> Option<i32> {
        let key = self.field.key();
        let known = self.memory.probe(key);
        if let Some(score) = known.and_then(|entry| usable(entry, window, depth, ply)) {
            return Some(score);
        }
        let estimate = self.estimate();
        if forced != Forced::Four
            && known.is_none()
            && let Some(plies) = self.vcf.plies(&mut self.field, INNER_VCF_NODES)
        {
            let score = WON - ply as i32 - i32::from(plies);
            self.store(ply, score, Bound::Lower, 255, None);
            return Some(score);
        }
        if forced == Forced::Not && !window.is_open() && depth <= MARGIN_DEPTH {
            let margin = MARGIN * depth;
            if estimate - margin >= window.beta && window.beta < LEAST_WON {
                return Some(estimate);
            }
        }
        let first = known.and_then(|entry| entry.spot);
        let mut candidates = self.order.rank(&self.field, cells, first, ply);
        if candidates.len() == 0 {
            // Everything that could help is forbidden.
            return Some(if forced == Forced::Not {
                0
            } else {
                ply as i32 + 4 - WON
            });
        }
        let mut best = Found {
            score: -WON,
            spot: None,
        };
        let mut rising = window;
        let mut tried = [0; 64];
        let mut count = 0;
        while let Some(candidate) = candidates.take() {
            let quiet = self.is_quiet(candidate);
            if forced == Forced::Not && quiet && best.score > -LEAST_WON {
                let late = count >= 6 + (depth * depth * 2) as usize;
                let hopeless = depth <= MARGIN_DEPTH
                    && count >= 3
                    && estimate + MARGIN * depth <= rising.alpha;
                if !window.is_open() && (late || hopeless) && candidate.rank < 1 << 20 {
                    count += 1;
                    continue;
                }
            }
            let reduction = if quiet && forced == Forced::Not {
                reduction(depth, count, window.is_open())
            } else {
                0
            };
            let score = self.child(candidate.spot, rising, depth, ply, (count, reduction))?;
            if score > best.score {
                best.score = score;
                if score > rising.alpha {
                    rising.alpha = score;
                    best.spot = Some(candidate.spot);
                }
            }
            if score >= window.beta {
                let tried = &tried[..count.min(tried.len())];
                self.order
                    .learn(&self.field, candidate.spot, tried, depth, ply);
                break;
            }
            if count < tried.len() {
                tried[count] = candidate.spot;
            }
            count += 1;
        }
        let bound = if best.score >= window.beta {
            Bound::Lower
        } else if best.spot.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(ply, best.score, bound, depth, best.spot);
        Some(best.score)
    }

    /// The score of one move: late ones first with a closed window and less depth.
    pub(super) fn child(
        &mut self,
        spot: Spot,
        window: Window,
        depth: i32,
        ply: usize,
        (count, reduction): (usize, i32),
    ) -> Option<i32> {
        self.memory.prefetch(self.field.key_after(spot));
        self.field.play(spot);
        let score = self.child_score(window, depth, ply, count, reduction);
        self.field.undo();
        score
    }

    fn child_score(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        count: usize,
        reduction: i32,
    ) -> Option<i32> {
        if count > 0 {
            let closed = Window {
                alpha: -window.alpha - 1,
                beta: -window.alpha,
            };
            let mut score = -self.score(closed, depth - 1 - reduction, ply + 1)?;
            if score > window.alpha && reduction > 0 {
                score = -self.score(closed, depth - 1, ply + 1)?;
            }
            if score <= window.alpha || score >= window.beta {
                return Some(score);
            }
        }
        Some(-self.score(window.turned(), depth - 1, ply + 1)?)
    }

    /// Whether a move neither threatens nor stops anything.
    fn is_quiet(&self, candidate: Candidate) -> bool {
        let (own, other) = (self.field.side_to_move(), !self.field.side_to_move());
        self.field.class(own, candidate.spot) == Class::Quiet
            && self.field.class(other, candidate.spot) <= Class::Three
    }

    fn store(&self, ply: usize, score: i32, bound: Bound, depth: i32, spot: Option<Spot>) {
        let entry = Entry {
            score: if score >= LEAST_WON {
                score + ply as i32
            } else if score <= -LEAST_WON {
                score - ply as i32
            } else {
                score
            },
            bound,
            depth,
            spot,
        };
        self.memory.store(self.field.key(), entry);
    }
}

/// What limits the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forced {
    Four,
    Three,
    Not,
}

/// The best move so far.
struct Found {
    score: i32,
    spot: Option<Spot>,
}

/// Plies less for a late quiet move.
fn reduction(depth: i32, count: usize, open: bool) -> i32 {
    if depth < 2 || count < 2 {
        return 0;
    }
    let late = ((count + 1).ilog2() as i32) * (depth + 1).ilog2() as i32;
    (late / 2 - i32::from(open)).clamp(0, depth - 1)
}

/// The stored score, if it is deep enough and decides here.
fn usable(entry: Entry, window: Window, depth: i32, ply: usize) -> Option<i32> {
    let score = if entry.score >= LEAST_WON {
        entry.score - ply as i32
    } else if entry.score <= -LEAST_WON {
        entry.score + ply as i32
    } else {
        entry.score
    };
    let decides = match entry.bound {
        Bound::Exact => !window.is_open() || entry.depth >= depth + 2,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    (entry.depth >= depth && decides).then_some(score)
}
