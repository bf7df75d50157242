//! What a command takes that plays what a file describes, and keeps its games beside the file.

use anyhow::Context;
use std::path::{Path, PathBuf};
use stoneline_arena::{PlanError, Store};

/// The file, and what becomes of its games and findings.
#[derive(clap::Args)]
pub(crate) struct Written {
    /// What is to be played; `--example` prints one
    #[arg(value_name = "FILE.toml", required_unless_present = "example")]
    file: Option<PathBuf>,

    /// Print a file to begin with
    #[arg(long, conflicts_with = "file")]
    example: bool,

    /// Keep the games here instead of beside the file
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// One JSON object at the end instead of Markdown
    #[arg(long)]
    pub(crate) json: bool,
}

impl Written {
    /// What the file describes and the store of its games; `None` if an example is wanted.
    pub(crate) fn open<T>(
        &self,
        read: impl Fn(&Path) -> Result<T, PlanError>,
    ) -> anyhow::Result<Option<(T, Store)>> {
        let Some(file) = self.file.as_deref().filter(|_| !self.example) else {
            return Ok(None);
        };
        let described = match read(file) {
            // Such an error names the file itself.
            Err(error @ PlanError::File { .. }) => return Err(error.into()),
            other => other.with_context(|| file.display().to_string())?,
        };
        let store = match &self.store {
            Some(store) => Store::open(store)?,
            None => Store::open(&file.with_extension("db"))?,
        };
        Ok(Some((described, store)))
    }
}
