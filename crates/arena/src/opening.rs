//! Openings: from which positions a pair of games is played, from a seed.
//!
//! Each opening is played twice with the colours swapped, so it need not be
//! fair, but it must not be decided: the side to move never wins at once.

use std::fmt;
use stoneline_rules::{Chance, Outcome, Position, ReadError, Variant};

/// The openings of a match.
#[derive(Clone, Debug)]
pub struct Openings {
    game: String,
    seed: u64,
    plies: usize,
}

/// No undecided opening of that length was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoOpening {
    game: String,
    plies: usize,
}

impl fmt::Display for NoOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no undecided opening of {} plies found in {}: ask for fewer plies",
            self.plies, self.game
        )
    }
}

impl std::error::Error for NoOpening {}

/// Random games tried for one opening before giving up.
const TRIES: usize = 1000;

impl Openings {
    /// Openings of `plies` random moves in the game called `game`.
    ///
    /// Plain `course` draws another board for each opening.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn new(game: &str, plies: usize, seed: u64) -> Result<Self, ReadError> {
        Variant::named(game, seed)?;
        Ok(Self {
            game: game.to_owned(),
            seed,
            plies,
        })
    }

    /// The opening with that number, always the same for the same seed.
    ///
    /// # Errors
    /// If random play of that length always leads to decided games.
    pub fn at(&self, number: u64) -> Result<Position, NoOpening> {
        let mut chance = Chance::new(self.seed.wrapping_add(number.wrapping_mul(0x1_0001)));
        let variant = Variant::named(&self.game, chance.draw())
            .expect("the name was read when the openings were made");
        (0..TRIES)
            .find_map(|_| random_opening(variant, self.plies, &mut chance))
            .ok_or_else(|| NoOpening {
                game: self.game.clone(),
                plies: self.plies,
            })
    }
}

fn random_opening(variant: Variant, plies: usize, chance: &mut Chance) -> Option<Position> {
    let mut position = Position::new(variant);
    for _ in 0..plies {
        let legal = position.legal_moves();
        let choices = u32::try_from(legal.len()).ok().filter(|&count| count > 0)?;
        position
            .play(legal[chance.below(choices) as usize])
            .expect("a legal move");
    }
    is_undecided(&position).then_some(position)
}

/// Whether the game goes on and the side to move can't end it at once.
fn is_undecided(position: &Position) -> bool {
    position.outcome().is_none()
        && position.legal_moves().into_iter().all(|cell| {
            let mut after = position.clone();
            after.play(cell).expect("a legal move");
            !matches!(after.outcome(), Some(Outcome::Win(_)))
        })
}
