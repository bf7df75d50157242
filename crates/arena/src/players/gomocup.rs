//! A program that speaks Gomocup's protocol, as a player.

use super::command::CommandLine;
use super::conversation::{Conversation, protocol_error};
use super::program::Patience;
use crate::game::Reason;
use crate::player::{Answer as Played, Loss, Player, Start, Turn};
use std::sync::Arc;
use std::time::Duration;
use stoneline_protocols::gomocup::{Answer, Command, Info, Point, mask_of_rule};
use stoneline_rules::{Cell, Position, Rule, Variant};
use stoneline_search::Limits;

/// Longest line that an engine may say.
const LONGEST_LINE: usize = 1 << 16;
/// What Gomocup's tournaments allow, where the game says nothing.
const USUAL_MEMORY: usize = 350 << 20;

/// Whether the protocol has a way to name the game.
pub(super) fn check(variant: &Variant) -> Result<(), String> {
    // Our extension names any other game; an engine without it says so when asked to start.
    match variant.rule() {
        Rule::Gravity => Ok(()),
        _ if variant.run() == 5 => Ok(()),
        _ => Err(format!(
            "Gomocup's protocol has no way to ask for {variant}"
        )),
    }
}

/// The manager's side of a conversation.
pub(super) struct GomocupPlayer {
    conversation: Conversation,
}

impl GomocupPlayer {
    pub(super) const fn new(line: Arc<CommandLine>) -> Self {
        Self {
            conversation: Conversation::new(line, LONGEST_LINE),
        }
    }

    fn tell(&mut self, commands: &[Command]) {
        let text: String = commands
            .iter()
            .map(|command| format!("{command}\n"))
            .collect();
        self.conversation.tell(text);
    }

    /// The next answer that is more than a message.
    fn hear(&mut self, patience: &Patience<'_>) -> Result<Answer, Loss> {
        loop {
            let line = self.conversation.hear_line(patience)?;
            match Answer::read(&line) {
                Ok(None | Some(Answer::Message(_) | Answer::Debug(_) | Answer::About(_))) => {}
                // INFO keys that an engine does not know are to be passed over in silence,
                // but many answer them.
                Ok(Some(Answer::Unknown(_))) => {}
                Ok(Some(answer)) => return Ok(answer),
                Err(error) => return Err(protocol_error(error.to_string())),
            }
        }
    }

    /// Waits until the board is ready. Engines greet their users: other lines are passed over.
    fn hear_ready(&mut self, variant: &Variant) -> Result<(), Loss> {
        let patience = self.conversation.start_patience();
        loop {
            let line = self.conversation.hear_line(&patience)?;
            match Answer::read(&line) {
                Ok(Some(Answer::Ok)) => return Ok(()),
                Ok(Some(Answer::Error(text) | Answer::Unknown(text))) => {
                    return Err(protocol_error(format!("{variant} was refused: {text}")));
                }
                Ok(_) | Err(_) => {}
            }
        }
    }

