//! The last bytes of a stream: what an engine wrote before it died.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that are kept.
const KEPT: usize = 64 << 10;

/// The last of what came out of a stream, shared with the thread that reads it.
#[derive(Clone, Default, Debug)]
pub(super) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Reads a stream to its end; never waits for whoever looks at the tail.
    pub(super) fn follow(&self, mut stream: impl Read) {
        let mut bytes = [0; 4096];
        while let Ok(size @ 1..) = stream.read(&mut bytes) {
            self.push(&bytes[..size]);
        }
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }

    /// The text that is kept, without control characters but line ends and tabs; `None` if there
    /// is none.
    pub(super) fn text(&self) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text: String = String::from_utf8_lossy(&bytes)
            .chars()
            .filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t'))
            .collect();
        let text = text.trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let tail = Tail::default();
        assert_eq!(tail.text(), None);
        let mut stream = vec![b'a'; 5 * KEPT];
        stream.extend(b"the \x1b\0end\n");
        tail.follow(&stream[..]);
        let text = tail.text().unwrap();
        assert!(
            text.len() < KEPT && text.ends_with("athe end"),
            "{}",
            text.len()
        );
    }
}
