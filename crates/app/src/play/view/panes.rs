//! The panes beside the board: players, analysis, the game's graph, its moves.

use super::super::model::Model;
use super::super::task::Thought;
use super::board::value_style;
use super::{side_spans, words};
use crate::study::review::Verdict;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Widget};
use stoneline_rules::{Cell, Side};
use stoneline_search::Value;

/// Draws all panes into `area`, as many as fit.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let graph = (area.height / 6).clamp(3, 6) + 2;
    let analysis = match model.is_analysing {
        true => (area.height - 4 - graph).saturating_sub(4).clamp(4, 24),
        false => 0,
    };
    let [players, thoughts, values, moves] = Layout::vertical([
        Constraint::Length(4),
        Constraint::Length(analysis),
        Constraint::Length(graph),
        Constraint::Min(0),
    ])
    .areas(area);
    self::players(model, players, buffer);
    if analysis > 0 {
        self::analysis(model, thoughts, buffer);
    }
    self::graph(model, values, buffer);
    if moves.height >= 3 {
        self::moves(model, moves, buffer);
    }
}

const ASCII_BORDER: border::Set<'_> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// A frame with a title.
pub(super) fn framed<'a>(model: &Model, title: impl Into<Line<'a>>) -> Block<'a> {
    let set = if model.theme.is_rich() {
        border::ROUNDED
    } else {
        ASCII_BORDER
    };
    Block::bordered()
        .border_set(set)
        .border_style(model.theme.faint())
        .title_style(model.theme.title())
        .title(title)
}

fn inside(block: Block<'_>, area: Rect, buffer: &mut Buffer) -> Rect {
    let inner = block.inner(area);
    block.render(area, buffer);
    inner
}

fn players(model: &Model, area: Rect, buffer: &mut Buffer) {
    let title = if model.is_watched() {
        " Watching "
    } else {
        " Players "
    };
    let inner = inside(framed(model, title), area, buffer);
    let to_move = model.game.shown().side_to_move();
    let is_over = model.game.outcome().is_some();
    let lines = Side::BOTH.map(|side| {
        let is_turn = side == to_move && !is_over;
        let arrow = match (is_turn, model.theme.is_rich()) {
            (true, true) => "▸ ",
            (true, false) => "> ",
            (false, _) => "  ",
        };
        let mut spans = vec![Span::styled(arrow, model.theme.title())];
        spans.extend(side_spans(model, side));
        let name = model.seats[side.index()].name();
        let style = if is_turn {
            Style::new().add_modifier(Modifier::BOLD)
        } else {
            Style::new()
        };
        spans.push(Span::styled(format!("  {name}"), style));
        Line::from(spans)
    });
    Paragraph::new(lines.to_vec()).render(inner, buffer);
}

fn analysis(model: &Model, area: Rect, buffer: &mut Buffer) {
    let block = framed(model, " Analysis ");
    let Some(thought) = model.thought() else {
        let inner = inside(block, area, buffer);
        let text = match model.game.outcome() {
            Some(_) => "the game is over",
            None => "thinking ...",
        };
        Line::styled(text, model.theme.faint()).render(inner, buffer);
        return;
    };
    let who = match thought.who.as_str() {
        "analysis" if thought.is_final => " done ".to_owned(),
        "analysis" => String::new(),
        who => format!(" {who} "),
    };
    let block = block.title(Line::styled(who, model.theme.faint()).right_aligned());
    let inner = inside(block, area, buffer);
    let mut lines = vec![effort_line(model, thought)];
    let rows = usize::from(inner.height).saturating_sub(lines.len());
    let shown = thought.moves.iter().take(rows);
    lines.extend(shown.map(|report| {
        let (mark, style) = (
            proof_mark(model, report.value),
            value_style(model.theme, report.value),
        );
        let visits = match report.visits {
            0 => String::new(),
            visits => words::count(visits),
        };
        let name = |&cell: &Cell| words::move_name(thought.position.variant(), cell);
        let line: Vec<String> = report.line.iter().skip(1).map(name).collect();
        Line::from(vec![
            Span::styled(format!("{mark} "), style),
            Span::styled(
                format!("{:<3} ", name(&report.cell)),
                Style::new().add_modifier(Modifier::BOLD),
            ),
            Span::styled(format!("{:>7} ", words::value(report.value)), style),
            Span::styled(format!("{visits:>4} "), model.theme.faint()),
            Span::raw(line.join(" ")),
        ])
    }));
    Paragraph::new(lines).render(inner, buffer);
}

/// Proven values and estimates look different.
fn proof_mark(model: &Model, value: Value) -> &'static str {
    match (value, model.theme.is_rich()) {
        (Value::Win { .. }, true) => "✔",
        (Value::Loss { .. }, true) => "✘",
        (Value::Win { .. }, false) => "+",
        (Value::Loss { .. }, false) => "-",
        (Value::Draw, _) => "=",
        (Value::Guess(_), _) => "~",
    }
}

