//! What a game tells a network: the one thing that fitting does not know by itself.
//!
//! Everything else in this crate works for any game whose positions can be
//! listed as rows and whose colours can be exchanged. Another game's network
//! needs an [`Inputs`] of its own and no more.

use std::collections::HashMap;
use std::path::Path;
use stoneline_rules::{Board, Grid, Position, Variant, with_words};
use stoneline_search::neural::{self, Net, NetError, Provenance, Weights, rows};

/// The rows of a game's positions, and the file that its network is kept in.
pub trait Inputs {
    /// How many rows there are.
    fn rows(&self) -> usize;

    /// How many groups rows may belong to.
    fn groups(&self) -> usize;

    /// How many outputs there are to choose from.
    fn heads(&self) -> usize;

    /// Lists the rows of `position` and returns its output; `None` if it is not to be learnt.
    fn list(&mut self, position: &Position, rows: &mut Vec<u16>) -> Option<usize>;

    /// The row of the same thing with the colours exchanged.
    fn swapped(&self, row: u16) -> u16;

    /// The groups that a row belongs to.
    fn groups_of(&self, row: u16) -> Vec<usize>;

    /// What was fitted before, from the file at `path` that took it.
    ///
    /// # Errors
    /// If there is no such file, or why it is none of a network of this game.
    fn read(&self, path: &Path) -> Result<Start, NetError>;

    /// The bytes of a file with the fitted network.
    fn file(&self, fitted: &Fitted<'_>, provenance: &Provenance) -> Vec<u8>;
}

/// A fitted network, as seen from one side; groups are merged into their rows.
///
/// A unit is `bias + sum of rows`, clipped to 0..1, once with the rows as the side
/// to move sees them and once with those of its opponent. The logit of the side
/// to move is `own` times the first units less `other` times the second, and `lead`.
#[derive(Clone, Copy, Debug)]
pub struct Fitted<'a> {
    /// Units as one side sees them.
    pub units: usize,
    /// `units` for each row.
    pub rows: &'a [f32],
    /// `units`.
    pub bias: &'a [f32],
    /// `units` for each head.
    pub own: &'a [f32],
    /// `units` for each head.
    pub other: &'a [f32],
    /// One for each head.
    pub lead: &'a [f32],
}

/// A network to begin with: what a [`Fitted`] holds, owned.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// As [`Fitted::rows`].
    pub rows: Vec<f32>,
    /// As [`Fitted::bias`].
    pub bias: Vec<f32>,
    /// As [`Fitted::own`].
    pub own: Vec<f32>,
    /// As [`Fitted::other`].
    pub other: Vec<f32>,
    /// As [`Fitted::lead`].
    pub lead: Vec<f32>,
}

/// Boards with falling stones.
#[derive(Default)]
pub struct Gravity {
    boards: HashMap<Variant, neural::Inputs>,
}

/// Units of the network of boards with falling stones, as one side sees them.
///
/// The net itself sees both at once, in fixed colours.
pub const GRAVITY_UNITS: usize = neural::UNITS / 2;

/// Whether neither side could win with its next stone.
fn is_quiet(position: &Position) -> bool {
    position.outcome().is_none()
        && with_words!(position.variant().geometry(), WORDS => {
            let grid = Grid::<WORDS>::new(position.variant()).expect("the width was chosen to fit");
            let board = Board::new(&grid, position);
            let legal = board.legal(&grid);
            stoneline_rules::Side::BOTH
                .into_iter()
                .all(|side| !board.winning_cells(&grid, side).intersects(legal))
        })
}

impl Inputs for Gravity {
    fn rows(&self) -> usize {
        rows::ROWS
    }

    fn groups(&self) -> usize {
        rows::GROUPS
    }

    fn heads(&self) -> usize {
        rows::HEADS
    }

    fn list(&mut self, position: &Position, rows: &mut Vec<u16>) -> Option<usize> {
        if !position.variant().rule().falls() || !is_quiet(position) {
            return None;
        }
        let variant = *position.variant();
        let board = self
            .boards
            .entry(variant)
            .or_insert_with(|| neural::Inputs::new(&variant).expect("stones fall"));
        Some(board.list(position, rows))
    }

    fn swapped(&self, row: u16) -> u16 {
        rows::swapped(row)
    }

    fn groups_of(&self, row: u16) -> Vec<usize> {
        let mut groups = Vec::new();
        rows::groups(row, |group| groups.push(group));
        groups
    }

    fn read(&self, path: &Path) -> Result<Start, NetError> {
        let (net, _) = Net::load(path)?;
        let weights = net.weights();
        // The first half of the units is what the first side sees; it moves in every other head.
        let halves = |numbers: &[f32], half: usize, step: usize| -> Vec<f32> {
            let chunks = numbers.chunks(GRAVITY_UNITS).skip(half).step_by(step);
            chunks.flatten().copied().collect()
        };
        let other = halves(&weights.heads, 1, 4);
        Ok(Start {
            rows: halves(&weights.rows, 0, 2),
            bias: weights.bias[..GRAVITY_UNITS].to_vec(),
            own: halves(&weights.heads, 0, 4),
            other: other.iter().map(|weight| -weight).collect(),
            lead: weights.head_bias.iter().step_by(2).copied().collect(),
        })
    }

    fn file(&self, fitted: &Fitted<'_>, provenance: &Provenance) -> Vec<u8> {
        let units = fitted.units;
        let row = |row: u16| &fitted.rows[usize::from(row) * units..][..units];
        let mut weights = Weights {
            rows: Vec::new(),
            bias: [fitted.bias, fitted.bias].concat(),
            heads: Vec::new(),
            head_bias: Vec::new(),
        };
        for number in 0..self.rows() as u16 {
            weights.rows.extend(row(number));
            weights.rows.extend(row(self.swapped(number)));
        }
        for head in 0..self.heads() {
            let own = &fitted.own[head * units..][..units];
            let other = &fitted.other[head * units..][..units];
            // The first half of the units is what the first side sees.
            weights.heads.extend(own);
            weights.heads.extend(other.iter().map(|weight| -weight));
            weights.heads.extend(other);
            weights.heads.extend(own.iter().map(|weight| -weight));
            weights
                .head_bias
                .extend([fitted.lead[head], -fitted.lead[head]]);
        }
        Net::new(&weights).write(provenance)
    }
}
