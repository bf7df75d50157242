//! When the waiting thread wakes, and when it answers without the engine.
//!
//! How long a thread waits for its turn is known only from its earlier turns.
//! So it wakes a few times before it has to, sees each time how late it is, and
//! answers the sooner the later that was. Pure arithmetic: no clock is read here.

use crate::limits::Limits;
use std::time::Duration;

/// How late a turn of the waiting thread may come, by the latest that were seen.
#[derive(Default)]
pub(super) struct Lag(Duration);

/// The last turn is taken to come at most so many times as late as the worst of those before: on
/// a machine that is far too busy half of the turns came within 6 ms, one in a hundred after 45.
const LAGS: u32 = 4;
/// The part by which an old lag counts less with each turn: some four moves to a third.
const FADING: u32 = 16;
/// Wakings of a move, evenly spread, the last of which is the answer.
const WAKINGS: u32 = 4;

impl Lag {
    /// A turn came so late.
    pub(super) fn saw(&mut self, late: Duration) {
        self.0 = late.max(self.0 - self.0 / FADING);
    }
}

/// The waiting for one move.
pub(super) struct Vigil {
    whole: Duration,
    reserve: Option<Duration>,
    /// Whether there is a move to play, told or found in haste.
    has_move: bool,
}

/// What the waiting thread does next.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Sleeps until so much time is spent, or something is heard.
    Sleep(Duration),
    /// Finds a move by itself, while there is time for that: nothing was told yet.
    Find,
    /// Answers with the move that it has.
    Answer,
}

impl Vigil {
    /// The waiting for a move within `limits`; `None` if no clock bounds it.
    pub(super) fn new(limits: &Limits) -> Option<Self> {
        let bank = limits.overage.unwrap_or(Duration::ZERO);
        let per_move = limits.time.map(|time| time + bank);
        let whole = match (per_move, limits.remaining) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        Some(Self {
            whole,
            reserve: limits.reserve,
            has_move: false,
        })
    }

    /// There is a move to play.
    pub(super) fn has_move(&mut self) {
        self.has_move = true;
    }

    /// When to answer without the engine. It ends before its time is over, and a fifth of the
    /// reserve that the caller named may pass, less where turns come late, but half of the time
    /// is the engine's. Where no reserve is named it has all the time there is: its own last word
    /// is worth more than a few milliseconds.
    fn latest(&self, lag: &Lag) -> Duration {
        let Some(reserve) = self.reserve else {
            return self.whole;
        };
        let usual = self.whole.saturating_sub(reserve * 4 / 5);
        let careful = self.whole.saturating_sub(lag.0 * LAGS);
        usual.min(careful.max(self.whole / 2))
    }

    /// What to do when so much time is `spent`.
    pub(super) fn step(&self, spent: Duration, lag: &Lag) -> Step {
        let latest = self.latest(lag);
        let part = latest / WAKINGS;
        if !self.has_move && spent >= latest / 2 {
            return Step::Find;
        }
        if spent >= latest {
            return Step::Answer;
        }
        let next = (1..WAKINGS)
            .map(|waking| part * waking)
            .find(|&waking| waking > spent);
        Step::Sleep(next.unwrap_or(latest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn limits() -> Limits {
        Limits {
            time: Some(ms(150)),
            reserve: Some(ms(50)),
            ..Limits::default()
        }
    }

    fn latest(limits: &Limits, lags: &[u64]) -> Option<Duration> {
        let mut lag = Lag::default();
        lags.iter().for_each(|&late| lag.saw(ms(late)));
        Some(Vigil::new(limits)?.latest(&lag))
    }

    #[test]
    fn the_answer_comes_before_the_time_is_over() {
        assert_eq!(latest(&limits(), &[]), Some(ms(110)));
        let limits = Limits {
            overage: Some(ms(100)),
            ..limits()
        };
        assert_eq!(latest(&limits, &[]), Some(ms(210)));
        let limits = Limits {
            remaining: Some(ms(60)),
            ..limits
        };
        assert_eq!(latest(&limits, &[]), Some(ms(20)));
        let limits = Limits {
            reserve: None,
            ..limits
        };
        assert_eq!(latest(&limits, &[30]), Some(ms(60)));
        assert_eq!(latest(&Limits::default(), &[]), None);
    }

    #[test]
    fn whoever_wakes_late_answers_sooner() {
        assert_eq!(latest(&limits(), &[2, 3]), Some(ms(110)));
        assert_eq!(latest(&limits(), &[12, 0]), Some(ms(105)));
        assert_eq!(latest(&limits(), &[1, 16]), Some(ms(86)));
        assert_eq!(latest(&limits(), &[300]), Some(ms(75)));
        // Nobody is careful for ever.
        let long_ago: Vec<u64> = [300].into_iter().chain([0; 64]).collect();
        assert_eq!(latest(&limits(), &long_ago), Some(ms(110)));
        // A reserve of more than half the time is kept whatever the lag.
        let large = Limits {
            reserve: Some(ms(125)),
            ..limits()
        };
        assert_eq!(latest(&large, &[300]), Some(ms(50)));
    }

    #[test]
    fn it_wakes_before_it_has_to() {
        let mut vigil = Vigil::new(&limits()).unwrap();
        let lag = Lag::default();
        let quarter = ms(110) / 4;
        assert_eq!(vigil.step(ms(0), &lag), Step::Sleep(quarter));
        assert_eq!(vigil.step(quarter, &lag), Step::Sleep(quarter * 2));
        assert_eq!(vigil.step(ms(55), &lag), Step::Find, "nothing was told");
        vigil.has_move();
        assert_eq!(vigil.step(ms(55), &lag), Step::Sleep(quarter * 3));
        assert_eq!(vigil.step(ms(100), &lag), Step::Sleep(ms(110)));
        assert_eq!(vigil.step(ms(110), &lag), Step::Answer);
        let mut late = Lag::default();
        late.saw(ms(16));
        assert_eq!(vigil.step(ms(90), &late), Step::Answer);
    }

    #[test]
    fn a_turn_that_comes_after_all_is_over_still_finds_a_move() {
        let vigil = Vigil::new(&limits()).unwrap();
        assert_eq!(vigil.step(ms(500), &Lag::default()), Step::Find);
    }
}
