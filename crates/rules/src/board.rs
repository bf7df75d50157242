//! `Board<WORDS>`: the fast form of a position, for search.
//!
//! Trusts its caller, never allocates, and keeps no history: whoever plays a
//! cell remembers it for `undo`. The masks that don't change during a game
//! live in a [`Grid`], made once when an engine is built.

use crate::bits::Bits;
use crate::cell::{Cell, Side};
use crate::geometry::Geometry;
use crate::position::Position;
use crate::runs::{finishing_cells, has_run, winning_line};
use crate::variant::Variant;

/// The masks of a variant in the width that its engine is built for.
#[derive(Clone, Copy, Debug)]
pub struct Grid<const WORDS: usize> {
    variant: Variant,
    playable: Bits<WORDS>,
    blocked: Bits<WORDS>,
    floor: Bits<WORDS>,
    directions: [u32; 4],
    run: u8,
    falls: bool,
}

impl<const WORDS: usize> Grid<WORDS> {
    /// The masks of `variant`; `None` when its layout needs more words.
    pub fn new(variant: &Variant) -> Option<Self> {
        let geometry = variant.geometry();
        (geometry.bits() <= 64 * WORDS as u32).then(|| Self {
            variant: *variant,
            playable: geometry.playable().resize(),
            blocked: geometry.blocked().resize(),
            floor: geometry.floor().resize(),
            directions: geometry.directions(),
            run: variant.run(),
            falls: variant.rule().falls(),
        })
    }

    /// The game these masks belong to.
    #[inline]
    pub const fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Size and layout of the board.
    #[inline]
    pub const fn geometry(&self) -> &Geometry {
        self.variant.geometry()
    }

    /// Cells where a stone may lie.
    #[inline(always)]
    pub const fn playable(&self) -> Bits<WORDS> {
        self.playable
    }

    /// Cells where no stone may lie.
    #[inline(always)]
    pub const fn blocked(&self) -> Bits<WORDS> {
        self.blocked
    }

    /// The lowest cell of each column, blocked or not.
    #[inline(always)]
    pub const fn floor(&self) -> Bits<WORDS> {
        self.floor
    }

    /// How many in a line win.
    #[inline(always)]
    pub const fn run(&self) -> u8 {
        self.run
    }

    /// The cells of `column`, blocked ones included.
    pub fn column(&self, column: u8) -> Bits<WORDS> {
        let geometry = self.geometry();
        (0..geometry.rows())
            .map(|row| geometry.index(Cell::new(column, row)))
            .collect()
    }

    /// Cells, of any content, where a stone of that side would make `run` or more in a line.
    #[inline(always)]
    pub fn finishing_cells(&self, stones: Bits<WORDS>) -> Bits<WORDS> {
        finishing_cells(stones, self.directions, self.run) & self.playable
    }

    /// Whether `stones` hold `run` or more in a line.
    #[inline(always)]
    pub fn has_run(&self, stones: Bits<WORDS>) -> bool {
        has_run(stones, self.directions, self.run)
    }
}

/// Stones on a board, and nothing else.
///
/// Legality under renju's forbidden points is the caller's: see
/// [`Position::forbidden`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board<const WORDS: usize> {
    stones: [Bits<WORDS>; 2],
    /// Stones and blocked cells: what a falling stone can rest on.
    occupied: Bits<WORDS>,
    plies: u16,
}

impl<const WORDS: usize> Board<WORDS> {
    /// The stones of `position`.
    ///
    /// Contract: `grid` is of the position's variant.
    pub fn new(grid: &Grid<WORDS>, position: &Position) -> Self {
        debug_assert_eq!(grid.variant(), position.variant());
        let stones = Side::BOTH.map(|side| position.stones(side).resize());
        Self {
            stones,
            occupied: stones[0] | stones[1] | grid.blocked,
            plies: position.plies() as u16,
        }
    }

    /// The stones of a side.
    #[inline(always)]
    pub const fn stones(&self, side: Side) -> Bits<WORDS> {
        self.stones[side.index()]
    }

    /// Stones and blocked cells.
    #[inline(always)]
    pub const fn occupied(&self) -> Bits<WORDS> {
        self.occupied
    }

    /// How many stones lie on the board.
    #[inline(always)]
    pub const fn plies(&self) -> u16 {
        self.plies
    }

    /// Whose turn it is.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Side {
        Side::to_move(self.plies as usize)
    }

    /// The cells that may be played, while nobody has won.
    ///
    /// With falling stones one addition finds them: in each column the carry
    /// runs up through stones and blocked cells to the first cell that is free.
    #[inline(always)]
    pub fn legal(&self, grid: &Grid<WORDS>) -> Bits<WORDS> {
        let free = grid.playable.minus(self.occupied);
        if grid.falls {
            self.occupied.wrapping_add(grid.floor) & free
        } else {
            free
        }
    }

    /// Puts a stone of the side to move on the one cell of `bit`.
    #[inline(always)]
    pub fn play_unchecked(&mut self, bit: Bits<WORDS>) {
        debug_assert!(bit.len() == 1 && !self.occupied.intersects(bit));
        self.stones[self.side_to_move().index()] |= bit;
        self.occupied |= bit;
        self.plies += 1;
    }

    /// Takes back the last stone, which lay on the one cell of `bit`.
    #[inline(always)]
    pub fn undo_unchecked(&mut self, bit: Bits<WORDS>) {
        self.plies -= 1;
        let side = self.side_to_move().index();
        debug_assert!(bit.len() == 1 && self.stones[side].intersects(bit));
        self.stones[side] ^= bit;
        self.occupied ^= bit;
    }

    /// Free cells, reachable now or later, where a stone of `side` finishes `run` or more.
    #[inline(always)]
    pub fn winning_cells(&self, grid: &Grid<WORDS>, side: Side) -> Bits<WORDS> {
        grid.finishing_cells(self.stones[side.index()])
            .minus(self.occupied)
    }

    /// Whether the stone of `side` on the one cell of `bit` wins, by any rule.
    pub fn wins_at(&self, grid: &Grid<WORDS>, side: Side, bit: Bits<WORDS>) -> bool {
        let index = bit.lowest().expect("a stone lies on a cell");
        let cell = grid.geometry().cell(index);
        !winning_line(grid.variant(), &self.stones, side, cell).is_empty()
    }
}

/// Evaluates an expression with a constant width that fits a variant.
///
/// Callers pass positions of any size; inside, everything is monomorphic.
///
/// ```
/// use stoneline_rules::{Grid, Variant, with_words};
/// let game: Variant = "course:12x12@5,5".parse().unwrap();
/// let legal = with_words!(game.geometry(), WORDS => {
///     Grid::<WORDS>::new(&game).unwrap().playable().len()
/// });
/// assert_eq!(legal, 143);
/// ```
#[macro_export]
macro_rules! with_words {
    ($geometry:expr, $words:ident => $body:expr) => {
        match $geometry.bits() {
            0..=64 => {
                const $words: usize = 1;
                $body
            }
            65..=128 => {
                const $words: usize = 2;
                $body
            }
            129..=192 => {
                const $words: usize = 3;
                $body
            }
            193..=256 => {
                const $words: usize = 4;
                $body
            }
            257..=320 => {
                const $words: usize = 5;
                $body
            }
            321..=448 => {
                const $words: usize = 7;
                $body
            }
            _ => {
                const $words: usize = 8;
                $body
            }
        }
    };
}
