//! Ratings against published and outside figures, and against players of known strength.

use super::*;
use stoneline_rules::Chance;

fn encounter(players: [usize; 2], wins: u32, draws: u32, losses: u32) -> Encounter {
    Encounter {
        players,
        wins: wins.into(),
        draws: draws.into(),
        losses: losses.into(),
    }
}

/// Baseball's American League East of 1987: Agresti, Categorical Data Analysis (2002),
/// table 10.10, fitted with a home advantage. His estimates relative to Baltimore, the
/// same that the R package `BradleyTerry2` prints, and their standard errors.
#[test]
fn home_advantage_agrees_with_the_textbook() {
    const HOME_THEN_AWAY: [[[u32; 2]; 6]; 7] = [
        [[4, 3], [4, 2], [4, 3], [6, 1], [4, 2], [6, 0]],
        [[3, 3], [4, 2], [4, 3], [6, 0], [6, 1], [4, 3]],
        [[2, 5], [4, 3], [2, 4], [4, 3], [4, 2], [6, 0]],
        [[3, 3], [5, 1], [2, 5], [4, 3], [4, 2], [6, 1]],
        [[5, 1], [2, 5], [3, 3], [4, 2], [5, 2], [6, 0]],
        [[2, 5], [3, 3], [3, 4], [4, 3], [4, 2], [2, 4]],
        [[2, 5], [1, 5], [1, 6], [2, 4], [1, 6], [3, 4]],
    ];
    const ESTIMATES: [f64; 6] = [1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047];
    let mut results = Vec::new();
    for (home, row) in HOME_THEN_AWAY.iter().enumerate() {
        let others = (0..7).filter(|&away| away != home);
        for (away, [wins, losses]) in others.zip(row) {
            results.push(encounter([home, away], *wins, 0, *losses));
        }
    }
    let ratings = Ratings::fit(7, &results);
    for (team, expected) in ESTIMATES.iter().enumerate() {
        let found = ratings.strengths[team] - ratings.strengths[6];
        assert!((found - expected).abs() < 0.02, "team {team}: {found}");
    }
    assert!((ratings.advantage.0 - 0.3023).abs() < 0.005);
    assert!((ratings.advantage.1 - 0.1309).abs() < 0.002);
    assert!((ratings.difference_variance(0, 6).sqrt() - 0.3474).abs() < 0.005);
    assert_eq!(ratings.ranking(), [0, 1, 2, 3, 4, 5, 6]);
    assert!(ratings.draw_rate() < 0.01);
}

/// Davidson's model is log-linear: statsmodels 0.15.0 fits these results as a
/// Poisson regression, one rate for each encounter and result.
#[test]
fn draws_and_first_move_agree_with_statsmodels() {
    let results = [
        ([0, 1], 14, 5, 6),
        ([1, 0], 9, 4, 12),
        ([0, 2], 20, 3, 2),
        ([2, 0], 3, 6, 16),
        ([1, 2], 13, 8, 4),
        ([2, 1], 5, 7, 13),
        ([3, 0], 8, 2, 10),
        ([0, 3], 12, 4, 4),
        ([3, 1], 11, 1, 8),
        ([1, 3], 9, 6, 5),
        ([2, 3], 6, 5, 9),
        ([3, 2], 12, 3, 5),
    ]
    .map(|(players, wins, draws, losses)| encounter(players, wins, draws, losses));
    let ratings = Ratings::fit(4, &results);
    for (player, expected) in [0.7899, 0.1194, -0.8501].into_iter().enumerate() {
        let found = ratings.strengths[player] - ratings.strengths[3];
        assert!((found - expected).abs() < 0.01, "player {player}: {found}");
    }
    assert!((ratings.advantage.0 - 0.3077).abs() < 0.005);
    assert!((ratings.advantage.1 - 0.1497).abs() < 0.002);
    assert!((ratings.draw - -0.5756).abs() < 0.005);
    assert!((ratings.difference_variance(0, 1).sqrt() - 0.2495).abs() < 0.003);
}

