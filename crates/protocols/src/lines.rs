//! Bytes to lines, bounded: whoever writes can neither exhaust our memory nor
//! make us wait for the end of an endless line.

use thiserror::Error;

/// Splits a stream of bytes into lines; LF and CRLF end one.
///
/// ```
/// use stoneline_protocols::Lines;
/// let mut lines = Lines::new(8);
/// lines.push(b"START 15\r\nfar too long a line\nB");
/// assert_eq!(lines.next(), Some(Ok("START 15".to_owned())));
/// assert!(lines.next().unwrap().is_err());
/// assert_eq!(lines.next(), None);
/// lines.push(b"EGIN\n");
/// assert_eq!(lines.next(), Some(Ok("BEGIN".to_owned())));
/// ```
#[derive(Debug)]
pub struct Lines {
    bytes: Vec<u8>,
    longest: usize,
    /// Inside a line that is too long already, whose rest is thrown away.
    overflowing: bool,
}

/// A line longer than whoever reads wants to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a line of more than {longest} bytes")]
pub struct LineTooLong {
    /// Most bytes of a line.
    pub longest: usize,
}

impl Lines {
    /// A splitter that refuses lines of more than `longest` bytes.
    pub const fn new(longest: usize) -> Self {
        Self {
            bytes: Vec::new(),
            longest,
            overflowing: false,
        }
    }

    /// Takes in what was read. Holds at most what was pushed since the last line was taken out.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// What is left at the end of the stream: a last line without its end, if there is one.
    pub fn rest(&mut self) -> Option<Result<String, LineTooLong>> {
        if self.bytes.is_empty() || std::mem::take(&mut self.overflowing) {
            self.bytes.clear();
            return None;
        }
        let line = std::mem::take(&mut self.bytes);
        Some(self.text(&line))
    }

    /// The line without its end, broken UTF-8 made visible rather than refused.
    fn text(&self, line: &[u8]) -> Result<String, LineTooLong> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > self.longest {
            return Err(LineTooLong {
                longest: self.longest,
            });
        }
        Ok(String::from_utf8_lossy(line).into_owned())
    }
}

/// The next whole line; `None` until more bytes are pushed. A line that is too
/// long is told once, as soon as it is known to be, and skipped to its end.
impl Iterator for Lines {
    type Item = Result<String, LineTooLong>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(end) = self.bytes.iter().position(|&byte| byte == b'\n') else {
                // One more for the CR of a line that may still end in time.
                if self.overflowing {
                    self.bytes.clear();
                } else if self.bytes.len() > self.longest + 1 {
                    self.bytes.clear();
                    self.overflowing = true;
                    return Some(Err(LineTooLong {
                        longest: self.longest,
                    }));
                }
                return None;
            };
            let line: Vec<u8> = self.bytes.drain(..=end).collect();
            if !std::mem::take(&mut self.overflowing) {
                return Some(self.text(&line[..end]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::Chance;

    /// The slow twin: whole input at once.
    fn split(input: &[u8], longest: usize) -> Vec<Option<String>> {
        let mut parts: Vec<&[u8]> = input.split(|&byte| byte == b'\n').collect();
        if parts.last().is_some_and(|last| last.is_empty()) {
            parts.pop();
        }
        parts
            .into_iter()
            .map(|part| part.strip_suffix(b"\r").unwrap_or(part))
            .map(|part| (part.len() <= longest).then(|| String::from_utf8_lossy(part).into_owned()))
            .collect()
    }

    #[test]
    fn pieces_of_any_size_give_the_same_lines() {
        for seed in 0..2000 {
            let mut chance = Chance::new(seed);
            let input: Vec<u8> = (0..chance.below(60))
                .map(|_| b"ab\n\n\r\xff\0"[chance.below(7) as usize])
                .collect();
            let mut lines = Lines::new(4);
            let mut found = Vec::new();
            let mut at = 0;
            while at < input.len() {
                let size = (1 + chance.below(9) as usize).min(input.len() - at);
                lines.push(&input[at..at + size]);
                at += size;
                found.extend(lines.by_ref().map(Result::ok));
            }
            found.extend(lines.rest().map(Result::ok));
            assert_eq!(found, split(&input, 4), "{input:?}");
        }
    }

    #[test]
    fn an_endless_line_takes_no_memory() {
        let mut lines = Lines::new(100);
        let mut told = 0;
        for _ in 0..10_000 {
            lines.push(&[b'x'; 1000]);
            told += lines.by_ref().count();
        }
        assert_eq!(told, 1);
        assert!(lines.bytes.capacity() < 10_000);
    }
}
