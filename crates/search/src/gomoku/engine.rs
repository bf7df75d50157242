//! `alphabeta` on free boards as an engine: forced wins first, then the search by depth.

use super::cells::Spot;
use super::field::Field;
use super::ground::Ground;
use super::memory::Memory;
use super::opening;
use super::order::{Demand, Order, demand};
use super::proof::Proof;
use super::root::Root;
use super::search::Search;
use super::shape::Class;
use super::vcf::Vcf;
use super::vct::Vct;
use crate::alphabeta::pulse::{Ends, Pulse, Watcher};
use crate::clock::{Overage, Stage, budget};
use crate::engine::{Choice, Effort, Engine, Event, MoveReport};
use crate::limits::Limits;
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;
use stoneline_rules::{Position, Variant};

/// Memory for the table when the caller names none.
const MEMORY_BYTES: usize = 64 << 20;
/// A larger table is not made, whatever is allowed.
const MOST_BYTES: usize = 256 << 20;
/// The least with which a search still works.
const LEAST_BYTES: usize = 1 << 12;
/// The share of memory that the table gets; the threat search takes the rest.
const TABLE_SHARE: usize = 2;
/// The share of a move's time or nodes for wins by threes.
const VCT_SHARE: u32 = 8;
/// Nodes for wins by fours before anything else, at most a quarter of what is allowed.
const VCF_NODES: u64 = 20_000;

/// Alpha-beta for one free variant, and what it keeps from move to move.
pub(crate) struct Gomoku {
    ground: Arc<Ground>,
    overage: Overage,
    /// `None` before the first search, or when the machine refused the memory.
    memory: Option<Memory>,
    minds: Vec<(Order, Vcf)>,
}

/// The engine for a free variant.
pub(crate) fn alphabeta(variant: &Variant, overage: Overage) -> Box<dyn Engine> {
    Box::new(Gomoku {
        ground: Ground::new(variant),
        overage,
        memory: None,
        minds: Vec::new(),
    })
}

impl Engine for Gomoku {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        let stage = Stage {
            plies: position.plies(),
            capacity: position.variant().geometry().capacity(),
        };
        let clock = budget(limits, stage, self.overage).map(|time| {
            let begun = Instant::now();
            (begun, begun + time)
        });
        let mut field = Field::new(&self.ground, position);
        if let Some(spot) = opening::first_move(&field) {
            return opening::played(&self.ground, spot);
        }
        if let Some(choice) = self.forced(&field) {
            return choice;
        }
        self.prepare(limits);
        if let Some(proof) = self.threats(&mut field, limits, clock) {
            return won(&proof, clock);
        }
        let (choice, sure) = self.search(&field, limits, clock, watch);
        if sure {
            // Candidates were chosen: only the threat search can prove what was found.
            let nodes = limits.work().map(|nodes| nodes / 2);
            // Half of what is left: the proof must be written down as well.
            let end = clock.map(|(_, end)| {
                let now = Instant::now();
                now + end.saturating_duration_since(now) / 2
            });
            if let Some(proof) = self.by_threes(&mut field, limits, nodes, end) {
                let effort = choice.effort;
                return Choice {
                    effort,
                    ..won(&proof, clock)
                };
            }
        }
        choice
    }

    fn forget(&mut self) {
        if let Some(memory) = &mut self.memory {
            memory.forget();
        }
        self.minds.clear();
    }
}

impl Gomoku {
    /// The move of a position that leaves no choice.
    fn forced(&self, field: &Field) -> Option<Choice> {
        let own = field.side_to_move();
        match demand(field) {
            Demand::Win => {
                let five = field.threats(own, Class::Five).first()?;
                Some(self.at_once(five, Value::Win { plies: 1 }))
            }
            Demand::Lost => {
                let five = field.threats(!own, Class::Five).first()?;
                let legal = |spot: &Spot| field.allows(own, *spot);
                let spot = Some(five)
                    .filter(legal)
                    .or_else(|| field.empty().iter().find(legal))?;
                Some(self.at_once(spot, Value::Loss { plies: 2 }))
            }
            _ => None,
        }
    }

    fn at_once(&self, spot: Spot, value: Value) -> Choice {
        Choice::at_once(self.ground.cell(spot), value)
    }

    fn prepare(&mut self, limits: &Limits) {
        let allowed = limits.memory_bytes.unwrap_or(MEMORY_BYTES) / TABLE_SHARE;
        let bytes = allowed.clamp(LEAST_BYTES, MOST_BYTES);
        match &mut self.memory {
            Some(memory) if memory.bytes() <= bytes && memory.bytes() > bytes / 2 => {
                memory.grow_older();
            }
            _ => {
                self.memory = Memory::new(bytes)
                    .or_else(|_| Memory::new(LEAST_BYTES))
                    .ok()
            }
        }
        let threads = limits.threads.unwrap_or(1).max(1);
        self.minds
            .resize_with(threads, || (Order::new(), Vcf::new()));
        for (order, _) in &mut self.minds {
            order.grow_older();
        }
    }

