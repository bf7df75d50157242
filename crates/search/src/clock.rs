//! How much of the clock a move gets.
//!
//! Pure arithmetic on limits: no clock is read here.

use crate::limits::Limits;
use crate::params::choices;
use std::time::Duration;

choices! {
    /// How much of an overage bank a move draws.
    pub(crate) enum Overage {
        /// An even share for each move that is likely to come.
        Even = "even",
        /// As much of it as of the board is filled, at most two and a half times the move's time.
        Filled = "filled",
        /// Nothing: it is there for accidents.
        None = "none",
    }
}

/// How far a game has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    /// Stones on the board.
    pub(crate) plies: usize,
    /// Stones that it can hold.
    pub(crate) capacity: usize,
}

impl Stage {
    /// The share of the board that is filled.
    pub(crate) fn filled(self) -> f32 {
        self.plies as f32 / self.capacity as f32
    }

    /// Own moves that are likely to come: few games fill the board.
    fn own_moves_left(self) -> u32 {
        let most = (self.capacity - self.plies).div_ceil(2) as u32;
        (most * 2 / 3).clamp(4.min(most.max(1)), 25)
    }
}

/// Kept back when the caller names no reserve: little, and never more than a tenth of the move.
const RESERVE: Duration = Duration::from_millis(10);
/// Time to the first event.
const FIRST_GAP: Duration = Duration::from_millis(10);
/// The most that `Overage::Filled` draws, as a share of the move's time: five seconds at the two
/// that Kaggle gives, and as much at any other pace.
const FILLED_DRAW: f32 = 2.5;

/// The time to spend on this move; `None` when no clock bounds it.
pub(crate) fn budget(limits: &Limits, stage: Stage, overage: Overage) -> Option<Duration> {
    let reserve = |time: Duration| limits.reserve.unwrap_or(RESERVE.min(time / 10));
    let per_move = limits.time.map(|time| {
        let bank = limits.overage.unwrap_or(Duration::ZERO);
        let drawn = match overage {
            Overage::Even => bank / (2 * stage.own_moves_left()),
            Overage::Filled => bank.mul_f32(stage.filled()).min(time.mul_f32(FILLED_DRAW)),
            Overage::None => Duration::ZERO,
        };
        let time = time + drawn.min(bank);
        time.saturating_sub(reserve(time))
    });
    let by_clock = limits.remaining.map(|remaining| {
        let increment = limits.increment.unwrap_or(Duration::ZERO);
        let share = remaining / stage.own_moves_left() + increment.mul_f32(0.8);
        // The increment comes after the move: it can't be spent before.
        share
            .min(remaining)
            .saturating_sub(reserve(remaining.min(share)))
    });
    match (per_move, by_clock) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Time from an event to the next, `spent` into the search: short at first, so that
/// whoever has changed their mind is soon heard, and `usual` later.
pub(crate) fn event_gap(spent: Duration, usual: Duration) -> Duration {
    (spent / 2).clamp(FIRST_GAP.min(usual), usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Stage = Stage {
        plies: 0,
        capacity: 42,
    };
    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn a_move_gets_its_time_without_the_reserve() {
        let limits = Limits {
            time: Some(ms(300)),
            ..Limits::default()
        };
        assert_eq!(budget(&limits, START, Overage::Even), Some(ms(290)));
        let limits = Limits {
            reserve: Some(ms(50)),
            ..limits
        };
        assert_eq!(budget(&limits, START, Overage::Even), Some(ms(250)));
        let tiny = Limits {
            time: Some(ms(20)),
            ..limits
        };
        assert_eq!(budget(&tiny, START, Overage::Even), Some(Duration::ZERO));
        assert_eq!(budget(&Limits::default(), START, Overage::Even), None);
    }

    #[test]
    fn a_match_clock_lasts_for_the_whole_game() {
        let mut remaining = ms(60_000);
        for plies in (0..42).step_by(2) {
            let limits = Limits {
                remaining: Some(remaining),
                ..Limits::default()
            };
            let stage = Stage {
                plies,
                capacity: 42,
            };
            let spent = budget(&limits, stage, Overage::Even).unwrap();
            assert!(spent > ms(20) && spent < remaining, "{plies}: {spent:?}");
            remaining -= spent;
        }
    }

    #[test]
    fn a_bank_is_drawn_on_but_never_overdrawn() {
        let mut bank = ms(60_000);
        for plies in (0..42).step_by(2) {
            let limits = Limits {
                time: Some(ms(2000)),
                overage: Some(bank),
                ..Limits::default()
            };
            let stage = Stage {
                plies,
                capacity: 42,
            };
            for plan in [Overage::Even, Overage::Filled, Overage::None] {
                let spent = budget(&limits, stage, plan).unwrap();
                assert!(spent < ms(2000) + bank, "{plies}");
            }
            let spent = budget(&limits, stage, Overage::Filled).unwrap();
            let expected = ms(2000) + bank.mul_f32(stage.filled()).min(ms(5000)) - ms(10);
            assert_eq!(spent, expected);
            bank = bank.saturating_sub(spent.saturating_sub(ms(2000)));
        }
        assert!(bank < ms(20_000), "most of the bank is used: {bank:?}");
    }

    #[test]
    fn events_come_soon_and_then_steadily() {
        let usual = ms(100);
        assert_eq!(event_gap(Duration::ZERO, usual), ms(10));
        assert_eq!(event_gap(ms(60), usual), ms(30));
        assert_eq!(event_gap(ms(5000), usual), usual);
        assert_eq!(event_gap(ms(5000), ms(5)), ms(5));
    }
}
