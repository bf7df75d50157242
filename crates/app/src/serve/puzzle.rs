//! Puzzles: positions with a win by force, found by our own search.
//!
//! Where stones fall one move alone wins, and the exact solver says so; other
//! boards are the concern of `free_puzzle`.
//!
//! The same game, length and seed give the same puzzle for ever: games are
//! played half by chance, and the first position that fits is taken.

use super::analyst::consult;
use super::free_puzzle;
use super::slots::Stop;
use crate::opponent::Opponent;
use serde_json::{Value as Json, json};
use std::time::Duration;
use stoneline_rules::{Cell, Chance, Position, Variant};
use stoneline_search::solve::{Book, Bounds, Question, SolveLimits, Solver, plies_to_end};
use stoneline_search::{Engine, Limits, think_quietly};

/// Who plays the games out of which puzzles come: someone who makes mistakes.
const CASUAL: &str = "level:3";
/// Memory for the solver's table.
const MEMORY_BYTES: usize = 16 << 20;
/// Nodes for one position: what takes more is no puzzle for a person.
const NODES: u64 = 60_000;
/// Games tried before giving up.
const GAMES: u32 = 20_000;

/// A position in which the side to move wins by force.
pub(crate) struct Puzzle {
    pub(super) position: Position,
    /// The winning line, the good move first.
    pub(super) line: Vec<Cell>,
    pub(super) plies: usize,
}

impl Puzzle {
    pub(crate) fn json(&self) -> Json {
        let game = self.position.variant();
        let line = self.line.iter().map(|&cell| super::view::named(game, cell));
        json!({
            "position": self.position.notation(),
            "plies": self.plies,
            "line": line.collect::<Vec<_>>(),
        })
    }
}

/// The puzzle of that seed with a win in `plies`; `None` if none was found or `stop` was raised.
pub(crate) fn find(variant: &Variant, plies: usize, seed: u64, stop: &Stop) -> Option<Puzzle> {
    if !variant.rule().falls() {
        return free_puzzle::find(variant, plies, seed, stop);
    }
    let mut solver = Solver::new(variant, MEMORY_BYTES, 1).ok()?;
    if variant.to_string() == "connect4" {
        solver.use_book(Book::connect4());
    }
    let mut chance = Chance::new(seed ^ (plies as u64) << 32);
    let mut casual = CASUAL.parse::<Opponent>().ok()?.build(variant).ok()?;
    (0..GAMES)
        .take_while(|_| !stop.is_raised())
        .find_map(|_| one_game(&mut solver, &mut *casual, variant, plies, &mut chance))
}

/// A puzzle out of one game played half by chance.
fn one_game(
    solver: &mut Solver,
    casual: &mut dyn Engine,
    variant: &Variant,
    plies: usize,
    chance: &mut Chance,
) -> Option<Puzzle> {
    let capacity = variant.geometry().capacity();
    let mut position = Position::new(*variant);
    while position.outcome().is_none() {
        let stones = position.plies();
        // Neither bare nor crowded boards: a person wants something to look at.
        if 4 * stones >= capacity && 3 * stones <= 2 * capacity && stones + plies <= capacity {
            let found = puzzle_at(solver, &position, plies);
            if found.is_some() {
                return found;
            }
        }
        let legal = position.legal_moves();
        let cell = if chance.below(2) == 0 {
            legal[chance.below(legal.len() as u32) as usize]
        } else {
            casual_move(casual, &position, chance)?
        };
        position.play(cell).ok()?;
    }
    None
}

/// What `casual` plays, by its own limits.
pub(super) fn casual_move(
    casual: &mut dyn Engine,
    position: &Position,
    chance: &mut Chance,
) -> Option<Cell> {
    let limits = Limits {
        seed: Some(chance.draw()),
        ..Limits::default()
    };
    think_quietly(casual, position, &limits).best
}

fn puzzle_at(solver: &mut Solver, position: &Position, plies: usize) -> Option<Puzzle> {
    let limits = SolveLimits {
        nodes: Some(NODES),
        ..SolveLimits::default()
    };
    let capacity = position.variant().geometry().capacity();
    let score = solver
        .solve(position, Question::Score, &limits)
        .ok()?
        .bounds
        .exact()?;
    if score <= 0 || plies_to_end(score, position.plies(), capacity) != Some(plies) {
        return None;
    }
    let (moves, _) = solver
        .solve_moves(position, Question::Outcome, &limits)
        .ok()?;
    let wins = |bounds: Bounds| bounds.low > 0;
    let is_known = moves.iter().all(|one| one.bounds.exact().is_some());
    if !is_known || moves.iter().filter(|one| wins(one.bounds)).count() != 1 {
        return None;
    }
    let line = solver.line(position, score, &limits).ok()?;
    (line.len() == plies).then(|| Puzzle {
        position: position.clone(),
        line,
        plies,
    })
}

/// The best move, and what the position is worth: for the attacker the shortest win, for the
/// defender the longest resistance.
pub(crate) fn solve(position: &Position, stop: &Stop) -> Option<(Cell, stoneline_search::Value)> {
    if !position.variant().rule().falls() {
        return free_puzzle::solve(position, stop);
    }
    let solver: Opponent = "solver".parse().ok()?;
    let mut solver = solver.build(position.variant()).ok()?;
    let choice = consult(&mut *solver, position, Duration::from_secs(5), stop);
    Some((choice.best?, choice.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_move_alone_wins_and_in_that_many_plies() {
        for (game, plies) in [("connect4", 3), ("connect4", 7), ("connectx:5x6x4", 5)] {
            let variant = game.parse().unwrap();
            let puzzle = find(&variant, plies, 7, &Stop::default()).expect("there are many");
            let mut solver = Solver::new(&variant, MEMORY_BYTES, 1).unwrap();
            let limits = SolveLimits::default();
            let (moves, _) = solver
                .solve_moves(&puzzle.position, Question::Outcome, &limits)
                .unwrap();
            let winning: Vec<_> = moves.iter().filter(|one| one.bounds.low > 0).collect();
            assert_eq!(winning.len(), 1, "{}", puzzle.position.notation());
            assert_eq!(winning[0].cell, puzzle.line[0]);
            let mut end = puzzle.position.clone();
            for &cell in &puzzle.line {
                end.play(cell).unwrap();
            }
            assert_eq!(puzzle.line.len(), plies);
            assert!(end.outcome().is_some(), "{}", end.notation());
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_puzzle() {
        let variant = "connect4".parse().unwrap();
        let find = |seed| find(&variant, 5, seed, &Stop::default()).unwrap().json();
        assert_eq!(find(1), find(1));
        assert_ne!(find(1), find(2));
    }
}
