//! Where stones were good: what simulations brought to each cell, and to each reply.
//!
//! A new node has nothing but the order of its moves, and must try most of
//! them to know better. But the cell that a move takes was taken elsewhere in
//! the tree, too, often after the same stone of the opponent, and what it brought there
//! is expected of it here until its own simulations say otherwise
//! (progressive history, Nijssen and Winands 2011, by replies).

use std::ops::AddAssign;

/// As many simulations of a reply the mean of its cell, after any stone, counts as.
const CELL_SIMULATIONS: f32 = 30.0;
/// Simulations of a side that are remembered at most, so that sums of half points fit.
const MOST_SIMULATIONS: u32 = 1 << 30;

/// Simulations and the half points that they brought.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    simulations: u32,
    half_points: u32,
}

impl Tally {
    /// Half points of a simulation; of a draw where there was none.
    fn mean(self) -> f32 {
        (self.half_points + 1) as f32 / (self.simulations + 1) as f32
    }

    fn halve(&mut self) {
        self.simulations /= 2;
        self.half_points /= 2;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.simulations += other.simulations;
        self.half_points += other.half_points;
    }
}

/// What the stones of one side brought.
#[derive(Clone, Default, Debug)]
struct Stones {
    all: Tally,
    /// By cell: the tally, and its mean.
    cells: Vec<(Tally, f32)>,
    /// By the opponent's stone before, then by cell.
    replies: Vec<Tally>,
}

/// What the stones of both sides brought so far.
#[derive(Clone, Default, Debug)]
pub(super) struct History {
    /// How many cells there are; none where nothing is remembered.
    cells: usize,
    sides: [Stones; 2],
}

/// A stone, or one that may be: whose, where, and after which of the opponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub(super) side: usize,
    pub(super) before: u16,
    pub(super) cell: u16,
}

impl History {
    /// Nothing yet, of a board whose moves are below `cells`.
    pub(super) fn new(cells: usize) -> Self {
        let stones = Stones {
            all: Tally::default(),
            cells: vec![(Tally::default(), 1.0); cells],
            replies: vec![Tally::default(); cells * cells],
        };
        Self {
            cells,
            sides: [stones.clone(), stones],
        }
    }

    /// Whether anything is remembered.
    pub(super) fn is_kept(&self) -> bool {
        self.cells > 0
    }

    /// Counts simulations that came by a stone, and the half points that they brought its side.
    #[inline(always)]
    pub(super) fn count(&mut self, reply: Reply, simulations: u64, half_points: u64) {
        let found = Tally {
            simulations: simulations as u32,
            half_points: half_points as u32,
        };
        let stones = &mut self.sides[reply.side];
        stones.all += found;
        let (tally, mean) = &mut stones.cells[usize::from(reply.cell)];
        *tally += found;
        *mean = tally.mean();
        stones.replies[usize::from(reply.before) * self.cells + usize::from(reply.cell)] += found;
        if stones.all.simulations > MOST_SIMULATIONS {
            self.fade();
        }
    }

    /// What is expected of the side's moves after the stone `before`: for each by its cell, how
    /// much of a point more than its stones brought on average.
    #[inline(always)]
    pub(super) fn expectations(&self, side: usize, before: u16) -> impl Fn(u16) -> f32 {
        let stones = &self.sides[side];
        let average = stones.all.mean();
        let replies = &stones.replies[usize::from(before) * self.cells..][..self.cells];
        move |cell| {
            let reply = replies[usize::from(cell)];
            let (_, elsewhere) = stones.cells[usize::from(cell)];
            let half_points = reply.half_points as f32 + CELL_SIMULATIONS * elsewhere;
            0.5 * (half_points / (reply.simulations as f32 + CELL_SIMULATIONS) - average)
        }
    }

