//! The first stones of a free game, by rule.

use super::cells::Spot;
use super::field::Field;
use super::ground::Ground;
use crate::engine::Choice;
use crate::value::Value;
use stoneline_rules::Cell;

/// The move on an empty board; `None` on any other.
pub(crate) fn first_move(field: &Field) -> Option<Spot> {
    let geometry = field.ground().variant().geometry();
    (field.plies() == 0).then(|| {
        field
            .ground()
            .spot(Cell::new(geometry.columns() / 2, geometry.rows() / 2))
    })
}

/// The choice of a first move.
pub(crate) fn played(ground: &Ground, spot: Spot) -> Choice {
    Choice::at_once(ground.cell(spot), Value::Guess(0.5))
}
