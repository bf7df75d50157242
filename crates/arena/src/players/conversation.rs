//! What every foreign player has in common: a program that is started, told,
//! heard, and gone after its first fault, its last words kept.

use super::command::CommandLine;
use super::program::{Patience, Program};
use crate::game::Reason;
use crate::player::{Loss, Turn};
use std::sync::Arc;
use stoneline_protocols::Lines;

/// A conversation with a program that may not run.
pub(super) struct Conversation {
    line: Arc<CommandLine>,
    program: Option<Program>,
    lines: Lines,
    longest_line: usize,
    /// What an earlier program wrote on stderr, kept until the next game.
    stderr: Option<String>,
}

impl Conversation {
    /// One with a program that is not started yet, whose lines are at most so long.
    pub(super) const fn new(line: Arc<CommandLine>, longest_line: usize) -> Self {
        Self {
            line,
            program: None,
            lines: Lines::new(longest_line),
            longest_line,
            stderr: None,
        }
    }

    /// Starts the program unless it runs.
    pub(super) fn start(&mut self) -> Result<(), Loss> {
        self.stderr = None;
        if self.program.is_none() {
            self.program = Some(Program::start(&self.line)?);
        }
        Ok(())
    }

    /// How long its start may take.
    pub(super) fn start_patience(&self) -> Patience<'static> {
        Patience::of_start(&self.line)
    }

    /// How long a turn may take.
    pub(super) fn turn_patience<'a>(&self, turn: &Turn<'a>) -> Patience<'a> {
        Patience::of_turn(&self.line, turn)
    }

    /// Tells the program something.
    pub(super) fn tell(&mut self, bytes: impl Into<Vec<u8>>) {
        if let Some(program) = &mut self.program {
            program.tell(bytes);
        }
    }

    /// The next piece of what the program says.
    pub(super) fn hear(&mut self, patience: &Patience<'_>) -> Result<Vec<u8>, Loss> {
        match &mut self.program {
            Some(program) => program.hear(patience),
            None => Err(Loss::new(Reason::NoMove, "the program does not run")),
        }
    }

    /// The next line of what the program says.
    pub(super) fn hear_line(&mut self, patience: &Patience<'_>) -> Result<String, Loss> {
        loop {
            if let Some(line) = self.lines.next() {
                return line.map_err(|error| protocol_error(error.to_string()));
            }
            let piece = self.hear(patience)?;
            self.lines.push(&piece);
        }
    }

    /// What came of a step; after a loss the program is gone.
    pub(super) fn settle<T>(&mut self, result: Result<T, Loss>) -> Result<T, Loss> {
        if let Err(loss) = &result {
            tracing::debug!(%loss, "program at fault");
            self.drop_program();
        }
        result
    }

    /// Ends the program, told to if it runs.
    pub(super) fn end(&mut self, farewell: &str) {
        if let Some(program) = &mut self.program {
            program.bid_farewell(farewell);
        }
        self.drop_program();
    }

    fn drop_program(&mut self) {
        if let Some(mut program) = self.program.take() {
            self.stderr = program.end();
        }
        self.lines = Lines::new(self.longest_line);
    }

    /// The last of what the program wrote on its error stream.
    pub(super) fn stderr(&self) -> Option<String> {
        let running = self.program.as_ref().and_then(Program::stderr);
        running.or_else(|| self.stderr.clone())
    }
}

/// A loss by words that the protocol does not have.
pub(super) fn protocol_error(sentence: String) -> Loss {
    Loss::new(Reason::ProtocolError, sentence)
}
