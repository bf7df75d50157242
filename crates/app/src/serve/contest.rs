//! A small match, told move by move: the games, the running score and what it shows.
//!
//! The arena's referee plays and its tally counts; here every move is told as it is made.

use super::request::limits;
use super::stream::Teller;
use super::view;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};
use stoneline_arena::{
    Adjudication, Answer, Entrant, Fixture, Game, Loss, Openings, Outcome, Player, Score, Seat,
    Start, Tally, Terms, Turn, play,
};
use stoneline_protocols::json::value as value_json;
use stoneline_search::Value;

/// How late an answer may come: the page shows games, it does not judge clocks.
const TOLERANCE: Duration = Duration::from_secs(60);

/// A match to be played.
pub(crate) struct Contest {
    pub(crate) engines: [Entrant; 2],
    pub(crate) openings: Openings,
    pub(crate) games: u32,
    pub(crate) time: Duration,
    pub(crate) seed: u64,
}

impl Contest {
    /// Plays the games in order and tells of every move.
    pub(crate) fn run(&self, teller: &Teller) {
        let mut tally = Tally::new(2);
        for number in 0..self.games {
            let fixture = Fixture {
                number,
                round: 0,
                // Colours change from game to game, openings from pair to pair.
                players: if number % 2 == 0 { [0, 1] } else { [1, 0] },
                opening: u64::from(number / 2),
            };
            match self.game(&fixture, teller) {
                Err(reason) => {
                    let _ = teller.tell(&json!({"error": reason}));
                    return;
                }
                Ok(None) => return,
                Ok(Some(game)) => {
                    let outcome = Outcome {
                        winner: game.winner,
                        reason: game.reason,
                        plies: game.moves.len() as u32,
                    };
                    tally.count(&fixture, &outcome);
                    if teller.tell(&end(&fixture, &outcome, &tally)).is_break() {
                        return;
                    }
                }
            }
        }
        let _ = teller.tell(&json!({"final": true}));
    }

    /// The game of a fixture; `None` when stopped.
    fn game(&self, fixture: &Fixture, teller: &Teller) -> Result<Option<Game>, String> {
        let opening = self
            .openings
            .at(fixture.opening)
            .map_err(|error| error.to_string())?;
        let number = fixture.number;
        let _ = teller.tell(&json!({
            "game": number, "first": fixture.players[0], "opening": view::position(&opening),
        }));
        let mut players = fixture.players.map(|engine| Told {
            player: self.engines[engine].make(),
            engine,
            game: number,
            teller,
        });
        let limits = limits(self.time, self.seed.wrapping_add(u64::from(number)));
        let mut seats = players.iter_mut().map(|player| Seat {
            limits: self.engines[player.engine].own_limits().or(&limits),
            player,
        });
        let seats = [(); 2].map(|()| seats.next().expect("a game has two players"));
        let terms = Terms {
            tolerance: TOLERANCE,
            adjudication: Adjudication::default(),
        };
        Ok(play(&opening, seats, &terms, teller.stop().flag()))
    }
}

/// A player whose moves are told.
struct Told<'a> {
    player: Box<dyn Player>,
    engine: usize,
    game: u32,
    teller: &'a Teller,
}

impl Player for Told<'_> {
    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Loss> {
        self.player.new_game(start)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Loss> {
        let begun = Instant::now();
        let answer = self.player.choose(turn)?;
        let mut after = turn.position.clone();
        // What the rules refuse is the referee's concern.
        if !self.teller.stop().is_raised() && after.play(answer.cell).is_ok() {
            let _ = self.teller.tell(&json!({
                "game": self.game,
                "engine": self.engine,
                "move": view::named(after.variant(), answer.cell),
                "value": value_json(answer.value.unwrap_or(Value::Guess(0.5))),
                "time_ms": begun.elapsed().as_millis() as u64,
                "position": after.notation(),
            }));
        }
        Ok(answer)
    }
}

/// How a game ended and how the match stands, from the first engine's side.
fn end(fixture: &Fixture, outcome: &Outcome, tally: &Tally) -> Json {
    let report = tally.report(0, 1);
    let elo = report.score.elo();
    let counts = |score: &Score| json!([score.wins, score.draws, score.losses]);
    json!({
        "game": fixture.number,
        "end": true,
        "winner": outcome.winner.map(|side| fixture.players[side.index()]),
        "reason": outcome.reason.name(),
        "score": counts(&report.score),
        "by_side": report.by_side.each_ref().map(counts),
        "share": report.score.share(),
        "elo": [elo.low, elo.mid, elo.high],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_arena::Reason;
    use stoneline_rules::Side;

    #[test]
    fn an_end_is_told_from_the_first_engines_side() {
        let mut tally = Tally::new(2);
        let outcome = Outcome {
            winner: Some(Side::First),
            reason: Reason::Line,
            plies: 9,
        };
        let fixture = |number: u32, players| Fixture {
            number,
            round: 0,
            players,
            opening: 0,
        };
        let (there, back) = (fixture(0, [0, 1]), fixture(1, [1, 0]));
        tally.count(&there, &outcome);
        assert_eq!(end(&there, &outcome, &tally)["winner"], 0);
        tally.count(&back, &outcome);
        let told = end(&back, &outcome, &tally);
        assert_eq!(
            (&told["winner"], &told["reason"]),
            (&json!(1), &json!("line"))
        );
        assert_eq!(told["score"], json!([1, 0, 1]));
        assert_eq!(told["by_side"], json!([[1, 0, 0], [0, 0, 1]]));
    }
}
