//! Knockout: a bracket by seeding, matches until one is ahead.
//!
//! The order of the players is their seeding: the first meets the last. A tied
//! match goes on by one more pair of games at a time; after
//! [`MOST_TIE_BREAKS`] the better seeded goes on, so that two perfect players
//! don't play for ever.

use super::Meeting;
use crate::tally::Tally;

/// Pairs of games that a tied match is prolonged by at most.
pub(super) const MOST_TIE_BREAKS: u32 = 10;

/// A knockout tournament between rounds.
#[derive(Clone, Debug)]
pub(super) struct Knockout {
    /// Places of the bracket in this round; `None` lets its neighbour through.
    places: Vec<Option<usize>>,
    round: u32,
    /// Extra pairs played in this round's ties so far; `None` before the round.
    tie_breaks: Option<u32>,
    next_opening: u64,
    /// Who went out, in order, those of one round together.
    out: Vec<Vec<usize>>,
}

impl Knockout {
    pub(super) fn new(players: usize) -> Self {
        let size = players.next_power_of_two();
        // Seed 0 meets the last seed; and so on within each half, down to single places.
        let mut order = vec![0];
        while order.len() < size {
            let doubled = 2 * order.len() - 1;
            order = order
                .into_iter()
                .flat_map(|seed| [seed, doubled - seed])
                .collect();
        }
        Self {
            places: order
                .into_iter()
                .map(|seed| (seed < players).then_some(seed))
                .collect(),
            round: 0,
            tie_breaks: None,
            next_opening: 0,
            out: Vec::new(),
        }
    }

    /// The next meetings and the games of each; none when one player is left.
    pub(super) fn next_round(&mut self, tally: &Tally, games: u32) -> (Vec<Meeting>, u32) {
        if let Some(played) = self.tie_breaks {
            let tied: Vec<[usize; 2]> = self
                .meetings()
                .filter(|&[one, other]| {
                    tally.halves_between(one, other) == tally.halves_between(other, one)
                })
                .collect();
            if !tied.is_empty() && played < MOST_TIE_BREAKS {
                self.tie_breaks = Some(played + 1);
                return (self.draw_up(tied, 1), 2);
            }
            self.advance(tally);
        }
        if self.places.len() < 2 {
            return (Vec::new(), games);
        }
        self.tie_breaks = Some(0);
        let meetings = self.meetings().collect();
        (self.draw_up(meetings, games.div_ceil(2)), games)
    }

    /// The players from the winner to those who went out first.
    pub(super) fn ranking(&self, tally: &Tally) -> Vec<usize> {
        let mut left: Vec<usize> = self.places.iter().flatten().copied().collect();
        let mut ranking = Vec::new();
        for group in [std::mem::take(&mut left)]
            .into_iter()
            .chain(self.out.iter().rev().cloned())
        {
            let mut group = group;
            group.sort_by_key(|&player| (std::cmp::Reverse(tally.half_points(player)), player));
            ranking.extend(group);
        }
        ranking
    }

    fn meetings(&self) -> impl Iterator<Item = [usize; 2]> {
        self.places
            .chunks(2)
            .filter_map(|places| Some([places[0]?, (*places.get(1)?)?]))
    }

    fn draw_up(&mut self, pairs: Vec<[usize; 2]>, openings: u32) -> Vec<Meeting> {
        let opening = self.next_opening;
        self.next_opening += u64::from(openings);
        let meeting = |players| Meeting {
            players,
            opening,
            round: self.round,
        };
        pairs.into_iter().map(meeting).collect()
    }

    /// Ends the round: winners move on, the better seeded where nothing else decides.
    fn advance(&mut self, tally: &Tally) {
        let mut out = Vec::new();
        self.places = self
            .places
            .chunks(2)
            .map(|places| match *places {
                [Some(one), Some(other)] => {
                    let ahead = tally.halves_between(one, other);
                    let behind = tally.halves_between(other, one);
                    let first = ahead > behind || ahead == behind && one < other;
                    let (winner, loser) = if first { (one, other) } else { (other, one) };
                    out.push(loser);
                    Some(winner)
                }
                _ => places.iter().flatten().next().copied(),
            })
            .collect();
        self.out.push(out);
        self.round += 1;
        self.tie_breaks = None;
    }
}
