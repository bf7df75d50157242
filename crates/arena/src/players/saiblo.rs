//! A program that speaks Saiblo's protocol, as a player; our library host is one.

use super::command::CommandLine;
use super::conversation::{Conversation, protocol_error};
use crate::game::Reason;
use crate::player::{Answer, Loss, Player, Start, Turn};
use std::sync::Arc;
use stoneline_protocols::course::View;
use stoneline_protocols::saiblo::{self, Answers, Style};
use stoneline_rules::{Position, Variant};

/// Whether the game is one of the course.
pub(super) fn check(variant: &Variant) -> Result<(), String> {
    View::of(&Position::new(*variant))
        .map(drop)
        .map_err(|error| error.to_string())
}

/// Lines are no part of this protocol.
const NO_LINES: usize = 0;

/// The judge's side of a conversation. A process plays one game.
pub(super) struct SaibloPlayer {
    conversation: Conversation,
    answers: Answers,
}

impl SaibloPlayer {
    pub(super) fn new(line: Arc<CommandLine>) -> Self {
        Self {
            conversation: Conversation::new(line, NO_LINES),
            answers: Answers::default(),
        }
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<Answer, Loss> {
        let view = View::of(turn.position).map_err(|error| protocol_error(error.to_string()))?;
        let last = turn.position.moves().last().copied();
        self.conversation
            .tell(saiblo::turn(Style::Plain, &view, last));
        let patience = self.conversation.turn_patience(turn);
        loop {
            if let Some(answer) = self.answers.next() {
                let point = answer.map_err(|error| protocol_error(error.to_string()))?;
                let (x, y) = point;
                let off_board = || {
                    let sentence = format!("row {x}, column {y} is not on the board");
                    Loss::new(Reason::IllegalMove, sentence)
                };
                return view.answered(point).map(Answer::bare).ok_or_else(off_board);
            }
            self.answers.push(&self.conversation.hear(&patience)?);
        }
    }
}

impl Player for SaibloPlayer {
    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Loss> {
        self.end();
        self.answers = Answers::default();
        let view = View::of(&Position::new(*start.variant))
            .map_err(|error| protocol_error(error.to_string()))?;
        self.conversation.start()?;
        self.conversation.tell(saiblo::hello(Style::Plain, &view));
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Loss> {
        let answered = self.ask(turn);
        self.conversation.settle(answered)
    }

    fn stderr(&self) -> Option<String> {
        self.conversation.stderr()
    }

    fn end(&mut self) {
        self.conversation.end("");
    }
}
