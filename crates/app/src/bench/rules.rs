//! How fast the bare rules are: stones placed and taken back, and random games.

use super::{GAMES, Report, variant};
use std::hint::black_box;
use std::io;
use stoneline_rules::{Bits, Board, Chance, Grid, Position, RandomGames, Variant, with_words};

/// Games between two looks at the clock.
const BATCH: u64 = 256;
/// Games whose lengths make the signature.
const SIGNED_GAMES: u64 = 1000;

pub(super) fn measure(report: &mut Report<'_>) -> io::Result<()> {
    for game in GAMES {
        let variant = variant(game);
        with_words!(variant.geometry(), WORDS => {
            let mut games = RandomGames::<WORDS>::new(&Position::new(variant))
                .expect("the width was chosen to fit");
            let mut chance = Chance::new(0);
            report.rate("rules", "random_games", game, || {
                for _ in 0..BATCH {
                    black_box(games.play(&mut chance));
                }
                BATCH
            })
        })?;
    }
    for game in GAMES {
        let variant = variant(game);
        with_words!(variant.geometry(), WORDS => {
            let mut replay = Replay::<WORDS>::new(&variant);
            report.rate("rules", "plies", game, || replay.play_and_undo())
        })?;
    }
    for game in GAMES {
        report.sign(&format!("random_games {game}"), plies_of_random_games(game))?;
    }
    Ok(())
}

/// Stones in the first games of seed 0: different games, different number.
fn plies_of_random_games(game: &str) -> u64 {
    let variant = variant(game);
    with_words!(variant.geometry(), WORDS => {
        let mut games = RandomGames::<WORDS>::new(&Position::new(variant))
            .expect("the width was chosen to fit");
        let mut chance = Chance::new(0);
        (0..SIGNED_GAMES).map(|_| games.play(&mut chance).plies as u64).sum()
    })
}

/// Random games to go through again and again, forwards and backwards.
struct Replay<const WORDS: usize> {
    grid: Grid<WORDS>,
    board: Board<WORDS>,
    games: Vec<Vec<Bits<WORDS>>>,
}

impl<const WORDS: usize> Replay<WORDS> {
    /// Contract: the board of `variant` fits the width.
    fn new(variant: &Variant) -> Self {
        let start = Position::new(*variant);
        let grid = Grid::new(variant).expect("the width was chosen to fit");
        let mut random = RandomGames::<WORDS>::new(&start).expect("the width was chosen to fit");
        let mut chance = Chance::new(0);
        let games = (0..BATCH)
            .map(|_| {
                random.play(&mut chance);
                let cells = random.moves();
                cells
                    .map(|cell| Bits::bit(variant.geometry().index(cell)))
                    .collect()
            })
            .collect();
        Self {
            board: Board::new(&grid, &start),
            grid,
            games,
        }
    }

    /// Plays every game and takes it back; returns the plies played.
    ///
    /// A ply is what a search pays at the least: the set of legal moves, the
    /// stone placed, the stone taken back.
    fn play_and_undo(&mut self) -> u64 {
        let mut plies = 0;
        for game in &self.games {
            for &bit in game {
                black_box(self.board.legal(&self.grid));
                self.board.play_unchecked(bit);
            }
            black_box(&mut self.board);
            for &bit in game.iter().rev() {
                self.board.undo_unchecked(bit);
            }
            black_box(&mut self.board);
            plies += game.len() as u64;
        }
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_ends_where_it_began() {
        for game in GAMES {
            let variant = variant(game);
            with_words!(variant.geometry(), WORDS => {
                let mut replay = Replay::<WORDS>::new(&variant);
                let before = replay.board;
                assert!(replay.play_and_undo() > BATCH);
                assert_eq!(replay.board, before);
            });
        }
    }
}
