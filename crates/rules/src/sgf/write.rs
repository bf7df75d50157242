//! Games into SGF.

use super::{REASONS, TAGS, colour};
use crate::cell::{Cell, Side};
use crate::position::Outcome;
use crate::record::{Record, WriteError};
use std::fmt::Write;

/// The game as an SGF file.
///
/// Lost: engine data of moves, further tags, and reasons that the format has no word for.
///
/// # Errors
/// If stones fall in the game.
pub fn write(record: &Record) -> Result<String, WriteError> {
    let position = record.position();
    let variant = position.variant();
    if variant.rule().falls() {
        return Err(WriteError::Falling("SGF"));
    }
    let geometry = variant.geometry();
    let (rows, columns) = (geometry.rows(), geometry.columns());
    let size = if rows == columns {
        rows.to_string()
    } else {
        format!("{columns}:{rows}")
    };
    let rule = match variant.run() {
        5 => variant.rule().to_string(),
        _ => variant.to_string(),
    };
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[Stoneline]SZ[{size}]RU[{rule}]");
    write_header(record, &mut text);
    let start = position.start();
    if start.plies() > 0 {
        for (side, property) in Side::BOTH.into_iter().zip(["AB", "AW"]) {
            let mut points = geometry.cells(start.stones(side)).peekable();
            if points.peek().is_some() {
                text.push_str(property);
            }
            text.extend(points.map(|cell| format!("[{}]", point(rows, cell))));
        }
        let _ = write!(text, "PL[{}]", colour(start.side_to_move()));
    }
    let mut side = start.side_to_move();
    for (cell, note) in record.moves() {
        let _ = write!(text, "\n;{}[{}]", colour(side), point(rows, cell));
        write_property(&mut text, "C", note.comment.as_deref());
        side = !side;
    }
    text.push_str(")\n");
    Ok(text)
}

fn write_header(record: &Record, text: &mut String) {
    let header = &record.header;
    let result = record.result().map(|outcome| match outcome {
        Outcome::Draw => "0".to_owned(),
        Outcome::Win(side) => {
            let reason = REASONS
                .iter()
                .find(|(_, _, reason)| header.reason.as_deref() == Some(reason));
            format!(
                "{}+{}",
                colour(side),
                reason.map_or("", |(short, _, _)| short)
            )
        }
    });
    let in_seconds = |time: &str| time.parse::<f64>().is_ok_and(f64::is_finite);
    let time_name = match header.time_control.as_deref() {
        Some(time) if in_seconds(time) => "TM",
        _ => "OT",
    };
    let properties = [
        ("PB", header.players[0].as_deref()),
        ("PW", header.players[1].as_deref()),
        ("RE", result.as_deref()),
        ("DT", header.date.as_deref()),
        ("ON", header.opening.as_deref()),
        (time_name, header.time_control.as_deref()),
    ];
    let tags = TAGS.map(|(property, tag)| (property, header.tags.value(tag)));
    for (name, value) in properties.into_iter().chain(tags) {
        let in_one_line = value.map(|value| value.replace(['\r', '\n'], " "));
        write_property(text, name, in_one_line.as_deref());
    }
    write_property(text, "C", header.comment.as_deref());
}

fn write_property(text: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        let escaped = value.replace('\\', "\\\\").replace(']', "\\]");
        let _ = write!(text, "{name}[{escaped}]");
    }
}

fn point(rows: u8, cell: Cell) -> String {
    let letter = |number: u8| char::from(b'a' + number);
    let mut text = String::from(letter(cell.column()));
    text.push(letter(rows - 1 - cell.row()));
    text
}
