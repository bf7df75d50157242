//! Whole tournaments: fair, repeatable, kept, resumed, and every foul with its loser and reason.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use stoneline_arena::{
    Adjudication, Answer, Finished, Forgetful, Format, Keeper, Loss, Openings, Plan, Player,
    Reason, Seat, Sprt, Standing, Start, Store, StoreError, Terms, Tournament, TournamentError,
    Turn, play,
};
use stoneline_rules::{Cell, Outcome, Position, Side};
use stoneline_search::Limits;

fn plan(engines: &[&str], format: &str, games: u32) -> Plan {
    let players: String = engines
        .iter()
        .map(|engine| format!("[[player]]\nengine = '{engine}'\n"))
        .collect();
    let text = format!(
        "name = 'test'\nformat = '{format}'\ngames = {games}\nsimulations = 20\nnodes = 200\nseed = 9\n\
         openings.plies = 2\n{players}"
    );
    Plan::parse(&text).unwrap()
}

fn run(plan: Plan, mut watch: impl FnMut(&Finished)) -> Standing {
    Tournament::new(plan)
        .unwrap()
        .run(&mut Forgetful, &AtomicBool::new(false), |progress| {
            watch(progress.finished.expect("nothing is kept"));
        })
        .unwrap()
}

#[test]
fn the_same_seed_gives_the_same_match_in_any_number_of_threads() {
    let played = |concurrency| {
        let mut plan = plan(&["kaggle-negamax", "random"], "match", 21);
        plan.concurrency = concurrency;
        let mut games = Vec::new();
        let standing = run(plan, |one| {
            games.push((
                one.fixture,
                one.identity,
                one.game.cells().collect::<Vec<_>>(),
            ));
        });
        (games, standing.tally)
    };
    let (games, tally) = played(1);
    let report = tally.report(0, 1);
    assert_eq!(report.score.games(), 21);
    assert_eq!(report.score.pairs.iter().sum::<u32>(), 10);
    assert!(report.score.share() > 0.9, "{report:?}");
    assert_eq!(report.reasons.values().sum::<u32>(), 21);
    assert_eq!(tally.report(1, 0).score, report.score.turned());
    assert_eq!(played(3), (games, tally));
}

#[test]
fn colours_are_swapped_on_each_opening() {
    let mut plan = plan(&["random", "random"], "match", 8);
    plan.game = "course".to_owned();
    plan.openings.plies = None;
    let mut seen = Vec::new();
    let standing = run(plan, |one| {
        seen.push((one.fixture.players, one.game.opening.clone()));
        let mut replay = one.game.opening.clone();
        for cell in one.game.cells() {
            replay.play(cell).unwrap();
        }
        let winner = match replay.outcome().expect("the game was played to its end") {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        };
        assert_eq!(one.game.winner, winner);
    });
    for (pair, next) in seen.chunks(2).zip(seen.chunks(2).skip(1)) {
        assert_eq!(pair[0].1, pair[1].1);
        assert_ne!(pair[0].0, pair[1].0);
        assert_ne!(pair[0].1, next[0].1, "each pair has an opening of its own");
    }
    let by_side = standing.tally.report(0, 1).by_side;
    assert_eq!(by_side.map(|score| score.games()), [4, 4]);
}

#[test]
fn a_decided_test_ends_the_match() {
    let mut plan = plan(&["kaggle-negamax", "random"], "match", 10_000);
    plan.concurrency = 2;
    plan.sprt = Some(Sprt::new(0.0, 100.0));
    let standing = run(plan, |_| {});
    assert!(standing.tally.games() < 200, "{:?}", standing.tally);
    assert!(standing.complete);
}

