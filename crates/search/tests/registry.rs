//! Engine names: what is read, what is refused and how, and that every engine plays.

use stoneline_rules::{Position, Variant};
use stoneline_search::{Limits, Spec, engines, think_quietly};

fn refusal(text: &str) -> String {
    text.parse::<Spec>()
        .err()
        .unwrap_or_else(|| panic!("{text} was accepted"))
        .to_string()
}

#[test]
fn unknown_names_and_keys_are_refused_with_the_nearest() {
    let unknown = refusal("randon");
    assert!(
        unknown.contains("\"randon\"") && unknown.contains("random"),
        "{unknown}"
    );
    let key = refusal("random:sed=7");
    assert!(key.contains("\"sed\"") && key.contains("seed"), "{key}");
    assert!(refusal("random:").contains("key=value"));
    assert!(refusal("random:seed").contains("key=value"));
    assert!(refusal("random:seed=x").contains("expected a number"));
    assert!(refusal("random:seed=1,,").contains("key=value"));
    assert!(refusal("").contains("unknown engine"));
}

#[test]
fn refusals_name_the_place() {
    let error = "random:seed=1,threads=zero".parse::<Spec>().err().unwrap();
    assert_eq!(error.column(), 1 + "random:seed=1,threads=".len());
}

#[test]
fn every_engine_plays_a_legal_game_and_knows_its_end() {
    let falling: Variant = "connectx:5x5x4".parse().unwrap();
    let free: Variant = "gomoku:6".parse().unwrap();
    let limits = Limits {
        simulations: Some(50),
        nodes: Some(500),
        seed: Some(3),
        ..Limits::default()
    };
    for entry in engines() {
        let spec: Spec = entry.name().parse().unwrap();
        let built = spec.build(&falling).map(|engine| (falling, engine));
        let built = built.or_else(|_| spec.build(&free).map(|engine| (free, engine)));
        let (game, mut engine) = built.unwrap();
        let mut position = Position::new(game);
        while position.outcome().is_none() {
            let choice = think_quietly(&mut *engine, &position, &limits);
            position.play(choice.best.unwrap()).unwrap();
            assert_eq!(
                choice.line().first(),
                choice.best.as_ref(),
                "{}",
                entry.name()
            );
        }
        let over = think_quietly(&mut *engine, &position, &limits);
        assert_eq!(over.best, None);
        assert!(over.value.is_proven());
    }
}

#[test]
fn chance_follows_the_seed() {
    let game: Variant = "course:9x9@4,4".parse().unwrap();
    let position = Position::new(game);
    let played = |seed: u64| {
        let spec: Spec = format!("random:seed={seed}").parse().unwrap();
        think_quietly(
            &mut *spec.build(&game).unwrap(),
            &position,
            &Limits::default(),
        )
        .best
    };
    assert_eq!(played(5), played(5));
    assert!((0..20).any(|seed| played(seed) != played(5)));
}
