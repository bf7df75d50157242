//! `--codes`: the results of a match as the course's local judge writes them.

use anyhow::Context;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use stoneline_arena::{Finished, course_code, course_code_meaning};
use stoneline_rules::Side;

/// A file of codes that grows with each game, and how often each came.
pub(crate) struct Codes {
    file: File,
    counts: BTreeMap<i8, u32>,
    trouble: io::Result<()>,
}

impl Codes {
    /// An empty file at `path`.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| format!("{}", path.display()))?;
        Ok(Self {
            file,
            counts: BTreeMap::new(),
            trouble: Ok(()),
        })
    }

    /// Adds a game; A is the first player of the match.
    pub(crate) fn add(&mut self, finished: &Finished) {
        let (first, side) = match finished.fixture.players[0] {
            0 => ('A', Side::First),
            _ => ('B', Side::Second),
        };
        let code = course_code(&finished.game, side);
        *self.counts.entry(code).or_default() += 1;
        let round = finished.fixture.pair() + 1;
        let written = writeln!(self.file, "{round} {first} {code}");
        // The first trouble is told, at the end of the match.
        if self.trouble.is_ok() {
            self.trouble = written;
        }
    }

    /// How often each code came, as JSON; fails if the file could not be written.
    pub(crate) fn json(self) -> anyhow::Result<Value> {
        self.trouble.context("the file of codes")?;
        let counts = self.counts.into_iter();
        let object: Map<String, Value> = counts
            .map(|(code, count)| (code.to_string(), count.into()))
            .collect();
        Ok(Value::Object(object))
    }

    /// How often each code came, as a table; fails if the file could not be written.
    pub(crate) fn write_table(self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.trouble.context("the file of codes")?;
        for (code, count) in self.counts {
            let meaning = course_code_meaning(code).unwrap_or_default();
            writeln!(out, "code {code:>2} {count:>6}  {meaning}")?;
        }
        Ok(())
    }
}
