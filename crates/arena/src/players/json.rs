//! A program that speaks our own JSON lines, as a player.

use super::command::CommandLine;
use super::conversation::{Conversation, protocol_error};
use super::program::Patience;
use crate::game::Reason;
use crate::player::{Answer, Loss, Player, Start, Turn};
use std::sync::Arc;
use stoneline_protocols::json::{self, Reply};
use stoneline_rules::Position;

/// Longest line that an engine may say: a list of all moves with their lines fits.
const LONGEST_LINE: usize = 1 << 20;

/// The manager's side of a conversation.
pub(super) struct JsonPlayer {
    conversation: Conversation,
}

impl JsonPlayer {
    pub(super) const fn new(line: Arc<CommandLine>) -> Self {
        Self {
            conversation: Conversation::new(line, LONGEST_LINE),
        }
    }

    fn tell(&mut self, line: &str) {
        self.conversation.tell(format!("{line}\n"));
    }

    /// The next reply that answers a request.
    fn hear(&mut self, patience: &Patience<'_>) -> Result<Reply, Loss> {
        loop {
            let line = self.conversation.hear_line(patience)?;
            match Reply::read(&line) {
                Ok(Reply::Progress) => {}
                Ok(Reply::Error(reason)) => {
                    return Err(protocol_error(format!("a request was refused: {reason}")));
                }
                Ok(reply) => return Ok(reply),
                Err(error) => return Err(protocol_error(error.to_string())),
            }
        }
    }

    fn set_position(&mut self, position: &Position, patience: &Patience<'_>) -> Result<(), Loss> {
        self.tell(&json::position(position));
        match self.hear(patience)? {
            Reply::Other(kind) if kind == "position" => Ok(()),
            other => Err(protocol_error(format!(
                "expected a position, found {other:?}"
            ))),
        }
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<Answer, Loss> {
        let patience = self.conversation.turn_patience(turn);
        self.set_position(turn.position, &patience)?;
        self.tell(&json::go(turn.limits));
        let Reply::Best(best) = self.hear(&patience)? else {
            return Err(protocol_error("expected the best move".to_owned()));
        };
        let text = best
            .text
            .clone()
            .ok_or_else(|| Loss::new(Reason::NoMove, "the program named no move"))?;
        let cell = best
            .cell(turn.position)
            .ok_or_else(|| Loss::new(Reason::IllegalMove, format!("{text:?} is no legal move")))?;
        Ok(Answer {
            cell,
            value: best.value,
            nodes: best.nodes,
            simulations: best.simulations,
            depth: best.depth,
        })
    }
}

impl Player for JsonPlayer {
    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Loss> {
        self.conversation.start()?;
        let position = Position::new(*start.variant);
        let begun = self.set_position(&position, &self.conversation.start_patience());
        self.conversation.settle(begun)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Loss> {
        let answered = self.ask(turn);
        self.conversation.settle(answered)
    }

    fn stderr(&self) -> Option<String> {
        self.conversation.stderr()
    }

    fn end(&mut self) {
        self.conversation.end(&format!("{}\n", json::quit()));
    }
}
