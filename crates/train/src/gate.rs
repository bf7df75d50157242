//! The gate: matches that a new net must come through before it replaces the old.
//!
//! Both nets search the same number of nodes from the same openings, colours
//! swapped on each. The new net is let in when a sequential test against the
//! old one accepts it, and its points against every yardstick are not below the
//! old net's by more than chance explains.

use crate::selfplay::play_out;
use crate::settings::Gate;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use stoneline_arena::{Decision, NoOpening, Openings, Scale, Score, Sprt};
use stoneline_rules::{ReadError, Side};
use stoneline_search::neural::{Net, NetError};
use stoneline_search::{BuildError, Limits, Spec, think_quietly};
use thiserror::Error;

/// Chance of either wrong verdict against the old net.
const ERROR_RATE: f64 = 0.05;
/// Standard deviations of a difference that chance explains.
const CHANCE: f64 = 2.0;

/// Why the gate can't be held.
#[derive(Debug, Error)]
pub enum GateError {
    /// A net can't be read.
    #[error(transparent)]
    Net(#[from] NetError),
    /// An engine's name can't be read.
    #[error("engine {name:?}: {error}")]
    Name {
        /// The name.
        name: String,
        /// Place and reason.
        error: ReadError,
    },
    /// An engine does not play the game.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The game has no such openings.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The game's name can't be read.
    #[error(transparent)]
    Board(#[from] ReadError),
}

/// A match of the gate, so far or in the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// The two engines.
    pub engines: [String; 2],
    /// Results of the first of them.
    pub score: Score,
    /// The same, for the games in which it was the first and the second side.
    pub by_side: [Score; 2],
}

/// What the gate found.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The new net replaces the old.
    Let,
    /// It does not, for this reason.
    Refused(String),
    /// The watcher ended it before.
    Stopped,
}

impl Match {
    fn new(engines: [&str; 2]) -> Self {
        Self {
            engines: engines.map(str::to_owned),
            score: Score::default(),
            by_side: [Score::default(); 2],
        }
    }

    /// Counts the two games of an opening, in half points of the first engine.
    fn count(&mut self, halves: [usize; 2]) {
        for (halves, by_side) in halves.into_iter().zip(&mut self.by_side) {
            for score in [&mut self.score, by_side] {
                match halves {
                    0 => score.losses += 1,
                    1 => score.draws += 1,
                    _ => score.wins += 1,
                }
            }
        }
        self.score.pairs[halves[0] + halves[1]] += 1;
    }
}

/// Holds the gate; every match that was played and the verdict.
///
/// `watch` hears of each pair of games.
///
/// # Errors
/// If a net or an engine can't be had, or the game has no such openings.
pub fn gate(
    settings: &Gate,
    threads: usize,
    mut watch: impl FnMut(&Match) -> ControlFlow<()> + Send,
) -> Result<(Vec<Match>, Verdict), GateError> {
    let new = player(Some(&settings.net), settings.nodes)?;
    let old = player(settings.old.as_deref(), settings.nodes)?;
    let (elo0, elo1) = settings.sprt;
    let sprt = Sprt {
        elo0,
        elo1,
        alpha: ERROR_RATE,
        beta: ERROR_RATE,
        scale: Scale::Logistic,
    };
    let mut matches = Vec::new();
    let decided = |score: &Score| sprt.decide(score) != Decision::Open;
    let Some(duel) = play_match(
        settings,
        [&new, &old],
        settings.games,
        threads,
        &decided,
        &mut watch,
    )?
    else {
        return Ok((matches, Verdict::Stopped));
    };
    let decision = sprt.decide(&duel.score);
    matches.push(duel);
    if decision != Decision::Accepted {
        let reason = match decision {
            Decision::Rejected => format!("not {elo1} Elo better than the old net"),
            _ => "the games did not decide against the old net".to_owned(),
        };
        return Ok((matches, Verdict::Refused(reason)));
    }
    for name in &settings.yardsticks {
        let yardstick = read(name)?;
        let mut shares = Vec::new();
        for net in [&new, &old] {
            let games = settings.yardstick_games;
            let played = play_match(
                settings,
                [net, &yardstick],
                games,
                threads,
                &|_| false,
                &mut watch,
            )?;
            let Some(played) = played else {
                return Ok((matches, Verdict::Stopped));
            };
            shares.push((played.score.share(), f64::from(played.score.games().max(1))));
            matches.push(played);
        }
        let [(now, games), (before, games_before)] = shares[..] else {
            unreachable!("both nets played");
        };
        // A game's points spread by at most a half.
        let spread = (0.25 / games + 0.25 / games_before).sqrt();
        if now < before - CHANCE * spread {
            let reason = format!("scores {now:.3} against {name}, the old net {before:.3}");
            return Ok((matches, Verdict::Refused(reason)));
        }
    }
    Ok((matches, Verdict::Let))
}

