//! What is run for a foreign player, and what it may take: `[key=value,...:]COMMAND`.

use super::child::HOST_LIBRARY;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use stoneline_rules::ReadError;

/// A program with its arguments and its limits.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    /// The program and its arguments.
    pub(crate) words: Vec<OsString>,
    /// The folder to run it in; the arena's own if none is given.
    pub(crate) folder: Option<PathBuf>,
    /// What it may take.
    pub(crate) bounds: Bounds,
    /// The file that makes it play as it does.
    file: PathBuf,
    /// Our own program, which supervises and confines it; the running one if none is given.
    host: Option<PathBuf>,
}

/// What a foreign program may take, beside the time of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// Until its first answer.
    pub(super) start: Duration,
    /// For an answer where no clock runs.
    pub(super) wait: Duration,
    /// Bytes of address space of each of its processes.
    pub(crate) memory_bytes: u64,
    /// Open files of each of its processes.
    pub(crate) files: u64,
    /// Bytes of each file that it writes.
    pub(crate) file_bytes: u64,
    /// Bytes that it may say for one answer.
    pub(super) answer_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            wait: Duration::from_secs(300),
            memory_bytes: 4 << 30,
            files: 256,
            file_bytes: 64 << 20,
            answer_bytes: 4 << 20,
        }
    }
}

/// The keys, as complaints list them.
const KEYS: &str = "start, wait (milliseconds), memory, file, answer (megabytes), files, host";

impl CommandLine {
    /// The command line that `text` is: words with blanks between, `'` or `"` around a word that
    /// holds some.
    pub(crate) fn read(text: &str) -> Result<Self, ReadError> {
        let (mut line, rest) = Self::read_keys(text)?;
        let words = split(text, rest)?;
        let Some(program) = words.first() else {
            return Err(ReadError::at_part(text, rest, "expected a command"));
        };
        line.file = PathBuf::from(program);
        // Engines look for their files beside themselves.
        if program.contains('/')
            && let Ok(whole) = std::path::absolute(program)
        {
            line.folder = whole.parent().map(Path::to_path_buf);
            line.file = whole;
        }
        line.words = words.into_iter().map(OsString::from).collect();
        line.words[0] = line.file.clone().into_os_string();
        Ok(line)
    }

    /// Our own program, hosting the library whose file `text` names.
    pub(super) fn of_library(text: &str) -> Result<Self, ReadError> {
        let (mut line, rest) = Self::read_keys(text)?;
        if rest.trim().is_empty() {
            return Err(ReadError::at_part(text, rest, "expected a library's file"));
        }
        line.file = std::path::absolute(rest.trim()).unwrap_or_else(|_| PathBuf::from(rest));
        line.words = vec![
            line.host().into_os_string(),
            HOST_LIBRARY.into(),
            line.file.clone().into_os_string(),
        ];
        Ok(line)
    }

    /// The keys before the command, and the command.
    fn read_keys(text: &str) -> Result<(Self, &str), ReadError> {
        let mut line = Self {
            words: Vec::new(),
            folder: None,
            bounds: Bounds::default(),
            file: PathBuf::new(),
            host: None,
        };
        let Some((keys, rest)) = text.split_once(':').filter(|(keys, _)| is_keys(keys)) else {
            return Ok((line, text));
        };
        for pair in keys.split(',') {
            let set = pair
                .split_once('=')
                .ok_or_else(|| "expected key=value".to_owned())
                .and_then(|(key, value)| line.set(key, value));
            set.map_err(|reason| ReadError::at_part(text, pair, reason))?;
        }
        Ok((line, rest))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || {
            let number = value.parse::<u64>().ok();
            number
                .filter(|number| (1..=1 << 40).contains(number))
                .ok_or_else(|| format!("{key}: {value:?} is no whole number from 1"))
        };
        let bounds = &mut self.bounds;
        match key {
            "start" => bounds.start = Duration::from_millis(number()?),
            "wait" => bounds.wait = Duration::from_millis(number()?),
            "memory" => bounds.memory_bytes = number()? << 20,
            "files" => bounds.files = number()?,
            "file" => bounds.file_bytes = number()? << 20,
            "answer" => bounds.answer_bytes = (number()? << 20) as usize,
            "host" => self.host = Some(PathBuf::from(value)),
            _ => return Err(format!("no key {key:?}; there are {KEYS}")),
        }
        Ok(())
    }

    /// Our own program, which supervises and confines.
    pub(crate) fn host(&self) -> PathBuf {
        let running = || std::env::current_exe().unwrap_or_else(|_| PathBuf::from("stoneline"));
        self.host.clone().unwrap_or_else(running)
    }

    /// Whether the file is there.
    pub(super) fn check(&self) -> Result<(), String> {
        // A bare name is looked for along PATH when it is run.
        if self.file.components().count() > 1 && !self.file.is_file() {
            return Err(format!("there is no file {}", self.file.display()));
        }
        Ok(())
    }

    /// A hash of the file's content, where it can be read.
    pub(super) fn fingerprint(&self) -> Option<String> {
        let content = std::fs::read(&self.file).ok()?;
        let digest = Sha256::digest(&content);
        let digits = digest.iter().take(8).map(|byte| format!("{byte:02x}"));
        Some(digits.collect())
    }
}

/// Whether what stands before a colon are keys and not the beginning of a command.
fn is_keys(text: &str) -> bool {
    !text.is_empty()
        && text.split(',').all(|pair| {
            pair.split_once('=').is_some_and(|(key, value)| {
                !value.contains([' ', '"', '\''])
                    && !key.is_empty()
                    && key.bytes().all(|byte| byte.is_ascii_lowercase())
            })
        })
}

/// The words of a command.
fn split(text: &str, command: &str) -> Result<Vec<String>, ReadError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    match quote {
        Some(open) => {
            let reason = format!("a word that {open} opens is never closed");
            Err(ReadError::at(text, text.len(), reason))
        }
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let line = CommandLine::read(text).unwrap();
        let words = line.words.into_iter();
        words.map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn commands_are_split_as_a_shell_would() {
        assert_eq!(words("engine --a  b"), ["engine", "--a", "b"]);
        assert_eq!(
            words("sh -c 'echo \"a b\"' ''"),
            ["sh", "-c", "echo \"a b\"", ""]
        );
        assert_eq!(words("/bin/a b:c=d"), ["/bin/a", "b:c=d"]);
        for text in ["", "  ", "memory=5:", "a 'b"] {
            assert!(CommandLine::read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn keys_come_before_the_command() {
        let line = CommandLine::read("memory=350,start=500,files=20:/bin/cat -u").unwrap();
        assert_eq!(line.bounds.memory_bytes, 350 << 20);
        assert_eq!(line.bounds.start, Duration::from_millis(500));
        assert_eq!((line.bounds.files, line.words.len()), (20, 2));
        assert_eq!(line.folder.as_deref(), Some(Path::new("/bin")));
        for text in ["memory=0:cat", "memory=much:cat", "speed=5:cat"] {
            assert!(CommandLine::read(text).is_err(), "{text:?}");
        }
        let library = CommandLine::of_library("host=/bin/us:/lib/them.so").unwrap();
        assert_eq!(library.words, ["/bin/us", HOST_LIBRARY, "/lib/them.so"]);
        assert!(library.check().unwrap_err().contains("/lib/them.so"));
    }
}
