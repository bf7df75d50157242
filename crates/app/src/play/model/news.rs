//! What the model learns from engines.

use super::Model;
use crate::play::task::{Kind, News, Task, Thought};
use crate::study::review::News as ReviewNews;
use stoneline_rules::Side;
use stoneline_rules::notation::write_move;
use stoneline_search::Value;

impl Model {
    /// Takes over what an engine told about `task`.
    pub(crate) fn hear(&mut self, task: &Task, news: News) {
        match news {
            News::Thought(thought) => self.keep(thought),
            News::Chosen(cell, thought) => {
                self.keep(thought);
                match (&task.kind, cell) {
                    (Kind::Move(_), Some(cell)) => {
                        self.is_stepping = false;
                        self.place(cell);
                    }
                    (_, Some(cell)) => {
                        self.is_hinting = false;
                        self.hint = Some(cell);
                        self.cursor = cell;
                        let name = write_move(self.game.shown().variant(), cell);
                        self.say(format!("Try {name}."));
                    }
                    (_, None) => self.is_hinting = false,
                }
            }
            News::Review(ReviewNews::End { ply, value }) => {
                let side = task.position.side_to_move();
                self.note_value(ply, value, side);
            }
            News::Review(ReviewNews::Move(judged)) => {
                let ply = judged.ply;
                let last = task.position.moves().len();
                let to_move = task.position.side_to_move();
                let side = if (last - ply).is_multiple_of(2) {
                    to_move
                } else {
                    !to_move
                };
                self.note_value(ply, judged.value, side);
                self.judged.resize(self.judged.len().max(ply + 1), None);
                self.judged[ply] = Some(judged);
            }
            News::Reviewed => {
                self.is_reviewing = false;
                self.say("Reviewed: [ and ] walk through the game.");
            }
            News::Trouble(reason) => {
                self.is_hinting = false;
                self.is_reviewing = false;
                self.is_stepping = false;
                self.is_analysing = false;
                self.is_paused = true;
                self.say(format!("{reason}; the game is paused."));
            }
        }
    }

    fn keep(&mut self, thought: Thought) {
        let ply = thought.position.moves().len();
        self.note_value(ply, thought.value, thought.position.side_to_move());
        self.thought = Some(thought);
    }

    fn note_value(&mut self, ply: usize, value: Value, side: Side) {
        self.values.resize(self.values.len().max(ply + 1), None);
        self.values[ply] = Some(match side {
            Side::First => value,
            Side::Second => value.for_opponent(),
        });
    }
}
