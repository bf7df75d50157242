//! The fence around a foreign program, and the end of all its processes.
//!
//! Linux alone offers what it takes, in `linux`; elsewhere the program runs
//! bare, is ended alone, and [`missing_protection`] says so. The fence is put
//! up by the player's own process before it becomes the player, so that
//! nothing has to be done between fork and exec.
//!
//! ```text
//! arena -> supervise-player: reaps, and ends all that descends from it
//!            -> confine-player: limits and fences itself, then becomes the player
//! ```

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

pub(super) use system::{confine, end, supervise, supervised};

use super::command::Bounds;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What this system can't keep foreign programs from, in a sentence; `None` if it can all that
/// we ask for.
pub fn missing_protection() -> Option<String> {
    let missing = system::missing();
    (!missing.is_empty()).then(|| {
        format!(
            "foreign programs are not kept from {} on this system",
            missing.join(", nor from ")
        )
    })
}

/// What a player's process is told of its fence, as arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fence {
    memory_bytes: u64,
    files: u64,
    file_bytes: u64,
    /// The only folder that may be written in.
    scratch: PathBuf,
}

impl Fence {
    fn new(bounds: &Bounds, scratch: &Path) -> Self {
        Self {
            memory_bytes: bounds.memory_bytes,
            files: bounds.files,
            file_bytes: bounds.file_bytes,
            scratch: scratch.to_path_buf(),
        }
    }

    fn arguments(&self) -> Vec<OsString> {
        let numbers = [self.memory_bytes, self.files, self.file_bytes];
        let mut arguments: Vec<OsString> = numbers.map(|number| number.to_string().into()).to_vec();
        arguments.push(self.scratch.clone().into_os_string());
        arguments
    }

    /// The fence that the first arguments tell, and those after them: the player's command.
    fn read(arguments: &[OsString]) -> Option<(Self, &[OsString])> {
        let (head, command) = arguments.split_at_checked(4)?;
        let number = |at: usize| head[at].to_str()?.parse().ok();
        let fence = Self {
            memory_bytes: number(0)?,
            files: number(1)?,
            file_bytes: number(2)?,
            scratch: PathBuf::from(&head[3]),
        };
        (!command.is_empty()).then_some((fence, command))
    }
}
