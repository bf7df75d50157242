//! Games with falling stones, for the tree search.
//!
//! A position is three boards in registers (see [`lanes`](super::lanes)): the
//! stones of either side, and the cells that carry what lies above. Nothing
//! else is kept, so a move on the way down the tree costs next to nothing;
//! winning cells are worked out where something is decided by them.

use super::forcing;
use super::game::{Ending, Game, Outlook};
use super::lanes::Lanes;
use super::params::{Prior, Pruning, Rollout, RootRule};
use super::rollout;
use crate::columns::{Columns, MOST_COLUMNS, Prospect, Wins, from_edge, outward};
use crate::neural::{ColumnView, Judge};
use crate::value::{Value, win_rate};
use stoneline_rules::{Cell, Chance, Geometry, Position, Side, Variant, Wide, scramble};

/// Bits of the largest board with falling stones, guard rows included.
const MOST_BITS: usize = MOST_COLUMNS * (MOST_COLUMNS + 1);

/// A board with falling stones.
#[derive(Clone, Debug)]
pub(crate) struct Falling<L> {
    geometry: Geometry,
    /// Stones in a row that win.
    run: u32,
    /// Cells where a stone may lie.
    playable: L,
    /// Cells where none may, which carry what lies above.
    blocked: L,
    /// Each cell by its bit in the board's layout.
    cells: Box<[L; MOST_BITS]>,
    /// For each column: how likely a centre-weighted rollout takes it.
    pub(super) weights: [u8; MOST_COLUMNS],
    /// The largest weight.
    pub(super) heaviest: u8,
    /// The columns, central ones first.
    outward: Vec<u8>,
    /// The network, where it is asked.
    judge: Option<Judge>,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct State<L> {
    /// Stones of the side to move.
    pub(super) mine: L,
    /// Stones of the other.
    pub(super) theirs: L,
    /// Cells that carry: all stones and the blocked cells.
    pub(super) filled: L,
    /// Index of the side to move.
    side: usize,
}

impl<L: Lanes> State<L> {
    /// A stone of the side to move on `cell`.
    #[inline(always)]
    pub(super) fn put(&mut self, cell: L) {
        *self = Self {
            mine: self.theirs,
            theirs: self.mine | cell,
            filled: self.filled | cell,
            side: self.side ^ 1,
        };
    }
}

impl<L: Lanes> Falling<L> {
    /// The game of a variant with falling stones, of as many columns as `L` holds.
    pub(crate) fn new(variant: &Variant) -> Self {
        let geometry = *variant.geometry();
        let columns = geometry.columns();
        assert!(usize::from(columns) <= L::COUNT);
        let mut weights = [0; MOST_COLUMNS];
        for column in 0..columns {
            weights[usize::from(column)] = 1 + from_edge(column, columns);
        }
        let mut cells = Box::new([L::empty(); MOST_BITS]);
        for bit in geometry.playable().iter() {
            cells[bit as usize] = in_lanes(&geometry, Wide::bit(bit));
        }
        Self {
            geometry,
            run: variant.run().into(),
            playable: in_lanes(&geometry, geometry.playable()),
            blocked: in_lanes(&geometry, geometry.blocked()),
            cells,
            weights,
            heaviest: 1 + from_edge(columns / 2, columns),
            outward: outward(columns),
            judge: None,
        }
    }

    /// The same game, with a network to ask.
    pub(crate) fn judged_by(self, judge: Option<Judge>) -> Self {
        Self { judge, ..self }
    }

    /// Where a stone lands above `filled`, in each column that is not full.
    #[inline(always)]
    pub(super) fn landing(&self, filled: L) -> L {
        // A carry runs through all that is filled and stops above it.
        filled.plus_one() & self.playable
    }

    /// The cells that stones on `landing` open above themselves.
    #[inline(always)]
    pub(super) fn opened(&self, filled: L, landing: L) -> L {
        self.landing(filled | landing)
    }

    /// Cells that finish a run of `stones`; some may be occupied or beyond the board.
    #[inline(always)]
    pub(super) fn winning(&self, stones: L) -> L {
        if self.is_of_four() {
            self.winning_by::<true>(stones)
        } else {
            self.winning_by::<false>(stones)
        }
    }