    /// Forgets half of all, so that what comes weighs more.
    #[cold]
    pub(super) fn fade(&mut self) {
        for stones in &mut self.sides {
            stones.all.halve();
            for (tally, mean) in &mut stones.cells {
                tally.halve();
                *mean = tally.mean();
            }
            stones.replies.iter_mut().for_each(Tally::halve);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CELL_SIMULATIONS, History, Reply};
    use crate::engine::think_quietly;
    use crate::limits::Limits;
    use crate::mcts::Mcts;
    use crate::mcts::falling::Falling;
    use crate::mcts::lanes::Broad;
    use crate::mcts::params::Params;
    use crate::mcts::tree::{Node, ROOT, Tree};
    use stoneline_rules::{Chance, Position, Variant};

    /// One count: the stone, simulations, half points.
    type Count = (Reply, u64, u64);

    /// The expectation of a move, reckoned from all counts one by one.
    fn expectation(counts: &[Count], reply: Reply) -> f32 {
        let tally = |which: &dyn Fn(Reply) -> bool| {
            let of = counts.iter().filter(|count| which(count.0));
            of.fold((0, 0), |sum, count| (sum.0 + count.1, sum.1 + count.2))
        };
        let mean = |(simulations, half_points): (u64, u64)| {
            (half_points + 1) as f32 / (simulations + 1) as f32
        };
        let own = |other: Reply| other.side == reply.side;
        let same_cell = |other: Reply| own(other) && other.cell == reply.cell;
        let same = tally(&|other| same_cell(other) && other.before == reply.before);
        let elsewhere = CELL_SIMULATIONS * mean(tally(&same_cell));
        let after = (same.1 as f32 + elsewhere) / (same.0 as f32 + CELL_SIMULATIONS);
        0.5 * (after - mean(tally(&own)))
    }

    #[test]
    fn expectations_are_those_of_all_counts() {
        const CELLS: u16 = 7;
        let mut chance = Chance::new(5);
        let mut any_reply = || Reply {
            side: chance.below(2) as usize,
            before: chance.below(CELLS.into()) as u16,
            cell: chance.below(CELLS.into()) as u16,
        };
        let mut history = History::new(CELLS.into());
        let mut counts = Vec::new();
        for step in 0..600 {
            let asked = any_reply();
            let told = history.expectations(asked.side, asked.before)(asked.cell);
            let twin = expectation(&counts, asked);
            assert!((told - twin).abs() < 1e-5, "{step}: {told} {twin}");
            let (reply, simulations) = (any_reply(), 1 + step % 4);
            let half_points = (step * 7) % (2 * simulations + 1);
            history.count(reply, simulations, half_points);
            counts.push((reply, simulations, half_points));
        }
    }

    #[test]
    fn what_fades_weighs_half() {
        let mut history = History::new(3);
        let good = Reply {
            side: 1,
            before: 0,
            cell: 2,
        };
        history.count(good, 40, 80);
        history.count(Reply { cell: 1, ..good }, 40, 0);
        let before = history.expectations(1, 0)(2);
        history.fade();
        let faded = history.expectations(1, 0)(2);
        assert!(faded > 0.0 && faded < before, "{faded} {before}");
        let sides = &history.sides;
        assert_eq!(sides[1].all.simulations, 40);
        assert_eq!(sides[1].cells[2].0.half_points, 40);
        assert_eq!(sides[1].replies[2].simulations, 20);
        assert_eq!(sides[0].all.simulations, 0);
    }

    fn params() -> Params {
        Params {
            history: 2.5,
            // A tree in which every simulation starts at the root counts each stone.
            camp: 0,
            graph: false,
            opinion_visits: 0,
            think_on: true,
            ..Params::default()
        }
    }

    fn engine(variant: &Variant, params: Params) -> Mcts<Falling<Broad>> {
        Mcts::new(Falling::new(variant), params, Limits::default())
    }

    fn limits(simulations: u64) -> Limits {
        Limits {
            simulations: Some(simulations),
            seed: Some(3),
            memory_bytes: Some(64 << 20),
            ..Limits::default()
        }
    }

    /// Counts every node below `node`, which `side` is to move at.
    fn walk(tree: &Tree, node: &Node, side: usize, into: &mut History) {
        for child in tree.children(node).1 {
            let reply = Reply {
                side,
                before: node.cell(),
                cell: child.cell(),
            };
            let (visits, half_points) = child.tally();
            into.count(reply, visits.into(), half_points.into());
            walk(tree, child, 1 - side, into);
        }
    }

    #[test]
    fn a_search_remembers_what_its_tree_holds() {
        for moves in ["", "6", "656"] {
            let position: Position = format!("course:9x11@3,3 {moves}").parse().unwrap();
            let mut engine = engine(position.variant(), params());
            think_quietly(&mut engine, &position, &limits(5000));
            let cells = position.variant().geometry().bits() as usize;
            let mut twin = History::new(cells);
            let side = position.side_to_move().index();
            walk(&engine.tree, engine.tree.node(ROOT), side, &mut twin);
            for side in 0..2 {
                for before in 0..cells as u16 {
                    let kept = engine.histories[0].expectations(side, before);
                    let twin = twin.expectations(side, before);
                    for cell in 0..cells as u16 {
                        assert_eq!(kept(cell), twin(cell), "{moves} {side} {before} {cell}");
                    }
                }
            }
        }
    }

    #[test]
    fn half_is_forgotten_from_search_to_search() {
        let position: Position = "course:9x11@3,3 6".parse().unwrap();
        let mut engine = engine(position.variant(), params());
        think_quietly(&mut engine, &position, &limits(1000));
        let learnt = engine.histories[0].sides[1].all.simulations;
        let kept = engine.history(position.variant(), 0);
        assert!(learnt > 1000, "{learnt}");
        assert_eq!(kept.sides[1].all.simulations, learnt / 2);
    }

    #[test]
    fn a_position_of_another_game_begins_without_memories() {
        let variant: Variant = "course:9x11@3,3".parse().unwrap();
        let follow: Position = format!("{variant} 66").parse().unwrap();
        let other: Position = format!("{variant} 1a1a").parse().unwrap();
        let mut used = engine(&variant, params());
        let visits = |engine: &mut Mcts<Falling<Broad>>, position: &Position| -> Vec<u64> {
            let choice = think_quietly(engine, position, &limits(3000));
            choice.moves.iter().map(|report| report.visits).collect()
        };
        visits(&mut used, &Position::new(variant));
        let simulations = used.histories[0].sides[0].all.simulations;
        visits(&mut used, &follow);
        let kept = used.histories[0].sides[0].all.simulations;
        assert!(kept > simulations, "{kept} {simulations}");
        let mut fresh = engine(&variant, params());
        assert_eq!(visits(&mut used, &other), visits(&mut fresh, &other));
    }
}
