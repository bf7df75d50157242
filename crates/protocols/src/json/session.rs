//! The engine's side of a whole conversation: requests in, steps out.

use super::fields::Fields;
use super::{add_effort, moves, reports, value};
use crate::lines::LineTooLong;
use crate::session::{Session, Step, Task, Urgency};
use serde_json::{Map, Value, json};
use std::time::Duration;
use stoneline_rules::notation::{play_text, write_move};
use stoneline_rules::{Outcome, Position, Side};
use stoneline_search::{Choice, Event, Limits, Spec, engines};

/// The version of this protocol; it grows when a manager must know.
const PROTOCOL: u32 = 1;

/// Every form of a game's name, with what it is.
const GAMES: [(&str, &str); 11] = [
    ("connect4", "falling stones, 7x6, four in a row"),
    ("connectx:ROWSxCOLSxK", "falling stones, any size and run"),
    (
        "course",
        "falling stones, a random board of 9 to 12 with a forbidden cell",
    ),
    (
        "course:ROWSxCOLS@ROW,COL",
        "the same, a board of your choice",
    ),
    ("gomoku", "15x15, five or more"),
    ("gomoku:N", "the same, another size"),
    ("standard", "15x15, exactly five"),
    ("renju", "15x15, forbidden points for the first side"),
    ("caro", "15x15, exactly five, not closed at both ends"),
    ("mnk:ROWSxCOLSxK", "free boards of any size and run"),
    ("gobang", "10x10, five or more"),
];

/// An engine as a manager meets it that speaks our own protocol.
///
/// ```
/// use stoneline_protocols::json::Json;
/// use stoneline_protocols::{Session, Step};
/// let mut session = Json::new("0.1.0", 1);
/// session.hear(r#"{"do":"position","position":"connect4 44"}"#);
/// let steps = session.hear(r#"{"do":"go","nodes":1000}"#);
/// assert!(matches!(&steps[..], [Step::Think(task)] if task.limits.nodes == Some(1000)));
/// ```
#[derive(Debug)]
pub struct Json {
    version: String,
    /// Chooses the board of plain `course`.
    seed: u64,
    position: Position,
    thinking: Option<Wish>,
}

/// How a search is to be told of.
#[derive(Debug)]
struct Wish {
    id: Option<Value>,
    /// Whether progress is told.
    events: bool,
    /// How many moves are told of.
    lines: usize,
}

impl Json {
    /// A session of the program with this version; `seed` chooses boards of plain `course`.
    pub fn new(version: &str, seed: u64) -> Self {
        let connect4 = "connect4".parse().expect("the name of a game");
        Self {
            version: version.to_owned(),
            seed,
            position: Position::new(connect4),
            thinking: None,
        }
    }

    fn obey(
        &mut self,
        verb: &str,
        mut fields: Fields,
        id: Option<&Value>,
    ) -> Result<Vec<Step>, String> {
        match verb {
            "hello" => {
                fields.end()?;
                Ok(vec![reply(
                    id,
                    json!({"is": "hello", "name": "Stoneline",
                    "version": self.version, "protocol": PROTOCOL}),
                )])
            }
            "games" => {
                fields.end()?;
                let games = GAMES.map(|(name, about)| json!({"name": name, "about": about}));
                Ok(vec![reply(id, json!({"is": "games", "games": games}))])
            }
            "engines" => {
                fields.end()?;
                Ok(vec![reply(
                    id,
                    json!({"is": "engines", "engines": engine_list()}),
                )])
            }
            "engine" => {
                let text = fields.needed("engine")?;
                fields.end()?;
                text.parse::<Spec>().map_err(|error| error.to_string())?;
                let told = reply(id, json!({"is": "engine", "engine": text}));
                Ok(vec![Step::Use(text), told])
            }
            "position" | "play" | "undo" => {
                self.set_position(verb, fields)?;
                Ok(vec![reply(id, self.shown())])
            }
            "go" | "analyse" => self.think(verb == "analyse", fields, id),
            "forget" => {
                fields.end()?;
                Ok(vec![Step::Forget, reply(id, json!({"is": "forgotten"}))])
            }
            // A search that it was meant for has ended by now.
            "stop" => Ok(Vec::new()),
            "quit" => Ok(vec![Step::Quit]),
            other => {
                let other: String = other.chars().take(40).collect();
                Err(format!(
                    "unknown request {other:?}; known are hello, games, engines, engine, \
                     position, play, undo, go, analyse, stop, forget, quit"
                ))
            }
        }
    }

    fn set_position(&mut self, verb: &str, mut fields: Fields) -> Result<(), String> {
        let mut position = match verb {
            "position" => {
                let text = fields.needed("position")?;
                Position::read(&text, self.seed).map_err(|error| error.to_string())?
            }
            _ => self.position.clone(),
        };
        if verb == "undo" {
            let plies = fields.number("plies", 1, 1000)?.unwrap_or(1);
            for _ in 0..plies {
                position.undo().ok_or("there is no move to take back")?;
            }
        } else {
            let text = match verb {
                "play" => fields.needed("moves")?,
                _ => fields.text("moves")?.unwrap_or_default(),
            };
            play_text(&mut position, &text).map_err(|error| error.to_string())?;
        }
        fields.end()?;
        self.position = position;
        Ok(())
    }

