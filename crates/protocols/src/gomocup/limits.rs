//! From what a manager allows to what a search may spend.
//!
//! No clock is read here: what earlier moves took is told.

use super::setting::Info;
use std::time::Duration;
use stoneline_search::Limits;

/// Time for a move when the manager never said.
const USUAL_TURN: Duration = Duration::from_secs(5);
/// Time for a move when the manager wants an answer at once.
const AT_ONCE: Duration = Duration::from_millis(15);
/// Memory of the whole program beside trees and tables: code, books, stacks, networks.
const OWN_MEMORY: u64 = 100 << 20;
/// Nodes of a search at strength 0; each point of strength multiplies them.
const WEAKEST_NODES: f64 = 10.0;
const NODES_A_POINT: f64 = 1.12;
const FULL_STRENGTH: u32 = 100;

/// What the manager allows.
#[derive(Clone, Default, Debug)]
pub(super) struct Allowed {
    turn_ms: Option<u64>,
    match_ms: Option<u64>,
    /// What is left of the match, when the manager says so before each move.
    left_ms: Option<Option<u64>>,
    memory_bytes: Option<u64>,
    hash_kb: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    threads: Option<usize>,
    strength: Option<u32>,
    /// What our moves of this game took so far.
    spent: Duration,
}

impl Allowed {
    /// Takes in what an INFO tells; the rule is not ours.
    pub(super) fn set(&mut self, info: &Info) {
        let unless_zero = |amount: u64| (amount > 0).then_some(amount);
        match *info {
            Info::TurnMs(time) => self.turn_ms = Some(time),
            Info::MatchMs(time) => self.match_ms = unless_zero(time),
            Info::LeftMs(time) => self.left_ms = Some(time),
            Info::MemoryBytes(bytes) => self.memory_bytes = unless_zero(bytes),
            Info::HashKb(size) => self.hash_kb = unless_zero(size),
            Info::Nodes(nodes) => self.nodes = unless_zero(nodes),
            Info::Depth(plies) => self.depth = (plies > 0).then_some(plies),
            Info::Threads(threads) => self.threads = Some(threads),
            Info::Strength(strength) => self.strength = Some(strength),
            Info::Rule(_) | Info::Other(_) => {}
        }
    }

    /// A new game has its whole clock again.
    pub(super) fn new_game(&mut self) {
        self.spent = Duration::ZERO;
        self.left_ms = None;
    }

    /// Counts what a move took; the manager's own count, if it keeps one, comes before the next.
    pub(super) fn spend(&mut self, time: Duration) {
        self.spent += time;
        if let Some(Some(left)) = &mut self.left_ms {
            *left = left.saturating_sub(time.as_millis() as u64);
        }
    }

    /// The depth at which a search is stopped.
    pub(super) const fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// What a move may take.
    pub(super) fn limits(&self) -> Limits {
        let turn = match self.turn_ms {
            Some(0) => AT_ONCE,
            Some(time) => Duration::from_millis(time),
            None => USUAL_TURN,
        };
        let remaining = match (self.left_ms, self.match_ms) {
            (Some(left), _) => left.map(Duration::from_millis),
            (None, total) => {
                total.map(|total| Duration::from_millis(total).saturating_sub(self.spent))
            }
        };
        let nodes = [self.nodes, self.strength.and_then(nodes_of_strength)];
        let nodes = nodes.into_iter().flatten().min();
        let memory = [
            self.memory_bytes.map(for_tables),
            self.hash_kb.map(|size| size.saturating_mul(1024)),
        ];
        let memory = memory.into_iter().flatten().min();
        Limits {
            time: Some(turn),
            remaining,
            // A machine that is busy with both players answers late by tens of milliseconds.
            reserve: Some((turn / 10).min(Duration::from_millis(100))),
            nodes,
            simulations: nodes,
            // Less than a megabyte is no table.
            memory_bytes: memory.map(|bytes| bytes.max(1 << 20) as usize),
            threads: self.threads,
            ..Limits::default()
        }
    }
}

/// The part of the whole program's memory that trees and tables may take.
fn for_tables(bytes: u64) -> u64 {
    bytes.saturating_sub(OWN_MEMORY).max(bytes / 4)
}

/// Most nodes of a search at a strength below the full one.
fn nodes_of_strength(strength: u32) -> Option<u64> {
    let nodes = WEAKEST_NODES * NODES_A_POINT.powi(strength as i32);
    (strength < FULL_STRENGTH).then_some(nodes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(infos: &[Info]) -> Allowed {
        let mut allowed = Allowed::default();
        infos.iter().for_each(|info| allowed.set(info));
        allowed
    }

    const fn ms(time: u64) -> Option<Duration> {
        Some(Duration::from_millis(time))
    }

    #[test]
    fn turns_and_matches_bound_the_time() {
        let limits = Allowed::default().limits();
        assert_eq!((limits.time, limits.remaining), (Some(USUAL_TURN), None));
        let limits = allowed(&[Info::TurnMs(0), Info::MatchMs(0)]).limits();
        assert_eq!((limits.time, limits.remaining), (Some(AT_ONCE), None));
        let mut clock = allowed(&[Info::TurnMs(5000), Info::MatchMs(9000)]);
        assert_eq!(clock.limits().remaining, ms(9000));
        clock.spend(Duration::from_millis(2500));
        assert_eq!(clock.limits().remaining, ms(6500), "we count ourselves");
        clock.set(&Info::LeftMs(Some(6000)));
        assert_eq!(
            clock.limits().remaining,
            ms(6000),
            "the manager knows better"
        );
        clock.spend(Duration::from_millis(1000));
        assert_eq!(clock.limits().remaining, ms(5000), "until it says more");
        clock.set(&Info::LeftMs(None));
        assert_eq!(clock.limits().remaining, None);
        clock.new_game();
        assert_eq!(clock.limits().remaining, ms(9000));
    }

    #[test]
    fn memory_leaves_room_for_the_program() {
        let memory = |infos: &[Info]| allowed(infos).limits().memory_bytes;
        assert_eq!(memory(&[Info::MemoryBytes(350 << 20)]), Some(250 << 20));
        assert_eq!(memory(&[Info::MemoryBytes(40 << 20)]), Some(10 << 20));
        assert_eq!(memory(&[Info::MemoryBytes(1)]), Some(1 << 20));
        assert_eq!(memory(&[Info::MemoryBytes(0)]), None);
        let both = [Info::MemoryBytes(350 << 20), Info::HashKb(64 << 10)];
        assert_eq!(memory(&both), Some(64 << 20));
    }

    #[test]
    fn strength_bounds_the_nodes() {
        let nodes = |strength| allowed(&[Info::Strength(strength)]).limits().nodes;
        assert_eq!((nodes(0), nodes(100)), (Some(10), None));
        assert!(nodes(50) > nodes(49) && nodes(99) > Some(500_000));
        let both = allowed(&[Info::Strength(99), Info::Nodes(1000)]);
        assert_eq!(both.limits().simulations, Some(1000));
    }
}
