//! Screens of the model, drawn without a terminal.

use super::*;
use crate::play::model::{Action, Seat};
use crate::play::theme::{Palette, Theme};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use stoneline_search::Limits;

fn model(text: &str, theme: Theme) -> Model {
    let engine = Seat::Engine("level:3".parse().unwrap());
    let seats = [Seat::Person, engine];
    Model::new(text.parse().unwrap(), seats, Limits::default(), theme)
}

fn rich(palette: Palette) -> Theme {
    Theme::new(palette, true)
}

fn screen(model: &Model, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(model, frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    let line = |y| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect();
    (0..area.height).map(line).collect()
}

#[test]
fn every_game_is_drawn_from_80x24_up() {
    for game in [
        "connect4 4453",
        "course:12x12@5,5 66",
        "gomoku h8 i9",
        "renju h8 i9 h7",
        "mnk:22x22x6",
        "connectx:16x16x5@0,0",
    ] {
        for (width, height) in [(80, 24), (81, 25), (100, 30), (140, 45), (200, 60)] {
            let lines = text(&screen(&model(game, rich(Palette::Default)), width, height));
            let all = lines.join("\n");
            for part in ["level:3", "Chances of X", "help"] {
                assert!(all.contains(part), "{game} {width}x{height}\n{all}");
            }
        }
    }
}

#[test]
fn any_size_is_survived() {
    let mut model = model("gomoku h8 i9", rich(Palette::Default));
    model.act(Action::Analyse);
    for dialog in [
        None,
        Some(Action::Help),
        Some(Action::ChooseGame),
        Some(Action::Prompt),
    ] {
        model.dialog = None;
        if let Some(action) = dialog {
            model.act(action);
        }
        for width in (1..100).step_by(7) {
            for height in 1..30 {
                screen(&model, width, height);
            }
        }
    }
    model.dialog = None;
    let small = text(&screen(&model, 40, 5)).join(" ");
    assert!(small.contains("Too small"), "{small}");
}

#[test]
fn stones_stand_where_they_were_put() {
    let lines = text(&screen(
        &model("gomoku a1 o15", rich(Palette::Mono)),
        80,
        24,
    ));
    let top = lines
        .iter()
        .find(|line| line.trim_start().starts_with("15 "))
        .unwrap();
    assert!(top.contains("(○)"), "{top}");
    let bottom = lines.iter().find(|line| line.starts_with(" 1 ")).unwrap();
    assert!(bottom.starts_with(" 1  ●─"), "{bottom}");
    let plain = Theme::new(Palette::Mono, false);
    let lines = text(&screen(&model("connect4 4455", plain), 80, 24)).join("\n");
    assert!(
        lines.contains(" X  X  .") && lines.contains(" O (O) ."),
        "{lines}"
    );
    assert!(lines.is_ascii(), "{lines}");
}

#[test]
fn themes_use_colours_or_none() {
    let of = |palette| {
        let buffer = screen(&model("connect4 4453", rich(palette)), 80, 24);
        let cells = buffer.content.iter();
        cells
            .flat_map(|cell| [cell.fg, cell.bg])
            .collect::<Vec<Color>>()
    };
    assert!(of(Palette::Default).contains(&Color::Indexed(196)));
    assert!(of(Palette::Safe).contains(&Color::Indexed(214)));
    assert!(
        of(Palette::Mono)
            .iter()
            .all(|&colour| colour == Color::Reset)
    );
}

#[test]
fn forbidden_points_of_renju_are_marked() {
    // Two open threes would cross at h8.
    let game = "renju h7 a1 h9 c1 g8 e1 i8 a3";
    let lines = text(&screen(&model(game, rich(Palette::Mono)), 80, 24)).join("\n");
    assert_eq!(lines.matches('×').count(), 1, "{lines}");
}

#[test]
fn the_result_and_the_winning_line_are_shown() {
    let model = model("connect4 1212121", rich(Palette::Mono));
    let lines = text(&screen(&model, 80, 24)).join("\n");
    assert!(lines.contains("You win!"), "{lines}");
    assert_eq!(lines.matches('★').count(), 4, "{lines}");
}
