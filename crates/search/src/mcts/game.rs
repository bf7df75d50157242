//! What the tree search asks of a game. Everything is monomorphic over it.

use super::params::{Pruning, Rollout, RootRule};
use crate::value::Value;
use stoneline_rules::{Chance, Position};

/// A game whose moves are cells, each named by its bit in the board's layout.
pub(crate) trait Game: Sync {
    /// A position in the form that is fastest to play on.
    type State: Clone + Send + Sync;
    /// A set of moves.
    type Moves: Copy + Send + Sync;

    /// The fast form of a position that is not over.
    fn state(&self, position: &Position) -> Self::State;

    /// What can be said of a position without search.
    fn outlook(&self, state: &Self::State, pruning: Pruning) -> Outlook<Self::Moves>;

    /// The moves that the rule allows at the root, at least one of `moves`.
    fn root_moves(&self, state: &Self::State, rule: RootRule, moves: Self::Moves) -> Self::Moves;

    /// Plays the cell of bit `index`.
    fn play(&self, state: &mut Self::State, index: u16);

    /// The cells of `moves`, the most promising first.
    fn ordered(&self, state: &Self::State, moves: Self::Moves, into: &mut Vec<u16>);

    /// A game played on by chance and rules.
    fn rollout(&self, state: &Self::State, rules: Rollout, chance: &mut Chance) -> Ending;
}

/// What can be said of a position without search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Outlook<Moves> {
    /// The value, to the side to move.
    Decided(Value),
    /// The moves that matter, at least one; the others lose in two plies.
    Open(Moves),
}

/// How a rollout went, for the side that moved first in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Ending {
    /// 2 for a win, 1 for a draw, 0 for a loss.
    pub(crate) half_points: u64,
    /// The value of the position it started from, when no move on the way was free.
    pub(crate) proof: Option<Value>,
}

/// The half points of a proven value to the side to move; a guess counts as a draw.
pub(crate) fn half_points(value: Value) -> u64 {
    match value {
        Value::Win { .. } => 2,
        Value::Loss { .. } => 0,
        Value::Draw | Value::Guess(_) => 1,
    }
}
