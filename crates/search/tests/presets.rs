//! The presets behave as their authors describe them.

use stoneline_rules::{Position, Variant};
use stoneline_search::{Choice, Limits, Spec, Value, think_quietly};

fn think(name: &str, position: &Position, simulations: u64) -> Choice {
    let spec: Spec = name.parse().unwrap();
    let limits = Limits {
        simulations: Some(simulations),
        seed: Some(5),
        ..Limits::default()
    };
    think_quietly(
        &mut *spec.build(position.variant()).unwrap(),
        position,
        &limits,
    )
}

fn played(columns: &[u8]) -> Position {
    let mut position = Position::new("connect4".parse().unwrap());
    for &column in columns {
        let cell = position.landing(column).unwrap();
        position.play(cell).unwrap();
    }
    position
}

fn column(choice: &Choice) -> u8 {
    choice.best.unwrap().column()
}

#[test]
fn every_preset_wins_and_blocks_at_once() {
    for name in ["rules-uct", "prover-uct", "centre-uct", "connectx-uct"] {
        assert_eq!(
            column(&think(name, &played(&[3, 0, 3, 0, 3, 0]), 300)),
            3,
            "{name} wins"
        );
        assert_eq!(
            column(&think(name, &played(&[3, 0, 3, 0, 3]), 300)),
            3,
            "{name} blocks"
        );
    }
}

#[test]
fn rules_uct_searches_only_what_its_rules_leave() {
    let choice = think("rules-uct", &played(&[2, 6, 2, 6, 3]), 300);
    assert_eq!(choice.moves.len(), 2, "the ends of the open two");
    let open = think("rules-uct", &played(&[]), 300);
    assert_eq!(open.moves.len(), 7);
    assert!(!open.value.is_proven());
}

#[test]
fn prover_uct_proves() {
    // An open two with the move becomes an open three, which wins.
    let choice = think("prover-uct", &played(&[2, 2, 3, 3]), 20_000);
    assert!(
        matches!(choice.value, Value::Win { plies: 3 | 5 }),
        "{:?}",
        choice.value
    );
    assert!([1, 4].contains(&column(&choice)));
}

#[test]
fn centre_uct_thinks_on_below_a_forced_move() {
    let choice = think("centre-uct", &played(&[3, 0, 3, 0, 3]), 500);
    assert_eq!((column(&choice), choice.effort.simulations), (3, 500));
    assert_eq!(choice.moves.len(), 1);
    assert!(choice.line().len() > 1, "the moves to come were searched");
}

#[test]
fn connectx_uct_opens_in_the_centre_and_answers_forced_moves_at_once() {
    for columns in [&[][..], &[3]] {
        let choice = think("connectx-uct", &played(columns), 300);
        assert_eq!((column(&choice), choice.effort.simulations), (3, 0));
    }
    let full_but_one: Variant = "connectx:4x4x4".parse().unwrap();
    let mut position = Position::new(full_but_one);
    for at in [0, 1, 0, 1, 1, 0, 1, 0, 2, 3, 2, 3] {
        position.play(position.landing(at).unwrap()).unwrap();
    }
    for at in [3, 2, 3] {
        position.play(position.landing(at).unwrap()).unwrap();
    }
    let choice = think("connectx-uct", &position, 300);
    assert_eq!(
        (column(&choice), choice.effort.simulations),
        (2, 0),
        "one column is left"
    );
}

#[test]
fn connectx_uct_plays_the_best_rate() {
    let choice = think("connectx-uct", &played(&[3, 3, 2]), 2000);
    let best = choice
        .moves
        .iter()
        .map(|report| report.value.win_rate())
        .fold(0.0, f32::max);
    assert_eq!(choice.moves[0].value.win_rate(), best);
}
