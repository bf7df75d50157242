//! Columns in registers of x86-64 with AVX2.
//!
//! Every intrinsic here is one that AVX2 implies; the module is compiled only
//! where the target has it, which is what makes them safe to call.

use super::Lanes;
use crate::columns::{Columns, MOST_COLUMNS};
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor};

/// Intrinsics of the target.
macro_rules! here {
    ($body:expr) => {{
        #[allow(unsafe_code)]
        // SAFETY: the target has AVX2, see above; pointers are those of arrays long enough.
        unsafe {
            $body
        }
    }};
}

macro_rules! operator {
    ($lanes:ident, $trait:ident, $name:ident, $intrinsic:ident) => {
        impl $trait for $lanes {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(here!($intrinsic(self.0, other.0)))
            }
        }
    };
}

/// Columns in one kind of register: what its intrinsics are called, and what differs besides.
macro_rules! register {
    (
        $lanes:ident of $count:literal,
        $load:ident, $store:ident, $all:ident,
        $and:ident, $or:ident, $xor:ident, $without:ident, $add:ident, $equal:ident, $test:ident,
        $up:ident, $down:ident;
        $($other:item)*
    ) => {
        operator!($lanes, BitAnd, bitand, $and);
        operator!($lanes, BitOr, bitor, $or);
        operator!($lanes, BitXor, bitxor, $xor);

        impl PartialEq for $lanes {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                (*self ^ *other).is_empty()
            }
        }

        impl Lanes for $lanes {
            const COUNT: usize = $count;

            #[inline(always)]
            fn new(columns: &[u16; MOST_COLUMNS]) -> Self {
                Self(here!($load(columns.as_ptr().cast())))
            }

            #[inline(always)]
            fn all(bits: u16) -> Self {
                Self(here!($all(bits as i16)))
            }

            #[inline(always)]
            fn columns(self) -> [u16; MOST_COLUMNS] {
                let mut columns = [0; MOST_COLUMNS];
                here!($store(columns.as_mut_ptr().cast(), self.0));
                columns
            }

            #[inline(always)]
            fn without(self, other: Self) -> Self {
                Self(here!($without(other.0, self.0)))
            }

            #[inline(always)]
            fn plus_one(self) -> Self {
                Self(here!($add(self.0, $all(1))))
            }

            #[inline(always)]
            fn up<const BY: i32>(self) -> Self {
                Self(here!($up::<BY>(self.0)))
            }

            #[inline(always)]
            fn down<const BY: i32>(self) -> Self {
                Self(here!($down::<BY>(self.0)))
            }

            #[inline(always)]
            fn is_empty(self) -> bool {
                here!($test(self.0, self.0)) == 1
            }

            #[inline(always)]
            fn equal(self, other: Self) -> Self {
                Self(here!($equal(self.0, other.0)))
            }

            $($other)*
        }
    };
}

/// Eight columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrow(__m128i);

/// Sixteen columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broad(__m256i);

register! {
    Narrow of 8,
    _mm_loadu_si128, _mm_storeu_si128, _mm_set1_epi16,
    _mm_and_si128, _mm_or_si128, _mm_xor_si128, _mm_andnot_si128,
    _mm_add_epi16, _mm_cmpeq_epi16, _mm_testz_si128,
    _mm_slli_epi16, _mm_srli_epi16;

    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Self {
        let [w0, w1, ..] = words.map(|word| word as i64);
        Self(here!(_mm_set_epi64x(w1, w0)))
    }

    #[inline(always)]
    fn right<const BY: usize>(self) -> Self {
        Self(here!(match BY {
            1 => _mm_slli_si128::<2>(self.0),
            2 => _mm_slli_si128::<4>(self.0),
            _ => _mm_slli_si128::<6>(self.0),
        }))
    }

    #[inline(always)]
    fn left<const BY: usize>(self) -> Self {
        Self(here!(match BY {
            1 => _mm_srli_si128::<2>(self.0),
            2 => _mm_srli_si128::<4>(self.0),
            _ => _mm_srli_si128::<6>(self.0),
        }))
    }

    #[inline(always)]
    fn set(self) -> Columns {
        let empty = self.empty_columns().0;
        let bytes = here!(_mm_movemask_epi8(_mm_packs_epi16(empty, empty)));
        !bytes as Columns & 0xff
    }

    #[inline(always)]
    fn count_empty(self) -> u32 {
        let bytes = here!(_mm_movemask_epi8(self.0)) as u32;
        Self::COUNT as u32 - bytes.count_ones() / 2
    }

    #[inline(always)]
    fn lowest(self) -> (u16, Self) {
        let lowest = here!(_mm_minpos_epu16(self.0));
        (
            here!(_mm_cvtsi128_si32(lowest)) as u16,
            Self(here!(_mm_broadcastw_epi16(lowest))),
        )
    }
}

register! {
    Broad of 16,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm256_set1_epi16,
    _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256, _mm256_andnot_si256,
    _mm256_add_epi16, _mm256_cmpeq_epi16, _mm256_testz_si256,
    _mm256_slli_epi16, _mm256_srli_epi16;

    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Self {
        let [w0, w1, w2, w3] = words.map(|word| word as i64);
        Self(here!(_mm256_set_epi64x(w3, w2, w1, w0)))
    }

    #[inline(always)]
    fn right<const BY: usize>(self) -> Self {
        // The lower half where the upper one is, and nothing below it.
        let below = here!(_mm256_permute2x128_si256::<0x08>(self.0, self.0));
        Self(here!(match BY {
            1 => _mm256_alignr_epi8::<14>(self.0, below),
            2 => _mm256_alignr_epi8::<12>(self.0, below),
            _ => _mm256_alignr_epi8::<10>(self.0, below),
        }))
    }

    #[inline(always)]
    fn left<const BY: usize>(self) -> Self {
        // The upper half where the lower one is, and nothing above it.
        let above = here!(_mm256_permute2x128_si256::<0x81>(self.0, self.0));
        Self(here!(match BY {
            1 => _mm256_alignr_epi8::<2>(above, self.0),
            2 => _mm256_alignr_epi8::<4>(above, self.0),
            _ => _mm256_alignr_epi8::<6>(above, self.0),
        }))
    }

    #[inline(always)]
    fn set(self) -> Columns {
        let empty = self.empty_columns().0;
        let lower = here!(_mm256_castsi256_si128(empty));
        let upper = here!(_mm256_extracti128_si256::<1>(empty));
        let bytes = here!(_mm_movemask_epi8(_mm_packs_epi16(lower, upper)));
        !bytes as Columns
    }

    #[inline(always)]
    fn count_empty(self) -> u32 {
        let bytes = here!(_mm256_movemask_epi8(self.0)) as u32;
        Self::COUNT as u32 - bytes.count_ones() / 2
    }

    #[inline(always)]
    fn lowest(self) -> (u16, Self) {
        let lower = here!(_mm256_castsi256_si128(self.0));
        let upper = here!(_mm256_extracti128_si256::<1>(self.0));
        let lowest = here!(_mm_minpos_epu16(_mm_min_epu16(lower, upper)));
        (
            here!(_mm_cvtsi128_si32(lowest)) as u16,
            Self(here!(_mm256_broadcastw_epi16(lowest))),
        )
    }
}
