//! When a match is decided: the sequential probability ratio test on pairs.
//!
//! The generalised test: under each hypothesis the most likely distribution
//! of pair results that satisfies it is found exactly, and the likelihoods of
//! the two are compared (Van den Bergh, "Comparing the approximations for the
//! generalized log likelihood ratio of a multinomial distribution" and
//! "Comments on normalized Elo"). Bounds are differences in Elo, or in
//! normalised Elo, which measures the share of points in standard deviations
//! of a game and so needs the same number of games whatever the draw rate.

use crate::score::{Score, share_of};
use serde::{Deserialize, Serialize};

/// Two hypotheses about the first player's strength, and how often to err.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under the first hypothesis.
    pub elo0: f64,
    /// The difference under the second.
    pub elo1: f64,
    /// Chance of accepting when the first hypothesis holds.
    #[serde(default = "usual_error")]
    pub alpha: f64,
    /// Chance of rejecting when the second holds.
    #[serde(default = "usual_error")]
    pub beta: f64,
    /// What the differences are told in.
    #[serde(default)]
    pub scale: Scale,
}

/// What differences in strength are told in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Elo: the share of points by the logistic curve.
    #[default]
    Logistic,
    /// Normalised Elo: the share of points in standard deviations of a game.
    Normalised,
}

/// Chance of either wrong verdict unless told.
const fn usual_error() -> f64 {
    0.05
}

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Not more than `elo0`.
    Rejected,
    /// At least `elo1`.
    Accepted,
    /// More games are needed.
    Open,
}

/// Normalised Elo of one standard deviation of a game.
const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Weight of a kind of pair that never occurred: keeps its logarithm finite.
const UNSEEN: f64 = 1e-3;

/// The share of points in each kind of pair.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sprt {
    /// A test in Elo with the usual errors.
    pub const fn new(elo0: f64, elo1: f64) -> Self {
        Self {
            elo0,
            elo1,
            alpha: usual_error(),
            beta: usual_error(),
            scale: Scale::Logistic,
        }
    }

    /// The log-likelihood ratio of the second hypothesis to the first; 0 before the first pair.
    pub fn llr(&self, score: &Score) -> f64 {
        if score.pairs == [0; 5] {
            return 0.0;
        }
        let counts = score.pairs.map(|count| f64::from(count).max(UNSEEN));
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let likely = |elo: f64| match self.scale {
            Scale::Logistic => likely_with_mean(&seen, share_of(elo)),
            // A pair has two games, so its mean spreads by the root of two less.
            Scale::Normalised => {
                likely_with_deviations(&seen, elo / NORMALISED_UNIT * std::f64::consts::SQRT_2)
            }
        };
        let (under0, under1) = (likely(self.elo0), likely(self.elo1));
        let gain = |at: usize| seen[at] * (under1[at] / under0[at]).ln();
        total * (0..5).map(gain).sum::<f64>()
    }

    /// The ratios at which the test ends: rejected, accepted.
    pub fn bounds(&self) -> [f64; 2] {
        [
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        ]
    }

    /// What the results so far decide.
    pub fn decide(&self, score: &Score) -> Decision {
        let [low, high] = self.bounds();
        match self.llr(score) {
            llr if llr >= high => Decision::Accepted,
            llr if llr <= low => Decision::Rejected,
            _ => Decision::Open,
        }
    }

    /// What is wrong with the numbers, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        let sensible = |elo: f64| elo.abs() <= 1000.0;
        let rare = |error: f64| error > 0.0 && error < 0.5;
        if !sensible(self.elo0) || !sensible(self.elo1) {
            Some("differences in Elo lie between -1000 and 1000")
        } else if self.elo0 >= self.elo1 {
            Some("elo0 must be below elo1")
        } else if !rare(self.alpha) || !rare(self.beta) {
            Some("alpha and beta lie between 0 and 0.5")
        } else {
            None
        }
    }
}

/// The distribution nearest to `seen` in likelihood whose mean share is `mean`.
fn likely_with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    tilted(seen, &SHARES.map(|share| share - mean))
}

/// The same with its mean `deviations` standard deviations above one half.
///
/// The condition is not linear, so it is made so around the last estimate
/// until that settles.
fn likely_with_deviations(seen: &[f64; 5], deviations: f64) -> [f64; 5] {
    let mut likely = [0.2; 5];
    for _ in 0..MOST_ROUNDS {
        let mean: f64 = (0..5).map(|at| likely[at] * SHARES[at]).sum();
        let spread = |at: usize| likely[at] * (SHARES[at] - mean).powi(2);
        let deviation = (0..5).map(spread).sum::<f64>().sqrt();
        let slopes = SHARES.map(|share| {
            let away = (share - mean) / deviation;
            share - 0.5 - 0.5 * deviations * deviation * (1.0 + away * away)
        });
        let next = tilted(seen, &slopes);
        let moved = (0..5).map(|at| (next[at] - likely[at]).abs());
        let moved = moved.fold(0.0, f64::max);
        likely = next;
        if moved < 1e-9 {
            break;
        }
    }
    likely
}

