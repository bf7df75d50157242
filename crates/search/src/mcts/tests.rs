//! Slow, obvious twins of the rules of thumb, and the mistakes that must lose.

use super::falling::Falling;
use super::game::{Game, Outlook};
use super::lanes::{Broad, Narrow, with_lanes};
use super::params::{Params, Pruning, Rewards, RootRule};
use super::{Mcts, MctsRecipe};
use crate::engine::{Engine, think_quietly};
use crate::limits::Limits;
use crate::neural::{Judge, Net, View};
use crate::presets;
use crate::registry::Recipe;
use crate::value::Value;
use stoneline_rules::{Bits, Cell, Chance, Content, Grid, Outcome, Position, Side, Variant};

pub(super) const BOARDS: [&str; 9] = [
    "connect4",
    "connectx:4x4x3",
    "connectx:5x4x4",
    "connectx:7x9x5",
    "connectx:8x8x6",
    "course:9x9@4,4",
    "course:9x10@8,3@7,3",
    "course:12x12@5,5",
    "course:16x16@3,3",
];

/// Calls `check` with random positions that are not over, of every stage.
pub(super) fn random_positions(game: Variant, games: u64, mut check: impl FnMut(&Position)) {
    for seed in 0..games {
        let mut chance = Chance::new(seed);
        let mut position = Position::new(game);
        while position.outcome().is_none() {
            check(&position);
            let moves = position.legal_moves();
            let cell = moves[chance.below(moves.len() as u32) as usize];
            position.play(cell).unwrap();
        }
    }
}

/// Whether a stone of `side` on the empty `cell` would make a run, counted cell by cell.
pub(super) fn would_win(position: &Position, side: Side, cell: Cell) -> bool {
    let run = i32::from(position.variant().run());
    [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| {
        let count = |sign: i32| {
            (1..run)
                .take_while(|far| {
                    let column = i32::from(cell.column()) + sign * far * dx;
                    let row = i32::from(cell.row()) + sign * far * dy;
                    (0..32).contains(&column)
                        && (0..32).contains(&row)
                        && position.content(Cell::new(column as u8, row as u8))
                            == Some(Content::Stone(side))
                })
                .count() as i32
        };
        1 + count(1) + count(-1) >= run
    })
}

/// The legal moves where a stone of `side` would win.
pub(super) fn wins_of(position: &Position, side: Side) -> Vec<Cell> {
    let mut moves = position.legal_moves();
    moves.retain(|&cell| would_win(position, side, cell));
    moves
}

pub(super) fn after(position: &Position, cell: Cell) -> Position {
    let mut next = position.clone();
    next.play(cell).unwrap();
    next
}

/// The columns of `cells`.
fn columns(cells: &[Cell]) -> u16 {
    cells.iter().fold(0, |set, cell| set | 1 << cell.column())
}

/// The outlook by playing moves and looking; `stacks`: also for two wins one above the other.
pub(super) fn slow_outlook(
    position: &Position,
    pruning: Pruning,
    stacks: bool,
) -> Result<Vec<Cell>, Value> {
    let side = position.side_to_move();
    let legal = position.legal_moves();
    if pruning == Pruning::None {
        return Ok(legal);
    }
    if !wins_of(position, side).is_empty() {
        return Err(Value::Win { plies: 1 });
    }
    let harmless = |&cell: &Cell| wins_of(&after(position, cell), !side).is_empty();
    let threats = wins_of(position, !side);
    let candidates = if threats.is_empty() { legal } else { threats };
    if pruning == Pruning::Threats && wins_of(position, !side).is_empty() {
        return Ok(candidates);
    }
    let blocks = !wins_of(position, !side).is_empty();
    let safe: Vec<Cell> = candidates.into_iter().filter(harmless).collect();
    // Wins that are there before the stone.
    let stacked = |&cell: &Cell| {
        let first = after(position, cell);
        let Ok(above) = first.landing(cell.column()) else {
            return false;
        };
        let second = would_win(position, side, above).then(|| after(&first, above));
        let third = second.and_then(|second| second.landing(cell.column()).ok());
        third.is_some_and(|third| would_win(position, side, third))
    };
    if !blocks && stacks && safe.iter().any(stacked) {
        return Err(Value::Win { plies: 3 });
    }
    if safe.is_empty() {
        Err(Value::Loss { plies: 2 })
    } else {
        Ok(safe)
    }
}

