//! `Position`: a legal state of any game, with its history and outcome.
//!
//! Always legal: it starts from an empty board or a checked
//! [`Setup`](crate::Setup) and changes only by legal moves. Made for
//! correctness at every size; the fast form is [`Board`](crate::Board).

use crate::bits::Bits;
use crate::cell::{Cell, Side};
use crate::geometry::{Symmetry, Wide};
use crate::key::Keys;
use crate::renju::{self, Forbidden};
use crate::runs::winning_line;
use crate::variant::{Rule, Variant};
use std::fmt;
use thiserror::Error;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side has a line.
    Win(Side),
    /// No move is left and nobody has a line.
    Draw,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(side) => write!(f, "the {side} side won"),
            Self::Draw => f.write_str("a draw"),
        }
    }
}

/// What lies on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// Nothing yet.
    Empty,
    /// Nothing ever.
    Blocked,
    /// A stone of a side.
    Stone(Side),
}

/// Why a move can't be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// The cell is not on the board.
    #[error("{0} is not on the board")]
    Outside(Cell),
    /// The cell is blocked.
    #[error("{0} is a blocked cell")]
    Blocked(Cell),
    /// A stone lies there.
    #[error("{0} is taken")]
    Taken(Cell),
    /// Nothing supports a stone there.
    #[error("a stone at {0} would float: the cell below is empty")]
    Floating(Cell),
    /// Every cell of the column holds a stone.
    #[error("column {} is full", .0 + 1)]
    ColumnFull(u8),
    /// Renju forbids the point to the first side.
    #[error("{0} is forbidden to the first side: {1}")]
    Forbidden(Cell, Forbidden),
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(Outcome),
}

/// A legal state of a game.
///
/// ```
/// use stoneline_rules::{Outcome, Position, Side, Variant};
/// let game: Variant = "connect4".parse().unwrap();
/// let mut position = Position::new(game);
/// for column in [3, 0, 3, 0, 3, 0, 3] {
///     let cell = position.landing(column).unwrap();
///     position.play(cell).unwrap();
/// }
/// assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
/// assert_eq!(position.winning_cells().len(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    variant: Variant,
    stones: [Wide; 2],
    /// Moves since the start, which may be a board set up by hand.
    moves: Vec<Cell>,
    keys: Keys,
    outcome: Option<Outcome>,
}

impl Position {
    /// The empty board.
    pub fn new(variant: Variant) -> Self {
        Self::from_stones(variant, [Wide::EMPTY; 2])
    }

    /// Contract: `stones` passed the checks of `Setup`.
    pub(crate) fn from_stones(variant: Variant, stones: [Wide; 2]) -> Self {
        let mut keys = Keys::new(&variant);
        for side in Side::BOTH {
            for cell in variant.geometry().cells(stones[side.index()]) {
                keys.toggle(&variant, side, cell);
            }
        }
        let mut position = Self {
            variant,
            stones,
            moves: Vec::new(),
            keys,
            outcome: None,
        };
        position.outcome = position.judge(position.winning_set());
        position
    }

    /// The game that is played.
    pub const fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The stones of a side, in the layout of the variant's geometry.
    pub const fn stones(&self, side: Side) -> Wide {
        self.stones[side.index()]
    }

    /// How many stones lie on the board.
    pub fn plies(&self) -> usize {
        (self.stones[0].len() + self.stones[1].len()) as usize
    }

    /// Whose turn it is, or would be if the game had not ended.
    pub fn side_to_move(&self) -> Side {
        Side::to_move(self.plies())
    }

    /// The moves played since the start, oldest first.
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// The position before the first of [`Self::moves`].
    pub fn start(&self) -> Self {
        let mut start = self.clone();
        while start.undo().is_some() {}
        start
    }

