//! The state of the full-screen game and what changes it, without any terminal.
//!
//! Actions and news come in; what an engine is to do follows from the state
//! alone ([`Model::task`]), so that no order is ever lost or given twice.

mod news;
mod outcome;

use super::dialog::{Dialog, Menu};
use super::game::Game;
use super::task::{Kind, Task, Thought};
use super::theme::Theme;
use crate::opponent::Opponent;
use crate::study::review::Judged;
use stoneline_rules::{Cell, Position, Side};
use stoneline_search::{Limits, Value};

/// Who plays a side.
#[derive(Clone)]
pub(crate) enum Seat {
    Person,
    Engine(Opponent),
}

impl Seat {
    /// What to call who sits there.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Person => "you",
            Self::Engine(opponent) => opponent.name(),
        }
    }

    const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }
}

/// What a person can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Move the cursor by columns and rows.
    Steer(i8, i8),
    /// Put the cursor on a cell.
    Point(Cell),
    /// Play where the cursor is.
    Play,
    /// Play a column, from 0, where stones fall.
    Column(u8),
    Undo,
    Redo,
    Back,
    Forward,
    ToStart,
    ToEnd,
    Hint,
    Analyse,
    Review,
    New,
    Resign,
    Pause,
    Step,
    Swap,
    ChooseSeat(Side),
    ChooseGame,
    NextTheme,
    Help,
    Prompt,
    /// What is done in a dialog.
    Letter(char),
    Erase,
    Accept,
    Cancel,
    Quit,
    /// Ctrl-C and its kin.
    Interrupt,
}

/// How the session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Quit,
    Interrupted,
}

/// All that is to be seen.
pub(crate) struct Model {
    pub(crate) game: Game,
    pub(crate) seats: [Seat; 2],
    pub(crate) cursor: Cell,
    pub(crate) is_analysing: bool,
    pub(crate) is_paused: bool,
    pub(crate) dialog: Option<Dialog>,
    pub(crate) message: Option<String>,
    pub(crate) theme: Theme,
    pub(crate) end: Option<End>,
    pub(crate) limits: Limits,
    /// What was thought last.
    thought: Option<Thought>,
    hint: Option<Cell>,
    /// What the position after so many plies is worth to the first side.
    values: Vec<Option<Value>>,
    judged: Vec<Option<Judged>>,
    is_hinting: bool,
    is_reviewing: bool,
    is_stepping: bool,
    /// What has to be asked for twice.
    asked: Option<Action>,
}

impl Model {
    /// A game that begins at `opening`, played by `seats` within `limits` a move.
    pub(crate) fn new(opening: Position, seats: [Seat; 2], limits: Limits, theme: Theme) -> Self {
        let cursor = centre(&opening);
        Self {
            game: Game::new(opening),
            seats,
            cursor,
            is_analysing: false,
            is_paused: false,
            dialog: None,
            message: None,
            theme,
            end: None,
            limits,
            thought: None,
            hint: None,
            values: Vec::new(),
            judged: Vec::new(),
            is_hinting: false,
            is_reviewing: false,
            is_stepping: false,
            asked: None,
        }
    }

    /// Starts another game between the same players.
    pub(crate) fn begin(&mut self, opening: Position) {
        self.cursor = centre(&opening);
        self.game = Game::new(opening);
        self.forget_after(0);
        self.thought = None;
        self.is_reviewing = false;
    }

    /// What an engine is to do now, if anything.
    pub(crate) fn task(&self) -> Option<Task> {
        let (kind, position) = self.wanted()?;
        let mut limits = self.limits.clone();
        // Another seed for every move, the same whenever it is asked for.
        let seed = limits.seed.unwrap_or(0);
        limits.seed = Some(seed.wrapping_add(position.moves().len() as u64));
        Some(Task {
            kind,
            position: position.clone(),
            limits,
        })
    }

    fn wanted(&self) -> Option<(Kind, &Position)> {
        let shown = self.game.shown();
        if self.is_reviewing {
            return Some((Kind::Review, self.game.whole()));
        }
        let is_over = self.game.outcome().is_some();
        if self.is_hinting && !is_over {
            return Some((Kind::Hint, shown));
        }
        let may_move = !self.is_paused || self.is_stepping;
        if let Seat::Engine(opponent) = self.seat_to_move()
            && self.game.is_at_end()
            && may_move
            && !is_over
        {
            return Some((Kind::Move(opponent.clone()), shown));
        }
        let is_done = self
            .thought()
            .is_some_and(|thought| thought.is_final && thought.who == "analysis");
        let wants_more = self.is_analysing && !is_over && !is_done;
        wants_more.then_some((Kind::Analyse, shown))
    }

