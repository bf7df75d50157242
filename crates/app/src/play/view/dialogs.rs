//! What stands over the board: help, menus, the prompt.

use super::super::command::WORDS;
use super::super::dialog::{Dialog, Menu};
use super::super::model::Model;
use super::panes::framed;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Widget};

/// Keys and what they do, in the order of the help.
const KEYS: [(&str, &str); 18] = [
    ("arrows, mouse", "choose a cell or column"),
    ("enter, click", "play there"),
    ("1 to 9", "play a column, where stones fall"),
    ("u, r", "undo, redo"),
    ("[ ] wheel", "walk through the game; { } to its ends"),
    ("h", "hint"),
    ("a", "analysis: what every move is worth"),
    ("v", "review: marks every move of the game"),
    ("space, .", "pause engines, one step"),
    ("s", "swap sides"),
    ("x, o", "who plays the first, the second side"),
    ("g", "another game"),
    ("n", "start again"),
    ("R", "resign"),
    ("t", "theme: default, safe, mono"),
    (":", "type a move or words"),
    ("?", "this help"),
    ("q, ctrl-c", "quit; the game is printed"),
];

/// Draws `dialog` over `area`.
pub(super) fn draw(model: &Model, dialog: &Dialog, area: Rect, buffer: &mut Buffer) {
    match dialog {
        Dialog::Help => help(model, area, buffer),
        Dialog::Menu(menu) => self::menu(model, menu, area, buffer),
        Dialog::Prompt(text) => prompt(model, text, area, buffer),
    }
}

fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect::new(
        area.x + (area.width - width) / 2,
        area.y + (area.height - height) / 2,
        width,
        height,
    )
}

fn window(model: &Model, title: String, place: Rect, buffer: &mut Buffer) -> Rect {
    Clear.render(place, buffer);
    let block = framed(model, Line::from(title)).border_style(model.theme.title());
    let inner = block.inner(place);
    block.render(place, buffer);
    inner
}

fn pair(model: &Model, name: &str, about: &str, width: usize) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!(" {name:<width$} "), model.theme.title()),
        Span::raw(about.to_owned()),
    ])
}

fn help(model: &Model, area: Rect, buffer: &mut Buffer) {
    // Words of the prompt stand beside the keys where there is room, else only the keys.
    let is_wide = area.width >= 130;
    let is_tall = area.height >= (KEYS.len() + WORDS.len()) as u16 + 5;
    let height = if is_tall && !is_wide {
        KEYS.len() + WORDS.len() + 4
    } else {
        KEYS.len() + 3
    };
    let place = centred(area, if is_wide { 128 } else { 70 }, height as u16);
    let inner = window(model, " Keys ".to_owned(), place, buffer);
    let keys = KEYS.iter().map(|(key, what)| pair(model, key, what, 13));
    let words = WORDS.iter().map(|(word, what)| pair(model, word, what, 21));
    let heading = || Line::styled(" After : you may type", model.theme.faint());
    let mut lines: Vec<Line<'_>> = keys.collect();
    if is_wide {
        let right = Rect::new(inner.x + 52, inner.y, inner.width - 52, inner.height);
        let words: Vec<Line<'_>> = std::iter::once(heading()).chain(words).collect();
        Paragraph::new(lines).render(inner, buffer);
        Paragraph::new(words).render(right, buffer);
        return;
    }
    if is_tall {
        lines.push(heading());
        lines.extend(words);
    }
    Paragraph::new(lines).render(inner, buffer);
}

fn menu(model: &Model, menu: &Menu, area: Rect, buffer: &mut Buffer) {
    let place = centred(area, 72, menu.items.len() as u16 + 2);
    let inner = window(model, format!(" {} ", menu.title), place, buffer);
    let rows = usize::from(inner.height).max(1);
    let first = menu.chosen.saturating_sub(rows / 2);
    let first = first.min(menu.items.len().saturating_sub(rows));
    let shown = menu.items.iter().enumerate().skip(first).take(rows);
    let lines: Vec<Line<'_>> = shown
        .map(|(at, item)| {
            let line = pair(model, &item.name, &item.about, 18);
            if at == menu.chosen {
                let line = Line::raw(format!(" {:<18} {:<60}", item.name, item.about));
                line.style(model.theme.chosen())
            } else {
                line
            }
        })
        .collect();
    Paragraph::new(lines).render(inner, buffer);
}

fn prompt(model: &Model, text: &str, area: Rect, buffer: &mut Buffer) {
    let place = centred(area, 64, 4);
    let inner = window(model, " Move or word ".to_owned(), place, buffer);
    // The end of a long text is what is being typed.
    let room = usize::from(inner.width).saturating_sub(3);
    let skipped = text.chars().count().saturating_sub(room);
    let shown: String = text.chars().skip(skipped).collect();
    let lines = vec![
        Line::from(vec![
            Span::styled(":", model.theme.title()),
            Span::raw(shown),
            Span::styled(" ", Style::new().add_modifier(Modifier::REVERSED)),
        ]),
        Line::styled(
            "h8 | game renju | x level:3 | save a.sgf | time 2",
            model.theme.faint(),
        ),
    ];
    Paragraph::new(lines).render(inner, buffer);
}
