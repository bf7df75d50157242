//! The rows that make up a position, for whoever trains a network.

use super::columns::{MOST_COLUMNS, Threats, View};
use super::plan::Plan;
use super::rows::{NONE, fill_row, head, phase_row};
use stoneline_rules::{Board, Grid, Position, Side, Variant, with_words};

/// The inputs of one game's positions.
#[derive(Clone, Debug)]
pub struct Inputs {
    plan: Plan,
}

impl Inputs {
    /// The inputs of `variant`; `None` unless stones fall.
    pub fn new(variant: &Variant) -> Option<Self> {
        variant.rule().falls().then(|| Self {
            plan: Plan::new(variant),
        })
    }

    /// The output for `position`, and into `rows` every row that it has, as often as it has it.
    ///
    /// Contract: it is of the variant that the inputs were made for, and nobody has won.
    pub fn list(&self, position: &Position, rows: &mut Vec<u16>) -> usize {
        let contents = self.plan.contents(position);
        let left = self.plan.capacity - position.plies() as u16;
        let mover = position.side_to_move().index();
        let threats = threats(&self.plan, position);
        rows.clear();
        rows.extend(self.plan.window_rows(&contents));
        rows.extend(threats.rows());
        rows.push(phase_row(left, mover));
        let (ending, patience) = threats.fill(left, mover);
        rows.push(fill_row(ending, patience, mover));
        rows.retain(|&row| row != NONE);
        head(left, ending, mover)
    }
}

/// The threats at `position`.
fn threats(plan: &Plan, position: &Position) -> Threats {
    with_words!(position.variant().geometry(), WORDS => {
        let grid = Grid::<WORDS>::new(position.variant()).expect("the width was chosen to fit");
        let board = Board::new(&grid, position);
        let mut landing = [0; MOST_COLUMNS];
        for bit in board.legal(&grid).iter() {
            landing[plan.column_of(bit)] = bit as u16;
        }
        let view = View {
            stones: &Side::BOTH.map(|side| board.stones(side).words()),
            winning: &Side::BOTH.map(|side| board.winning_cells(&grid, side).words()),
            landing: &landing,
        };
        Threats::new(plan, &view)
    })
}
