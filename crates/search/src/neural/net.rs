//! The weights: one hidden layer with a clipped ramp, and an output for each phase and ending.
//!
//! All arithmetic is in integers, so the same net gives the same values on
//! every machine. Sums wrap: a net made of nonsense gives nonsense, never a
//! panic.

use super::rows::{HEADS, NONE, ROWS};

/// Hidden units.
pub const UNITS: usize = 32;
/// What a hidden unit's 1.0 is in integers, where it is clipped.
pub const FULL: i16 = 512;
/// Bits dropped from an output: a value's unit is a four-hundredth of a logit.
pub const OUTPUT_BITS: u32 = 12;

/// Bytes of all weights in a file with that many outputs for each side to move.
pub(super) const fn bytes_with(heads: usize) -> usize {
    2 * (ROWS * UNITS + UNITS + 2 * heads * UNITS) + 4 * 2 * heads
}

/// One number for each hidden unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i16; UNITS]);

impl Row {
    /// Zeros.
    pub(super) const ZERO: Self = Self([0; UNITS]);

    /// Adds `other`.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for (unit, other) in self.0.iter_mut().zip(&other.0) {
            *unit = unit.wrapping_add(*other);
        }
    }

    /// Adds `new` and takes `old` away.
    #[inline(always)]
    pub(super) fn exchange(&mut self, old: &Self, new: &Self) {
        for ((unit, old), new) in self.0.iter_mut().zip(&old.0).zip(&new.0) {
            *unit = unit.wrapping_add(*new).wrapping_sub(*old);
        }
    }

    /// The sum of `weights`, each as often as its unit is high, from nought to full.
    #[inline(always)]
    pub(super) fn output(&self, weights: &Self) -> i32 {
        let units = self.0.iter().zip(&weights.0);
        units
            .map(|(&unit, &weight)| i32::from(unit.clamp(0, FULL)) * i32::from(weight))
            .fold(0, i32::wrapping_add)
    }
}

/// An output: who moves, the phase and how the fill ends choose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) weights: Row,
    pub(super) bias: i32,
}

/// Weights of an evaluation of boards with falling stones.
///
/// The value it gives is the first side's.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    pub(super) rows: Vec<Row>,
    pub(super) bias: Row,
    /// By output and the index of the side to move.
    pub(super) heads: [[Head; 2]; HEADS],
}

/// Weights in floating point, as training makes them.
///
/// A hidden unit is `bias + sum of rows`, clipped to 0..1; the first side's logit is
/// the sum of `heads` times units, and `head_bias`.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// [`UNITS`] for each row.
    pub rows: Vec<f32>,
    /// [`UNITS`].
    pub bias: Vec<f32>,
    /// [`UNITS`] for each output and side to move, the first side before the second.
    pub heads: Vec<f32>,
    /// One for each output and side to move.
    pub head_bias: Vec<f32>,
}

/// The scale of an output weight: 400 to a factor e of the odds, a full unit being [`FULL`].
pub const OUTPUT_SCALE: f32 = crate::value::LOGIT * (1 << OUTPUT_BITS) as f32 / FULL as f32;

fn round(number: f32, scale: f32) -> i16 {
    (number * scale).round() as i16
}

fn rounded(numbers: &[f32], scale: f32) -> Row {
    let mut row = Row::ZERO;
    for (unit, &number) in row.0.iter_mut().zip(numbers) {
        *unit = round(number, scale);
    }
    row
}

impl Net {
    /// The net that gives every position the value 0.
    pub fn blank() -> Self {
        let head = Head {
            weights: Row::ZERO,
            bias: 0,
        };
        Self {
            rows: vec![Row::ZERO; ROWS],
            bias: Row::ZERO,
            heads: [[head; 2]; HEADS],
        }
    }

    /// The net of `weights`, rounded; what is too large is cut off.
    ///
    /// # Panics
    /// If there are not as many weights as a net has.
    pub fn new(weights: &Weights) -> Self {
        assert_eq!(weights.rows.len(), ROWS * UNITS);
        assert_eq!(weights.bias.len(), UNITS);
        assert_eq!(weights.heads.len(), 2 * HEADS * UNITS);
        assert_eq!(weights.head_bias.len(), 2 * HEADS);
        let full = f32::from(FULL);
        let mut net = Self::blank();
        for (row, numbers) in net.rows.iter_mut().zip(weights.rows.chunks(UNITS)) {
            *row = rounded(numbers, full);
        }
        net.rows[usize::from(NONE)] = Row::ZERO;
        net.bias = rounded(&weights.bias, full);
        let numbers = weights.heads.chunks(UNITS).zip(&weights.head_bias);
        for (head, (numbers, bias)) in net.heads.as_flattened_mut().iter_mut().zip(numbers) {
            head.weights = rounded(numbers, OUTPUT_SCALE);
            head.bias = (bias * OUTPUT_SCALE * full).round() as i32;
        }
        net
    }

    /// The weights in floating point: what [`Self::new`] makes the same net of.
    pub fn weights(&self) -> Weights {
        let full = f32::from(FULL);
        let widened = |row: &Row, scale: f32| row.0.map(|unit| f32::from(unit) / scale);
        let heads = self.heads.as_flattened();
        Weights {
            rows: self
                .rows
                .iter()
                .flat_map(|row| widened(row, full))
                .collect(),
            bias: widened(&self.bias, full).to_vec(),
            heads: heads
                .iter()
                .flat_map(|head| widened(&head.weights, OUTPUT_SCALE))
                .collect(),
            head_bias: heads
                .iter()
                .map(|head| head.bias as f32 / (OUTPUT_SCALE * full))
                .collect(),
        }
    }

    /// All weights as bytes: rows, bias, heads, and the biases of heads, little end first.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let heads = self.heads.as_flattened();
        let rows = self.rows.iter().chain([&self.bias]);
        let rows = rows.chain(heads.iter().map(|head| &head.weights));
        rows.flat_map(|row| row.0)
            .flat_map(i16::to_le_bytes)
            .chain(heads.iter().flat_map(|head| head.bias.to_le_bytes()))
            .collect()
    }

    /// The net whose weights these bytes are, with that many outputs; `None` if their number
    /// is wrong. Where they are fewer than a net has, each stands for its neighbours.
    pub(super) fn from_bytes(bytes: &[u8], outputs: usize) -> Option<Self> {
        if bytes.len() != bytes_with(outputs) {
            return None;
        }
        let (rows, biases) = bytes.split_at(bytes.len() - 4 * 2 * outputs);
        let mut rows = rows.chunks_exact(2 * UNITS).map(|bytes| {
            let mut row = Row::ZERO;
            for (unit, pair) in row.0.iter_mut().zip(bytes.as_chunks().0) {
                *unit = i16::from_le_bytes(*pair);
            }
            row
        });
        let mut net = Self::blank();
        let heads = net.heads[..outputs].as_flattened_mut();
        let places = net.rows.iter_mut().chain([&mut net.bias]);
        let places = places.chain(heads.iter_mut().map(|head| &mut head.weights));
        for (place, row) in places.zip(&mut rows) {
            *place = row;
        }
        for (head, bias) in heads.iter_mut().zip(biases.as_chunks().0) {
            head.bias = i32::from_le_bytes(*bias);
        }
        for at in (0..HEADS).rev() {
            net.heads[at] = net.heads[at * outputs / HEADS];
        }
        // Judges leave out what says nothing.
        net.rows[usize::from(NONE)] = Row::ZERO;
        Some(net)
    }
}
