//! A match: two engines, many openings, the colours swapped on each.
//!
//! Games are played side by side and counted in their order, so that the same
//! seed gives the same report whatever finished first.

use crate::game::{Game, Reason, Seat, play};
use crate::opening::{NoOpening, Openings};
use crate::player::{Entrant, Unfit};
use crate::score::Score;
use crate::sprt::{Decision, Sprt};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use stoneline_rules::Side;
use stoneline_search::Limits;

/// A match to be played.
pub struct Contest<'a> {
    /// The two players; results are told from the first one's side.
    pub entrants: [&'a Entrant; 2],
    /// From where they play.
    pub openings: Openings,
    /// What moves may take, unless a player's own keys say otherwise.
    pub limits: Limits,
    /// How late an answer may come before it loses.
    pub tolerance: Duration,
    /// How many games; an odd last one has no partner.
    pub games: u32,
    /// How many games run at once.
    pub concurrency: usize,
    /// Ends the match early when decided.
    pub sprt: Option<Sprt>,
}

/// A finished game and its place in the match.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its number, from 0; games `2n` and `2n + 1` share an opening.
    pub number: u32,
    /// Which side the match's first engine had: the first in even games.
    pub first_engine: Side,
    /// The game.
    pub game: Game,
}

/// What a match has shown so far.
#[derive(Clone, Default, Debug)]
pub struct Report {
    /// Results of the first engine.
    pub score: Score,
    /// The same, for the games in which it was the first and the second side.
    pub by_side: [Score; 2],
    /// Games that each engine forfeited.
    pub forfeits: [u32; 2],
    /// Why games ended.
    pub reasons: BTreeMap<Reason, u32>,
    /// Half points of the first engine in the pair that has one game so far.
    half_pair: Option<usize>,
}

/// Why a match can't be played.
#[derive(Debug)]
pub enum ContestError {
    /// A player can't play the game.
    Unfit(Unfit),
    /// There are no openings as asked for.
    Opening(NoOpening),
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(error) => error.fmt(f),
            Self::Opening(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ContestError {}

impl Contest<'_> {
    /// Plays the match; `watch` hears of every game in order, with the report up to it.
    ///
    /// # Errors
    /// If an engine does not play the game or there is no opening.
    pub fn run(&self, mut watch: impl FnMut(&Played, &Report)) -> Result<Report, ContestError> {
        let next = AtomicU32::new(0);
        let stop = AtomicBool::new(false);
        let (send, receive) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, self.games.max(1) as usize) {
                let send = send.clone();
                let (next, stop) = (&next, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games || send.send(self.game(number)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(send);
            let report = self.collect(&receive, &mut watch);
            stop.store(true, Ordering::Relaxed);
            report
        })
    }

    /// Counts games in order as they come in, until all are there or the test is decided.
    fn collect(
        &self,
        receive: &mpsc::Receiver<Result<Played, ContestError>>,
        watch: &mut impl FnMut(&Played, &Report),
    ) -> Result<Report, ContestError> {
        let mut report = Report::default();
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for played in receive {
            let played = played?;
            waiting.insert(played.number, played);
            while let Some(played) = waiting.remove(&due) {
                due += 1;
                report.count(&played);
                watch(&played, &report);
                let decided = self
                    .sprt
                    .is_some_and(|sprt| sprt.decide(&report.score) != Decision::Open);
                if decided {
                    return Ok(report);
                }
            }
        }
        Ok(report)
    }

    fn game(&self, number: u32) -> Result<Played, ContestError> {
        let opening = self
            .openings
            .at(u64::from(number / 2))
            .map_err(ContestError::Opening)?;
        let mut limits = self.limits.clone();
        let seed = limits.seed.unwrap_or(0);
        limits.seed = Some(seed.wrapping_add(u64::from(number)));
        let mut players = Vec::new();
        for entrant in self.entrants {
            entrant
                .check(opening.variant())
                .map_err(ContestError::Unfit)?;
            players.push((entrant.make(), entrant.own_limits().or(&limits)));
        }
        let first_engine = if number.is_multiple_of(2) {
            Side::First
        } else {
            players.reverse();
            Side::Second
        };
        let mut seats = players.iter_mut().map(|(player, limits)| Seat {
            player: &mut **player,
            limits: limits.clone(),
        });
        let seats = [(); 2].map(|()| seats.next().expect("two players"));
        let never = AtomicBool::new(false);
        let game = play(&opening, seats, self.tolerance, &never);
        players.iter_mut().for_each(|(player, _)| player.end());
        Ok(Played {
            number,
            first_engine,
            game: game.expect("nobody stops the game"),
        })
    }
}

impl Report {
    fn count(&mut self, played: &Played) {
        let halves = match played.game.winner {
            None => 1,
            Some(side) if side == played.first_engine => 2,
            Some(_) => 0,
        };
        self.score.count_game(halves);
        self.by_side[played.first_engine.index()].count_game(halves);
        *self.reasons.entry(played.game.reason).or_default() += 1;
        if played.game.reason.is_forfeit() {
            self.forfeits[usize::from(halves > 0)] += 1;
        }
        match self.half_pair.take() {
            None => self.half_pair = Some(halves),
            Some(earlier) => self.score.pairs[earlier + halves] += 1,
        }
    }
}
