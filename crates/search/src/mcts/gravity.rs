//! Games with falling stones, for the tree search.
//!
//! A state keeps the winning cells of both sides beside the stones; a move
//! recomputes only those of its mover. What they decide without search is
//! decided in one place, [`judge`], for rollouts and nodes alike.

use super::game::{Ending, Game, Outlook};
use super::lines::{Lines, holds, with};
use super::params::{Pruning, Rollout, RootRule};
use super::rollout;
use crate::value::Value;
use stoneline_rules::{Bits, Cell, Chance, Content, Grid, Position};

/// A board with falling stones.
#[derive(Clone, Debug)]
pub(crate) struct Gravity<const WORDS: usize> {
    pub(super) lines: Lines<WORDS>,
    /// For each bit of the layout: how likely a centre-weighted rollout takes its column.
    pub(super) weight: Vec<u8>,
    /// The largest weight.
    pub(super) heaviest: u8,
    /// For each bit of the layout: its column's place in the order from the centre.
    rank: Vec<u8>,
}

/// The stones of a side and the cells that win for it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Force<const WORDS: usize> {
    pub(super) stones: Bits<WORDS>,
    /// Free cells that finish a run, and marks on blocked cells under them.
    pub(super) winning: Bits<WORDS>,
}

/// A position, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct State<const WORDS: usize> {
    pub(super) mine: Force<WORDS>,
    pub(super) theirs: Force<WORDS>,
    /// Stones and blocked cells.
    pub(super) occupied: Bits<WORDS>,
    /// Whether the last stone has won.
    pub(super) lost: bool,
}

impl<const WORDS: usize> Gravity<WORDS> {
    /// The game on a board.
    pub(crate) fn new(grid: Grid<WORDS>) -> Self {
        let geometry = *grid.geometry();
        let columns = geometry.columns();
        let from_edge = |column: u8| column.min(columns - 1 - column);
        let mut outward: Vec<u8> = (0..columns).collect();
        outward.sort_by_key(|&column| columns - from_edge(column));
        let by_bit = |of: &dyn Fn(u8) -> u8| {
            (0..geometry.bits())
                .map(|index| of(geometry.cell(index).column()))
                .collect()
        };
        let rank = |column: u8| {
            outward
                .iter()
                .position(|&other| other == column)
                .unwrap_or(0) as u8
        };
        Self {
            lines: Lines::new(grid),
            weight: by_bit(&|column| 1 + from_edge(column)),
            heaviest: 1 + from_edge(columns / 2),
            rank: by_bit(&rank),
        }
    }

    /// The cells that may be played.
    #[inline(always)]
    pub(super) fn legal(&self, occupied: Bits<WORDS>) -> Bits<WORDS> {
        let grid = self.lines.grid();
        occupied.wrapping_add(grid.floor()) & grid.playable().minus(occupied)
    }

    /// Stones of the opponent, two in a row on a line with room: the cells beside them.
    ///
    /// ```text
    ///   . a O O b .    a and b, if both can be played now and one of the dots too
    /// ```
    fn open_twos(&self, state: &State<WORDS>, legal: Bits<WORDS>) -> Bits<WORDS> {
        let stride = self.lines.grid().geometry().stride();
        let theirs = state.theirs.stones;
        let pairs = theirs & theirs.shr_small(stride);
        let left = pairs.shr_small(stride) & legal;
        let right = (pairs << (2 * stride)) & legal;
        // Kept as the pair's left stone while both sides are asked for.
        let open = left.shl_small(stride) & (right >> (2 * stride));
        let room_left = (legal << (2 * stride)) & open;
        let room_right = (legal >> (3 * stride)) & open;
        let open = room_left | room_right;
        (open.shr_small(stride) | open << (2 * stride)) & legal
    }
}

impl<const WORDS: usize> State<WORDS> {
    /// Plays the stone at `index`.
    #[inline(always)]
    fn play(&mut self, lines: &Lines<WORDS>, index: u32) {
        debug_assert!(!self.occupied.contains(index) && !self.lost);
        self.lost = holds(&self.mine.winning, index);
        self.mine.stones = with(self.mine.stones, index);
        self.occupied = with(self.occupied, index);
        lines.extend(&mut self.mine.winning, &self.mine.stones, index);
        std::mem::swap(&mut self.mine, &mut self.theirs);
    }
}

