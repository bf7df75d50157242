//! What a position is worth: proof and opinion, never mixed.
//!
//! Packing into few bits for nodes and tables happens here and nowhere else.

use std::cmp::Ordering;

/// What a position is worth to the side to move, or a move to the side that plays it.
///
/// Plies count the stones until the game ends. They bound it: the winner needs
/// no more than that, whatever the loser does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// Proven: won within `plies` stones.
    Win {
        /// Stones until the line is there, the winning one included.
        plies: u16,
    },
    /// Proven: lost within `plies` stones.
    Loss {
        /// Stones until the opponent's line is there.
        plies: u16,
    },
    /// Proven: neither side can win.
    Draw,
    /// An estimate: the share of points expected, from 0 to 1, a draw being half.
    Guess(f32),
}

/// Low bits of a packed proof; the plies stand above them. 0 is no proof.
const WIN: u16 = 1;
const LOSS: u16 = 2;
const DRAW: u16 = 3;
const KIND_BITS: u32 = 2;

/// The estimate of an evaluation at which the odds are e to one: every evaluation counts in these.
pub(crate) const LOGIT: f32 = 400.0;

/// The share of points that an estimate of an evaluation stands for.
#[inline]
pub(crate) fn win_rate(estimate: i32) -> f32 {
    1.0 / (1.0 + (-estimate as f32 / LOGIT).exp())
}

impl Value {
    /// Whether the value is certain.
    pub const fn is_proven(self) -> bool {
        !matches!(self, Self::Guess(_))
    }

    /// The share of points expected, from 0 to 1.
    pub const fn win_rate(self) -> f32 {
        match self {
            Self::Win { .. } => 1.0,
            Self::Loss { .. } => 0.0,
            Self::Draw => 0.5,
            Self::Guess(rate) => rate,
        }
    }

    /// The value, to the side that moved last, of the move that led here: sides change, plies stay.
    #[must_use]
    pub const fn for_opponent(self) -> Self {
        match self {
            Self::Win { plies } => Self::Loss { plies },
            Self::Loss { plies } => Self::Win { plies },
            Self::Draw => Self::Draw,
            Self::Guess(rate) => Self::Guess(1.0 - rate),
        }
    }

    /// The value, to the side that moves there, of the position one ply earlier.
    ///
    /// ```
    /// use stoneline_search::Value;
    /// assert_eq!(Value::Loss { plies: 2 }.one_ply_before(), Value::Win { plies: 3 });
    /// ```
    #[must_use]
    pub const fn one_ply_before(self) -> Self {
        match self.for_opponent() {
            Self::Win { plies } => Self::Win { plies: plies + 1 },
            Self::Loss { plies } => Self::Loss { plies: plies + 1 },
            other => other,
        }
    }

    /// Which of two values the side to move prefers: short wins, then good
    /// estimates and draws by their rate, then long losses.
    pub fn compare(self, other: Self) -> Ordering {
        let class = |value| match value {
            Self::Win { .. } => 2,
            Self::Draw | Self::Guess(_) => 1,
            Self::Loss { .. } => 0,
        };
        class(self)
            .cmp(&class(other))
            .then_with(|| match (self, other) {
                (Self::Win { plies: mine }, Self::Win { plies: theirs }) => theirs.cmp(&mine),
                (Self::Loss { plies: mine }, Self::Loss { plies: theirs }) => mine.cmp(&theirs),
                _ => self.win_rate().total_cmp(&other.win_rate()),
            })
    }

    /// The proof in sixteen bits; 0 for a guess.
    pub const fn pack(self) -> u16 {
        match self {
            Self::Win { plies } => plies << KIND_BITS | WIN,
            Self::Loss { plies } => plies << KIND_BITS | LOSS,
            Self::Draw => DRAW,
            Self::Guess(_) => 0,
        }
    }

    /// The proof that was packed; `None` if it was a guess.
    pub const fn unpack(bits: u16) -> Option<Self> {
        let plies = bits >> KIND_BITS;
        match bits & DRAW {
            WIN => Some(Self::Win { plies }),
            LOSS => Some(Self::Loss { plies }),
            DRAW => Some(Self::Draw),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_survive_packing_and_guesses_do_not() {
        for plies in 0..512 {
            for value in [Value::Win { plies }, Value::Loss { plies }, Value::Draw] {
                assert_eq!(Value::unpack(value.pack()), Some(value));
            }
        }
        assert_eq!(Value::unpack(Value::Guess(0.5).pack()), None);
    }

    #[test]
    fn preferences_are_ordered() {
        let ladder = [
            Value::Loss { plies: 2 },
            Value::Loss { plies: 8 },
            Value::Guess(0.0),
            Value::Draw,
            Value::Guess(0.75),
            Value::Win { plies: 9 },
            Value::Win { plies: 1 },
        ];
        for (at, low) in ladder.iter().enumerate() {
            for (other_at, high) in ladder.iter().enumerate() {
                assert_eq!(low.compare(*high), at.cmp(&other_at), "{low:?} {high:?}");
            }
        }
    }
}
