//! The one trait behind which every player of the arena stands, and the way
//! from a player's text to the player.
//!
//! A player answers or loses; it never ends the arena. What it says is
//! checked by the referee, who also times it: a player decides nothing about
//! its own case.

use crate::game::Reason;
use crate::house::House;
use crate::players::SCHEMES;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use stoneline_rules::{Cell, Position, ReadError, Side, Variant};
use stoneline_search::{Limits, Spec, Value};
use thiserror::Error;

/// Someone who plays games: an engine of ours, a process, a hosted library.
pub trait Player: Send {
    /// Gets ready for a game; the last one is over, however it ended.
    ///
    /// # Errors
    /// The loss of the game when the player can't start it.
    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Loss>;

    /// The move to play.
    ///
    /// The referee measures the time of this call and checks the move. The call
    /// must return soon after `turn.deadline`, answer or not, and as soon as
    /// possible once `turn.stop` is set: that game is not counted.
    ///
    /// # Errors
    /// The loss of the game when no answer came.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Loss>;

    /// The last of what it wrote on its error stream, if it has one and wrote anything.
    fn stderr(&self) -> Option<String> {
        None
    }

    /// Lets go of everything: processes, files, memory. No game follows.
    fn end(&mut self) {}
}

/// A game that is about to begin.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The game.
    pub variant: &'a Variant,
    /// The side that the player has.
    pub side: Side,
    /// What the first turn may take; `remaining` is the whole match clock.
    pub limits: &'a Limits,
    /// How late an answer may come before it loses.
    pub tolerance: Duration,
}

/// A turn of a player.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Where the game stands; the player is to move.
    pub position: &'a Position,
    /// The opponent's answer to this player's last move; `None` on its first turn,
    /// when all of `position` is new to it.
    pub reply: Option<Cell>,
    /// What this turn may take.
    pub limits: &'a Limits,
    /// How long after the call an answer still counts, tolerance included;
    /// `None` without a clock.
    pub deadline: Option<Duration>,
    /// Set when nobody waits for the answer any more.
    pub stop: &'a AtomicBool,
}

/// A player's move and what it tells of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The move.
    pub cell: Cell,
    /// What the position is worth to the player, if it says.
    pub value: Option<Value>,
    /// Nodes searched, if it says.
    pub nodes: Option<u64>,
    /// Simulations run, if it says.
    pub simulations: Option<u64>,
    /// Plies looked ahead, if it says.
    pub depth: Option<u32>,
}

impl Answer {
    /// A move of which nothing is told.
    pub const fn bare(cell: Cell) -> Self {
        Self {
            cell,
            value: None,
            nodes: None,
            simulations: None,
            depth: None,
        }
    }
}

/// A game lost by its player's own fault.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {sentence}", reason.name())]
pub struct Loss {
    /// The kind of fault.
    pub reason: Reason,
    /// What happened, in a sentence that names the offender's words or numbers.
    pub sentence: String,
}

impl Loss {
    /// A loss for `reason`, told in `sentence`.
    pub fn new(reason: Reason, sentence: impl Into<String>) -> Self {
        Self {
            reason,
            sentence: sentence.into(),
        }
    }
}

/// Why a player can't take part at all, known before the first game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{player}: {reason}")]
pub struct Unfit {
    /// The player's text.
    pub player: String,
    /// Why not.
    pub reason: String,
}

/// The way from a player's text to players, as many as games run at once.
pub trait Maker: Send + Sync {
    /// Whether the player can take part in games of `variant`.
    ///
    /// # Errors
    /// Why it can't, in a sentence: the game is not its own, its file is missing.
    fn check(&self, variant: &Variant) -> Result<(), String>;

    /// A player, not yet started.
    fn make(&self) -> Box<dyn Player>;

    /// The limits that the player's own keys set, which come before those of the game.
    fn own_limits(&self) -> Limits {
        Limits::default()
    }

    /// What distinguishes this player from another of the same text: a file's content.
    fn fingerprint(&self) -> Option<String> {
        None
    }
}

/// A kind of foreign player: `NAME:REST`.
pub struct Scheme {
    /// What stands before the colon.
    pub name: &'static str,
    /// Reads what stands after it.
    pub read: fn(rest: &str) -> Result<Box<dyn Maker>, ReadError>,
}

/// A player as text: `NAME[:key=value,...]` for our engines, `SCHEME:REST` for foreign ones.
///
/// ```
/// use stoneline_arena::Entrant;
/// let entrant: Entrant = "mcts:simulations=100".parse().unwrap();
/// assert_eq!(entrant.text(), "mcts:simulations=100");
/// assert!(entrant.check(&"connect4".parse().unwrap()).is_ok());
/// assert!("mcst".parse::<Entrant>().is_err());
/// ```
#[derive(Clone)]
pub struct Entrant {
    text: String,
    maker: Arc<dyn Maker>,
}

impl Entrant {
    /// The player's text as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the player can take part in games of `variant`.
    ///
    /// # Errors
    /// Why it can't.
    pub fn check(&self, variant: &Variant) -> Result<(), Unfit> {
        self.maker.check(variant).map_err(|reason| Unfit {
            player: self.text.clone(),
            reason,
        })
    }

    /// Whether the player is another program.
    pub fn is_foreign(&self) -> bool {
        scheme(&self.text).is_some()
    }

    /// A player, not yet started.
    pub fn make(&self) -> Box<dyn Player> {
        self.maker.make()
    }

    /// The limits that the player's own keys set.
    pub fn own_limits(&self) -> Limits {
        self.maker.own_limits()
    }

    /// All that makes this player play as it does, for the identity of its games.
    pub fn identity(&self) -> String {
        match self.maker.fingerprint() {
            Some(fingerprint) => format!("{} {fingerprint}", self.text),
            None => self.text.clone(),
        }
    }
}

impl fmt::Debug for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entrant({:?})", self.text)
    }
}

/// The kind of foreign player that `text` names, and what stands after the colon.
fn scheme(text: &str) -> Option<(&'static Scheme, &str)> {
    let (name, rest) = text.split_once(':')?;
    let scheme = SCHEMES.iter().find(|scheme| scheme.name == name)?;
    Some((scheme, rest))
}

impl FromStr for Entrant {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let maker: Arc<dyn Maker> = match scheme(text) {
            Some((scheme, rest)) => (scheme.read)(rest)?.into(),
            None => Arc::new(House::new(text.parse::<Spec>()?)),
        };
        Ok(Self {
            text: text.to_owned(),
            maker,
        })
    }
}
