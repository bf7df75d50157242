//! Foreign players: programs that speak a protocol, and the course's libraries.
//!
//! Each is a process of its own that is trusted in nothing: fed and read
//! without ever waiting for it, its output bounded, its processes ended with
//! their children, its memory, files and network fenced off where the kernel
//! can. What goes wrong is a loss with a reason and the last of its stderr.

pub(crate) mod child;
mod codes;
pub(crate) mod command;
mod conversation;
mod gomocup;
mod json;
pub(crate) mod library;
mod program;
mod saiblo;
mod tail;

pub use child::run_as_child;
pub use codes::{course_code, course_code_meaning};

use crate::player::{Maker, Player, Scheme};
use command::CommandLine;
use std::sync::Arc;
use stoneline_rules::{ReadError, Variant};

/// Every kind of foreign player.
pub(crate) static SCHEMES: &[Scheme] = &[
    Scheme {
        name: "gomocup",
        read: |rest| Programs::read(rest, Protocol::Gomocup),
    },
    Scheme {
        name: "saiblo",
        read: |rest| Programs::read(rest, Protocol::Saiblo),
    },
    Scheme {
        name: "json",
        read: |rest| Programs::read(rest, Protocol::Json),
    },
    Scheme {
        name: "so",
        read: |rest| Programs::read(rest, Protocol::Library),
    },
];

/// How a program is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protocol {
    Gomocup,
    Saiblo,
    Json,
    /// Saiblo's plain variant, spoken by our own host that loads the library.
    Library,
}

/// The maker of players that are programs.
struct Programs {
    protocol: Protocol,
    command: Arc<CommandLine>,
}

impl Programs {
    fn read(rest: &str, protocol: Protocol) -> Result<Box<dyn Maker>, ReadError> {
        let command = match protocol {
            Protocol::Library => CommandLine::of_library(rest),
            _ => CommandLine::read(rest),
        }?;
        Ok(Box::new(Self {
            protocol,
            command: Arc::new(command),
        }))
    }
}

impl Maker for Programs {
    fn check(&self, variant: &Variant) -> Result<(), String> {
        self.command.check()?;
        match self.protocol {
            Protocol::Gomocup => gomocup::check(variant),
            Protocol::Saiblo | Protocol::Library => saiblo::check(variant),
            Protocol::Json => Ok(()),
        }
    }

    fn make(&self) -> Box<dyn Player> {
        let command = Arc::clone(&self.command);
        match self.protocol {
            Protocol::Gomocup => Box::new(gomocup::GomocupPlayer::new(command)),
            Protocol::Saiblo | Protocol::Library => Box::new(saiblo::SaibloPlayer::new(command)),
            Protocol::Json => Box::new(json::JsonPlayer::new(command)),
        }
    }

    fn fingerprint(&self) -> Option<String> {
        self.command.fingerprint()
    }
}
