//! The engine's side of a whole conversation: commands in, steps out.

use super::Point;
use super::answer::Answer;
use super::command::{Command, Unread};
use super::limits::Allowed;
use super::setting::{Info, rule_of_mask};
use super::stones::{Shape, Stones};
use crate::lines::LineTooLong;
use crate::session::{Session, Step, Task, Urgency};
use std::fmt::Write as _;
use std::time::Duration;
use stoneline_rules::{Cell, Geometry, Position, Rule, Variant};
use stoneline_search::gomoku::Swap2;
use stoneline_search::{Choice, Event, Limits, MoveReport, Value};

/// Moves that are told of when a manager asks for more than any board has.
const MOST_LINES: usize = 400;
/// Cells of a continuation that are shown.
const LONGEST_LINE: usize = 12;

/// An engine as a Gomocup manager meets it.
///
/// ```
/// use stoneline_protocols::gomocup::Gomocup;
/// use stoneline_protocols::{Session, Step};
/// let mut session = Gomocup::new("0.1.0", 1);
/// let steps = session.hear("START 15");
/// assert!(matches!(&steps[..], [Step::Forget, Step::Say(line)] if line == "OK"));
/// let steps = session.hear("TURN 7,7");
/// assert!(matches!(&steps[..], [Step::Think(task)] if task.position.plies() == 1));
/// ```
#[derive(Debug)]
pub struct Gomocup {
    version: String,
    /// Source of chance for openings of our own.
    seed: u64,
    rule: Rule,
    stones: Option<Stones>,
    allowed: Allowed,
    list: Option<List>,
    /// How many lines tell of the move that is thought about.
    thinking: Option<usize>,
}

/// A list of stones that is coming in.
#[derive(Debug)]
struct List {
    kind: Command,
    stones: Vec<(Point, Option<u8>)>,
    /// The first thing that was wrong with it, told at its end.
    wrong: Option<String>,
}

impl Gomocup {
    /// A session of the program with this version; `seed` varies openings of our own.
    pub fn new(version: &str, seed: u64) -> Self {
        Self {
            version: version.to_owned(),
            seed,
            rule: Rule::Freestyle,
            stones: None,
            allowed: Allowed::default(),
            list: None,
            thinking: None,
        }
    }

    fn obey(&mut self, command: Command) -> Result<Vec<Step>, String> {
        match command {
            Command::Start(size) => self.start(Shape::Free {
                rows: size,
                columns: size,
            }),
            Command::RectStart { width, height } => self.start(Shape::Free {
                rows: height,
                columns: width,
            }),
            Command::Game(name) => {
                let variant = Variant::named(&name, self.seed);
                self.start(Shape::Named(variant.map_err(|error| error.to_string())?))
            }
            Command::Restart => {
                self.stones = Some(self.board()?.emptied());
                self.allowed.new_game();
                Ok(vec![Step::Forget, say(&Answer::Ok)])
            }
            Command::Begin => self.think(1),
            Command::NBest(lines) => {
                let lines = lines.clamp(1, MOST_LINES);
                self.think(lines)
            }
            Command::Turn(point) => {
                self.play(point)?;
                self.think(1)
            }
            Command::Play(point) => {
                self.play(point)?;
                Ok(vec![say(&Answer::Moves(vec![point]))])
            }
            Command::Takeback(point) => self.take_back(point),
            Command::Board | Command::YxBoard | Command::Swap2Board => {
                self.board()?;
                self.list = Some(List {
                    kind: command,
                    stones: Vec::new(),
                    wrong: None,
                });
                Ok(Vec::new())
            }
            Command::Info(Info::Rule(mask)) => {
                self.rule = rule_of_mask(mask);
                Ok(Vec::new())
            }
            Command::Info(info) => {
                self.allowed.set(&info);
                Ok(Vec::new())
            }
            Command::About => Ok(vec![say(&Answer::About(format!(
                "name=\"Stoneline\", version=\"{}\", author=\"The Stoneline developers\", \
                 country=\"-\"",
                self.version
            )))]),
            Command::ShowForbid => self.show_forbidden(),
            Command::HashClear => Ok(vec![Step::Forget]),
            // A search that it was meant for has ended by now.
            Command::Stop => Ok(Vec::new()),
            Command::End => Ok(vec![Step::Quit]),
            Command::Stone(..) | Command::Done => {
                Ok(vec![say(&Answer::Unknown(command.to_string()))])
            }
        }
    }

    fn board(&self) -> Result<&Stones, String> {
        let missing = || "no board yet: send START first".to_owned();
        self.stones.as_ref().ok_or_else(missing)
    }

    fn position(&self) -> Result<Position, String> {
        self.board()?.position(self.rule)
    }

    fn start(&mut self, shape: Shape) -> Result<Vec<Step>, String> {
        shape.variant(self.rule)?;
        self.stones = Some(Stones::new(shape));
        self.allowed.new_game();
        Ok(vec![Step::Forget, say(&Answer::Ok)])
    }

