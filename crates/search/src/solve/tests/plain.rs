//! The dull twin: alpha-beta over legal moves, and nothing else.

use crate::solve::score_of_end;
use stoneline_rules::{Cell, Chance, Content, Position, Rule, Side, Variant};

/// The score of a position whose game goes on, from the mover's view.
pub(super) fn score(position: &Position) -> i32 {
    let geometry = position.variant().geometry();
    let (rows, columns) = (geometry.rows(), geometry.columns());
    let cells = (0..columns)
        .flat_map(|column| (0..rows).map(move |row| Cell::new(column, row)))
        .map(|cell| position.content(cell).expect("a cell of the board"))
        .collect();
    let mut grid = Plain {
        rows: usize::from(rows),
        columns: usize::from(columns),
        run: usize::from(position.variant().run()),
        capacity: geometry.capacity(),
        stones: position.plies(),
        cells,
    };
    let most = grid.capacity as i32;
    grid.search(-most, most)
}

/// A board as a list of cells, column by column.
struct Plain {
    rows: usize,
    columns: usize,
    run: usize,
    capacity: usize,
    stones: usize,
    cells: Vec<Content>,
}

impl Plain {
    fn search(&mut self, alpha: i32, beta: i32) -> i32 {
        if self.stones == self.capacity {
            return 0;
        }
        let mut best = -(self.capacity as i32);
        let side = Side::to_move(self.stones);
        for column in 0..self.columns {
            let from = column * self.rows;
            let Some(at) = (from..from + self.rows).find(|&at| self.cells[at] == Content::Empty)
            else {
                continue;
            };
            self.cells[at] = Content::Stone(side);
            self.stones += 1;
            let value = if self.wins(column, at - from) {
                score_of_end(1, self.stones - 1, self.capacity)
            } else {
                -self.search(-beta, -alpha.max(best))
            };
            self.stones -= 1;
            self.cells[at] = Content::Empty;
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// Whether the stone at this place is part of a run.
    fn wins(&self, column: usize, row: usize) -> bool {
        let stone = self.cells[column * self.rows + row];
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(x, y)| {
            let along = |sign: i32| {
                (1..)
                    .take_while(|step| {
                        let column = column as i32 + sign * step * x;
                        let row = row as i32 + sign * step * y;
                        (0..self.columns as i32).contains(&column)
                            && (0..self.rows as i32).contains(&row)
                            && self.cells[column as usize * self.rows + row as usize] == stone
                    })
                    .count()
            };
            along(1) + along(-1) + 1 >= self.run
        })
    }
}

/// A gravity board by its numbers; blocked cells by column and row from the bottom.
pub(super) fn board(rows: usize, columns: usize, run: usize, blocked: &[Cell]) -> Variant {
    Variant::new(Rule::Gravity, rows, columns, run, blocked).expect("a board that exists")
}

/// A position by random play that avoids wins, with at most `empty` cells empty.
///
/// `None` when a win could not be avoided on the way.
pub(super) fn random_position(
    variant: Variant,
    empty: usize,
    chance: &mut Chance,
) -> Option<Position> {
    let mut position = Position::new(variant);
    while variant.geometry().capacity() - position.plies() > empty {
        let mut moves = position.legal_moves();
        loop {
            if moves.is_empty() {
                return None;
            }
            let cell = moves.swap_remove(chance.below(moves.len() as u32) as usize);
            position.play(cell).expect("a legal move");
            if position.outcome().is_none() {
                break;
            }
            position.undo();
        }
    }
    Some(position)
}
