//! Threat search meets the rules: answers are complete, wins are wins.

use super::shapes::crowded;
use crate::gomoku::answers::{answers_to_four, answers_to_open_four};
use crate::gomoku::field::Field;
use crate::gomoku::ground::Ground;
use crate::gomoku::shape::Class;
use crate::gomoku::vcf::{Vcf, is_hopeless};
use crate::gomoku::vct::Vct;
use crate::gomoku::{Flaw, Means, Proof, Threats};
use stoneline_rules::{Cell, Chance, Outcome, Position, Side, Variant};

const GAMES: [&str; 6] = [
    "gomoku",
    "standard",
    "renju",
    "caro",
    "mnk:7x9x4",
    "gomoku:20",
];

/// Moves that win at once.
fn wins(position: &mut Position) -> Vec<Cell> {
    let mover = position.side_to_move();
    let mut legal = position.legal_moves();
    legal.retain(|&cell| {
        position.play(cell).unwrap();
        let won = position.outcome() == Some(Outcome::Win(mover));
        position.undo();
        won
    });
    legal
}

/// Whether one of `firsts` begins a win by so many fours, by the rules alone.
fn slow_vcf(position: &mut Position, firsts: &[Cell], fours: u32) -> bool {
    if !wins(position).is_empty() {
        return true;
    }
    if fours == 0 {
        return false;
    }
    firsts.iter().any(|&cell| {
        if position.play(cell).is_err() {
            return false;
        }
        // The reply must not win, and every one that stops all fives must lose.
        let won = position.outcome().is_none() && wins(position).is_empty() && {
            let replies = position.legal_moves();
            let mut a_four = false;
            let all = replies.into_iter().all(|reply| {
                position.play(reply).unwrap();
                let stands = position.outcome().is_none();
                let five = stands && !wins(position).is_empty();
                a_four |= five;
                let wins = stands && (five || slow_vcf(position, firsts, fours - 1));
                position.undo();
                wins
            });
            all && a_four
        };
        position.undo();
        won
    })
}

#[test]
fn answers_to_fours_are_complete() {
    let mut chance = Chance::new(11);
    let mut met = 0;
    for game in GAMES {
        let variant: Variant = game.parse().unwrap();
        let ground = Ground::new(&variant);
        for _ in 0..120 {
            let mut position = crowded(&variant, &mut chance);
            let field = Field::new(&ground, &position);
            let (own, other) = (field.side_to_move(), !field.side_to_move());
            if field.count(other, Class::Five) == 0 || field.count(own, Class::Five) > 0 {
                continue;
            }
            met += 1;
            let mut expected = position.legal_moves();
            expected.retain(|&cell| {
                position.play(cell).unwrap();
                let stopped = wins(&mut position).is_empty();
                position.undo();
                stopped
            });
            let mut found: Vec<Cell> = answers_to_four(&field, other)
                .iter()
                .map(|spot| ground.cell(spot))
                .collect();
            found.sort();
            assert_eq!(found, expected, "{game} {position:?}");
        }
    }
    assert!(met > 60, "only {met} fours were met");
}

#[test]
fn answers_to_open_threes_are_complete() {
    let mut chance = Chance::new(12);
    let mut met = 0;
    for game in GAMES {
        let variant: Variant = game.parse().unwrap();
        let ground = Ground::new(&variant);
        for _ in 0..150 {
            let mut position = crowded(&variant, &mut chance);
            let mut field = Field::new(&ground, &position);
            let (own, other) = (field.side_to_move(), !field.side_to_move());
            let fives = Side::BOTH
                .iter()
                .any(|&side| field.count(side, Class::Five) > 0);
            let Some(answers) = answers_to_open_four(&field, other).filter(|_| !fives) else {
                continue;
            };
            met += 1;
            for spot in field.near().iter() {
                let quiet = field.class(own, spot) < Class::Four;
                if quiet && !answers.contains(spot) && field.allows(own, spot) {
                    position.play(ground.cell(spot)).unwrap();
                    field.play(spot);
                    let proof = Vcf::new()
                        .search(&mut field, 1000)
                        .expect("an open four wins");
                    assert_eq!(proof.verify(&position), Ok(()), "{game} {position:?}");
                    field.undo();
                    position.undo();
                }
            }
        }
    }
    assert!(met > 25, "only {met} open threes were met");
}