    /// The same, where it is known whether four win.
    #[inline(always)]
    pub(super) fn winning_by<const FOUR: bool>(&self, stones: L) -> L {
        if FOUR {
            finishing_four(stones)
        } else {
            finishing(stones, self.run)
        }
    }

    /// Whether four in a row win.
    #[inline(always)]
    pub(super) fn is_of_four(&self) -> bool {
        self.run == 4
    }

    /// The winning cells of both sides within reach.
    fn prospect(&self, state: &State<L>) -> Prospect {
        let landing = self.landing(state.filled);
        let next = self.opened(state.filled, landing);
        let third = self.opened(state.filled | landing, next);
        let [mine, theirs] = [state.mine, state.theirs].map(|stones| self.winning(stones));
        let wins = |winning: L| Wins {
            now: (winning & landing).set(),
            next: (winning & next).set(),
        };
        Prospect {
            open: landing.set(),
            mine: wins(mine),
            theirs: wins(theirs),
            stacked: (mine & next).set() & (mine & third).set(),
        }
    }

    /// Drops a stone of the side to move into an open column.
    #[inline(always)]
    pub(super) fn drop_stone(&self, state: &mut State<L>, column: usize) {
        state.put(self.landing(state.filled) & column_of(column));
    }

    /// The bit of the landing cell of an open column.
    pub(super) fn landing_bit(&self, state: &State<L>, column: usize) -> u16 {
        let row = self.landing(state.filled).columns()[column].trailing_zeros();
        (column as u32 * self.geometry.stride() + row) as u16
    }

    #[inline(always)]
    fn cell(&self, bit: u16) -> L {
        self.cells[usize::from(bit)]
    }

    /// Winning cells that another of `stones` on `cell` would make.
    fn gained(&self, stones: L, cell: u16) -> u32 {
        let count = |stones: L| {
            let winning = (self.winning(stones) & self.playable).columns();
            winning
                .iter()
                .map(|column| column.count_ones())
                .sum::<u32>()
        };
        count(stones | self.cell(cell)) - count(stones)
    }

    /// What the network expects of the move to `cell`: its odds to win.
    fn odds(&self, state: &State<L>, cell: u16, judge: &mut Judge) -> f32 {
        let mut next = *state;
        self.play(&mut next, cell);
        judge.play(cell);
        let theirs = win_rate(self.judged(&next, judge));
        judge.undo();
        (1.0 - theirs) / theirs
    }

    /// What the network, told of all stones, expects of a position.
    pub(super) fn judged(&self, state: &State<L>, judge: &mut Judge) -> i32 {
        let landing = self.landing(state.filled);
        let empty = self.playable.without(state.filled);
        let winning = |set: L| (self.winning(set) & empty).columns();
        let (mine, theirs) = (winning(state.mine), winning(state.theirs));
        judge.value_by_columns(&ColumnView {
            winning: match state.side {
                0 => [mine, theirs],
                _ => [theirs, mine],
            },
            landing: landing.columns(),
        })
    }

