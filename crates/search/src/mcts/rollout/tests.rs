//! Slow, obvious twins of rollouts, and that the search plays them as it says.

use super::{DRAWN, Lots};
use crate::engine::think_quietly;
use crate::limits::Limits;
use crate::mcts::Mcts;
use crate::mcts::falling::Falling;
use crate::mcts::game::{Ending, Game, half_points};
use crate::mcts::lanes::{Broad, Lanes, Narrow, with_lanes};
use crate::mcts::params::{Params, Pruning, Rollout};
use crate::mcts::tests::{BOARDS, after, random_positions, slow_outlook, wins_of, would_win};
use crate::value::Value;
use stoneline_rules::{Cell, Chance, Outcome, Position, Side, Variant};

/// A rollout by the same rules and the same chance, on positions.
fn slow_rollout<L: Lanes>(position: &Position, rules: Rollout, chance: &mut Chance) -> Ending {
    let start = position.side_to_move();
    let (pruning, keeps, centre) = match rules {
        Rollout::Uniform => (Pruning::None, false, false),
        Rollout::Centre => (Pruning::None, false, true),
        Rollout::Block => (Pruning::Threats, false, false),
        Rollout::CentreBlock => (Pruning::Threats, false, true),
        Rollout::Safe => (Pruning::Full, false, false),
        Rollout::Keep | Rollout::Follow => (Pruning::Full, true, false),
    };
    let mut position = position.clone();
    let mut lots = Lots::<L>::new(chance);
    let (mut plies, mut forced) = (0, true);
    let mut last = position.moves().last().map(|cell| cell.column());
    let end = |side: Side, value: Value, plies: u16, forced: bool| {
        let value = if side == start {
            value
        } else {
            value.for_opponent()
        };
        let total = match value {
            Value::Win { plies: more } => Value::Win {
                plies: plies + more,
            },
            Value::Loss { plies: more } => Value::Loss {
                plies: plies + more,
            },
            other => other,
        };
        Ending {
            half_points: half_points(value),
            plies,
            proof: forced.then_some(total),
        }
    };
    loop {
        let side = position.side_to_move();
        if position.outcome() == Some(Outcome::Draw) {
            return end(side, Value::Draw, plies, forced);
        }
        let safe = match slow_outlook(&position, pruning, keeps) {
            Ok(moves) => moves,
            Err(value) => return end(side, value, plies, forced),
        };
        let mut moves = safe.clone();
        if keeps {
            moves.retain(|&cell| {
                let next = after(&position, cell);
                next.landing(cell.column())
                    .is_ok_and(|above| !would_win(&position, side, above))
                    || next.landing(cell.column()).is_err()
            });
            if moves.is_empty() {
                moves = safe.clone();
            }
        }
        let columns = position.variant().geometry().columns();
        let weight = |column: u8| u32::from(1 + column.min(columns - 1 - column));
        let mut drawn = lots.draw().columns();
        if let (Rollout::Follow, Some(column)) = (rules, last) {
            drawn[usize::from(column)] &= !DRAWN;
        }
        let lot = |cell: &&Cell| drawn[usize::from(cell.column())];
        let blocks = pruning != Pruning::None && !wins_of(&position, !side).is_empty();
        let cell = loop {
            if !centre || blocks {
                break *moves.iter().min_by_key(lot).unwrap();
            }
            let cell = moves[chance.below(moves.len() as u32) as usize];
            let heaviest = (0..columns).map(weight).max().unwrap();
            if chance.below(heaviest) < weight(cell.column()) {
                break cell;
            }
        };
        if would_win(&position, side, cell) {
            return end(side, Value::Win { plies: 1 }, plies, forced);
        }
        forced &= safe.len() == 1;
        position.play(cell).unwrap();
        last = Some(cell.column());
        plies += 1;
    }
}

