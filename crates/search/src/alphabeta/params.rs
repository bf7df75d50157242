//! The tunables of the alpha-beta search, each with its meaning, default and range.

use crate::clock::Overage;
use crate::params::{choices, params};

choices! {
    /// What estimates a position that is not searched further.
    pub(crate) enum Eval {
        /// Open windows of k by their stones and by who gets their empty cells.
        Shape = "shape",
    }
}

params! {
    /// What steers the alpha-beta search.
    pub(crate) struct Params {
        /// What estimates a position that is not searched further.
        eval: Eval = Eval::Shape, ..;
        /// Half the first window around the last score, in hundredths of a factor e of the odds times four.
        aspiration: u32 = 40, 1..=30000;
        /// Plies taken from late moves: this times ln(depth) * ln(move), in hundredths; 0 for none.
        reduction: u32 = 45, 0..=300;
        /// Moves of a node that are never reduced.
        full_moves: u32 = 2, 1..=16;
        /// Search every move of the position with an open window, to tell what each is worth.
        all_moves: bool = false, ..;
        /// Whether time is spent although only one move does not lose at once.
        think_on: bool = false, ..;
        /// How much of an overage bank a move draws.
        overage: Overage = Overage::Even, ..;
    }
}
