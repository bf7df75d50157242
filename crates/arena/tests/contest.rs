//! Whole matches: fair, repeatable, and every foul with its loser and reason.

use std::sync::atomic::AtomicBool;
use std::time::Duration;
use stoneline_arena::{
    Answer, Contest, ContestError, Entrant, Loss, Openings, Player, Reason, Seat, Sprt, Start,
    Turn, play,
};
use stoneline_rules::{Cell, Outcome, Position, Side};
use stoneline_search::Limits;

fn contest<'a>(
    entrants: [&'a Entrant; 2],
    game: &str,
    games: u32,
    concurrency: usize,
) -> Contest<'a> {
    Contest {
        entrants,
        openings: Openings::new(game, 2, 9).unwrap(),
        limits: Limits {
            seed: Some(3),
            ..Limits::default()
        },
        tolerance: Duration::ZERO,
        games,
        concurrency,
        sprt: None,
    }
}

#[test]
fn the_same_seed_gives_the_same_match_in_any_number_of_threads() {
    let random: Entrant = "random".parse().unwrap();
    let negamax: Entrant = "kaggle-negamax".parse().unwrap();
    let run = |concurrency| {
        let mut games = Vec::new();
        let report = contest([&negamax, &random], "connect4", 21, concurrency)
            .run(|played, _| games.push(played.game.cells().collect::<Vec<_>>()))
            .unwrap();
        (games, report.score, report.reasons)
    };
    let (games, score, reasons) = run(1);
    assert_eq!(run(3), (games, score, reasons.clone()));
    assert_eq!(score.games(), 21);
    assert_eq!(score.pairs.iter().sum::<u32>(), 10);
    assert!(score.share() > 0.9, "{score:?}");
    assert_eq!(reasons.values().sum::<u32>(), 21);
}

#[test]
fn colours_are_swapped_on_each_opening() {
    let random: Entrant = "random".parse().unwrap();
    let mut seen = Vec::new();
    let report = contest([&random, &random], "course", 8, 2)
        .run(|played, _| {
            seen.push((played.first_engine, played.game.opening.clone()));
            let mut replay = played.game.opening.clone();
            for cell in played.game.cells() {
                replay.play(cell).unwrap();
            }
            let winner = match replay.outcome().expect("the game was played to its end") {
                Outcome::Win(side) => Some(side),
                Outcome::Draw => None,
            };
            assert_eq!(played.game.winner, winner);
        })
        .unwrap();
    for (pair, next) in seen.chunks(2).zip(seen.chunks(2).skip(1)) {
        assert_eq!(pair[0].1, pair[1].1);
        assert_ne!(pair[0].0, pair[1].0);
        assert_ne!(pair[0].1, next[0].1, "each pair has an opening of its own");
    }
    assert_eq!(report.by_side.map(|score| score.games()), [4, 4]);
}

#[test]
fn a_decided_test_ends_the_match() {
    let random: Entrant = "random".parse().unwrap();
    let negamax: Entrant = "kaggle-negamax".parse().unwrap();
    let mut contest = contest([&negamax, &random], "connect4", 10_000, 2);
    contest.sprt = Some(Sprt {
        elo0: 0.0,
        elo1: 100.0,
    });
    let report = contest.run(|_, _| {}).unwrap();
    assert!(report.score.games() < 200, "{:?}", report.score);
}

#[test]
fn engines_that_do_not_play_the_game_are_refused() {
    let random: Entrant = "random".parse().unwrap();
    let negamax: Entrant = "kaggle-negamax".parse().unwrap();
    let error = contest([&random, &negamax], "gomoku", 4, 2)
        .run(|_, _| {})
        .unwrap_err();
    assert!(matches!(error, ContestError::Unfit(_)), "{error}");
}

#[test]
fn openings_are_undecided_and_refused_when_there_are_none() {
    for game in ["connect4", "course", "gobang", "connectx:4x4x3"] {
        let openings = Openings::new(game, 3, 1).unwrap();
        for number in 0..50 {
            let opening = openings.at(number).unwrap();
            assert_eq!(opening.plies(), 3);
            assert_eq!(opening.outcome(), None);
            assert_eq!(openings.at(number).unwrap(), opening);
        }
    }
    let too_long = Openings::new("connectx:4x4x3", 16, 1).unwrap();
    assert!(
        too_long
            .at(0)
            .unwrap_err()
            .to_string()
            .contains("fewer plies")
    );
    assert!(Openings::new("chess", 0, 1).is_err());
}

/// Answers as it is told, legal or not.
struct Scripted(Option<Cell>);

impl Player for Scripted {
    fn new_game(&mut self, _: &Start<'_>) -> Result<(), Loss> {
        Ok(())
    }

    fn choose(&mut self, _: &Turn<'_>) -> Result<Answer, Loss> {
        self.0
            .map(Answer::bare)
            .ok_or_else(|| Loss::new(Reason::NoMove, "told to say nothing"))
    }
}

#[test]
fn fouls_lose_with_their_reason() {
    let opening: Position = "connect4 4".parse().unwrap();
    let game = |answer, limits: &Limits| {
        let (mut first, mut second) = (Scripted(None), Scripted(answer));
        let players: [&mut dyn Player; 2] = [&mut first, &mut second];
        let seats = players.map(|player| Seat {
            player,
            limits: limits.clone(),
        });
        let game = play(&opening, seats, Duration::ZERO, &AtomicBool::new(false)).unwrap();
        (game.winner, game.reason)
    };
    let unlimited = Limits::default();
    let floating = Some(Cell::new(0, 5));
    assert_eq!(
        game(floating, &unlimited),
        (Some(Side::First), Reason::IllegalMove)
    );
    assert_eq!(game(None, &unlimited), (Some(Side::First), Reason::NoMove));
    let legal = Some(Cell::new(0, 0));
    assert_eq!(
        game(legal, &unlimited),
        (Some(Side::Second), Reason::NoMove)
    );
    // No answer takes no time at all.
    let no_time = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    assert_eq!(game(legal, &no_time), (Some(Side::First), Reason::Time));
    let empty_clock = Limits {
        remaining: Some(Duration::ZERO),
        ..Limits::default()
    };
    assert_eq!(game(legal, &empty_clock), (Some(Side::First), Reason::Time));
}
