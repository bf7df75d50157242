//! A small match, told move by move: the games, the running score and what it shows.

use super::request::limits;
use super::slots::Stop;
use super::stream::Teller;
use super::view;
use crate::opponent::Opponent;
use serde_json::{Value as Json, json};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use stoneline_arena::{Openings, Score};
use stoneline_protocols::json::value as value_json;
use stoneline_rules::{Outcome, Position};
use stoneline_search::{Choice, Engine};

/// A match to be played.
pub(crate) struct Contest {
    pub(crate) engines: [Opponent; 2],
    pub(crate) openings: Openings,
    pub(crate) games: u32,
    pub(crate) time: Duration,
    pub(crate) seed: u64,
}

/// Results so far, from the first engine's side.
#[derive(Default)]
struct Table {
    score: Score,
    by_side: [Score; 2],
    /// Half points of the first engine in the pair that has one game so far.
    half_pair: Option<usize>,
}

impl Contest {
    /// Plays the games in order and tells of every move.
    pub(crate) fn run(&self, teller: &Teller) {
        let mut table = Table::default();
        for number in 0..self.games {
            match self.game(number, teller) {
                Err(reason) => {
                    let _ = teller.tell(&json!({"error": reason}));
                    return;
                }
                Ok(None) => return,
                Ok(Some(winner)) => {
                    table.count(number, winner);
                    if teller.tell(&table.json(number, winner)).is_break() {
                        return;
                    }
                }
            }
        }
        let _ = teller.tell(&json!({"final": true}));
    }

    /// The engine that won game `number`, in an `Option` for a draw; `None` when stopped.
    fn game(&self, number: u32, teller: &Teller) -> Result<Option<Option<usize>>, String> {
        let opening = self
            .openings
            .at(u64::from(number / 2))
            .map_err(|error| error.to_string())?;
        let build = |one: &Opponent| {
            one.build(opening.variant())
                .map_err(|error| error.to_string())
        };
        let mut engines = [build(&self.engines[0])?, build(&self.engines[1])?];
        // The engine of each side: colours change from game to game.
        let seats = if number.is_multiple_of(2) {
            [0, 1]
        } else {
            [1, 0]
        };
        let _ = teller.tell(&json!({
            "game": number, "first": seats[0], "opening": view::position(&opening),
        }));
        let mut position = opening;
        loop {
            match position.outcome() {
                Some(Outcome::Win(side)) => return Ok(Some(Some(seats[side.index()]))),
                Some(Outcome::Draw) => return Ok(Some(None)),
                None => {}
            }
            let seat = seats[position.side_to_move().index()];
            let begun = Instant::now();
            let choice = self.think(&mut *engines[seat], &position, number, teller.stop());
            if teller.stop().is_raised() {
                return Ok(None);
            }
            let Some(cell) = choice.best.filter(|&cell| position.play(cell).is_ok()) else {
                return Ok(Some(Some(1 - seat)));
            };
            let told = json!({
                "game": number,
                "engine": seat,
                "move": view::named(position.variant(), cell),
                "value": value_json(choice.value),
                "time_ms": begun.elapsed().as_millis() as u64,
                "position": position.notation(),
            });
            if teller.tell(&told).is_break() {
                return Ok(None);
            }
        }
    }

    fn think(
        &self,
        engine: &mut dyn Engine,
        position: &Position,
        number: u32,
        stop: &Stop,
    ) -> Choice {
        let limits = limits(self.time, self.seed.wrapping_add(u64::from(number)));
        let mut watch = |_: stoneline_search::Event<'_>| -> ControlFlow<()> { stop.flow() };
        engine.think(position, &limits, &mut watch)
    }
}

impl Table {
    fn count(&mut self, number: u32, winner: Option<usize>) {
        let halves = match winner {
            None => 1,
            Some(0) => 2,
            Some(_) => 0,
        };
        let side = (number % 2) as usize;
        for score in [&mut self.score, &mut self.by_side[side]] {
            match halves {
                0 => score.losses += 1,
                1 => score.draws += 1,
                _ => score.wins += 1,
            }
        }
        match self.half_pair.take() {
            None => self.half_pair = Some(halves),
            Some(earlier) => self.score.pairs[earlier + halves] += 1,
        }
    }

    fn json(&self, number: u32, winner: Option<usize>) -> Json {
        let elo = self.score.elo();
        let counts = |score: &Score| json!([score.wins, score.draws, score.losses]);
        json!({
            "game": number,
            "end": true,
            "winner": winner,
            "score": counts(&self.score),
            "by_side": self.by_side.each_ref().map(counts),
            "share": self.score.share(),
            "elo": [elo.low, elo.mid, elo.high],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_by_colour_and_pair() {
        let mut table = Table::default();
        for (number, winner) in [Some(0), None, Some(1), Some(1)].into_iter().enumerate() {
            table.count(number as u32, winner);
        }
        assert_eq!(
            (table.score.wins, table.score.draws, table.score.losses),
            (1, 1, 2)
        );
        assert_eq!(table.score.pairs, [1, 0, 0, 1, 0]);
        assert_eq!((table.by_side[0].wins, table.by_side[0].losses), (1, 1));
        assert_eq!((table.by_side[1].draws, table.by_side[1].losses), (1, 1));
    }
}
