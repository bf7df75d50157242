//! What each option of the tree search changes: every test fails if its option does nothing.

use stoneline_rules::{Chance, Position, Side, Variant};
use stoneline_search::{Choice, Limits, MoveReport, Spec, Value, think_quietly};

const BOARD: &str = "course:9x9@4,4";
/// PUCT with so much pull that visits follow the prior, and no proof that ends them.
const BY_PRIOR: &str =
    "mcts:selection=puct,exploration=4,exploration_full=4,first_play=0.5,proofs=false";

fn think(engine: &str, position: &Position, simulations: u64) -> Choice {
    think_seeded(engine, position, simulations, 1)
}

fn think_seeded(engine: &str, position: &Position, simulations: u64, seed: u64) -> Choice {
    let limits = Limits {
        simulations: Some(simulations),
        seed: Some(seed),
        ..Limits::default()
    };
    let spec: Spec = engine.parse().unwrap();
    let mut engine = spec.build(position.variant()).unwrap();
    think_quietly(&mut *engine, position, &limits)
}

/// Random positions of `plies` stones that are not over.
fn positions(plies: usize) -> impl Iterator<Item = Position> {
    let variant: Variant = BOARD.parse().unwrap();
    (0..).filter_map(move |seed| {
        let mut chance = Chance::new(seed);
        let mut position = Position::new(variant);
        while position.plies() < plies && position.outcome().is_none() {
            let moves = position.legal_moves();
            let cell = moves[chance.below(moves.len() as u32) as usize];
            position.play(cell).unwrap();
        }
        position.outcome().is_none().then_some(position)
    })
}

fn rate(report: &MoveReport) -> Option<f32> {
    match report.value {
        Value::Guess(rate) if report.visits > 0 => Some(rate),
        _ => None,
    }
}

/// How far the bounds of well-visited moves lie apart, by a formula of rate, visits and ln of all visits.
fn spread(choice: &Choice, bound: fn(f32, f32, f32) -> f32) -> f32 {
    let all: u64 = choice.moves.iter().map(|report| report.visits).sum();
    let bounds = choice
        .moves
        .iter()
        .filter(|report| report.visits >= 20)
        .filter_map(|report| {
            Some(bound(
                rate(report)?,
                report.visits as f32,
                (all as f32).ln(),
            ))
        });
    let bounds: Vec<f32> = bounds.collect();
    let most = bounds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let least = bounds.iter().copied().fold(f32::INFINITY, f32::min);
    (most - least).max(0.0)
}

#[test]
fn selection_levels_the_bounds_of_its_own_formula() {
    let plain = |rate: f32, visits: f32, ln: f32| rate + 2.0 * (ln / visits).sqrt();
    let tuned = |rate: f32, visits: f32, ln: f32| {
        let variance = rate * (1.0 - rate) + (2.0 * ln / visits).sqrt();
        rate + 2.0 * 2.0 * (ln / visits * variance.min(0.25)).sqrt()
    };
    for (engine, own, other) in [
        (
            "mcts:opinion_visits=0,proofs=false,exploration=2,exploration_full=2",
            plain as fn(f32, f32, f32) -> f32,
            tuned as _,
        ),
        (
            "mcts:opinion_visits=0,proofs=false,exploration=2,exploration_full=2,selection=tuned",
            tuned as _,
            plain as _,
        ),
    ] {
        let (mut by_own, mut by_other) = (0.0, 0.0);
        for position in positions(14).take(12) {
            let choice = think(engine, &position, 5000);
            by_own += spread(&choice, own);
            by_other += spread(&choice, other);
        }
        assert!(by_own < 0.8 * by_other, "{engine}: {by_own} and {by_other}");
    }
}

#[test]
fn priors_share_out_the_pull() {
    let visits = |prior: &str, columns: &[u8]| visits_after(&[], prior, columns);
    let edges = ["centre", "uniform"].map(|prior| visits(prior, &[0, 8]));
    assert!(3 * edges[0] < 2 * edges[1], "{edges:?}");
    let middle = ["centre", "uniform"].map(|prior| visits(prior, &[3, 4, 5]));
    assert!(middle[0] > middle[1], "{middle:?}");
}