#[test]
fn nonsense_is_refused_before_the_first_game() {
    let refused = |change: &dyn Fn(&mut Plan)| {
        let mut plan = plan(&["random", "kaggle-negamax"], "match", 4);
        change(&mut plan);
        Tournament::new(plan).err().expect("refused")
    };
    let error = refused(&|plan| plan.game = "gomoku".to_owned());
    assert!(matches!(error, TournamentError::Unfit(_)), "{error}");
    let error = refused(&|plan| plan.game = "chess".to_owned());
    assert!(error.to_string().contains("chess"), "{error}");
    let error = refused(&|plan| plan.players[1].engine = "mcst".to_owned());
    assert!(error.to_string().contains("mcts"), "{error}");
    let error = refused(&|plan| {
        plan.format = Format::RoundRobin;
        plan.games = 3;
    });
    assert!(error.to_string().contains("even"), "{error}");
    let error = refused(&|plan| plan.games = 0);
    assert!(error.to_string().contains("games"), "{error}");
    let error = refused(&|plan| plan.openings.list = vec!["44".into(), "4x".into()]);
    assert!(error.to_string().contains("opening 2"), "{error}");
    let error = refused(&|plan| plan.sprt = Some(Sprt::new(5.0, 0.0)));
    assert!(error.to_string().contains("elo0"), "{error}");
    assert!(
        Plan::parse("gmaes = 4")
            .unwrap_err()
            .to_string()
            .contains("gmaes")
    );
}

#[test]
fn what_the_system_lacks_is_told_only_where_it_matters() {
    let told = |engine: &str| {
        let plan = plan(&[engine, "random"], "match", 2);
        Tournament::new(plan).unwrap().missing_protection()
    };
    assert_eq!(told("mcts"), None);
    assert_eq!(told("json:sh"), stoneline_arena::missing_protection());
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
    let error = too_long.at(0).unwrap_err();
    assert!(error.to_string().contains("fewer plies"), "{error}");
    assert!(Openings::new("chess", 0, 1).is_err());
}

/// Stones at the edge would decide a game of five in a row before it begins.
#[test]
fn random_stones_lie_near_the_middle_of_a_free_board() {
    let farthest = |game: &str, middle: u8| {
        let openings = Openings::new(game, 4, 1).unwrap();
        let cells = (0..50).flat_map(|at| openings.at(at).unwrap().moves().to_vec());
        cells
            .map(|cell| {
                cell.row()
                    .abs_diff(middle)
                    .max(cell.column().abs_diff(middle))
            })
            .max()
    };
    assert_eq!(farthest("gomoku", 7), Some(3));
    assert_eq!(
        farthest("gomoku:20", 9),
        Some(3),
        "the middle lies between two cells"
    );
    assert_eq!(
        farthest("gomoku:5", 2),
        Some(2),
        "a small board has nothing else"
    );
}

/// On a small board the solver knows which openings are drawn: of many candidates, some are.
#[test]
fn balanced_openings_are_more_even_than_any() {
    let tilt = |position: &Position| {
        let spec: stoneline_search::Spec = "solver:memory=1MB".parse().unwrap();
        let mut solver = spec.build(position.variant()).unwrap();
        let choice = stoneline_search::think_quietly(&mut *solver, position, &Limits::default());
        (choice.value.win_rate() - 0.5).abs()
    };
    let plain = Openings::new("connectx:4x5x4", 6, 3).unwrap();
    let even = plain
        .clone()
        .balanced(12, "solver:memory=1MB".parse().unwrap());
    let total = |openings: &Openings| -> f32 {
        (0..12)
            .map(|number| tilt(&openings.at(number).unwrap()))
            .sum()
    };
    assert_eq!(total(&even), 0.0, "one of twelve is drawn");
    assert!(total(&plain) > 0.5);
}

#[test]
fn listed_openings_come_in_order_and_over_again() {
    let lines = ["44", "connect4 1234", "7"].map(str::to_owned);
    let openings = Openings::listed("connect4", &lines, false).unwrap();
    let notations: Vec<String> = (0..4)
        .map(|at| openings.at(at).unwrap().notation())
        .collect();
    assert_eq!(
        notations,
        ["connect4 44", "connect4 1234", "connect4 7", "connect4 44"]
    );
    let centred = Openings::listed("gomoku", &["0,0, -1,1, 2,-3".to_owned()], true).unwrap();
    // The first row of the board is its lowest: one down from h8 is row 7.
    assert_eq!(centred.at(0).unwrap().notation(), "gomoku h8 g7 j11");
    assert!(Openings::listed("gomoku", &["9,0".to_owned()], true).is_err());
    assert!(Openings::listed("connect4", &[], false).is_err());
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
            .ok_or_else(|| Loss::new(Reason::Crash, "told to fall over"))
    }

    fn stderr(&self) -> Option<String> {
        self.0.is_none().then(|| "last words".to_owned())
    }
}

