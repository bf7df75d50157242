//! A player who errs as people do: looks a few plies ahead and overlooks lines.
//!
//! Plays only legal moves, and never a random one: every mistake has a cause,
//! a line that was not seen or a reply that lay beyond the horizon.

use super::sight::{Lines, Overlooked, Sight, considered};
use crate::engine::{Choice, Effort, Engine, Event, MoveReport};
use crate::limits::Limits;
use crate::value::Value;
use std::ops::ControlFlow;
use stoneline_rules::{Cell, Chance, Outcome, Position, Variant, scramble};

/// How well a person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Skill {
    /// Plies looked ahead, one's own stone the first.
    pub(super) plies: u32,
    /// Moves compared beyond the first look, where there are many.
    pub(super) moves: usize,
    pub(super) overlooked: Overlooked,
    /// How far a judgement may be off, to either side.
    pub(super) doubt: u32,
}

/// Worth of a run that is on the board; less by one for every ply it takes.
const RUN_WORTH: i32 = 100_000;
/// Worth beyond which a win or a loss has been seen.
const SEEN: i32 = RUN_WORTH / 2;

/// The person, who knows the lines of one board.
pub(super) struct Person {
    skill: Skill,
    lines: Lines,
}

impl Person {
    pub(super) fn new(variant: &Variant, skill: Skill) -> Self {
        Self {
            skill,
            lines: Lines::new(variant),
        }
    }
}

impl Engine for Person {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        _: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        // The key too, or the same lines would be overlooked in every position.
        let seed = scramble(limits.seed.unwrap_or(0)) ^ position.key();
        let mut chance = Chance::new(seed);
        let sight = Sight::new(&self.lines, position, self.skill.overlooked, &mut chance);
        let mut look = Look {
            skill: self.skill,
            position: position.clone(),
            sight,
            nodes: 0,
        };
        let mut judged = look.root(&mut chance);
        judged.sort_by_key(|&(worth, _)| -worth);
        let moves: Vec<MoveReport> = judged
            .into_iter()
            .map(|(worth, cell)| MoveReport {
                cell,
                value: opinion(worth),
                visits: 0,
                line: vec![cell],
            })
            .collect();
        Choice {
            best: moves.first().map(|report| report.cell),
            value: moves
                .first()
                .map_or(Value::Guess(0.5), |report| report.value),
            moves,
            effort: Effort {
                nodes: look.nodes,
                depth: Some(self.skill.plies),
                ..Effort::default()
            },
        }
    }
}

/// What a worth stands for: an opinion, since a person proves nothing.
fn opinion(worth: i32) -> Value {
    const SURE: f32 = 150.0;
    Value::Guess(1.0 / (1.0 + (-(worth as f32) / SURE).exp()))
}

/// One look ahead.
struct Look<'a> {
    skill: Skill,
    position: Position,
    sight: Sight<'a>,
    nodes: u64,
}

impl Look<'_> {
    /// Every considered move with its worth to the mover.
    fn root(&mut self, chance: &mut Chance) -> Vec<(i32, Cell)> {
        let plies = self.skill.plies;
        let mut judged = Vec::new();
        for cell in self.promising() {
            let worth = -self.reply(cell, plies, -2 * RUN_WORTH, 2 * RUN_WORTH);
            judged.push((worth + doubt(worth, self.skill.doubt, chance), cell));
        }
        judged
    }

    /// What the opponent can make of it after `cell`, to the opponent.
    fn reply(&mut self, cell: Cell, plies: u32, low: i32, high: i32) -> i32 {
        let side = self.position.side_to_move();
        let index = self.position.variant().geometry().index(cell);
        self.position
            .play(cell)
            .expect("considered moves are legal");
        self.sight.put(index, side);
        let worth = self.judge(plies - 1, low, high);
        self.sight.take(index, side);
        self.position.undo();
        worth
    }

    /// The worth of the position to its mover, looking `plies` further.
    fn judge(&mut self, plies: u32, mut low: i32, high: i32) -> i32 {
        self.nodes += 1;
        if self.sight.has_run() {
            return -RUN_WORTH - plies as i32;
        }
        match self.position.outcome() {
            Some(Outcome::Draw) => return 0,
            // A run that was overlooked: the game seems to go on as it stands.
            Some(Outcome::Win(_)) => return self.sight.worth(self.position.side_to_move()),
            None if plies == 0 => return self.sight.worth(self.position.side_to_move()),
            None => {}
        }
        let mut best = -2 * RUN_WORTH;
        for cell in self.promising() {
            best = best.max(-self.reply(cell, plies, -high, -low));
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        best
    }

    /// The considered moves, the best looking first, as many as the skill compares.
    fn promising(&mut self) -> Vec<Cell> {
        let side = self.position.side_to_move();
        let geometry = *self.position.variant().geometry();
        let mut moves: Vec<(i32, Cell)> = considered(&self.position)
            .into_iter()
            .map(|cell| {
                let index = geometry.index(cell);
                self.sight.put(index, side);
                let runs = if self.sight.has_run() { RUN_WORTH } else { 0 };
                let worth = runs + self.sight.worth(side);
                self.sight.take(index, side);
                (-worth, cell)
            })
            .collect();
        moves.sort_unstable();
        moves.truncate(self.skill.moves);
        moves.into_iter().map(|(_, cell)| cell).collect()
    }
}

/// How far a judgement is off; what has been seen to win or lose is not in doubt.
fn doubt(worth: i32, most: u32, chance: &mut Chance) -> i32 {
    if worth.abs() > SEEN {
        return 0;
    }
    chance.below(2 * most + 1) as i32 - most as i32
}
