//! The identity of a game: a hash of all that decides it.
//!
//! Two games with one identity are the same game, so it is never played or
//! counted twice. The text that is hashed is part of the store's format.

use crate::game::Terms;
use sha2::{Digest, Sha256};
use std::fmt;
use std::fmt::Write;
use stoneline_rules::Position;
use stoneline_search::Limits;

/// The hash of a game's players with all their options, opening, colours, limits and seed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Identity([u8; 16]);

impl Identity {
    /// The identity written as `text`, 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        u128::from_str_radix(text, 16)
            .ok()
            .filter(|_| text.len() == 32)
            .map(|number| Self(number.to_be_bytes()))
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

/// The identity of a game; `seats` are the name and identity of the first and the second side.
pub(crate) fn identity(
    seats: &[(&str, String); 2],
    opening: &Position,
    limits: &[Limits; 2],
    terms: &Terms,
    seed: u64,
) -> Identity {
    let mut text = format!("game 1\nopening {:?}\nseed {seed}\n", opening.notation());
    for ((name, player), limits) in seats.iter().zip(limits) {
        let _ = writeln!(text, "player {name:?} {player:?} {}", limits_text(limits));
    }
    let ending = &terms.adjudication;
    let _ = writeln!(
        text,
        "tolerance {}us proof {:?} score {:?} moves {:?}",
        terms.tolerance.as_micros(),
        ending.proof_nodes,
        ending.score,
        ending.moves
    );
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    Identity(short)
}

/// What is limited, with units, in a fixed order.
pub(crate) fn limits_text(limits: &Limits) -> String {
    let time = |name, time: Option<std::time::Duration>| {
        time.map(|time| format!("{name}={}us", time.as_micros()))
    };
    let number = |name, number: Option<u64>| number.map(|number| format!("{name}={number}"));
    let bytes = limits.memory_bytes.map(|bytes| bytes as u64);
    let threads = limits.threads.map(|threads| threads as u64);
    [
        time("time", limits.time),
        time("clock", limits.remaining),
        time("increment", limits.increment),
        time("overage", limits.overage),
        time("reserve", limits.reserve),
        number("nodes", limits.nodes),
        number("simulations", limits.simulations),
        number("memory", bytes),
        number("threads", threads),
        number("seed", limits.seed),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjudicate::Adjudication;
    use std::time::Duration;

    #[test]
    fn everything_that_decides_a_game_is_in_its_identity() {
        let seats = |one: &str, other: &str| [("a", one.to_owned()), ("b", other.to_owned())];
        let opening: Position = "connect4 44".parse().unwrap();
        let limits = [Limits::default(), Limits::default()];
        let terms = Terms {
            tolerance: Duration::from_secs(1),
            adjudication: Adjudication::default(),
        };
        let usual = identity(&seats("mcts", "random"), &opening, &limits, &terms, 1);
        assert_eq!(Identity::parse(&usual.to_string()), Some(usual));
        assert_eq!(
            usual,
            identity(&seats("mcts", "random"), &opening, &limits, &terms, 1)
        );
        let slower = Terms {
            tolerance: Duration::from_secs(2),
            ..terms.clone()
        };
        let limited = [
            Limits {
                nodes: Some(5),
                ..Limits::default()
            },
            Limits::default(),
        ];
        let turned = [limited[1].clone(), limited[0].clone()];
        let others = [
            identity(&seats("random", "mcts"), &opening, &limits, &terms, 1),
            identity(
                &seats("mcts:reuse=no", "random"),
                &opening,
                &limits,
                &terms,
                1,
            ),
            identity(
                &seats("mcts", "random"),
                &"connect4 45".parse().unwrap(),
                &limits,
                &terms,
                1,
            ),
            identity(&seats("mcts", "random"), &opening, &limited, &terms, 1),
            identity(&seats("mcts", "random"), &opening, &turned, &terms, 1),
            identity(&seats("mcts", "random"), &opening, &limits, &slower, 1),
            identity(&seats("mcts", "random"), &opening, &limits, &terms, 2),
        ];
        let distinct: std::collections::HashSet<_> = others.iter().chain([&usual]).collect();
        assert_eq!(distinct.len(), 8);
    }
}
