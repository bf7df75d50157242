//! Strength of a whole pool: ratings with intervals from all results at once.
//!
//! Bradley and Terry's model with Davidson's draws (1970) and an advantage of
//! the first side: with `d` the difference in strength plus that advantage, a
//! win, a loss and a draw are as likely as `exp(d/2)`, `exp(-d/2)` and
//! `exp(draw)` are to each other. The logarithm of the likelihood is concave,
//! so Newton's method finds its one maximum; the inverse of its curvature
//! there gives the intervals.

use crate::score::{ELO_CAP, Elo, NORMAL_95};
use crate::tally::Tally;
use stoneline_rules::Side;

/// Results between two players with fixed colours, from the first side's view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    /// Who had the first and who the second side.
    pub players: [usize; 2],
    /// Games won by the first side.
    pub wins: f64,
    /// Games drawn.
    pub draws: f64,
    /// Games lost by the first side.
    pub losses: f64,
}

/// The strengths of a pool.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Natural units; their mean is 0.
    strengths: Vec<f64>,
    /// Covariance of the strengths.
    covariance: Vec<Vec<f64>>,
    /// Advantage of the first side, with its standard error, in natural units.
    advantage: (f64, f64),
    /// Logarithm of a draw's weight.
    draw: f64,
    /// Elo of a natural unit.
    unit: f64,
}

/// Standard deviation of strengths before any game, in natural units: some 870
/// Elo. It keeps players without a single loss finite, and no more.
const PRIOR_DEVIATION: f64 = 5.0;

/// The same for the advantage and the weight of draws.
const SHARED_DEVIATION: f64 = 5.0;

/// Newton steps; some ten are enough.
const MOST_STEPS: usize = 100;

impl Ratings {
    /// The ratings that the results of a tournament show.
    pub fn of(tally: &Tally) -> Self {
        Self::fit(tally.players(), &encounters(tally))
    }

    /// The ratings of `players` players that these encounters show.
    pub fn fit(players: usize, encounters: &[Encounter]) -> Self {
        let size = players + 2;
        let mut point = vec![0.0; size];
        let mut curvature = Vec::new();
        for _ in 0..MOST_STEPS {
            let (slope, bend) = derivatives(players, encounters, &point);
            let step = solve(&bend, &slope);
            curvature = bend;
            let longest = step.iter().fold(0.0f64, |most, part| most.max(part.abs()));
            // Far from the maximum whole steps may leap over it.
            let share = (2.0 / longest).min(1.0);
            for (value, part) in point.iter_mut().zip(&step) {
                *value += share * part;
            }
            if longest < 1e-10 {
                break;
            }
        }
        let covariance = inverse(&curvature);
        let mean = point[..players].iter().sum::<f64>() / players as f64;
        let draw = point[players + 1];
        Self {
            strengths: point[..players].iter().map(|value| value - mean).collect(),
            advantage: (point[players], covariance[players][players].sqrt()),
            covariance: centred(&covariance, players),
            draw,
            // As steep at equal strength as the logistic curve of a game without draws.
            unit: 400.0 / std::f64::consts::LN_10 * 2.0 / (2.0 + draw.exp()),
        }
    }

    /// The rating of a player relative to the pool's mean, with its 95 % interval.
    pub fn rating(&self, player: usize) -> Elo {
        self.interval(self.strengths[player], self.covariance[player][player])
    }

    /// How much stronger one player is than another, with its 95 % interval.
    pub fn difference(&self, player: usize, opponent: usize) -> Elo {
        self.interval(
            self.strengths[player] - self.strengths[opponent],
            self.difference_variance(player, opponent),
        )
    }

    /// How likely it is that `player` is the stronger of two.
    pub fn superiority(&self, player: usize, opponent: usize) -> f64 {
        let variance = self.difference_variance(player, opponent);
        if variance <= 0.0 {
            return 0.5;
        }
        let difference = self.strengths[player] - self.strengths[opponent];
        normal(difference / variance.sqrt())
    }

    /// The worth of the first move, with its 95 % interval.
    pub fn first_move(&self) -> Elo {
        let (advantage, error) = self.advantage;
        self.interval(advantage, error * error)
    }

    /// The share of draws between equal players without advantage.
    pub fn draw_rate(&self) -> f64 {
        let weight = self.draw.exp();
        weight / (2.0 + weight)
    }

