//! The gate: matches that a new net must come through before it replaces the old.
//!
//! Both nets search the same number of nodes from the same openings, colours
//! swapped on each. The new net is let in when a sequential test against the
//! old one accepts it, and its points against every yardstick, ours or another
//! program, are not below the old net's by more than chance explains. The
//! arena plays, so a foreign yardstick is fenced off as it is there.

use crate::settings::Gate;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use stoneline_arena::{
    Decision, Entrant, Forgetful, Format, OpeningPlan, Plan, PlayerPlan, Report, Scale, Score,
    Sprt, Tournament, TournamentError,
};
use stoneline_rules::{ReadError, Variant};
use stoneline_search::neural::{Net, NetError};
use thiserror::Error;

/// Chance of either wrong verdict against the old net.
const ERROR_RATE: f64 = 0.05;
/// Standard deviations of a difference that chance explains.
const CHANCE: f64 = 2.0;
/// The largest share of games that a yardstick may forfeit and still be one.
const MOST_FORFEITS: f64 = 0.1;

/// Why the gate can't be held.
#[derive(Debug, Error)]
pub enum GateError {
    /// A net can't be read.
    #[error(transparent)]
    Net(#[from] NetError),
    /// A match can't be played.
    #[error(transparent)]
    Match(#[from] TournamentError),
}

/// A match of the gate, so far or in the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// The two engines.
    pub engines: [String; 2],
    /// Games at most.
    pub games: u32,
    /// Results of the first of them.
    pub report: Report,
}

/// What the gate found.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The new net replaces the old.
    Let,
    /// It does not, for this reason.
    Refused(String),
    /// It was stopped before.
    Stopped,
}

/// Holds the gate; every match that was played to its end and the verdict.
///
/// `watch` hears of each game; `stop` ends the games under way.
///
/// # Errors
/// If a net can't be had, or a match can't be played.
pub fn gate(
    settings: &Gate,
    threads: usize,
    stop: &AtomicBool,
    mut watch: impl FnMut(&Match),
) -> Result<(Vec<Match>, Verdict), GateError> {
    let new = player(Some(&settings.net), settings.nodes)?;
    let old = player(settings.old.as_deref(), settings.nodes)?;
    check_yardsticks(settings)?;
    let mut matches = Vec::new();
    let verdict = matches_decide(settings, [&new, &old], |pairing| {
        let played = play_match(settings, pairing, threads, stop, &mut watch)?;
        matches.extend(played.clone());
        Ok(played)
    })?;
    Ok((matches, verdict))
}

/// Refuses a yardstick that can't play before hours have gone into the duel.
fn check_yardsticks(settings: &Gate) -> Result<(), TournamentError> {
    let board = Variant::named(&settings.board, settings.seed).map_err(|error| {
        let game = settings.board.clone();
        TournamentError::Game { game, error }
    })?;
    for engine in &settings.yardsticks {
        let entrant: Entrant = engine.parse().map_err(|error| TournamentError::Engine {
            engine: engine.clone(),
            error,
        })?;
        entrant.check(&board)?;
    }
    Ok(())
}

/// Two engines, and how long they play.
struct Pairing<'a> {
    engines: [&'a str; 2],
    games: u32,
    sprt: Option<Sprt>,
}

