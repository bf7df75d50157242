//! The engine's side of each protocol, driven byte by byte with an engine that
//! plays the first legal cell.

use std::time::Duration;
use stoneline_protocols::course::View;
use stoneline_protocols::gomocup::Gomocup;
use stoneline_protocols::json::Json;
use stoneline_protocols::saiblo::{self, Request, Requests};
use stoneline_protocols::{Lines, Session, Step, Task};
use stoneline_search::gomoku::Swap2;
use stoneline_search::{Choice, Effort, Event, MoveReport, Value};

/// Longest line of the protocols under test.
const LONGEST_LINE: usize = 200;

/// An engine's side: bytes in, bytes out.
pub(crate) trait Talk {
    /// What is answered to `bytes`.
    fn hear(&mut self, bytes: &[u8]) -> Vec<u8>;
}

/// The engine's side of the protocol with that name.
pub(crate) fn talk(protocol: &str) -> Box<dyn Talk> {
    match protocol {
        "gomocup" => Box::new(LineTalk::new(Gomocup::new("0.0.0", 1))),
        "json" => Box::new(LineTalk::new(Json::new("0.0.0", 1))),
        "saiblo" => Box::new(SaibloTalk::default()),
        other => panic!("no protocol {other}"),
    }
}

/// A line protocol.
struct LineTalk<S> {
    lines: Lines,
    session: S,
}

impl<S: Session> LineTalk<S> {
    fn new(session: S) -> Self {
        Self {
            lines: Lines::new(LONGEST_LINE),
            session,
        }
    }

    fn follow(&mut self, steps: Vec<Step>, said: &mut Vec<u8>) {
        let mut say = |line: &str| {
            assert!(!line.contains(['\n', '\r']), "one line: {line:?}");
            said.extend_from_slice(line.as_bytes());
            said.push(b'\n');
        };
        let mut tasks = Vec::new();
        let mut swaps = Vec::new();
        for step in steps {
            match step {
                Step::Say(line) => say(&line),
                Step::Think(task) => tasks.push(task),
                Step::Swap(task) => swaps.push(task),
                Step::Use(engine) => say(&format!("(uses {engine})")),
                Step::Forget => say("(forgets)"),
                Step::Quit => say("(quits)"),
            }
        }
        assert!(tasks.len() + swaps.len() <= 1, "one search at a time");
        for task in swaps {
            let steps = self
                .session
                .swapped(any_swap(&task), Duration::from_millis(5));
            self.follow(steps, said);
        }
        for task in tasks {
            let choice = first_legal(&task);
            let event = Event {
                value: choice.value,
                moves: &choice.moves,
                effort: &choice.effort,
            };
            if let Some(line) = self.session.progress(&event) {
                said.extend_from_slice(line.as_bytes());
                said.push(b'\n');
            }
            let steps = self.session.chosen(&choice, Duration::from_millis(5));
            self.follow(steps, said);
        }
    }
}

impl<S: Session> Talk for LineTalk<S> {
    fn hear(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut said = Vec::new();
        self.lines.push(bytes);
        while let Some(line) = self.lines.next() {
            let steps = match line {
                Ok(line) => self.session.hear(&line),
                Err(error) => self.session.hear_too_long(error),
            };
            self.follow(steps, &mut said);
        }
        said
    }
}

/// The first legal cell, column by column from the bottom, worth a little more with each stone.
fn first_legal(task: &Task) -> Choice {
    assert!(
        task.position.outcome().is_none(),
        "a game that goes on is thought about"
    );
    let value = Value::Guess(if task.position.plies() == 3 {
        0.25
    } else {
        0.75
    });
    let moves: Vec<MoveReport> = task
        .position
        .legal_moves()
        .into_iter()
        .take(3)
        .map(|cell| MoveReport {
            cell,
            value,
            visits: 7,
            line: vec![cell],
        })
        .collect();
    Choice {
        best: Some(moves[0].cell),
        value,
        moves,
        effort: Effort {
            nodes: 21,
            depth: task.depth,
            ..Effort::default()
        },
    }
}

/// Each answer of swap2 in turn: stones, a colour or, at even times, two stones, a move.
fn any_swap(task: &Task) -> Swap2 {
    let legal = task.position.legal_moves();
    let is_even = task.limits.time.is_some_and(|time| time.as_secs() % 2 == 0);
    match task.position.plies() {
        0 => Swap2::Lay([legal[0], legal[1], legal[2]]),
        3 if is_even => Swap2::LayTwo([legal[0], legal[1]]),
        3 => Swap2::Swap,
        _ => Swap2::Play(legal[0]),
    }
}

/// Saiblo, both variants.
#[derive(Default)]
struct SaibloTalk {
    requests: Requests,
}

impl SaibloTalk {
    fn chosen(view: &View) -> Option<stoneline_rules::Cell> {
        match view.position() {
            Some(position) => position.legal_moves().first().copied(),
            None => view.any_move(),
        }
    }
}

impl Talk for SaibloTalk {
    fn hear(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut said = Vec::new();
        self.requests.push(bytes);
        while let Some(request) = self.requests.next() {
            match request {
                Ok(Request::Turn { view, .. }) => {
                    let style = self.requests.style().expect("it shows by now");
                    said.extend(saiblo::answer(style, &view, Self::chosen(&view)));
                }
                Ok(Request::NewGame) => said.extend_from_slice(b"(new game)"),
                Ok(Request::End) => said.extend_from_slice(b"(ends)"),
                Err(error) => said.extend_from_slice(format!("({error})").as_bytes()),
            }
        }
        said
    }
}
