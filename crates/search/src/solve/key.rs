//! Keys of the solver's table: one number for all positions with the same future.

use super::field::Field;
use super::search::Node;

/// A hash that equal futures share.
///
/// A stone on no line that its side can still fill is only an obstacle, so
/// its colour is left out. With `mirror`, left and right are exchanged where
/// that makes the key smaller.
#[inline(always)]
pub(super) fn key<const WORDS: usize, const FOUR: bool>(
    field: &Field<WORDS, FOUR>,
    node: &Node<WORDS>,
    mirror: bool,
) -> u64 {
    let occupied = node.occupied(field);
    let empty = field.open.minus(occupied);
    let mut own = (node.own & field.cover(node.own | empty)) | field.tops(occupied);
    let mut other = node.other & field.cover(node.other | empty);
    if mirror {
        let mirrored = (field.mirrored(own), field.mirrored(other));
        if mirrored < (own, other) {
            (own, other) = mirrored;
        }
    }
    let pairs = own.words().into_iter().zip(other.words());
    pairs.fold(0, |hash, (own, other)| {
        let once = folded_product(hash ^ own ^ MIX[0], other ^ MIX[1]);
        folded_product(once, MIX[2])
    })
}

/// Odd numbers without pattern, larger than any set of cells that they meet.
const MIX: [u64; 3] = [
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
    0x9e37_79b9_7f4a_7c15,
];

/// Both halves of a double-width product, mixed: each input bit reaches all of the result.
#[inline(always)]
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
