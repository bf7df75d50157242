//! Shapes meet their slow twin, and what is taken back leaves no trace.

use super::naive;
use crate::gomoku::cells::Spot;
use crate::gomoku::field::Field;
use crate::gomoku::ground::Ground;
use crate::gomoku::shape::{Class, Combined, Shape, shapes};
use stoneline_rules::{Chance, Outcome, Position, Rule, Side, Variant};

/// Column and row steps, in the order of the field's directions.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

const GAMES: [&str; 12] = [
    "gomoku",
    "gomoku:5",
    "gomoku:20",
    "gomoku:22",
    "standard",
    "standard:8",
    "renju",
    "renju:9",
    "caro",
    "caro:7",
    "mnk:6x9x5",
    "mnk:7x5x4",
];

/// A random position in which stones lie close, not over.
pub(super) fn crowded(variant: &Variant, chance: &mut Chance) -> Position {
    loop {
        let mut position = Position::new(*variant);
        let capacity = variant.geometry().capacity() as u32;
        let plies = chance.below(capacity.min(90) * 2 / 3);
        for _ in 0..plies {
            let legal = position.legal_moves();
            let Some(&last) = position.moves().last() else {
                let centre = legal[legal.len() / 2];
                position.play(centre).unwrap();
                continue;
            };
            let near = |cell: &stoneline_rules::Cell| {
                cell.column().abs_diff(last.column()) <= 3 && cell.row().abs_diff(last.row()) <= 3
            };
            let close: Vec<_> = legal.iter().copied().filter(near).collect();
            let pool = if close.is_empty() { &legal } else { &close };
            if pool.is_empty() {
                break;
            }
            let cell = pool[chance.below(pool.len() as u32) as usize];
            position.play(cell).unwrap();
            if position.outcome().is_some() {
                position.undo();
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn variant(name: &str) -> Variant {
    name.parse().unwrap()
}

#[test]
fn shapes_meet_their_slow_twin() {
    let mut chance = Chance::new(41);
    for game in GAMES {
        let variant = variant(game);
        let ground = Ground::new(&variant);
        let mut known = naive::Known::new();
        for _ in 0..120 {
            let position = crowded(&variant, &mut chance);
            let field = Field::new(&ground, &position);
            let empty: Vec<Spot> = field.empty().iter().collect();
            for _ in 0..4 {
                let spot = empty[chance.below(empty.len() as u32) as usize];
                let cell = ground.cell(spot);
                for side in Side::BOTH {
                    let expected =
                        STEPS.map(|step| naive::shape(&mut known, &position, side, cell, step));
                    let found = shapes(field.shape_key(side, spot));
                    assert_eq!(found, expected, "{game} {side} {cell} {position:?}");
                    let restricted = variant.rule() == Rule::Renju && side == Side::First;
                    let class = Combined::from_shapes(expected, restricted).class();
                    assert_eq!(field.class(side, spot), class);
                }
            }
        }
    }
}

#[test]
fn long_runs_are_exact_from_three_up() {
    let mut chance = Chance::new(43);
    for game in ["mnk:12x12x6", "mnk:9x14x7", "mnk:22x22x9"] {
        let variant = variant(game);
        let ground = Ground::new(&variant);
        let mut known = naive::Known::new();
        let mut rich = 0;
        for _ in 0..200 {
            // One side alone in a strip, or nothing long would ever arise.
            let mut position = Position::new(variant);
            let (columns, rows) = (variant.geometry().columns(), variant.geometry().rows());
            for ply in 0..44 {
                let low = if ply % 2 == 0 { 0 } else { rows - 2 };
                let row = low + chance.below(2) as u8;
                let column = chance.below(u32::from(columns)) as u8;
                let cell = stoneline_rules::Cell::new(column, row);
                if position.play(cell).is_ok() && position.outcome().is_some() {
                    position.undo();
                    break;
                }
            }
            let field = Field::new(&ground, &position);
            for spot in field.empty().iter() {
                let side = Side::BOTH[usize::from(spot % 2)];
                let found = shapes(field.shape_key(side, spot));
                for (found, step) in found.into_iter().zip(STEPS) {
                    if found >= Shape::SleepingThree {
                        rich += 1;
                        let cell = ground.cell(spot);
                        let expected = naive::shape(&mut known, &position, side, cell, step);
                        assert_eq!(found, expected, "{game} {side} {position:?}");
                    }
                }
            }
        }
        assert!(rich > 60, "{game}: only {rich} long shapes were compared");
    }
}

#[test]
fn play_and_undo_leave_no_trace() {
    let mut chance = Chance::new(42);
    for game in GAMES.into_iter().chain(["mnk:9x14x7"]) {
        let variant = variant(game);
        let ground = Ground::new(&variant);
        for _ in 0..10 {
            let mut position = crowded(&variant, &mut chance);
            let mut field = Field::new(&ground, &position);
            let before = format!("{field:?}");
            let mut played = 0;
            for _ in 0..12 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let cell = legal[chance.below(legal.len() as u32) as usize];
                position.play(cell).unwrap();
                field.play(ground.spot(cell));
                played += 1;
                let won = matches!(position.outcome(), Some(Outcome::Win(_)));
                assert_eq!(field.is_won(), won, "{game} {position:?}");
                if won {
                    break;
                }
                let fresh = Field::new(&ground, &position);
                assert_eq!(field.key(), fresh.key());
                assert_eq!(field.value(), fresh.value(), "{game} {position:?}");
                assert_eq!(field.near(), fresh.near());
                for side in Side::BOTH {
                    for class in 1..7 {
                        let class = Class::of(class);
                        assert_eq!(field.threats(side, class), fresh.threats(side, class));
                        assert_eq!(field.count(side, class), field.threats(side, class).len());
                    }
                }
            }
            for _ in 0..played {
                field.undo();
            }
            assert_eq!(format!("{field:?}"), before, "{game}");
        }
    }
}

#[test]
fn forbidden_points_agree_with_the_rules() {
    let mut chance = Chance::new(7);
    let mut seen = 0;
    for game in ["renju", "renju:9", "renju:20"] {
        let variant = variant(game);
        let ground = Ground::new(&variant);
        for _ in 0..250 {
            let mut position = crowded(&variant, &mut chance);
            if position.side_to_move() == Side::Second {
                position.undo();
            }
            if position.side_to_move() == Side::Second {
                continue;
            }
            let field = Field::new(&ground, &position);
            for spot in field.empty().iter() {
                let expected = position.forbidden(ground.cell(spot)).is_none();
                assert_eq!(field.allows(Side::First, spot), expected, "{position:?}");
                assert!(field.allows(Side::Second, spot));
                seen += u32::from(!expected);
            }
        }
    }
    assert!(seen > 200, "only {seen} forbidden points were met");
}