#[test]
fn rollouts_equal_those_of_the_slow_twin() {
    use Rollout::{Block, Centre, CentreBlock, Follow, Keep, Safe, Uniform};
    for name in BOARDS {
        let variant: Variant = name.parse().unwrap();
        with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(&variant);
            let mut turn = 0;
            random_positions(variant, 3, |position| {
                turn += 1;
                for rules in [Uniform, Centre, Block, CentreBlock, Safe, Keep, Follow] {
                    let (mut fast, mut slow) = (Chance::new(turn), Chance::new(turn));
                    let last = position.moves().last().map(|&cell| {
                        variant.geometry().index(cell) as u16
                    });
                    let found = game.rollout(&game.state(position), last, rules, &mut fast);
                    let expected = slow_rollout::<Columns>(position, rules, &mut slow);
                    assert_eq!(found, expected, "{name} {:?} {rules:?}", position.moves());
                }
            });
        });
    }
}

/// The mean half points of rollouts that follow, after a stone on the cell of bit `last`.
fn followed(position: &Position, last: Option<u16>) -> f64 {
    const ROLLOUTS: u32 = 2000;
    let game = Falling::<Broad>::new(position.variant());
    let (state, mut chance) = (game.state(position), Chance::new(3));
    let sum: u64 = (0..ROLLOUTS)
        .map(|_| game.rollout(&state, last, Rollout::Follow, &mut chance))
        .map(|ending| ending.half_points)
        .sum();
    sum as f64 / f64::from(ROLLOUTS)
}

#[test]
fn rollouts_of_the_search_follow_the_stone_before_them() {
    let params = Params {
        rollout: Rollout::Follow,
        // The root's moves remain leaves, and each is tried as often as the others.
        expand_visits: u32::MAX,
        exploration: 100.0,
        exploration_full: 100.0,
        opinion_visits: 0,
        proofs: false,
        ..Params::default()
    };
    let limits = Limits {
        simulations: Some(10_000),
        ..Limits::default()
    };
    let variant: Variant = "course:9x9@4,4".parse().unwrap();
    let mut telling = 0;
    random_positions(variant, 10, |position| {
        let mut engine = Mcts::new(
            Falling::<Broad>::new(&variant),
            params.clone(),
            Limits::default(),
        );
        let choice = think_quietly(&mut engine, position, &limits);
        for report in choice.moves.iter().filter(|report| report.visits > 1000) {
            let Value::Guess(rate) = report.value else {
                continue;
            };
            let next = after(position, report.cell);
            let last = variant.geometry().index(report.cell) as u16;
            let [knowing, not_knowing] = [Some(last), None].map(|last| followed(&next, last));
            let (found, moves) = (2.0 - 2.0 * f64::from(rate), position.moves());
            assert!(
                (found - knowing).abs() < 0.15,
                "{moves:?}: {found}, not {knowing}"
            );
            telling += u32::from((knowing - not_knowing).abs() > 0.3);
        }
    });
    assert!(telling > 5, "{telling} positions where it matters");
}

/// How often each pair of columns is drawn first at two plies in a row.
fn first_pairs<L: Lanes>(rollouts: usize) -> Vec<f64> {
    let mut chance = Chance::new(5);
    let mut pairs = vec![0.0; L::COUNT * L::COUNT];
    for _ in 0..rollouts {
        let mut lots = Lots::<L>::new(&mut chance);
        let mut first = || {
            let drawn = lots.draw().columns();
            (0..L::COUNT).min_by_key(|&column| drawn[column]).unwrap()
        };
        pairs[first() * L::COUNT + first()] += 1.0;
    }
    pairs
}

#[test]
fn lots_favour_no_column_and_forget_the_ply_before() {
    for pairs in [
        first_pairs::<Narrow>(640_000),
        first_pairs::<Broad>(640_000),
    ] {
        let expected = 640_000.0 / pairs.len() as f64;
        let off = pairs
            .iter()
            .map(|found| (found - expected).powi(2) / expected);
        // Chi squared: as many as there are pairs, give or take the root of twice as many.
        let freedom = pairs.len() as f64 - 1.0;
        let chi: f64 = off.sum();
        assert!(chi < freedom + 5.0 * (2.0 * freedom).sqrt(), "{chi}");
    }
}
