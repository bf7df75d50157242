//! `--log`: what the program does, step by step, on stderr or into a file.

use anyhow::Context;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Mutex;
use tracing::level_filters::LevelFilter;

/// Where to log, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    /// On stderr, up to a level.
    Stderr(LevelFilter),
    /// Everything but the finest, into a file.
    File(PathBuf),
}

impl FromStr for Log {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("expected off, error, warn, info, debug, trace, or a file".to_owned()),
            // Numbers are levels to the library, and file names to people.
            "off" | "error" | "warn" | "info" | "debug" | "trace" => text
                .parse()
                .map(Self::Stderr)
                .map_err(|error| format!("{error}")),
            file => Ok(Self::File(file.into())),
        }
    }
}

impl Log {
    /// Whether lines would go to stderr.
    pub(crate) fn is_on_stderr(&self) -> bool {
        matches!(self, Self::Stderr(level) if *level != LevelFilter::OFF)
    }

    /// Logs from now on.
    pub(crate) fn start(&self) -> anyhow::Result<()> {
        let lines = tracing_subscriber::fmt().with_ansi(false);
        // Only the first in a process counts; there is one.
        let _ = match self {
            Self::Stderr(level) => lines
                .with_max_level(*level)
                .with_writer(io::stderr)
                .try_init(),
            Self::File(path) => {
                let file = File::options().create(true).append(true).open(path);
                let file = file.with_context(|| format!("--log {}", path.display()))?;
                lines
                    .with_max_level(LevelFilter::DEBUG)
                    .with_writer(Mutex::new(file))
                    .try_init()
            }
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_files_are_told_apart() {
        assert_eq!("info".parse(), Ok(Log::Stderr(LevelFilter::INFO)));
        assert_eq!("run.log".parse(), Ok(Log::File("run.log".into())));
        assert_eq!("3".parse(), Ok(Log::File("3".into())));
        assert!("".parse::<Log>().is_err());
        assert!(!Log::Stderr(LevelFilter::OFF).is_on_stderr());
    }
}
