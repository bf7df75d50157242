//! `Solver`: the door to the exact solver, for positions of one game.

use super::book::Book;
use super::exact::{Exact, Prover};
use super::score::score_of_end;
use super::table::{Bounds, UNKNOWN};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use stoneline_rules::{Cell, Outcome, Position, Variant};
use thiserror::Error;

/// Nodes spent on each move before more are spent on any.
const FIRST_LOOK_NODES: u64 = 64;

/// The widest layout that can be solved.
const MOST_BITS: u32 = 192;

/// What is asked of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Won, drawn or lost: bounds between -1 and 1.
    Outcome,
    /// The exact score.
    Score,
}

impl Question {
    /// The scores that are told apart.
    fn range(self) -> Bounds {
        match self {
            Self::Outcome => Bounds { low: -1, high: 1 },
            Self::Score => UNKNOWN,
        }
    }
}

/// When to stop with the bounds proven so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct SolveLimits<'a> {
    /// Most nodes, counted for each thread.
    pub nodes: Option<u64>,
    /// Most time, for the whole of a call.
    pub time: Option<Duration>,
    /// Stops the search when raised.
    pub stop: Option<&'a AtomicBool>,
}

impl SolveLimits<'_> {
    /// When the time is up, from now.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.time.map(|time| Instant::now() + time)
    }

    /// The same limits with a `share`-th of the time that is left until `deadline`.
    pub(super) fn left(&self, deadline: Option<Instant>, share: u32) -> Self {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now()) / share;
        Self {
            time: deadline.map(left),
            ..*self
        }
    }

    /// Whether the time is up or someone asked to stop.
    fn is_over(&self, deadline: Option<Instant>) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// What was proven, and what it cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The score from the mover's view lies within these; equal when it is known.
    pub bounds: Bounds,
    /// Nodes searched, by all threads together.
    pub nodes: u64,
}

/// What a move is worth to the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveBounds {
    /// The move.
    pub cell: Cell,
    /// Its score lies within these.
    pub bounds: Bounds,
}

/// Why a position can't be solved.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SolveError {
    /// Only boards whose stones fall can be solved.
    #[error(
        "stones do not fall in {0}, and the exact solver needs that they do; \
         analyse the position with another engine"
    )]
    NoGravity(Box<Variant>),
    /// The board needs too many bits.
    #[error(
        "a board of {rows} rows and {columns} columns takes {bits} bits, and the exact solver \
         takes {MOST_BITS}; play on fewer columns or analyse the position with another engine"
    )]
    TooLarge {
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        columns: u8,
        /// Bits of its layout.
        bits: u32,
    },
    /// The position belongs to another game than the solver.
    #[error("the solver was built for {solver} and asked about a position of {position}")]
    OtherGame {
        /// The solver's game.
        solver: Box<Variant>,
        /// The position's game.
        position: Box<Variant>,
    },
    /// The machine refused the memory of the table.
    #[error("no {bytes} bytes for the solver's table: {reason}; ask for less memory")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
        /// What the system said.
        reason: String,
    },
    /// There is nothing left to solve.
    #[error("the game is over: {0}")]
    GameOver(Outcome),
}

/// Solves positions of one game; keeps what it proved for the next ones.
pub struct Solver {
    variant: Variant,
    prover: Box<dyn Prover>,
    book: Book,
}

impl Solver {
    /// A solver that uses at most `memory_bytes` for its table and `threads` threads.
    ///
    /// # Errors
    /// If the game is out of reach.
    pub fn new(variant: &Variant, memory_bytes: usize, threads: usize) -> Result<Self, SolveError> {
        let geometry = variant.geometry();
        if !variant.rule().falls() {
            return Err(SolveError::NoGravity(Box::new(*variant)));
        }
        if geometry.bits() > MOST_BITS {
            return Err(SolveError::TooLarge {
                rows: geometry.rows(),
                columns: geometry.columns(),
                bits: geometry.bits(),
            });
        }
        let threads = threads.max(1);
        let prover = match (geometry.bits().div_ceil(64), variant.run() == 4) {
            (1, true) => boxed::<1, true>(variant, memory_bytes, threads),
            (1, false) => boxed::<1, false>(variant, memory_bytes, threads),
            (2, true) => boxed::<2, true>(variant, memory_bytes, threads),
            (2, false) => boxed::<2, false>(variant, memory_bytes, threads),
            (_, true) => boxed::<3, true>(variant, memory_bytes, threads),
            (_, false) => boxed::<3, false>(variant, memory_bytes, threads),
        }?;
        Ok(Self {
            variant: *variant,
            prover,
            book: Book::default(),
        })
    }

    /// Answers from `book` what it knows, without search.
    ///
    /// Contract: the book is of the solver's game.
    pub fn use_book(&mut self, book: Book) {
        self.book = book;
    }

    /// The exact score and a best move of `position`, if the book has them.
    pub fn book_entry(&self, position: &Position) -> Option<(i32, Cell)> {
        self.book.look_up(position)
    }

    /// Proven bounds of the score of `position`, from the mover's view.
    ///
    /// # Errors
    /// If the game is over or another one.
    pub fn solve(
        &mut self,
        position: &Position,
        question: Question,
        limits: &SolveLimits,
    ) -> Result<Solved, SolveError> {
        self.check(position)?;
        Ok(self.prove(position, question.range(), limits))
    }

