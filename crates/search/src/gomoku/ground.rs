//! `Ground`: all that stays the same while stones are played on a free board.
//!
//! The variant, where each cell lies on its four lines, the tables from
//! windows to shapes and from shapes to classes, the weights of the
//! evaluation. Made once an engine; the tables of a rule are shared.

use super::cells::{CELLS, CellSet, Spot};
use super::line::LineTable;
use super::shape::{Class, Combined, SHAPES, ShapeKey, shapes};
use super::state::LINES;
use super::weights::{Sum, Weights};
use std::sync::{Arc, OnceLock};
use stoneline_rules::{Cell, Rule, Side, Variant, scramble};

/// Column and row steps of the four directions.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// How far candidate moves are from stones, in columns and rows.
const NEAR: u8 = 2;

/// A free board and its tables.
#[derive(Debug)]
pub(crate) struct Ground {
    variant: Variant,
    table: Arc<LineTable>,
    /// For the first side and for the second.
    classes: [&'static Classes; 2],
    weights: Weights,
    columns: i32,
    rows: i32,
    /// By cell and direction, the line and the place in it.
    places: Vec<[(u8, u8); 4]>,
    around: Vec<CellSet>,
    stone_keys: Vec<[u64; 2]>,
    bare_lines: [[u64; LINES]; 4],
}

impl Ground {
    /// Changes a key when the turn does.
    pub(crate) const TURN_KEY: u64 = scramble(0x7475_726e);

    /// The tables of a variant without gravity.
    ///
    /// # Panics
    /// If stones fall in it: shapes take no notice of that.
    pub(crate) fn new(variant: &Variant) -> Arc<Self> {
        Self::with_weights(variant, Weights::of(variant))
    }

    /// As [`Self::new`], with an evaluation of one's own.
    pub(crate) fn with_weights(variant: &Variant, weights: Weights) -> Arc<Self> {
        assert!(!variant.rule().falls(), "shapes are for free boards");
        let geometry = variant.geometry();
        let mut ground = Self {
            variant: *variant,
            table: table(variant),
            classes: Side::BOTH.map(|side| {
                let restricted = variant.rule() == Rule::Renju && side == Side::First;
                classes(restricted)
            }),
            weights,
            columns: geometry.columns().into(),
            rows: geometry.rows().into(),
            places: Vec::new(),
            around: Vec::new(),
            stone_keys: (0..CELLS as u64)
                .map(|at| {
                    [
                        scramble(2 * at + (1 << 32)),
                        scramble(2 * at + 1 + (1 << 32)),
                    ]
                })
                .collect(),
            bare_lines: [[u64::MAX; LINES]; 4],
        };
        ground.lay_out();
        Arc::new(ground)
    }

    fn lay_out(&mut self) {
        // Long windows are gathered cell by cell: their lines are not used.
        let margin = if self.table.is_filled() {
            self.table.radius() as i32
        } else {
            0
        };
        for row in 0..self.rows {
            for column in 0..self.columns {
                let places = [
                    (row, column),
                    (column, row),
                    (column - row + 31, column),
                    (column + row, column),
                ]
                .map(|(line, at)| (line as u8, (at + margin) as u8));
                self.places.push(places);
                for (direction, (line, at)) in places.into_iter().enumerate() {
                    self.bare_lines[direction][usize::from(line)] &= !(3 << (2 * at));
                }
            }
        }
        self.around = (0..self.cells())
            .map(|spot| {
                let cell = self.cell(spot);
                let close = |one: u8, other: u8| one.abs_diff(other) <= NEAR;
                (0..self.cells())
                    .filter(|&near| {
                        let near = self.cell(near);
                        close(near.column(), cell.column()) && close(near.row(), cell.row())
                    })
                    .collect()
            })
            .collect();
    }

    /// The game.
    pub(crate) const fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Whether the first side has forbidden points.
    #[inline(always)]
    pub(crate) fn is_renju(&self) -> bool {
        self.variant.rule() == Rule::Renju
    }

    /// Whether a five can be spoilt from beyond its ends, as caro has it.
    #[inline(always)]
    pub(crate) fn has_open_ends(&self) -> bool {
        self.variant.rule() == Rule::Caro
    }

    /// Shapes by window.
    #[inline(always)]
    pub(crate) fn table(&self) -> &LineTable {
        &self.table
    }

    /// How many cells the board has.
    #[inline(always)]
    pub(crate) const fn cells(&self) -> Spot {
        (self.rows * self.columns) as Spot
    }

