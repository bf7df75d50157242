//! Small experiments: their arms, their resumption, and what they may claim.

use super::*;
use std::sync::atomic::Ordering;

const TEXT: &str = "title = 'Rollouts'\nquestion = 'Which?'\ngame = 'connectx:5x5x4'\ngames = 12\n\
    simulations = 20\nnodes = 100\nopponents = ['kaggle-negamax', 'random']\n\
    [[arm]]\nname = 'as it is'\nengine = 'mcts'\n\
    [vary]\nengine = 'mcts'\nvalues = { rollout = ['uniform', 'keep'], reuse = ['false', 'true'] }\n";

fn run(store: &Path, stop_after: u32) -> Findings {
    let experiment = Experiment::parse(TEXT).unwrap();
    let stop = AtomicBool::new(false);
    let mut played = 0;
    let mut store = Store::open(store).unwrap();
    experiment
        .run(&mut store, &stop, |_, progress| {
            played += u32::from(progress.finished.is_some());
            stop.store(played >= stop_after, Ordering::Relaxed);
        })
        .unwrap()
}

#[test]
fn values_are_combined_each_with_each() {
    let arms = Experiment::parse(TEXT).unwrap().all_arms();
    let engines: Vec<&str> = arms.iter().map(|arm| arm.engine.as_str()).collect();
    assert_eq!(
        engines,
        [
            "mcts",
            "mcts:reuse=false,rollout=uniform",
            "mcts:reuse=false,rollout=keep",
            "mcts:reuse=true,rollout=uniform",
            "mcts:reuse=true,rollout=keep"
        ]
    );
}

#[test]
fn an_interrupted_experiment_goes_on_to_the_same_findings() {
    let folder = tempfile::tempdir().unwrap();
    let whole = run(&folder.path().join("whole.db"), u32::MAX);
    assert!(whole.complete);
    assert_eq!(whole.cells.len(), 10);
    let parts = folder.path().join("parts.db");
    assert!(!run(&parts, 7).complete);
    assert!(!run(&parts, 20).complete);
    let joined = run(&parts, u32::MAX);
    assert_eq!(joined.markdown(None), whole.markdown(None));
    assert_eq!(joined.json(), whole.json());
    assert!(
        whole
            .markdown(Some("a.svg"))
            .contains("![Elo of each arm against each opponent](a.svg)")
    );
    assert!(whole.svg().starts_with("<svg xmlns="));
    assert_eq!(whole.conclusions().len(), 4);
}

#[test]
fn only_intervals_without_zero_claim_a_difference() {
    let elo = |low, mid, high| Elo { low, mid, high };
    assert!(verdict(elo(5.0, 20.0, 35.0), "stronger", "weaker").starts_with("stronger: +20"));
    assert!(verdict(elo(-35.0, -20.0, -5.0), "stronger", "weaker").starts_with("weaker: -20"));
    assert!(
        verdict(elo(-5.0, 20.0, 45.0), "stronger", "weaker").starts_with("no difference shown")
    );
    let folder = tempfile::tempdir().unwrap();
    let text = TEXT.replace("games = 12", "games = 2").replace(
        "name = 'as it is'\nengine = 'mcts'",
        "name = 'a'\nengine = 'random'",
    );
    let experiment = Experiment::parse(&text).unwrap();
    let mut store = Store::open(&folder.path().join("few.db")).unwrap();
    let findings = experiment
        .run(&mut store, &AtomicBool::new(false), |_, _| {})
        .unwrap();
    assert_eq!(findings.experiment.total(), 20);
    assert_eq!(findings.conclusions().len(), 4, "each arm with the first");
    let mut direct = findings;
    direct.experiment.compare_with = Baseline::Opponent;
    let lines = direct.conclusions();
    assert_eq!(lines.len(), 10, "each arm with each opponent");
    assert!(
        lines[0].starts_with("a against kaggle-negamax: "),
        "{lines:?}"
    );
}

/// Two opponents who tell the same, and one whom everybody beats.
#[test]
fn opponents_who_tell_nothing_do_not_blur_a_difference() {
    let experiment = Experiment::parse(&TEXT.replace(
        "['kaggle-negamax', 'random']",
        "['kaggle-negamax', 'mcts', 'random']",
    ))
    .unwrap();
    let cell = |arm, opponent, wins: u32| {
        let mut score = Score::default();
        (0..100).for_each(|game| score.count_game(if game < wins { 2 } else { 0 }));
        let mut report = Report::default();
        report.score = score;
        Cell {
            arm,
            opponent,
            report,
        }
    };
    let wins = [(0, [50, 50, 100]), (1, [80, 80, 100])];
    let cells = wins.into_iter().flat_map(|(arm, of)| {
        let own = of.into_iter().enumerate();
        own.map(move |(opponent, wins)| cell(arm, opponent, wins))
    });
    let findings = Findings {
        arms: experiment.all_arms(),
        cells: cells.collect(),
        complete: true,
        experiment,
    };
    let elo = findings.to_first(1).unwrap();
    assert!((elo.mid - 240.0).abs() < 15.0, "{elo:?}");
    assert!(elo.low > 150.0 && elo.high < 330.0, "{elo:?}");
}

#[test]
fn nonsense_is_refused() {
    for (from, to, offender) in [
        ("games = 12", "games = 3", "games"),
        (
            "opponents = ['kaggle-negamax', 'random']",
            "opponents = []",
            "opponents",
        ),
        ("question", "qestion", "qestion"),
    ] {
        let error = Experiment::parse(&TEXT.replace(from, to)).unwrap_err();
        assert!(error.to_string().contains(offender), "{error}");
    }
}
