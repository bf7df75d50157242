//! Games of an engine against itself, on every core, into one file.
//!
//! Game `n` follows from the settings and `n` alone: its board, its random
//! opening and the seed of its player. Games finish in any order and are kept
//! in the order of their numbers, so an interrupted run goes on where its file
//! ends and gives the same data.
//!
//! Openings are random but not silly: no move that wins, none that gives a win
//! away, and every threat is met. Half of them are short and lead to games as
//! they are played; the others fill anything up to a large share of the board,
//! so that late positions are as common as early ones.

use crate::game::Game;
use crate::settings::Play;
use crate::store::{Store, StoreError};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use stoneline_rules::{
    Bits, Board, Chance, Grid, Outcome, Position, Side, Variant, scramble, with_words,
};
use stoneline_search::{BuildError, Choice, Limits, Spec, Value, think_quietly};
use thiserror::Error;

/// How long a short opening may be, as a share of the longest.
const SHORT_SHARE: f32 = 0.15;

/// Why games can't be played.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The engine does not play one of the boards.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The games can't be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games that the file holds.
    pub games: u64,
    /// Positions with a value in them.
    pub positions: u64,
}

/// Plays until the file holds all games or `watch` breaks; returns how far it came.
///
/// `watch` hears of every game that was kept.
///
/// # Errors
/// If the engine does not play a board, or the file can't be read or written.
///
/// # Panics
/// If the settings were not checked.
pub fn play(
    settings: &Play,
    threads: usize,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Progress, PlayError> {
    let mut store = Store::open(&settings.file, &settings.line())?;
    let next = AtomicU64::new(store.games());
    let stop = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    let finished = std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let send = send.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= settings.games || send.send(game(settings, number)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let kept = keep(&mut store, &receive, &mut watch);
        stop.store(true, Ordering::Relaxed);
        drop(receive);
        kept
    });
    finished?;
    Ok(Progress {
        games: store.games(),
        positions: store.positions(),
    })
}

/// Keeps games in order as they come in, until all are there or `watch` breaks.
fn keep(
    store: &mut Store,
    receive: &mpsc::Receiver<Result<Game, BuildError>>,
    watch: &mut impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), PlayError> {
    let mut waiting = BTreeMap::new();
    for game in receive {
        let game = game?;
        waiting.insert(game.number, game);
        while let Some(game) = waiting.remove(&store.games()) {
            store.append(&game)?;
            let progress = Progress {
                games: store.games(),
                positions: store.positions(),
            };
            if watch(progress).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The game with that number.
fn game(settings: &Play, number: u64) -> Result<Game, BuildError> {
    let mut chance = Chance::new(scramble(settings.seed) ^ number);
    let variant = draw_board(settings, &mut chance);
    let most = variant.geometry().capacity() as f32 * settings.opening;
    let most = if chance.below(2) == 0 {
        most
    } else {
        most * SHORT_SHARE
    };
    let plies = chance.below(most as u32 + 1) as usize;
    let mut position = draw_opening(variant, plies, &mut chance);
    let opening = position.plies();
    let spec: Spec = settings
        .engine
        .parse()
        .expect("the engine's name was checked");
    let mut engine = spec.build(&variant)?;
    let limits = Limits {
        seed: Some(chance.draw()),
        ..Limits::default()
    };
    let mut values = Vec::new();
    let winner = play_out(&mut position, |position| {
        let choice = think_quietly(&mut *engine, position, &limits);
        values.push(choice.value);
        choice
    });
    Ok(Game {
        number,
        end: position,
        opening,
        values,
        winner,
    })
}

/// Plays on until the game ends or the mover's search has proven how; returns who won.
///
/// What is proven needs no player: the search finds it by itself.
fn play_out(position: &mut Position, mut think: impl FnMut(&Position) -> Choice) -> Option<Side> {
    loop {
        match position.outcome() {
            Some(Outcome::Win(side)) => return Some(side),
            Some(Outcome::Draw) => return None,
            None => {}
        }
        let side = position.side_to_move();
        let choice = think(position);
        let cell = choice.best.expect("an engine moves while the game goes on");
        position.play(cell).expect("engines play by the rules");
        match choice.value {
            Value::Win { .. } => return Some(side),
            Value::Loss { .. } => return Some(!side),
            Value::Draw => return None,
            Value::Guess(_) => {}
        }
    }
}

fn draw_board(settings: &Play, chance: &mut Chance) -> Variant {
    let total = settings.boards.iter().map(|(_, weight)| weight).sum();
    let mut rest = chance.below(total);
    let mut names = settings.boards.iter();
    let name = names.find(|(_, weight)| match rest.checked_sub(*weight) {
        Some(less) => {
            rest = less;
            false
        }
        None => true,
    });
    let (name, _) = name.expect("the number drawn is below the sum of weights");
    Variant::named(name, chance.draw()).expect("the names were checked")
}

/// A position after `plies` random moves, or fewer when no harmless one is left.
fn draw_opening(variant: Variant, plies: usize, chance: &mut Chance) -> Position {
    let mut position = Position::new(variant);
    with_words!(variant.geometry(), WORDS => {
        let grid = Grid::<WORDS>::new(&variant).expect("the width was chosen to fit");
        let mut board = Board::new(&grid, &position);
        for _ in 0..plies {
            let moves = harmless_moves(&grid, &board);
            let Some(choices) = std::num::NonZeroU32::new(moves.len()) else {
                break;
            };
            let bit = moves.nth_bit(chance.below(choices.get()));
            board.play_unchecked(bit);
            let index = bit.lowest().expect("one move was drawn");
            position
                .play(variant.geometry().cell(index))
                .expect("both boards know the same legal moves");
        }
    });
    position
}

/// Moves that neither win nor let the other side win at once.
fn harmless_moves<const WORDS: usize>(grid: &Grid<WORDS>, board: &Board<WORDS>) -> Bits<WORDS> {
    let side = board.side_to_move();
    let legal = board.legal(grid);
    let wins = |side: Side| board.winning_cells(grid, side);
    let threats = wins(!side) & legal;
    if threats.has_two() || wins(side).intersects(legal) {
        return Bits::EMPTY;
    }
    let moves = if threats.is_empty() { legal } else { threats };
    moves
        .iter()
        .map(Bits::bit)
        .filter(|&bit| {
            let mut after = *board;
            after.play_unchecked(bit);
            !wins(!side).intersects(after.legal(grid))
        })
        .fold(Bits::EMPTY, |all, bit| all | bit)
}