    /// The cell of a spot.
    pub(crate) const fn cell(&self, spot: Spot) -> Cell {
        let columns = self.columns as Spot;
        Cell::new((spot % columns) as u8, (spot / columns) as u8)
    }

    /// The spot of a cell.
    pub(crate) const fn spot(&self, cell: Cell) -> Spot {
        cell.row() as Spot * self.columns as Spot + cell.column() as Spot
    }

    /// The line of a cell in a direction, and the cell's place in it.
    #[inline(always)]
    pub(crate) fn place(&self, spot: Spot, direction: usize) -> (usize, usize) {
        let (line, at) = self.places[usize::from(spot)][direction];
        (usize::from(line) % LINES, usize::from(at))
    }

    /// What is added to a spot for one step in a direction.
    #[inline(always)]
    pub(crate) const fn step(&self, direction: usize) -> i32 {
        let (column, row) = STEPS[direction];
        row * self.columns + column
    }

    /// The spot `distance` steps along a direction; `None` off the board.
    pub(crate) fn along(&self, spot: Spot, direction: usize, distance: i32) -> Option<Spot> {
        let (column_step, row_step) = STEPS[direction];
        let column = i32::from(spot) % self.columns + distance * column_step;
        let row = i32::from(spot) / self.columns + distance * row_step;
        ((0..self.columns).contains(&column) && (0..self.rows).contains(&row))
            .then_some((row * self.columns + column) as Spot)
    }

    /// The direction in which two different cells share a line; `None` if in none.
    pub(crate) fn direction(&self, one: Spot, other: Spot) -> Option<usize> {
        (0..4).find(|&direction| self.place(one, direction).0 == self.place(other, direction).0)
    }

    /// The cells within two steps of a cell.
    #[inline(always)]
    pub(crate) fn around(&self, spot: Spot) -> &CellSet {
        &self.around[usize::from(spot)]
    }

    /// The hash key of a stone.
    #[inline(always)]
    pub(crate) fn stone_key(&self, side: Side, spot: Spot) -> u64 {
        self.stone_keys[usize::from(spot)][side.index()]
    }

    /// The lines of the empty board.
    pub(crate) const fn bare_lines(&self) -> &[[u64; LINES]; 4] {
        &self.bare_lines
    }

    /// What four shapes of `side` make together.
    #[inline(always)]
    pub(crate) fn combined(&self, side: Side, key: ShapeKey) -> Combined {
        self.classes[side.index()][usize::from(key)]
    }

    /// The class of four shapes of `side`.
    pub(crate) fn class(&self, side: Side, key: ShapeKey) -> Class {
        self.combined(side, key).class()
    }

    /// What an empty cell adds to the evaluation of either turn, by both sides' shapes.
    #[inline(always)]
    pub(crate) const fn weight(&self, shapes: u8) -> Sum {
        self.weights.of_shapes(shapes)
    }

    /// The evaluation's weights.
    #[inline(always)]
    pub(crate) const fn weights(&self) -> &Weights {
        &self.weights
    }
}

/// The table of a variant's rule and run, made once for the runs that are played most.
fn table(variant: &Variant) -> Arc<LineTable> {
    static FIVES: [OnceLock<Arc<LineTable>>; 4] = [const { OnceLock::new() }; 4];
    let at = match variant.rule() {
        Rule::Freestyle | Rule::Gravity => 0,
        Rule::Standard => 1,
        Rule::Renju => 2,
        Rule::Caro => 3,
    };
    let make = || Arc::new(LineTable::new(variant));
    match variant.run() {
        5 => Arc::clone(FIVES[at].get_or_init(make)),
        _ => make(),
    }
}

/// Classes by the shapes of four lines.
type Classes = [Combined; 1 << 16];

/// Classes for everyone, or for renju's first side.
fn classes(restricted: bool) -> &'static Classes {
    static CLASSES: [OnceLock<Box<Classes>>; 2] = [const { OnceLock::new() }; 2];
    CLASSES[usize::from(restricted)].get_or_init(|| {
        let all: Vec<Combined> = (0..=ShapeKey::MAX)
            .map(|key| {
                // Nibbles beyond the last shape never occur.
                let known = [0, 4, 8, 12]
                    .iter()
                    .all(|shift| usize::from(key >> shift & 15) < SHAPES);
                if known {
                    Combined::from_shapes(shapes(key), restricted)
                } else {
                    Combined::default()
                }
            })
            .collect();
        all.try_into().expect("there is one for each key")
    })
}
