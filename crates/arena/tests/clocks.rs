//! The referee's clocks: what is left after each turn, and what every player is told of it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;
use stoneline_arena::{
    Adjudication, Answer, Game, Loss, Plan, Player, Reason, Seat, Start, Terms, Turn, play,
};
use stoneline_rules::{Position, Side};
use stoneline_search::Limits;

/// Notes what it is told at each turn, and plays the first legal move.
#[derive(Default)]
struct Witness {
    told: Vec<Limits>,
    deadlines: Vec<Duration>,
    /// Whether it looks at the clock until the move's own time is over.
    is_slow: bool,
}

impl Player for Witness {
    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Loss> {
        self.told.push(start.limits.clone());
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Loss> {
        let begun = std::time::Instant::now();
        self.told.push(turn.limits.clone());
        self.deadlines.push(turn.deadline.unwrap());
        while self.is_slow && begun.elapsed() <= turn.limits.time.unwrap() {
            std::hint::spin_loop();
        }
        Ok(Answer::bare(turn.position.legal_moves()[0]))
    }
}

const TOLERANCE: Duration = Duration::from_secs(5);

fn game(first: &mut Witness, second: &mut Witness, limits: &Limits, tolerance: Duration) -> Game {
    let terms = Terms {
        tolerance,
        adjudication: Adjudication::default(),
    };
    let players: [&mut dyn Player; 2] = [first, second];
    let seats = players.map(|player| Seat {
        player,
        limits: limits.clone(),
    });
    let opening: Position = "connect4".parse().unwrap();
    play(&opening, seats, &terms, &AtomicBool::new(false)).unwrap()
}

#[test]
fn a_match_clock_runs_down_and_gains_its_increment() {
    let clock = Duration::from_secs(1000);
    let increment = Duration::from_secs(10);
    let limits = Limits {
        remaining: Some(clock),
        increment: Some(increment),
        ..Limits::default()
    };
    let mut witness = Witness::default();
    game(&mut witness, &mut Witness::default(), &limits, TOLERANCE);
    let left: Vec<Duration> = witness
        .told
        .iter()
        .map(|limits| limits.remaining.unwrap())
        .collect();
    assert_eq!(left[..2], [clock, clock]);
    for (turn, pair) in left[1..].windows(2).enumerate() {
        assert!(
            pair[1] > pair[0] && pair[1] < pair[0] + increment,
            "turn {turn}"
        );
    }
    for (left, deadline) in left[1..].iter().zip(witness.deadlines) {
        assert_eq!(deadline, *left + TOLERANCE);
    }
}

#[test]
fn a_bank_pays_for_moves_that_take_longer_and_for_nothing_else() {
    let (time, bank) = (Duration::from_millis(2), Duration::from_secs(1000));
    let limits = Limits {
        time: Some(time),
        overage: Some(bank),
        ..Limits::default()
    };
    let mut slow = Witness {
        is_slow: true,
        ..Witness::default()
    };
    let mut calm = Witness::default();
    let long = Limits {
        time: Some(bank),
        ..limits.clone()
    };
    game(&mut slow, &mut Witness::default(), &limits, TOLERANCE);
    game(&mut calm, &mut Witness::default(), &long, TOLERANCE);
    let banks = |witness: &Witness| -> Vec<Duration> {
        let told = witness.told[1..].iter();
        told.map(|limits| limits.overage.unwrap()).collect()
    };
    assert_eq!(banks(&slow)[0], bank);
    for pair in banks(&slow).windows(2) {
        assert!(pair[1] < pair[0], "every turn took longer than its time");
    }
    for (left, deadline) in banks(&slow).iter().zip(&slow.deadlines) {
        assert_eq!(*deadline, time + *left + TOLERANCE);
    }
    assert!(banks(&calm).iter().all(|left| *left == bank));
}

#[test]
fn whoever_has_used_up_the_bank_loses_on_time() {
    let limits = Limits {
        time: Some(Duration::ZERO),
        overage: Some(Duration::ZERO),
        ..Limits::default()
    };
    let lost = game(
        &mut Witness::default(),
        &mut Witness::default(),
        &limits,
        Duration::ZERO,
    );
    assert_eq!(
        (lost.winner, lost.reason),
        (Some(Side::Second), Reason::Time)
    );
}

#[test]
fn a_bank_is_read_from_the_plan_and_needs_a_time() {
    let plan = Plan::parse("time = '2s'\noverage = '60s'").unwrap();
    let limits = plan.limits().unwrap();
    assert_eq!(limits.overage, Some(Duration::from_secs(60)));
    let error = Plan::parse("overage = '60s'")
        .unwrap()
        .limits()
        .unwrap_err();
    assert!(error.to_string().contains("overage"), "{error}");
    let error = Plan::parse("time = 5\noverage = 'long'")
        .unwrap()
        .limits()
        .unwrap_err();
    assert!(error.to_string().contains("overage"), "{error}");
}
