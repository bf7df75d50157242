//! How the game ended: for people, and for files.

use super::{Model, Seat};
use stoneline_rules::{Outcome, Record};

impl Model {
    /// The whole game with who played it.
    pub(crate) fn record(&self) -> Record {
        let mut record = Record::new(self.game.whole().clone());
        record.header.players = [0, 1].map(|side: usize| Some(self.seats[side].name().to_owned()));
        if let Some(side) = self.game.resigned() {
            record.header.reason = Some("resignation".to_owned());
            // The board has not ended the game: it was resigned.
            let _ = record.adjudge(Outcome::Win(!side));
        }
        record
    }

    /// How the shown game ended, for people; `None` while it goes on.
    pub(crate) fn result(&self) -> Option<String> {
        let winner = match self.game.outcome()? {
            Outcome::Win(side) => side,
            Outcome::Draw => return Some("A draw.".to_owned()),
        };
        let name = self.theme.side_name(winner);
        let victory = match (&self.seats, &self.seats[winner.index()]) {
            ([Seat::Person, Seat::Person], _) => format!("{name} wins."),
            (_, Seat::Person) => "You win!".to_owned(),
            (_, Seat::Engine(engine)) => format!("{} wins.", engine.name()),
        };
        Some(match self.game.resigned() {
            Some(side) => format!("{} resigns. {victory}", self.theme.side_name(side)),
            None => victory,
        })
    }
}
