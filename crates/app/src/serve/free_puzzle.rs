//! Puzzles where stones lie anywhere: wins by threats, found by the threat search.
//!
//! The longer ones of a seed may need open threes; the shorter ones are won by
//! fours alone. What a person plays is judged by search, not by the line that
//! was found first: any forced win counts.

use super::analyst::consult;
use super::puzzle::{Puzzle, casual_move};
use super::slots::Stop;
use crate::opponent::Opponent;
use std::time::Duration;
use stoneline_rules::{Cell, Chance, Position, Variant};
use stoneline_search::gomoku::{Means, Proof, Threats};
use stoneline_search::{Engine, Value};

/// Who plays every other move of the games out of which puzzles come: someone with a plan.
const CASUAL: &str = "gobang-minimax:depth=1";
/// Games tried before giving up.
const GAMES: u32 = 5000;
/// Stones on the board of a puzzle: something to look at, and not too much of it.
const STONES: std::ops::RangeInclusive<usize> = 9..=44;
/// Positions searched for one puzzle's win, and for the judgement of a person's move.
const NODES: [u64; 2] = [4_000, 50_000];
/// From so many plies on threes may be needed.
const THREES_FROM: usize = 7;
/// For a defence that fours do not force.
const DEFENCE_TIME: Duration = Duration::from_secs(3);

/// The puzzle of that seed with a win in `plies`; `None` if none was found or `stop` was raised.
pub(super) fn find(variant: &Variant, plies: usize, seed: u64, stop: &Stop) -> Option<Puzzle> {
    let threats = Threats::new(variant)?;
    let mut casual = CASUAL.parse::<Opponent>().ok()?.build(variant).ok()?;
    let mut chance = Chance::new(seed ^ (plies as u64) << 32);
    (0..GAMES)
        .take_while(|_| !stop.is_raised())
        .find_map(|_| one_game(&threats, &mut *casual, variant, plies, &mut chance))
}

/// A puzzle out of one game played half by chance.
fn one_game(
    threats: &Threats,
    casual: &mut dyn Engine,
    variant: &Variant,
    plies: usize,
    chance: &mut Chance,
) -> Option<Puzzle> {
    let mut position = Position::new(*variant);
    while position.outcome().is_none() && position.plies() <= *STONES.end() {
        if STONES.contains(&position.plies()) {
            let found = puzzle_at(threats, &position, plies);
            if found.is_some() {
                return found;
            }
        }
        let cell = if chance.below(2) == 0 {
            beside(&position, chance)?
        } else {
            casual_move(casual, &position, chance)?
        };
        position.play(cell).ok()?;
    }
    None
}

/// Any legal cell next to a stone; in the middle of an empty board.
fn beside(position: &Position, chance: &mut Chance) -> Option<Cell> {
    let geometry = position.variant().geometry();
    let is_near = |cell: &Cell, other: &Cell| {
        let across = cell.column().abs_diff(other.column());
        let along = cell.row().abs_diff(other.row());
        across.max(along) <= 1
    };
    let middle = Cell::new(geometry.columns() / 2, geometry.rows() / 2);
    let stones = position.moves();
    let near: Vec<Cell> = position
        .legal_moves()
        .into_iter()
        .filter(|cell| match stones {
            [] => *cell == middle,
            stones => stones.iter().any(|stone| is_near(cell, stone)),
        })
        .collect();
    let at = chance.below(near.len().try_into().ok().filter(|&count| count > 0)?);
    near.get(at as usize).copied()
}

fn puzzle_at(threats: &Threats, position: &Position, plies: usize) -> Option<Puzzle> {
    let means = if plies < THREES_FROM {
        Means::Fours
    } else {
        Means::Threes
    };
    let proof = threats.search(position, means, &mut |nodes| nodes > NODES[0])?;
    if usize::from(proof.plies()) != plies || proof.verify(position).is_err() {
        return None;
    }
    Some(Puzzle {
        position: position.clone(),
        line: proof.line(),
        plies,
    })
}

