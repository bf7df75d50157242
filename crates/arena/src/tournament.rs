//! A tournament being played: games side by side, kept before they are counted,
//! counted in their order.
//!
//! Whatever finished first, and however often it was interrupted, the same
//! plan gives the same tally.

mod worker;

use crate::adjudicate::Adjudication;
use crate::cores;
use crate::game::{Game, Terms};
use crate::identity::Identity;
use crate::opening::{ListError, NoOpening, Openings};
use crate::plan::{Plan, PlanError};
use crate::player::{Entrant, Unfit};
use crate::schedule::{Fixture, Schedule, Shape};
use crate::sprt::{Decision, Sprt};
use crate::store::{Keeper, StoreError};
use crate::system::{self, missing_protection};
use crate::tally::{Outcome, Tally};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use stoneline_rules::{ReadError, Variant};
use stoneline_search::{Limits, Spec};
use thiserror::Error;
use worker::{Book, Worker};

/// A tournament that can be played.
pub struct Tournament {
    plan: Plan,
    names: Vec<String>,
    entrants: Vec<Entrant>,
    limits: Vec<Limits>,
    openings: Openings,
    terms: Terms,
    shape: Shape,
}

/// Why a tournament can't be played, or not to its end.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The plan makes no sense.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// There is no such game.
    #[error("game {game:?}: {error}")]
    Game {
        /// Its name.
        game: String,
        /// Why not.
        error: ReadError,
    },
    /// There is no such player.
    #[error("engine {engine:?}: {error}")]
    Engine {
        /// Its text.
        engine: String,
        /// Why not.
        error: ReadError,
    },
    /// A player can't take part.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// There are no openings as asked for.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The list of openings is wrong.
    #[error("openings: {0}")]
    List(#[from] ListError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A game that has just been played.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Its place in the tournament.
    pub fixture: Fixture,
    /// The hash of all that decides it.
    pub identity: Identity,
    /// The source of its chance.
    pub seed: u64,
    /// The game.
    pub game: Game,
}

impl Finished {
    /// What is counted of it.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            winner: self.game.winner,
            reason: self.game.reason,
            plies: self.game.moves.len() as u32,
        }
    }
}

/// How a tournament stands after a game was counted.
pub struct Progress<'a> {
    /// The game counted last.
    pub fixture: &'a Fixture,
    /// The game itself, unless it was played in an earlier session.
    pub finished: Option<&'a Finished>,
    /// All results so far.
    pub tally: &'a Tally,
    /// Games in all; the least number where ties prolong it.
    pub total: u32,
}

/// What came of a tournament.
#[derive(Clone, Debug)]
pub struct Standing {
    /// All results.
    pub tally: Tally,
    /// The players from best to worst, where the format ranks them and not their ratings.
    pub ranking: Option<Vec<usize>>,
    /// Whether it was played to its end.
    pub complete: bool,
}

/// What a worker hands over.
enum Delivery {
    /// A game that was kept in an earlier session.
    Kept(Fixture, Outcome),
    Played(Box<Finished>),
}

/// How often it is seen that the caller wants an end.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// Time a move where nothing else bounds it.
const USUAL_TIME: Duration = Duration::from_millis(100);

impl Tournament {
    /// The tournament that a plan describes.
    ///
    /// # Errors
    /// Everything that can be known to be wrong before the first game.
    pub fn new(plan: Plan) -> Result<Self, TournamentError> {
        let shape = plan.shape()?;
        let openings = openings(&plan)?;
        let first = openings.at(0)?;
        let shared = plan.limits()?;
        let terms = Terms {
            tolerance: plan.tolerance()?,
            adjudication: checked(plan.adjudicate, first.variant())?,
        };
        let mut entrants = Vec::new();
        let mut limits = Vec::new();
        for player in &plan.players {
            let entrant: Entrant =
                player
                    .engine
                    .parse()
                    .map_err(|error| TournamentError::Engine {
                        engine: player.engine.clone(),
                        error,
                    })?;
            entrant.check(first.variant())?;
            let mut own = entrant.own_limits().or(&shared);
            if !own.has_clock() && own.nodes.is_none() && own.simulations.is_none() {
                own.time = Some(USUAL_TIME);
            }
            limits.push(own);
            entrants.push(entrant);
        }
        Ok(Self {
            names: names(&plan),
            entrants,
            limits,
            openings,
            terms,
            shape,
            plan,
        })
    }

