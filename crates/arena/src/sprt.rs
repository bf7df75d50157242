//! When a match is decided: the sequential probability ratio test on pairs.
//!
//! The generalised test with the normal approximation of its likelihood
//! ratio, as the testing frameworks of chess engines use it on pentanomial
//! results (Van den Bergh, "A practical introduction to the GSPRT").

use crate::score::{Score, moments, share_of};

/// Two hypotheses about the first engine's strength, and how often to err.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference under the first hypothesis, in Elo.
    pub elo0: f64,
    /// The difference under the second, in Elo.
    pub elo1: f64,
}

/// Chance of either wrong verdict.
const ERROR_RATE: f64 = 0.05;

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

impl Sprt {
    /// The log-likelihood ratio of the second hypothesis to the first.
    pub fn llr(&self, score: &Score) -> f64 {
        let pairs = score.pairs.map(f64::from);
        let count: f64 = pairs.iter().sum();
        // A tenth of a pair of each kind keeps the variance above zero.
        let (mean, variance) = moments(pairs.map(|pair| pair + 0.1));
        let (share0, share1) = (share_of(self.elo0), share_of(self.elo1));
        count * (share1 - share0) * (2.0 * mean - share0 - share1) / (2.0 * variance)
    }

    /// What the results so far decide.
    pub fn decide(&self, score: &Score) -> Decision {
        let bound = ((1.0 - ERROR_RATE) / ERROR_RATE).ln();
        match self.llr(score) {
            llr if llr >= bound => Decision::Accepted,
            llr if llr <= -bound => Decision::Rejected,
            _ => Decision::Open,
        }
    }
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
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 40.0,
        };
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
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 100.0,
        };
        let mut chance = Chance::new(1);
        let (decision, pairs) = run(sprt, 0.95, &mut chance);
        assert_eq!(decision, Decision::Accepted);
        assert!(pairs < 40, "{pairs} pairs");
    }
}
