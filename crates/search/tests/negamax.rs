//! `kaggle-negamax`: sees wins and losses four plies ahead, and beats chance.

use stoneline_rules::{Outcome, Position, Side, Variant};
use stoneline_search::{Engine, Limits, Spec, think_quietly};

fn engine(text: &str, game: &Variant) -> Box<dyn Engine> {
    text.parse::<Spec>().unwrap().build(game).unwrap()
}

fn after(game: Variant, columns: &[u8]) -> Position {
    let mut position = Position::new(game);
    for &column in columns {
        let cell = position.landing(column).unwrap();
        position.play(cell).unwrap();
    }
    position
}

fn column_played(position: &Position, seed: u64) -> u8 {
    let limits = Limits {
        seed: Some(seed),
        ..Limits::default()
    };
    let mut engine = engine("kaggle-negamax", position.variant());
    think_quietly(&mut *engine, position, &limits)
        .best
        .unwrap()
        .column()
}

#[test]
fn wins_blocks_and_sees_the_open_three() {
    let game: Variant = "connect4".parse().unwrap();
    for seed in 0..20 {
        assert_eq!(
            column_played(&after(game, &[3, 0, 3, 0, 3, 0]), seed),
            3,
            "wins"
        );
        assert_eq!(
            column_played(&after(game, &[3, 0, 3, 0, 3]), seed),
            3,
            "blocks"
        );
        // Two open stones on the floor become an open three unless stopped now.
        let stop = column_played(&after(game, &[2, 2, 3]), seed);
        assert!([1, 4].contains(&stop), "{stop}");
    }
}

#[test]
fn beats_chance() {
    let game: Variant = "connect4".parse().unwrap();
    let mut won = 0;
    for seed in 0..20 {
        let mut players = [engine("kaggle-negamax", &game), engine("random", &game)];
        let own = Side::BOTH[seed as usize % 2];
        let limits = Limits {
            seed: Some(seed),
            ..Limits::default()
        };
        let mut position = Position::new(game);
        while position.outcome().is_none() {
            let player = &mut players[usize::from(position.side_to_move() != own)];
            let choice = think_quietly(&mut **player, &position, &limits);
            position.play(choice.best.unwrap()).unwrap();
        }
        won += u32::from(position.outcome() == Some(Outcome::Win(own)));
    }
    assert!(won >= 19, "{won} of 20");
}

#[test]
fn refuses_boards_without_gravity() {
    let game: Variant = "gomoku".parse().unwrap();
    let error = "kaggle-negamax"
        .parse::<Spec>()
        .unwrap()
        .build(&game)
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "kaggle-negamax does not play gomoku: it needs falling stones"
    );
}