#[test]
fn outlooks_equal_those_of_the_slow_twin() {
    for name in BOARDS {
        let variant: Variant = name.parse().unwrap();
        with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(&variant);
            random_positions(variant, 20, |position| {
                let state = game.state(position);
                for pruning in [Pruning::None, Pruning::Threats, Pruning::Full] {
                    let stacks = pruning == Pruning::Full;
                    let expected = match slow_outlook(position, pruning, stacks) {
                        Ok(moves) => Outlook::Open(columns(&moves)),
                        Err(value) => Outlook::Decided(value),
                    };
                    let found = game.outlook(&state, pruning);
                    assert_eq!(found, expected, "{name} {:?} {pruning:?}", position.moves());
                }
            });
        });
    }
}

#[test]
fn states_played_equal_states_built() {
    for name in BOARDS {
        let variant: Variant = name.parse().unwrap();
        with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(&variant);
            let mut state = game.state(&Position::new(variant));
            random_positions(variant, 20, |position| {
                state = match position.moves().last() {
                    None => game.state(position),
                    Some(&cell) => {
                        let mut next = state;
                        game.play(&mut next, variant.geometry().index(cell) as u16);
                        next
                    }
                };
                let built = game.state(position);
                assert_eq!(state, built, "{name} {:?}", position.moves());
            });
        });
    }
}

#[test]
fn the_network_sees_the_position() {
    for name in BOARDS {
        let variant: Variant = name.parse().unwrap();
        let grid = Grid::<5>::new(&variant).unwrap();
        let mut judge = Judge::new(&Net::shipped(), &variant).unwrap();
        with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(&variant);
            random_positions(variant, 5, |position| {
                judge.reset(position);
                let stones = Side::BOTH.map(|side| position.stones(side).resize());
                let landing = |column: usize| match position.landing(column as u8) {
                    Ok(cell) => variant.geometry().index(cell) as u16,
                    Err(_) => 0,
                };
                let expected = judge.value(&View {
                    stones: &stones.map(Bits::words),
                    winning: &stones.map(|set| grid.finishing_cells(set).words()),
                    landing: &std::array::from_fn(landing),
                });
                let found = game.judged(&game.state(position), &mut judge);
                assert_eq!(found, expected, "{name} {:?}", position.moves());
            });
        });
    }
}

#[test]
fn keys_tell_positions_apart_and_no_more() {
    for name in BOARDS {
        let variant: Variant = name.parse().unwrap();
        let mut seen = std::collections::HashMap::new();
        with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(&variant);
            random_positions(variant, 60, |position| {
                let stones = Side::BOTH.map(|side| position.stones(side));
                let key = game.key(&game.state(position));
                assert_eq!(*seen.entry(key).or_insert(stones), stones);
            });
        });
        let distinct: std::collections::HashSet<_> = seen.values().collect();
        assert_eq!(distinct.len(), seen.len(), "{name}");
    }
}

fn played(moves: &str) -> Position {
    let mut position = Position::new("connect4".parse().unwrap());
    for column in moves.bytes() {
        let cell = position.landing(column - b'1').unwrap();
        position.play(cell).unwrap();
    }
    position
}

fn guarded(position: &Position) -> Vec<u8> {
    let game = Falling::<Narrow>::new(position.variant());
    let state = game.state(position);
    let Outlook::Open(legal) = game.outlook(&state, Pruning::None) else {
        panic!("the game goes on");
    };
    let moves = game.root_moves(&state, RootRule::Guard, legal);
    (1..=7)
        .filter(|column| moves >> (column - 1) & 1 == 1)
        .collect()
}

#[test]
fn the_five_rules_guard_the_root() {
    assert_eq!(guarded(&played("414141")), [4], "wins");
    assert_eq!(guarded(&played("41414")), [4], "blocks");
    assert_eq!(guarded(&played("37374")), [2, 5], "stops the open two");
    assert_eq!(
        guarded(&Position::new("connect4".parse().unwrap())).len(),
        7
    );
}

