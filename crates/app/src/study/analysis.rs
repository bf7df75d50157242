//! Analysis: what every move is worth, better and better until all is proven.
//!
//! Where stones fall, the tree search gives estimates at once and the exact
//! solver works beside it, in turns that grow; what is proven stays. Elsewhere
//! the strongest engine for the game thinks in one go.

use super::{Listener, Standing};
use crate::opponent::Opponent;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use stoneline_rules::{Cell, Position};
use stoneline_search::{Choice, Effort, Engine, Limits, MoveReport, Spec, Value};

/// The first turn of each engine, and the longest.
const TURNS: [Duration; 2] = [Duration::from_millis(150), Duration::from_secs(2)];
/// Empty cells up to which the solver has a chance.
const SOLVABLE: usize = 42;
/// The least time between two events.
const PAUSE: Duration = Duration::from_millis(80);

/// Tells `listener` how the analysis of `position` goes on, for at most `time` within `limits`.
pub(crate) fn analyse(
    position: &Position,
    time: Duration,
    limits: &Limits,
    listener: &mut dyn Listener,
) {
    let mut analysis = Analysis {
        position,
        limits,
        listener,
        begun: Instant::now(),
        end: Instant::now() + time,
        told: None,
        findings: Findings::default(),
    };
    if position.variant().rule().falls() {
        analysis.by_turns();
    } else {
        analysis.by_engine();
    }
    let _ = analysis.tell(true);
}

struct Analysis<'a> {
    position: &'a Position,
    limits: &'a Limits,
    listener: &'a mut dyn Listener,
    begun: Instant,
    end: Instant,
    told: Option<Instant>,
    findings: Findings,
}

/// What was found so far.
#[derive(Default)]
struct Findings {
    moves: Vec<MoveReport>,
    best: Option<Cell>,
    value: Option<Value>,
    simulations: u64,
    nodes: u64,
    memory_bytes: usize,
}

fn named(name: &str, position: &Position) -> Option<Box<dyn Engine>> {
    name.parse::<Spec>().ok()?.build(position.variant()).ok()
}

impl Analysis<'_> {
    fn by_turns(&mut self) {
        let Some(mut tree) = named("mcts", self.position) else {
            return self.by_engine();
        };
        let capacity = self.position.variant().geometry().capacity();
        let mut exact = (capacity - self.position.plies() <= SOLVABLE)
            .then(|| named("solver:all_moves=yes", self.position))
            .flatten();
        let mut turn = TURNS[0];
        let mut nodes = 0;
        while !self.is_over() {
            self.turn(&mut *tree, turn, false);
            if let Some(exact) = &mut exact {
                self.findings.nodes = 0;
                self.turn(&mut **exact, turn * 2, true);
                nodes += self.findings.nodes;
                self.findings.nodes = nodes;
                if self.findings.moves.iter().all(|one| one.value.is_proven()) {
                    return;
                }
            } else if self.findings.value.is_some_and(Value::is_proven) {
                return;
            }
            turn = (turn * 2).min(TURNS[1]);
        }
    }

    fn by_engine(&mut self) {
        let opponent = Opponent::usual();
        if let Ok(mut engine) = opponent.build(self.position.variant()) {
            self.turn(
                &mut *engine,
                self.end.saturating_duration_since(Instant::now()),
                false,
            );
        }
    }

    fn is_over(&self) -> bool {
        self.listener.flow().is_break() || Instant::now() >= self.end
    }

    /// Lets `engine` think for a while; an exact engine tells only what it has proven.
    fn turn(&mut self, engine: &mut dyn Engine, time: Duration, exact: bool) {
        let left = self.end.saturating_duration_since(Instant::now());
        let limits = Limits {
            time: Some(time.min(left)),
            ..self.limits.clone()
        };
        let position = self.position;
        let choice = engine.think(position, &limits, &mut |event| {
            if !exact {
                self.findings.merge(event.moves, false);
                self.findings.value = Some(event.value);
                self.findings.best = event.moves.first().map(|one| one.cell);
            }
            self.findings.count(event.effort);
            self.mention()
        });
        self.findings.conclude(&choice, exact);
        let _ = self.mention();
    }

    fn mention(&mut self) -> ControlFlow<()> {
        if self.told.is_some_and(|told| told.elapsed() < PAUSE) {
            return self.listener.flow();
        }
        self.told = Some(Instant::now());
        self.tell(false)
    }

    fn tell(&mut self, is_final: bool) -> ControlFlow<()> {
        let findings = &self.findings;
        let first = findings.moves.first();
        let proven = first.filter(|one| one.value.is_proven());
        let told = proven
            .map(|one| one.value)
            .or(findings.value)
            .unwrap_or(Value::Guess(0.5));
        let effort = Effort {
            simulations: findings.simulations,
            nodes: findings.nodes,
            memory_bytes: findings.memory_bytes,
            ..Effort::default()
        };
        self.listener.hear(&Standing {
            position: self.position,
            best: proven.map(|one| one.cell).or(findings.best),
            value: told,
            moves: &findings.moves,
            effort: &effort,
            time: self.begun.elapsed(),
            is_final,
        })
    }
}

impl Findings {
    fn count(&mut self, effort: &Effort) {
        self.simulations = self.simulations.max(effort.simulations);
        self.nodes = self.nodes.max(effort.nodes);
        self.memory_bytes = self.memory_bytes.max(effort.memory_bytes);
    }

    fn conclude(&mut self, choice: &Choice, exact: bool) {
        self.merge(&choice.moves, exact);
        self.count(&choice.effort);
        if !exact {
            self.value = Some(choice.value);
            self.best = choice.best;
        }
    }

    /// Takes over what is new; a proof is replaced only by the solver's, which is the shortest.
    fn merge(&mut self, reports: &[MoveReport], exact: bool) {
        for report in reports {
            if exact && !report.value.is_proven() {
                continue;
            }
            let Some(known) = self.moves.iter_mut().find(|one| one.cell == report.cell) else {
                self.moves.push(report.clone());
                continue;
            };
            if exact || !known.value.is_proven() {
                known.value = report.value;
            }
            known.visits = known.visits.max(report.visits);
            if report.line.len() > 1 || known.line.is_empty() {
                known.line.clone_from(&report.line);
            }
        }
        let most = self.moves.iter().map(|one| one.visits).max().unwrap_or(0);
        // A few visits make no opinion: such moves stand behind the others.
        let is_known = |one: &MoveReport| one.value.is_proven() || one.visits * 50 >= most;
        self.moves.sort_by(|one, other| {
            let known = is_known(other).cmp(&is_known(one));
            let decided = matches!(one.value, Value::Win { .. } | Value::Loss { .. })
                || matches!(other.value, Value::Win { .. } | Value::Loss { .. });
            let by_value = other.value.compare(one.value);
            if decided {
                by_value
            } else {
                known.then(by_value)
            }
        });
    }
}
