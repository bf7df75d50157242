//! The embedded book, its builder, and play that never gives anything away.

use super::plain;
use crate::solve::{
    Book, BookPlan, Question, SolveLimits, Solver, VerifyPlan, build_book, verify_book,
};
use std::ops::ControlFlow;
use stoneline_rules::notation::play_text;
use stoneline_rules::{Cell, Chance, Outcome, Position, Variant};

#[test]
fn the_embedded_book_is_right_where_it_is_sampled() {
    let variant: Variant = "connect4".parse().unwrap();
    let book = Book::connect4();
    let empty = book.look_up(&Position::new(variant)).unwrap();
    assert_eq!((empty.0, empty.1.column()), (1, 3));
    let mut solver = Solver::new(&variant, 64 << 20, 1).unwrap();
    let plan = VerifyPlan {
        plies: 10,
        entry_sample: 900,
        leaf_sample: 900,
        nodes: 20_000_000,
    };
    let mut go_on = |_, _, _| ControlFlow::Continue(());
    let report = verify_book(&variant, &book, &mut solver, plan, &mut go_on).unwrap();
    assert!(report.wrong.is_empty(), "{:?}", report.wrong);
    assert!(report.checked >= 5 && report.in_book > 5000, "{report:?}");
}

#[test]
fn a_build_that_stopped_goes_on_to_the_same_book() {
    let variant = plain::board(4, 5, 4, &[]);
    let mut far = Position::new(variant);
    play_text(&mut far, "1234512").unwrap();
    let plan = BookPlan {
        all_plies: 2,
        own_plies: 5,
        also: vec![far.clone()],
    };
    let mut solver = Solver::new(&variant, 1 << 20, 1).unwrap();
    let mut steps = 0;
    let mut stop_early = |_| {
        steps += 1;
        if steps == 10 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let none = Book::default();
    let part = build_book(&variant, &mut solver, &plan, &none, &mut stop_early).unwrap();
    assert_eq!(part.len(), 10);
    let mut fresh = 0;
    let mut count = |step: crate::solve::BookStep| {
        fresh += usize::from(step.fresh);
        ControlFlow::Continue(())
    };
    let whole = build_book(&variant, &mut solver, &plan, &part, &mut count).unwrap();
    assert_eq!(fresh, whole.len() - 10);
    assert_eq!(
        whole.look_up(&far).map(|(score, _)| score),
        Some(plain::score(&far))
    );
    let mut go_on = |_| ControlFlow::Continue(());
    let mut other = Solver::new(&variant, 1 << 12, 1).unwrap();
    let again = build_book(&variant, &mut other, &plan, &none, &mut go_on).unwrap();
    let scores = |book: &Book| -> Vec<(u64, i32)> {
        book.iter()
            .map(|(code, entry)| (code, entry.score))
            .collect()
    };
    let shared: Vec<_> = scores(&again)
        .into_iter()
        .filter(|(code, _)| whole.entry(*code).is_some())
        .collect();
    assert!(shared.iter().all(|pair| scores(&whole).contains(pair)));
    let verify = VerifyPlan {
        plies: 5,
        entry_sample: 1,
        leaf_sample: 1,
        nodes: 1 << 20,
    };
    let mut go_on = |_, _, _| ControlFlow::Continue(());
    let report = verify_book(&variant, &whole, &mut other, verify, &mut go_on).unwrap();
    assert!(report.wrong.is_empty() && report.slow.is_empty());
    assert_eq!(report.in_book, report.walked);
}

/// How many replies to a move hold the score, by plain search; `None` if the move does not.
fn replies_that_hold(position: &Position, cell: Cell, score: i32) -> Option<usize> {
    let mut after = position.clone();
    after.play(cell).unwrap();
    let worth = |moved: &Position| match moved.outcome() {
        Some(_) => score_of_last_stone(moved),
        None => -plain::score(moved),
    };
    if worth(&after) != score {
        return None;
    }
    let holds = |reply: &Cell| {
        let mut replied = after.clone();
        replied.play(*reply).unwrap();
        worth(&replied) == -score
    };
    Some(
        after
            .legal_moves()
            .iter()
            .filter(|reply| holds(reply))
            .count(),
    )
}

/// The score of an ended game for the side that played the last stone.
fn score_of_last_stone(position: &Position) -> i32 {
    let capacity = position.variant().geometry().capacity();
    match position.outcome() {
        Some(Outcome::Win(_)) => (capacity as i32 + 2 - position.plies() as i32) / 2,
        _ => 0,
    }
}

#[test]
fn the_book_plays_what_leaves_the_fewest_good_replies() {
    let variant = plain::board(4, 5, 4, &[]);
    let mut chance = Chance::new(5);
    let mut random = || plain::random_position(variant, 11, &mut chance);
    let positions: Vec<Position> = (0..60).map_while(|_| random()).collect();
    let plan = BookPlan {
        all_plies: 0,
        own_plies: 0,
        also: positions.clone(),
    };
    let mut solver = Solver::new(&variant, 1 << 20, 1).unwrap();
    let mut go_on = |_| ControlFlow::Continue(());
    let book = build_book(&variant, &mut solver, &plan, &Book::default(), &mut go_on).unwrap();
    let mut choices = 0;
    for position in positions {
        let (score, cell) = book.look_up(&position).unwrap();
        let held = |cell| replies_that_hold(&position, cell, score);
        let fewest = position.legal_moves().into_iter().filter_map(held).min();
        assert_eq!(held(cell), fewest, "{:?}", position.moves());
        choices += usize::from(position.legal_moves().into_iter().filter_map(held).max() > fewest);
    }
    assert!(choices > 10, "{choices} positions with a choice");
}

#[test]
fn a_threat_is_met_even_without_any_nodes() {
    let mut position = Position::new("course:12x12@5,5".parse().unwrap());
    play_text(&mut position, "1c1c1").unwrap();
    let mut solver = Solver::new(position.variant(), 1 << 20, 1).unwrap();
    let limits = SolveLimits {
        nodes: Some(0),
        ..SolveLimits::default()
    };
    let best = solver.perfect_move(&position, &limits).unwrap();
    assert_eq!(best.cell.column(), 0);
}

#[test]
fn perfect_play_keeps_the_score_against_any_reply() {
    let mut chance = Chance::new(8);
    for (rows, columns) in [(4, 5), (5, 5), (6, 4)] {
        let variant = plain::board(rows, columns, 4, &[]);
        let mut solver = Solver::new(&variant, 4 << 20, 1).unwrap();
        let limits = SolveLimits::default();
        for game in 0..6 {
            let mut position = Position::new(variant);
            let mut held = None;
            while position.outcome().is_none() {
                if position.plies() % 2 == game % 2 {
                    let best = solver.perfect_move(&position, &limits).unwrap();
                    let score = best.bounds.exact().unwrap();
                    assert!(
                        held.is_none_or(|held| score >= held),
                        "{:?}",
                        position.moves()
                    );
                    held = Some(score);
                    position.play(best.cell).unwrap();
                    if position.outcome().is_none() {
                        let after = solver.solve(&position, Question::Score, &limits).unwrap();
                        assert_eq!(after.bounds.exact(), Some(-score));
                    }
                } else {
                    let moves = position.legal_moves();
                    let cell = moves[chance.below(moves.len() as u32) as usize];
                    position.play(cell).unwrap();
                }
            }
        }
    }
}

#[test]
fn a_tight_limit_still_gives_a_legal_move() {
    let variant: Variant = "course:12x12@5,5".parse().unwrap();
    let mut solver = Solver::new(&variant, 1 << 20, 1).unwrap();
    let position = Position::new(variant);
    for nodes in [0, 1000] {
        let limits = SolveLimits {
            nodes: Some(nodes),
            ..SolveLimits::default()
        };
        let best = solver.perfect_move(&position, &limits).unwrap();
        assert!(position.check(best.cell).is_ok());
    }
}