    /// The plan.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What the players are called, each differently.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All that makes each player play as it does.
    pub fn identities(&self) -> Vec<String> {
        self.entrants.iter().map(Entrant::identity).collect()
    }

    /// What the system can't keep the foreign players among these from, in a sentence;
    /// `None` if it can all that we ask for, or all players are our own.
    pub fn missing_protection(&self) -> Option<String> {
        let foreign = self.entrants.iter().any(Entrant::is_foreign);
        missing_protection().filter(|_| foreign)
    }

    /// The schedule from its beginning.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.shape)
    }

    /// Plays what `keeper` does not have yet; `watch` hears of every game as it is counted.
    ///
    /// Ends early, incomplete, when `stop` is set: games that are under way are dropped.
    ///
    /// # Errors
    /// If there is no opening, a player does not play the board drawn, or the store fails.
    pub fn run(
        &self,
        keeper: &mut dyn Keeper,
        stop: &AtomicBool,
        mut watch: impl FnMut(&Progress<'_>),
    ) -> Result<Standing, TournamentError> {
        let mut schedule = self.schedule();
        let total = schedule.total();
        let mut tally = Tally::new(self.entrants.len());
        let book = Book::new(keeper)?;
        let name = self.plan.name.as_str();
        tracing::info!(
            name,
            players = self.names.len(),
            games = total,
            "tournament begun"
        );
        let mut decided = false;
        loop {
            let batch = schedule.next_batch(&tally);
            if batch.is_empty() || decided {
                break;
            }
            let due = batch.len() as u32 + tally.games();
            let mut count = |tally: &mut Tally, delivery: &Delivery| {
                let (fixture, outcome, finished) = match delivery {
                    Delivery::Kept(fixture, outcome) => (fixture, *outcome, None),
                    Delivery::Played(one) => (&one.fixture, one.outcome(), Some(&**one)),
                };
                tally.count(fixture, &outcome);
                watch(&Progress {
                    fixture,
                    finished,
                    tally,
                    total,
                });
                decided = self.is_decided(tally);
                decided
            };
            self.play_batch(&batch, &book, keeper, stop, &mut |delivery| {
                count(&mut tally, delivery)
            })?;
            if !decided && tally.games() < due {
                tracing::info!(name, games = tally.games(), "tournament stopped");
                return Ok(Standing {
                    ranking: schedule.ranking(&tally),
                    tally,
                    complete: false,
                });
            }
        }
        tracing::info!(name, games = tally.games(), decided, "tournament ended");
        Ok(Standing {
            ranking: schedule.ranking(&tally),
            tally,
            complete: true,
        })
    }

    fn is_decided(&self, tally: &Tally) -> bool {
        self.plan
            .sprt
            .is_some_and(|sprt: Sprt| sprt.decide(&tally.report(0, 1).score) != Decision::Open)
    }

    /// Plays and counts a batch, until it is done, decided, stopped or failed.
    fn play_batch(
        &self,
        batch: &[Fixture],
        book: &Book,
        keeper: &mut dyn Keeper,
        stop: &AtomicBool,
        count: &mut dyn FnMut(&Delivery) -> bool,
    ) -> Result<(), TournamentError> {
        let next = AtomicUsize::new(0);
        // Its own flag: a decided match ends its games without ending the caller's others.
        let over = AtomicBool::new(false);
        let (send, receive) = mpsc::channel();
        let games = self.plan.concurrency.clamp(1, batch.len());
        let shares = cores::plan(self.plan.pin, games, &self.limits);
        std::thread::scope(|scope| {
            for number in 0..games {
                let send = send.clone();
                let (next, over) = (&next, &over);
                let own_cores = shares.as_ref().map(|shares| shares[number].as_slice());
                scope.spawn(move || {
                    if let Some(cores) = own_cores {
                        system::keep_on_cores(cores);
                    }
                    let mut worker = Worker::new(self, book, over);
                    while let Some(fixture) = batch.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(delivery) = worker.deliver(fixture).transpose() else {
                            break;
                        };
                        let failed = delivery.is_err();
                        if send.send(delivery).is_err() || failed {
                            break;
                        }
                    }
                });
            }
            drop(send);
            let result = collect(batch[0].number, &receive, keeper, [stop, &over], count);
            over.store(true, Ordering::Relaxed);
            result
        })
    }
}

