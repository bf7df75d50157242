//! Threats on the board: who could finish a line where, and who could make two ways at once.

use super::view;
use serde_json::{Value as Json, json};
use stoneline_rules::{Cell, Position, Side};

/// How far a stone reaches: cells further from all stones of a side make no threat.
const REACH: u8 = 4;

/// For each side the cells that win, and those from which two ways to win open.
///
/// Where stones fall, cells that can't be reached yet are told as well: who
/// owns them decides the game in the end.
pub(crate) fn json(position: &Position) -> Json {
    let sides = Side::BOTH.map(|side| {
        let wins = position.finishing_cells(side, None);
        let doubles: Vec<Cell> = candidates(position, side)
            .filter(|cell| !wins.contains(cell))
            .filter(|&cell| {
                let after = position.finishing_cells(side, Some(cell));
                let new = after.iter().filter(|cell| !wins.contains(cell));
                new.filter(|&&next| is_reachable(position, cell, next))
                    .count()
                    >= 2
            })
            .collect();
        json!({"wins": view::cells(wins), "doubles": view::cells(doubles)})
    });
    json!({"sides": sides})
}

/// Cells that can be played and are near enough to stones of `side`.
fn candidates(position: &Position, side: Side) -> impl Iterator<Item = Cell> {
    let geometry = position.variant().geometry();
    let own: Vec<Cell> = geometry.cells(position.stones(side)).collect();
    let near = move |cell: &Cell| {
        own.iter().any(|stone| {
            let across = stone.column().abs_diff(cell.column());
            let along = stone.row().abs_diff(cell.row());
            across.max(along) <= REACH && (across == 0 || along == 0 || across == along)
        })
    };
    position.legal_moves().into_iter().filter(near)
}

/// Whether `next` can be played once a stone lies on `cell`.
fn is_reachable(position: &Position, cell: Cell, next: Cell) -> bool {
    if !position.variant().rule().falls() {
        return true;
    }
    let above = next.column() == cell.column() && next.row() == cell.row() + 1;
    above || position.landing(next.column()) == Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threats(text: &str) -> Json {
        json(&text.parse().unwrap())
    }

    #[test]
    fn wins_are_told_for_both_sides() {
        let told = threats("connect4 414151");
        assert_eq!(told["sides"][0]["wins"], json!([]));
        assert_eq!(told["sides"][1]["wins"], json!([[0, 3]]));
        // Cell f1 opens c1 and g1.
        assert_eq!(told["sides"][0]["doubles"], json!([[2, 0], [5, 0]]));
    }

    #[test]
    fn an_open_three_becomes_an_open_four() {
        let told = threats("gomoku g8 a1 h8 c1 i8 e1");
        assert_eq!(told["sides"][0]["wins"], json!([]));
        assert_eq!(told["sides"][0]["doubles"], json!([[5, 7], [9, 7]]));
        assert_eq!(told["sides"][1]["doubles"], json!([]));
    }
}
