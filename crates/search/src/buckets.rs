//! Zeroed memory in buckets of atomic words, the ground of every table that threads share.
//!
//! Owns the map and the way from a key to its bucket. Knows nothing of what the
//! words mean. The memory bound given is never exceeded.

use memmap2::{MmapMut, MmapRaw};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes of the smallest page of any machine.
const SMALLEST_PAGE: usize = 1 << 12;

/// Buckets of `WORDS` words each.
pub(crate) struct Buckets<const WORDS: usize> {
    memory: MmapRaw,
    count: u64,
}

impl<const WORDS: usize> Buckets<WORDS> {
    const BUCKET_BYTES: usize = size_of::<[AtomicU64; WORDS]>();

    /// Empty buckets of at most `bytes` altogether, and at least one.
    ///
    /// # Errors
    /// If the machine refuses the memory.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        let count = Self::bytes_of(bytes) / Self::BUCKET_BYTES;
        let memory = MmapMut::map_anon(count * Self::BUCKET_BYTES)?;
        // A look-up touches a random page: large ones save a quarter of the time. The
        // system may refuse them, and then everything still works.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self {
            memory: memory.into(),
            count: count as u64,
        })
    }

    /// Bytes that buckets of at most `bytes` altogether take.
    pub(crate) fn bytes_of(bytes: usize) -> usize {
        (bytes / Self::BUCKET_BYTES).max(1) * Self::BUCKET_BYTES
    }

    /// Has the system hand out every page now, not one by one in the middle of a search.
    pub(crate) fn touch(&self) {
        for bucket in self
            .all()
            .iter()
            .step_by(SMALLEST_PAGE / Self::BUCKET_BYTES)
        {
            bucket[0].store(0, Relaxed);
        }
    }

    /// Bytes that the buckets take.
    pub(crate) fn bytes(&self) -> usize {
        self.count as usize * Self::BUCKET_BYTES
    }

    #[inline(always)]
    fn all(&self) -> &[[AtomicU64; WORDS]] {
        #[allow(unsafe_code)]
        // SAFETY: the memory is a page-aligned, zeroed private map of `count` buckets
        // that lives as long as `self`; zero is a valid atomic word, and all access
        // goes through atomics.
        unsafe {
            std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.count as usize)
        }
    }

    /// Makes every word zero again.
    pub(crate) fn clear(&self) {
        for word in self.all().iter().flatten() {
            word.store(0, Relaxed);
        }
    }

    /// The bucket of `key`, chosen by its high bits.
    #[inline(always)]
    pub(crate) fn of(&self, key: u64) -> &[AtomicU64; WORDS] {
        let place = (u128::from(key) * u128::from(self.count)) >> 64;
        &self.all()[place as usize]
    }

    /// Asks the machine to bring the bucket of `key` closer.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.of(key));
    }
}

/// Asks the machine to bring what `place` refers to closer.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(unsafe_code)]
        // SAFETY: a prefetch only hints; the pointer is that of a live reference.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
