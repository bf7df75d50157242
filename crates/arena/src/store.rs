//! The store: every game of every run in one SQLite file, on disk before it is counted.
//!
//! Owns the file, its schema and its locks. A write that returned is on disk
//! (write-ahead log, synchronous FULL); one that failed changed nothing. Only
//! one process plays into a store at a time; any number may read it.

mod read;
mod schema;

pub use read::{KeptGame, KeptPlayer, KeptRun, MoveFacts};

use crate::identity::Identity;
use crate::system;
use crate::tally::Outcome;
use crate::tournament::{Finished, Tournament};
use rusqlite::{Connection, OpenFlags, TransactionBehavior, params};
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use stoneline_rules::{Position, notation};
use thiserror::Error;

/// Where the games of a tournament go, and where those of earlier sessions are.
pub trait Keeper {
    /// What earlier sessions left.
    ///
    /// # Errors
    /// If it can't be read.
    fn kept(&mut self) -> Result<Kept, StoreError>;

    /// Makes games last: when this returns they are on disk, all of them.
    ///
    /// # Errors
    /// If they can't be written; then none of them is.
    fn keep(&mut self, games: &mut dyn Iterator<Item = &Finished>) -> Result<(), StoreError>;
}

/// What earlier sessions left.
#[derive(Default)]
pub struct Kept {
    /// The results of the games that are there.
    pub outcomes: HashMap<Identity, Outcome>,
    /// The openings that were played, by number.
    pub openings: HashMap<u64, Position>,
}

/// A keeper that keeps nothing.
pub struct Forgetful;

impl Keeper for Forgetful {
    fn kept(&mut self) -> Result<Kept, StoreError> {
        Ok(Kept::default())
    }

    fn keep(&mut self, _: &mut dyn Iterator<Item = &Finished>) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Why a store can't be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite refused.
    #[error("{}: {error}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: rusqlite::Error,
    },
    /// The lock can't be made.
    #[error("{}: {error}", path.display())]
    Lock {
        /// The lock's file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another process plays into the file.
    #[error("{}: another tournament is being played into this store", .0.display())]
    Busy(PathBuf),
    /// The file is something else.
    #[error("{}: this is no store of ours", .0.display())]
    Foreign(PathBuf),
    /// A later version wrote the file.
    #[error("{}: its schema has version {found}, and this program knows up to {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// The run in the file is another tournament.
    #[error("{}: its run {run:?} was played by another plan: {what}; give another store or name", path.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// The run.
        run: String,
        /// What differs.
        what: String,
    },
    /// There is no such run.
    #[error("{}: no run {run:?} is in this store; there are {known}", path.display())]
    NoRun {
        /// The file.
        path: PathBuf,
        /// The run.
        run: String,
        /// Those that are there.
        known: String,
    },
    /// A row makes no sense.
    #[error("{}: game {number} of run {run:?} can't be read: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The run.
        run: String,
        /// The game.
        number: u32,
        /// Why not.
        reason: String,
    },
}

/// An open store.
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// Held while a tournament is played into the store.
    lock: Option<File>,
}

/// How long to wait for a reader to let go.
const PATIENCE: Duration = Duration::from_secs(30);

