//! The tables of the store, version by version.
//!
//! A file tells its version; older ones are brought up step by step in one
//! transaction, newer ones are refused.

use super::StoreError;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// "STON": how SQLite files are told apart.
const APPLICATION: i64 = 0x5354_4f4e;

/// What leads from each version to the next; the first from an empty file. Never changed, only added to.
pub(super) const STEPS: [&str; 2] = [
    "CREATE TABLE runs (
         id INTEGER PRIMARY KEY,
         name TEXT NOT NULL UNIQUE,
         plan TEXT NOT NULL,
         core TEXT NOT NULL,
         begun_at TEXT NOT NULL
     );
     CREATE TABLE players (
         run INTEGER NOT NULL REFERENCES runs (id),
         number INTEGER NOT NULL,
         name TEXT NOT NULL,
         engine TEXT NOT NULL,
         identity TEXT NOT NULL,
         PRIMARY KEY (run, number)
     );
     CREATE TABLE games (
         run INTEGER NOT NULL REFERENCES runs (id),
         number INTEGER NOT NULL,
         round INTEGER NOT NULL,
         identity TEXT NOT NULL,
         first INTEGER NOT NULL,
         second INTEGER NOT NULL,
         opening_number INTEGER NOT NULL,
         opening TEXT NOT NULL,
         seed INTEGER NOT NULL,
         moves TEXT NOT NULL,
         plies INTEGER NOT NULL,
         winner TEXT NOT NULL CHECK (winner IN ('first', 'second', 'draw')),
         reason TEXT NOT NULL,
         remark TEXT,
         facts TEXT NOT NULL,
         first_stderr TEXT,
         second_stderr TEXT,
         finished_at TEXT NOT NULL,
         PRIMARY KEY (run, number),
         UNIQUE (run, identity)
     );",
    // For people who look at the file with SQLite's own tools.
    "CREATE VIEW results AS
         SELECT runs.name AS run, games.number, games.round,
             one.name AS first, two.name AS second,
             winner, reason, remark, opening, moves, plies, finished_at
         FROM games
         JOIN runs ON runs.id = games.run
         JOIN players AS one ON one.run = games.run AND one.number = games.first
         JOIN players AS two ON two.run = games.run AND two.number = games.second;",
];

/// Sets how the file is written, checks whose it is, and brings it to our version.
pub(super) fn prepare(path: &Path, connection: &mut Connection) -> Result<(), StoreError> {
    let failed = |error| StoreError::Database {
        path: path.to_owned(),
        error,
    };
    let number = |connection: &Connection, pragma: &str| {
        connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0))
    };
    let application = number(connection, "application_id").map_err(failed)?;
    let version = number(connection, "user_version").map_err(failed)?;
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
        .map_err(failed)?;
    if application != APPLICATION && tables > 0 {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    let known = STEPS.len() as i64;
    if version > known {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found: version,
            known,
        });
    }
    // Answers `wal`; files where that is impossible keep their journal and lose nothing.
    connection
        .query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
        .map_err(failed)?;
    connection
        .execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
        .map_err(failed)?;
    if version < known {
        migrate(connection, version).map_err(failed)?;
    }
    Ok(())
}

fn migrate(connection: &mut Connection, version: i64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in &STEPS[version as usize..] {
        transaction.execute_batch(step)?;
    }
    transaction.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {};",
        STEPS.len()
    ))?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    /// A file as the first version left it.
    fn first_version(path: &Path) {
        let connection = Connection::open(path).unwrap();
        connection.execute_batch(STEPS[0]).unwrap();
        connection
            .execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;
                 INSERT INTO runs VALUES (1, 'old', '{{\"player\":[]}}', '', 'then');"
            ))
            .unwrap();
    }

    #[test]
    fn older_files_are_brought_up_and_keep_their_runs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.db");
        first_version(&path);
        let store = Store::open_to_read(&path).unwrap();
        assert_eq!(store.runs().unwrap()[0].name, "old");
        let rows: i64 = store
            .connection
            .query_row("SELECT count(*) FROM results", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 0);
    }

    #[test]
    fn newer_and_foreign_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let newer = folder.path().join("newer.db");
        first_version(&newer);
        Connection::open(&newer)
            .unwrap()
            .execute_batch("PRAGMA user_version = 99")
            .unwrap();
        let error = Store::open_to_read(&newer).err().unwrap();
        assert!(
            matches!(error, StoreError::Newer { found: 99, .. }),
            "{error}"
        );
        let foreign = folder.path().join("foreign.db");
        Connection::open(&foreign)
            .unwrap()
            .execute_batch("CREATE TABLE mine (x)")
            .unwrap();
        let error = Store::open_to_read(&foreign).err().unwrap();
        assert!(matches!(error, StoreError::Foreign(_)), "{error}");
        let missing = folder.path().join("missing.db");
        assert!(Store::open_to_read(&missing).is_err());
        assert!(!missing.exists(), "reading makes no file");
    }
}