#[test]
fn fouls_lose_with_their_reason() {
    let opening: Position = "connect4 4".parse().unwrap();
    let terms = Terms {
        tolerance: Duration::ZERO,
        adjudication: Adjudication::default(),
    };
    let game = |answer, limits: &Limits| {
        let (mut first, mut second) = (Scripted(None), Scripted(answer));
        let players: [&mut dyn Player; 2] = [&mut first, &mut second];
        let seats = players.map(|player| Seat {
            player,
            limits: limits.clone(),
        });
        play(&opening, seats, &terms, &AtomicBool::new(false)).unwrap()
    };
    let end = |answer, limits: &Limits| {
        let game = game(answer, limits);
        (game.winner, game.reason)
    };
    let unlimited = Limits::default();
    let floating = Some(Cell::new(0, 5));
    let illegal = game(floating, &unlimited);
    assert_eq!(
        (illegal.winner, illegal.reason),
        (Some(Side::First), Reason::IllegalMove)
    );
    let remark = illegal.remark.unwrap();
    assert!(remark.contains("a6 would float"), "{remark}");
    assert_eq!(end(None, &unlimited), (Some(Side::First), Reason::Crash));
    let legal = Some(Cell::new(0, 0));
    let crashed = game(legal, &unlimited);
    assert_eq!(
        (crashed.winner, crashed.reason),
        (Some(Side::Second), Reason::Crash)
    );
    assert_eq!(crashed.stderr, [Some("last words".to_owned()), None]);
    // No answer takes no time at all.
    let no_time = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    assert_eq!(end(legal, &no_time), (Some(Side::First), Reason::Time));
    let empty_clock = Limits {
        remaining: Some(Duration::ZERO),
        ..Limits::default()
    };
    assert_eq!(end(legal, &empty_clock), (Some(Side::First), Reason::Time));
}

#[test]
fn proofs_end_games_early_and_alike() {
    let mut plan = plan(&["mcts", "random"], "match", 6);
    plan.adjudicate.proof_nodes = Some(2000);
    let mut ends = Vec::new();
    let standing = run(plan.clone(), |one| {
        ends.push((one.game.reason, one.game.winner, one.game.moves.len()))
    });
    assert!(
        standing
            .tally
            .report(0, 1)
            .reasons
            .contains_key(&Reason::Adjudication)
    );
    let mut again = Vec::new();
    run(plan, |one| {
        again.push((one.game.reason, one.game.winner, one.game.moves.len()))
    });
    assert_eq!(ends, again);
}

fn open(path: &Path) -> Store {
    Store::open(path).unwrap()
}

/// Plays into a store until `most` games of this session are counted.
fn session(path: &Path, plan: &Plan, most: u32) -> (Standing, u32) {
    let tournament = Tournament::new(plan.clone()).unwrap();
    let mut store = open(path);
    let mut keeper = store.run(&tournament).unwrap();
    let stop = AtomicBool::new(false);
    let mut played = 0;
    let standing = tournament
        .run(&mut keeper, &stop, |progress| {
            played += u32::from(progress.finished.is_some());
            stop.store(played >= most, Ordering::Relaxed);
        })
        .unwrap();
    (standing, played)
}

#[test]
fn a_run_in_many_sessions_is_the_run_in_one() {
    for format in ["round-robin", "gauntlet", "swiss", "knockout"] {
        let mut plan = plan(
            &["mcts", "random", "kaggle-negamax", "mcts:rollout=uniform"],
            format,
            4,
        );
        plan.concurrency = 2;
        let whole = run(plan.clone(), |_| {});
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.db");
        let mut all = 0;
        let last = loop {
            let (standing, played) = session(&path, &plan, 3);
            all += played;
            if standing.complete {
                break standing;
            }
            assert!(played > 0, "{format}: each session gets on");
        };
        assert_eq!(last.tally, whole.tally, "{format}");
        assert_eq!(last.ranking, whole.ranking, "{format}");
        let store = Store::open_to_read(&path).unwrap();
        let run = store.run_named(None).unwrap();
        let games = store.games(&run).unwrap();
        assert_eq!(
            games.len() as u32,
            whole.tally.games(),
            "{format}: no game twice, none lost"
        );
        // A game that was under way when a session stopped may be kept without being counted there.
        assert!(all <= whole.tally.games());
        let distinct: HashSet<_> = games.iter().map(|game| &game.identity).collect();
        assert_eq!(distinct.len(), games.len());
        let (standing, played) = session(&path, &plan, 3);
        assert_eq!((standing.tally, played), (whole.tally, 0));
    }
}

