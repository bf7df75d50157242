//! Levels for people: what each sees and misses, and that higher ones win.

use stoneline_rules::{Outcome, Position, Side, Variant};
use stoneline_search::{Engine, Limits, Spec, think_quietly};

fn level(strength: u32, game: &Variant) -> Box<dyn Engine> {
    let spec: Spec = format!("level:{strength}").parse().unwrap();
    spec.build(game).unwrap()
}

fn with_seed(seed: u64) -> Limits {
    Limits {
        seed: Some(seed),
        ..Limits::default()
    }
}

/// In how many of 40 looks a level plays into `column`.
fn plays_into(strength: u32, position: &Position, column: u8) -> usize {
    let mut engine = level(strength, position.variant());
    (0..40)
        .filter(|&seed| {
            let choice = think_quietly(&mut *engine, position, &with_seed(seed));
            choice.best.unwrap().column() == column
        })
        .count()
}

#[test]
fn a_beginner_misses_slanted_threats_that_others_meet() {
    // The first side threatens a4, on the falling line b3 c2 d1.
    let slanted: Position = "connect4 433221211".parse().unwrap();
    assert_eq!(slanted.side_to_move(), Side::Second);
    let beginner = plays_into(1, &slanted, 0);
    let careful = plays_into(6, &slanted, 0);
    assert!(beginner < 20, "a beginner met it {beginner} times of 40");
    assert!(careful > 34, "level 6 met it {careful} times of 40");
    // A column of three is harder to miss.
    let upright: Position = "connect4 14141".parse().unwrap();
    let upright = plays_into(1, &upright, 0);
    assert!(upright > beginner, "{upright} upright, {beginner} slanted");
}

#[test]
fn a_win_that_is_seen_is_taken() {
    let position: Position = "connect4 414141".parse().unwrap();
    assert!(plays_into(6, &position, 3) == 40);
}

#[test]
fn every_level_plays_legal_games_of_every_kind() {
    for game in [
        "connect4",
        "course:9x9@4,4",
        "connectx:5x5x3",
        "gomoku:9",
        "renju",
    ] {
        let variant: Variant = game.parse().unwrap();
        for strength in 1..=7 {
            let mut engine = level(strength, &variant);
            let mut position = Position::new(variant);
            for _ in 0..20 {
                let Some(cell) = think_quietly(&mut *engine, &position, &with_seed(3)).best else {
                    break;
                };
                position.play(cell).unwrap();
            }
        }
    }
}

#[test]
fn higher_levels_win() {
    for (game, low, high) in [
        ("connect4", 1, 3),
        ("connect4", 3, 6),
        ("connectx:6x9x4", 2, 4),
    ] {
        let variant: Variant = game.parse().unwrap();
        let mut players = [level(low, &variant), level(high, &variant)];
        let mut points = 0;
        for seed in 0..30 {
            let high_moves_first = seed % 2 == 0_u64;
            let mut position = Position::new(variant);
            while position.outcome().is_none() {
                let is_high = position.plies().is_multiple_of(2) == high_moves_first;
                let player = &mut players[usize::from(is_high)];
                let choice = think_quietly(&mut **player, &position, &with_seed(seed / 2));
                position.play(choice.best.unwrap()).unwrap();
            }
            points += match position.outcome().unwrap() {
                Outcome::Draw => 1,
                Outcome::Win(side) if (side == Side::First) == high_moves_first => 2,
                Outcome::Win(_) => 0,
            };
        }
        assert!(
            points > 42,
            "{game}: level {high} took {points} of 60 half points from {low}"
        );
    }
}

#[test]
fn a_level_is_read_from_its_number() {
    assert!("level:11".parse::<Spec>().is_err());
    assert!("level:0".parse::<Spec>().is_err());
    assert!("level:strong".parse::<Spec>().is_err());
    assert!("level:strength=3,seed=4".parse::<Spec>().is_ok());
    assert!("level:3,seed=4".parse::<Spec>().is_ok());
    assert!("random:3".parse::<Spec>().is_err());
}
