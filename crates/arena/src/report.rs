//! What a run shows, for people: one self-contained HTML page, or Markdown.
//!
//! Gathers the figures once; how they look is decided in `html`, `markdown`
//! and `plot`. Pages load nothing: style, plots and the script that replays
//! games are inside.

mod html;
mod markdown;
pub(crate) mod plot;

use crate::game::Reason;
use crate::rating::Ratings;
use crate::schedule::Format;
use crate::score::{Elo, Score};
use crate::store::{KeptGame, KeptRun, Store};
use crate::summary::Summary;
use crate::tally::Tally;
use crate::tournament::TournamentError;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use stoneline_rules::Side;

/// All that a page tells of a run.
pub struct Page {
    run: KeptRun,
    summary: Summary,
    /// Counted games only, in order.
    games: Vec<KeptGame>,
    /// Games that were kept but came after a decided test.
    uncounted: usize,
    thinking: Vec<Thinking>,
    openings: Vec<OpeningResult>,
    curves: Curves,
    /// For each game, the earlier one with the very same moves.
    twin_of: HashMap<u32, u32>,
}

/// How a player used its time.
#[derive(Clone, Default, Debug)]
struct Thinking {
    moves: u64,
    total: Duration,
    slowest: Duration,
}

/// How the games of one opening went, from the first side's view.
struct OpeningResult {
    text: String,
    score: Score,
    plies: u32,
}

/// Ratings as they were after so many games.
struct Curves {
    games: Vec<u32>,
    /// By player.
    elo: Vec<Vec<Elo>>,
}

/// Points of a curve: enough to see, few enough to fit quickly.
const CURVE_POINTS: u32 = 40;

impl Page {
    /// The page of the run called `name`, or the last one in the store.
    ///
    /// # Errors
    /// If there is no such run or it can't be read.
    pub fn read(store: &Store, name: Option<&str>) -> Result<Self, TournamentError> {
        let run = store.run_named(name)?;
        let mut games = store.games(&run)?;
        let summary = Summary::of_kept(&run, &games)?;
        let counted = summary.tally.games() as usize;
        let uncounted = games.len() - counted;
        games.truncate(counted);
        Ok(Self {
            thinking: thinking(run.players.len(), &games),
            openings: openings(&games),
            curves: curves(run.players.len(), &games),
            twin_of: twins(&games),
            run,
            summary,
            games,
            uncounted,
        })
    }

    /// The summary of the run.
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The page as one HTML file that needs nothing else; its links open games on the page
    /// that `stoneline serve` shows at `address`.
    pub fn html(&self, address: &str) -> String {
        html::page(self, address)
    }

    /// The page as Markdown.
    pub fn markdown(&self) -> String {
        markdown::page(self)
    }

    fn name(&self, player: usize) -> &str {
        &self.summary.names[player]
    }

    /// What was played, in a sentence.
    fn lead(&self) -> String {
        let plan = &self.run.plan;
        let format = match plan.format {
            Format::Match => "A match",
            Format::RoundRobin => "A round robin",
            Format::Gauntlet => "A gauntlet",
            Format::Swiss => "A Swiss tournament",
            Format::Knockout => "A knockout",
        };
        let games = self.summary.tally.games();
        let state = if self.summary.complete {
            format!("{games} games")
        } else {
            format!("{games} of {} games so far", self.summary.total)
        };
        format!(
            "{format} of {} players at {}, {state}, begun {}.",
            self.summary.names.len(),
            plan.game,
            self.run.begun_at.replace(['T', 'Z'], " ").trim_end()
        )
    }

    /// What bounded the moves, in words.
    fn limits(&self) -> String {
        let plan = &self.run.plan;
        let text = |name: &str, value: Option<String>| value.map(|value| format!("{name} {value}"));
        let parts = [
            text("time a move", plan.time.as_ref().map(ToString::to_string)),
            text("a bank of", plan.overage.as_ref().map(ToString::to_string)),
            text("clock", plan.clock.as_ref().map(ToString::to_string)),
            text("nodes", plan.nodes.map(|nodes| nodes.to_string())),
            text(
                "simulations",
                plan.simulations.map(|count| count.to_string()),
            ),
            text("seed", Some(plan.seed.to_string())),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Players who lost by a fault: reason, player, and how often.
    fn faults(&self) -> Vec<(Reason, usize, u32)> {
        let mut counts: BTreeMap<(Reason, usize), u32> = BTreeMap::new();
        for game in self
            .games
            .iter()
            .filter(|game| game.outcome.reason.is_forfeit())
        {
            if let Some(winner) = game.outcome.winner {
                let loser = game.fixture.players[(!winner).index()];
                *counts.entry((game.outcome.reason, loser)).or_default() += 1;
            }
        }
        let rows = counts.into_iter();
        rows.map(|((reason, player), count)| (reason, player, count))
            .collect()
    }

    /// How often each reason ended a game, with the winner's side.
    fn reasons(&self) -> Vec<(Reason, [u32; 3])> {
        Reason::ALL
            .into_iter()
            .filter_map(|reason| {
                let mut counts = [0; 3];
                for game in self
                    .games
                    .iter()
                    .filter(|game| game.outcome.reason == reason)
                {
                    counts[game.outcome.winner.map_or(2, Side::index)] += 1;
                }
                (counts != [0; 3]).then_some((reason, counts))
            })
            .collect()
    }
}

fn thinking(players: usize, games: &[KeptGame]) -> Vec<Thinking> {
    let mut all = vec![Thinking::default(); players];
    for game in games {
        for side in Side::BOTH {
            let own = &mut all[game.fixture.players[side.index()]];
            for time in game.times(side) {
                own.moves += 1;
                own.total += time;
                own.slowest = own.slowest.max(time);
            }
        }
    }
    all
}

fn openings(games: &[KeptGame]) -> Vec<OpeningResult> {
    let mut by_number: BTreeMap<u64, OpeningResult> = BTreeMap::new();
    for game in games {
        let result = by_number
            .entry(game.fixture.opening)
            .or_insert_with(|| OpeningResult {
                text: game.opening.notation().replace('\n', " / "),
                score: Score::default(),
                plies: 0,
            });
        result
            .score
            .count_game(game.outcome.halves(Side::First) as usize);
        result.plies += game.outcome.plies;
    }
    by_number.into_values().collect()
}

fn curves(players: usize, games: &[KeptGame]) -> Curves {
    let total = games.len() as u32;
    let mut tally = Tally::new(players);
    let mut curves = Curves {
        games: Vec::new(),
        elo: vec![Vec::new(); players],
    };
    let step = (total / CURVE_POINTS).max(1);
    for (at, game) in (1..).zip(games) {
        tally.count(&game.fixture, &game.outcome);
        // Before everybody has played, most of a rating is guesswork.
        if at == total || at % step == 0 && at >= players as u32 {
            let ratings = Ratings::of(&tally);
            curves.games.push(at);
            for (player, curve) in curves.elo.iter_mut().enumerate() {
                curve.push(ratings.rating(player));
            }
        }
    }
    curves
}

/// Later games with the same opening and moves as an earlier one of the same two players.
fn twins(games: &[KeptGame]) -> HashMap<u32, u32> {
    let mut seen = HashMap::new();
    let mut twins = HashMap::new();
    for game in games {
        let key = (
            game.fixture.players,
            game.opening.notation(),
            game.cells.clone(),
        );
        match seen.entry(key) {
            std::collections::hash_map::Entry::Occupied(earlier) => {
                twins.insert(game.fixture.number, *earlier.get());
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(game.fixture.number);
            }
        }
    }
    twins
}

#[cfg(test)]
mod tests;
