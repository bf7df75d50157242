//! Stored tournaments: which there are, their tables, and every game to be replayed.
//!
//! Only files that were named at the start or lie in the working folder are
//! ever opened, whatever a request names; nothing is written into them.

use super::refusal::Refusal;
use super::view;
use anyhow::Context;
use serde_json::{Value as Json, json};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use stoneline_arena::{KeptGame, KeptRun, Store, Summary};

/// Files that are looked at in the working folder.
const MOST_FILES: usize = 200;
/// Games listed of a run; a page of more would be slow.
const MOST_GAMES: usize = 5000;

/// The stores that the page may show.
pub(crate) struct Archive {
    named: Vec<PathBuf>,
    folder: PathBuf,
}

impl Archive {
    /// The archive of the named files and of those in `folder`.
    ///
    /// # Errors
    /// If a named file is no store.
    pub(crate) fn new(named: &[PathBuf], folder: &Path) -> anyhow::Result<Self> {
        for path in named {
            Store::open_to_read(path).with_context(|| format!("--store {}", path.display()))?;
        }
        Ok(Self {
            named: named.to_vec(),
            folder: folder.to_owned(),
        })
    }

    /// The files that are there now.
    fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let mut found: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "db"))
            .take(MOST_FILES)
            .filter(|path| is_store(path))
            .map(|path| path.strip_prefix(".").map_or(path.clone(), Path::to_owned))
            .filter(|path| !self.named.contains(path))
            .collect();
        found.sort();
        self.named.iter().cloned().chain(found).collect()
    }

    /// Every run of every file, the newest first.
    pub(crate) fn list(&self) -> Json {
        let mut runs = Vec::new();
        for path in self.files() {
            let Ok(store) = Store::open_to_read(&path) else {
                continue;
            };
            for run in store.runs().unwrap_or_default() {
                let games = store.games_kept(&run).unwrap_or(0);
                runs.push(json!({
                    "store": path.to_string_lossy(),
                    "run": run.name,
                    "game": run.plan.game,
                    "format": run.plan.format,
                    "players": run.players.len(),
                    "games": games,
                    "begun_at": run.begun_at,
                }));
            }
        }
        runs.sort_by_key(|run| std::cmp::Reverse(run["begun_at"].to_string()));
        json!({"runs": runs})
    }

    /// The table of a run and the list of its games.
    pub(crate) fn run(&self, store: &str, name: &str) -> Result<Json, Refusal> {
        let (run, games) = self.open(store, name)?;
        let summary = Summary::of_kept(&run, &games).map_err(Refusal::bad)?;
        let mut told = summary.json();
        told["names"] = json!(summary.names);
        told["list"] = games.iter().take(MOST_GAMES).map(brief).collect();
        Ok(told)
    }

    /// One game, move by move, as a watched match tells it.
    pub(crate) fn game(&self, store: &str, name: &str, number: u32) -> Result<Json, Refusal> {
        let (run, games) = self.open(store, name)?;
        let game = games
            .iter()
            .find(|game| game.fixture.number == number)
            .ok_or_else(|| Refusal::bad(format!("{name} has no game {}", number + 1)))?;
        let names = game.fixture.players.map(|player| &run.players[player].name);
        Ok(json!({
            "names": names,
            "opening": view::position(&game.opening),
            "moves": moves(game),
            "winner": game.outcome.winner.map(stoneline_rules::Side::index),
            "reason": game.outcome.reason.name(),
            "remark": game.remark,
        }))
    }

    fn open(&self, store: &str, name: &str) -> Result<(KeptRun, Vec<KeptGame>), Refusal> {
        let path = self
            .files()
            .into_iter()
            .find(|path| path.to_string_lossy() == store)
            .ok_or_else(|| Refusal::bad(format!("there is no store {store:?} here")))?;
        let store = Store::open_to_read(&path).map_err(Refusal::bad)?;
        let run = store.run_named(Some(name)).map_err(Refusal::bad)?;
        let games = store.games(&run).map_err(Refusal::bad)?;
        Ok((run, games))
    }
}

/// Whether a file says that it is a store of ours; other programs' files are not opened.
fn is_store(path: &Path) -> bool {
    let mut mark = [0; 4];
    let read = File::open(path).and_then(|mut file| {
        // Where SQLite keeps the number of the application that a file belongs to.
        file.seek(SeekFrom::Start(68))?;
        file.read_exact(&mut mark)
    });
    read.is_ok() && &mark == b"STON"
}

/// A line of the list of games.
fn brief(game: &KeptGame) -> Json {
    json!({
        "number": game.fixture.number,
        "players": game.fixture.players,
        "winner": game.outcome.winner.map(stoneline_rules::Side::index),
        "reason": game.outcome.reason.name(),
        "plies": game.outcome.plies,
    })
}

