//! `mcts` on free boards: what the shared tree search asks of the game, by shapes.
//!
//! What is forced leaves only its answers, and wins by fours are seen when a
//! node is made. Otherwise the moves near stones with the most promising
//! shapes become nodes, and the more visits a node has the more of them are
//! looked at: that is how shapes weigh in before anything is known. A rollout
//! plays a few promising stones and is then judged by the evaluation.
//!
//! Candidates are chosen, so that what the tree calls proven is an opinion
//! here. Only what is seen at the root without the tree is told as proven.

use super::cells::{CellSet, Spot};
use super::engine::won;
use super::field::Field;
use super::ground::Ground;
use super::opening;
use super::order::{Demand, demand, threat_rank};
use super::shape::Class;
use super::vcf::Vcf;
use crate::engine::{Choice, Engine, Event, MoveReport};
use crate::limits::Limits;
use crate::mcts::game::{Ending, Game, Outlook};
use crate::mcts::{self, Params, Pruning, Rollout, RootRule};
use crate::value::{Value, win_rate};
use std::ops::ControlFlow;
use std::sync::Arc;
use stoneline_rules::{Chance, Position, Variant};

/// Most moves of a node where nothing is forced.
const WIDTH: usize = 40;
/// Nodes of the search by fours when a tree node is made.
const NODE_VCF_NODES: u64 = 40;
/// Nodes of the search by fours at the root.
const ROOT_VCF_NODES: u64 = 20_000;
/// Places that the search by fours of a tree node remembers.
const VCF_SLOTS: usize = 1 << 6;
/// Stones of a rollout before it is judged.
const ROLLOUT_PLIES: usize = 6;
/// How much chance weighs against promise in a rollout.
const ROLLOUT_NOISE: u32 = 120;

/// The tree search for a free variant.
pub(crate) fn mcts(variant: &Variant, params: Params, usual: Limits) -> Box<dyn Engine> {
    let ground = Ground::new(variant);
    let game = Free::new(&ground);
    // What is forced is seen when a node is made: the sooner the better.
    let params = Params {
        expand_visits: 1,
        ..params
    };
    Box::new(FreeTree {
        ground,
        tree: mcts::engine(game, params, usual),
        vcf: Vcf::new(),
    })
}

/// The tree behind what needs none: first moves, and wins by fours.
struct FreeTree {
    ground: Arc<Ground>,
    tree: Box<dyn Engine>,
    vcf: Vcf,
}

impl Engine for FreeTree {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        if position.outcome().is_some() {
            return Choice::over(position);
        }
        let mut field = Field::new(&self.ground, position);
        if let Some(spot) = opening::first_move(&field) {
            return opening::played(&self.ground, spot);
        }
        let nodes = limits
            .work()
            .map_or(ROOT_VCF_NODES, |work| work.min(ROOT_VCF_NODES));
        if let Some(proof) = self.vcf.search(&mut field, nodes) {
            return won(&proof, None);
        }
        let mut choice = self.tree.think(position, limits, &mut |event| {
            let moves: Vec<MoveReport> = event.moves.iter().cloned().map(opinion).collect();
            watch(Event {
                value: doubted(event.value),
                moves: &moves,
                effort: event.effort,
            })
        });
        // Without a simulation the move was decided at sight.
        if choice.effort.simulations > 0 {
            choice.value = doubted(choice.value);
            choice.moves = choice.moves.into_iter().map(opinion).collect();
        }
        choice
    }

    fn forget(&mut self) {
        self.tree.forget();
    }
}

fn opinion(report: MoveReport) -> MoveReport {
    MoveReport {
        value: doubted(report.value),
        ..report
    }
}

/// The value without its claim to be proven.
fn doubted(value: Value) -> Value {
    Value::Guess(value.win_rate())
}

/// A free board.
struct Free {
    ground: Arc<Ground>,
    /// By spot, the cell's bit in the layout of `rules`.
    indices: Vec<u16>,
    /// By bit, the spot.
    spots: Vec<Spot>,
}

impl Free {
    fn new(ground: &Arc<Ground>) -> Self {
        let geometry = ground.variant().geometry();
        let indices: Vec<u16> = (0..ground.cells())
            .map(|spot| geometry.index(ground.cell(spot)) as u16)
            .collect();
        let bits = indices
            .iter()
            .max()
            .map_or(0, |&most| usize::from(most) + 1);
        let mut spots = vec![0; bits];
        for (spot, &index) in indices.iter().enumerate() {
            spots[usize::from(index)] = spot as Spot;
        }
        Self {
            ground: Arc::clone(ground),
            indices,
            spots,
        }
    }
}

/// The members of `cells` that the side to move may play.
fn allowed(field: &Field, cells: CellSet) -> CellSet {
    let own = field.side_to_move();
    cells
        .iter()
        .filter(|&spot| field.allows(own, spot))
        .collect()
}