    /// What lies on `cell`; `None` off the board.
    pub fn content(&self, cell: Cell) -> Option<Content> {
        let geometry = self.variant.geometry();
        if !geometry.contains(cell) {
            return None;
        }
        let index = geometry.index(cell);
        Some(if geometry.is_blocked(cell) {
            Content::Blocked
        } else if self.stones[0].contains(index) {
            Content::Stone(Side::First)
        } else if self.stones[1].contains(index) {
            Content::Stone(Side::Second)
        } else {
            Content::Empty
        })
    }

    /// How the game ended, if it has.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The cells of all winning lines, column by column; empty if nobody has one.
    pub fn winning_cells(&self) -> Vec<Cell> {
        let set = match self.outcome {
            Some(Outcome::Win(_)) => self.winning_set(),
            _ => Wide::EMPTY,
        };
        self.variant.geometry().cells(set).collect()
    }

    /// Empty cells where a stone of `side` would finish a winning line, whether or not it may
    /// be played there now, with one more stone of that side on the empty cell `with`.
    ///
    /// ```
    /// use stoneline_rules::{Cell, Position, Side};
    /// let position: Position = "connect4 4151".parse().unwrap();
    /// assert!(position.finishing_cells(Side::First, None).is_empty());
    /// let with = Some(Cell::new(5, 0));
    /// assert_eq!(position.finishing_cells(Side::First, with), [Cell::new(2, 0), Cell::new(6, 0)]);
    /// ```
    pub fn finishing_cells(&self, side: Side, with: Option<Cell>) -> Vec<Cell> {
        let geometry = self.variant.geometry();
        let mut stones = self.stones;
        if let Some(cell) = with {
            stones[side.index()].insert(geometry.index(cell));
        }
        let empty = geometry.playable().minus(stones[0] | stones[1]);
        let finishes = |cell: &Cell| {
            let mut after = stones;
            after[side.index()].insert(geometry.index(*cell));
            !winning_line(&self.variant, &after, side, *cell).is_empty()
        };
        geometry.cells(empty).filter(finishes).collect()
    }