    /// The position as managers see it.
    fn shown(&self) -> Value {
        let outcome = self.position.outcome().map(|outcome| match outcome {
            Outcome::Win(Side::First) => "first",
            Outcome::Win(Side::Second) => "second",
            Outcome::Draw => "draw",
        });
        let variant = self.position.variant();
        json!({
            "is": "position",
            "position": self.position.notation(),
            "game": variant.to_string(),
            "side": self.position.side_to_move().to_string(),
            "legal": moves(variant, &self.position.legal_moves()),
            "outcome": outcome,
        })
    }

    fn think(
        &mut self,
        analysing: bool,
        mut fields: Fields,
        id: Option<&Value>,
    ) -> Result<Vec<Step>, String> {
        let limits: Limits = fields.limits()?;
        let depth = fields.number("depth", 1, 1000)?;
        let events = fields.flag("events")?.unwrap_or(analysing);
        let lines = fields.number("lines", 0, 1000)?;
        fields.end()?;
        if let Some(outcome) = self.position.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        self.thinking = Some(Wish {
            id: id.cloned(),
            events,
            lines: lines.map_or(if analysing { usize::MAX } else { 0 }, |lines| {
                lines as usize
            }),
        });
        Ok(vec![Step::Think(Box::new(Task {
            position: self.position.clone(),
            limits,
            depth: depth.map(|plies| plies as u32),
        }))])
    }

    /// Adds the moves that are to be told of, and none where none are.
    fn add_reports(&self, object: &mut Value, wish: &Wish, known: &[stoneline_search::MoveReport]) {
        if wish.lines > 0 {
            object["moves"] = json!(reports(self.position.variant(), known, wish.lines));
        }
    }
}

impl Session for Json {
    fn urgency(line: &str) -> Urgency {
        let object: Option<Map<String, Value>> = serde_json::from_str(line).ok();
        let verb = object
            .as_ref()
            .and_then(|object| object.get("do")?.as_str());
        match verb {
            Some("stop") => Urgency::StopsSearch,
            Some("quit") => Urgency::Quits,
            _ => Urgency::Waits,
        }
    }

    fn hear(&mut self, line: &str) -> Vec<Step> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let mut object: Map<String, Value> = match serde_json::from_str(line) {
            Ok(object) => object,
            Err(error) => return vec![refusal(None, &format!("no JSON object: {error}"))],
        };
        let id = object.remove("id");
        let steps =
            Fields::new(object).and_then(|(verb, fields)| self.obey(&verb, fields, id.as_ref()));
        steps.unwrap_or_else(|reason| vec![refusal(id.as_ref(), &reason)])
    }

    fn hear_too_long(&mut self, error: LineTooLong) -> Vec<Step> {
        vec![refusal(None, &error.to_string())]
    }

    fn progress(&mut self, event: &Event<'_>) -> Option<String> {
        let wish = self.thinking.as_ref().filter(|wish| wish.events)?;
        let variant = self.position.variant();
        let first = event.moves.first();
        let mut object = json!({
            "is": "progress",
            "value": value(event.value),
            "line": first.map_or_else(Vec::new, |report| moves(variant, &report.line)),
        });
        self.add_reports(&mut object, wish, event.moves);
        add_effort(&mut object, event.effort);
        Some(with_id(wish.id.as_ref(), object).to_string())
    }

    fn chosen(&mut self, choice: &Choice, spent: Duration) -> Vec<Step> {
        let Some(wish) = self.thinking.take() else {
            return Vec::new();
        };
        let variant = self.position.variant();
        let mut object = json!({
            "is": "best",
            "move": choice.best.map(|cell| write_move(variant, cell)),
            "value": value(choice.value),
            "line": moves(variant, choice.line()),
        });
        self.add_reports(&mut object, &wish, &choice.moves);
        add_effort(&mut object, &choice.effort);
        object["time_ms"] = json!(spent.as_millis() as u64);
        vec![reply(wish.id.as_ref(), object)]
    }

    fn unfit(&mut self, reason: &str) -> Vec<Step> {
        let wish = self.thinking.take();
        vec![refusal(wish.and_then(|wish| wish.id).as_ref(), reason)]
    }
}

/// Every engine of the registry, with the keys that may follow its name.
fn engine_list() -> Vec<Value> {
    let list = engines().map(|entry| {
        let options: Vec<Value> = entry
            .keys()
            .iter()
            .map(|key| {
                json!({"name": key.name(), "about": key.about(),
                    "default": key.default(), "range": key.range()})
            })
            .collect();
        json!({"name": entry.name(), "about": entry.about(), "options": options})
    });
    list.collect()
}

fn with_id(id: Option<&Value>, mut object: Value) -> Value {
    if let Some(id) = id {
        object["id"] = id.clone();
    }
    object
}

fn reply(id: Option<&Value>, object: Value) -> Step {
    Step::Say(with_id(id, object).to_string())
}

fn refusal(id: Option<&Value>, reason: &str) -> Step {
    reply(id, json!({"is": "error", "reason": reason}))
}
