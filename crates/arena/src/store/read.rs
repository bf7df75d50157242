//! What a store holds, read back and checked by the rules.

use super::{Kept, Store, StoreError};
use crate::game::{Game, Reason};
use crate::identity::Identity;
use crate::plan::Plan;
use crate::schedule::Fixture;
use crate::tally::Outcome;
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use stoneline_rules::{Cell, Position, Side, notation};
use stoneline_search::Value;

/// A run of a store.
#[derive(Clone, Debug)]
pub struct KeptRun {
    pub(super) id: i64,
    /// What it is called.
    pub name: String,
    /// Its plan, as it was when it was last played.
    pub plan: Plan,
    /// When it was begun.
    pub begun_at: String,
    /// Its players, by their numbers.
    pub players: Vec<KeptPlayer>,
}

/// A player of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptPlayer {
    /// What tables call it.
    pub name: String,
    /// Its text.
    pub engine: String,
    /// All that made it play as it did.
    pub identity: String,
}

/// A game of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct KeptGame {
    /// Its place in the tournament.
    pub fixture: Fixture,
    /// The hash of all that decided it.
    pub identity: String,
    /// Where the players took over.
    pub opening: Position,
    /// Their moves.
    pub cells: Vec<Cell>,
    /// How it ended.
    pub outcome: Outcome,
    /// What happened, in a sentence, where the board alone does not tell.
    pub remark: Option<String>,
    /// What is known of each move.
    pub facts: MoveFacts,
    /// The last of what each side wrote on its error stream.
    pub stderr: [Option<String>; 2],
    /// The source of its chance.
    pub seed: u64,
    /// When it ended.
    pub finished_at: String,
}

/// What is known of the moves of a game, one entry a move in each list.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct MoveFacts {
    /// Thinking times.
    pub time_us: Vec<u64>,
    /// Values in the words of records: `win 5`, `loss 4`, `draw`, `0.61`.
    pub value: Vec<Option<String>>,
    /// Nodes searched.
    pub nodes: Vec<Option<u64>>,
    /// Simulations run.
    pub simulations: Vec<Option<u64>>,
}

impl MoveFacts {
    pub(super) fn of(game: &Game) -> Self {
        let moves = || game.moves.iter();
        Self {
            time_us: moves().map(|one| one.time.as_micros() as u64).collect(),
            value: moves()
                .map(|one| one.answer.value.map(value_word))
                .collect(),
            nodes: moves().map(|one| one.answer.nodes).collect(),
            simulations: moves().map(|one| one.answer.simulations).collect(),
        }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts are JSON")
    }
}

fn value_word(value: Value) -> String {
    match value {
        Value::Win { plies } => format!("win {plies}"),
        Value::Loss { plies } => format!("loss {plies}"),
        Value::Draw => "draw".to_owned(),
        Value::Guess(rate) => format!("{rate:.3}"),
    }
}

impl KeptGame {
    /// The thinking times of `side`.
    pub fn times(&self, side: Side) -> impl Iterator<Item = Duration> {
        let other_first = usize::from(self.opening.side_to_move() != side);
        let own = self.facts.time_us.iter().skip(other_first).step_by(2);
        own.map(|&time| Duration::from_micros(time))
    }
}

