use super::*;

const FILE: &str = "
    engine = 'mcts:rollout=block,opinion_visits=0'
    steps = 6
    check_games = 4
    play = { game = 'connectx:4x5x3', games = 2, simulations = 30, seed = 5 }
    [parameter.exploration]
    start = 1.0
    low = 0.1
    high = 2.0
    step = 0.4
    [parameter.expand_visits]
    start = 3
    low = 1
    high = 9
    step = 2
    whole = true
";

fn climb_of(strength: impl Fn(&[f64]) -> f64, seed: u64) -> Vec<f64> {
    let mut tuning = Tuning::parse(FILE).unwrap();
    tuning.steps = 1500;
    tuning.play.seed = seed;
    let mut climb = Climb::new(&tuning);
    let mut chance = Chance::new(seed);
    for step in 0..tuning.steps {
        let trial = climb.trial(step);
        let [more, less] = [1.0, -1.0].map(|way| strength(&climb.tried(&trial, way)));
        let wins = 1.0 / (1.0 + 10f64.powf((less - more) / 400.0));
        let lead: f64 = (0..2)
            .map(|_| {
                if f64::from(chance.below(1 << 20)) < wins * f64::from(1 << 20) {
                    1.0
                } else {
                    -1.0
                }
            })
            .sum();
        climb.follow(&trial, lead);
    }
    climb.values
}

#[test]
fn a_climb_finds_the_top_of_a_hill() {
    // In the order of the names: visits at expansion, exploration.
    let top = [7.0, 0.4];
    for seed in 0..20 {
        let found = climb_of(
            |at| -60.0 * (at[0] - top[0]).powi(2) / 4.0 - 900.0 * (at[1] - top[1]).powi(2),
            seed,
        );
        assert!((found[0] - top[0]).abs() < 2.5, "seed {seed}: {found:?}");
        assert!((found[1] - top[1]).abs() < 0.45, "seed {seed}: {found:?}");
    }
}

#[test]
fn a_climb_stays_within_its_bounds() {
    for seed in 0..5 {
        let found = climb_of(|at| 40.0 * at[0] + 200.0 * at[1], seed);
        assert!(found[0] <= 9.0 && found[1] <= 2.0);
        assert!(found[0] > 8.0 && found[1] > 1.8, "seed {seed}: {found:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_its_key() {
    let refused = |from: &str, to: &str, key: &str| {
        assert!(FILE.contains(from));
        let error = Tuning::parse(&FILE.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(error.contains(key), "{to}: {error}");
    };
    refused("games = 2", "games = 3", "games");
    refused("check_games = 4", "check_games = 1", "games");
    refused("start = 1.0", "start = 5.0", "exploration");
    refused("low = 0.1", "low = 4.0", "low must be below high");
    refused("step = 0.4", "step = 0.0", "step");
    refused("step = 2", "step = 0.5", "whole");
    refused("steps = 6", "steps = 0", "steps");
    refused("steps = 6", "steps = 6\npull = -1", "pull");
    refused(
        "seed = 5 }",
        "seed = 5, player = [{ engine = 'mcts' }] }",
        "player",
    );
    refused("start = 1.0", "start = nan", "finite");
    refused("steps = 6", "stpes = 6", "stpes");
}

#[test]
fn a_tuning_goes_on_where_it_stopped() {
    let tuning = Tuning::parse(FILE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let play = |file: &str, most: usize| {
        let mut store = Store::open(&folder.path().join(file)).unwrap();
        let (stop, mut played) = (AtomicBool::new(false), 0);
        let tuned = tuning
            .run(&mut store, &stop, |_, progress| {
                played += usize::from(progress.finished.is_some());
                stop.store(played >= most, std::sync::atomic::Ordering::Relaxed);
            })
            .unwrap();
        (tuned, played)
    };
    let (whole, games) = play("whole.db", usize::MAX);
    assert!(whole.complete && whole.path.len() == 7 && whole.check.is_some());
    assert_eq!(games as u64, tuning.total());
    assert_ne!(whole.before, whole.after);
    let (part, some) = play("parts.db", 5);
    assert!(!part.complete && some < games);
    let (rest, more) = play("parts.db", usize::MAX);
    assert_eq!(some + more, games, "no game twice");
    assert_eq!((rest.path, rest.check), (whole.path, whole.check));
}

#[test]
fn an_engine_gets_values_that_it_takes() {
    let tuning = Tuning::parse(FILE).unwrap();
    assert_eq!(
        tuning.engine_with(&[3.6, 0.5]),
        "mcts:rollout=block,opinion_visits=0,expand_visits=4,exploration=0.5000"
    );
}

#[test]
fn a_sparkline_shows_the_way() {
    assert_eq!(sparkline(&[1.0]), "▁");
    assert_eq!(sparkline(&[0.0, 1.0, 0.5]), "▁█▅");
    assert_eq!(sparkline(&vec![0.0; 500]).chars().count(), 40);
}
