//! What keys and the mouse mean.

use super::dialog::Dialog;
use super::layout::Layout;
use super::model::{Action, Model};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;
use stoneline_rules::Side;

/// What a person wants by `event` on a screen of `area`, one thing after the other.
pub(crate) fn actions(event: &Event, model: &Model, area: Rect) -> Vec<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            key_action(key, model).into_iter().collect()
        }
        Event::Mouse(mouse) => mouse_actions(mouse, model, area),
        Event::Paste(text) if matches!(model.dialog, Some(Dialog::Prompt(_))) => {
            let letters = text.chars().filter(|letter| !letter.is_control());
            letters.map(Action::Letter).collect()
        }
        _ => Vec::new(),
    }
}

fn key_action(key: &KeyEvent, model: &Model) -> Option<Action> {
    let held = key.modifiers;
    if held.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Action::Interrupt),
            KeyCode::Char('d') => Some(Action::Quit),
            _ => None,
        };
    }
    if held.contains(KeyModifiers::ALT) {
        return None;
    }
    match &model.dialog {
        Some(Dialog::Prompt(_)) => prompt_key(key.code),
        Some(Dialog::Help | Dialog::Menu(_)) => dialog_key(key.code),
        None => board_key(key.code),
    }
}

fn prompt_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char(letter) => Some(Action::Letter(letter)),
        KeyCode::Backspace => Some(Action::Erase),
        KeyCode::Enter => Some(Action::Accept),
        KeyCode::Esc => Some(Action::Cancel),
        _ => None,
    }
}

fn dialog_key(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Up | KeyCode::Char('k') => Some(Action::Steer(0, 1)),
        KeyCode::Down | KeyCode::Char('j') => Some(Action::Steer(0, -1)),
        KeyCode::PageUp => Some(Action::Steer(0, 8)),
        KeyCode::PageDown => Some(Action::Steer(0, -8)),
        KeyCode::Enter | KeyCode::Char(' ') => Some(Action::Accept),
        KeyCode::Esc | KeyCode::Char('q' | '?') => Some(Action::Cancel),
        _ => None,
    }
}

fn board_key(code: KeyCode) -> Option<Action> {
    Some(match code {
        KeyCode::Left => Action::Steer(-1, 0),
        KeyCode::Right => Action::Steer(1, 0),
        KeyCode::Up => Action::Steer(0, 1),
        KeyCode::Down => Action::Steer(0, -1),
        KeyCode::Enter => Action::Play,
        KeyCode::Char(digit @ '1'..='9') => Action::Column(digit as u8 - b'1'),
        KeyCode::Char('u') | KeyCode::Backspace => Action::Undo,
        KeyCode::Char('r') => Action::Redo,
        KeyCode::Char('[') | KeyCode::PageUp => Action::Back,
        KeyCode::Char(']') | KeyCode::PageDown => Action::Forward,
        KeyCode::Char('{') | KeyCode::Home => Action::ToStart,
        KeyCode::Char('}') | KeyCode::End => Action::ToEnd,
        KeyCode::Char('h') => Action::Hint,
        KeyCode::Char('a') => Action::Analyse,
        KeyCode::Char('v') => Action::Review,
        KeyCode::Char('n') => Action::New,
        KeyCode::Char('R') => Action::Resign,
        KeyCode::Char(' ' | 'p') => Action::Pause,
        KeyCode::Char('.') => Action::Step,
        KeyCode::Char('s') => Action::Swap,
        KeyCode::Char('x') => Action::ChooseSeat(Side::First),
        KeyCode::Char('o') => Action::ChooseSeat(Side::Second),
        KeyCode::Char('g') => Action::ChooseGame,
        KeyCode::Char('t') => Action::NextTheme,
        KeyCode::Char('?') | KeyCode::F(1) => Action::Help,
        KeyCode::Char(':' | '/') => Action::Prompt,
        KeyCode::Char('q') => Action::Quit,
        _ => return None,
    })
}

fn mouse_actions(mouse: &MouseEvent, model: &Model, area: Rect) -> Vec<Action> {
    if model.dialog.is_some() {
        return match mouse.kind {
            MouseEventKind::ScrollUp => vec![Action::Steer(0, 1)],
            MouseEventKind::ScrollDown => vec![Action::Steer(0, -1)],
            MouseEventKind::Down(MouseButton::Right) => vec![Action::Cancel],
            _ => Vec::new(),
        };
    }
    let variant = model.game.shown().variant();
    let layout = Layout::new(area, variant, model.theme.is_rich());
    let cell = layout.and_then(|layout| layout.board.cell_at(mouse.column, mouse.row));
    match (mouse.kind, cell) {
        (MouseEventKind::ScrollUp, _) => vec![Action::Back],
        (MouseEventKind::ScrollDown, _) => vec![Action::Forward],
        (MouseEventKind::Moved | MouseEventKind::Drag(_), Some(cell)) => vec![Action::Point(cell)],
        (MouseEventKind::Down(MouseButton::Left), Some(cell)) => {
            vec![Action::Point(cell), Action::Play]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Seat;
    use super::super::theme::Theme;
    use super::*;
    use stoneline_search::Limits;

    const AREA: Rect = Rect::new(0, 0, 80, 24);

    fn model(game: &str) -> Model {
        let seats = [Seat::Person, Seat::Person];
        let theme = Theme::named("default").unwrap();
        Model::new(game.parse().unwrap(), seats, Limits::default(), theme)
    }

    fn press(model: &mut Model, code: KeyCode) {
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        for action in actions(&event, model, AREA) {
            model.act(action);
        }
    }

    fn mouse(model: &mut Model, kind: MouseEventKind, (column, row): (u16, u16)) {
        let event = Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        });
        for action in actions(&event, model, AREA) {
            model.act(action);
        }
    }

    #[test]
    fn a_click_plays_where_the_board_shows_it() {
        for game in ["connect4", "gomoku"] {
            let mut model = model(game);
            let layout = Layout::new(AREA, model.game.shown().variant(), true).unwrap();
            let cell = stoneline_rules::Cell::new(4, 0);
            let place = layout.board.place(cell);
            let at = (place.x + 1, place.y);
            mouse(&mut model, MouseEventKind::Moved, at);
            assert_eq!(model.cursor, cell);
            mouse(&mut model, MouseEventKind::Down(MouseButton::Left), at);
            assert_eq!(model.game.shown().moves(), [cell], "{game}");
            mouse(&mut model, MouseEventKind::ScrollUp, at);
            assert_eq!(model.game.ply(), 0);
            mouse(&mut model, MouseEventKind::Down(MouseButton::Left), (79, 5));
            assert_eq!(model.game.ply(), 0, "beside the board");
        }
    }

    #[test]
    fn digits_play_columns_and_arrows_steer() {
        let mut model = model("connect4");
        for code in [
            KeyCode::Char('1'),
            KeyCode::Char('9'),
            KeyCode::Right,
            KeyCode::Enter,
        ] {
            press(&mut model, code);
        }
        assert_eq!(model.game.shown().notation(), "connect4 12");
    }

    #[test]
    fn letters_go_to_the_prompt_while_it_is_open() {
        let mut model = model("gomoku");
        for letter in ":h8q".chars() {
            press(&mut model, KeyCode::Char(letter));
        }
        press(&mut model, KeyCode::Backspace);
        press(&mut model, KeyCode::Enter);
        assert_eq!(model.game.shown().notation(), "gomoku h8");
        assert_eq!(model.end, None);
    }
}