#[test]
fn the_root_is_guarded_as_the_rules_say_everywhere() {
    let variant: Variant = "course:9x9@4,4".parse().unwrap();
    let game = Falling::<Broad>::new(&variant);
    let mut narrowed = 0;
    random_positions(variant, 60, |position| {
        let side = position.side_to_move();
        let (wins, blocks) = (wins_of(position, side), wins_of(position, !side));
        let state = game.state(position);
        let legal = position.legal_moves();
        let moves = game.root_moves(&state, RootRule::Guard, columns(&legal));
        let moves: Vec<Cell> = legal
            .iter()
            .copied()
            .filter(|cell| moves >> cell.column() & 1 == 1)
            .collect();
        if !wins.is_empty() {
            assert_eq!(moves, wins);
        } else if !blocks.is_empty() {
            assert_eq!(moves, blocks);
        } else {
            let above = |cell: Cell| after(position, cell).landing(cell.column()).ok();
            let under = |side: Side, cell: Cell| {
                above(cell).is_some_and(|above| would_win(position, side, above))
            };
            let allowed: Vec<Cell> = legal
                .iter()
                .copied()
                .filter(|&cell| !under(!side, cell))
                .collect();
            let kept: Vec<Cell> = allowed
                .iter()
                .copied()
                .filter(|&cell| !under(side, cell))
                .collect();
            narrowed += u32::from(kept.len() < legal.len());
            if !kept.is_empty() {
                assert!(moves.iter().all(|cell| kept.contains(cell)));
            } else if !allowed.is_empty() {
                assert!(moves.iter().all(|cell| allowed.contains(cell)));
            }
            assert!(!moves.is_empty());
        }
    });
    assert!(narrowed > 20, "the rules were asked {narrowed} times");
}

/// Points of `one` against `other` over `games` from either side, in half points.
fn points(
    [one, other]: [&mut dyn Engine; 2],
    variant: &Variant,
    games: u64,
    simulations: u64,
) -> u32 {
    let mut points = 0;
    for game in 0..games {
        let own = Side::BOTH[game as usize % 2];
        let limits = Limits {
            simulations: Some(simulations),
            seed: Some(game),
            ..Limits::default()
        };
        one.forget();
        other.forget();
        let mut position = Position::new(*variant);
        while position.outcome().is_none() {
            let mover: &mut dyn Engine = if position.side_to_move() == own {
                one
            } else {
                other
            };
            let choice = think_quietly(mover, &position, &limits);
            position.play(choice.best.unwrap()).unwrap();
        }
        points += match position.outcome() {
            Some(Outcome::Win(side)) => 2 * u32::from(side == own),
            _ => 1,
        };
    }
    points
}

#[test]
fn rewards_with_the_wrong_sign_lose() {
    let variant: Variant = "course:9x9@4,4".parse().unwrap();
    let MctsRecipe { params, limits, .. } = presets::centre_uct();
    let game = || Falling::<Broad>::new(&variant);
    let mut right = Mcts::new(game(), params.clone(), limits.clone());
    let rewards = Rewards::Root;
    let mut wrong = Mcts::new(game(), Params { rewards, ..params }, limits);
    let score = points([&mut right, &mut wrong], &variant, 20, 2000);
    assert!(score >= 34, "{score} of 40 half points");
}

#[test]
fn our_settings_beat_plain_ones() {
    let variant: Variant = "course:9x9@4,4".parse().unwrap();
    let mut ours = presets::mcts().build(&variant).unwrap();
    let mut plain = presets::connectx_uct().build(&variant).unwrap();
    let score = points([&mut *ours, &mut *plain], &variant, 20, 400);
    assert!(score >= 34, "{score} of 40 half points");
}

#[test]
fn presets_are_what_their_authors_describe() {
    let root_two = 2f32.sqrt();
    let rules = presets::rules_uct();
    assert_eq!(rules.limits.simulations, Some(680_000));
    assert_eq!(rules.limits.time.unwrap().as_millis(), 2700);
    assert_eq!(rules.params.exploration, root_two);
    assert_eq!((rules.params.graph, rules.params.camp), (false, 0));
    assert_eq!(rules.params.opinion_visits, 0);
    let prover = presets::prover_uct();
    assert_eq!(
        (prover.params.exploration, prover.params.proofs),
        (root_two, true)
    );
    let connectx = presets::connectx_uct();
    let Params {
        exploration,
        exploration_full,
        ..
    } = connectx.params;
    assert!((exploration_full / exploration - 1.1).abs() < 1e-6);
}