    /// Players from strongest to weakest.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.strengths.len()).collect();
        order.sort_by(|&one, &other| self.strengths[other].total_cmp(&self.strengths[one]));
        order
    }

    fn difference_variance(&self, player: usize, opponent: usize) -> f64 {
        let covariance = |one: usize, other: usize| self.covariance[one][other];
        covariance(player, player) + covariance(opponent, opponent)
            - 2.0 * covariance(player, opponent)
    }

    fn interval(&self, value: f64, variance: f64) -> Elo {
        let reach = NORMAL_95 * variance.max(0.0).sqrt();
        let elo = |value: f64| (value * self.unit).clamp(-ELO_CAP, ELO_CAP);
        Elo {
            low: elo(value - reach),
            mid: elo(value),
            high: elo(value + reach),
        }
    }
}

/// The results of a tally by players and colours.
pub fn encounters(tally: &Tally) -> Vec<Encounter> {
    let mut all = Vec::new();
    for ([one, other], report) in tally.reports() {
        for side in Side::BOTH {
            let score = report.by_side[side.index()];
            let (players, score) = match side {
                Side::First => ([one, other], score),
                Side::Second => ([other, one], score.turned()),
            };
            all.push(Encounter {
                players,
                wins: score.wins.into(),
                draws: score.draws.into(),
                losses: score.losses.into(),
            });
        }
    }
    all
}

/// Slope of the log-likelihood, prior included, and its curvature with the sign turned.
fn derivatives(
    players: usize,
    encounters: &[Encounter],
    point: &[f64],
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = players + 2;
    let mut slope = vec![0.0; size];
    let mut bend = vec![vec![0.0; size]; size];
    for at in 0..size {
        let deviation: f64 = if at < players {
            PRIOR_DEVIATION
        } else {
            SHARED_DEVIATION
        };
        slope[at] = -point[at] / deviation.powi(2);
        bend[at][at] = deviation.powi(-2);
    }
    for encounter in encounters {
        let [first, second] = encounter.players;
        if first == second {
            continue;
        }
        let difference = point[first] - point[second] + point[players];
        let [win, loss, draw] = chances(difference, point[players + 1]);
        let games = encounter.wins + encounter.draws + encounter.losses;
        // Half the result enters with the difference, the draw with its own weight.
        let result = (encounter.wins - encounter.losses) / 2.0 - games * (win - loss) / 2.0;
        let drawn = encounter.draws - games * draw;
        let spread = games * (win + loss - (win - loss).powi(2)) / 4.0;
        let mixed = -games * draw * (win - loss) / 2.0;
        let parts = [(first, 1.0), (second, -1.0), (players, 1.0)];
        for (one, sign) in parts {
            slope[one] += sign * result;
            bend[one][players + 1] += sign * mixed;
            bend[players + 1][one] += sign * mixed;
            for (other, other_sign) in parts {
                bend[one][other] += sign * other_sign * spread;
            }
        }
        slope[players + 1] += drawn;
        bend[players + 1][players + 1] += games * draw * (1.0 - draw);
    }
    (slope, bend)
}

/// Chances of a win, a loss and a draw of the first side.
fn chances(difference: f64, draw: f64) -> [f64; 3] {
    let logs = [difference / 2.0, -difference / 2.0, draw];
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = logs.map(|log| (log - most).exp());
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// Covariance relative to the mean of the first `players` values.
fn centred(covariance: &[Vec<f64>], players: usize) -> Vec<Vec<f64>> {
    let count = players as f64;
    let row_mean = |row: usize| covariance[row][..players].iter().sum::<f64>() / count;
    let means: Vec<f64> = (0..players).map(row_mean).collect();
    let all = means.iter().sum::<f64>() / count;
    let entry =
        |row: usize, column: usize| covariance[row][column] - means[row] - means[column] + all;
    (0..players)
        .map(|row| (0..players).map(|column| entry(row, column)).collect())
        .collect()
}

/// The `x` with `matrix * x = right`, for a positive definite matrix.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .zip(right)
        .map(|(row, &value)| row.iter().copied().chain([value]).collect())
        .collect();
    for pivot in 0..size {
        let (above, below) = rows.split_at_mut(pivot + 1);
        let top = &above[pivot];
        for row in below {
            let factor = row[pivot] / top[pivot];
            for (value, &part) in row[pivot..].iter_mut().zip(&top[pivot..]) {
                *value -= factor * part;
            }
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size)
            .map(|column| rows[row][column] * solution[column])
            .sum();
        solution[row] = (rows[row][size] - known) / rows[row][row];
    }
    solution
}

fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    (0..size)
        .map(|column| {
            let unit: Vec<f64> = (0..size)
                .map(|row| f64::from(u8::from(row == column)))
                .collect();
            solve(matrix, &unit)
        })
        .collect()
}

/// The chance that a standard normal number is below `z`, to seven digits.
///
/// Abramowitz and Stegun, 26.2.17.
fn normal(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
    if z > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests;