    /// Whether `cell` may be played now.
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&self, cell: Cell) -> Result<(), PlayError> {
        let geometry = self.variant.geometry();
        if let Some(outcome) = self.outcome {
            return Err(PlayError::GameOver(outcome));
        }
        match self.content(cell) {
            None => return Err(PlayError::Outside(cell)),
            Some(Content::Blocked) => return Err(PlayError::Blocked(cell)),
            Some(Content::Stone(_)) => return Err(PlayError::Taken(cell)),
            Some(Content::Empty) => {}
        }
        if self.variant.rule().falls() && !self.dropped().contains(geometry.index(cell)) {
            return Err(PlayError::Floating(cell));
        }
        match self.forbidden(cell) {
            Some(why) => Err(PlayError::Forbidden(cell, why)),
            None => Ok(()),
        }
    }

    /// Why renju forbids `cell` to the side to move; `None` in every other game.
    pub fn forbidden(&self, cell: Cell) -> Option<Forbidden> {
        let asks = self.variant.rule() == Rule::Renju
            && self.side_to_move() == Side::First
            && self.content(cell) == Some(Content::Empty);
        asks.then(|| renju::forbidden(self.variant.geometry(), &self.stones, cell))
            .flatten()
    }

    /// The cells that may be played, column by column from the bottom.
    pub fn legal_moves(&self) -> Vec<Cell> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        self.variant
            .geometry()
            .cells(self.candidates())
            .filter(|&cell| self.forbidden(cell).is_none())
            .collect()
    }

    /// Where a stone dropped into `column` comes to rest.
    ///
    /// # Errors
    /// If the game is over, the column is full or there is no such column. On
    /// boards without gravity, the lowest empty cell.
    pub fn landing(&self, column: u8) -> Result<Cell, PlayError> {
        let geometry = self.variant.geometry();
        if let Some(outcome) = self.outcome {
            return Err(PlayError::GameOver(outcome));
        }
        if column >= geometry.columns() {
            return Err(PlayError::Outside(Cell::new(column.min(31), 0)));
        }
        (0..geometry.rows())
            .map(|row| Cell::new(column, row))
            .find(|&cell| self.content(cell) == Some(Content::Empty))
            .ok_or(PlayError::ColumnFull(column))
    }

    /// Plays `cell` for the side to move.
    ///
    /// # Errors
    /// If the move is not legal; the position stays as it was.
    pub fn play(&mut self, cell: Cell) -> Result<(), PlayError> {
        self.check(cell)?;
        let side = self.side_to_move();
        self.toggle(side, cell);
        self.moves.push(cell);
        let line = winning_line(&self.variant, &self.stones, side, cell);
        self.outcome = self.judge(line);
        Ok(())
    }

    /// Takes back the last move and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Cell> {
        let cell = self.moves.pop()?;
        self.toggle(!self.side_to_move(), cell);
        self.outcome = None;
        Some(cell)
    }

    /// A hash key, different for different stones, sides to move and games.
    pub fn key(&self) -> u64 {
        self.keys.plain()
    }

    /// A hash key that positions share when a symmetry of the board makes them equal.
    pub fn canonical_key(&self) -> u64 {
        self.keys.canonical()
    }

    /// The position as `symmetry` turns it, history included; `None` where gravity forbids.
    pub fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        let variant = self.variant.transformed(symmetry)?;
        let from = self.variant.geometry();
        let turn = |cell| symmetry.apply(from, cell);
        let stones = self.start().stones.map(|set| {
            let to = variant.geometry();
            from.cells(set).map(|cell| to.index(turn(cell))).collect()
        });
        let mut position = Self::from_stones(variant, stones);
        for &cell in &self.moves {
            position
                .play(turn(cell))
                .expect("a symmetry of the rules keeps moves legal");
        }
        Some(position)
    }

    /// The position with left and right exchanged, blocked cells included.
    pub fn mirrored(&self) -> Self {
        self.transformed(Symmetry::MIRROR)
            .expect("every game allows the mirror")
    }

    /// Empty cells that the geometry allows, forbidden points included.
    fn candidates(&self) -> Wide {
        if self.variant.rule().falls() {
            self.dropped()
        } else {
            let geometry = self.variant.geometry();
            geometry.playable().minus(self.stones[0] | self.stones[1])
        }
    }

    /// Where stones may fall to: the addition carries through stones and blocked cells alike.
    fn dropped(&self) -> Wide {
        let geometry = self.variant.geometry();
        let occupied = self.stones[0] | self.stones[1] | geometry.blocked();
        occupied.wrapping_add(geometry.floor()) & geometry.playable().minus(occupied)
    }

    fn toggle(&mut self, side: Side, cell: Cell) {
        self.stones[side.index()] ^= Bits::bit(self.variant.geometry().index(cell));
        self.keys.toggle(&self.variant, side, cell);
    }

    /// The winning lines of the side that moved last.
    fn winning_set(&self) -> Wide {
        let side = !self.side_to_move();
        self.variant
            .geometry()
            .cells(self.stones[side.index()])
            .fold(Wide::EMPTY, |lines, cell| {
                lines | winning_line(&self.variant, &self.stones, side, cell)
            })
    }

    /// The outcome, given the winning lines of the side that moved last.
    fn judge(&self, line: Wide) -> Option<Outcome> {
        if !line.is_empty() {
            return Some(Outcome::Win(!self.side_to_move()));
        }
        // Renju knows no pass: without a legal move the game is drawn.
        let mut candidates = self.variant.geometry().cells(self.candidates());
        let stuck = candidates.all(|cell| self.forbidden(cell).is_some());
        stuck.then_some(Outcome::Draw)
    }
}

/// Equal stones in the same game; the way there does not count.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.variant == other.variant && self.stones == other.stones
    }
}

impl Eq for Position {}
