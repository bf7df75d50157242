//! What the tree search asks of a game. Everything is monomorphic over it.

use super::params::{Prior, Pruning, Rollout, RootRule};
use super::simulate::rounded;
use crate::value::Value;
use stoneline_rules::{Chance, Position};

/// A game whose moves are cells, each named by its bit in the board's layout.
pub(crate) trait Game: Sync {
    /// A position in the form that is fastest to play on.
    type State: Clone + Send + Sync;
    /// A set of moves.
    type Moves: Copy + Send + Sync;
    /// What a worker judges positions by, kept from one to the next.
    type Mind: Send;

    /// The fast form of a position that is not over.
    fn state(&self, position: &Position) -> Self::State;

    /// What can be said of a position without search.
    fn outlook(&self, state: &Self::State, pruning: Pruning) -> Outlook<Self::Moves>;

    /// The moves that the rule allows at the root, at least one of `moves`.
    fn root_moves(&self, state: &Self::State, rule: RootRule, moves: Self::Moves) -> Self::Moves;

    /// The moves to choose from where [`Self::outlook`] has decided the position.
    fn decisive_moves(&self, state: &Self::State, legal: Self::Moves) -> Self::Moves {
        self.root_moves(state, RootRule::WinBlock, legal)
    }

    /// Whether positions have keys.
    const HAS_KEYS: bool = false;

    /// A key of the position, the same whatever the order of moves; 0 where there are none.
    fn key(&self, state: &Self::State) -> u64 {
        let _ = state;
        0
    }

    /// Plays the cell of bit `index`.
    fn play(&self, state: &mut Self::State, index: u16);

    /// The cells of `moves`, the most promising first.
    fn ordered(&self, state: &Self::State, moves: Self::Moves, into: &mut Vec<u16>);

    /// How many of a node's moves are looked at after so many visits, those proven not counted.
    #[inline(always)]
    fn breadth(&self, visits: u32) -> usize {
        let _ = visits;
        usize::MAX
    }

    /// What a worker has in mind when a search begins at `position`.
    fn mind(&self, position: &Position) -> Self::Mind;

    /// What is expected of each of `cells`, in proportion; the same of all unless a game knows better.
    ///
    /// `line` leads from the position that the search began at to `state`.
    fn weights(
        &self,
        state: &Self::State,
        prior: Prior,
        cells: &[u16],
        line: &[u16],
        mind: &mut Self::Mind,
        into: &mut Vec<f32>,
    ) {
        let _ = (state, prior, line, mind);
        into.clear();
        into.resize(cells.len(), 1.0);
    }

    /// A win by threats alone of the side to move, looked for in so many positions.
    fn forced_win(&self, state: &Self::State, positions: u32) -> Option<Value> {
        let _ = (state, positions);
        None
    }

    /// The value to the side to move, without search; `None` where there is nobody to ask.
    ///
    /// `line` leads from the position that the search began at to `state`, and may be made longer.
    fn estimate(
        &self,
        state: &Self::State,
        line: &mut Vec<u16>,
        mind: &mut Self::Mind,
    ) -> Option<Value> {
        let _ = (state, line, mind);
        None
    }

    /// A game played on by chance and rules, after a stone on the cell of bit `last`.
    fn rollout(
        &self,
        state: &Self::State,
        last: Option<u16>,
        rules: Rollout,
        chance: &mut Chance,
    ) -> Ending;
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
    /// Plies to where that was seen; 0 where it was judged, not played out.
    pub(crate) plies: u16,
    /// The value of the position it started from, when no move on the way was free.
    pub(crate) proof: Option<Value>,
}

impl Ending {
    /// The ending that a proven value stands for.
    pub(crate) fn known(value: Value) -> Self {
        Self {
            half_points: half_points(value),
            plies: match value {
                Value::Win { plies } | Value::Loss { plies } => plies,
                Value::Draw | Value::Guess(_) => 0,
            },
            proof: Some(value),
        }
    }

    /// The ending that a value stands for, a guess by chance so that the mean is right.
    pub(crate) fn judged(value: Value, chance: &mut Chance) -> Self {
        let Value::Guess(rate) = value else {
            return Self::known(value);
        };
        Self {
            half_points: rounded(2.0 * rate, chance),
            plies: 0,
            proof: None,
        }
    }
}

/// The half points of a proven value to the side to move; a guess counts as a draw.
pub(crate) fn half_points(value: Value) -> u64 {
    match value {
        Value::Win { .. } => 2,
        Value::Loss { .. } => 0,
        Value::Draw | Value::Guess(_) => 1,
    }
}