/// What the winning cells of both sides decide, given the cells that may be played.
///
/// Contract: nobody has won yet.
#[inline(always)]
pub(super) fn judge<const WORDS: usize>(
    mine: Bits<WORDS>,
    theirs: Bits<WORDS>,
    legal: Bits<WORDS>,
    pruning: Pruning,
) -> Outlook<WORDS> {
    if legal.is_empty() {
        return Outlook::Decided(Value::Draw);
    }
    if pruning == Pruning::None {
        return Outlook::Open(legal);
    }
    if legal.intersects(mine) {
        return Outlook::Decided(Value::Win { plies: 1 });
    }
    let under = theirs.shr_small(1);
    let threats = legal & theirs;
    if !threats.is_empty() {
        // The block of one leaves the other, or opens the cell above itself.
        let hopeless = threats.has_two() || threats.intersects(under);
        return if hopeless {
            Outlook::Decided(Value::Loss { plies: 2 })
        } else {
            Outlook::Open(threats)
        };
    }
    if pruning == Pruning::Threats {
        return Outlook::Open(legal);
    }
    let safe = legal.minus(under);
    if safe.is_empty() {
        Outlook::Decided(Value::Loss { plies: 2 })
    } else {
        Outlook::Open(safe)
    }
}

impl<const WORDS: usize> Game<WORDS> for Gravity<WORDS> {
    type State = State<WORDS>;

    fn state(&self, position: &Position) -> State<WORDS> {
        let force = |side| {
            let stones = position.stones(side).resize();
            Force {
                stones,
                winning: self.lines.winning(stones),
            }
        };
        let side = position.side_to_move();
        let (mine, theirs) = (force(side), force(!side));
        State {
            mine,
            theirs,
            occupied: mine.stones | theirs.stones | self.lines.grid().blocked(),
            lost: position.outcome().is_some() && self.lines.grid().has_run(theirs.stones),
        }
    }

    fn outlook(&self, state: &State<WORDS>, pruning: Pruning) -> Outlook<WORDS> {
        if state.lost {
            return Outlook::Decided(Value::Loss { plies: 0 });
        }
        let legal = self.legal(state.occupied);
        judge(state.mine.winning, state.theirs.winning, legal, pruning)
    }

    fn root_moves(&self, state: &State<WORDS>, rule: RootRule, moves: Bits<WORDS>) -> Bits<WORDS> {
        let (mine, theirs) = (state.mine.winning, state.theirs.winning);
        let narrowed = |from: Bits<WORDS>, to: Bits<WORDS>| {
            if from.intersects(to) { from & to } else { from }
        };
        if rule == RootRule::None {
            return moves;
        }
        if moves.intersects(mine) {
            return moves & mine;
        }
        if moves.intersects(theirs) {
            return moves & theirs;
        }
        if rule == RootRule::WinBlock {
            return moves;
        }
        let above_free = narrowed(moves, !theirs.shr_small(1));
        let kept = narrowed(above_free, !mine.shr_small(1));
        narrowed(kept, self.open_twos(state, self.legal(state.occupied)))
    }

    #[inline(always)]
    fn play(&self, state: &mut State<WORDS>, index: u32) {
        state.play(&self.lines, index);
    }

    fn ordered(&self, moves: Bits<WORDS>, into: &mut Vec<u16>) {
        into.clear();
        // One cell a column at most, so each rank is taken once.
        let mut by_rank = [None; stoneline_rules::LARGEST_SIDE as usize];
        for index in moves.iter() {
            by_rank[usize::from(self.rank[index as usize])] = Some(index as u16);
        }
        into.extend(by_rank.into_iter().flatten());
    }

    fn rollout(&self, state: &State<WORDS>, rules: Rollout, chance: &mut Chance) -> Ending {
        rollout::play(self, state, rules, chance)
    }
}

/// The central cell that may be played, of two the left one.
pub(crate) fn centre(position: &Position) -> Option<Cell> {
    let geometry = position.variant().geometry();
    let middle = (geometry.columns() - 1) / 2;
    let cell = position.landing(middle).ok()?;
    (position.content(cell) == Some(Content::Empty)).then_some(cell)
}