/// Visits of the moves to `columns` after stones in the columns of `played`, of ten short searches.
fn visits_after(played: &[u8], prior: &str, columns: &[u8]) -> u64 {
    let mut position = Position::new(BOARD.parse().unwrap());
    for &column in played {
        let cell = position.landing(column).unwrap();
        position.play(cell).unwrap();
    }
    let engine = format!("{BY_PRIOR},prior={prior}");
    (1..=10)
        .flat_map(|seed| think_seeded(&engine, &position, 40, seed).moves)
        .filter(|report| columns.contains(&report.cell.column()))
        .map(|report| report.visits)
        .sum()
}

#[test]
fn the_threat_prior_looks_at_winning_cells() {
    // A third stone beside two makes winning cells.
    let third = |prior: &str| visits_after(&[1, 8, 2, 8], prior, &[3]);
    let (centre, threats) = (third("centre"), third("threats"));
    assert!(threats > centre, "{threats} and {centre}");
}

#[test]
fn the_network_prior_expects_what_the_network_sees() {
    // Two stones with room on both sides must be stopped now.
    let stops = |prior: &str| visits_after(&[2, 8, 3], prior, &[1, 4]);
    let (uniform, net) = (stops("uniform"), stops("net"));
    assert!(net > uniform, "{net} and {uniform}");
}

/// Points of `one` against `other` over `games` of 300 simulations a move.
fn points(one: &str, other: &str, games: u64) -> f32 {
    let specs = [one, other].map(|text| text.parse::<Spec>().unwrap());
    let mut points = 0.0;
    for game in 0..games {
        let variant = Variant::course(game / 2);
        let mut engines = [0, 1].map(|at| specs[at].build(&variant).unwrap());
        let own = Side::BOTH[game as usize % 2];
        let limits = Limits {
            simulations: Some(300),
            seed: Some(game),
            ..Limits::default()
        };
        let mut position = Position::new(variant);
        while position.outcome().is_none() {
            let mover = usize::from(position.side_to_move() != own);
            let choice = think_quietly(&mut *engines[mover], &position, &limits);
            position.play(choice.best.unwrap()).unwrap();
        }
        points += match position.outcome() {
            Some(stoneline_rules::Outcome::Win(side)) => f32::from(u8::from(side == own)),
            _ => 0.5,
        };
    }
    points
}

#[test]
fn the_network_is_worth_a_rollout_when_both_are_few() {
    // Seeds fix these games, and a wrong sign would lose them all.
    let points = points(
        "mcts:leaf=net,opinion_visits=0",
        "mcts:opinion_visits=0",
        30,
    );
    assert!(points >= 11.0, "{points} of 30");
}

#[test]
fn opinions_of_the_network_are_worth_more_than_none() {
    // As above; without an effect this would be 30, with the wrong sign far less.
    let points = points("mcts", "mcts:opinion_visits=0", 60);
    assert!(points >= 36.0, "{points} of 60");
}

#[test]
fn faded_endings_lie_nearer_to_a_draw() {
    let far: Vec<[f32; 2]> = positions(6)
        .take(40)
        .filter_map(|position| {
            let from_draw = |engine: &str| {
                let choice = think(engine, &position, 300);
                rate(choice.moves.first()?).map(|rate| (rate - 0.5).abs())
            };
            Some([
                from_draw("mcts:opinion_visits=0")?,
                from_draw("mcts:opinion_visits=0,fade=0.05")?,
            ])
        })
        .collect();
    let sum = |at: usize| far.iter().map(|pair| pair[at]).sum::<f32>();
    assert!(far.len() > 10, "{} positions", far.len());
    assert!(sum(1) < 0.7 * sum(0), "{} and {}", sum(1), sum(0));
}

#[test]
fn the_securest_move_has_the_best_lower_bound() {
    let (mut checked, mut other_than_most_visited) = (0, 0);
    for position in positions(6).take(60) {
        let choice = think("mcts:choice=secure", &position, 60);
        let bound = |report: &MoveReport| {
            rate(report).map(|rate| rate - 1.0 / (report.visits as f32).sqrt())
        };
        let Some(chosen) = choice.moves.first().and_then(bound) else {
            continue;
        };
        assert!(
            choice
                .moves
                .iter()
                .filter_map(bound)
                .all(|bound| bound <= chosen)
        );
        checked += 1;
        let most = choice.moves.iter().map(|report| report.visits).max();
        other_than_most_visited += u32::from(Some(choice.moves[0].visits) != most);
    }
    assert!(checked > 20 && other_than_most_visited > 0);
}
