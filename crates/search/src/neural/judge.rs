//! The network on a board, kept up to date stone by stone.
//!
//! A stone changes the windows through its cell and nothing else of what is
//! summed, so a value costs a few rows of weights. Stones are only noted when
//! they are played: their windows are worked out when a value is asked for,
//! and most of a search's stones are taken back before.

use super::columns::{ColumnView, Threats, View};
use super::net::{Net, OUTPUT_BITS, Row};
use super::plan::Plan;
use super::rows::{fill_row, head, phase_row};
use std::sync::Arc;
use stoneline_rules::{Position, Side, Variant};

/// An evaluation of one game's positions.
///
/// Cheap to clone for another thread: weights and tables are shared.
#[derive(Clone, Debug)]
pub struct Judge {
    net: Arc<Net>,
    plan: Arc<Plan>,
    /// The stones in each window, see [`Plan::code`].
    contents: Vec<u32>,
    /// The hidden layer before its clipping, at the root and after each stone worked out.
    sums: Vec<Row>,
    /// The bits of the stones played since the root.
    stones: Vec<u16>,
    /// How many of them are worked out.
    done: usize,
    /// Stones at the root.
    root_plies: usize,
}

impl Judge {
    /// The evaluation of `variant` by `net`, at the empty board; `None` unless stones fall.
    pub fn new(net: &Arc<Net>, variant: &Variant) -> Option<Self> {
        if !variant.rule().falls() {
            return None;
        }
        let plan = Plan::new(variant);
        let mut judge = Self {
            net: Arc::clone(net),
            contents: vec![0; plan.windows],
            sums: vec![Row::ZERO; usize::from(plan.capacity) + 1],
            stones: Vec::with_capacity(plan.capacity.into()),
            done: 0,
            root_plies: 0,
            plan: Arc::new(plan),
        };
        judge.reset(&Position::new(*variant));
        Some(judge)
    }

    /// Starts at `position`.
    ///
    /// Contract: it is of the variant that the judge was made for.
    pub fn reset(&mut self, position: &Position) {
        self.stones.clear();
        self.done = 0;
        self.root_plies = position.plies();
        self.contents = self.plan.contents(position);
        let mut sum = self.net.bias;
        for row in self.plan.window_rows(&self.contents) {
            sum.add(&self.net.rows[usize::from(row)]);
        }
        self.sums[0] = sum;
    }

    /// Notes a stone of the side to move on the cell of that bit.
    #[inline(always)]
    pub fn play(&mut self, bit: u16) {
        self.stones.push(bit);
    }

    /// Takes back the last stone.
    ///
    /// # Panics
    /// If none was played since the root.
    #[inline(always)]
    pub fn undo(&mut self) {
        let bit = self.stones.pop().expect("a stone was played");
        if self.done > self.stones.len() {
            self.done -= 1;
            let shift = self.shift(self.done);
            for touch in self.plan.touches(bit) {
                self.contents[usize::from(touch.window)] ^= u32::from(touch.bit) << shift;
            }
        }
    }

    /// Takes back and notes stones until those since the root are `line`.
    #[inline]
    pub fn follow(&mut self, line: &[u16]) {
        let shared = self.stones.iter().zip(line);
        let shared = shared.take_while(|(one, other)| one == other).count();
        while self.stones.len() > shared {
            self.undo();
        }
        self.stones.extend_from_slice(&line[shared..]);
    }

    /// The worth to the side to move: it wins with odds of e to the `value / 400` to one.
    ///
    /// Contract: `view` shows the position that the stones played lead to.
    #[inline(always)]
    pub fn value<const WORDS: usize>(&mut self, view: &View<'_, WORDS>) -> i32 {
        let threats = Threats::new(&self.plan, view);
        self.value_with(threats)
    }

    /// The same of a position that is seen column by column.
    #[inline(always)]
    pub fn value_by_columns(&mut self, view: &ColumnView) -> i32 {
        let threats = Threats::by_columns(&self.plan, view);
        self.value_with(threats)
    }

    #[inline(always)]
    fn value_with(&mut self, threats: Threats) -> i32 {
        while self.done < self.stones.len() {
            self.work_out();
        }
        let plies = self.root_plies + self.stones.len();
        let left = self.plan.capacity - plies as u16;
        let mover = plies & 1;
        let rows = &self.net.rows;
        let mut sum = self.sums[self.done];
        sum.add(&rows[usize::from(phase_row(left, mover))]);
        let (ending, patience) = threats.fill(left, mover);
        sum.add(&rows[usize::from(fill_row(ending, patience, mover))]);
        for row in threats.rows() {
            sum.add(&rows[usize::from(row)]);
        }
        let head = &self.net.heads[head(left, ending, mover)][mover];
        let value = sum.output(&head.weights).wrapping_add(head.bias) >> OUTPUT_BITS;
        if mover == Side::First.index() {
            value
        } else {
            -value
        }
    }

    /// Works out the next stone that was noted.
    #[inline(always)]
    fn work_out(&mut self) {
        let bit = self.stones[self.done];
        let shift = self.shift(self.done);
        let plan = &*self.plan;
        let weights = &self.net.rows;
        let mut sum = self.sums[self.done];
        for touch in plan.touches(bit) {
            let content = &mut self.contents[usize::from(touch.window)];
            let row = |content: u32| {
                let row = plan.rows[(touch.class + plan.code(content)) as usize];
                &weights[usize::from(row)]
            };
            let old = row(*content);
            *content ^= u32::from(touch.bit) << shift;
            sum.exchange(old, row(*content));
        }
        self.done += 1;
        self.sums[self.done] = sum;
    }

    /// Where the content of a window holds the stones of the side that played the stone with that number.
    #[inline(always)]
    const fn shift(&self, number: usize) -> u32 {
        16 * ((self.root_plies + number) & 1) as u32
    }
}

impl Plan {
    /// The stones in each window at `position`.
    pub(super) fn contents(&self, position: &Position) -> Vec<u32> {
        let mut contents = vec![0; self.windows];
        for side in Side::BOTH {
            for bit in position.stones(side).iter() {
                for touch in self.touches(bit as u16) {
                    contents[usize::from(touch.window)] |=
                        u32::from(touch.bit) << (16 * side.index());
                }
            }
        }
        contents
    }

    /// The row of each window.
    pub(super) fn window_rows(&self, contents: &[u32]) -> impl Iterator<Item = u16> {
        contents
            .iter()
            .zip(&self.classes)
            .map(|(&content, class)| self.rows[(class + self.code(content)) as usize])
    }
}
