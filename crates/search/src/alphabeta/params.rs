//! The tunables of the alpha-beta search, each with its meaning, default and range.

use super::choice::Eval;
use crate::clock::Overage;
use crate::params::params;

params! {
    /// What steers the alpha-beta search.
    pub(crate) struct Params {
        /// What estimates a position that is not searched further.
        eval: Eval = Eval::Net, ..;
        /// Half the first window around the last score, 400 being a factor e of the odds.
        aspiration: u32 = 40, 1..=30000;
        /// Plies taken from late moves: this times ln(depth) * ln(move), in hundredths; 0 for none.
        reduction: u32 = 50, 0..=300;
        /// Moves of a node that are never reduced.
        full_moves: u32 = 2, 1..=16;
        /// How far an estimate must lie beyond the window, for each ply left, to stand for a search; 0 for never.
        margin: u32 = 80, 0..=10000;
        /// Plies left at most for that.
        margin_depth: u32 = 3, 1..=64;
        /// How far an estimate must lie below the window, for each ply left, to pass over late moves; 0 for never.
        hopeless: u32 = 0, 0..=10000;
        /// One ply less from this depth on where no best move is known yet; 0 for never.
        unknown_depth: u32 = 3, 0..=64;
        /// Search every move of the position with an open window, to tell what each is worth.
        all_moves: bool = false, ..;
        /// Whether time is spent although only one move does not lose at once.
        think_on: bool = false, ..;
        /// How much of an overage bank a move draws.
        overage: Overage = Overage::Even, ..;
    }
}
