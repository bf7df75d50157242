//! Fits the weights of the evaluation of free boards to games of the engine against itself.
//!
//! `cargo run --release -p stoneline-train --example shape_weights -- GAMES NODES SEED [GAME]`
//! plays, then prints what each pair of shapes along a line through an empty
//! cell is worth to the side to move, in 1/400 of the logarithm of the odds, as
//! `crates/search/src/gomoku/weights.rs` has it. Logistic regression of results
//! on counts, by Newton's method.

use std::io::Write;
use stoneline_rules::{Chance, Outcome, Position, Side, Variant};
use stoneline_search::gomoku::{ShapeCounter, ShapeCounts};
use stoneline_search::{Limits, Spec, think_quietly};

/// Shapes with a weight: from a dead one to a four; quiet positions have no others.
const SHAPES: usize = 8;
/// Pairs of shapes, those with a dead one standing for the other alone, and the turn for both dead.
const INPUTS: usize = SHAPES * SHAPES;
/// Evaluation for a factor e of the odds.
const LOGIT: f64 = 400.0;
/// Keeps weights of what hardly occurs small: of single shapes, and of what a pair has beyond
/// the sum of its two.
const DECAY: f64 = 2.0;
const PAIR_DECAY: f64 = 100.0;

type Row = [f64; INPUTS];

fn row(counts: ShapeCounts) -> Row {
    let mut row = [0.0; INPUTS];
    row[0] = 1.0;
    for (own, by_other) in counts[..SHAPES].iter().enumerate() {
        for (other, &count) in by_other[..SHAPES].iter().enumerate() {
            let parts = [own * SHAPES, other, own * SHAPES + other];
            let distinct = if own > 0 && other > 0 {
                &parts[..]
            } else {
                &parts[2..]
            };
            for &part in distinct.iter().filter(|&&part| part > 0) {
                row[part] += f64::from(count);
            }
        }
    }
    row
}

/// What a pair is worth: its parts and what it has beyond.
fn worth(weights: &Row, own: usize, other: usize) -> f64 {
    match (own, other) {
        (0, 0) => 0.0,
        (0, _) | (_, 0) => weights[own * SHAPES + other],
        _ => weights[own * SHAPES] + weights[other] + weights[own * SHAPES + other],
    }
}

/// One game: quiet positions as rows, each with the points of its side to move.
fn play(variant: &Variant, nodes: u64, seed: u64, into: &mut Vec<(Row, f64)>) {
    let counter = ShapeCounter::new(variant).expect("a free board");
    let spec: Spec = "alphabeta".parse().expect("a known engine");
    let mut engine = spec.build(variant).expect("it plays free boards");
    let mut chance = Chance::new(seed);
    let mut position = Position::new(*variant);
    let middle = variant.geometry().columns() / 2;
    let random_plies = 3 + chance.below(6) as usize;
    let mut seen = Vec::new();
    while position.outcome().is_none() {
        let cell = if position.plies() < random_plies {
            let near: Vec<_> = position.legal_moves();
            let near: Vec<_> = near
                .into_iter()
                .filter(|cell| {
                    cell.column().abs_diff(middle) <= 3 && cell.row().abs_diff(middle) <= 3
                })
                .collect();
            near[chance.below(near.len() as u32) as usize]
        } else {
            if let Some(counts) = counter.count(&position) {
                seen.push((row(counts), position.side_to_move()));
            }
            let limits = Limits {
                nodes: Some(nodes),
                memory_bytes: Some(8 << 20),
                ..Limits::default()
            };
            let choice = think_quietly(&mut *engine, &position, &limits);
            choice.best.expect("the game is not over")
        };
        position.play(cell).expect("a legal move");
    }
    let points = |side: Side| match position.outcome() {
        Some(Outcome::Win(winner)) if winner == side => 1.0,
        Some(Outcome::Win(_)) => 0.0,
        _ => 0.5,
    };
    into.extend(seen.into_iter().map(|(row, side)| (row, points(side))));
}

/// The weights that explain the points best.
fn fit(data: &[(Row, f64)]) -> Row {
    let mut weights = [0.0; INPUTS];
    for _ in 0..12 {
        let mut slope = [0.0; INPUTS];
        let mut curve = [[0.0; INPUTS]; INPUTS];
        for (row, points) in data {
            let sum: f64 = row.iter().zip(weights).map(|(x, w)| x * w).sum();
            let rate = 1.0 / (1.0 + (-sum).exp());
            // Most pairs do not occur.
            for one in (0..INPUTS).filter(|&one| row[one] != 0.0) {
                slope[one] += (points - rate) * row[one];
                for other in 0..INPUTS {
                    curve[one][other] += rate * (1.0 - rate) * row[one] * row[other];
                }
            }
        }
        for at in 0..INPUTS {
            let is_pair = at > SHAPES && at % SHAPES > 0;
            let decay = if is_pair { PAIR_DECAY } else { DECAY };
            slope[at] -= decay * weights[at];
            curve[at][at] += decay;
        }
        let step = solve(curve, slope);
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step;
        }
    }
    weights
}

/// The solution of a positive definite system.
fn solve(mut matrix: [Row; INPUTS], mut right: Row) -> Row {
    for pivot in 0..INPUTS {
        for below in pivot + 1..INPUTS {
            let factor = matrix[below][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            for (place, value) in matrix[below].iter_mut().zip(above) {
                *place -= factor * value;
            }
            right[below] -= factor * right[pivot];
        }
    }
    let mut solution = [0.0; INPUTS];
    for at in (0..INPUTS).rev() {
        let known: f64 = (at + 1..INPUTS)
            .map(|later| matrix[at][later] * solution[later])
            .sum();
        solution[at] = (right[at] - known) / matrix[at][at];
    }
    solution
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |at: usize, usual: u64| {
        let given = arguments.get(at).and_then(|text| text.parse().ok());
        given.unwrap_or(usual)
    };
    let (games, nodes, seed) = (number(1, 1000), number(2, 3000), number(3, 1));
    let game = arguments.get(4).map_or("gomoku", String::as_str);
    let variant: Variant = game.parse().expect("the name of a game");
    let mut data = Vec::new();
    for at in 0..games {
        play(&variant, nodes, seed + at, &mut data);
        if (at + 1) % 100 == 0 {
            writeln!(std::io::stderr(), "{} of {games} games", at + 1)?;
        }
    }
    let weights = fit(&data).map(|weight| weight * LOGIT);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} positions of {games} games", data.len())?;
    writeln!(out, "turn: {:.0}", weights[0])?;
    for own in 0..SHAPES {
        let row: Vec<String> = (0..SHAPES)
            .map(|other| format!("{:.0}", worth(&weights, own, other)))
            .collect();
        writeln!(out, "    [{}],", row.join(", "))?;
    }
    Ok(())
}