/// What the side to move should do: win by threats, or the defence that lasts.
///
/// A loss is told only where it is proven.
pub(super) fn solve(position: &Position, stop: &Stop) -> Option<(Cell, Value)> {
    let threats = Threats::new(position.variant())?;
    if let Some(proof) = prove(&threats, position, stop) {
        return Some((
            proof.cell(),
            Value::Win {
                plies: proof.plies(),
            },
        ));
    }
    let attacker = !position.side_to_move();
    let wins = position.finishing_cells(attacker, None);
    let Some(&block) = wins.first() else {
        if let Some((reply, plies)) = longest_resistance(&threats, position, stop) {
            return Some((reply, Value::Loss { plies }));
        }
        let engine: Opponent = "best".parse().ok()?;
        let mut engine = engine.build(position.variant()).ok()?;
        let choice = consult(&mut *engine, position, DEFENCE_TIME, stop);
        return Some((choice.best?, choice.value));
    };
    let mut blocked = position.clone();
    if wins.len() > 1 || blocked.play(block).is_err() {
        // Two ways to finish, or one that may not be stopped.
        let reply = wins
            .iter()
            .copied()
            .find(|&cell| position.clone().play(cell).is_ok())
            .or_else(|| position.legal_moves().first().copied())?;
        return Some((reply, Value::Loss { plies: 2 }));
    }
    let value = match prove(&threats, &blocked, stop) {
        Some(proof) => Value::Loss {
            plies: proof.plies() + 1,
        },
        None => Value::Guess(0.5),
    };
    Some((block, value))
}

/// The reply after which the attacker's win takes longest, and how long; `None` unless every
/// reply is proven to lose.
fn longest_resistance(threats: &Threats, position: &Position, stop: &Stop) -> Option<(Cell, u16)> {
    let mut longest: Option<(Cell, u16)> = None;
    for reply in position.legal_moves() {
        let mut after = position.clone();
        after.play(reply).ok()?;
        let plies = 1 + prove(threats, &after, stop)?.plies();
        if longest.is_none_or(|(_, known)| plies > known) {
            longest = Some((reply, plies));
        }
    }
    longest
}

fn prove(threats: &Threats, position: &Position, stop: &Stop) -> Option<Proof> {
    let mut is_over = |nodes| nodes > NODES[1] || stop.is_raised();
    threats.search(position, Means::Threes, &mut is_over)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the attacker by `solve` and the defender by it too: the win is there in time.
    #[test]
    fn puzzles_are_won_by_force() {
        for (game, plies) in [("gomoku", 3), ("gomoku", 5), ("renju", 5), ("gomoku", 9)] {
            let variant = game.parse().unwrap();
            let stop = Stop::default();
            let puzzle = find(&variant, plies, 7, &stop).expect("there are many");
            assert!(puzzle.position.outcome().is_none());
            let winner = puzzle.position.side_to_move();
            let mut position = puzzle.position.clone();
            for ply in 0.. {
                if let Some(outcome) = position.outcome() {
                    assert_eq!(outcome, stoneline_rules::Outcome::Win(winner));
                    break;
                }
                assert!(ply <= plies + 2, "{}", position.notation());
                let (cell, value) = solve(&position, &stop).unwrap();
                let expected = if ply % 2 == 0 {
                    matches!(value, Value::Win { .. })
                } else {
                    matches!(value, Value::Loss { .. })
                };
                assert!(expected, "{value:?} at {}", position.notation());
                position.play(cell).unwrap();
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_puzzle() {
        let variant = "gomoku".parse().unwrap();
        let find = |seed| find(&variant, 5, seed, &Stop::default()).unwrap().json();
        assert_eq!(find(1), find(1));
        assert_ne!(find(1), find(2));
    }

    #[test]
    fn a_defence_is_told_from_a_loss() {
        let stop = Stop::default();
        let open_four: Position = "gomoku h8 a1 i8 a3 j8 a5 k8".parse().unwrap();
        let (cell, value) = solve(&open_four, &stop).unwrap();
        assert_eq!(value, Value::Loss { plies: 2 });
        assert!([(6, 7), (11, 7)].contains(&(cell.column(), cell.row())));
        let four: Position = "gomoku h8 g8 i8 a3 j8 a5 k8".parse().unwrap();
        let (cell, value) = solve(&four, &stop).unwrap();
        assert_eq!((cell.column(), cell.row()), (11, 7));
        assert!(!value.is_proven(), "{value:?}");
    }
}
