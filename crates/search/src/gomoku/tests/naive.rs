//! The slow, obvious twin of the shapes: a grid, and definitions word by word.

use crate::gomoku::shape::Shape;
use std::collections::HashMap;
use stoneline_rules::{Cell, Content, Position, Rule, Side, Variant};

/// What was judged already, of one variant: the definitions are far too slow to ask twice.
pub(super) type Known = HashMap<(Vec<u8>, usize, Side), Shape>;

/// One line through a cell: its contents, and where the cell is.
#[derive(Clone)]
struct Strip {
    cells: Vec<Content>,
    centre: usize,
}

/// What a stone of `side` on the empty `cell` would make along a step.
pub(super) fn shape(
    known: &mut Known,
    position: &Position,
    side: Side,
    cell: Cell,
    step: (i32, i32),
) -> Shape {
    let at = |distance: i32| {
        let column = u8::try_from(i32::from(cell.column()) + distance * step.0).ok()?;
        let row = u8::try_from(i32::from(cell.row()) + distance * step.1).ok()?;
        (column < 32 && row < 32)
            .then(|| position.content(Cell::new(column, row)))
            .flatten()
    };
    let first = (0..).take_while(|&back| at(-back).is_some()).count() as i32 - 1;
    let last = (0..).take_while(|&ahead| at(ahead).is_some()).count() as i32 - 1;
    let mut cells: Vec<Content> = (-first..=last)
        .map(|distance| at(distance).unwrap())
        .collect();
    cells[first as usize] = Content::Stone(side);
    let strip = Strip {
        cells,
        centre: first as usize,
    };
    judge(known, position.variant(), &strip, side)
}

/// The maximal run of the side through the centre.
fn run(strip: &Strip, side: Side) -> (usize, usize) {
    let own = |at: usize| strip.cells[at] == Content::Stone(side);
    let mut low = strip.centre;
    while low > 0 && own(low - 1) {
        low -= 1;
    }
    let mut high = strip.centre;
    while high + 1 < strip.cells.len() && own(high + 1) {
        high += 1;
    }
    (low, high)
}

fn wins(variant: &Variant, strip: &Strip, side: Side) -> bool {
    let (low, high) = run(strip, side);
    let (length, needed) = (high - low + 1, usize::from(variant.run()));
    let theirs =
        |at: Option<usize>| at.and_then(|at| strip.cells.get(at)) == Some(&Content::Stone(!side));
    let closed = theirs(low.checked_sub(1)) && theirs(Some(high + 1));
    match variant.rule() {
        Rule::Freestyle | Rule::Gravity => length >= needed,
        Rule::Standard => length == needed,
        Rule::Renju => length == needed || length > needed && side == Side::Second,
        Rule::Caro => length == needed && !closed,
    }
}

fn with(strip: &Strip, at: usize, side: Side) -> Strip {
    let mut strip = strip.clone();
    strip.cells[at] = Content::Stone(side);
    strip
}

/// Empty cells near enough to share a five with the centre.
fn empties(variant: &Variant, strip: &Strip) -> Vec<usize> {
    (0..strip.cells.len())
        .filter(|&at| strip.cells[at] == Content::Empty)
        .filter(|&at| at.abs_diff(strip.centre) <= usize::from(variant.run()))
        .collect()
}

fn points(variant: &Variant, strip: &Strip, side: Side) -> Vec<usize> {
    empties(variant, strip)
        .into_iter()
        .filter(|&at| wins(variant, &with(strip, at, side), side))
        .collect()
}

fn judge(known: &mut Known, variant: &Variant, strip: &Strip, side: Side) -> Shape {
    let codes = strip.cells.iter().map(|cell| match cell {
        Content::Empty | Content::Blocked => 0,
        Content::Stone(side) => 1 + side.index() as u8,
    });
    let name = (codes.collect(), strip.centre, side);
    if let Some(&shape) = known.get(&name) {
        return shape;
    }
    let shape = define(known, variant, strip, side);
    known.insert(name, shape);
    shape
}

fn define(known: &mut Known, variant: &Variant, strip: &Strip, side: Side) -> Shape {
    let (low, high) = run(strip, side);
    let restricted = variant.rule() == Rule::Renju && side == Side::First;
    if restricted && high - low + 1 > 5 {
        return Shape::Overline;
    }
    if wins(variant, strip, side) {
        return Shape::Five;
    }
    let fives = points(variant, strip, side);
    if !fives.is_empty() {
        let straight = high - low + 1 == 4 && fives.len() == 2 && fives == [low - 1, high + 1];
        // Whatever one stone the opponent adds, a five is left.
        let survives = empties(variant, strip)
            .iter()
            .all(|&at| !points(variant, &with(strip, at, !side), side).is_empty());
        return match (restricted, survives) {
            (true, _) if straight => Shape::OpenFour,
            (true, true) => Shape::DoubleFour,
            (false, true) => Shape::OpenFour,
            (_, false) => Shape::Four,
        };
    }
    let mut next =
        |at: &usize| judge(known, variant, &with(strip, *at, side), side).one_stone_before();
    let mut best = Shape::Dead;
    for at in &empties(variant, strip) {
        best = best.max(next(at));
        if best == Shape::OpenThree {
            break;
        }
    }
    best
}
