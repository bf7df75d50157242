//! What stands over the board for a moment: help, menus, and the prompt for words.

use super::command;
use super::model::{Action, Model, Seat};
use crate::opponent::Opponent;
use stoneline_rules::{Side, Variant};
use stoneline_search::engines;

/// Something that takes all input until it is answered.
pub(crate) enum Dialog {
    Help,
    Menu(Menu),
    /// Words being typed.
    Prompt(String),
}

/// Longest line that can be typed.
const PROMPT_LETTERS: usize = 200;

/// A choice among several things.
pub(crate) struct Menu {
    pub(crate) title: String,
    pub(crate) items: Vec<Item>,
    pub(crate) chosen: usize,
    purpose: Purpose,
}

/// One thing to choose.
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) about: String,
}

#[derive(Clone, Copy)]
enum Purpose {
    Seat(Side),
    Game,
}

/// What a person is called in menus and at the prompt.
pub(crate) const PERSON: &str = "person";

const GAMES: [(&str, &str); 11] = [
    ("connect4", "four in a row on 7x6, stones fall"),
    ("connectx:8x9x5", "five in a row on 9x8, stones fall"),
    ("course", "a random 9..12 board with a blocked cell"),
    ("course:12x12@5,5", "the largest of them"),
    ("gomoku", "five or more in a row on 15x15"),
    ("standard", "exactly five"),
    ("renju", "five, with forbidden points for the first side"),
    ("caro", "five, not closed at both ends"),
    ("gomoku:20", "five or more on 20x20"),
    ("gobang", "five or more on 10x10"),
    ("mnk:7x7x4", "four in a row on 7x7, stones stay"),
];

impl Menu {
    /// Who is to play `side`.
    pub(crate) fn seat(side: Side, seat: &Seat) -> Self {
        let person = (PERSON.to_owned(), "you, or somebody beside you".to_owned());
        let levels = (1..=10).map(|level| {
            let about = match level {
                1 => "a beginner",
                4 => "plays now and then",
                7 => "a club player",
                10 => "as strong as there is",
                _ => "",
            };
            (format!("level:{level}"), about.to_owned())
        });
        let named = engines().filter(|entry| entry.name() != "level");
        let named = named.map(|entry| (entry.name().to_owned(), entry.about().to_owned()));
        let now = match seat {
            Seat::Person => PERSON,
            Seat::Engine(engine) => engine.name(),
        };
        let items = std::iter::once(person).chain(levels).chain(named);
        Self::new(
            format!("Who plays the {side} side?"),
            items,
            now,
            Purpose::Seat(side),
        )
    }

    /// Which game is to be played.
    pub(crate) fn game(now: &Variant) -> Self {
        let items = GAMES.map(|(name, about)| (name.to_owned(), about.to_owned()));
        let title = "Which game? (:game NAME for any other)".to_owned();
        Self::new(title, items, &now.to_string(), Purpose::Game)
    }

    fn new(
        title: String,
        items: impl IntoIterator<Item = (String, String)>,
        now: &str,
        purpose: Purpose,
    ) -> Self {
        let items: Vec<Item> = items
            .into_iter()
            .map(|(name, about)| Item { name, about })
            .collect();
        let chosen = items.iter().position(|item| item.name == now).unwrap_or(0);
        Self {
            title,
            items,
            chosen,
            purpose,
        }
    }
}

impl Model {
    /// Answers the dialog that stands over the board.
    pub(crate) fn answer_dialog(&mut self, action: &Action) {
        let Some(dialog) = self.dialog.take() else {
            return;
        };
        self.dialog = match (dialog, action) {
            (_, Action::Cancel) | (Dialog::Help, _) => None,
            (Dialog::Menu(mut menu), Action::Steer(_, rows)) => {
                let count = menu.items.len() as i64;
                let next = menu.chosen as i64 - i64::from(*rows);
                menu.chosen = next.rem_euclid(count) as usize;
                Some(Dialog::Menu(menu))
            }
            (Dialog::Menu(menu), Action::Accept) => {
                self.choose(&menu);
                None
            }
            (Dialog::Prompt(mut text), Action::Letter(letter)) => {
                if text.chars().count() < PROMPT_LETTERS {
                    text.push(*letter);
                }
                Some(Dialog::Prompt(text))
            }
            (Dialog::Prompt(mut text), Action::Erase) => text.pop().map(|_| Dialog::Prompt(text)),
            (Dialog::Prompt(text), Action::Accept) => {
                if let Err(error) = command::run(self, text.trim()) {
                    self.say(format!("{error:#}"));
                }
                None
            }
            (dialog, _) => Some(dialog),
        };
    }

    fn choose(&mut self, menu: &Menu) {
        let name = &menu.items[menu.chosen].name;
        let done = match menu.purpose {
            Purpose::Seat(side) => self.sit(side, name),
            Purpose::Game => command::game(self, name),
        };
        if let Err(error) = done {
            self.say(format!("{error:#}"));
        }
    }

    /// Lets `name`, an engine or a person, play `side` from now on.
    pub(crate) fn sit(&mut self, side: Side, name: &str) -> anyhow::Result<()> {
        let seat = if name == PERSON {
            Seat::Person
        } else {
            let engine: Opponent = name.parse()?;
            engine.build(self.game.shown().variant())?;
            Seat::Engine(engine)
        };
        let side_name = self.theme.side_name(side);
        self.say(format!("{side_name} is {} now.", seat.name()));
        self.seats[side.index()] = seat;
        Ok(())
    }
}