#[test]
fn wins_by_linked_fours_are_wins_by_fours() {
    let mut chance = Chance::new(17);
    let mut found = 0;
    for game in GAMES {
        let variant: Variant = game.parse().unwrap();
        let ground = Ground::new(&variant);
        for _ in 0..300 {
            let position = crowded(&variant, &mut chance);
            let mut field = Field::new(&ground, &position);
            let before = field.key();
            if Vcf::new().plies(&mut field, 200).is_some() {
                let proof = Vcf::new().search(&mut field, 200_000);
                let proof = proof.expect("all fours are tried");
                assert_eq!(proof.verify(&position), Ok(()), "{game} {position:?}");
                found += 1;
            }
            assert_eq!(field.key(), before);
        }
    }
    assert!(found > 100, "only {found} wins were found");
}

#[test]
fn wins_by_fours_are_wins_and_short_ones_are_not_missed() {
    let mut chance = Chance::new(13);
    let mut found = 0;
    for game in GAMES {
        let variant: Variant = game.parse().unwrap();
        let ground = Ground::new(&variant);
        let threats = Threats::new(&variant).unwrap();
        for round in 0..150 {
            let position = crowded(&variant, &mut chance);
            let proof = threats.search(&position, Means::Fours, &mut |_| true);
            if let Some(proof) = &proof {
                found += 1;
                assert_eq!(
                    proof.verify(&position),
                    Ok(()),
                    "{game} {position:?} {proof:?}"
                );
            } else if round % 8 == 0 {
                let field = Field::new(&ground, &position);
                let side = field.side_to_move();
                let firsts: Vec<Cell> = field
                    .empty()
                    .iter()
                    .filter(|&spot| field.class(side, spot) >= Class::Four)
                    .map(|spot| ground.cell(spot))
                    .collect();
                assert_eq!(firsts.is_empty(), is_hopeless(&field, side));
                let slow = slow_vcf(&mut position.clone(), &firsts, 2);
                assert!(!slow, "{game} {position:?}");
            }
        }
    }
    assert!(found > 100, "only {found} wins were found");
}

#[test]
fn wins_by_threes_are_wins() {
    let mut chance = Chance::new(14);
    let mut deep = 0;
    for game in GAMES {
        let variant: Variant = game.parse().unwrap();
        let threats = Threats::new(&variant).unwrap();
        for _ in 0..60 {
            let position = crowded(&variant, &mut chance);
            if threats
                .search(&position, Means::Fours, &mut |_| true)
                .is_some()
            {
                continue;
            }
            let proof = threats.search(&position, Means::Threes, &mut |nodes| nodes > 20_000);
            if let Some(proof) = proof {
                deep += 1;
                assert_eq!(proof.verify(&position), Ok(()), "{game} {position:?}");
                assert!(proof.plies() >= 5);
            }
        }
    }
    assert!(deep > 20, "only {deep} wins by threes were found");
}

#[test]
fn a_search_by_threes_keeps_to_its_memory() {
    // Two open twos that cross win by threes, with room for it.
    let position: Position = "gomoku h8 a1 i8 a15 h9 o1 i10 o15".parse().unwrap();
    let ground = Ground::new(position.variant());
    let mut field = Field::new(&ground, &position);
    let mut never = |_| false;
    let roomy = Vct::new(&field, 64 << 20, &mut never).search(&mut field);
    assert_eq!(roomy.expect("it wins").verify(&position), Ok(()));
    let mut never = |_| false;
    let mut tight = Vct::new(&field, 0, &mut never);
    assert_eq!(tight.search(&mut field), None);
}

#[test]
fn the_checker_refuses_what_does_not_win() {
    // X has an open three: the open four wins, a stone elsewhere does not.
    let position: Position = "gomoku h8 a1 i8 a3 j8 a5".parse().unwrap();
    let cell = |text: &str| stoneline_rules::notation::read_move(&position, text).unwrap();
    let won = Proof::new(
        cell("g8"),
        vec![(cell("f8"), Proof::five(cell("k8")))],
        Proof::five(cell("f8")),
    );
    assert_eq!(won.verify(&position), Ok(()));
    assert_eq!((won.plies(), won.moves()), (3, 3));
    let unanswered = Proof::new(cell("g8"), Vec::new(), Proof::five(cell("f8")));
    assert!(matches!(
        unanswered.verify(&position),
        Err(Flaw::Illegal(_))
    ));
    let elsewhere = Proof::new(cell("a2"), Vec::new(), Proof::five(cell("f8")));
    assert_eq!(elsewhere.verify(&position), Err(Flaw::NoWin(cell("f8"))));
    let no_five = Proof::five(cell("g8"));
    assert_eq!(no_five.verify(&position), Err(Flaw::NoWin(cell("g8"))));
    // O has a four as well: while X makes his, O wins.
    let late: Position = "gomoku h8 a1 i8 a2 j8 a3 o15 a4".parse().unwrap();
    assert!(matches!(won.verify(&late), Err(Flaw::Refuted(_))));
}
