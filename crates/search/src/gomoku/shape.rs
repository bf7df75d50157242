//! What a stone would make: a `Shape` along one line, a `Class` along all four.
//!
//! Names are those of five in a row; for another run length a five is the run,
//! a four one stone less, and so on.

/// What a stone on an empty cell would make along one line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Shape {
    /// Nothing that could become a five.
    Dead = 0,
    /// A lone stone with room for a four that one stone stops.
    SleepingOne,
    /// A lone stone with room for an open three.
    OpenOne,
    /// Two that can become a sleeping three.
    SleepingTwo,
    /// Two that can become an open three.
    OpenTwo,
    /// Three that can become a four.
    SleepingThree,
    /// Three that can become an open four: it must be answered.
    OpenThree,
    /// One more makes five, in one place.
    Four,
    /// One more makes five, in two places that no single stone spoils.
    OpenFour,
    /// The game is won.
    Five,
    /// Two fours in one line, which renju forbids to the first side.
    DoubleFour,
    /// Too long a run, which renju forbids to the first side.
    Overline,
}

/// How many shapes there are.
pub(crate) const SHAPES: usize = 12;

impl Shape {
    const ALL: [Self; SHAPES] = [
        Self::Dead,
        Self::SleepingOne,
        Self::OpenOne,
        Self::SleepingTwo,
        Self::OpenTwo,
        Self::SleepingThree,
        Self::OpenThree,
        Self::Four,
        Self::OpenFour,
        Self::Five,
        Self::DoubleFour,
        Self::Overline,
    ];

    /// The shape of a nibble. Contract: below [`SHAPES`].
    pub(crate) const fn of(nibble: usize) -> Self {
        Self::ALL[nibble]
    }

    /// What a line is whose best next stone makes `self`.
    pub(crate) const fn one_stone_before(self) -> Self {
        match self {
            Self::OpenFour => Self::OpenThree,
            Self::Four | Self::DoubleFour => Self::SleepingThree,
            Self::OpenThree => Self::OpenTwo,
            Self::SleepingThree => Self::SleepingTwo,
            Self::OpenTwo => Self::OpenOne,
            Self::SleepingTwo => Self::SleepingOne,
            _ => Self::Dead,
        }
    }
}

/// What a stone on an empty cell would threaten along all lines together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Class {
    /// Nothing that must be answered.
    Quiet = 0,
    /// One open three.
    Three,
    /// Two open threes or more.
    DoubleThree,
    /// One four.
    Four,
    /// A four and an open three.
    FourThree,
    /// An open four or two fours.
    OpenFour,
    /// The game is won.
    Five,
}

/// How many classes there are.
pub(crate) const CLASSES: usize = 7;

impl Class {
    const ALL: [Self; CLASSES] = [
        Self::Quiet,
        Self::Three,
        Self::DoubleThree,
        Self::Four,
        Self::FourThree,
        Self::OpenFour,
        Self::Five,
    ];

    /// The class of a number. Contract: below [`CLASSES`].
    pub(crate) const fn of(number: usize) -> Self {
        Self::ALL[number]
    }
}

/// Four shapes, a nibble a direction.
pub(crate) type ShapeKey = u16;

/// The shapes of a key, by direction.
pub(crate) fn shapes(key: ShapeKey) -> [Shape; 4] {
    [0, 4, 8, 12].map(|shift| Shape::of(usize::from(key >> shift & 15)))
}

/// Set in [`Combined`] where renju may forbid the cell to the first side.
const SUSPECT: u8 = 1 << 7;

/// A class, and whether the cell may be forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Combined(u8);

impl Combined {
    /// What `shapes` make together. `renju_first`: some of it may be forbidden.
    pub(crate) fn from_shapes(shapes: [Shape; 4], renju_first: bool) -> Self {
        let count = |shape| shapes.iter().filter(|&&other| other == shape).count();
        let doubles = count(Shape::DoubleFour);
        let fours = count(Shape::Four) + count(Shape::OpenFour) + 2 * doubles;
        let threes = count(Shape::OpenThree);
        let class = if count(Shape::Five) > 0 {
            Class::Five
        } else if count(Shape::OpenFour) > 0 || fours >= 2 {
            Class::OpenFour
        } else if fours == 1 {
            if threes > 0 {
                Class::FourThree
            } else {
                Class::Four
            }
        } else {
            match threes {
                0 => Class::Quiet,
                1 => Class::Three,
                _ => Class::DoubleThree,
            }
        };
        let suspect = renju_first
            && class != Class::Five
            && (count(Shape::Overline) > 0 || fours >= 2 || threes >= 2);
        Self(class as u8 | if suspect { SUSPECT } else { 0 })
    }

    /// The byte that stands for it.
    #[inline(always)]
    pub(crate) const fn byte(self) -> u8 {
        self.0
    }

    /// What a byte stands for.
    #[inline(always)]
    pub(crate) const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// The class, as if nothing were forbidden.
    #[inline(always)]
    pub(crate) const fn class(self) -> Class {
        Class::of((self.0 & !SUSPECT) as usize)
    }

    /// Whether the rules must be asked before the first side plays here in renju.
    #[inline(always)]
    pub(crate) const fn is_suspect(self) -> bool {
        self.0 & SUSPECT != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_hold_shapes_by_direction() {
        let key = Shape::Four as u16 | (Shape::OpenThree as u16) << 12;
        assert_eq!(
            shapes(key),
            [Shape::Four, Shape::Dead, Shape::Dead, Shape::OpenThree]
        );
        let combined = Combined::from_shapes(shapes(key), true);
        assert_eq!(combined.class(), Class::FourThree);
        assert!(!combined.is_suspect());
    }

    #[test]
    fn two_fours_are_an_open_four_and_suspect_in_renju() {
        let shapes = [Shape::Four, Shape::Four, Shape::Dead, Shape::Dead];
        assert_eq!(
            Combined::from_shapes(shapes, false),
            Combined(Class::OpenFour as u8)
        );
        assert!(Combined::from_shapes(shapes, true).is_suspect());
        let wins = [Shape::Five, Shape::Overline, Shape::Four, Shape::Four];
        assert_eq!(Combined::from_shapes(wins, true).class(), Class::Five);
        assert!(!Combined::from_shapes(wins, true).is_suspect());
    }
}