    fn begin(&mut self, start: &Start<'_>) -> Result<(), Loss> {
        let variant = start.variant;
        let geometry = variant.geometry();
        let (rows, columns) = (geometry.rows().into(), geometry.columns().into());
        let mut commands = Vec::new();
        if let Some(mask) = mask_of_rule(variant.rule()) {
            commands.push(Command::Info(Info::Rule(mask)));
            commands.push(if rows == columns {
                Command::Start(rows)
            } else {
                Command::RectStart {
                    width: columns,
                    height: rows,
                }
            });
        } else {
            commands.push(Command::Game(variant.to_string()));
        }
        self.tell(&commands);
        self.hear_ready(variant)?;
        self.tell(&settings(variant, start.limits));
        Ok(())
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<Played, Loss> {
        let geometry = turn.position.variant().geometry();
        let mut commands = Vec::from_iter(clock(turn.limits));
        match turn.reply {
            Some(cell) => commands.push(Command::Turn(Point::of(geometry, cell))),
            None => commands.extend(opening(turn.position)),
        }
        self.tell(&commands);
        let patience = self.conversation.turn_patience(turn);
        loop {
            match self.hear(&patience)? {
                Answer::Moves(points) if points.len() == 1 => {
                    return cell_of(turn.position, points[0]).map(Played::bare);
                }
                Answer::Suggest(point) => self.tell(&[Command::Play(point)]),
                Answer::Error(text) => {
                    return Err(protocol_error(format!("the program answered ERROR {text}")));
                }
                // Left over from the start.
                Answer::Ok => {}
                other => {
                    return Err(protocol_error(format!(
                        "expected a move, found \"{other}\""
                    )));
                }
            }
        }
    }
}

impl Player for GomocupPlayer {
    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Loss> {
        self.conversation.start()?;
        let begun = self.begin(start);
        self.conversation.settle(begun)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Played, Loss> {
        let answered = self.ask(turn);
        self.conversation.settle(answered)
    }

    fn stderr(&self) -> Option<String> {
        self.conversation.stderr()
    }

    fn end(&mut self) {
        self.conversation.end(&format!("{}\n", Command::End));
    }
}

/// The cell of a point; off the board it is an illegal move.
fn cell_of(position: &Position, point: Point) -> Result<Cell, Loss> {
    let off_board = || {
        let sentence = format!("{point} is not on the board");
        Loss::new(Reason::IllegalMove, sentence)
    };
    point
        .cell(position.variant().geometry())
        .ok_or_else(off_board)
}

/// All that is told once, before the first move.
fn settings(variant: &Variant, limits: &Limits) -> Vec<Command> {
    let memory = limits.memory_bytes.unwrap_or(USUAL_MEMORY);
    let mut infos = vec![Info::MemoryBytes(memory as u64)];
    infos.extend(mask_of_rule(variant.rule()).map(Info::Rule));
    infos.extend(limits.threads.map(Info::Threads));
    infos.extend(limits.nodes.map(Info::Nodes));
    infos.push(Info::Other("game_type 1".to_owned()));
    infos.push(Info::TurnMs(ms(limits.time.or(limits.remaining))));
    infos.push(Info::MatchMs(
        limits.remaining.map_or(0, |time| ms(Some(time))),
    ));
    if limits.remaining.is_none() {
        infos.push(Info::LeftMs(None));
    }
    infos.into_iter().map(Command::Info).collect()
}

/// What is told before each move: what is left of a clock, if there is one.
///
/// Without one it is told once, for there are engines that lose half of the line when it comes
/// right after their move.
fn clock(limits: &Limits) -> Option<Command> {
    let left = ms(Some(limits.remaining?));
    Some(Command::Info(Info::LeftMs(Some(left))))
}

/// A day stands for a search without a clock: 0 would mean at once.
fn ms(time: Option<Duration>) -> u64 {
    time.map_or(86_400_000, |time| (time.as_millis() as u64).max(1))
}

/// The commands that show a position to an engine that has seen nothing of it.
fn opening(position: &Position) -> Vec<Command> {
    if position.plies() == 0 {
        return vec![Command::Begin];
    }
    let geometry = position.variant().geometry();
    let me = position.side_to_move();
    let owner = |side| Some(if side == me { 1 } else { 2 });
    let start = position.start();
    let mut commands = vec![Command::Board];
    for side in stoneline_rules::Side::BOTH {
        let cells = geometry.cells(start.stones(side));
        commands.extend(cells.map(|cell| Command::Stone(Point::of(geometry, cell), owner(side))));
    }
    let mut side = start.side_to_move();
    for &cell in position.moves() {
        commands.push(Command::Stone(Point::of(geometry, cell), owner(side)));
        side = !side;
    }
    commands.push(Command::Done);
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_before_each_move_of_a_clock_and_else_once() {
        let variant: Variant = "gomoku".parse().unwrap();
        let told_once = |limits: &Limits| {
            let told = settings(&variant, limits);
            let of_clock = |command: &&Command| matches!(command, Command::Info(Info::LeftMs(_)));
            told.iter().filter(of_clock).count()
        };
        let by_move = Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        };
        assert_eq!((told_once(&by_move), clock(&by_move)), (1, None));
        let by_clock = Limits {
            remaining: Some(Duration::from_secs(60)),
            ..Limits::default()
        };
        let left = Command::Info(Info::LeftMs(Some(60_000)));
        assert_eq!((told_once(&by_clock), clock(&by_clock)), (0, Some(left)));
    }
}
