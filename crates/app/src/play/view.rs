//! The model as a screen: the board, the panes beside it, and what stands over them.
//!
//! Drawing changes nothing and decides nothing; where things are is in `layout`.

mod board;
mod dialogs;
mod panes;
mod words;

use super::layout::{Layout, SMALLEST};
use super::model::Model;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};
use stoneline_rules::{Rule, Side, Variant};

/// Draws everything.
pub(crate) fn draw(model: &Model, frame: &mut Frame<'_>) {
    let area = frame.area();
    let variant = model.game.shown().variant();
    let buffer = frame.buffer_mut();
    match Layout::new(area, variant, model.theme.is_rich()) {
        None => too_small(area, buffer),
        Some(layout) => {
            if let Some(title) = layout.title {
                self::title(model, title, buffer);
            }
            board::draw(model, &layout.board, buffer);
            if let Some(panes) = layout.panes {
                panes::draw(model, panes, buffer);
            }
            status(model, layout.status, buffer);
        }
    }
    if let Some(dialog) = &model.dialog {
        dialogs::draw(model, dialog, area, buffer);
    }
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let (width, height) = SMALLEST;
    let lines = vec![
        Line::from("Too small."),
        Line::from(format!("{width}x{height} fits all.")),
    ];
    Paragraph::new(lines)
        .alignment(Alignment::Center)
        .render(area, buffer);
}

/// What the game is about, in a few words.
fn goal(variant: &Variant) -> String {
    let geometry = variant.geometry();
    let run = variant.run();
    let how = match variant.rule() {
        Rule::Gravity => "in a row, stones fall",
        Rule::Freestyle => "or more in a row",
        Rule::Standard => "in a row, no more",
        Rule::Renju => "in a row, forbidden points for X",
        Rule::Caro => "in a row, not closed at both ends",
    };
    format!("{}x{}, {run} {how}", geometry.columns(), geometry.rows())
}

fn title(model: &Model, area: Rect, buffer: &mut Buffer) {
    let theme = model.theme;
    let shown = model.game.shown();
    let name = shown.variant().to_string();
    let left = Line::from(vec![
        Span::styled(" Stoneline ", theme.title()),
        Span::raw(format!(" {name}  ")),
        Span::styled(goal(shown.variant()), theme.faint()),
    ]);
    let right = match model.result() {
        Some(result) => format!("{result} "),
        None => turn(model),
    };
    buffer.set_style(area, theme.bar());
    let width = area.width.saturating_sub(right.chars().count() as u16 + 1);
    let place = Rect { width, ..area };
    Paragraph::new(left)
        .style(theme.bar())
        .render(place, buffer);
    Paragraph::new(right)
        .style(theme.bar())
        .alignment(Alignment::Right)
        .render(area, buffer);
}

/// Whose turn it is.
fn turn(model: &Model) -> String {
    let side = model.game.shown().side_to_move();
    let name = model.theme.side_name(side);
    if model.is_reviewing() {
        "reviewing ".to_owned()
    } else if model.is_engine_thinking() {
        format!("{name} thinks ")
    } else if model.is_paused {
        format!("paused, {name} to move ")
    } else {
        format!("{name} to move ")
    }
}

fn status(model: &Model, area: Rect, buffer: &mut Buffer) {
    let theme = model.theme;
    buffer.set_style(area, theme.bar());
    if let Some(message) = &model.message {
        Line::styled(format!(" {message}"), theme.bar()).render(area, buffer);
        return;
    }
    if let Some(text) = judgement(model) {
        Line::styled(format!(" {text}"), theme.bar()).render(area, buffer);
        return;
    }
    let keys: &[(&str, &str)] = if model.is_watched() {
        &[
            ("space", "pause"),
            (".", "step"),
            ("[ ]", "walk"),
            ("a", "analyse"),
            ("v", "review"),
            ("?", "help"),
            ("q", "quit"),
        ]
    } else {
        &[
            ("enter", "play"),
            ("u", "undo"),
            ("h", "hint"),
            ("a", "analyse"),
            ("v", "review"),
            ("g", "game"),
            ("?", "help"),
            ("q", "quit"),
        ]
    };
    let mut spans = vec![Span::raw(" ")];
    for (key, what) in keys {
        spans.push(Span::styled((*key).to_owned(), theme.title()));
        spans.push(Span::raw(format!(" {what}   ")));
    }
    Line::from(spans).style(theme.bar()).render(area, buffer);
}

/// What the review found of the move that led to the shown position.
fn judgement(model: &Model) -> Option<String> {
    let shown = model.game.shown();
    let ply = shown.moves().len().checked_sub(1)?;
    let judged = model.judged(ply)?;
    let name = |cell| words::move_name(shown.variant(), cell);
    let mut text = format!(
        "{} {}: {}, {}",
        ply + 1,
        name(judged.played),
        judged.verdict.word(),
        words::value(judged.played_value)
    );
    if let Some(best) = judged.best.filter(|&best| best != judged.played) {
        let line: Vec<String> = judged.line.iter().take(8).map(|&cell| name(cell)).collect();
        text += &format!("; {} was {}", name(best), words::value(judged.value));
        if line.len() > 1 {
            text += &format!(": {}", line.join(" "));
        }
    }
    Some(text)
}

/// A side's stone and its letter, for panes.
fn side_spans(model: &Model, side: Side) -> Vec<Span<'static>> {
    let falls = model.game.shown().variant().rule().falls();
    let style = model.theme.side(side, falls);
    let letter = model.theme.side_name(side);
    if model.theme.is_rich() {
        vec![Span::styled(
            format!("{} {letter}", model.theme.glyph(side)),
            style,
        )]
    } else {
        vec![Span::styled(letter, style)]
    }
}

#[cfg(test)]
mod tests;