/// Moves for a position in which nothing is forced.
fn quiet_moves(field: &Field) -> CellSet {
    let near = allowed(field, field.near());
    if near.is_empty() {
        allowed(field, *field.empty())
    } else {
        near
    }
}

/// How promising a move is, threats before all.
fn rank(field: &Field, spot: Spot) -> i32 {
    field.promise(spot) + threat_rank(field, spot)
}

impl Game for Free {
    type State = Field;
    type Moves = CellSet;
    type Mind = ();

    fn state(&self, position: &Position) -> Field {
        Field::new(&self.ground, position)
    }

    fn outlook(&self, field: &Field, pruning: Pruning) -> Outlook<CellSet> {
        if field.is_won() {
            return Outlook::Decided(Value::Loss { plies: 0 });
        }
        let open = |moves: CellSet| {
            if moves.is_empty() {
                // No move is left, or renju forbids them all.
                Outlook::Decided(Value::Draw)
            } else {
                Outlook::Open(moves)
            }
        };
        if pruning == Pruning::None {
            return open(allowed(field, *field.empty()));
        }
        match demand(field) {
            Demand::Win => Outlook::Decided(Value::Win { plies: 1 }),
            Demand::Lost => Outlook::Decided(Value::Loss { plies: 2 }),
            Demand::OpenFour(_) => Outlook::Decided(Value::Win { plies: 3 }),
            Demand::StopFour(cells) => open(cells),
            Demand::StopThree(cells) => match allowed(field, cells) {
                none if none.is_empty() => Outlook::Decided(Value::Loss { plies: 4 }),
                cells => Outlook::Open(cells),
            },
            Demand::Free => {
                if super::vcf::is_hopeless(field, field.side_to_move()) {
                    return open(quiet_moves(field));
                }
                let mut vcf = Vcf::with_slots(VCF_SLOTS);
                match vcf.plies(&mut field.clone(), NODE_VCF_NODES) {
                    Some(plies) => Outlook::Decided(Value::Win { plies }),
                    None => open(quiet_moves(field)),
                }
            }
        }
    }

    fn root_moves(&self, field: &Field, rule: RootRule, moves: CellSet) -> CellSet {
        let (own, other) = (field.side_to_move(), !field.side_to_move());
        if rule == RootRule::None {
            return moves;
        }
        let forced = match demand(field) {
            Demand::Win => *field.threats(own, Class::Five),
            Demand::Lost => *field.threats(other, Class::Five),
            Demand::OpenFour(spot) => std::iter::once(spot).collect(),
            Demand::StopFour(cells) | Demand::StopThree(cells) => cells,
            Demand::Free => moves,
        };
        let both = forced.and(&moves);
        if both.is_empty() { moves } else { both }
    }

    fn play(&self, field: &mut Field, index: u16) {
        field.play(self.spots[usize::from(index)]);
    }

    fn ordered(&self, field: &Field, moves: CellSet, into: &mut Vec<u16>) {
        let mut ranked: Vec<(i32, Spot)> =
            moves.iter().map(|spot| (rank(field, spot), spot)).collect();
        ranked.sort_unstable_by(|one, other| other.cmp(one));
        into.clear();
        into.extend(
            ranked
                .iter()
                .take(WIDTH)
                .map(|&(_, spot)| self.indices[usize::from(spot)]),
        );
    }

    fn breadth(&self, visits: u32) -> usize {
        3 + (visits as f32).sqrt() as usize / 2
    }

    fn mind(&self, _: &Position) {}

    fn rollout(&self, field: &Field, _: Option<u16>, _: Rollout, chance: &mut Chance) -> Ending {
        let mut field = field.clone();
        let first = field.side_to_move();
        let ended = |half_points: u64, side| Ending {
            half_points: if side == first {
                half_points
            } else {
                2 - half_points
            },
            plies: 0,
            proof: None,
        };
        for _ in 0..ROLLOUT_PLIES {
            let side = field.side_to_move();
            let moves = match demand(&field) {
                Demand::Win | Demand::OpenFour(_) => return ended(2, side),
                Demand::Lost => return ended(0, side),
                Demand::StopFour(cells) => cells,
                Demand::StopThree(cells) => allowed(&field, cells),
                Demand::Free => field.near(),
            };
            let luck = |spot: Spot| {
                let noise = chance.below(ROLLOUT_NOISE) as i32;
                (rank(&field, spot) + noise, spot)
            };
            let best = moves.iter().map(luck).max();
            let Some((_, spot)) = best.filter(|&(_, spot)| field.allows(side, spot)) else {
                break;
            };
            field.play(spot);
        }
        let value = field.value() + self.ground.weights().turn();
        // A win as likely as the estimate says, so that points stay whole.
        let wins = chance.below(1 << 16) < (win_rate(value) * 65_536.0) as u32;
        ended(if wins { 2 } else { 0 }, field.side_to_move())
    }
}
