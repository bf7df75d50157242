//! One game between two players: who moved what, how it ended, and why.
//!
//! The referee trusts nobody: every answer is checked by the rules, and every
//! move is timed.

use crate::adjudicate::{Adjudication, Adjudicator};
use crate::player::{Answer, Loss, Player, Start, Turn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use stoneline_rules::{Cell, Outcome, Position, Side};
use stoneline_search::Limits;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// A finished line.
    Line,
    /// No legal move was left.
    FullBoard,
    /// An answer that the rules refuse.
    IllegalMove,
    /// No answer although there were legal moves.
    NoMove,
    /// An answer after the time was up, or none until then.
    Time,
    /// The player's program ended, panicked, or took more than its limits allow.
    Crash,
    /// Words that the protocol does not have.
    ProtocolError,
    /// A proof or both players' values decided it.
    Adjudication,
}

impl Reason {
    /// Every reason, in the order of reports.
    pub const ALL: [Self; 8] = [
        Self::Line,
        Self::FullBoard,
        Self::Adjudication,
        Self::IllegalMove,
        Self::NoMove,
        Self::Time,
        Self::Crash,
        Self::ProtocolError,
    ];

    /// The word for it in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::FullBoard => "full board",
            Self::IllegalMove => "illegal move",
            Self::NoMove => "no move",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::ProtocolError => "protocol error",
            Self::Adjudication => "adjudication",
        }
    }

    /// The reason with that word.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Whether the loser lost by breaking the rules of play rather than on the board.
    pub const fn is_forfeit(self) -> bool {
        !matches!(self, Self::Line | Self::FullBoard | Self::Adjudication)
    }
}

/// What holds for both players.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// How late an answer may come before it loses.
    pub tolerance: Duration,
    /// When the game is ended early.
    pub adjudication: Adjudication,
}

/// One of the two players at the board, and what its moves may take.
pub struct Seat<'a> {
    /// Who plays.
    pub player: &'a mut dyn Player,
    /// What each move may take; `remaining` is the whole match clock,
    /// `increment` what it gains with each move, and `overage` the whole bank
    /// for moves that take longer than `time`.
    pub limits: Limits,
}

/// A move as it was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// What the player answered.
    pub answer: Answer,
    /// How long it took.
    pub time: Duration,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// The position from which the players played.
    pub opening: Position,
    /// Their moves.
    pub moves: Vec<Move>,
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Reason,
    /// What happened, in a sentence, where the board alone does not tell.
    pub remark: Option<String>,
    /// The last of what each side wrote on its error stream.
    pub stderr: [Option<String>; 2],
}

impl Game {
    /// The cells that were played, in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.moves.iter().map(|played| played.answer.cell)
    }

    /// The longest time that `side` took for a move.
    pub fn slowest(&self, side: Side) -> Duration {
        let other_first = usize::from(self.opening.side_to_move() != side);
        let own = self.moves.iter().skip(other_first).step_by(2);
        own.map(|played| played.time).max().unwrap_or_default()
    }
}

/// How a game ended.
struct End {
    winner: Option<Side>,
    reason: Reason,
    remark: Option<String>,
}

/// Plays from `opening` to the end; `seats` are the first and the second side.
///
/// `None` if `stop` was set before the end: such a game is no game.
pub fn play(
    opening: &Position,
    mut seats: [Seat<'_>; 2],
    terms: &Terms,
    stop: &AtomicBool,
) -> Option<Game> {
    let mut moves = Vec::new();
    let end = match start(opening, &mut seats, terms.tolerance) {
        Err((side, loss)) => forfeit(side, loss),
        Ok(()) => referee(opening, &mut seats, terms, stop, &mut moves)?,
    };
    Some(Game {
        opening: opening.clone(),
        moves,
        winner: end.winner,
        reason: end.reason,
        remark: end.remark,
        stderr: seats.map(|seat| seat.player.stderr()),
    })
}

fn forfeit(side: Side, loss: Loss) -> End {
    End {
        winner: Some(!side),
        reason: loss.reason,
        remark: Some(loss.sentence),
    }
}

fn start(
    opening: &Position,
    seats: &mut [Seat<'_>; 2],
    tolerance: Duration,
) -> Result<(), (Side, Loss)> {
    for (seat, side) in seats.iter_mut().zip(Side::BOTH) {
        let start = Start {
            variant: opening.variant(),
            side,
            limits: &seat.limits,
            tolerance,
        };
        seat.player.new_game(&start).map_err(|loss| (side, loss))?;
    }
    Ok(())
}

fn referee(
    opening: &Position,
    seats: &mut [Seat<'_>; 2],
    terms: &Terms,
    stop: &AtomicBool,
    moves: &mut Vec<Move>,
) -> Option<End> {
    let mut position = opening.clone();
    let mut adjudicator = Adjudicator::new(terms.adjudication, opening);
    loop {
        if let Some(outcome) = position.outcome() {
            let (winner, reason) = match outcome {
                Outcome::Win(side) => (Some(side), Reason::Line),
                Outcome::Draw => (None, Reason::FullBoard),
            };
            return Some(End {
                winner,
                reason,
                remark: None,
            });
        }
        if let Some((winner, remark)) = adjudicator.judge(&position, moves) {
            return Some(End {
                winner,
                reason: Reason::Adjudication,
                remark: Some(remark),
            });
        }
        let side = position.side_to_move();
        let reply = moves.len().checked_sub(1).filter(|_| moves.len() > 1);
        let turn = (&position, reply.map(|at| moves[at].answer.cell));
        let answered = take_turn(&mut seats[side.index()], turn, terms.tolerance, stop);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let played = match answered {
            Ok(played) => played,
            Err(loss) => return Some(forfeit(side, loss)),
        };
        if let Err(error) = position.play(played.answer.cell) {
            let loss = Loss::new(Reason::IllegalMove, error.to_string());
            return Some(forfeit(side, loss));
        }
        moves.push(played);
    }
}

/// The seat's timed answer, its match clock and its bank moved on.
fn take_turn(
    seat: &mut Seat<'_>,
    (position, reply): (&Position, Option<Cell>),
    tolerance: Duration,
    stop: &AtomicBool,
) -> Result<Move, Loss> {
    let limits = &mut seat.limits;
    let by_move = limits
        .time
        .map(|time| time + limits.overage.unwrap_or_default());
    let allowed = match (by_move, limits.remaining) {
        (Some(time), Some(remaining)) => Some(time.min(remaining)),
        (time, remaining) => time.or(remaining),
    };
    let turn = Turn {
        position,
        reply,
        limits,
        deadline: allowed.map(|allowed| allowed + tolerance),
        stop,
    };
    let begun = Instant::now();
    let answer = seat.player.choose(&turn);
    let time = begun.elapsed();
    if let Some(allowed) = allowed.filter(|&allowed| time > allowed + tolerance)
        && answer
            .as_ref()
            .map_or_else(|loss| loss.reason == Reason::NoMove, |_| true)
    {
        let [took, had] = [time, allowed].map(|time| time.as_millis());
        let sentence = format!("the answer took {took} ms and {had} ms were allowed");
        return Err(Loss::new(Reason::Time, sentence));
    }
    if let (Some(usual), Some(bank)) = (limits.time, &mut limits.overage) {
        *bank = bank.saturating_sub(time.saturating_sub(usual));
    }
    if let Some(remaining) = &mut limits.remaining {
        *remaining = remaining.saturating_sub(time) + limits.increment.unwrap_or_default();
    }
    answer.map(|answer| Move { answer, time })
}
