//! Openings: from which positions a pair of games is played, from a seed or a list.
//!
//! Each opening is played twice with the colours swapped, so it need not be
//! fair, but it must not be decided: the side to move never wins at once.
//! Where a fair one is wanted all the same, the most even of several is taken.

use std::sync::Arc;
use stoneline_rules::{Cell, Chance, Outcome, PlayError, Position, ReadError, Rule, Variant};
use stoneline_search::{BuildError, Limits, Spec, think_quietly};
use thiserror::Error;

/// The openings of a tournament.
#[derive(Clone)]
pub struct Openings {
    game: String,
    seed: u64,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Random {
        plies: usize,
        balance: Option<Balance>,
    },
    /// In this order, over and over.
    Listed(Vec<Position>),
}

/// How even openings are found.
#[derive(Clone)]
struct Balance {
    candidates: usize,
    judge: Arc<Spec>,
}

/// Why there is no opening.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoOpening {
    /// No undecided opening of that length was found.
    #[error("no undecided opening of {plies} plies found in {game}: ask for fewer plies")]
    Decided {
        /// The game.
        game: String,
        /// The length asked for.
        plies: usize,
    },
    /// The engine that was to judge openings does not play the game.
    #[error("no even openings: {0}")]
    Judge(#[from] BuildError),
}

/// What is wrong with a list of openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ListError {
    /// There is none.
    #[error("the list has no openings")]
    Empty,
    /// A line can't be read.
    #[error("opening {number}, {line:?}: {reason}")]
    Line {
        /// Its number among the openings, from 1.
        number: usize,
        /// The line.
        line: String,
        /// Why not.
        reason: String,
    },
}

/// How far from the middle random stones lie at most where they don't fall: those at the edge
/// would give away the game, and what follows would tell little about the players.
const REACH: u8 = 3;

/// Random games tried for one opening before giving up.
const TRIES: usize = 1000;

/// What the judge of even openings may spend on each.
const JUDGE_SIMULATIONS: u64 = 1000;
const JUDGE_NODES: u64 = 20_000;
const JUDGE_BYTES: usize = 4 << 20;

impl Openings {
    /// Openings of `plies` random moves in the game called `game`, near the middle of a free board.
    ///
    /// Plain `course` draws another board for each opening.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn new(game: &str, plies: usize, seed: u64) -> Result<Self, ReadError> {
        Variant::named(game, seed)?;
        let source = Source::Random {
            plies,
            balance: None,
        };
        Ok(Self {
            game: game.to_owned(),
            seed,
            source,
        })
    }

    /// The same, but each the most even of `candidates` openings in the eyes of `judge`.
    #[must_use]
    pub fn balanced(mut self, candidates: usize, judge: Spec) -> Self {
        if let Source::Random { balance, .. } = &mut self.source {
            *balance = Some(Balance {
                candidates: candidates.max(1),
                judge: Arc::new(judge),
            });
        }
        self
    }

    /// The openings of a list: each the moves from the empty board of `game`, or
    /// `VARIANT moves`. With `centred`, moves are `x,y` offsets from the centre, as
    /// Gomocup writes its openings.
    ///
    /// # Errors
    /// The first line that is no opening, and why.
    pub fn listed(game: &str, lines: &[String], centred: bool) -> Result<Self, ListError> {
        let read = |(at, line): (usize, &String)| {
            let position = if centred {
                read_centred(game, line)
            } else {
                read_line(game, line)
            };
            let checked = position.and_then(|position| match position.outcome() {
                Some(outcome) => Err(format!("the game is over: {outcome}")),
                None => Ok(position),
            });
            checked.map_err(|reason| ListError::Line {
                number: at + 1,
                line: line.clone(),
                reason,
            })
        };
        let positions = lines.iter().enumerate().map(read);
        let positions = positions.collect::<Result<Vec<_>, _>>()?;
        if positions.is_empty() {
            return Err(ListError::Empty);
        }
        Ok(Self {
            game: game.to_owned(),
            seed: 0,
            source: Source::Listed(positions),
        })
    }

    /// The opening with that number, always the same for the same seed.
    ///
    /// # Errors
    /// If random play of that length always leads to decided games.
    pub fn at(&self, number: u64) -> Result<Position, NoOpening> {
        let (plies, balance) = match &self.source {
            Source::Listed(positions) => {
                let at = number % positions.len() as u64;
                return Ok(positions[at as usize].clone());
            }
            Source::Random { plies, balance } => (*plies, balance),
        };
        let mut chance = Chance::new(self.seed.wrapping_add(number.wrapping_mul(0x1_0001)));
        let variant = Variant::named(&self.game, chance.draw())
            .expect("the name was read when the openings were made");
        let mut draw = || {
            (0..TRIES)
                .find_map(|_| random_opening(variant, plies, &mut chance))
                .ok_or_else(|| NoOpening::Decided {
                    game: self.game.clone(),
                    plies,
                })
        };
        let Some(balance) = balance else {
            return draw();
        };
        let candidates = (0..balance.candidates).map(|_| draw());
        let candidates = candidates.collect::<Result<Vec<_>, _>>()?;
        balance.most_even(candidates)
    }
}

