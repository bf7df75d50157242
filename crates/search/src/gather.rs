//! Bits picked out of a word and moved together, by one instruction where there is one.

/// The bits of `word` that `mask` selects, moved together at the low end.
#[inline(always)]
pub(crate) fn gather(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[allow(unsafe_code)]
    // SAFETY: the enclosing `cfg` says that the instruction exists on the target.
    unsafe {
        std::arch::x86_64::_pext_u64(word, mask)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut left, mut gathered, mut at) = (mask, 0, 0);
        while left != 0 {
            gathered |= (word >> left.trailing_zeros() & 1) << at;
            left &= left - 1;
            at += 1;
        }
        gathered
    }
}

#[cfg(test)]
mod tests {
    use super::gather;
    use stoneline_rules::Chance;

    #[test]
    fn gathered_bits_are_the_selected_ones_in_order() {
        let mut chance = Chance::new(5);
        for _ in 0..10_000 {
            let (word, mask) = (chance.draw(), chance.draw() & chance.draw());
            let selected = (0..64).filter(|at| mask >> at & 1 == 1);
            let expected = selected
                .enumerate()
                .fold(0, |set, (to, from)| set | (word >> from & 1) << to);
            assert_eq!(gather(word, mask), expected);
        }
    }
}
