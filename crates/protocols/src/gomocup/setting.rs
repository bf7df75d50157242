//! What `INFO` tells an engine, and the numbers by which Gomocup calls its rules.

use std::fmt;
use stoneline_rules::Rule;

/// One thing to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Info {
    /// Milliseconds for each move; 0: answer at once.
    TurnMs(u64),
    /// Milliseconds for the whole game; 0: no limit.
    MatchMs(u64),
    /// Milliseconds left for the rest of the game; `None`: no limit.
    LeftMs(Option<u64>),
    /// Bytes of memory; 0: no limit.
    MemoryBytes(u64),
    /// The rule, as a mask of bits.
    Rule(u32),
    /// The depth at which to stop; 0: no limit.
    Depth(u32),
    /// Most nodes of a search; 0: no limit.
    Nodes(u64),
    /// How many threads may work.
    Threads(usize),
    /// Kilobytes for the table of positions.
    HashKb(u64),
    /// How well to play, from 0 to 100.
    Strength(u32),
    /// Anything else, as it came: passed over.
    Other(String),
}

/// What a manager sends for a game without a time limit.
const UNLIMITED_MS: i64 = 2_147_483_647;

impl Info {
    /// What `text`, the key and its value, tells. Nothing is ever wrong: an INFO is not answered.
    pub(super) fn read(text: &str) -> Self {
        let other = || Self::Other(text.to_owned());
        let Some((key, value)) = text.split_once(|letter: char| letter.is_whitespace()) else {
            return other();
        };
        let Ok(number) = value.trim().parse::<i64>() else {
            return other();
        };
        // Time that was overdrawn is time that is not there.
        let amount = number.max(0).unsigned_abs();
        let small = u32::try_from(amount).unwrap_or(u32::MAX);
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => Self::TurnMs(amount),
            "timeout_match" => Self::MatchMs(amount),
            "time_left" => Self::LeftMs((number < UNLIMITED_MS).then_some(amount)),
            "max_memory" => Self::MemoryBytes(amount),
            "rule" => Self::Rule(small),
            "max_depth" => Self::Depth(small),
            "max_node" => Self::Nodes(amount),
            "thread_num" => Self::Threads(amount.clamp(1, 512) as usize),
            "hash_size" => Self::HashKb(amount),
            "strength" => Self::Strength(small.min(100)),
            _ => other(),
        }
    }
}

/// The key and its value, as a manager sends them.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TurnMs(time) => write!(f, "timeout_turn {time}"),
            Self::MatchMs(time) => write!(f, "timeout_match {time}"),
            Self::LeftMs(Some(time)) => write!(f, "time_left {time}"),
            Self::LeftMs(None) => write!(f, "time_left {UNLIMITED_MS}"),
            Self::MemoryBytes(bytes) => write!(f, "max_memory {bytes}"),
            Self::Rule(mask) => write!(f, "rule {mask}"),
            Self::Depth(plies) => write!(f, "max_depth {plies}"),
            Self::Nodes(nodes) => write!(f, "max_node {nodes}"),
            Self::Threads(threads) => write!(f, "thread_num {threads}"),
            Self::HashKb(size) => write!(f, "hash_size {size}"),
            Self::Strength(strength) => write!(f, "strength {strength}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

const EXACTLY_FIVE: u32 = 1;
/// Continuous games for Piskvork, renju for board programs. Nobody plays continuous games in a
/// tournament, so the second meaning counts.
const RENJU_OF_BOARD_PROGRAMS: u32 = 2;
const RENJU: u32 = 4;
const CARO: u32 = 8;

/// The rule that a mask means.
///
/// ```
/// use stoneline_protocols::gomocup::rule_of_mask;
/// use stoneline_rules::Rule;
/// let rules = [0, 1, 2, 4, 8, 9].map(rule_of_mask);
/// use Rule::{Caro, Freestyle, Renju, Standard};
/// assert_eq!(rules, [Freestyle, Standard, Renju, Renju, Caro, Caro]);
/// ```
pub const fn rule_of_mask(mask: u32) -> Rule {
    if mask & CARO != 0 {
        Rule::Caro
    } else if mask & RENJU != 0 || mask == RENJU_OF_BOARD_PROGRAMS {
        Rule::Renju
    } else if mask & EXACTLY_FIVE != 0 {
        Rule::Standard
    } else {
        Rule::Freestyle
    }
}

/// The mask by which a manager names a rule; `None` for falling stones.
pub const fn mask_of_rule(rule: Rule) -> Option<u32> {
    match rule {
        Rule::Gravity => None,
        Rule::Freestyle => Some(0),
        Rule::Standard => Some(EXACTLY_FIVE),
        Rule::Renju => Some(RENJU),
        Rule::Caro => Some(CARO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_numbers_are_understood() {
        assert_eq!(Info::read("time_left -40"), Info::LeftMs(Some(0)));
        assert_eq!(Info::read("TIME_LEFT 2147483647"), Info::LeftMs(None));
        assert_eq!(Info::read("timeout_turn 0"), Info::TurnMs(0));
        assert_eq!(Info::read("thread_num 0"), Info::Threads(1));
        assert_eq!(Info::read("strength 900"), Info::Strength(100));
        for text in [
            "",
            "rule",
            "rule five",
            "folder /tmp",
            "evaluate 3,4",
            "pondering 1",
        ] {
            assert_eq!(Info::read(text), Info::Other(text.to_owned()));
        }
    }

    #[test]
    fn every_rule_without_gravity_has_a_mask() {
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro] {
            assert_eq!(mask_of_rule(rule).map(rule_of_mask), Some(rule));
        }
        assert_eq!(mask_of_rule(Rule::Gravity), None);
    }
}