/// Keeps games as they come in, all that wait in one go, then counts them in order.
fn collect(
    mut due: u32,
    receive: &mpsc::Receiver<Result<Delivery, TournamentError>>,
    keeper: &mut dyn Keeper,
    [stop, over]: [&AtomicBool; 2],
    count: &mut dyn FnMut(&Delivery) -> bool,
) -> Result<(), TournamentError> {
    let mut waiting = BTreeMap::new();
    loop {
        let first = match receive.recv_timeout(STOP_CHECK) {
            Ok(first) => first?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                over.fetch_or(stop.load(Ordering::Relaxed), Ordering::Relaxed);
                continue;
            }
        };
        over.fetch_or(stop.load(Ordering::Relaxed), Ordering::Relaxed);
        // One write to disk for all games that finished meanwhile.
        let mut arrived = vec![first];
        while let Ok(another) = receive.try_recv() {
            arrived.push(another?);
        }
        keeper.keep(&mut arrived.iter().filter_map(|delivery| match delivery {
            Delivery::Played(finished) => Some(&**finished),
            Delivery::Kept(..) => None,
        }))?;
        for delivery in arrived {
            let number = match &delivery {
                Delivery::Kept(fixture, _) => fixture.number,
                Delivery::Played(finished) => finished.fixture.number,
            };
            waiting.insert(number, delivery);
        }
        while let Some(delivery) = waiting.remove(&due) {
            due += 1;
            if count(&delivery) {
                return Ok(());
            }
        }
    }
}

fn names(plan: &Plan) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for player in &plan.players {
        let wanted = match player.name.as_str() {
            "" => &player.engine,
            name => name,
        };
        let mut name = wanted.to_owned();
        let mut copy = 1;
        while names.contains(&name) {
            copy += 1;
            name = format!("{wanted} ({copy})");
        }
        names.push(name);
    }
    names
}

fn openings(plan: &Plan) -> Result<Openings, TournamentError> {
    let asked = &plan.openings;
    if !asked.list.is_empty() {
        return Ok(Openings::listed(&plan.game, &asked.list, asked.centred)?);
    }
    let wrong = |error| TournamentError::Game {
        game: plan.game.clone(),
        error,
    };
    let plies = asked
        .plies
        .unwrap_or(if plan.game == "course" { 0 } else { 3 });
    let openings = Openings::new(&plan.game, plies, plan.seed).map_err(wrong)?;
    let Some(candidates) = asked.balance else {
        return Ok(openings);
    };
    let falls = Variant::named(&plan.game, 0).map_err(wrong)?.rule().falls();
    let usual = if falls { "mcts" } else { "best" };
    let judge = asked.judge.as_deref().unwrap_or(usual);
    let spec: Spec = judge.parse().map_err(|error| TournamentError::Engine {
        engine: judge.to_owned(),
        error,
    })?;
    Ok(openings.balanced(candidates, spec))
}

fn checked(rule: Adjudication, variant: &Variant) -> Result<Adjudication, PlanError> {
    if rule.proof_nodes.is_some() && !variant.rule().falls() {
        let reason = format!("the exact solver needs stones that fall, unlike {variant}");
        return Err(PlanError::value("adjudicate.proof_nodes", reason));
    }
    if rule
        .score
        .is_some_and(|score| !(0.5..=1.0).contains(&score))
    {
        let reason = "a share of points between 0.5 and 1";
        return Err(PlanError::value("adjudicate.score", reason));
    }
    if rule.moves == Some(0) {
        return Err(PlanError::value("adjudicate.moves", "at least 1"));
    }
    Ok(rule)
}