fn effort_line(model: &Model, thought: &Thought) -> Line<'static> {
    let effort = &thought.effort;
    let seconds = thought.time.as_secs_f64();
    let rate = |count: u64| words::count((count as f64 / seconds.max(1e-3)) as u64);
    let (count, unit) = match effort.simulations {
        0 => (effort.nodes, "nodes"),
        simulations => (simulations, "sims"),
    };
    let mut text = format!("{} {unit} {}/s", words::count(count), rate(count));
    if let Some(depth) = effort.depth {
        text += &format!(" d{depth}");
    }
    text += &format!(" {} MB {seconds:.0} s", effort.memory_bytes >> 20);
    Line::styled(text, model.theme.faint())
}

const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The first side's chances, ply by ply.
fn graph(model: &Model, area: Rect, buffer: &mut Buffer) {
    let ply = model.game.ply();
    let mut block = framed(model, " Chances of X ");
    if let Some(value) = model.value(ply) {
        let text = format!(" {} ", words::value(value));
        let line = Line::styled(text, value_style(model.theme, value));
        block = block.title(line.right_aligned());
    }
    let inner = inside(block, area, buffer);
    let falls = model.game.shown().variant().rule().falls();
    let plies = model.game.whole().moves().len() + 1;
    let width = usize::from(inner.width);
    // The latest plies, each as wide as fits twice at most.
    let from = plies.saturating_sub(width);
    let wide = if plies * 2 <= width { 2 } else { 1 };
    for at in from..plies {
        let left = inner.x + ((at - from) * wide) as u16;
        let known = model.value(at).map(Value::win_rate);
        let side = match known {
            Some(rate) if rate < 0.5 => Side::Second,
            _ => Side::First,
        };
        // What lies ahead of the shown position is there, but faint.
        let style = match known {
            Some(_) if at <= ply => model.theme.side(side, falls),
            _ => model.theme.faint(),
        };
        let levels = f32::from(inner.height * 8);
        let filled = (known.unwrap_or(0.0) * levels).round().max(1.0) as u16;
        for row in 0..inner.height {
            let y = inner.bottom() - 1 - row;
            let part = filled.saturating_sub(row * 8).min(8);
            let glyph = match (known, model.theme.is_rich()) {
                (None, true) if row == 0 => "·",
                (None, false) if row == 0 => ".",
                (None, _) => " ",
                (Some(_), true) => EIGHTHS[usize::from(part)],
                (Some(_), false) if part >= 4 => "#",
                (Some(_), false) => " ",
            };
            for x in (left..left + wide as u16).take_while(|&x| x < inner.right()) {
                buffer[(x, y)].set_symbol(glyph).set_style(style);
            }
        }
    }
}

/// What a verdict looks like after a move.
fn verdict_mark(model: &Model, verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::Best => (
            if model.theme.is_rich() { "✓" } else { "!" },
            model.theme.good(),
        ),
        Verdict::Good => ("", model.theme.even()),
        Verdict::Slip => ("?", model.theme.bad()),
        Verdict::Blunder => ("??", model.theme.bad().add_modifier(Modifier::BOLD)),
    }
}

fn moves(model: &Model, area: Rect, buffer: &mut Buffer) {
    let whole = model.game.whole();
    let total = whole.moves().len();
    let mut block = framed(model, " Moves ");
    if let Some(text) = summary(model) {
        block = block.title(Line::styled(text, model.theme.faint()).right_aligned());
    }
    let inner = inside(block, area, buffer);
    // Numbers and marks have their columns, so that nothing moves when marks come.
    let token = if whole.variant().rule().falls() { 7 } else { 9 };
    let columns = usize::from(inner.width / token).max(1);
    let rows = usize::from(inner.height).max(1);
    let current = model.game.ply().saturating_sub(1) / columns;
    let last = total.saturating_sub(1) / columns;
    let first = current
        .saturating_sub(rows / 2)
        .min((last + 1).saturating_sub(rows));
    for (at, &cell) in whole.moves().iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        if !(first..first + rows).contains(&row) {
            continue;
        }
        let x = inner.x + token * column as u16;
        let y = inner.y + (row - first) as u16;
        let name = words::move_name(whole.variant(), cell);
        let mut style = if at < model.game.ply() {
            Style::new()
        } else {
            model.theme.faint()
        };
        if at + 1 == model.game.ply() {
            style = model.theme.chosen();
        }
        buffer.set_string(x, y, format!("{:>3}", at + 1), model.theme.faint());
        let (end, _) = buffer.set_stringn(x + 4, y, &name, 3, style);
        if let Some(judged) = model.judged(at) {
            let (mark, style) = verdict_mark(model, judged.verdict);
            buffer.set_string(end, y, mark, style);
        }
    }
}

/// How many slips and blunders the review found.
fn summary(model: &Model) -> Option<String> {
    let total = model.game.whole().moves().len();
    let judged: Vec<_> = (0..total).filter_map(|ply| model.judged(ply)).collect();
    if judged.is_empty() {
        return None;
    }
    if model.is_reviewing() {
        return Some(format!(" reviewed {} of {total} ", judged.len()));
    }
    let count = |verdict| judged.iter().filter(|one| one.verdict == verdict).count();
    let plural =
        |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    Some(format!(
        " {}, {} ",
        plural(count(Verdict::Slip), "slip"),
        plural(count(Verdict::Blunder), "blunder")
    ))
}