    /// What each legal move is worth to its player, column by column.
    ///
    /// Each move gets an even share of the time that is left, and all the nodes.
    ///
    /// # Errors
    /// If the game is over or another one.
    pub fn solve_moves(
        &mut self,
        position: &Position,
        question: Question,
        limits: &SolveLimits,
    ) -> Result<(Vec<MoveBounds>, u64), SolveError> {
        self.check(position)?;
        let within = question.range();
        let deadline = limits.deadline();
        let mut nodes = 0;
        let legal = position.legal_moves();
        let shares = (1..=legal.len() as u32).rev();
        let moves = legal
            .into_iter()
            .zip(shares)
            .map(|(cell, share)| {
                let limits = limits.left(deadline, share);
                let solved = self.prove_move(position, cell, within, &limits);
                nodes += solved.nodes;
                MoveBounds {
                    cell,
                    bounds: solved.bounds,
                }
            })
            .collect();
        Ok((moves, nodes))
    }

    /// A move that reaches `score`, which must be the score of the position, and the
    /// nodes spent; `None` when a limit was reached before.
    ///
    /// # Errors
    /// If the game is over or another one.
    pub fn best_move(
        &mut self,
        position: &Position,
        score: i32,
        limits: &SolveLimits,
    ) -> Result<(Option<Cell>, u64), SolveError> {
        self.check(position)?;
        if let Some((known, cell)) = self.book_entry(position)
            && known == score
        {
            return Ok((Some(cell), 0));
        }
        let mut moves = position.legal_moves();
        let columns = position.variant().geometry().columns();
        moves.sort_by_key(|cell| (2 * cell.column() + 1).abs_diff(columns));
        let within = Bounds {
            low: score - 1,
            high: score,
        };
        let deadline = limits.deadline();
        let mut spent = 0;
        // The table knows one of them: a few nodes find it before others are searched.
        let mut most = FIRST_LOOK_NODES;
        loop {
            let all = limits.nodes.is_some_and(|limit| most >= limit) || most > u64::MAX / 8;
            for &cell in &moves {
                let narrow = SolveLimits {
                    nodes: if all { limits.nodes } else { Some(most) },
                    ..limits.left(deadline, 1)
                };
                let solved = self.prove_move(position, cell, within, &narrow);
                spent += solved.nodes;
                if solved.bounds.low >= score {
                    return Ok((Some(cell), spent));
                }
            }
            if all || limits.is_over(deadline) {
                return Ok((None, spent));
            }
            most *= 8;
        }
    }

    /// The line of best play, as far as the limits allow; the mover's move first.
    ///
    /// # Errors
    /// If the game is over or another one.
    pub fn line(
        &mut self,
        position: &Position,
        score: i32,
        limits: &SolveLimits,
    ) -> Result<Vec<Cell>, SolveError> {
        self.check(position)?;
        let deadline = limits.deadline();
        let mut at = position.clone();
        let mut line = Vec::new();
        let mut score = score;
        while at.outcome().is_none() {
            let limits = limits.left(deadline, 1);
            let (Some(cell), _) = self.best_move(&at, score, &limits)? else {
                break;
            };
            at.play(cell).expect("a best move is legal");
            line.push(cell);
            score = -score;
        }
        Ok(line)
    }

    /// Proven bounds of the score, moved to the nearest `within`.
    fn prove(&self, position: &Position, within: Bounds, limits: &SolveLimits) -> Solved {
        match self.book_entry(position) {
            Some((score, _)) => Solved {
                bounds: within.clamped(score, score),
                nodes: 0,
            },
            None => self.prover.prove(position, within, limits),
        }
    }

    /// Proven bounds of the score that a legal move reaches, for its player, moved to the
    /// nearest `within`.
    pub(super) fn prove_move(
        &self,
        position: &Position,
        cell: Cell,
        within: Bounds,
        limits: &SolveLimits,
    ) -> Solved {
        let mut after = position.clone();
        after.play(cell).expect("the move is legal");
        let capacity = position.variant().geometry().capacity();
        let at_once = match after.outcome() {
            Some(Outcome::Win(_)) => score_of_end(1, position.plies(), capacity),
            Some(Outcome::Draw) => 0,
            None => {
                let mut solved = self.prove(&after, within.negated(), limits);
                solved.bounds = solved.bounds.negated();
                return solved;
            }
        };
        Solved {
            bounds: within.clamped(at_once, at_once),
            nodes: 0,
        }
    }

    /// Forgets everything that was proven.
    pub fn clear(&mut self) {
        self.prover.clear();
    }

    pub(super) fn check(&self, position: &Position) -> Result<(), SolveError> {
        if position.variant() != &self.variant {
            return Err(SolveError::OtherGame {
                solver: Box::new(self.variant),
                position: Box::new(*position.variant()),
            });
        }
        position
            .outcome()
            .map_or(Ok(()), |outcome| Err(SolveError::GameOver(outcome)))
    }
}

fn boxed<const WORDS: usize, const FOUR: bool>(
    variant: &Variant,
    bytes: usize,
    threads: usize,
) -> Result<Box<dyn Prover>, SolveError> {
    match Exact::<WORDS, FOUR>::new(variant, bytes, threads) {
        Ok(exact) => Ok(Box::new(exact)),
        Err(error) => Err(SolveError::Memory {
            bytes,
            reason: error.to_string(),
        }),
    }
}