impl Store {
    /// The store at `path`, made if there is none, for this process to play into.
    ///
    /// # Errors
    /// If another process does so, or the file is no store of ours.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let lock = lock(path)?;
        Self::connect(path, OpenFlags::default(), Some(lock))
    }

    /// The store at `path`, to be read only.
    ///
    /// # Errors
    /// If there is none.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::default() - OpenFlags::SQLITE_OPEN_CREATE;
        Self::connect(path, flags, None)
    }

    fn connect(path: &Path, flags: OpenFlags, lock: Option<File>) -> Result<Self, StoreError> {
        let failed = |error| StoreError::Database {
            path: path.to_owned(),
            error,
        };
        let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        schema::prepare(path, &mut connection)?;
        Ok(Self {
            path: path.to_owned(),
            connection,
            lock,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::Database {
            path: self.path.clone(),
            error,
        }
    }

    /// The run of `tournament`, begun now or in an earlier session.
    ///
    /// # Errors
    /// If the run of that name was another tournament.
    pub fn run(&mut self, tournament: &Tournament) -> Result<Run<'_>, StoreError> {
        debug_assert!(self.lock.is_some(), "only a locked store is played into");
        let name = &tournament.plan().name;
        if let Some(run) = self.runs()?.into_iter().find(|run| run.name == *name) {
            self.check_same(&run, tournament)?;
            self.extend(&run, tournament)?;
            tracing::info!(path = %self.path.display(), run = name, "run goes on");
            return Ok(Run {
                store: self,
                id: run.id,
            });
        }
        let id = self.begin(tournament).map_err(|error| self.failed(error))?;
        tracing::info!(path = %self.path.display(), run = name, "run begun");
        Ok(Run { store: self, id })
    }

    fn begin(&mut self, tournament: &Tournament) -> rusqlite::Result<i64> {
        let plan = tournament.plan();
        let text = serde_json::to_string(plan).expect("a plan has only texts and numbers");
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute(
            "INSERT INTO runs (name, plan, core, begun_at)
             VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
            params![plan.name, text, plan.core()],
        )?;
        let id = transaction.last_insert_rowid();
        let players = tournament.names().iter().zip(tournament.identities());
        for ((number, (name, identity)), player) in players.enumerate().zip(&plan.players) {
            transaction.execute(
                "INSERT INTO players (run, number, name, engine, identity)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![id, number as i64, name, player.engine, identity],
            )?;
        }
        transaction.commit()?;
        Ok(id)
    }

    fn check_same(&self, run: &KeptRun, tournament: &Tournament) -> Result<(), StoreError> {
        let other = |what: String| StoreError::OtherPlan {
            path: self.path.clone(),
            run: run.name.clone(),
            what,
        };
        for (kept, (name, identity)) in run
            .players
            .iter()
            .zip(tournament.names().iter().zip(tournament.identities()))
        {
            if kept.name != *name || kept.identity != identity {
                let what = format!(
                    "{} was {:?}, and {name} is {identity:?}",
                    kept.name, kept.identity
                );
                return Err(other(what));
            }
        }
        if run.plan.core() != tournament.plan().core() {
            return Err(other(
                "its game, format, limits or openings differ".to_owned(),
            ));
        }
        Ok(())
    }

    /// Writes down a plan that goes on for longer than the one that is kept.
    fn extend(&self, run: &KeptRun, tournament: &Tournament) -> Result<(), StoreError> {
        let plan = serde_json::to_string(tournament.plan()).expect("a plan is plain data");
        self.connection
            .execute(
                "UPDATE runs SET plan = ?1 WHERE id = ?2",
                params![plan, run.id],
            )
            .map_err(|error| self.failed(error))?;
        Ok(())
    }
}

/// A run of a store, to be played.
pub struct Run<'a> {
    store: &'a mut Store,
    id: i64,
}

impl Run<'_> {
    fn write(&mut self, games: &[&Finished]) -> rusqlite::Result<()> {
        let transaction = self
            .store
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO games (run, number, round, identity, first, second, opening_number,
                     opening, seed, moves, plies, winner, reason, remark, facts,
                     first_stderr, second_stderr, finished_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                     strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
            )?;
            for finished in games {
                let (fixture, game) = (&finished.fixture, &finished.game);
                let cells: Vec<_> = game.cells().collect();
                insert.execute(params![
                    self.id,
                    fixture.number,
                    fixture.round,
                    finished.identity.to_string(),
                    fixture.players[0] as i64,
                    fixture.players[1] as i64,
                    fixture.opening as i64,
                    game.opening.notation(),
                    finished.seed as i64,
                    notation::write_moves(game.opening.variant(), &cells),
                    cells.len() as i64,
                    finished.outcome().winner_word(),
                    game.reason.name(),
                    game.remark,
                    MoveFacts::of(game).to_json(),
                    game.stderr[0],
                    game.stderr[1],
                ])?;
            }
        }
        transaction.commit()
    }
}

impl Keeper for Run<'_> {
    fn kept(&mut self) -> Result<Kept, StoreError> {
        self.store.kept(self.id)
    }

    fn keep(&mut self, games: &mut dyn Iterator<Item = &Finished>) -> Result<(), StoreError> {
        let games: Vec<&Finished> = games.collect();
        if games.is_empty() {
            return Ok(());
        }
        self.write(&games)
            .map_err(|error| self.store.failed(error))?;
        tracing::debug!(path = %self.store.path.display(), games = games.len(), "games written");
        Ok(())
    }
}

/// Takes the lock of the store at `path`; the system lets go of it when the process ends, however.
fn lock(path: &Path) -> Result<File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let lock_path = PathBuf::from(name);
    let failed = |error| StoreError::Lock {
        path: lock_path.clone(),
        error,
    };
    let file = File::create(&lock_path).map_err(failed)?;
    if system::lock(&file).map_err(failed)? {
        Ok(file)
    } else {
        Err(StoreError::Busy(path.to_owned()))
    }
}