#[test]
fn a_run_can_go_on_for_longer_but_not_become_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.db");
    let mut plan = plan(&["random", "kaggle-negamax"], "match", 4);
    session(&path, &plan, 100);
    plan.games = 10;
    plan.concurrency = 2;
    let (standing, played) = session(&path, &plan, 100);
    assert_eq!((standing.tally.games(), played), (10, 6));
    let refused = |plan: &Plan| {
        let tournament = Tournament::new(plan.clone()).unwrap();
        open(&path).run(&tournament).err().expect("refused")
    };
    let mut other = plan.clone();
    other.players[0].engine = "random:seed=3".to_owned();
    let error = refused(&other);
    assert!(error.to_string().contains("random:seed=3"), "{error}");
    let mut other = plan.clone();
    other.game = "connectx:5x5x4".to_owned();
    assert!(matches!(refused(&other), StoreError::OtherPlan { .. }));
    // Under another name it has a place of its own.
    other.name = "other".to_owned();
    session(&path, &other, 100);
    assert_eq!(Store::open_to_read(&path).unwrap().runs().unwrap().len(), 2);
}

#[test]
fn only_one_process_plays_into_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.db");
    let _held = open(&path);
    assert!(matches!(
        Store::open(&path).err(),
        Some(StoreError::Busy(_))
    ));
    assert!(Store::open_to_read(&path).is_ok(), "anyone may read");
}

#[test]
fn kept_games_are_read_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.db");
    let plan = plan(&["mcts", "random"], "match", 4);
    let mut live = Vec::new();
    run(plan.clone(), |one| live.push(one.clone()));
    session(&path, &plan, 100);
    let store = Store::open_to_read(&path).unwrap();
    let run = store.run_named(Some("test")).unwrap();
    assert_eq!(run.players[1].engine, "random");
    for (kept, live) in store.games(&run).unwrap().iter().zip(&live) {
        assert_eq!(kept.fixture, live.fixture);
        assert_eq!(kept.identity, live.identity.to_string());
        assert_eq!(kept.opening, live.game.opening);
        assert_eq!(kept.cells, live.game.cells().collect::<Vec<_>>());
        assert_eq!(kept.outcome, live.outcome());
        assert_eq!(kept.seed, live.seed);
        assert_eq!(kept.facts.time_us.len(), kept.cells.len());
        let told: Vec<_> = live
            .game
            .moves
            .iter()
            .map(|one| one.answer.simulations)
            .collect();
        assert_eq!(kept.facts.simulations, told);
        assert!(
            kept.facts
                .simulations
                .iter()
                .flatten()
                .any(|&count| count == 20)
        );
    }
    assert!(
        store
            .run_named(Some("none"))
            .unwrap_err()
            .to_string()
            .contains("test")
    );
}

/// A store that fails as a full disk does after so many games.
struct Failing(u32);

impl Keeper for Failing {
    fn kept(&mut self) -> Result<stoneline_arena::Kept, StoreError> {
        Ok(stoneline_arena::Kept::default())
    }

    fn keep(&mut self, games: &mut dyn Iterator<Item = &Finished>) -> Result<(), StoreError> {
        let arrived = games.count() as u32;
        self.0 = self
            .0
            .checked_sub(arrived)
            .ok_or(StoreError::Foreign("full".into()))?;
        Ok(())
    }
}

#[test]
fn no_game_is_counted_that_was_not_kept() {
    let mut plan = plan(&["random", "random"], "match", 1000);
    plan.concurrency = 2;
    let mut counted = 0;
    let result =
        Tournament::new(plan)
            .unwrap()
            .run(&mut Failing(40), &AtomicBool::new(false), |progress| {
                counted = progress.tally.games()
            });
    assert!(matches!(result, Err(TournamentError::Store(_))));
    assert!(counted <= 40, "{counted} counted, 40 kept");
}