impl Balance {
    /// The candidate that the judge finds nearest to a draw; the first of equals.
    fn most_even(&self, candidates: Vec<Position>) -> Result<Position, NoOpening> {
        let limits = Limits {
            simulations: Some(JUDGE_SIMULATIONS),
            nodes: Some(JUDGE_NODES),
            memory_bytes: Some(JUDGE_BYTES),
            seed: Some(1),
            ..Limits::default()
        };
        let mut best: Option<(f32, Position)> = None;
        for position in candidates {
            let mut judge = self.judge.build(position.variant())?;
            let value = think_quietly(&mut *judge, &position, &limits).value;
            let tilt = (value.win_rate() - 0.5).abs();
            if best.as_ref().is_none_or(|(least, _)| tilt < *least) {
                best = Some((tilt, position));
            }
        }
        Ok(best.expect("there is at least one candidate").1)
    }
}

fn read_line(game: &str, line: &str) -> Result<Position, String> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let text = match Variant::named(first, 0) {
        Ok(_) => line.to_owned(),
        Err(_) => format!("{game} {line}"),
    };
    Position::read(&text, 0).map_err(|error| error.to_string())
}

/// `x,y, x,y, ...` from the centre, y downwards.
fn read_centred(game: &str, line: &str) -> Result<Position, String> {
    let variant = Variant::named(game, 0).map_err(|error| error.to_string())?;
    if variant.rule() == Rule::Gravity {
        return Err("offsets from the centre need stones that don't fall".to_owned());
    }
    let numbers: Vec<i32> = line
        .split(',')
        .map(|number| {
            let number = number.trim();
            number
                .parse()
                .map_err(|_| format!("expected a whole number, found {number:?}"))
        })
        .collect::<Result<_, String>>()?;
    if numbers.is_empty() || numbers.len() % 2 == 1 {
        return Err("expected pairs x,y".to_owned());
    }
    let (rows, columns) = (variant.geometry().rows(), variant.geometry().columns());
    let mut position = Position::new(variant);
    for pair in numbers.chunks(2) {
        let column = i32::from(columns / 2) + pair[0];
        let row = i32::from(rows) - 1 - (i32::from(rows / 2) + pair[1]);
        let on_board =
            (0..i32::from(columns)).contains(&column) && (0..i32::from(rows)).contains(&row);
        if !on_board {
            return Err(format!("{},{} is not on the board", pair[0], pair[1]));
        }
        let cell = Cell::new(column as u8, row as u8);
        position
            .play(cell)
            .map_err(|error: PlayError| error.to_string())?;
    }
    Ok(position)
}

fn random_opening(variant: Variant, plies: usize, chance: &mut Chance) -> Option<Position> {
    let mut position = Position::new(variant);
    for _ in 0..plies {
        let mut legal = position.legal_moves();
        if !variant.rule().falls() {
            legal.retain(|&cell| is_central(&variant, cell));
        }
        let choices = u32::try_from(legal.len()).ok().filter(|&count| count > 0)?;
        position
            .play(legal[chance.below(choices) as usize])
            .expect("a legal move");
    }
    is_undecided(&position).then_some(position)
}

fn is_central(variant: &Variant, cell: Cell) -> bool {
    let geometry = variant.geometry();
    // Doubled, so that the middle of an even board lies between two cells.
    let from_middle = |at: u8, size: u8| (2 * at + 1).abs_diff(size);
    from_middle(cell.row(), geometry.rows()) <= 2 * REACH
        && from_middle(cell.column(), geometry.columns()) <= 2 * REACH
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