    /// Plays a point for the side to move.
    fn play(&mut self, point: Point) -> Result<(), String> {
        let mut position = self.position()?;
        let cell = point
            .cell(position.variant().geometry())
            .ok_or_else(|| format!("{point} is not on the board"))?;
        position
            .play(cell)
            .map_err(|error| format!("{point}: {error}"))?;
        self.place(cell);
        Ok(())
    }

    /// Puts a stone of the side to move on a cell that may be played.
    fn place(&mut self, cell: Cell) {
        if let Some(stones) = &mut self.stones {
            stones.play(cell);
        }
    }

    fn take_back(&mut self, point: Point) -> Result<Vec<Step>, String> {
        let geometry = *self.position()?.variant().geometry();
        let mut stones = self.board()?.clone();
        let found = point
            .cell(&geometry)
            .is_some_and(|cell| stones.take_back(cell));
        if !found {
            return Err(format!("no stone at {point}"));
        }
        stones.position(self.rule)?;
        self.stones = Some(stones);
        Ok(vec![say(&Answer::Ok)])
    }

    fn show_forbidden(&self) -> Result<Vec<Step>, String> {
        let position = self.position()?;
        let geometry = position.variant().geometry();
        let cells = geometry.cells(geometry.playable());
        let mut points: Vec<Point> = cells
            .filter(|&cell| position.forbidden(cell).is_some())
            .map(|cell| Point::of(geometry, cell))
            .collect();
        points.sort_by_key(|point| (point.y, point.x));
        Ok(vec![say(&Answer::Forbid(points))])
    }

    /// A search of the board as it stands.
    fn think(&mut self, lines: usize) -> Result<Vec<Step>, String> {
        let position = self.open_position()?;
        self.thinking = Some(lines);
        Ok(vec![Step::Think(Box::new(Task {
            position,
            limits: self.allowed.limits(),
            depth: self.allowed.depth(),
        }))])
    }

    /// The position, whose game goes on.
    fn open_position(&self) -> Result<Position, String> {
        let position = self.position()?;
        match position.outcome() {
            Some(outcome) => Err(format!("the game is over: {outcome}")),
            None => Ok(position),
        }
    }

    /// Takes a line of a list in; a list is answered once, at its end.
    fn add_to(&mut self, mut list: List, line: &str) -> Vec<Step> {
        let command = match Command::read(line) {
            Ok(None) => None,
            Ok(Some(Command::Done)) => {
                let done = self.finish_list(list);
                return or_error(done);
            }
            Ok(Some(Command::Stone(point, owner))) => {
                let has_owner = list.kind != Command::Swap2Board;
                if owner.is_some() == has_owner {
                    list.stones.push((point, owner));
                } else {
                    list.wrong
                        .get_or_insert_with(|| format!("{line:?} is no stone of the list"));
                }
                None
            }
            // A manager that begins anew has forgotten its list.
            Ok(Some(command)) => Some(command),
            Err(error) => {
                list.wrong.get_or_insert_with(|| error.to_string());
                None
            }
        };
        match command {
            Some(Command::Info(info)) => {
                self.list = Some(list);
                or_error(self.obey(Command::Info(info)))
            }
            Some(command) => or_error(self.obey(command)),
            None => {
                if list.stones.len() > MOST_LINES * 2 {
                    list.stones.clear();
                    list.wrong = Some("more stones than any board holds".to_owned());
                }
                self.list = Some(list);
                Vec::new()
            }
        }
    }

    fn finish_list(&mut self, list: List) -> Result<Vec<Step>, String> {
        if let Some(wrong) = list.wrong {
            return Err(wrong);
        }
        let stones = self.board()?.listed(self.rule, &list.stones)?;
        if list.kind == Command::Swap2Board && ![0, 3, 5].contains(&list.stones.len()) {
            return Err(format!(
                "{} stones: swap2 asks with none, three or five",
                list.stones.len()
            ));
        }
        self.stones = Some(stones);
        match list.kind {
            Command::YxBoard => Ok(Vec::new()),
            Command::Swap2Board => self.swap(),
            _ => self.think(1),
        }
    }

    /// Asks for what swap2 has next: stones, a colour or a move.
    fn swap(&mut self) -> Result<Vec<Step>, String> {
        let position = self.open_position()?;
        if position.variant().rule().falls() {
            return Err(format!("{} has no swap2", position.variant()));
        }
        self.seed = self.seed.wrapping_add(1);
        let limits = Limits {
            seed: Some(self.seed),
            ..self.allowed.limits()
        };
        Ok(vec![Step::Swap(Box::new(Task {
            position,
            limits,
            depth: None,
        }))])
    }

