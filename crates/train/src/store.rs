//! Games on disk: one file, a game a line, in the order of their numbers.
//!
//! A file begins with what the games were played with; the same settings and
//! number always give the same game, so a file that was cut short is
//! continued, never played again. A last line without its end was being
//! written when the program stopped, and is cut off. Anything else that can't
//! be read is refused with the line and the reason.

use crate::game::Game;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use stoneline_rules::ReadError;
use thiserror::Error;

/// The first line of every file of games.
const TITLE: &str = "stoneline self-play 1";

/// Why games can't be read or kept.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file system refused.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// The file is not one of ours.
    #[error("{}: expected {TITLE:?} in the first line", path.display())]
    Title {
        /// The file.
        path: PathBuf,
    },
    /// The file belongs to other settings.
    #[error("{}: played with {found:?}, not with {wanted:?}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// What it was played with.
        found: String,
        /// What it was to be continued with.
        wanted: String,
    },
    /// A game can't be read.
    #[error("{}, line {line}: {error}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Place in the line and reason.
        error: ReadError,
    },
    /// There is nothing to learn from.
    #[error("{}: no position to learn from", path.display())]
    Empty {
        /// The file, or the first of them.
        path: PathBuf,
    },
    /// A game is missing or stands twice.
    #[error("{}, line {line}: expected game {expected}, found game {found}", path.display())]
    Order {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The number that was due.
        expected: u64,
        /// The number that stands there.
        found: u64,
    },
}

impl StoreError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::File { path, error }
    }
}

/// Every whole game of a file, and how many bytes they end at.
///
/// # Errors
/// The first thing that can't be read, with its line.
fn scan(path: &Path, mut each: impl FnMut(Game)) -> Result<(String, u64), StoreError> {
    let file = File::open(path).map_err(StoreError::file(path))?;
    let mut reader = BufReader::new(file);
    let (mut line, mut number, mut end, mut due) = (Vec::new(), 0, 0, 0);
    let mut settings = String::new();
    loop {
        line.clear();
        reader
            .read_until(b'\n', &mut line)
            .map_err(StoreError::file(path))?;
        if line.pop() != Some(b'\n') {
            break;
        }
        number += 1;
        let text = String::from_utf8_lossy(&line);
        match number {
            1 if text != TITLE => break,
            1 => {}
            2 => settings = text.into_owned(),
            _ => {
                let game = Game::read(&text).map_err(|error| StoreError::Game {
                    path: path.to_owned(),
                    line: number,
                    error,
                })?;
                if game.number != due {
                    return Err(StoreError::Order {
                        path: path.to_owned(),
                        line: number,
                        expected: due,
                        found: game.number,
                    });
                }
                due += 1;
                each(game);
            }
        }
        end += line.len() as u64 + 1;
    }
    if number < 2 {
        return Err(StoreError::Title {
            path: path.to_owned(),
        });
    }
    Ok((settings, end))
}

/// Every game of a file, in order.
///
/// # Errors
/// The first thing that can't be read, with its line.
pub fn read_games(path: &Path, each: impl FnMut(Game)) -> Result<(), StoreError> {
    scan(path, each).map(|_| ())
}

/// What the games of a file were played with.
///
/// # Errors
/// If the file can't be read.
pub(crate) fn settings_line(path: &Path) -> Result<String, StoreError> {
    let file = File::open(path).map_err(StoreError::file(path))?;
    let line = BufReader::new(file).lines().nth(1);
    line.unwrap_or(Ok(String::new()))
        .map_err(StoreError::file(path))
}

/// A file that takes games as they finish.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    games: u64,
    positions: u64,
}

impl Store {
    /// The file at `path`, made if there is none, continued if it was played with `settings`.
    ///
    /// # Errors
    /// If the file has other settings or can't be read.
    pub fn open(path: &Path, settings: &str) -> Result<Self, StoreError> {
        let (mut games, mut positions, mut end) = (0, 0, 0);
        let is_new = path.metadata().map_or(true, |meta| meta.len() == 0);
        if !is_new {
            let (found, length) = scan(path, |game| {
                games += 1;
                positions += game.values.len() as u64;
            })?;
            if found != settings {
                return Err(StoreError::Settings {
                    path: path.to_owned(),
                    found,
                    wanted: settings.to_owned(),
                });
            }
            end = length;
        }
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)
            .map_err(StoreError::file(path))?;
        file.set_len(end).map_err(StoreError::file(path))?;
        file.seek(SeekFrom::End(0))
            .map_err(StoreError::file(path))?;
        if is_new {
            write!(file, "{TITLE}\n{settings}\n").map_err(StoreError::file(path))?;
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            games,
            positions,
        })
    }

    /// How many games the file holds: the number of the next one.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How many of their positions have a value.
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Appends the game that is due.
    ///
    /// # Errors
    /// If the disk refuses.
    ///
    /// # Panics
    /// If another game is due.
    pub fn append(&mut self, game: &Game) -> Result<(), StoreError> {
        assert_eq!(game.number, self.games, "games are kept in order");
        let line = game.write() + "\n";
        self.file
            .write_all(line.as_bytes())
            .map_err(StoreError::file(&self.path))?;
        self.games += 1;
        self.positions += game.values.len() as u64;
        Ok(())
    }
}