fn read(name: &str) -> Result<Spec, GateError> {
    name.parse().map_err(|error| GateError::Name {
        name: name.to_owned(),
        error,
    })
}

/// The search with the net in a file, or with the one that ships.
fn player(net: Option<&Path>, nodes: u64) -> Result<Spec, GateError> {
    let eval = match net {
        None => "net".to_owned(),
        Some(path) => {
            // Read here for the error's sake: the engine's name would blame its key.
            Net::load(path)?;
            path.display().to_string()
        }
    };
    read(&format!("alphabeta:eval={eval},nodes={nodes},memory=8MB"))
}

/// Plays pairs until there are enough or `decided`; `None` if `watch` breaks.
fn play_match(
    settings: &Gate,
    engines: [&Spec; 2],
    games: u32,
    threads: usize,
    decided: &(dyn Fn(&Score) -> bool + Sync),
    watch: &mut (impl FnMut(&Match) -> ControlFlow<()> + Send),
) -> Result<Option<Match>, GateError> {
    let openings = Openings::new(&settings.board, settings.opening_plies, settings.seed)?;
    let next = AtomicU32::new(0);
    let stop = AtomicBool::new(false);
    let was_broken = AtomicBool::new(false);
    let played = Match::new(engines.map(Spec::text));
    let common = Mutex::new((played, watch));
    let work = || -> Result<(), GateError> {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games.div_ceil(2) {
                break;
            }
            let halves = pair(&openings, number, engines)?;
            let mut common = common.lock().expect("no holder panics");
            let (played, watch) = &mut *common;
            played.count(halves);
            let is_broken = watch(played).is_break();
            was_broken.fetch_or(is_broken, Ordering::Relaxed);
            if is_broken || decided(&played.score) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, _>| worker.join();
        workers
            .into_iter()
            .try_for_each(|worker| join(worker).expect("games never panic"))
    })?;
    let (played, _) = common.into_inner().expect("no holder panics");
    Ok((!was_broken.into_inner()).then_some(played))
}

/// Half points of the first engine in the two games of an opening, as first and as second side.
fn pair(openings: &Openings, number: u32, engines: [&Spec; 2]) -> Result<[usize; 2], GateError> {
    let opening = openings.at(u64::from(number))?;
    let mut halves = [0; 2];
    for (points, first_engine) in halves.iter_mut().zip(Side::BOTH) {
        let variant = opening.variant();
        let mut players = [engines[0].build(variant)?, engines[1].build(variant)?];
        let limits = Limits {
            seed: Some(u64::from(number)),
            ..Limits::default()
        };
        let mut position = opening.clone();
        let winner = play_out(&mut position, |position| {
            let is_ours = position.side_to_move() == first_engine;
            think_quietly(&mut *players[usize::from(!is_ours)], position, &limits)
        });
        *points = match winner {
            None => 1,
            Some(side) if side == first_engine => 2,
            Some(_) => 0,
        };
    }
    Ok(halves)
}