    fn answer(&mut self, lines: usize, choice: &Choice) -> Result<Vec<Step>, String> {
        let start = self.position()?;
        let best = choice.best.filter(|&cell| start.check(cell).is_ok());
        let best = best.ok_or("the engine found no move")?;
        self.place(best);
        let mut steps: Vec<Step> = messages(&start, choice, lines)
            .into_iter()
            .map(|text| say(&Answer::Message(text)))
            .collect();
        steps.push(say(&moves(start.variant().geometry(), &[best])));
        Ok(steps)
    }

    /// Lays the stones that swap2 led to, and tells of them.
    fn lay(&mut self, cells: &[Cell]) -> Result<Vec<Step>, String> {
        let geometry = *self.position()?.variant().geometry();
        cells.iter().for_each(|&cell| self.place(cell));
        Ok(vec![say(&moves(&geometry, cells))])
    }
}

impl Session for Gomocup {
    fn urgency(line: &str) -> Urgency {
        if Command::ends(line) {
            Urgency::Quits
        } else if Command::stops(line) {
            Urgency::StopsSearch
        } else {
            Urgency::Waits
        }
    }

    fn hear(&mut self, line: &str) -> Vec<Step> {
        if let Some(list) = self.list.take() {
            return self.add_to(list, line);
        }
        match Command::read(line) {
            Ok(None) => Vec::new(),
            Ok(Some(command)) => or_error(self.obey(command)),
            Err(Unread::Unknown(text)) => vec![say(&Answer::Unknown(text))],
            Err(error) => vec![say(&Answer::Error(error.to_string()))],
        }
    }

    fn hear_too_long(&mut self, error: LineTooLong) -> Vec<Step> {
        match &mut self.list {
            Some(list) => {
                list.wrong.get_or_insert_with(|| error.to_string());
                Vec::new()
            }
            None => vec![say(&Answer::Unknown(error.to_string()))],
        }
    }

    fn progress(&mut self, _: &Event<'_>) -> Option<String> {
        None
    }

    fn chosen(&mut self, choice: &Choice, spent: Duration) -> Vec<Step> {
        self.allowed.spend(spent);
        match self.thinking.take() {
            Some(lines) => or_error(self.answer(lines, choice)),
            None => Vec::new(),
        }
    }

    fn swapped(&mut self, answer: Swap2, spent: Duration) -> Vec<Step> {
        self.allowed.spend(spent);
        match answer {
            Swap2::Lay(cells) => or_error(self.lay(&cells)),
            Swap2::LayTwo(cells) => or_error(self.lay(&cells)),
            Swap2::Play(cell) => or_error(self.lay(&[cell])),
            Swap2::Swap => vec![say(&Answer::Swap)],
        }
    }

    fn unfit(&mut self, reason: &str) -> Vec<Step> {
        self.thinking = None;
        vec![say(&Answer::Error(reason.to_owned()))]
    }
}

/// The answer that names cells, in their order.
fn moves(geometry: &Geometry, cells: &[Cell]) -> Answer {
    let points = cells.iter().map(|&cell| Point::of(geometry, cell));
    Answer::Moves(points.collect())
}

fn say(answer: &Answer) -> Step {
    Step::Say(answer.to_string())
}

fn or_error(steps: Result<Vec<Step>, String>) -> Vec<Step> {
    steps.unwrap_or_else(|reason| vec![say(&Answer::Error(reason))])
}

/// What the search found, the chosen move first: one line for each of `lines` moves.
fn messages(position: &Position, choice: &Choice, lines: usize) -> Vec<String> {
    let is_chosen = |report: &&MoveReport| Some(report.cell) == choice.best;
    let others = choice.moves.iter().filter(|report| !is_chosen(report));
    let chosen = choice.moves.iter().filter(is_chosen);
    let mut texts: Vec<String> = chosen
        .chain(others)
        .take(lines)
        .enumerate()
        .map(|(at, report)| {
            let place = if lines > 1 {
                format!("({}) ", at + 1)
            } else {
                String::new()
            };
            let value = if at == 0 { choice.value } else { report.value };
            format!("{place}{}", message(position, value, &report.line))
        })
        .collect();
    if let Some(first) = texts.first_mut() {
        let effort = &choice.effort;
        if let Some(depth) = effort.depth {
            let _ = write!(first, " depth {depth}");
        }
        let count = effort.nodes.max(effort.simulations);
        let _ = write!(first, " nodes {count}");
    }
    texts
}

/// A value and its line.
fn message(position: &Position, value: Value, line: &[Cell]) -> String {
    let value = match value {
        Value::Win { plies } => format!("win in {plies}"),
        Value::Loss { plies } => format!("loss in {plies}"),
        Value::Draw => "draw".to_owned(),
        Value::Guess(rate) => format!("{:.1}%", 100.0 * rate),
    };
    let shown = &line[..line.len().min(LONGEST_LINE)];
    format!(
        "{value} line {}",
        moves(position.variant().geometry(), shown)
    )
}
