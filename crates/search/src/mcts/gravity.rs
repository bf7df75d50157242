//! Games with falling stones, for the tree search.
//!
//! In each column one cell matters now and one next: where a stone lands, and
//! the cell that it opens above. A state keeps the winning cells of both sides
//! and, as sets of columns, whose landing or next cell wins for whom. A stone
//! changes its own column and the four lines through it, so a move costs the
//! same on a board of any size. What the sets decide without search is decided
//! in one place, [`State::judge`], for rollouts and nodes alike.

use super::game::{Ending, Game, Outlook};
use super::lines::Lines;
use super::params::{Prior, Pruning, Rollout, RootRule};
use super::rollout;
use crate::neural::{Judge, View};
use crate::value::{Value, win_rate};
use std::num::NonZeroU16;
use stoneline_rules::{Bits, Cell, Chance, Grid, Position, Side};

/// Every bit of the widest layout has a number below this.
const MOST_BITS: usize = 512;
/// Most columns of a board with falling stones.
const MOST_COLUMNS: usize = 16;

/// A set of columns.
pub(crate) type Columns = u16;

/// A board with falling stones.
#[derive(Clone, Debug)]
pub(crate) struct Gravity<const WORDS: usize> {
    lines: Lines<WORDS>,
    /// For each cell: its column, and the next two cells above that can be played.
    places: Box<[Place; MOST_BITS]>,
    /// For each column: how likely a centre-weighted rollout takes it.
    pub(super) weights: [u8; MOST_COLUMNS],
    /// The largest weight.
    pub(super) heaviest: u8,
    /// The columns, central ones first.
    outward: Vec<u8>,
    /// The network, where it is asked.
    judge: Option<Judge>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Place {
    column: u8,
    /// Above another cell, so never the first of the layout.
    above: Option<NonZeroU16>,
    /// The one above that.
    second: Option<NonZeroU16>,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct State<const WORDS: usize> {
    pub(crate) stones: [[u64; WORDS]; 2],
    /// Cells that finish a run of each side; some may be occupied.
    pub(crate) winning: [[u64; WORDS]; 2],
    /// The cell where a stone lands, of each column that is not full.
    pub(crate) landing: [u16; MOST_COLUMNS],
    /// The landing cells and those above them.
    pub(crate) near: [u64; WORDS],
    /// Columns that are not full.
    pub(crate) open: Columns,
    /// For each side: open columns whose landing cell wins.
    pub(crate) now: [Columns; 2],
    /// For each side: open columns in which the cell above the landing cell wins.
    pub(crate) next: [Columns; 2],
    /// Index of the side to move.
    pub(crate) side: usize,
    /// Whether the last stone has won.
    pub(crate) lost: bool,
}

impl<const WORDS: usize> Gravity<WORDS> {
    /// The game on a board.
    pub(crate) fn new(grid: Grid<WORDS>) -> Self {
        let geometry = *grid.geometry();
        let columns = geometry.columns();
        let from_edge = |column: u8| column.min(columns - 1 - column);
        let mut outward: Vec<u8> = (0..columns).collect();
        outward.sort_by_key(|&column| columns - from_edge(column));
        let mut places = Box::new([Place::default(); MOST_BITS]);
        for column in 0..columns {
            let cells: Vec<u32> = (grid.playable() & grid.column(column)).iter().collect();
            for (at, &cell) in cells.iter().enumerate() {
                let higher = |by: usize| {
                    cells
                        .get(at + by)
                        .and_then(|&cell| NonZeroU16::new(cell as u16))
                };
                places[cell as usize] = Place {
                    column,
                    above: higher(1),
                    second: higher(2),
                };
            }
        }
        let mut weights = [0; MOST_COLUMNS];
        for column in 0..columns {
            weights[usize::from(column)] = 1 + from_edge(column);
        }
        Self {
            lines: Lines::new(grid),
            places,
            weights,
            heaviest: 1 + from_edge(columns / 2),
            outward,
            judge: None,
        }
    }

    /// The same game, with a network to ask.
    pub(crate) fn judged_by(self, judge: Option<Judge>) -> Self {
        Self { judge, ..self }
    }

    /// Winning cells that a stone of `side` on the landing cell `cell` would make.
    fn gained(&self, state: &State<WORDS>, side: usize, cell: u16) -> u32 {
        let mut stones = state.stones[side];
        insert(&mut stones, cell);
        let mut winning = state.winning[side];
        let before = Bits::from_words(winning).len();
        let near = [0; WORDS];
        self.lines
            .extend(&mut winning, &stones, &near, cell.into(), |_| {});
        Bits::from_words(winning).len() - before
    }

    /// What the network expects of the move to `cell`: its odds to win.
    fn odds(&self, state: &State<WORDS>, cell: u16, judge: &mut Judge) -> f32 {
        let mut next = *state;
        self.play(&mut next, cell);
        judge.play(cell);
        let theirs = win_rate(judge.value(&next.view()));
        judge.undo();
        (1.0 - theirs) / theirs
    }

    #[inline(always)]
    fn place(&self, cell: u16) -> Place {
        // The remainder changes nothing and spares the check.
        self.places[usize::from(cell) % MOST_BITS]
    }

    /// Drops a stone of the side to move into an open column.
    #[inline(always)]
    pub(crate) fn drop_stone(&self, state: &mut State<WORDS>, column: usize) {
        let column = column % MOST_COLUMNS;
        let bit: Columns = 1 << column;
        debug_assert!(state.open & bit != 0 && !state.lost);
        let side = state.side & 1;
        let cell = state.landing[column];
        state.lost = state.now[side] & bit != 0;
        insert(&mut state.stones[side], cell);
        self.rise(state, column, cell);
        let State {
            stones,
            winning,
            landing,
            near,
            now,
            next,
            ..
        } = state;
        let (stones, winning) = (&stones[side], &mut winning[side]);
        self.lines
            .extend(winning, stones, near, cell.into(), |gained| {
                let column = usize::from(self.place(gained as u16).column) % MOST_COLUMNS;
                let set = if u32::from(landing[column]) == gained {
                    &mut now[side]
                } else {
                    &mut next[side]
                };
                *set |= 1 << column;
            });
        state.side = side ^ 1;
    }

    /// Moves a column's landing cell up from `cell`, which was taken.
    #[inline(always)]
    fn rise(&self, state: &mut State<WORDS>, column: usize, cell: u16) {
        let bit: Columns = 1 << column;
        let Place {
            above: landing,
            second: next,
            ..
        } = self.place(cell);
        match landing {
            Some(landing) => state.landing[column] = landing.get(),
            None => state.open &= !bit,
        }
        state.near[usize::from(cell) / 64] &= !(1 << (cell % 64));
        if let Some(next) = next {
            insert(&mut state.near, next.get());
        }
        for side in 0..2 {
            let wins_next = next.is_some_and(|next| holds(&state.winning[side], next.get()));
            // What was next is now; without a landing cell, nothing was next.
            state.now[side] = state.now[side] & !bit | state.next[side] & bit;
            state.next[side] = state.next[side] & !bit | Columns::from(wins_next) << column;
        }
    }

    /// Columns beside two stones of the opponent in a row that could become an open three.
    ///
    /// ```text
    ///   . a O O b .    a and b, if both can be played now and one of the dots too
    /// ```
    fn open_twos(&self, state: &State<WORDS>) -> Columns {
        let stride = self.lines.grid().geometry().stride();
        let theirs = Bits::from_words(state.stones[state.side ^ 1]);
        let legal: Bits<WORDS> = self.landings(state, state.open).map(u32::from).collect();
        let pairs = theirs & (theirs >> stride);
        // Each as the bit of the pair's left stone.
        let sides = (legal << stride) & (legal >> (2 * stride));
        let room = (legal << (2 * stride)) | (legal >> (3 * stride));
        let open = pairs & sides & room;
        let flanks = (open >> stride) | (open << (2 * stride));
        flanks
            .iter()
            .fold(0, |set, cell| set | 1 << self.place(cell as u16).column)
    }

    /// The landing cells of `columns`, central ones first.
    fn landings(&self, state: &State<WORDS>, columns: Columns) -> impl Iterator<Item = u16> {
        self.outward
            .iter()
            .filter(move |&&column| columns >> column & 1 == 1)
            .map(|&column| state.landing[usize::from(column)])
    }
}

/// Whether the set of cells holds `cell`.
#[inline(always)]
fn holds<const WORDS: usize>(set: &[u64; WORDS], cell: u16) -> bool {
    set[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
}

#[inline(always)]
fn insert<const WORDS: usize>(set: &mut [u64; WORDS], cell: u16) {
    set[usize::from(cell) / 64] |= 1 << (cell % 64);
}

/// Whether a set has two members or more.
#[inline(always)]
pub(crate) fn has_two(columns: Columns) -> bool {
    columns & columns.wrapping_sub(1) != 0
}

impl<const WORDS: usize> State<WORDS> {
    /// The position as the network wants to see it.
    #[inline(always)]
    pub(crate) fn view(&self) -> View<'_, WORDS> {
        View {
            stones: &self.stones,
            winning: &self.winning,
            landing: &self.landing,
        }
    }

    /// What the columns decide.
    ///
    /// Contract: nobody has won yet.
    #[inline(always)]
    pub(crate) fn judge(&self, pruning: Pruning) -> Outlook<Columns> {
        if self.open == 0 {
            return Outlook::Decided(Value::Draw);
        }
        if pruning == Pruning::None {
            return Outlook::Open(self.open);
        }
        let side = self.side & 1;
        if self.now[side] != 0 {
            return Outlook::Decided(Value::Win { plies: 1 });
        }
        let (threats, under) = (self.now[side ^ 1], self.next[side ^ 1]);
        if threats != 0 {
            // The block of one leaves the other, or opens the cell above itself.
            return if has_two(threats) || threats & under != 0 {
                Outlook::Decided(Value::Loss { plies: 2 })
            } else {
                Outlook::Open(threats)
            };
        }
        if pruning == Pruning::Threats {
            return Outlook::Open(self.open);
        }
        match self.open & !under {
            0 => Outlook::Decided(Value::Loss { plies: 2 }),
            safe => Outlook::Open(safe),
        }
    }
}

impl<const WORDS: usize> Game for Gravity<WORDS> {
    type State = State<WORDS>;
    type Moves = Columns;
    type Mind = Option<Judge>;

    fn state(&self, position: &Position) -> State<WORDS> {
        let grid = self.lines.grid();
        let stones: [Bits<WORDS>; 2] = Side::BOTH.map(|side| position.stones(side).resize());
        let winning = stones.map(|stones| grid.finishing_cells(stones).words());
        let mut state = State {
            stones: stones.map(Bits::words),
            winning,
            landing: [0; MOST_COLUMNS],
            near: [0; WORDS],
            open: 0,
            now: [0; 2],
            next: [0; 2],
            side: position.side_to_move().index(),
            lost: grid.has_run(stones[(!position.side_to_move()).index()]),
        };
        for column in 0..grid.geometry().columns() {
            let Ok(cell) = position.landing(column) else {
                continue;
            };
            let at = usize::from(column);
            let index = grid.geometry().index(cell) as u16;
            state.landing[at] = index;
            state.open |= 1 << at;
            insert(&mut state.near, index);
            let above = self.place(index).above;
            if let Some(above) = above {
                insert(&mut state.near, above.get());
            }
            for (side, winning) in winning.iter().enumerate() {
                let wins_next = above.is_some_and(|above| holds(winning, above.get()));
                state.now[side] |= Columns::from(holds(winning, index)) << at;
                state.next[side] |= Columns::from(wins_next) << at;
            }
        }
        state
    }

    fn outlook(&self, state: &State<WORDS>, pruning: Pruning) -> Outlook<Columns> {
        if state.lost {
            return Outlook::Decided(Value::Loss { plies: 0 });
        }
        state.judge(pruning)
    }

    fn root_moves(&self, state: &State<WORDS>, rule: RootRule, moves: Columns) -> Columns {
        let (mine, theirs) = (state.side, state.side ^ 1);
        let narrowed = |from: Columns, to: Columns| if from & to == 0 { from } else { from & to };
        if rule == RootRule::None {
            return moves;
        }
        if moves & state.now[mine] != 0 {
            return moves & state.now[mine];
        }
        if moves & state.now[theirs] != 0 {
            return moves & state.now[theirs];
        }
        if rule == RootRule::WinBlock {
            return moves;
        }
        let harmless = narrowed(moves, !state.next[theirs]);
        let kept = narrowed(harmless, !state.next[mine]);
        narrowed(kept, self.open_twos(state))
    }

    #[inline(always)]
    fn play(&self, state: &mut State<WORDS>, index: u16) {
        self.drop_stone(state, self.place(index).column.into());
    }

    fn ordered(&self, state: &State<WORDS>, moves: Columns, into: &mut Vec<u16>) {
        into.clear();
        into.extend(self.landings(state, moves));
    }

    fn mind(&self, position: &Position) -> Option<Judge> {
        let mut judge = self.judge.clone()?;
        judge.reset(position);
        Some(judge)
    }

    fn weights(
        &self,
        state: &State<WORDS>,
        prior: Prior,
        cells: &[u16],
        line: &[u16],
        mind: &mut Option<Judge>,
        into: &mut Vec<f32>,
    ) {
        let central = |cell: u16| f32::from(self.weights[usize::from(self.place(cell).column)]);
        let side = state.side & 1;
        into.clear();
        match (prior, mind) {
            (Prior::Uniform, _) => into.resize(cells.len(), 1.0),
            (Prior::Net, Some(judge)) => {
                judge.follow(line);
                into.extend(cells.iter().map(|&cell| self.odds(state, cell, judge)));
            }
            (Prior::Centre, _) => into.extend(cells.iter().map(|&cell| central(cell))),
            (Prior::Threats | Prior::Net, _) => into.extend(cells.iter().map(|&cell| {
                let made = self.gained(state, side, cell);
                let taken = self.gained(state, side ^ 1, cell);
                central(cell) * (1 + 2 * made + taken) as f32
            })),
        }
    }

    fn estimate(
        &self,
        state: &State<WORDS>,
        line: &mut Vec<u16>,
        mind: &mut Option<Judge>,
        chance: &mut Chance,
    ) -> Option<Ending> {
        let judge = mind.as_mut()?;
        Some(rollout::estimate(self, state, line, judge, chance))
    }

    fn rollout(&self, state: &State<WORDS>, rules: Rollout, chance: &mut Chance) -> Ending {
        rollout::play(self, state, rules, chance)
    }
}

/// The central cell that may be played, of two the left one.
pub(crate) fn centre(position: &Position) -> Option<Cell> {
    let middle = (position.variant().geometry().columns() - 1) / 2;
    position.landing(middle).ok()
}
