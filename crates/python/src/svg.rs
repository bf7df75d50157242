//! The board as a picture for notebooks: plain SVG, no script, no font of its own.
//!
//! The sides differ by a ring as well as by colour; the last stone carries a
//! dot, a winning line a bright edge.

use std::fmt::Write;
use stoneline_rules::notation::column_sign;
use stoneline_rules::{Cell, Content, Position, Side};

/// Units of a cell's side.
const CELL: u32 = 40;
/// Units at the edge, where columns and rows are named.
const EDGE: u32 = 24;

/// The picture, `width` pixels wide.
pub(crate) fn draw(position: &Position, width: u32) -> String {
    let geometry = position.variant().geometry();
    let (columns, rows) = (u32::from(geometry.columns()), u32::from(geometry.rows()));
    let (across, down) = (columns * CELL + EDGE, rows * CELL + EDGE);
    let height = (u64::from(width) * u64::from(down) / u64::from(across)).max(1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {across} {down}\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\" \
         text-anchor=\"middle\"><title>{}</title>",
        position.variant()
    );
    let board = if position.variant().rule().falls() {
        "#2459b8"
    } else {
        "#e2b769"
    };
    let _ = write!(
        svg,
        "<rect x=\"{EDGE}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{board}\"/>",
        columns * CELL,
        rows * CELL
    );
    if !position.variant().rule().falls() {
        lines(&mut svg, columns, rows);
    }
    let winning = position.winning_cells();
    for row in 0..geometry.rows() {
        for column in 0..geometry.columns() {
            let cell = Cell::new(column, row);
            let at = centre(cell, rows);
            write_cell(&mut svg, position, cell, at, winning.contains(&cell));
        }
    }
    labels(&mut svg, position, columns, rows);
    svg.push_str("</svg>");
    svg
}

fn centre(cell: Cell, rows: u32) -> (u32, u32) {
    let x = EDGE + u32::from(cell.column()) * CELL + CELL / 2;
    let y = (rows - 1 - u32::from(cell.row())) * CELL + CELL / 2;
    (x, y)
}

fn lines(svg: &mut String, columns: u32, rows: u32) {
    let (left, top) = (EDGE + CELL / 2, CELL / 2);
    let (right, bottom) = (left + (columns - 1) * CELL, top + (rows - 1) * CELL);
    svg.push_str("<path stroke=\"#6b4f1d\" d=\"");
    for column in 0..columns {
        let _ = write!(svg, "M{} {top}V{bottom}", left + column * CELL);
    }
    for row in 0..rows {
        let _ = write!(svg, "M{left} {}H{right}", top + row * CELL);
    }
    svg.push_str("\"/>");
}

fn write_cell(svg: &mut String, on: &Position, cell: Cell, (x, y): (u32, u32), wins: bool) {
    let falls = on.variant().rule().falls();
    let (fill, ring) = match on.content(cell) {
        Some(Content::Stone(Side::First)) if falls => ("#e04438", "none"),
        Some(Content::Stone(Side::Second)) if falls => ("#f6cf3d", "#a98500"),
        Some(Content::Stone(Side::First)) => ("#1b1b1b", "none"),
        Some(Content::Stone(Side::Second)) => ("#fafafa", "#8a8a8a"),
        Some(Content::Blocked) => {
            let (left, top) = (x - 14, y - 14);
            let _ = write!(
                svg,
                "<rect x=\"{left}\" y=\"{top}\" width=\"28\" height=\"28\" fill=\"#444\"/>"
            );
            return;
        }
        _ if falls => ("#eef3fb", "none"),
        _ => return,
    };
    let edge = if wins {
        " stroke=\"#2ee66b\" stroke-width=\"4\""
    } else {
        ""
    };
    let _ = write!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"{fill}\"{edge}/>"
    );
    if ring != "none" {
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"10\" fill=\"none\" stroke=\"{ring}\" stroke-width=\"2\"/>"
        );
    }
    if on.moves().last() == Some(&cell) {
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#3b82f6\"/>"
        );
    }
}

fn labels(svg: &mut String, position: &Position, columns: u32, rows: u32) {
    for column in 0..columns {
        let sign = column_sign(position.variant(), column as u8);
        let x = EDGE + column * CELL + CELL / 2;
        let y = rows * CELL + 17;
        let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"#777\">{sign}</text>");
    }
    for row in 0..rows {
        let y = (rows - 1 - row) * CELL + CELL / 2 + 5;
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{y}\" fill=\"#777\">{}</text>",
            EDGE / 2,
            row + 1
        );
    }
}
