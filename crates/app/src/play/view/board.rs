//! The board: stones as discs where there is room, as glyphs where there is none.

use super::super::layout::Board;
use super::super::model::Model;
use super::super::theme::{BoardColours, Theme};
use super::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use stoneline_rules::notation::column_sign;
use stoneline_rules::{Cell, Content, Position, Rule, Side};
use stoneline_search::Value;

/// Moves of a free board whose values are written on it.
const LABELLED_MOVES: usize = 8;

/// Stones of cells two rows high: half blocks would make them diamonds.
const SMALL_DISC: [&str; 2] = ["▟█▙", "▝▀▘"];
const SMALL_RING: [&str; 2] = ["▞▀▚", "▝▀▘"];

/// Draws the board, its labels, and all marks on it.
pub(super) fn draw(model: &Model, board: &Board, buffer: &mut Buffer) {
    let position = model.game.shown();
    let falls = position.variant().rule().falls();
    let pen = Pen {
        theme: model.theme,
        colours: model.theme.board(falls),
        board,
        position,
        falls,
    };
    pen.ground(buffer);
    let winning = position.winning_cells();
    let geometry = position.variant().geometry();
    for row in 0..geometry.rows() {
        for column in 0..geometry.columns() {
            pen.cell(Cell::new(column, row), &winning, buffer);
        }
    }
    pen.labels(model, buffer);
    if falls {
        pen.values_above(model, buffer);
        pen.landing(model, buffer);
    } else {
        pen.forbidden(model, buffer);
        pen.values_inside(model, buffer);
        pen.cursor(model, buffer);
    }
    if let Some(hint) = model.hint() {
        let style = Style::new()
            .fg(pen.colours.win)
            .add_modifier(Modifier::BOLD);
        pen.inside(
            hint,
            if pen.theme.is_rich() { "◆" } else { "*" },
            style,
            buffer,
        );
    }
}

struct Pen<'a> {
    theme: Theme,
    colours: BoardColours,
    board: &'a Board,
    position: &'a Position,
    falls: bool,
}