    fn seat_to_move(&self) -> &Seat {
        &self.seats[self.game.shown().side_to_move().index()]
    }

    /// Whether a person's move is welcome.
    pub(crate) fn is_open(&self) -> bool {
        let may = self.seat_to_move().is_person() || self.is_paused;
        may && self.game.outcome().is_none()
    }

    /// Whether an engine thinks about its move.
    pub(crate) fn is_engine_thinking(&self) -> bool {
        matches!(self.wanted(), Some((Kind::Move(_), _)))
    }

    /// Whether a review is under way.
    pub(crate) const fn is_reviewing(&self) -> bool {
        self.is_reviewing
    }

    /// Whether two engines play.
    pub(crate) fn is_watched(&self) -> bool {
        !self.seats.iter().any(Seat::is_person)
    }

    /// What was thought of the position that is shown.
    pub(crate) fn thought(&self) -> Option<&Thought> {
        self.thought
            .as_ref()
            .filter(|thought| thought.position.moves() == self.game.shown().moves())
    }

    /// The hint for the position that is shown.
    pub(crate) const fn hint(&self) -> Option<Cell> {
        self.hint
    }

    /// What the position after `ply` moves is worth to the first side.
    pub(crate) fn value(&self, ply: usize) -> Option<Value> {
        self.values.get(ply).copied().flatten()
    }

    /// What the review found of the move after `ply` others.
    pub(crate) fn judged(&self, ply: usize) -> Option<&Judged> {
        self.judged.get(ply).and_then(Option::as_ref)
    }

