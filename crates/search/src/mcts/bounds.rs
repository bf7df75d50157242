//! Which move a simulation follows by UCB1, worked out for eight moves at once.
//!
//! A root and a division for every child of every node on the way down would
//! take half of the time of a search.

use super::tree::Node;

/// The upper bound of a move: its rate and `pull` over the root of its visits.
#[inline(always)]
pub(super) fn ucb1((visits, half_points): (u32, u32), pull: f32, first_play: f32) -> f32 {
    if visits == 0 {
        return first_play;
    }
    let visits = visits as f32;
    // The rate and the pull over one division.
    (half_points as f32 * 0.5 + pull * visits.sqrt()) / visits
}

/// The first of the children with the largest bound that are not proven; `None` if all are.
#[inline(always)]
pub(super) fn best_ucb1(children: &[Node], pull: f32, first_play: f32) -> Option<usize> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    return eight::best_ucb1(children, pull, first_play);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    return one_by_one(children, pull, first_play);
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn one_by_one(children: &[Node], pull: f32, first_play: f32) -> Option<usize> {
    let mut best = None;
    let mut best_bound = f32::NEG_INFINITY;
    for (at, child) in children.iter().enumerate() {
        let bound = ucb1(child.tally(), pull, first_play);
        if !child.is_proven() && bound > best_bound {
            best_bound = bound;
            best = Some(at);
        }
    }
    best
}

/// Eight children in registers of x86-64 with AVX2.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod eight {
    use super::Node;
    use std::arch::x86_64::*;

    /// As a tally: a move that is not there.
    const NOBODY: u64 = 1 << 63;

    #[inline(always)]
    pub(super) fn best_ucb1(children: &[Node], pull: f32, first_play: f32) -> Option<usize> {
        let mut best = None;
        let mut best_bound = f32::NEG_INFINITY;
        for (row, children) in children.chunks(8).enumerate() {
            let tally = |at: usize| children.get(at).map_or(NOBODY, Node::raw_tally) as i64;
            let (bound, at) = best_of_eight(std::array::from_fn(tally), pull, first_play);
            if bound > best_bound {
                best_bound = bound;
                best = Some(8 * row + at);
            }
        }
        best
    }

    /// The largest bound of eight tallies that are not proven, and where it is first.
    #[inline(always)]
    fn best_of_eight(tallies: [i64; 8], pull: f32, first_play: f32) -> (f32, usize) {
        let [t0, t1, t2, t3, t4, t5, t6, t7] = tallies;
        #[allow(unsafe_code)]
        // SAFETY: the module is compiled only for targets with AVX2.
        unsafe {
            // In the order that the shuffles below undo.
            let one = _mm256_castsi256_ps(_mm256_set_epi64x(t5, t4, t1, t0));
            let other = _mm256_castsi256_ps(_mm256_set_epi64x(t7, t6, t3, t2));
            let half_points = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(one, other));
            let marked = _mm256_shuffle_ps::<0xdd>(one, other);
            let visits = _mm256_and_si256(_mm256_castps_si256(marked), _mm256_set1_epi32(i32::MAX));
            let visits = _mm256_cvtepi32_ps(visits);
            let points = _mm256_mul_ps(_mm256_cvtepi32_ps(half_points), _mm256_set1_ps(0.5));
            let pulled = _mm256_mul_ps(_mm256_set1_ps(pull), _mm256_sqrt_ps(visits));
            let bound = _mm256_div_ps(_mm256_add_ps(points, pulled), visits);
            let untried = _mm256_cmp_ps::<_CMP_EQ_OQ>(visits, _mm256_setzero_ps());
            let bound = _mm256_blendv_ps(bound, _mm256_set1_ps(first_play), untried);
            // The sign bit is the mark of a proof.
            let bound = _mm256_blendv_ps(bound, _mm256_set1_ps(f32::NEG_INFINITY), marked);
            let halves = _mm256_permute2f128_ps::<1>(bound, bound);
            let largest = _mm256_max_ps(bound, halves);
            let largest = _mm256_max_ps(largest, _mm256_shuffle_ps::<0x4e>(largest, largest));
            let largest = _mm256_max_ps(largest, _mm256_shuffle_ps::<0xb1>(largest, largest));
            let places = _mm256_cmp_ps::<_CMP_EQ_OQ>(bound, largest);
            let at = _mm256_movemask_ps(places).trailing_zeros() as usize;
            (_mm256_cvtss_f32(largest), at)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{best_ucb1, one_by_one};
    use crate::mcts::tree::Node;
    use crate::value::Value;
    use stoneline_rules::Chance;

    #[test]
    fn eight_at_once_choose_as_one_by_one() {
        let mut chance = Chance::new(17);
        for _ in 0..20_000 {
            let busiest = 1 << chance.below(20);
            let children: Vec<Node> = (0..1 + chance.below(20))
                .map(|_| {
                    let node = Node::default();
                    if chance.below(3) > 0 {
                        let visits = chance.below(busiest);
                        let half_points = chance.below(2 * visits + 1);
                        node.add::<false>(visits.into(), half_points.into());
                    }
                    if chance.below(4) == 0 {
                        node.prove(Value::Draw);
                    }
                    node
                })
                .collect();
            let pull = chance.below(100) as f32 * 0.02;
            let first_play = [0.5, 1.1, 100.0][chance.below(3) as usize];
            assert_eq!(
                best_ucb1(&children, pull, first_play),
                one_by_one(&children, pull, first_play)
            );
        }
    }
}