impl Pen<'_> {
    fn is_small(&self) -> bool {
        self.board.cell.1 == 1
    }

    fn on_ground(&self, colour: Color) -> Style {
        Style::new().fg(colour).bg(self.colours.ground)
    }

    fn ground(&self, buffer: &mut Buffer) {
        buffer.set_style(self.board.cells, self.on_ground(self.colours.empty));
    }

    fn cell(&self, cell: Cell, winning: &[Cell], buffer: &mut Buffer) {
        let place = self.board.place(cell);
        match self.position.content(cell) {
            Some(Content::Stone(side)) => {
                if !self.falls {
                    self.lines(cell, place, buffer);
                }
                self.stone(side, place, buffer);
                self.mark_stone(cell, side, winning, buffer);
            }
            Some(Content::Blocked) => self.blocked(place, buffer),
            _ if self.falls => self.hole(place, buffer),
            _ => self.lines(cell, place, buffer),
        }
    }

    fn blocked(&self, place: Rect, buffer: &mut Buffer) {
        let glyph = if self.theme.is_rich() { "▒" } else { "#" };
        let style = self.on_ground(self.colours.blocked);
        for y in place.y..place.bottom() {
            for x in place.x..place.right() {
                buffer[(x, y)].set_symbol(glyph).set_style(style);
            }
        }
    }

    fn hole(&self, place: Rect, buffer: &mut Buffer) {
        if self.is_small() || !self.theme.has_colours() {
            let glyph = if self.theme.is_rich() { "·" } else { "." };
            let style = if self.theme.has_colours() {
                self.on_ground(Color::Indexed(74))
                    .fg(self.faint_on_ground())
            } else {
                Style::new().add_modifier(Modifier::DIM)
            };
            self.centred(place, glyph, style, buffer);
        } else {
            self.disc(place, false, self.on_ground(self.colours.empty), buffer);
        }
    }

    /// Dots that can be seen on the ground without shouting.
    fn faint_on_ground(&self) -> Color {
        if self.theme.has_shapes() {
            Color::Indexed(245)
        } else {
            Color::Indexed(75)
        }
    }

    /// The crossing of lines on which a stone may be put.
    fn lines(&self, cell: Cell, place: Rect, buffer: &mut Buffer) {
        let style = if self.theme.has_colours() {
            self.on_ground(self.colours.empty)
        } else {
            Style::new().add_modifier(Modifier::DIM)
        };
        let centre = (
            place.x + (place.width - 1) / 2,
            place.y + (place.height - 1) / 2,
        );
        if !self.theme.is_rich() {
            buffer[centre].set_symbol(".").set_style(style);
            return;
        }
        let geometry = self.position.variant().geometry();
        let left = cell.column() > 0;
        let right = cell.column() + 1 < geometry.columns();
        let up = cell.row() + 1 < geometry.rows();
        let down = cell.row() > 0;
        for x in place.x..place.right() {
            if (x < centre.0 && left) || (x > centre.0 && right) {
                buffer[(x, centre.1)].set_symbol("─").set_style(style);
            }
        }
        for y in place.y..place.bottom() {
            if (y < centre.1 && up) || (y > centre.1 && down) {
                buffer[(centre.0, y)].set_symbol("│").set_style(style);
            }
        }
        let crossing = match (left, right, up, down) {
            (false, _, false, _) => "┌",
            (_, false, false, _) => "┐",
            (false, _, _, false) => "└",
            (_, false, _, false) => "┘",
            (false, ..) => "├",
            (_, false, ..) => "┤",
            (_, _, false, _) => "┬",
            (.., false) => "┴",
            _ if self.is_star(cell) => "╋",
            _ => "┼",
        };
        buffer[centre].set_symbol(crossing).set_style(style);
    }

    /// Whether boards of wood have a dot there.
    fn is_star(&self, cell: Cell) -> bool {
        let geometry = self.position.variant().geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        if rows != columns || rows < 13 || rows % 2 == 0 {
            return false;
        }
        let stars = [3, rows / 2, rows - 4];
        let is_star = |at| stars.contains(&at);
        let is_middle = |at| at == rows / 2;
        is_star(cell.column())
            && is_star(cell.row())
            && is_middle(cell.column()) == is_middle(cell.row())
    }

    fn stone(&self, side: Side, place: Rect, buffer: &mut Buffer) {
        let colour = self.colours.stones[side.index()];
        let style = self.on_ground(colour).add_modifier(Modifier::BOLD);
        if self.is_small() {
            let is_open = self.theme.glyph(side) != "●";
            // An open stone hides the lines under it.
            if is_open && self.theme.is_rich() && place.width >= 3 && !self.falls {
                self.centred(place, " ", style, buffer);
            }
            self.centred(place, self.theme.glyph(side), style, buffer);
        } else {
            let is_open = side == Side::Second && self.theme.has_shapes();
            self.disc(place, is_open, self.on_ground(colour), buffer);
        }
    }

    /// A disc, or a ring, with a little ground to its right and below.
    fn disc(&self, place: Rect, is_open: bool, style: Style, buffer: &mut Buffer) {
        if place.height == 2 {
            let rows = if is_open { SMALL_RING } else { SMALL_DISC };
            for (y, row) in (place.y..).zip(rows) {
                buffer.set_string(place.x, y, row, style);
            }
            return;
        }
        // Half blocks are about as wide as high.
        let radius = f32::from(place.width - 1) / 2.0;
        let hole = if is_open { radius * 0.5 } else { 0.0 };
        let is_inside = |x: u16, y: u16| {
            let distance = (f32::from(x) + 0.5 - radius).hypot(f32::from(y) + 0.5 - radius);
            distance <= radius + 0.1 && distance >= hole
        };
        for y in 0..place.height {
            for x in 0..place.width {
                let glyph = match (is_inside(x, 2 * y), is_inside(x, 2 * y + 1)) {
                    (true, true) => "█",
                    (true, false) => "▀",
                    (false, true) => "▄",
                    (false, false) => continue,
                };
                buffer[(place.x + x, place.y + y)]
                    .set_symbol(glyph)
                    .set_style(style);
            }
        }
    }

    /// The last move and the winning line are marked.
    fn mark_stone(&self, cell: Cell, side: Side, winning: &[Cell], buffer: &mut Buffer) {
        let is_winning = winning.contains(&cell);
        let is_last = self.position.moves().last() == Some(&cell);
        if !is_winning && !is_last {
            return;
        }
        let place = self.board.place(cell);
        if self.is_small() {
            let colour = if is_winning {
                self.colours.win
            } else {
                self.accent()
            };
            let style = self.on_ground(colour).add_modifier(Modifier::BOLD);
            let (open, close) = if is_winning { ("[", "]") } else { ("(", ")") };
            if place.width >= 3 {
                buffer[(place.x, place.y)].set_symbol(open).set_style(style);
                buffer[(place.x + 2, place.y)]
                    .set_symbol(close)
                    .set_style(style);
            } else {
                let style = Style::new().add_modifier(Modifier::REVERSED);
                buffer[(place.x, place.y)].set_style(style);
            }
            return;
        }
        let glyph = if is_winning { "★" } else { "•" };
        let is_open = side == Side::Second && self.theme.has_shapes();
        let stone = self.colours.stones[side.index()];
        let style = if is_open {
            self.on_ground(stone)
        } else if self.theme.has_colours() {
            let mark = if is_winning && !self.falls {
                self.colours.win
            } else {
                self.colours.mark
            };
            Style::new().fg(mark).bg(stone)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        };
        self.centred(place, glyph, style.add_modifier(Modifier::BOLD), buffer);
    }

    fn accent(&self) -> Color {
        match (self.theme.has_colours(), self.falls) {
            (false, _) => Color::Reset,
            (true, true) => Color::Indexed(231),
            (true, false) => self.colours.mark_on_ground(),
        }
    }

    /// Writes `text` in the middle of a place; over two letters if the middle is between them.
    fn centred(&self, place: Rect, text: &str, style: Style, buffer: &mut Buffer) {
        let width = text.chars().count() as u16;
        let x = place.x + (place.width.saturating_sub(width)) / 2;
        let y = place.y + (place.height - 1) / 2;
        buffer.set_stringn(x, y, text, place.width.into(), style);
    }

    /// Writes `text` into an empty cell.
    fn inside(&self, cell: Cell, text: &str, style: Style, buffer: &mut Buffer) {
        if self.position.content(cell) == Some(Content::Empty) {
            let ground = if self.falls && !self.is_small() {
                self.colours.empty
            } else {
                self.colours.ground
            };
            self.centred(self.board.place(cell), text, style.bg(ground), buffer);
        }
    }

    fn labels(&self, model: &Model, buffer: &mut Buffer) {
        let variant = self.position.variant();
        let geometry = variant.geometry();
        let cells = self.board.cells;
        let faint = self.theme.faint();
        let here = |is_here: bool| if is_here { self.theme.title() } else { faint };
        for column in 0..geometry.columns() {
            let place = self.board.place(Cell::new(column, 0));
            let below = Rect::new(place.x, cells.bottom(), place.width, 1);
            let sign = column_sign(variant, column).to_string();
            self.centred(below, &sign, here(column == model.cursor.column()), buffer);
        }
        if self.falls {
            return;
        }
        for row in 0..geometry.rows() {
            let place = self.board.place(Cell::new(0, row));
            let y = place.y + (place.height - 1) / 2;
            let style = here(row == model.cursor.row());
            buffer.set_string(cells.x - 3, y, format!("{:>2}", row + 1), style);
        }
    }

    /// What each column is worth, and where the cursor is.
    fn values_above(&self, model: &Model, buffer: &mut Buffer) {
        let columns = self.position.variant().geometry().columns();
        for column in 0..columns {
            let place = self.board.place(Cell::new(column, 0));
            let above = Rect::new(place.x, self.board.cells.y - 1, place.width, 1);
            let is_here = column == model.cursor.column() && model.is_open();
            let reports = model.thought().filter(|_| model.is_analysing);
            let report = reports.and_then(|thought| {
                let mut moves = thought.moves.iter();
                moves.find(|report| report.cell.column() == column)
            });
            match report {
                Some(report) => {
                    let mut style = value_style(self.theme, report.value);
                    if is_here {
                        style = style.add_modifier(Modifier::REVERSED);
                    }
                    self.centred(above, &words::short_value(report.value), style, buffer);
                }
                None if is_here => {
                    let side = self.position.side_to_move();
                    let style = self.theme.side(side, true);
                    let glyph = if self.theme.is_rich() { "▼" } else { "v" };
                    self.centred(above, glyph, style, buffer);
                }
                None => {}
            }
        }
    }

    /// Where a stone would come to rest.
    fn landing(&self, model: &Model, buffer: &mut Buffer) {
        let Ok(cell) = self.position.landing(model.cursor.column()) else {
            return;
        };
        if !model.is_open() {
            return;
        }
        let side = self.position.side_to_move();
        let colour = self.colours.stones[side.index()];
        let place = self.board.place(cell);
        let glyph = if self.theme.is_rich() { "○" } else { "+" };
        if self.is_small() {
            self.centred(place, glyph, self.on_ground(colour), buffer);
        } else {
            self.inside(cell, glyph, Style::new().fg(colour), buffer);
        }
    }

    /// Points that renju forbids.
    fn forbidden(&self, model: &Model, buffer: &mut Buffer) {
        let is_renju = self.position.variant().rule() == Rule::Renju;
        if !is_renju || model.game.outcome().is_some() {
            return;
        }
        let style = self.on_ground(self.colours.mark_on_ground());
        for cell in self
            .position
            .variant()
            .geometry()
            .cells(self.position.variant().geometry().playable())
        {
            let is_empty = self.position.content(cell) == Some(Content::Empty);
            if is_empty && self.position.forbidden(cell).is_some() {
                let glyph = if self.theme.is_rich() { "×" } else { "!" };
                self.inside(cell, glyph, style.add_modifier(Modifier::BOLD), buffer);
            }
        }
    }

    /// What the best moves of a free board are worth, on the board.
    fn values_inside(&self, model: &Model, buffer: &mut Buffer) {
        let Some(thought) = model.thought().filter(|_| model.is_analysing) else {
            return;
        };
        for (at, report) in thought.moves.iter().take(LABELLED_MOVES).enumerate() {
            let text = words::short_value(report.value);
            let mut style = if self.theme.has_colours() {
                self.on_ground(Color::Indexed(if at == 0 { 22 } else { 58 }))
            } else {
                Style::new()
            };
            if at == 0 {
                style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            }
            self.inside(report.cell, &text, style, buffer);
        }
    }

    fn cursor(&self, model: &Model, buffer: &mut Buffer) {
        if !model.is_open() {
            return;
        }
        let place = self.board.place(model.cursor);
        let style = if self.theme.has_colours() {
            let bright = Color::Indexed(if self.theme.has_shapes() { 226 } else { 229 });
            Style::new().bg(bright)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        };
        if self.is_small() {
            buffer.set_style(place, style);
            return;
        }
        for (x, y, glyph) in [
            (place.x, place.y, "┌"),
            (place.right() - 1, place.y, "┐"),
            (place.x, place.bottom() - 1, "└"),
            (place.right() - 1, place.bottom() - 1, "┘"),
        ] {
            let bold = Style::new()
                .fg(self.colours.mark_on_ground())
                .add_modifier(Modifier::BOLD);
            buffer[(x, y)].set_symbol(glyph).set_style(bold);
        }
    }
}

impl BoardColours {
    /// A mark beside stones, on the ground itself.
    const fn mark_on_ground(self) -> Color {
        match self.mark {
            Color::Indexed(16 | 231) => Color::Indexed(160),
            other => other,
        }
    }
}

/// Good, bad or even, at a glance.
pub(super) fn value_style(theme: Theme, value: Value) -> Style {
    match value.win_rate() {
        rate if rate > 0.55 => theme.good(),
        rate if rate < 0.45 => theme.bad(),
        _ => theme.even(),
    }
}
