//! Swiss rounds: those with like points meet, nobody the same opponent twice while it can be helped.

use super::Meeting;
use crate::tally::Tally;
use std::collections::HashSet;

/// Pairings tried before rematches are allowed: far more than small fields need.
const MOST_STEPS: u32 = 100_000;

/// A Swiss tournament between rounds.
#[derive(Clone, Debug)]
pub(super) struct Swiss {
    players: usize,
    rounds: u32,
    round: u32,
    met: HashSet<[usize; 2]>,
    /// Who sat out a round, in order.
    byes: Vec<usize>,
    games: u32,
}

impl Swiss {
    pub(super) fn new(players: usize, rounds: u32) -> Self {
        Self {
            players,
            rounds,
            round: 0,
            met: HashSet::new(),
            byes: Vec::new(),
            games: 0,
        }
    }

    /// The meetings of the next round; none after the last.
    pub(super) fn next_round(&mut self, tally: &Tally, games: u32) -> Vec<Meeting> {
        if self.round == self.rounds {
            return Vec::new();
        }
        self.games = games;
        let mut order = self.by_points(tally);
        if order.len() % 2 == 1 {
            let fewest = order.iter().map(|&player| self.byes_of(player)).min();
            let out = order
                .iter()
                .rposition(|&player| Some(self.byes_of(player)) == fewest)
                .expect("there are players");
            self.byes.push(order.remove(out));
        }
        let mut pairs = Vec::new();
        let mut steps = 0;
        if !self.pair_up(&order, &mut pairs, &mut steps) {
            pairs = order.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
        }
        let opening = u64::from(self.round) * u64::from(games.div_ceil(2));
        let round = self.round;
        self.round += 1;
        self.met.extend(pairs.iter().copied().map(sorted));
        let meeting = |players| Meeting {
            players,
            opening,
            round,
        };
        pairs.into_iter().map(meeting).collect()
    }

    /// The players by points with byes, then by the points of those they met.
    pub(super) fn ranking(&self, tally: &Tally) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players).collect();
        let strength = |player: usize| -> u64 {
            let met = self.met.iter().filter(|pair| pair.contains(&player));
            met.map(|&[one, other]| self.points(tally, if one == player { other } else { one }))
                .sum()
        };
        order.sort_by_key(|&player| {
            let key = (self.points(tally, player), strength(player));
            (std::cmp::Reverse(key), player)
        });
        order
    }

    fn by_points(&self, tally: &Tally) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|&player| (std::cmp::Reverse(self.points(tally, player)), player));
        order
    }

    /// Half points; a bye counts as a match won.
    fn points(&self, tally: &Tally, player: usize) -> u64 {
        tally.half_points(player) + u64::from(2 * self.games) * self.byes_of(player) as u64
    }

    fn byes_of(&self, player: usize) -> usize {
        self.byes.iter().filter(|&&out| out == player).count()
    }

    /// Pairs the best with the next best that it has not met, going back where that fails.
    fn pair_up(&self, order: &[usize], pairs: &mut Vec<[usize; 2]>, steps: &mut u32) -> bool {
        let Some((&best, others)) = order.split_first() else {
            return true;
        };
        for (at, &other) in others.iter().enumerate() {
            *steps += 1;
            if *steps > MOST_STEPS {
                return false;
            }
            if self.met.contains(&sorted([best, other])) {
                continue;
            }
            let rest: Vec<usize> = [&others[..at], &others[at + 1..]].concat();
            pairs.push([best, other]);
            if self.pair_up(&rest, pairs, steps) {
                return true;
            }
            pairs.pop();
        }
        false
    }
}

fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}