    /// A forced win by fours, or by threes within a share of what may be spent.
    fn threats(
        &mut self,
        field: &mut Field,
        limits: &Limits,
        clock: Option<(Instant, Instant)>,
    ) -> Option<Proof> {
        let most = limits
            .nodes
            .map_or(VCF_NODES, |nodes| VCF_NODES.min(nodes / 4));
        let vcf = &mut self.minds[0].1;
        if let Some(proof) = vcf.search(field, most) {
            return Some(proof);
        }
        let share = limits.work().map(|nodes| nodes / u64::from(VCT_SHARE));
        let end = clock.map(|(begun, end)| begun + (end - begun) / VCT_SHARE);
        self.by_threes(field, limits, share, end)
    }

    /// A win by threes that is found within so many nodes and until `end`.
    fn by_threes(
        &self,
        field: &mut Field,
        limits: &Limits,
        nodes: Option<u64>,
        end: Option<Instant>,
    ) -> Option<Proof> {
        let unlimited = nodes.is_none() && end.is_none();
        let mut stop = |spent: u64| {
            nodes.is_some_and(|most| spent >= most)
                || end.is_some_and(|end| Instant::now() >= end)
                || unlimited && spent >= VCF_NODES
        };
        let memory = limits.memory_bytes.unwrap_or(MEMORY_BYTES);
        let rest = memory - memory / TABLE_SHARE;
        Vct::new(field, rest, &mut stop).search(field)
    }

    /// What the search by depth chooses, and whether it takes that for won.
    fn search(
        &mut self,
        field: &Field,
        limits: &Limits,
        clock: Option<(Instant, Instant)>,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> (Choice, bool) {
        let Some(memory) = &self.memory else {
            // Not even a page of memory: shapes alone choose.
            let best = field
                .near()
                .iter()
                .find(|&spot| field.allows(field.side_to_move(), spot));
            return (self.at_once(best.unwrap_or(0), Value::Guess(0.5)), false);
        };
        let stop = AtomicBool::new(false);
        let threads = self.minds.len() as u64;
        let ends = Ends {
            nodes: limits.work().map(|nodes| nodes / threads),
            clock,
            stop: &stop,
        };
        // A new depth takes longer than all before together: beyond half the time it would not end.
        let soft_end = clock.map(|(begun, end)| begun + (end - begun).mul_f32(0.55));
        let memory_bytes = memory.bytes();
        let mut minds = self.minds.iter_mut();
        let (order, vcf) = minds.next().expect("there is a thread");
        let mut main = Search {
            field: field.clone(),
            memory,
            order,
            vcf,
            pulse: Pulse::new(ends, Some(Watcher::new(watch, memory_bytes))),
        };
        let mut root = Root::new(&main);
        let others = std::thread::scope(|scope| {
            let helpers: Vec<_> = minds
                .enumerate()
                .map(|(at, (order, vcf))| {
                    scope.spawn(move || {
                        let mut search = Search {
                            field: field.clone(),
                            memory,
                            order,
                            vcf,
                            pulse: Pulse::new(ends, None),
                        };
                        let mut root = Root::new(&search);
                        root.deepen(&mut search, None, 1 + at as i32 % 2);
                        search.pulse.nodes()
                    })
                })
                .collect();
            root.deepen(&mut main, soft_end, 0);
            stop.store(true, Relaxed);
            helpers
                .into_iter()
                .map(|helper| helper.join().unwrap_or(0))
                .sum::<u64>()
        });
        let moves = root.reports(&mut main);
        let choice = Choice {
            best: moves.first().map(|report| report.cell),
            value: root.value(),
            moves,
            effort: Effort {
                nodes: main.pulse.nodes() + others,
                depth: Some(root.depth),
                memory_bytes,
                time: clock.map(|(begun, _)| begun.elapsed()),
                ..Effort::default()
            },
        };
        (choice, root.is_won())
    }
}

/// The choice of a move that is proven to win.
pub(super) fn won(proof: &Proof, clock: Option<(Instant, Instant)>) -> Choice {
    let value = Value::Win {
        plies: proof.plies(),
    };
    Choice {
        best: Some(proof.cell()),
        value,
        moves: vec![MoveReport {
            cell: proof.cell(),
            value,
            visits: 0,
            line: proof.line(),
        }],
        effort: Effort {
            time: clock.map(|(begun, _)| begun.elapsed()),
            ..Effort::default()
        },
    }
}
