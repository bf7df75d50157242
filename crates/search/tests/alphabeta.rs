//! The alpha-beta engine: its proofs meet the solver, its searches repeat, and
//! its answers are legal whatever the limits.

use std::ops::ControlFlow;
use stoneline_rules::{Chance, Outcome, Position, Variant};
use stoneline_search::solve::{Question, SolveLimits, Solver, plies_to_end};
use stoneline_search::{Choice, Engine, Limits, Spec, Value, think_quietly};

const ENGINE: &str = "alphabeta:memory=4MB";

fn engine(name: &str, game: &Variant) -> Box<dyn Engine> {
    name.parse::<Spec>().unwrap().build(game).unwrap()
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// Random moves up to `plies`; `None` if that ends the game.
fn random_position(game: Variant, plies: usize, seed: u64) -> Option<Position> {
    let mut chance = Chance::new(seed);
    let mut position = Position::new(game);
    while position.plies() < plies {
        let moves = position.legal_moves();
        let cell = moves[chance.below(moves.len() as u32) as usize];
        position.play(cell).unwrap();
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}

/// The exact value of a position by the solver.
fn solved(solver: &mut Solver, position: &Position) -> Value {
    let solved = solver
        .solve(position, Question::Score, &SolveLimits::default())
        .unwrap();
    let score = solved.bounds.exact().unwrap();
    let capacity = position.variant().geometry().capacity();
    let plies = plies_to_end(score, position.plies(), capacity).map(|plies| plies as u16);
    match plies {
        None => Value::Draw,
        Some(plies) if score > 0 => Value::Win { plies },
        Some(plies) => Value::Loss { plies },
    }
}

/// The exact value of a move to the side that plays it.
fn solved_move(solver: &mut Solver, position: &Position, cell: stoneline_rules::Cell) -> Value {
    let mut next = position.clone();
    next.play(cell).unwrap();
    match next.outcome() {
        Some(Outcome::Win(_)) => Value::Win { plies: 1 },
        Some(Outcome::Draw) => Value::Draw,
        None => solved(solver, &next).one_ply_before(),
    }
}

/// Whether a claim holds: the kind exactly, the plies as a bound of the right parity.
fn agrees(claim: Value, truth: Value) -> bool {
    match (claim, truth) {
        (Value::Win { plies }, Value::Win { plies: exact })
        | (Value::Loss { plies }, Value::Loss { plies: exact }) => {
            plies >= exact && (plies - exact) % 2 == 0
        }
        (Value::Draw, Value::Draw) => true,
        _ => false,
    }
}

/// Boards, and stones from which on the solver is quick.
const BOARDS: [(&str, usize); 10] = [
    ("connect4", 20),
    ("connectx:4x4x3", 3),
    ("connectx:5x5x4", 8),
    ("connectx:4x7x3", 6),
    ("connectx:6x6x5", 14),
    ("course:6x7@2,3", 18),
    ("course:5x6@4,1@2,3", 10),
    ("course:5x5@1,1@2,1@4,3", 6),
    ("connectx:8x8x5", 46),
    ("course:9x9@4,4", 60),
];

/// Checks every proof of a choice; how many there were.
fn check(choice: &Choice, position: &Position, solver: &mut Solver) -> usize {
    let place = format!("{} {:?}", position.variant(), position.moves());
    let truth = solved(solver, position);
    let mut proofs = 0;
    if choice.value.is_proven() {
        proofs += 1;
        assert!(
            agrees(choice.value, truth),
            "{place}: {:?} {truth:?}",
            choice.value
        );
        let kept = solved_move(solver, position, choice.best.unwrap());
        assert_eq!(
            kept.win_rate(),
            truth.win_rate(),
            "{place}: the move keeps the value"
        );
    }
    for report in choice.moves.iter().filter(|one| one.value.is_proven()) {
        proofs += 1;
        let truth = solved_move(solver, position, report.cell);
        assert!(
            agrees(report.value, truth),
            "{place} {}: {:?} {truth:?}",
            report.cell,
            report.value
        );
    }
    proofs
}

#[test]
fn proofs_equal_the_solver() {
    for name in [ENGINE, "alphabeta:memory=4MB,all_moves=yes"] {
        let mut proofs = 0;
        for (board, plies) in BOARDS {
            let game: Variant = board.parse().unwrap();
            let mut solver = Solver::new(&game, 16 << 20, 1).unwrap();
            let mut engine = engine(name, &game);
            for seed in 0..150 {
                let plies = plies + seed as usize % 4;
                if let Some(position) = random_position(game, plies, seed) {
                    for limit in [30, 1000] {
                        let choice = think_quietly(&mut *engine, &position, &nodes(limit));
                        proofs += check(&choice, &position, &mut solver);
                    }
                }
            }
        }
        assert!(proofs > 3000, "{name}: {proofs} proofs were checked");
    }
}

#[test]
fn without_limits_everything_small_is_proven_to_the_ply() {
    for (board, plies) in [
        ("connectx:4x4x4", 4),
        ("course:5x5@2,2", 9),
        ("connectx:4x5x3", 2),
    ] {
        let game: Variant = board.parse().unwrap();
        let mut solver = Solver::new(&game, 16 << 20, 1).unwrap();
        // Without reductions no shorter win is passed over.
        let exact = "alphabeta:memory=4MB,reduction=0,margin=0,unknown_depth=0";
        let mut engine = engine(exact, &game);
        let mut usual = self::engine(ENGINE, &game);
        for seed in 0..60 {
            if let Some(position) = random_position(game, plies, seed) {
                let choice = think_quietly(&mut *engine, &position, &Limits::default());
                let truth = solved(&mut solver, &position);
                let place = format!("{board} {:?}", position.moves());
                let found = think_quietly(&mut *usual, &position, &Limits::default());
                assert!(
                    agrees(found.value, truth),
                    "{place}: {:?} {truth:?}",
                    found.value
                );
                match (choice.value, truth) {
                    (Value::Win { .. }, Value::Win { .. }) | (Value::Draw, Value::Draw) => {
                        assert_eq!(choice.value, truth, "{place}");
                    }
                    (claim, truth) => assert!(agrees(claim, truth), "{place}: {claim:?} {truth:?}"),
                }
            }
        }
    }
}

#[test]
fn the_same_limits_give_the_same_search() {
    for board in [
        "connect4",
        "course:9x9@4,4",
        "course:12x12@5,5",
        "connectx:16x16x5",
    ] {
        let game: Variant = board.parse().unwrap();
        let mut used = engine(ENGINE, &game);
        for plies in [0, 5, 14] {
            let position = (0..)
                .find_map(|seed| random_position(game, plies, seed))
                .unwrap();
            let fresh = think_quietly(&mut *engine(ENGINE, &game), &position, &nodes(20_000));
            used.forget();
            let again = think_quietly(&mut *used, &position, &nodes(20_000));
            assert_eq!(fresh, again, "{board}");
            assert!(fresh.effort.nodes <= 20_000 && fresh.effort.time.is_none());
        }
    }
}

#[test]
fn any_limit_gives_a_legal_move_on_any_board() {
    for board in [
        "connectx:4x4x4",
        "connectx:4x16x3",
        "connectx:16x4x4",
        "connectx:16x16x16",
        "connectx:7x9x7",
        "course:12x12@0,0@5,5@6,5@7,5@11,11",
    ] {
        let game: Variant = board.parse().unwrap();
        for (threads, limit) in [(1, 1), (1, 7), (3, 500)] {
            let mut engine = engine("alphabeta:memory=64KB", &game);
            let limits = Limits {
                threads: Some(threads),
                ..nodes(limit)
            };
            let mut position = Position::new(game);
            while position.outcome().is_none() {
                let choice = think_quietly(&mut *engine, &position, &limits);
                assert!(choice.effort.memory_bytes <= 64 << 10);
                position.play(choice.best.unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    for (text, value) in [
        ("connect4 1212121", Value::Loss { plies: 0 }),
        ("connectx:4x4x4 1212212134344343", Value::Draw),
    ] {
        let position: Position = text.parse().unwrap();
        assert!(position.outcome().is_some(), "{text}");
        let mut engine = engine(ENGINE, position.variant());
        let choice = think_quietly(&mut *engine, &position, &nodes(100));
        assert_eq!((choice.best, choice.value), (None, value), "{text}");
    }
}

#[test]
fn the_watcher_hears_and_may_end_it() {
    let game: Variant = "course:12x12@5,5".parse().unwrap();
    let position = Position::new(game);
    let mut heard = 0;
    let choice = engine(ENGINE, &game).think(&position, &Limits::default(), &mut |event| {
        heard += 1;
        assert_eq!(event.moves.len(), 12);
        assert!(
            event
                .moves
                .iter()
                .all(|one| one.line.first() == Some(&one.cell))
        );
        if heard == 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(heard, 3);
    assert!(choice.best.is_some() && choice.effort.nodes > 100_000);
}