    /// Columns beside two stones of the opponent in a row that could become an open three.
    ///
    /// ```text
    ///   . a O O b .    a and b, if both can be played now and one of the dots too
    /// ```
    fn open_twos(&self, state: &State<L>) -> Columns {
        let (theirs, legal) = (state.theirs, self.landing(state.filled));
        let pairs = theirs & theirs.left::<1>();
        // Each at the column of the pair's left stone.
        let sides = legal.right::<1>() & legal.left::<2>();
        let room = legal.right::<2>() | legal.left::<3>();
        let open = pairs & sides & room;
        (open.left::<1>() | open.right::<2>()).set()
    }
}

/// Whether a run of `stones` is complete, given the cells that finish one.
#[inline(always)]
pub(super) fn is_won<L: Lanes>(stones: L, winning: L) -> bool {
    // A stone of a whole run finishes what the others of it make.
    !(stones & winning).is_empty()
}

/// All bits of a column.
#[inline(always)]
pub(super) fn column_of<L: Lanes>(column: usize) -> L {
    static COLUMNS: [[u16; MOST_COLUMNS]; MOST_COLUMNS] = {
        let mut columns = [[0; MOST_COLUMNS]; MOST_COLUMNS];
        let mut at = 0;
        while at < MOST_COLUMNS {
            columns[at][at] = u16::MAX;
            at += 1;
        }
        columns
    };
    L::new(&COLUMNS[column % MOST_COLUMNS])
}

/// Cells by the bits of the layout, as columns.
fn in_lanes<L: Lanes>(geometry: &Geometry, set: Wide) -> L {
    let mut columns = [0; MOST_COLUMNS];
    for cell in geometry.cells(set) {
        columns[usize::from(cell.column())] |= 1 << cell.row();
    }
    L::new(&columns)
}

/// Cells that finish four of `stones`.
#[inline(always)]
fn finishing_four<L: Lanes>(stones: L) -> L {
    let right = [
        stones.right::<1>(),
        stones.right::<2>(),
        stones.right::<3>(),
    ];
    let left = [stones.left::<1>(), stones.left::<2>(), stones.left::<3>()];
    // Two on one side, and a third beyond them or on the other side.
    let level =
        |[r1, r2, r3]: [L; 3], [l1, l2, l3]: [L; 3]| r1 & r2 & (r3 | l1) | l1 & l2 & (l3 | r1);
    let upwards = |[one, two, three]: [L; 3]| [one.up::<1>(), two.up::<2>(), three.up::<3>()];
    let downwards =
        |[one, two, three]: [L; 3]| [one.down::<1>(), two.down::<2>(), three.down::<3>()];
    let [one, two, three] = upwards([stones; 3]);
    let flat = level(right, left) | one & two & three;
    let rising = level(upwards(right), downwards(left));
    let falling = level(downwards(right), upwards(left));
    flat | (rising | falling)
}

/// Cells that finish `run` of `stones`, by trying every place in the run.
#[inline(never)]
fn finishing<L: Lanes>(stones: L, run: u32) -> L {
    let run = (run as usize).min(MOST_COLUMNS);
    let up = finishing_along(stones, run, |set| set.up::<1>(), |set| set.down::<1>());
    let across = finishing_along(stones, run, |set| set.right::<1>(), |set| set.left::<1>());
    let rising = finishing_along(
        stones,
        run,
        |set| set.right::<1>().up::<1>(),
        |set| set.left::<1>().down::<1>(),
    );
    let falling = finishing_along(
        stones,
        run,
        |set| set.right::<1>().down::<1>(),
        |set| set.left::<1>().up::<1>(),
    );
    up | across | rising | falling
}

/// The same in one direction, `forth` and `back` being a step either way.
#[inline(always)]
fn finishing_along<L: Lanes>(
    stones: L,
    run: usize,
    forth: impl Fn(L) -> L,
    back: impl Fn(L) -> L,
) -> L {
    // By number: cells with so many stones behind them.
    let mut behind = [L::all(u16::MAX); MOST_COLUMNS];
    let mut moved = stones;
    for number in 1..run {
        moved = forth(moved);
        behind[number] = behind[number - 1] & moved;
    }
    let mut found = behind[run - 1];
    let mut before = L::all(u16::MAX);
    moved = stones;
    for number in (0..run - 1).rev() {
        moved = back(moved);
        before = before & moved;
        found = found | behind[number] & before;
    }
    found
}

impl<L: Lanes> Game for Falling<L> {
    type State = State<L>;
    type Moves = Columns;
    type Mind = Option<Judge>;

    fn state(&self, position: &Position) -> State<L> {
        let stones = |side: Side| in_lanes(&self.geometry, position.stones(side));
        let side = position.side_to_move();
        let (mine, theirs) = (stones(side), stones(!side));
        State {
            mine,
            theirs,
            filled: mine | theirs | self.blocked,
            side: side.index(),
        }
    }

    fn outlook(&self, state: &State<L>, pruning: Pruning) -> Outlook<Columns> {
        if is_won(state.theirs, self.winning(state.theirs)) {
            return Outlook::Decided(Value::Loss { plies: 0 });
        }
        self.prospect(state).judge(pruning)
    }