#[test]
fn a_match_without_draws_is_rated_as_its_share_of_points() {
    let both = [encounter([0, 1], 150, 0, 50), encounter([1, 0], 50, 0, 150)];
    let elo = Ratings::fit(2, &both).difference(0, 1);
    // 75 % is 191 Elo in every text; the normal interval of 300 in 400 is 155 to 228.
    assert!((elo.mid - 190.8).abs() < 3.0, "{elo:?}");
    assert!(
        (elo.low - 151.0).abs() < 4.0 && (elo.high - 230.0).abs() < 4.0,
        "{elo:?}"
    );
}

#[test]
fn players_without_losses_and_without_games_stay_finite() {
    let sweep = [encounter([0, 1], 50, 0, 0), encounter([1, 0], 0, 0, 50)];
    let ratings = Ratings::fit(3, &sweep);
    let elo = ratings.difference(0, 1);
    assert!(elo.low > 100.0 && elo.mid < ELO_CAP, "{elo:?}");
    assert!(ratings.superiority(0, 1) > 0.99);
    let unknown = ratings.difference(1, 2);
    assert!(unknown.low < 0.0 && unknown.high > 0.0, "{unknown:?}");
    assert!((Ratings::fit(2, &[]).superiority(0, 1) - 0.5).abs() < 1e-6);
}

/// Figures of the normal table.
#[test]
fn the_normal_curve_is_that_of_the_tables() {
    for (z, expected) in [
        (0.0, 0.5),
        (1.0, 0.841_345),
        (1.959_964, 0.975),
        (-2.5, 0.006_210),
    ] {
        assert!((normal(z) - expected).abs() < 1e-6, "{z}: {}", normal(z));
    }
}

/// Six players of known strength play a round robin of some 10,000 games, again and
/// again: each true difference must lie in its interval in 95 % of the runs.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    const STRENGTHS: [f64; 6] = [0.9, 0.5, 0.2, -0.1, -0.5, -1.0];
    const ADVANTAGE: f64 = 0.35;
    const DRAW: f64 = -0.7;
    const GAMES: u32 = 334;
    const RUNS: u32 = 500;
    let mut chance = Chance::new(12);
    let mut unit_draw = move || (chance.draw() >> 11) as f64 / (1u64 << 53) as f64;
    let mut held = [[0u32; 6]; 6];
    let mut advantage_held = 0;
    for _ in 0..RUNS {
        let mut results = Vec::new();
        for (first, own) in STRENGTHS.iter().enumerate() {
            for (second, other) in STRENGTHS.iter().enumerate() {
                let difference = own - other + ADVANTAGE;
                let [win, loss, _] = chances(difference, DRAW);
                let mut counts = [0; 3];
                for _ in 0..GAMES {
                    let fate = unit_draw();
                    counts[if fate < win {
                        0
                    } else if fate < win + loss {
                        2
                    } else {
                        1
                    }] += 1;
                }
                results.push(encounter([first, second], counts[0], counts[1], counts[2]));
            }
        }
        let ratings = Ratings::fit(6, &results);
        let holds = |elo: Elo, truth: f64| {
            let truth = truth * ratings.unit;
            u32::from(elo.low <= truth && truth <= elo.high)
        };
        for one in 0..6 {
            for other in 0..one {
                let truth = STRENGTHS[one] - STRENGTHS[other];
                held[one][other] += holds(ratings.difference(one, other), truth);
            }
        }
        advantage_held += holds(ratings.first_move(), ADVANTAGE);
    }
    // 95 % of 500 is 475; three standard deviations are 15.
    for (one, row) in held.iter().enumerate() {
        for (other, count) in row.iter().enumerate().take(one) {
            assert!(
                (460..=490).contains(count),
                "{one} and {other}: {count} of {RUNS}"
            );
        }
    }
    assert!((460..=490).contains(&advantage_held), "{advantage_held}");
}
