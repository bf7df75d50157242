//! Who plays against the person at the terminal: `greedy`, or any engine of the registry.
//!
//! `greedy` looks one move ahead for each side: wins now, prevents a win now,
//! gives no win away, and otherwise plays where most lines can still be made.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;
use stoneline_rules::{Cell, Chance, Content, Outcome, Position, ReadError, Variant};
use stoneline_search::{BuildError, Choice, Effort, Engine, Event, Limits, Spec, Value};

/// The name of the opponent that lives here.
pub(crate) const GREEDY: &str = "greedy";

/// An opponent by name.
#[derive(Clone)]
pub(crate) enum Opponent {
    /// Looks one move ahead for each side.
    Greedy,
    /// An engine of the registry.
    Named(Arc<Spec>),
}

impl Opponent {
    /// The strongest there is for a game: `best`, or `greedy` where it does not play yet.
    pub(crate) fn usual(variant: &Variant) -> Self {
        let best: Spec = "best".parse().expect("the registry knows best");
        match best.build(variant) {
            Ok(_) => Self::Named(Arc::new(best)),
            Err(_) => Self::Greedy,
        }
    }

    /// The name and settings, as given.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Greedy => GREEDY,
            Self::Named(spec) => spec.text(),
        }
    }

    /// The engine for a variant.
    pub(crate) fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        match self {
            Self::Greedy => Ok(Box::new(Greedy)),
            Self::Named(spec) => spec.build(variant),
        }
    }
}

impl FromStr for Opponent {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        if text == GREEDY {
            return Ok(Self::Greedy);
        }
        Ok(Self::Named(Arc::new(text.parse()?)))
    }
}

/// Looks one move ahead for each side.
struct Greedy;

impl Engine for Greedy {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        _: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        let mut chance = Chance::new(limits.seed.unwrap_or(0));
        Choice {
            best: choose(position.clone(), &mut chance),
            value: Value::Guess(0.5),
            moves: Vec::new(),
            effort: Effort::default(),
        }
    }
}

/// The move of `greedy`; `None` when the game is over.
fn choose(mut position: Position, chance: &mut Chance) -> Option<Cell> {
    let mut moves = position.legal_moves();
    moves.sort_by_cached_key(|&cell| (Reverse(promise(&position, cell)), chance.draw()));
    if let Some(&winning) = moves.iter().find(|&&cell| wins(&mut position, cell)) {
        return Some(winning);
    }
    let safe = moves.iter().find(|&&cell| {
        position.play(cell).expect("legal moves can be played");
        let replies = position.legal_moves();
        let loses = replies.into_iter().any(|reply| wins(&mut position, reply));
        position.undo();
        !loses
    });
    safe.or(moves.first()).copied()
}

/// Whether `cell`, a legal move, wins at once; the position is as before.
fn wins(position: &mut Position, cell: Cell) -> bool {
    position.play(cell).expect("legal moves can be played");
    let won = matches!(position.outcome(), Some(Outcome::Win(_)));
    position.undo();
    won
}

/// How much a stone on `cell` furthers own lines and hinders others.
///
/// Every window of k cells through it counts that only one side has stones in,
/// eight times more a stone; own windows count a little more.
fn promise(position: &Position, cell: Cell) -> u64 {
    let variant = position.variant();
    let run = i32::from(variant.run());
    let mover = position.side_to_move();
    let content = |step: i32, direction: (i32, i32)| {
        let column = u8::try_from(i32::from(cell.column()) + step * direction.0).ok()?;
        let row = u8::try_from(i32::from(cell.row()) + step * direction.1).ok()?;
        let inside = column < variant.geometry().columns() && row < variant.geometry().rows();
        inside.then(|| position.content(Cell::new(column, row)))?
    };
    let mut total = 0;
    for direction in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for start in 1 - run..=0 {
            let (mut own, mut other, mut open) = (0, 0, true);
            for step in start..start + run {
                match content(step, direction) {
                    Some(Content::Empty) => {}
                    Some(Content::Stone(side)) if side == mover => own += 1,
                    Some(Content::Stone(_)) => other += 1,
                    Some(Content::Blocked) | None => open = false,
                }
            }
            // Beyond twelve stones more make no difference, and nothing overflows.
            total += match (open, own.min(12), other.min(12)) {
                (true, own, 0) => 4 << (3 * own),
                (true, 0, other) => 3 << (3 * other),
                _ => 0,
            };
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(text: &str, seed: u64) -> Cell {
        choose(text.parse().unwrap(), &mut Chance::new(seed)).unwrap()
    }

    #[test]
    fn wins_before_it_blocks() {
        for seed in 0..20 {
            // X has three in the left column, O three in the right one; X moves.
            assert_eq!(choice("connect4 171717", seed).column(), 0);
        }
    }

    #[test]
    fn blocks_a_win() {
        for seed in 0..20 {
            assert_eq!(choice("connect4 41414", seed).column(), 3);
            assert_eq!(
                choice("mnk:7x7x4 c1 c7 d1 c6 e1 b1", seed).to_string(),
                "f1"
            );
        }
    }

    #[test]
    fn gives_no_win_away() {
        // X's line in the second row lacks column 4 alone, which is empty: a
        // stone there would let X finish above it.
        let drawn = "connectx:4x6x4
            . . . . . .
            . o . . . .
            x x x . o x
            o x o . x o";
        let position: Position = drawn.parse().unwrap();
        let mut given = position.clone();
        given.play(given.landing(3).unwrap()).unwrap();
        let above = given.landing(3).unwrap();
        assert!(wins(&mut given, above), "the drawing holds the trap");
        for seed in 0..50 {
            let cell = choose(position.clone(), &mut Chance::new(seed)).unwrap();
            assert_ne!(cell.column(), 3);
        }
    }

    #[test]
    fn plays_whole_games_of_every_kind() {
        for game in [
            "connect4",
            "course",
            "gomoku:9",
            "standard:7",
            "renju:9",
            "caro:8",
        ] {
            let mut chance = Chance::new(7);
            let mut position: Position = game.parse().unwrap();
            while let Some(cell) = choose(position.clone(), &mut chance) {
                position.play(cell).unwrap();
            }
            assert!(position.outcome().is_some(), "{game}");
        }
    }

    #[test]
    fn names_reach_the_registry() {
        assert_eq!("greedy".parse::<Opponent>().unwrap().name(), "greedy");
        let spec = "random:seed=7".parse::<Opponent>().unwrap();
        assert_eq!(spec.name(), "random:seed=7");
        assert!("gredy".parse::<Opponent>().is_err());
    }
}
