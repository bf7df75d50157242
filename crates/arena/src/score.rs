//! What the results of a match say about strength.
//!
//! Games come in pairs: one opening, both colours. The two games of a pair
//! share the opening's bias, so the pair, not the game, is the unit whose
//! spread is measured (the pentanomial model of engine testing).

/// Results of a match from the first engine's side.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Finished pairs by their points: 0, half, 1, one and a half, 2.
    pub pairs: [u32; 5],
}

/// A difference in strength with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// Lower end of the interval.
    pub low: f64,
    /// Best estimate.
    pub mid: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Differences are told up to here: a match without losses has no upper end.
pub(crate) const ELO_CAP: f64 = 2000.0;

/// Standard deviations on each side of a 95 % interval.
pub(crate) const NORMAL_95: f64 = 1.959_964;

impl Score {
    /// Counts a game worth `halves` half points to the first engine.
    pub(crate) fn count_game(&mut self, halves: usize) {
        match halves {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The same results from the other player's side.
    #[must_use]
    pub const fn turned(&self) -> Self {
        let [a, b, c, d, e] = self.pairs;
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            pairs: [e, d, c, b, a],
        }
    }

    /// Counts the games of `other` as well.
    pub(crate) fn add(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (own, other) in self.pairs.iter_mut().zip(other.pairs) {
            *own += other;
        }
    }

    /// How many games are counted.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of points, from 0 to 1; half before the first game.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// The difference in strength that the results show.
    ///
    /// Wilson's interval for the share of points, with the number of games
    /// that would spread as these pairs do: it stays honest near 0 and 1,
    /// where the plain normal interval shrinks to nothing.
    pub fn elo(&self) -> Elo {
        let share = self.share();
        let games = self.effective_games();
        let z2 = NORMAL_95 * NORMAL_95;
        let centre = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let reach = NORMAL_95 / (1.0 + z2 / games)
            * (share * (1.0 - share) / games + z2 / (4.0 * games * games)).sqrt();
        Elo {
            low: elo_of(centre - reach),
            mid: elo_of(share),
            high: elo_of(centre + reach),
        }
    }

    /// Games with independent results whose mean would vary as these pairs' does.
    fn effective_games(&self) -> f64 {
        let games = f64::from(self.games()).max(1.0);
        let pairs = self.pairs.map(f64::from);
        let count: f64 = pairs.iter().sum();
        let (mean, variance) = moments(pairs);
        // Too few or too equal pairs say nothing about the spread: count games.
        if count < 2.0 || variance <= 0.0 {
            return games;
        }
        (mean * (1.0 - mean) * count / variance).max(1.0)
    }
}

/// Mean and variance of the share of points in a pair, given how many pairs made each share.
pub(crate) fn moments(pairs: [f64; 5]) -> (f64, f64) {
    let count = pairs.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let share = |at: usize| at as f64 / 4.0;
    let mean = (0..5).map(|at| pairs[at] * share(at)).sum::<f64>() / count;
    let spread = |at: usize| pairs[at] * (share(at) - mean).powi(2);
    (mean, (0..5).map(spread).sum::<f64>() / count)
}

/// The difference in Elo at which the stronger side makes that share of points.
fn elo_of(share: f64) -> f64 {
    if share <= 0.0 {
        return -ELO_CAP;
    }
    if share >= 1.0 {
        return ELO_CAP;
    }
    (400.0 * (share / (1.0 - share)).log10()).clamp(-ELO_CAP, ELO_CAP)
}

/// The share of points that a difference in Elo promises.
pub(crate) fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(pairs: [u32; 5]) -> Score {
        let points: u32 = pairs
            .iter()
            .zip(0..)
            .map(|(count, halves)| count * halves)
            .sum();
        let games = 2 * pairs.iter().sum::<u32>();
        // How the points split into wins and draws does not matter to Elo.
        let (wins, draws) = (points / 2, points % 2);
        Score {
            wins,
            draws,
            losses: games - wins - draws,
            pairs,
        }
    }

    /// Figures of the logistic model that every rating text has: 75 % is 191, 64 % is 100.
    #[test]
    fn shares_and_elo_agree_with_the_textbook() {
        assert!((elo_of(0.75) - 190.85).abs() < 0.01);
        assert!((elo_of(0.640_065) - 100.0).abs() < 0.01);
        assert!((share_of(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!((elo_of(0.0), elo_of(1.0)), (-ELO_CAP, ELO_CAP));
    }

    /// Wilson's interval for 120 successes in 200 independent trials is 0.531 to 0.665.
    #[test]
    fn independent_games_give_the_wilson_interval() {
        // Pairs spread as two independent games with 60 % each: 16, 48, 36 %.
        let score = score([16, 0, 48, 0, 36]);
        assert!((score.effective_games() - 200.0).abs() < 0.1);
        let elo = score.elo();
        assert!((elo.low - elo_of(0.5308)).abs() < 0.5, "{elo:?}");
        assert!((elo.high - elo_of(0.6653)).abs() < 0.5, "{elo:?}");
    }

    #[test]
    fn pairs_that_cancel_their_opening_narrow_the_interval() {
        let biased = score([0, 0, 90, 0, 10]).elo();
        let spread = score([45, 0, 0, 0, 55]).elo();
        assert!(biased.high - biased.low < (spread.high - spread.low) / 2.0);
    }

    #[test]
    fn a_clean_sweep_has_a_lower_end_and_no_upper() {
        let elo = score([0, 0, 0, 0, 50]).elo();
        assert_eq!((elo.mid, elo.high), (ELO_CAP, ELO_CAP));
        assert!((elo.low - elo_of(0.963)).abs() < 3.0, "{elo:?}");
        let nothing = Score::default().elo();
        assert!(nothing.low < -400.0 && nothing.mid == 0.0 && nothing.high > 400.0);
    }
}
