//! What the games counted so far show: who beat whom, by colour, and why.
//!
//! Counting is the only way in, one fixture at a time and in their order, so
//! that equal games give an equal tally whenever and wherever they were played.

use crate::game::Reason;
use crate::schedule::Fixture;
use crate::score::Score;
use std::collections::{BTreeMap, HashMap};
use stoneline_rules::Side;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Reason,
    /// Stones that the players placed.
    pub plies: u32,
}

impl Outcome {
    /// The winner's side as stores and exports write it; `draw` without one.
    pub const fn winner_word(&self) -> &'static str {
        match self.winner {
            Some(Side::First) => "first",
            Some(Side::Second) => "second",
            None => "draw",
        }
    }

    /// Half points of `side`.
    pub fn halves(&self, side: Side) -> u32 {
        match self.winner {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        }
    }
}

/// Results of two players who met, from the first one's side.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Report {
    /// All games.
    pub score: Score,
    /// The games in which the first player had the first and the second side.
    pub by_side: [Score; 2],
    /// Games that each player forfeited.
    pub forfeits: [u32; 2],
    /// Why games ended.
    pub reasons: BTreeMap<Reason, u32>,
    /// Half points of the first player in pairs that have one game so far.
    open_pairs: HashMap<u32, usize>,
}

/// All results of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    half_points: Vec<u64>,
    games: u32,
    /// By players, the one with the lower number first.
    reports: BTreeMap<[usize; 2], Report>,
}

impl Tally {
    /// No games among `players` players.
    pub fn new(players: usize) -> Self {
        Self {
            half_points: vec![0; players],
            games: 0,
            reports: BTreeMap::new(),
        }
    }

    /// Counts a game.
    pub fn count(&mut self, fixture: &Fixture, outcome: &Outcome) {
        self.games += 1;
        for (player, side) in fixture.players.into_iter().zip(Side::BOTH) {
            self.half_points[player] += u64::from(outcome.halves(side));
        }
        let [one, other] = fixture.players;
        let (pair, own) = if one <= other {
            ([one, other], Side::First)
        } else {
            ([other, one], Side::Second)
        };
        let report = self.reports.entry(pair).or_default();
        report.count(fixture.pair(), own, outcome);
    }

    /// How many games are counted.
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.half_points.len()
    }

    /// Half points of a player in all its games.
    pub fn half_points(&self, player: usize) -> u64 {
        self.half_points[player]
    }

    /// Half points that `player` made against `opponent`.
    pub fn halves_between(&self, player: usize, opponent: usize) -> u64 {
        let report = self
            .reports
            .get(&[player.min(opponent), player.max(opponent)]);
        let score = report.map(|report| report.score).unwrap_or_default();
        let won = if player < opponent {
            score.wins
        } else {
            score.losses
        };
        u64::from(2 * won + score.draws)
    }

    /// The players who met, the lower number first, with their results from its side.
    pub fn reports(&self) -> impl Iterator<Item = ([usize; 2], &Report)> {
        self.reports.iter().map(|(&pair, report)| (pair, report))
    }

    /// The results between two players from the first one's side.
    pub fn report(&self, player: usize, opponent: usize) -> Report {
        let pair = [player.min(opponent), player.max(opponent)];
        let report = self.reports.get(&pair).cloned().unwrap_or_default();
        if player <= opponent {
            report
        } else {
            report.turned()
        }
    }

    /// All games of `player`, as if against one opponent.
    pub fn total_of(&self, player: usize) -> Report {
        let mut total = Report::default();
        for (pair, _) in self.reports().filter(|(pair, _)| pair.contains(&player)) {
            let opponent = if pair[0] == player { pair[1] } else { pair[0] };
            total.add(&self.report(player, opponent));
        }
        total
    }
}

impl Report {
    /// Counts a game of the pair numbered `pair`, in which the first player had `own`.
    fn count(&mut self, pair: u32, own: Side, outcome: &Outcome) {
        let halves = outcome.halves(own) as usize;
        self.score.count_game(halves);
        self.by_side[own.index()].count_game(halves);
        *self.reasons.entry(outcome.reason).or_default() += 1;
        if outcome.reason.is_forfeit() {
            self.forfeits[usize::from(halves > 0)] += 1;
        }
        match self.open_pairs.remove(&pair) {
            Some(earlier) => self.score.pairs[earlier + halves] += 1,
            None => {
                self.open_pairs.insert(pair, halves);
            }
        }
    }

    /// The same from the other player's side.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut open_pairs = self.open_pairs.clone();
        open_pairs
            .values_mut()
            .for_each(|halves| *halves = 2 - *halves);
        Self {
            score: self.score.turned(),
            by_side: [self.by_side[1].turned(), self.by_side[0].turned()],
            forfeits: [self.forfeits[1], self.forfeits[0]],
            reasons: self.reasons.clone(),
            open_pairs,
        }
    }

    fn add(&mut self, other: &Self) {
        self.score.add(&other.score);
        for (own, other) in self.by_side.iter_mut().zip(&other.by_side) {
            own.add(other);
        }
        for (own, other) in self.forfeits.iter_mut().zip(other.forfeits) {
            *own += other;
        }
        for (&reason, count) in &other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }
}
