//! Renju's forbidden points.

use crate::bits::Bits;
use crate::cell::Cell;
use crate::geometry::Geometry;
use std::fmt;

/// Why a point is forbidden to the first side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forbidden {
    /// Six or more in a line.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two open threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overline => "overline",
            Self::DoubleFour => "double four",
            Self::DoubleThree => "double three",
        })
    }
}

/// Why the empty `cell` is forbidden to the first side; `None` if it may play there.
pub(crate) fn forbidden<const WORDS: usize>(
    _geometry: &Geometry,
    _stones: &[Bits<WORDS>; 2],
    _cell: Cell,
) -> Option<Forbidden> {
    None
}