    /// Shows a line to the person until something else happens.
    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.message = Some(text.into());
    }

    /// Does what a person wants.
    pub(crate) fn act(&mut self, action: Action) {
        match action {
            Action::Interrupt => {
                self.end = Some(End::Interrupted);
                return;
            }
            Action::Point(cell) if self.dialog.is_none() => {
                // The mouse rests somewhere all the time: what is said stays.
                self.point(cell);
                return;
            }
            _ => {}
        }
        self.message = None;
        let asked = self.asked.take();
        if self.dialog.is_some() {
            self.answer_dialog(&action);
            return;
        }
        match action {
            Action::Steer(columns, rows) => self.steer(columns, rows),
            Action::Play => self.play(self.cursor),
            Action::Column(column) => self.play_column(column),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Back => self.show(self.game.ply().saturating_sub(1)),
            Action::Forward => self.show(self.game.ply() + 1),
            Action::ToStart => self.show(0),
            Action::ToEnd => self.show(usize::MAX),
            Action::Hint => self.ask_hint(),
            Action::Analyse => self.is_analysing = !self.is_analysing,
            Action::Review => self.review(),
            Action::New | Action::Resign => self.twice(action, asked.as_ref()),
            Action::Pause => self.pause(),
            Action::Step => self.step(),
            Action::Swap => {
                self.seats.swap(0, 1);
                self.say("Sides swapped.");
            }
            Action::ChooseSeat(side) => {
                self.dialog = Some(Dialog::Menu(Menu::seat(side, &self.seats[side.index()])));
            }
            Action::ChooseGame => {
                let menu = Menu::game(self.game.shown().variant());
                self.dialog = Some(Dialog::Menu(menu));
            }
            Action::NextTheme => {
                self.theme = self.theme.next();
                self.say(format!("Theme: {}.", self.theme.name()));
            }
            Action::Help => self.dialog = Some(Dialog::Help),
            Action::Prompt => self.dialog = Some(Dialog::Prompt(String::new())),
            Action::Quit => self.end = Some(End::Quit),
            _ => {}
        }
    }

    fn twice(&mut self, action: Action, asked: Option<&Action>) {
        let (key, what) = match action {
            Action::New => ("n", "start again"),
            _ => ("R", "resign"),
        };
        let is_empty = self.game.whole().moves().is_empty();
        let is_over = self.game.outcome().is_some();
        if asked != Some(&action) && !(action == Action::New && (is_empty || is_over)) {
            self.asked = Some(action);
            self.say(format!("Press {key} once more to {what}."));
        } else if action == Action::New {
            self.restart();
        } else {
            self.resign();
        }
    }

    fn point(&mut self, cell: Cell) {
        self.cursor = cell;
    }

    fn steer(&mut self, columns: i8, rows: i8) {
        let geometry = self.game.shown().variant().geometry();
        let wrapped = |at: u8, by: i8, count: u8| {
            (i16::from(at) + i16::from(by)).rem_euclid(i16::from(count)) as u8
        };
        let column = wrapped(self.cursor.column(), columns, geometry.columns());
        let row = wrapped(self.cursor.row(), rows, geometry.rows());
        self.cursor = Cell::new(column, row);
    }

    /// Plays `cell`, or the column of `cell` where stones fall, for a person.
    pub(crate) fn play(&mut self, cell: Cell) {
        if self.game.shown().variant().rule().falls() {
            self.play_column(cell.column());
        } else {
            self.play_exactly(cell);
        }
    }

    fn play_column(&mut self, column: u8) {
        let position = self.game.shown();
        if !position.variant().rule().falls() || column >= position.variant().geometry().columns() {
            return;
        }
        match position.landing(column) {
            Ok(cell) => self.play_exactly(cell),
            Err(error) => self.say(format!("Can't play there: {error}.")),
        }
    }

    fn play_exactly(&mut self, cell: Cell) {
        if let Some(outcome) = self.game.outcome() {
            self.say(format!("The game is over: {outcome}. n starts again."));
        } else if !self.is_open() {
            let name = self.seat_to_move().name().to_owned();
            self.say(format!("It is the turn of {name}; space pauses it."));
        } else if let Err(error) = self.game.shown().check(cell) {
            self.say(format!("Can't play there: {error}."));
        } else {
            self.cursor = cell;
            self.place(cell);
        }
    }

    fn place(&mut self, cell: Cell) {
        let ply = self.game.ply();
        let is_new = self.game.whole().moves().get(ply) != Some(&cell);
        if self.game.play(cell).is_ok() {
            if is_new {
                self.forget_after(ply);
            }
            self.arrive();
        }
    }

    /// Forgets what was found of moves after `ply` others.
    fn forget_after(&mut self, ply: usize) {
        self.values.truncate(ply + 1);
        self.judged.truncate(ply);
    }

    fn show(&mut self, ply: usize) {
        self.game.show(ply);
        self.arrive();
    }

    /// Another position is shown.
    fn arrive(&mut self) {
        self.hint = None;
        self.is_hinting = false;
    }

    /// Goes back to where a person was to move.
    fn undo(&mut self) {
        if self.game.take_back_resignation() {
            return;
        }
        let side_at = |ply: usize| {
            let back = self.game.ply() - ply;
            let side = self.game.shown().side_to_move();
            if back.is_multiple_of(2) { side } else { !side }
        };
        let steps_singly = self.is_paused || self.is_watched();
        let target = (0..self.game.ply())
            .rev()
            .find(|&ply| steps_singly || self.seats[side_at(ply).index()].is_person());
        match target {
            Some(ply) => self.show(ply),
            None => self.say("There is no move of yours to take back."),
        }
    }

    /// Goes forward to where a person was to move, or to the end.
    fn redo(&mut self) {
        if self.game.is_at_end() {
            self.say("There is nothing to play again.");
            return;
        }
        self.show(self.game.ply() + 1);
        while !self.game.is_at_end() && !self.is_open() {
            self.show(self.game.ply() + 1);
        }
    }

    fn ask_hint(&mut self) {
        match self.game.outcome() {
            Some(_) => self.say("The game is over."),
            None => self.is_hinting = true,
        }
    }

    fn review(&mut self) {
        if self.game.whole().moves().is_empty() {
            self.say("There is no game to review yet.");
        } else {
            self.is_reviewing = !self.is_reviewing;
        }
    }

    fn restart(&mut self) {
        self.game.restart();
        self.cursor = centre(self.game.shown());
        self.forget_after(0);
        self.hint = None;
        self.is_reviewing = false;
    }

    fn resign(&mut self) {
        if self.game.outcome().is_some() {
            self.say("The game is over already.");
            return;
        }
        let to_move = self.game.shown().side_to_move();
        let side = if self.seats[to_move.index()].is_person() {
            to_move
        } else {
            !to_move
        };
        self.game.resign(side);
    }

    fn pause(&mut self) {
        self.is_paused = !self.is_paused;
        if !self.is_paused && !self.seat_to_move().is_person() {
            self.game.cut();
        }
    }

    fn step(&mut self) {
        if !self.game.is_at_end() {
            self.show(self.game.ply() + 1);
        } else if self.seat_to_move().is_person() {
            self.say("It is your turn: h shows a good move.");
        } else {
            self.is_paused = true;
            self.is_stepping = true;
        }
    }
}

fn centre(position: &Position) -> Cell {
    let geometry = position.variant().geometry();
    Cell::new(geometry.columns() / 2, geometry.rows() / 2)
}

#[cfg(test)]
mod tests;
