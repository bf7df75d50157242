//! Games as pictures: the last position as SVG, the whole game as an animated GIF.
//!
//! Both are drawn from the same measures, so that they look alike, and need
//! nothing else: no font beyond any sans-serif, no script.

use gif::{Encoder, Frame, Repeat};
use std::fmt::Write as _;
use std::io::{self, Write};
use stoneline_rules::notation::column_sign;
use stoneline_rules::{Cell, Content, Position, Side, Variant};

/// Pixels a cell of a GIF.
const CELL: u16 = 32;
/// Pixels around the board.
const MARGIN: u16 = 16;
/// Hundredths of a second that a move stays, and the last one.
const STEP: u16 = 60;
const REST: u16 = 250;

/// What is drawn, as places in the palette.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    Paper,
    Ground,
    Line,
    First,
    Second,
    Edge,
    Blocked,
    Mark,
}

impl Ink {
    const ALL: [Self; 8] = [
        Self::Paper,
        Self::Ground,
        Self::Line,
        Self::First,
        Self::Second,
        Self::Edge,
        Self::Blocked,
        Self::Mark,
    ];

    const fn of(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }

    /// Red, green and blue; boards on which stones fall are blue, others wooden.
    const fn colour(self, falls: bool) -> [u8; 3] {
        match (self, falls) {
            (Self::Paper, _) => [255, 253, 248],
            (Self::Ground, true) => [38, 84, 160],
            (Self::Ground, false) => [226, 184, 112],
            (Self::Line, true) => [226, 233, 245],
            (Self::Line, false) => [120, 84, 40],
            (Self::First, true) => [208, 52, 44],
            (Self::First, false) => [24, 24, 28],
            (Self::Second, true) => [244, 196, 48],
            (Self::Second, false) => [248, 248, 244],
            (Self::Edge, _) => [40, 40, 40],
            (Self::Blocked, _) => [90, 90, 90],
            (Self::Mark, true) => [255, 255, 255],
            (Self::Mark, false) => [214, 60, 50],
        }
    }

    fn hex(self, falls: bool) -> String {
        let [red, green, blue] = self.colour(falls);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The left top corner of a cell, in pixels.
fn corner(variant: &Variant, cell: Cell) -> (u16, u16) {
    let from_top = variant.geometry().rows() - 1 - cell.row();
    (
        MARGIN + CELL * u16::from(cell.column()),
        MARGIN + CELL * u16::from(from_top),
    )
}

fn size(variant: &Variant) -> (u16, u16) {
    let geometry = variant.geometry();
    (
        2 * MARGIN + CELL * u16::from(geometry.columns()),
        2 * MARGIN + CELL * u16::from(geometry.rows()),
    )
}

fn cells(variant: &Variant) -> impl Iterator<Item = Cell> {
    let geometry = variant.geometry();
    let (rows, columns) = (geometry.rows(), geometry.columns());
    (0..rows).flat_map(move |row| (0..columns).map(move |column| Cell::new(column, row)))
}

/// The position as a picture, its moves numbered, a winning line and the labels drawn.
pub(super) fn svg(position: &Position) -> String {
    let variant = position.variant();
    let falls = variant.rule().falls();
    let (width, height) = size(variant);
    let ink = |ink: Ink| ink.hex(falls);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n\
         <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\"/>\n",
        position.notation(),
        ink(Ink::Paper),
        width - 2 * MARGIN,
        height - 2 * MARGIN,
        ink(Ink::Ground),
    );
    for cell in cells(variant) {
        svg_cell(&mut text, position, cell, &ink);
    }
    svg_labels(&mut text, variant);
    let winning = position.winning_cells();
    if let (Some(&from), Some(&to)) = (winning.first(), winning.last()) {
        let centre = |cell| {
            let (x, y) = corner(variant, cell);
            (x + CELL / 2, y + CELL / 2)
        };
        let ((x1, y1), (x2, y2)) = (centre(from), centre(to));
        let _ = writeln!(
            text,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{}\" \
             stroke-width=\"4\" stroke-linecap=\"round\" opacity=\"0.7\"/>",
            ink(Ink::Mark)
        );
    }
    text + "</svg>\n"
}

fn svg_cell(text: &mut String, position: &Position, cell: Cell, ink: &dyn Fn(Ink) -> String) {
    let variant = position.variant();
    let falls = variant.rule().falls();
    let (x, y) = corner(variant, cell);
    let (cx, cy) = (x + CELL / 2, y + CELL / 2);
    match position.content(cell) {
        Some(Content::Blocked) => {
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{}\"/>",
                ink(Ink::Blocked)
            );
            return;
        }
        _ if falls => {
            let _ = writeln!(
                text,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"13\" fill=\"{}\"/>",
                ink(Ink::Line)
            );
        }
        _ => {
            let geometry = variant.geometry();
            let left = if cell.column() == 0 { cx } else { x };
            let right = if cell.column() + 1 == geometry.columns() {
                cx
            } else {
                x + CELL
            };
            let top = if cell.row() + 1 == geometry.rows() {
                cy
            } else {
                y
            };
            let bottom = if cell.row() == 0 { cy } else { y + CELL };
            let _ = writeln!(
                text,
                "<path d=\"M{left} {cy}H{right}M{cx} {top}V{bottom}\" stroke=\"{}\"/>",
                ink(Ink::Line)
            );
        }
    }
    let Some(Content::Stone(side)) = position.content(cell) else {
        return;
    };
    let _ = writeln!(
        text,
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"13\" fill=\"{}\" stroke=\"{}\"/>",
        ink(Ink::of(side)),
        ink(Ink::Edge)
    );
    let number = position.moves().iter().position(|&played| played == cell);
    if let Some(at) = number {
        let shade = if side == Side::First { "#fff" } else { "#222" };
        let _ = writeln!(
            text,
            "<text x=\"{cx}\" y=\"{}\" font-size=\"11\" fill=\"{shade}\">{}</text>",
            cy + 4,
            at + 1
        );
    }
}

