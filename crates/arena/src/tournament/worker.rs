//! A thread of a tournament: its players, and the way from a fixture to its result.
//!
//! A game that an earlier session kept is not played again.

use super::{Delivery, Finished, Tournament, TournamentError};
use crate::game::{Game, Seat, play};
use crate::identity::{Identity, identity};
use crate::opening::{NoOpening, Openings};
use crate::player::Player;
use crate::schedule::Fixture;
use crate::store::Keeper;
use crate::tally::Outcome;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use stoneline_rules::{Position, scramble};
use stoneline_search::Limits;

/// What is known of earlier sessions: their games, and openings that need not be found again.
pub(super) struct Book {
    kept: HashMap<Identity, Outcome>,
    openings: Mutex<HashMap<u64, Position>>,
}

impl Book {
    pub(super) fn new(keeper: &mut dyn Keeper) -> Result<Self, TournamentError> {
        let kept = keeper.kept()?;
        Ok(Self {
            kept: kept.outcomes,
            openings: Mutex::new(kept.openings),
        })
    }

    fn opening(&self, openings: &Openings, number: u64) -> Result<Position, NoOpening> {
        let lock = || self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&number) {
            return Ok(known.clone());
        }
        // Found without the lock: another thread may find the same, but none waits.
        let position = openings.at(number)?;
        lock().insert(number, position.clone());
        Ok(position)
    }
}

/// A thread's players, kept while they are needed.
pub(super) struct Worker<'a> {
    tournament: &'a Tournament,
    book: &'a Book,
    over: &'a AtomicBool,
    players: Vec<(usize, Box<dyn Player>)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(tournament: &'a Tournament, book: &'a Book, over: &'a AtomicBool) -> Self {
        Self {
            tournament,
            book,
            over,
            players: Vec::new(),
        }
    }

    /// The result of a fixture; `None` when the games are over for now.
    pub(super) fn deliver(
        &mut self,
        fixture: &Fixture,
    ) -> Result<Option<Delivery>, TournamentError> {
        let tournament = self.tournament;
        if self.over.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let opening = self.book.opening(&tournament.openings, fixture.opening)?;
        let seed = game_seed(tournament.plan.seed, fixture);
        let seats = fixture.players.map(|player| {
            let name = &tournament.names[player];
            (name.as_str(), tournament.entrants[player].identity())
        });
        let limits = fixture.players.map(|player| {
            let mut limits = tournament.limits[player].clone();
            // A player's own seed stays.
            limits.seed = limits.seed.or(Some(seed));
            limits
        });
        let identity = identity(&seats, &opening, &limits, &tournament.terms, seed);
        if let Some(outcome) = self.book.kept.get(&identity) {
            tracing::debug!(number = fixture.number + 1, "game kept earlier");
            return Ok(Some(Delivery::Kept(*fixture, *outcome)));
        }
        let number = fixture.number + 1;
        let [first, second] = fixture.players.map(|player| &*tournament.names[player]);
        tracing::debug!(number, first, second, opening = %opening.notation(), "game begun");
        let game = self.play(fixture, &opening, limits)?;
        match &game {
            Some(game) => tell_end(number, game),
            None => tracing::debug!(number, "game broken off"),
        }
        Ok(game.map(|game| {
            Delivery::Played(Box::new(Finished {
                fixture: *fixture,
                identity,
                seed,
                game,
            }))
        }))
    }

    fn play(
        &mut self,
        fixture: &Fixture,
        opening: &Position,
        limits: [Limits; 2],
    ) -> Result<Option<Game>, TournamentError> {
        let mut pair = Vec::new();
        for player in fixture.players {
            // Boards differ from opening to opening, and what one player plays too.
            self.tournament.entrants[player].check(opening.variant())?;
            pair.push(self.take(player));
        }
        for (_, mut unneeded) in self.players.drain(..) {
            unneeded.end();
        }
        let mut players = pair
            .iter_mut()
            .zip(limits)
            .map(|((_, player), limits)| Seat {
                player: &mut **player,
                limits,
            });
        let seats = [(); 2].map(|()| players.next().expect("a game has two players"));
        let game = play(opening, seats, &self.tournament.terms, self.over);
        let foul = game.as_ref().is_none_or(|game| game.reason.is_forfeit());
        for (number, mut player) in pair {
            if foul {
                player.end();
            } else {
                self.players.push((number, player));
            }
        }
        Ok(game)
    }

    /// The player with that number: the one of the last game, or a new one.
    fn take(&mut self, number: usize) -> (usize, Box<dyn Player>) {
        match self.players.iter().position(|(own, _)| *own == number) {
            Some(at) => self.players.swap_remove(at),
            None => (number, self.tournament.entrants[number].make()),
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.players.iter_mut().for_each(|(_, player)| player.end());
    }
}

/// Logs how a game ended; what nobody would expect as a warning.
fn tell_end(number: u32, game: &Game) {
    let plies = game.moves.len();
    let reason = game.reason.name();
    let winner = game
        .winner
        .map_or_else(|| "nobody".to_owned(), |side| side.to_string());
    if game.reason.is_forfeit() {
        let remark = game.remark.as_deref().unwrap_or_default();
        tracing::warn!(number, winner, reason, plies, remark, "game forfeited");
    } else {
        tracing::info!(number, winner, reason, plies, "game ended");
    }
}

/// A seed of its own for each game: the tournament's, the opening's and the colour's.
fn game_seed(seed: u64, fixture: &Fixture) -> u64 {
    let game = 2 * fixture.opening + u64::from(fixture.is_return());
    // SQLite and JSON readers take 63 bits for sure, and nobody needs more.
    scramble(seed ^ scramble(game + 1)) >> 1
}