impl Store {
    /// Every run, the oldest first.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn runs(&self) -> Result<Vec<KeptRun>, StoreError> {
        let runs = self.run_rows().map_err(|error| self.failed(error))?;
        runs.into_iter()
            .map(|(id, name, plan, begun_at)| {
                let plan = serde_json::from_str(&plan).map_err(|error| StoreError::OtherPlan {
                    path: self.path.clone(),
                    run: name.clone(),
                    what: format!("its plan can't be read: {error}"),
                })?;
                let players = self.player_rows(id).map_err(|error| self.failed(error))?;
                Ok(KeptRun {
                    id,
                    name,
                    plan,
                    begun_at,
                    players,
                })
            })
            .collect()
    }

    /// The run called `name`, or the last one.
    ///
    /// # Errors
    /// If there is none.
    pub fn run_named(&self, name: Option<&str>) -> Result<KeptRun, StoreError> {
        let mut runs = self.runs()?;
        let known = runs.iter().map(|run| run.name.clone()).collect::<Vec<_>>();
        let found = match name {
            None => runs.pop(),
            Some(name) => runs.into_iter().find(|run| run.name == name),
        };
        found.ok_or_else(|| StoreError::NoRun {
            path: self.path.clone(),
            run: name.unwrap_or_default().to_owned(),
            known: match known.as_slice() {
                [] => "none".to_owned(),
                known => known.join(", "),
            },
        })
    }

    /// How many games of a run are kept.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn games_kept(&self, run: &KeptRun) -> Result<u32, StoreError> {
        let sql = "SELECT count(*) FROM games WHERE run = ?1";
        self.connection
            .query_row(sql, params![run.id], |row| row.get(0))
            .map_err(|error| self.failed(error))
    }

    fn run_rows(&self) -> rusqlite::Result<Vec<(i64, String, String, String)>> {
        self.connection
            .prepare("SELECT id, name, plan, begun_at FROM runs ORDER BY id")?
            .query_map([], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?
            .collect()
    }

    fn player_rows(&self, run: i64) -> rusqlite::Result<Vec<KeptPlayer>> {
        self.connection
            .prepare("SELECT name, engine, identity FROM players WHERE run = ?1 ORDER BY number")?
            .query_map(params![run], |row| {
                Ok(KeptPlayer {
                    name: row.get(0)?,
                    engine: row.get(1)?,
                    identity: row.get(2)?,
                })
            })?
            .collect()
    }

    /// Results and openings of a run, for a session that goes on with it.
    pub(super) fn kept(&self, run: i64) -> Result<Kept, StoreError> {
        self.kept_rows(run).map_err(|error| self.failed(error))
    }

    fn kept_rows(&self, run: i64) -> rusqlite::Result<Kept> {
        let mut kept = Kept::default();
        let mut select = self.connection.prepare(
            "SELECT identity, winner, reason, plies, opening_number, opening FROM games WHERE run = ?1",
        )?;
        let mut rows = select.query(params![run])?;
        while let Some(row) = rows.next()? {
            let identity: String = row.get(0)?;
            let outcome = Outcome {
                winner: winner(row, 1)?,
                reason: reason(row, 2)?,
                plies: row.get(3)?,
            };
            // A row that is damaged is a game that is not there; its number is still taken,
            // so playing it again fails loudly.
            if let Some(identity) = Identity::parse(&identity) {
                kept.outcomes.insert(identity, outcome);
            }
            let (number, opening): (i64, String) = (row.get(4)?, row.get(5)?);
            if !kept.openings.contains_key(&(number as u64))
                && let Ok(opening) = Position::read(&opening, 0)
            {
                kept.openings.insert(number as u64, opening);
            }
        }
        Ok(kept)
    }

    /// The games of a run in the order of their numbers.
    ///
    /// # Errors
    /// If the file can't be read, or a game in it is none.
    pub fn games(&self, run: &KeptRun) -> Result<Vec<KeptGame>, StoreError> {
        let rows = self.game_rows(run.id).map_err(|error| self.failed(error))?;
        rows.into_iter()
            .map(|(mut game, opening, moves, facts)| {
                let corrupt = |reason: String| StoreError::Corrupt {
                    path: self.path.clone(),
                    run: run.name.clone(),
                    number: game.fixture.number,
                    reason,
                };
                let opening =
                    Position::read(&opening, 0).map_err(|error| corrupt(error.to_string()))?;
                let cells = notation::read_moves(&opening, &moves)
                    .map_err(|error| corrupt(error.to_string()))?;
                let facts =
                    serde_json::from_str(&facts).map_err(|error| corrupt(error.to_string()))?;
                (game.opening, game.cells, game.facts) = (opening, cells, facts);
                Ok(game)
            })
            .collect()
    }

    /// Games whose opening, moves and facts are still text.
    fn game_rows(&self, run: i64) -> rusqlite::Result<Vec<(KeptGame, String, String, String)>> {
        let empty = Position::new("connect4".parse().expect("a known game"));
        self.connection
            .prepare(
                "SELECT number, round, identity, first, second, opening_number, seed, winner,
                     reason, plies, remark, first_stderr, second_stderr, finished_at,
                     opening, moves, facts
                 FROM games WHERE run = ?1 ORDER BY number",
            )?
            .query_map(params![run], |row| {
                let number = |at| row.get::<_, i64>(at);
                let game = KeptGame {
                    fixture: Fixture {
                        number: row.get(0)?,
                        round: row.get(1)?,
                        players: [number(3)? as usize, number(4)? as usize],
                        opening: number(5)? as u64,
                    },
                    identity: row.get(2)?,
                    seed: number(6)? as u64,
                    outcome: Outcome {
                        winner: winner(row, 7)?,
                        reason: reason(row, 8)?,
                        plies: row.get(9)?,
                    },
                    remark: row.get(10)?,
                    stderr: [row.get(11)?, row.get(12)?],
                    finished_at: row.get(13)?,
                    opening: empty.clone(),
                    cells: Vec::new(),
                    facts: MoveFacts::default(),
                };
                Ok((game, row.get(14)?, row.get(15)?, row.get(16)?))
            })?
            .collect()
    }
}

fn winner(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Side>> {
    let word: String = row.get(at)?;
    match word.as_str() {
        "first" => Ok(Some(Side::First)),
        "second" => Ok(Some(Side::Second)),
        "draw" => Ok(None),
        _ => Err(unknown_word(at, word)),
    }
}

fn reason(row: &Row<'_>, at: usize) -> rusqlite::Result<Reason> {
    let word: String = row.get(at)?;
    Reason::named(&word).ok_or_else(|| unknown_word(at, word))
}

fn unknown_word(at: usize, word: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        at,
        rusqlite::types::Type::Text,
        format!("no such word here: {word:?}").into(),
    )
}
