//! Complete answers: every move that stops a four, and every move that stops an open four to come.

use super::cells::{CellSet, Spot};
use super::field::Field;
use super::shape::{Class, Shape, shapes};
use stoneline_rules::Side;

/// Every move of the other side after which `attacker` can't make five at once.
///
/// Empty if there is none. Contract: `attacker` has a five to make, the other side has none.
pub(crate) fn answers_to_four(field: &Field, attacker: Side) -> CellSet {
    let fives = field.threats(attacker, Class::Five);
    let mut answers = CellSet::EMPTY;
    let Some(five) = fives.first() else {
        return answers;
    };
    if field.ground().has_open_ends() {
        for answer in spoilers(field, attacker, five) {
            let stops = |five: Spot| {
                five == answer || field.class_after(attacker, five, answer) != Class::Five
            };
            if fives.iter().all(stops) {
                answers.insert(answer);
            }
        }
    } else if field.count(attacker, Class::Five) == 1 && field.allows(!attacker, five) {
        // A stone elsewhere leaves the run through that cell as it is.
        answers.insert(five);
    }
    answers
}

/// Moves that may stop the five at `five`: the cell itself and, in caro, the ends of its runs.
pub(crate) fn spoilers(field: &Field, attacker: Side, five: Spot) -> Vec<Spot> {
    let ground = field.ground();
    let mut found = vec![five];
    if !ground.has_open_ends() {
        return found;
    }
    let lines = shapes(field.shape_key(attacker, five));
    for direction in (0..4).filter(|&direction| lines[direction] == Shape::Five) {
        for way in [-1, 1] {
            let end = (1..)
                .map(|distance| ground.along(five, direction, way * distance))
                .find(|end| end.is_none_or(|end| !field.holds(attacker, end)))
                .flatten();
            found.extend(end.filter(|&end| field.is_empty(end)));
        }
    }
    found
}

/// Every quiet move of the other side after which `attacker` can't make an open four at once.
///
/// `None` if it can't anyway. A four of the other side may gain time beyond
/// these. Contract: nobody can make five.
pub(crate) fn answers_to_open_four(field: &Field, attacker: Side) -> Option<CellSet> {
    let mut common: Option<CellSet> = None;
    for threat in field.threats(attacker, Class::OpenFour).iter() {
        if !field.allows(attacker, threat) {
            continue;
        }
        let stops = stops_to_open_four(field, attacker, threat);
        common = Some(common.map_or(stops, |common| common.and(&stops)));
    }
    common
}

/// The empty cells where a stone of the other side makes `threat` less than an open four.
fn stops_to_open_four(field: &Field, attacker: Side, threat: Spot) -> CellSet {
    let ground = field.ground();
    let radius = ground.table().radius() as i32;
    let lines = shapes(field.shape_key(attacker, threat));
    let mut stops = CellSet::EMPTY;
    stops.insert(threat);
    for direction in (0..4).filter(|&direction| lines[direction] >= Shape::Four) {
        for distance in -radius..=radius {
            let near = ground.along(threat, direction, distance);
            let Some(near) = near.filter(|&near| field.is_empty(near) && near != threat) else {
                continue;
            };
            if field.class_after(attacker, threat, near) < Class::OpenFour {
                stops.insert(near);
            }
        }
    }
    stops
}