fn svg_labels(text: &mut String, variant: &Variant) {
    let geometry = variant.geometry();
    let (_, height) = size(variant);
    for column in 0..geometry.columns() {
        let x = MARGIN + CELL * u16::from(column) + CELL / 2;
        let sign = column_sign(variant, column);
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{}\" font-size=\"10\" fill=\"#555\">{sign}</text>",
            height - 4
        );
    }
    if variant.rule().falls() {
        return;
    }
    for row in 0..geometry.rows() {
        let (_, y) = corner(variant, Cell::new(0, row));
        let _ = writeln!(
            text,
            "<text x=\"8\" y=\"{}\" font-size=\"10\" fill=\"#555\">{}</text>",
            y + CELL / 2 + 4,
            row + 1
        );
    }
}

/// The whole game, a frame a move.
pub(super) fn gif(position: &Position, out: &mut dyn Write) -> anyhow::Result<()> {
    let variant = position.variant();
    let falls = variant.rule().falls();
    let palette: Vec<u8> = Ink::ALL.iter().flat_map(|ink| ink.colour(falls)).collect();
    let (width, height) = size(variant);
    let mut encoder = Encoder::new(&mut *out, width, height, &palette).map_err(io::Error::other)?;
    encoder
        .set_repeat(Repeat::Infinite)
        .map_err(io::Error::other)?;
    let mut at = position.start();
    let mut raster = Raster::new(width, height);
    raster.board(&at);
    let moves = position.moves();
    let whole = (0, 0, width, height);
    encoder
        .write_frame(&raster.frame(whole, if moves.is_empty() { REST } else { STEP }))
        .map_err(io::Error::other)?;
    for (ply, &cell) in moves.iter().enumerate() {
        let before = at.moves().last().copied();
        at.play(cell).expect("the game was played once");
        if let Some(before) = before {
            raster.cell(&at, before, false);
        }
        raster.cell(&at, cell, true);
        let is_last = ply + 1 == moves.len();
        if is_last {
            at.winning_cells()
                .into_iter()
                .for_each(|cell| raster.cell(&at, cell, true));
        }
        let part = if is_last {
            whole
        } else {
            changed(variant, before.unwrap_or(cell), cell)
        };
        let frame = raster.frame(part, if is_last { REST } else { STEP });
        encoder.write_frame(&frame).map_err(io::Error::other)?;
    }
    Ok(())
}

/// The part of the picture that holds two cells: left, top, width, height.
fn changed(variant: &Variant, one: Cell, other: Cell) -> (u16, u16, u16, u16) {
    let (a, b) = (corner(variant, one), corner(variant, other));
    let (left, top) = (a.0.min(b.0), a.1.min(b.1));
    let (right, bottom) = (a.0.max(b.0) + CELL, a.1.max(b.1) + CELL);
    (left, top, right - left, bottom - top)
}

/// A picture as places in the palette.
struct Raster {
    width: u16,
    pixels: Vec<u8>,
}

impl Raster {
    fn new(width: u16, height: u16) -> Self {
        let count = usize::from(width) * usize::from(height);
        Self {
            width,
            pixels: vec![Ink::Paper as u8; count],
        }
    }

    fn put(&mut self, x: u16, y: u16, ink: Ink) {
        self.pixels[usize::from(y) * usize::from(self.width) + usize::from(x)] = ink as u8;
    }

    fn board(&mut self, position: &Position) {
        for cell in cells(position.variant()) {
            self.cell(position, cell, false);
        }
    }