/// The verdict on the first net, by matches that `play` plays; it has none if it was stopped.
fn matches_decide(
    settings: &Gate,
    [new, old]: [&str; 2],
    mut play: impl FnMut(&Pairing<'_>) -> Result<Option<Match>, GateError>,
) -> Result<Verdict, GateError> {
    let (elo0, elo1) = settings.sprt;
    let sprt = Sprt {
        elo0,
        elo1,
        alpha: ERROR_RATE,
        beta: ERROR_RATE,
        scale: Scale::Logistic,
    };
    let Some(duel) = play(&Pairing {
        engines: [new, old],
        games: settings.games,
        sprt: Some(sprt),
    })?
    else {
        return Ok(Verdict::Stopped);
    };
    match sprt.decide(&duel.report.score) {
        Decision::Accepted => {}
        Decision::Rejected => {
            let reason = format!("not {elo1} Elo better than the old net");
            return Ok(Verdict::Refused(reason));
        }
        Decision::Open => {
            let reason = "the games did not decide against the old net".to_owned();
            return Ok(Verdict::Refused(reason));
        }
    }
    for yardstick in &settings.yardsticks {
        let mut against = |net| {
            play(&Pairing {
                engines: [net, yardstick],
                games: settings.yardstick_games,
                sprt: None,
            })
        };
        let (Some(now), Some(before)) = (against(new)?, against(old)?) else {
            return Ok(Verdict::Stopped);
        };
        if let Some(reason) = lost_ground(yardstick, &now.report, &before.report) {
            return Ok(Verdict::Refused(reason));
        }
    }
    Ok(Verdict::Let)
}

/// Why results against a yardstick don't let the new net in, if they don't.
fn lost_ground(yardstick: &str, now: &Report, before: &Report) -> Option<String> {
    let games = |score: &Score| f64::from(score.games().max(1));
    for report in [now, before] {
        let [_, forfeits] = report.forfeits;
        if f64::from(forfeits) > MOST_FORFEITS * games(&report.score) {
            let games = report.score.games();
            return Some(format!(
                "{yardstick} forfeited {forfeits} of {games} games, which says nothing of the \
                 nets; give it more yardstick_time, or play it by `stoneline match` to see why"
            ));
        }
    }
    let (now, before) = (&now.score, &before.score);
    // A game's points spread by at most a half.
    let spread = (0.25 / games(now) + 0.25 / games(before)).sqrt();
    let [now, before] = [now, before].map(Score::share);
    (now < before - CHANCE * spread)
        .then(|| format!("scores {now:.3} against {yardstick}, the old net {before:.3}"))
}

/// The search with the net in a file, or with the one that ships, by name.
fn player(net: Option<&Path>, nodes: u64) -> Result<String, GateError> {
    let eval = match net {
        None => "net".to_owned(),
        Some(path) => {
            // Read here for the error's sake: the engine's name would blame its key.
            Net::load(path)?;
            path.display().to_string()
        }
    };
    Ok(format!("alphabeta:eval={eval},nodes={nodes},memory=8MB"))
}

/// Plays a match to its end; `None` if it was stopped.
fn play_match(
    settings: &Gate,
    pairing: &Pairing<'_>,
    threads: usize,
    stop: &AtomicBool,
    watch: &mut impl FnMut(&Match),
) -> Result<Option<Match>, GateError> {
    let engines = pairing.engines.map(str::to_owned);
    // Colours are swapped, so that games come in pairs.
    let games = pairing.games.next_multiple_of(2);
    let players = engines.clone().map(|engine| PlayerPlan {
        name: String::new(),
        engine,
    });
    let tournament = Tournament::new(Plan {
        game: settings.board.clone(),
        games,
        seed: settings.seed,
        concurrency: threads.max(1),
        time: is_foreign(pairing.engines[1]).then(|| settings.yardstick_time.clone()),
        openings: OpeningPlan {
            plies: Some(settings.opening_plies),
            ..OpeningPlan::default()
        },
        sprt: pairing.sprt,
        ..Plan::of(Format::Match, players.into())
    })?;
    let standing = tournament.run(&mut Forgetful, stop, |progress| {
        watch(&Match {
            engines: engines.clone(),
            games,
            report: progress.tally.report(0, 1),
        });
    })?;
    Ok(standing.complete.then(|| Match {
        engines,
        games,
        report: standing.tally.report(0, 1),
    }))
}

/// Whether a name is that of another program, which has no bound on its moves among its keys.
fn is_foreign(name: &str) -> bool {
    let entrant: Result<Entrant, ReadError> = name.parse();
    entrant.is_ok_and(|entrant| entrant.is_foreign())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Gate {
        toml::from_str("sprt = [0.0, 30.0]\nyardsticks = [\"one\", \"two\"]").unwrap()
    }

    fn report(wins: u32, losses: u32) -> Report {
        let mut report = Report::default();
        report.score = Score {
            wins,
            losses,
            draws: 0,
            pairs: [losses / 2, 0, 0, 0, wins / 2],
        };
        report
    }

    /// The verdict when the matches end as told, and who met whom.
    fn verdict(mut ends: Vec<Option<Report>>) -> (Verdict, Vec<[String; 2]>) {
        ends.reverse();
        let mut met = Vec::new();
        let verdict = matches_decide(&settings(), ["new", "old"], |pairing| {
            let engines = pairing.engines.map(str::to_owned);
            met.push(engines.clone());
            let end = ends.pop().expect("no match more than told");
            let games = pairing.games;
            Ok(end.map(|report| Match {
                engines,
                games,
                report,
            }))
        });
        assert!(ends.is_empty(), "{} matches were not played", ends.len());
        (verdict.unwrap(), met)
    }

    #[test]
    fn a_better_net_meets_every_yardstick_and_is_let_in() {
        let won = Some(report(300, 100));
        let even = Some(report(50, 50));
        let (found, met) = verdict(vec![won, even.clone(), even.clone(), even.clone(), even]);
        assert_eq!(found, Verdict::Let);
        let expected = [
            ["new", "old"],
            ["new", "one"],
            ["old", "one"],
            ["new", "two"],
            ["old", "two"],
        ];
        assert_eq!(met, expected.map(|pair| pair.map(str::to_owned)));
    }

    #[test]
    fn a_net_is_refused_for_what_it_lost() {
        let reason = |ends| match verdict(ends).0 {
            Verdict::Refused(reason) => reason,
            other => panic!("{other:?}"),
        };
        let even = Some(report(50, 50));
        assert_eq!(
            reason(vec![Some(report(100, 300))]),
            "not 30 Elo better than the old net"
        );
        assert!(reason(vec![even.clone()]).contains("did not decide"));
        let won = Some(report(300, 100));
        // Two standard deviations of the difference are 14 points of a hundred.
        let (less, much_less) = (Some(report(38, 62)), Some(report(34, 66)));
        let losing = vec![won.clone(), less, even.clone(), much_less, even.clone()];
        assert_eq!(
            reason(losing),
            "scores 0.340 against two, the old net 0.500"
        );

        let mut failing = report(100, 0);
        failing.forfeits = [0, 11];
        let reason = reason(vec![won, Some(failing), even]);
        assert!(
            reason.starts_with("one forfeited 11 of 100 games"),
            "{reason}"
        );
    }

    #[test]
    fn a_match_that_was_stopped_ends_the_gate() {
        assert_eq!(verdict(vec![None]).0, Verdict::Stopped);
        let won = Some(report(300, 100));
        let (found, met) = verdict(vec![won, Some(report(9, 1)), None]);
        assert_eq!((found, met.len()), (Verdict::Stopped, 3));
    }
}