    fn root_moves(&self, state: &State<L>, rule: RootRule, moves: Columns) -> Columns {
        let Prospect { mine, theirs, .. } = self.prospect(state);
        let narrowed = |from: Columns, to: Columns| if from & to == 0 { from } else { from & to };
        if rule == RootRule::None {
            return moves;
        }
        if moves & mine.now != 0 {
            return moves & mine.now;
        }
        if moves & theirs.now != 0 {
            return moves & theirs.now;
        }
        if rule == RootRule::WinBlock {
            return moves;
        }
        let harmless = narrowed(moves, !theirs.next);
        let kept = narrowed(harmless, !mine.next);
        narrowed(kept, self.open_twos(state))
    }

    fn decisive_moves(&self, state: &State<L>, _: Columns) -> Columns {
        self.prospect(state).decisive()
    }

    const HAS_KEYS: bool = true;

    #[inline]
    fn key(&self, state: &State<L>) -> u64 {
        let (mine, theirs) = (state.mine.columns(), state.theirs.columns());
        let columns = mine.chunks_exact(4).chain(theirs.chunks_exact(4));
        columns.fold(0, |key: u64, four| {
            let word = four
                .iter()
                .fold(0, |word, &column| word << 16 | u64::from(column));
            scramble(key.rotate_left(1) ^ word)
        })
    }

    #[inline(always)]
    fn play(&self, state: &mut State<L>, index: u16) {
        state.put(self.cell(index));
    }

    fn ordered(&self, state: &State<L>, moves: Columns, into: &mut Vec<u16>) {
        let landing = self.landing(state.filled).columns();
        let stride = self.geometry.stride() as u16;
        into.clear();
        for &column in &self.outward {
            if moves >> column & 1 == 1 {
                let row = landing[usize::from(column)].trailing_zeros() as u16;
                into.push(u16::from(column) * stride + row);
            }
        }
    }

    fn mind(&self, position: &Position) -> Option<Judge> {
        let mut judge = self.judge.clone()?;
        judge.reset(position);
        Some(judge)
    }

    fn weights(
        &self,
        state: &State<L>,
        prior: Prior,
        cells: &[u16],
        line: &[u16],
        mind: &mut Option<Judge>,
        into: &mut Vec<f32>,
    ) {
        let central = |cell: u16| {
            let column = self.geometry.cell(cell.into()).column();
            f32::from(self.weights[usize::from(column)])
        };
        into.clear();
        match (prior, mind) {
            (Prior::Uniform, _) => into.resize(cells.len(), 1.0),
            (Prior::Net, Some(judge)) => {
                judge.follow(line);
                into.extend(cells.iter().map(|&cell| self.odds(state, cell, judge)));
            }
            (Prior::Centre, _) => into.extend(cells.iter().map(|&cell| central(cell))),
            (Prior::Threats | Prior::Net, _) => into.extend(cells.iter().map(|&cell| {
                let made = self.gained(state.mine, cell);
                let taken = self.gained(state.theirs, cell);
                central(cell) * (1 + 2 * made + taken) as f32
            })),
        }
    }

    fn forced_win(&self, state: &State<L>, positions: u32) -> Option<Value> {
        forcing::win(self, state, positions).map(|plies| Value::Win { plies })
    }

    fn estimate(
        &self,
        state: &State<L>,
        line: &mut Vec<u16>,
        mind: &mut Option<Judge>,
    ) -> Option<Value> {
        let judge = mind.as_mut()?;
        Some(rollout::estimate(self, state, line, judge))
    }

    fn rollout(
        &self,
        state: &State<L>,
        last: Option<u16>,
        rules: Rollout,
        chance: &mut Chance,
    ) -> Ending {
        let column = |bit: u16| L::all(u16::MAX).without(self.cell(bit).empty_columns());
        let last = last.map_or(L::empty(), column);
        rollout::play(self, state, last, rules, chance)
    }
}

/// The central cell that may be played, of two the left one.
pub(crate) fn centre(position: &Position) -> Option<Cell> {
    let middle = (position.variant().geometry().columns() - 1) / 2;
    position.landing(middle).ok()
}
