//! Which moves are looked at, and in which order.
//!
//! Answers to a four or to an open three are complete; otherwise every cell
//! near a stone is a candidate. The table's move comes first, then threats
//! and blocks by shapes, with what was good elsewhere in the search.

use super::answers::{answers_to_four, answers_to_open_four};
use super::cells::{CELLS, CellSet, Spot};
use super::field::Field;
use super::shape::Class;
use stoneline_rules::Side;

/// What a position demands of the side to move.
pub(super) enum Demand {
    /// Five can be made at once.
    Win,
    /// Nothing stops the opponent's five.
    Lost,
    /// An open four can be made, and the opponent has no five to make.
    OpenFour(Spot),
    /// The opponent has a four; these are all the answers.
    StopFour(CellSet),
    /// The opponent can make an open four; these answers and own fours are all that may help.
    StopThree(CellSet),
    /// Nothing is forced.
    Free,
}

/// What `field` demands of its side to move.
#[inline]
pub(super) fn demand(field: &Field) -> Demand {
    let (own, other) = (field.side_to_move(), !field.side_to_move());
    if field.count(own, Class::Five) > 0 {
        return Demand::Win;
    }
    if field.count(other, Class::Five) > 0 {
        let answers = answers_to_four(field, other);
        return if answers.is_empty() {
            Demand::Lost
        } else {
            Demand::StopFour(answers)
        };
    }
    if field.count(own, Class::OpenFour) > 0 {
        let mut open = field.threats(own, Class::OpenFour).iter();
        if let Some(spot) = open.find(|&spot| field.allows(own, spot)) {
            return Demand::OpenFour(spot);
        }
    }
    if field.count(other, Class::OpenFour) > 0
        && let Some(answers) = answers_to_open_four(field, other)
    {
        let fours = [Class::Four, Class::FourThree, Class::OpenFour];
        let all = fours
            .iter()
            .fold(answers, |all, &class| all.or(field.threats(own, class)));
        return Demand::StopThree(all);
    }
    Demand::Free
}

/// Most moves of a position.
pub(super) const WIDTH: usize = 160;

/// A move and its rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub(super) rank: i32,
    pub(super) spot: Spot,
}

/// Moves to look at, taken best first.
pub(super) struct Candidates {
    moves: [Candidate; WIDTH],
    len: usize,
    next: usize,
}

impl Candidates {
    /// How many there are in all.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The best that was not taken yet.
    #[inline]
    pub(super) fn take(&mut self) -> Option<Candidate> {
        let rest = &mut self.moves[self.next..self.len];
        let best = (0..rest.len()).max_by_key(|&at| rest[at].rank)?;
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
    }
}

/// What the threats that a stone makes and stops add to its rank.
#[inline(always)]
pub(super) fn threat_rank(field: &Field, spot: Spot) -> i32 {
    let (own, other) = (field.side_to_move(), !field.side_to_move());
    THREAT[field.class(own, spot) as usize] + THREAT[field.class(other, spot) as usize] / 2
}

const HISTORY_BOUND: i32 = 1 << 13;
/// The table's move stands above all.
const FIRST: i32 = 1 << 24;

/// What was good elsewhere in the search.
pub(super) struct Order {
    /// By side and cell.
    history: Vec<[i32; CELLS]>,
    /// By the stone before and the cell, for both sides together.
    follow: Vec<i16>,
    killers: Vec<[Option<Spot>; 2]>,
}

/// Plies that killers are kept for.
pub(super) const MOST_PLIES: usize = 128;

impl Order {
    pub(super) fn new() -> Self {
        Self {
            history: vec![[0; CELLS]; 2],
            follow: vec![0; CELLS * CELLS],
            killers: vec![[None; 2]; MOST_PLIES],
        }
    }

    /// Another search begins: half of what was good still counts.
    pub(super) fn grow_older(&mut self) {
        for value in self.history.iter_mut().flatten() {
            *value /= 2;
        }
        self.killers.fill([None; 2]);
    }

    /// The members of `cells` that may be played, ranked.
    pub(super) fn rank(
        &self,
        field: &Field,
        cells: &CellSet,
        first: Option<Spot>,
        ply: usize,
    ) -> Candidates {
        let own = field.side_to_move();
        let mut found = Candidates {
            moves: [Candidate::default(); WIDTH],
            len: 0,
            next: 0,
        };
        let before = field.played(0);
        let killers = self.killers[ply.min(MOST_PLIES - 1)];
        for spot in cells.iter() {
            if !field.allows(own, spot) || found.len == WIDTH {
                continue;
            }
            let rank = if Some(spot) == first {
                FIRST
            } else {
                let threats = threat_rank(field, spot);
                let learnt = self.history[own.index()][usize::from(spot)] / 16
                    + before.map_or(0, |before| {
                        i32::from(self.follow[usize::from(before) * CELLS + usize::from(spot)]) / 16
                    });
                let killer = if killers.contains(&Some(spot)) {
                    300
                } else {
                    0
                };
                field.promise(spot) + threats + learnt + killer
            };
            found.moves[found.len] = Candidate { rank, spot };
            found.len += 1;
        }
        found
    }

    /// Notes that `best` was good after `tried` were not.
    pub(super) fn learn(
        &mut self,
        field: &Field,
        best: Spot,
        tried: &[Spot],
        depth: i32,
        ply: usize,
    ) {
        let side = field.side_to_move();
        let bonus = (depth * depth).min(400) * 4;
        let before = field.played(0);
        self.nudge(side, before, best, bonus);
        for &spot in tried {
            self.nudge(side, before, spot, -bonus);
        }
        let killers = &mut self.killers[ply.min(MOST_PLIES - 1)];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }

    fn nudge(&mut self, side: Side, before: Option<Spot>, spot: Spot, bonus: i32) {
        let value = &mut self.history[side.index()][usize::from(spot)];
        *value += bonus - *value * bonus.abs() / HISTORY_BOUND;
        if let Some(before) = before {
            let value = &mut self.follow[usize::from(before) * CELLS + usize::from(spot)];
            let now = i32::from(*value);
            *value = (now + bonus - now * bonus.abs() / HISTORY_BOUND) as i16;
        }
    }
}

/// What a class adds to a move's rank beyond its shapes.
const THREAT: [i32; 7] = [0, 60, 700, 150, 3000, 5000, 10_000];
