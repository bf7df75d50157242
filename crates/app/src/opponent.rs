//! Who plays against the person at the terminal.
//!
//! Looks one move ahead for each side: wins now, prevents a win now, gives no
//! win away, and otherwise plays where most lines can still be made.

use anyhow::bail;
use std::fmt;
use std::str::FromStr;
use stoneline_rules::{Cell, Chance, Content, Outcome, Position};

/// A way to choose moves, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opponent {
    /// Looks one move ahead for each side.
    Greedy,
    /// Any legal move, each equally likely.
    Random,
}

const NAMES: [(&str, Opponent); 2] = [("greedy", Opponent::Greedy), ("random", Opponent::Random)];

impl Opponent {
    /// The move it plays; `None` when the game is over.
    pub(crate) fn choose(self, position: &Position, chance: &mut Chance) -> Option<Cell> {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        match self {
            Self::Greedy => greedy(position, moves, chance),
            Self::Random => Some(moves[chance.below(moves.len() as u32) as usize]),
        }
    }
}

impl FromStr for Opponent {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> anyhow::Result<Self> {
        match NAMES.iter().find(|(known, _)| *known == name) {
            Some(&(_, opponent)) => Ok(opponent),
            None => bail!(
                "unknown engine {name:?}; known are {}",
                NAMES.map(|(known, _)| known).join(", ")
            ),
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, opponent)| opponent == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

fn greedy(position: &Position, mut moves: Vec<Cell>, chance: &mut Chance) -> Option<Cell> {
    let mut position = position.clone();
    moves.sort_by_cached_key(|&cell| (std::cmp::Reverse(promise(&position, cell)), chance.draw()));
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
    use stoneline_rules::Variant;

    fn after(game: &str, columns: &[u8]) -> Position {
        let mut position = Position::new(game.parse::<Variant>().unwrap());
        for &column in columns {
            let cell = position.landing(column).unwrap();
            position.play(cell).unwrap();
        }
        position
    }

    fn column(columns: &[u8], seed: u64) -> u8 {
        let choice = Opponent::Greedy.choose(&after("connect4", columns), &mut Chance::new(seed));
        choice.unwrap().column()
    }

    #[test]
    fn wins_before_it_blocks() {
        for seed in 0..20 {
            // X has three in the left column, O three in the right one; X moves.
            assert_eq!(column(&[0, 6, 0, 6, 0, 6], seed), 0);
        }
    }

    #[test]
    fn blocks_a_win() {
        for seed in 0..20 {
            assert_eq!(column(&[3, 0, 3, 0, 3], seed), 3);
        }
    }

    #[test]
    fn gives_no_win_away() {
        // X holds d2 e2 f2 above O's and X's stones: g1 would let X finish at g2.
        let mut position = after("connect4", &[3, 4, 5, 0, 4, 3, 5, 2]);
        position.play(position.landing(3).unwrap()).unwrap();
        for seed in 0..20 {
            let choice = Opponent::Greedy
                .choose(&position, &mut Chance::new(seed))
                .unwrap();
            position.play(choice).unwrap();
            for reply in position.legal_moves() {
                assert!(!wins(&mut position, reply), "{choice} allows {reply}");
            }
            position.undo();
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
            let mut position = after(game, &[]);
            for opponent in [Opponent::Greedy, Opponent::Random].into_iter().cycle() {
                match opponent.choose(&position, &mut chance) {
                    Some(cell) => position.play(cell).unwrap(),
                    None => break,
                }
            }
            assert!(position.outcome().is_some(), "{game}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for (name, opponent) in NAMES {
            assert_eq!(name.parse::<Opponent>().unwrap(), opponent);
            assert_eq!(opponent.to_string(), name);
        }
        let error = "gredy".parse::<Opponent>().unwrap_err().to_string();
        assert_eq!(error, "unknown engine \"gredy\"; known are greedy, random");
    }
}