fn moves(game: &KeptGame) -> Vec<Json> {
    let mut position = game.opening.clone();
    let mut told = Vec::new();
    for (at, &cell) in game.cells.iter().enumerate() {
        let side = position.side_to_move();
        if position.play(cell).is_err() {
            break;
        }
        let value = game.facts.value.get(at).and_then(Option::as_deref);
        let time_us = game.facts.time_us.get(at).copied().unwrap_or(0);
        told.push(json!({
            "engine": side.index(),
            "move": view::named(position.variant(), cell),
            "value": value.and_then(value_of_word),
            "time_ms": time_us / 1000,
            "position": position.notation(),
        }));
    }
    told
}

/// A value in the words of records, as the page reads values.
fn value_of_word(word: &str) -> Option<Json> {
    match word.split_once(' ') {
        Some(("win", plies)) => Some(json!({"win": plies.parse::<u32>().ok()?})),
        Some(("loss", plies)) => Some(json!({"loss": plies.parse::<u32>().ok()?})),
        _ if word == "draw" => Some(json!({"draw": true})),
        _ => Some(json!({"win_rate": word.parse::<f32>().ok()?})),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use stoneline_arena::{Plan, Tournament};

    fn kept_cup(folder: &Path) -> PathBuf {
        let plan = "name = 'cup'\ngames = 4\nsimulations = 10\nformat = 'match'\n\
            [[player]]\nengine = 'mcts'\n[[player]]\nengine = 'random'\n";
        let tournament = Tournament::new(Plan::parse(plan).unwrap()).unwrap();
        let path = folder.join("cup.db");
        let mut store = Store::open(&path).unwrap();
        let mut run = store.run(&tournament).unwrap();
        tournament
            .run(&mut run, &AtomicBool::new(false), |_| {})
            .unwrap();
        path
    }

    #[test]
    fn every_run_of_the_folder_is_listed_and_every_game_can_be_replayed() {
        let folder = tempfile::tempdir().unwrap();
        let path = kept_cup(folder.path());
        std::fs::write(folder.path().join("other.db"), [0; 200]).unwrap();
        std::fs::write(folder.path().join("empty.db"), []).unwrap();
        let archive = Archive::new(&[], folder.path()).unwrap();
        let runs = archive.list()["runs"].as_array().unwrap().clone();
        assert_eq!(runs.len(), 1, "{runs:?}");
        assert_eq!(
            (&runs[0]["run"], &runs[0]["games"]),
            (&json!("cup"), &json!(4))
        );
        let store = path.to_string_lossy();
        let run = archive.run(&store, "cup").unwrap();
        assert_eq!(run["players"][0]["name"], "mcts");
        assert_eq!(run["list"].as_array().unwrap().len(), 4);
        let game = archive.game(&store, "cup", 3).unwrap();
        let moves = game["moves"].as_array().unwrap();
        assert_eq!(run["list"][3]["plies"], moves.len());
        let last = moves.last().unwrap()["position"].as_str().unwrap();
        let end: stoneline_rules::Position = last.parse().unwrap();
        assert!(end.outcome().is_some());
        assert_eq!(
            game["names"],
            json!(["random", "mcts"]),
            "colours are swapped"
        );
        assert_eq!(
            std::fs::metadata(folder.path().join("empty.db"))
                .unwrap()
                .len(),
            0
        );
    }

    #[test]
    fn nothing_else_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = kept_cup(folder.path());
        let elsewhere = tempfile::tempdir().unwrap();
        let archive = Archive::new(&[], elsewhere.path()).unwrap();
        let store = path.to_string_lossy();
        assert!(archive.run(&store, "cup").is_err());
        let archive = Archive::new(std::slice::from_ref(&path), elsewhere.path()).unwrap();
        assert!(archive.run(&store, "cup").is_ok(), "named at the start");
        assert!(archive.run(&store, "none").is_err());
        assert!(archive.game(&store, "cup", 4).is_err());
        let other = elsewhere.path().join("other.db");
        std::fs::write(&other, "no database at all").unwrap();
        assert!(Archive::new(&[other], elsewhere.path()).is_err());
    }

    #[test]
    fn values_are_read_as_they_are_kept() {
        assert_eq!(value_of_word("win 5"), Some(json!({"win": 5})));
        assert_eq!(value_of_word("loss 4"), Some(json!({"loss": 4})));
        assert_eq!(value_of_word("draw"), Some(json!({"draw": true})));
        assert_eq!(value_of_word("0.5"), Some(json!({"win_rate": 0.5})));
        assert_eq!(value_of_word("great"), None);
    }
}
