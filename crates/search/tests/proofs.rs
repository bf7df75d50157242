//! Wherever the tree search claims a proof, plain enumeration and the exact solver agree.

use std::collections::HashMap;
use stoneline_rules::{Chance, Outcome, Position, Variant};
use stoneline_search::solve::{Question, SolveLimits, Solver, plies_to_end};
use stoneline_search::{Limits, Spec, Value, think_quietly};

/// The exact value to the side to move, by trying everything.
fn enumerate(position: &mut Position, known: &mut HashMap<u64, Value>) -> Value {
    match position.outcome() {
        Some(Outcome::Win(_)) => return Value::Loss { plies: 0 },
        Some(Outcome::Draw) => return Value::Draw,
        None => {}
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let mut best: Option<Value> = None;
    for cell in position.legal_moves() {
        position.play(cell).unwrap();
        let value = enumerate(position, known).one_ply_before();
        position.undo();
        if best.is_none_or(|best| value.compare(best).is_gt()) {
            best = Some(value);
        }
    }
    let best = best.expect("a position that is not over has moves");
    known.insert(position.key(), best);
    best
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

/// Searches random positions with at most `open` empty cells; how many proofs were checked.
fn check(engine: &str, name: &str, positions: u64, open: usize, simulations: u64) -> u32 {
    let game: Variant = name.parse().unwrap();
    let spec: Spec = engine.parse().unwrap();
    let mut known = HashMap::new();
    let mut proofs = 0;
    for seed in 0..positions {
        let mut chance = Chance::new(seed);
        let mut position = Position::new(game);
        let empty = 1 + chance.below(open as u32) as usize;
        while position.outcome().is_none() && position.plies() + empty < game.geometry().capacity()
        {
            let moves = position.legal_moves();
            position
                .play(moves[chance.below(moves.len() as u32) as usize])
                .unwrap();
        }
        if position.outcome().is_some() {
            continue;
        }
        let limits = Limits {
            simulations: Some(simulations),
            seed: Some(seed),
            ..Limits::default()
        };
        let choice = think_quietly(&mut *spec.build(&game).unwrap(), &position, &limits);
        let truth = enumerate(&mut position.clone(), &mut known);
        let place = format!("{engine} {name} {:?}", position.moves());
        if choice.value.is_proven() {
            proofs += 1;
            assert!(
                agrees(choice.value, truth),
                "{place}: {:?}, {truth:?}",
                choice.value
            );
            let mut next = position.clone();
            next.play(choice.best.unwrap()).unwrap();
            let reached = enumerate(&mut next, &mut known).one_ply_before();
            assert_eq!(
                reached.win_rate(),
                truth.win_rate(),
                "{place}: the move keeps the value"
            );
        }
        for report in choice
            .moves
            .iter()
            .filter(|report| report.value.is_proven())
        {
            proofs += 1;
            let mut next = position.clone();
            next.play(report.cell).unwrap();
            let truth = enumerate(&mut next, &mut known).one_ply_before();
            assert!(
                agrees(report.value, truth),
                "{place} {}: {:?}, {truth:?}",
                report.cell,
                report.value
            );
        }
    }
    proofs
}

/// Plays random games with a tree that is kept from move to move; how many proofs were checked.
fn check_kept(engine: &str, name: &str, games: u64, simulations: u64) -> u32 {
    let game: Variant = name.parse().unwrap();
    let mut known = HashMap::new();
    let mut proofs = 0;
    for seed in 0..games {
        let mut chance = Chance::new(seed);
        let mut position = Position::new(game);
        let mut engine = engine.parse::<Spec>().unwrap().build(&game).unwrap();
        while position.outcome().is_none() {
            let limits = Limits {
                simulations: Some(simulations),
                seed: Some(seed),
                ..Limits::default()
            };
            let choice = think_quietly(&mut *engine, &position, &limits);
            if choice.value.is_proven() {
                proofs += 1;
                let mut next = position.clone();
                next.play(choice.best.unwrap()).unwrap();
                let reached = enumerate(&mut next, &mut known).one_ply_before();
                assert_eq!(
                    reached.win_rate(),
                    choice.value.win_rate(),
                    "{name} {:?}: the move does not keep what is proven",
                    position.moves()
                );
            }
            let moves = position.legal_moves();
            let cell = moves[chance.below(moves.len() as u32) as usize];
            position.play(cell).unwrap();
        }
    }
    proofs
}

#[test]
fn a_proof_at_a_kept_root_comes_with_its_move() {
    let mut proofs = 0;
    for name in ["connectx:4x4x3", "connectx:5x4x3", "connectx:4x5x4"] {
        for engine in [
            "mcts",
            "mcts:history=2.5",
            "mcts:think_on=true",
            "mcts:pruning=none",
        ] {
            proofs += check_kept(engine, name, 60, 60);
        }
    }
    assert!(proofs > 400, "{proofs} proofs");
}

#[test]
fn proofs_equal_enumeration() {
    let mut proofs = 0;
    for engine in [
        "mcts",
        "mcts:history=2.5",
        "mcts:pruning=threats,rollout=block",
        "mcts:pruning=none,rollout=uniform",
        "prover-uct",
    ] {
        for (name, open) in [
            ("connectx:4x4x3", 12),
            ("connectx:4x5x4", 12),
            ("connectx:5x5x4", 12),
            ("connectx:6x7x4", 12),
            ("course:5x6@2,2", 12),
            ("course:5x5@1,1@2,1@4,3", 12),
            ("connectx:4x7x3", 14),
        ] {
            proofs += check(engine, name, 150, open, 600);
        }
    }
    assert!(proofs > 3000, "{proofs} proofs were checked");
}

#[test]
fn small_endgames_are_proven_outright() {
    let game: Variant = "connectx:4x4x4".parse().unwrap();
    let spec: Spec = "mcts".parse().unwrap();
    for seed in 0..50 {
        let mut chance = Chance::new(seed);
        let mut position = Position::new(game);
        while position.outcome().is_none() && position.plies() < 8 {
            let moves = position.legal_moves();
            position
                .play(moves[chance.below(moves.len() as u32) as usize])
                .unwrap();
        }
        if position.outcome().is_none() {
            let limits = Limits {
                simulations: Some(20_000),
                ..Limits::default()
            };
            let choice = think_quietly(&mut *spec.build(&game).unwrap(), &position, &limits);
            let forced = choice.effort.simulations == 0;
            assert!(choice.value.is_proven() || forced, "{:?}", position.moves());
        }
    }
}

/// The exact value of a position by the solver.
fn solved(solver: &mut Solver, position: &Position) -> Value {
    let solved = solver
        .solve(position, Question::Score, &SolveLimits::default())
        .unwrap();
    assert_eq!(solved.bounds.low, solved.bounds.high);
    let score = solved.bounds.low;
    let capacity = position.variant().geometry().capacity();
    match plies_to_end(score, position.plies(), capacity) {
        None => Value::Draw,
        Some(plies) if score > 0 => Value::Win {
            plies: plies as u16,
        },
        Some(plies) => Value::Loss {
            plies: plies as u16,
        },
    }
}

#[test]
fn proofs_equal_the_solver() {
    let mut proofs = 0;
    for (name, plies) in [
        ("connect4", 20),
        ("course:6x7@2,3", 18),
        ("connectx:5x8x4", 18),
        ("course:9x9@4,4", 58),
    ] {
        let game: Variant = name.parse().unwrap();
        let mut solver = Solver::new(&game, 16 << 20, 1).unwrap();
        // The second as `best` searches large boards.
        let mut engines = ["mcts", "mcts:rollout=follow,history=2.5,opinion_weight=2"]
            .map(|name| name.parse::<Spec>().unwrap().build(&game).unwrap());
        for seed in 0..400 {
            let engine = &mut engines[seed as usize % 2];
            let mut chance = Chance::new(seed);
            let mut position = Position::new(game);
            while position.outcome().is_none() && position.plies() < plies {
                let moves = position.legal_moves();
                position
                    .play(moves[chance.below(moves.len() as u32) as usize])
                    .unwrap();
            }
            if position.outcome().is_some() {
                continue;
            }
            let limits = Limits {
                simulations: Some(3000),
                seed: Some(seed),
                ..Limits::default()
            };
            let choice = think_quietly(&mut **engine, &position, &limits);
            for report in choice
                .moves
                .iter()
                .filter(|report| report.value.is_proven())
            {
                let mut next = position.clone();
                next.play(report.cell).unwrap();
                let truth = match next.outcome() {
                    Some(Outcome::Win(_)) => Value::Win { plies: 1 },
                    Some(Outcome::Draw) => Value::Draw,
                    None => solved(&mut solver, &next).one_ply_before(),
                };
                let place = format!("{name} {:?} {}", position.moves(), report.cell);
                assert!(
                    agrees(report.value, truth),
                    "{place}: {:?}, {truth:?}",
                    report.value
                );
                proofs += 1;
            }
        }
    }
    assert!(proofs > 500, "{proofs} proofs were checked");
}