/// Rounds in which an estimate settles, with much to spare.
const MOST_ROUNDS: usize = 50;

/// `seen[i] / (1 + t * slopes[i])` with the `t` that makes the mean of `slopes` zero.
fn tilted(seen: &[f64; 5], slopes: &[f64; 5]) -> [f64; 5] {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lean = |t: f64| -> f64 {
        let one = |at: usize| seen[at] * slopes[at] / (1.0 + t * slopes[at]);
        (0..5).map(one).sum()
    };
    // The sum falls from plus to minus infinity between these poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..60 {
        let middle = low.midpoint(high);
        if lean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = low.midpoint(high);
    std::array::from_fn(|at| seen[at] / (1.0 + t * slopes[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::Chance;

    /// Plays pairs of independent games at a true share of points until decided.
    fn run(sprt: Sprt, share: f64, chance: &mut Chance) -> (Decision, u32) {
        let mut score = Score::default();
        for pair in 1..20_000 {
            let wins = (0..2)
                .filter(|_| (chance.draw() >> 11) as f64 / (1u64 << 53) as f64 <= share)
                .count();
            score.pairs[2 * wins] += 1;
            match sprt.decide(&score) {
                Decision::Open => {}
                decision => return (decision, pair),
            }
        }
        (Decision::Open, 20_000)
    }

    #[test]
    fn errs_no_more_often_than_promised() {
        let sprt = Sprt::new(0.0, 40.0);
        let mut chance = Chance::new(5);
        let mut wrong = 0;
        for _ in 0..400 {
            wrong += u32::from(run(sprt, share_of(0.0), &mut chance).0 != Decision::Rejected);
            wrong += u32::from(run(sprt, share_of(40.0), &mut chance).0 != Decision::Accepted);
        }
        // 5 % of 800 is 40; three standard deviations more is 58.
        assert!(wrong <= 58, "{wrong} of 800");
        assert!(wrong >= 8, "{wrong} of 800: the test wastes games");
    }

    #[test]
    fn clear_cases_end_early() {
        let sprt = Sprt::new(0.0, 100.0);
        let mut chance = Chance::new(1);
        let (decision, pairs) = run(sprt, 0.95, &mut chance);
        assert_eq!(decision, Decision::Accepted);
        assert!(pairs < 40, "{pairs} pairs");
    }

    fn ratio(elo0: f64, elo1: f64, scale: Scale, pairs: [u32; 5]) -> f64 {
        let sprt = Sprt {
            scale,
            ..Sprt::new(elo0, elo1)
        };
        sprt.llr(&Score {
            pairs,
            ..Score::default()
        })
    }

    /// Ratios that fastchess (commit 74deac2, `SPRT::getLLR`) gives for these pairs.
    #[test]
    fn ratios_agree_with_fastchess() {
        let even = [30, 120, 400, 150, 45];
        let few = [2, 7, 31, 9, 3];
        let lopsided = [0, 0, 3, 2, 15];
        let wild = [100, 10, 80, 12, 98];
        for (scale, elo0, elo1, pairs, expected) in [
            (Scale::Logistic, 0.0, 5.0, even, 1.8578),
            (Scale::Logistic, 0.0, 50.0, even, -16.7696),
            (Scale::Logistic, -30.0, 10.0, even, 29.5830),
            (Scale::Normalised, 0.0, 5.0, even, 1.2419),
            (Scale::Normalised, 0.0, 50.0, even, -1.4292),
            (Scale::Normalised, -30.0, 10.0, even, 16.0890),
            (Scale::Logistic, 0.0, 50.0, few, -1.3373),
            (Scale::Normalised, -30.0, 10.0, few, 1.1265),
            (Scale::Logistic, 0.0, 50.0, lopsided, 2.6715),
            (Scale::Normalised, 0.0, 50.0, lopsided, 3.2317),
            (Scale::Logistic, -30.0, 10.0, wild, 1.2925),
            (Scale::Normalised, 0.0, 50.0, wild, -6.3593),
            (Scale::Logistic, 0.0, 50.0, [0, 0, 40, 0, 0], -6.1599),
        ] {
            let found = ratio(elo0, elo1, scale, pairs);
            assert!(
                (found - expected).abs() < 0.005 + expected.abs() * 0.001,
                "{scale:?} {elo0} {elo1} {pairs:?}: {found}, not {expected}"
            );
        }
    }

    #[test]
    fn errors_set_the_bounds() {
        let strict = Sprt {
            alpha: 0.01,
            beta: 0.1,
            ..Sprt::new(0.0, 10.0)
        };
        let [low, high] = strict.bounds();
        assert!((low - (0.1f64 / 0.99).ln()).abs() < 1e-12);
        assert!((high - 90.0f64.ln()).abs() < 1e-12);
        assert_eq!(strict.fault(), None);
        assert!(Sprt::new(5.0, 5.0).fault().is_some());
    }
}
