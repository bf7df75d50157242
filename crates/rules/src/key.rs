//! Hash keys of positions, kept stone by stone, for every symmetry of the board.

use crate::cell::{Cell, Side};
use crate::chance::scramble;
use crate::geometry::Symmetry;
use crate::variant::Variant;

/// The key of a position under each symmetry that maps its board onto itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Keys {
    /// Valid where `own` says so; the identity always is.
    by_symmetry: [u64; 8],
    /// Bit `i`: `Symmetry::ALL[i]` maps the board onto itself.
    own: u8,
}

impl Keys {
    /// Keys of the empty board.
    pub(crate) fn new(variant: &Variant) -> Self {
        let own = Symmetry::ALL
            .iter()
            .enumerate()
            .filter(|&(_, &symmetry)| variant.symmetries().any(|own| own == symmetry))
            .fold(0, |set, (at, _)| set | 1 << at);
        Self {
            by_symmetry: [variant_key(variant); 8],
            own,
        }
    }

    /// Adds the stone, or takes it away again.
    pub(crate) fn toggle(&mut self, variant: &Variant, side: Side, cell: Cell) {
        for (at, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            if self.own >> at & 1 == 1 {
                let image = symmetry.apply(variant.geometry(), cell);
                self.by_symmetry[at] ^= stone_key(side, image);
            }
        }
    }

    /// The key of the position as it lies.
    pub(crate) fn plain(&self) -> u64 {
        self.by_symmetry[0]
    }

    /// The same for all positions that symmetries of the board make equal.
    pub(crate) fn canonical(&self) -> u64 {
        (0..8)
            .filter(|at| self.own >> at & 1 == 1)
            .map(|at| self.by_symmetry[at])
            .min()
            .expect("the identity maps every board onto itself")
    }
}

fn stone_key(side: Side, cell: Cell) -> u64 {
    let place = u64::from(cell.column()) << 8 | u64::from(cell.row());
    scramble(place << 1 | side.index() as u64 | 1 << 40)
}

/// Different for different games, so that keys of several may share a table.
fn variant_key(variant: &Variant) -> u64 {
    let geometry = variant.geometry();
    let numbers = [
        u64::from(geometry.rows()),
        u64::from(geometry.columns()),
        u64::from(variant.run()),
        variant.rule() as u64,
    ];
    numbers
        .into_iter()
        .chain(geometry.blocked().words())
        .fold(0, |key, number| scramble(key ^ number).wrapping_add(number))
}
