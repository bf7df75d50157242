//! Random games of random variants, the material of the tests of text.

use stoneline_rules::{Cell, Chance, Position, Rule, Setup, Variant};

/// A variant of any rule, size, run and number of blocked cells.
pub(crate) fn random_variant(chance: &mut Chance) -> Variant {
    let rule = [
        Rule::Gravity,
        Rule::Gravity,
        Rule::Freestyle,
        Rule::Standard,
        Rule::Renju,
        Rule::Caro,
    ][chance.below(6) as usize];
    let (low, high) = rule.sizes();
    let mut side = || usize::from(low) + chance.below(u32::from(high - low) + 1) as usize;
    let (rows, columns) = (side(), side());
    let run = match rule {
        Rule::Renju => 5,
        _ => 3 + chance.below(rows.max(columns) as u32 - 2) as usize,
    };
    let mut blocked = Vec::new();
    if rule.falls() {
        for _ in 0..chance.below(6) {
            let column = chance.below(columns as u32) as u8;
            let cell = Cell::new(column, chance.below(rows as u32) as u8);
            if !blocked.contains(&cell) {
                blocked.push(cell);
            }
        }
    }
    Variant::new(rule, rows, columns, run, &blocked).expect("numbers within the limits")
}

/// Plays up to `plies` random legal moves.
pub(crate) fn play_random(position: &mut Position, chance: &mut Chance, plies: usize) {
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let cell = legal[chance.below(legal.len() as u32) as usize];
        position.play(cell).expect("a legal move");
    }
}

/// A random game of a random variant; sometimes from a board set up by hand.
pub(crate) fn random_game(seed: u64, plies: usize) -> Position {
    let mut chance = Chance::new(seed);
    let variant = random_variant(&mut chance);
    let mut position = Position::new(variant);
    if chance.below(3) == 0 {
        let before = chance.below(20) as usize;
        play_random(&mut position, &mut chance, before);
        position = without_history(&position);
    }
    play_random(&mut position, &mut chance, plies);
    position
}

/// The same stones, as if set up by hand.
pub(crate) fn without_history(position: &Position) -> Position {
    let geometry = position.variant().geometry();
    let stones = stoneline_rules::Side::BOTH
        .map(|side| geometry.cells(position.stones(side)).collect::<Vec<_>>());
    let setup = Setup {
        stones,
        ..Setup::of(position.variant())
    };
    Position::try_from(setup).expect("a position that play reached")
}