    fn cell(&mut self, position: &Position, cell: Cell, is_marked: bool) {
        let variant = position.variant();
        let falls = variant.rule().falls();
        let (left, top) = corner(variant, cell);
        let content = position.content(cell);
        for y in 0..CELL {
            for x in 0..CELL {
                let ink = pixel(
                    content,
                    falls,
                    is_marked,
                    self.grid(variant, cell, x, y),
                    (x, y),
                );
                self.put(left + x, top + y, ink);
            }
        }
    }

    /// Whether the lines of a wooden board go through a pixel of a cell.
    fn grid(&self, variant: &Variant, cell: Cell, x: u16, y: u16) -> bool {
        let geometry = variant.geometry();
        let middle = CELL / 2;
        let across = y == middle
            && !(x < middle && cell.column() == 0)
            && !(x > middle && cell.column() + 1 == geometry.columns());
        let along = x == middle
            && !(y < middle && cell.row() + 1 == geometry.rows())
            && !(y > middle && cell.row() == 0);
        across || along
    }

    fn frame(
        &self,
        (left, top, width, height): (u16, u16, u16, u16),
        delay: u16,
    ) -> Frame<'static> {
        let row = |y: u16| {
            let from = usize::from(y) * usize::from(self.width) + usize::from(left);
            &self.pixels[from..from + usize::from(width)]
        };
        let pixels: Vec<u8> = (top..top + height).flat_map(row).copied().collect();
        let mut frame = Frame::from_indexed_pixels(width, height, pixels, None);
        (frame.left, frame.top, frame.delay) = (left, top, delay);
        frame
    }
}

fn pixel(
    content: Option<Content>,
    falls: bool,
    is_marked: bool,
    is_line: bool,
    (x, y): (u16, u16),
) -> Ink {
    let middle = f32::from(CELL) / 2.0;
    let distance = (f32::from(x) + 0.5 - middle).hypot(f32::from(y) + 0.5 - middle);
    match content {
        Some(Content::Blocked) => Ink::Blocked,
        Some(Content::Stone(_)) if is_marked && distance < 3.5 => Ink::Mark,
        Some(Content::Stone(side)) if distance < 12.5 => Ink::of(side),
        Some(Content::Stone(_)) if distance < 13.5 => Ink::Edge,
        _ if falls && distance < 13.0 => Ink::Line,
        _ if !falls && is_line => Ink::Line,
        _ => Ink::Ground,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: [&str; 3] = ["connect4 4545454", "course:9x9@8,3 44", "gomoku h8 i9 h7"];

    #[test]
    fn every_stone_and_the_winning_line_are_in_the_picture() {
        for (text, stones, lines) in [(GAMES[0], 7, 1), (GAMES[1], 2, 0), (GAMES[2], 3, 0)] {
            let drawn = svg(&text.parse().unwrap());
            assert_eq!(
                drawn.matches("stroke=\"#282828\"").count(),
                stones,
                "{text}"
            );
            assert_eq!(drawn.matches("<line ").count(), lines, "{text}");
            assert!(drawn.contains(&format!("<title>{text}</title>")));
        }
    }

    #[test]
    fn the_animation_shows_every_ply_and_ends_with_the_position() {
        for text in GAMES {
            let position: Position = text.parse().unwrap();
            let mut bytes = Vec::new();
            gif(&position, &mut bytes).unwrap();
            let mut options = gif::DecodeOptions::new();
            options.set_color_output(gif::ColorOutput::Indexed);
            let mut decoder = options.read_info(&bytes[..]).unwrap();
            let (width, height) = size(position.variant());
            assert_eq!((decoder.width(), decoder.height()), (width, height));
            let mut shown = vec![0; usize::from(width) * usize::from(height)];
            let mut frames = 0;
            while let Some(frame) = decoder.read_next_frame().unwrap() {
                frames += 1;
                let rows = frame.buffer.chunks(usize::from(frame.width));
                for (y, row) in rows.enumerate() {
                    let from = (usize::from(frame.top) + y) * usize::from(width);
                    let from = from + usize::from(frame.left);
                    shown[from..from + row.len()].copy_from_slice(row);
                }
            }
            assert_eq!(frames, position.moves().len() + 1);
            for cell in cells(position.variant()) {
                let (x, y) = corner(position.variant(), cell);
                // Beside the marks in the middle.
                let at = usize::from(y + CELL / 2) * usize::from(width) + usize::from(x + 8);
                let expected = match position.content(cell) {
                    Some(Content::Stone(side)) => Some(Ink::of(side)),
                    Some(Content::Blocked) => Some(Ink::Blocked),
                    _ => None,
                };
                if let Some(ink) = expected {
                    assert_eq!(shown[at], ink as u8, "{text} {cell}");
                }
            }
        }
    }
}
