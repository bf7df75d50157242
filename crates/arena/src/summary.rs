//! A tournament as a table: players in their order, with ratings, by colour, and who beat whom.

use crate::plan::Plan;
use crate::rating::Ratings;
use crate::score::{Elo, Score};
use crate::store::{KeptGame, KeptRun};
use crate::tally::{Report, Tally};
use crate::tournament::{Standing, Tournament, TournamentError};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// What a tournament shows.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What it is called.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// What the players are called, by number.
    pub names: Vec<String>,
    /// All results.
    pub tally: Tally,
    /// The strengths that they show.
    pub ratings: Ratings,
    /// Players' numbers from best to worst.
    pub ranking: Vec<usize>,
    /// Whether it was played to its end.
    pub complete: bool,
    /// Games it has when it is.
    pub total: u32,
}

impl Summary {
    /// The summary of a tournament that was just played.
    pub fn of(tournament: &Tournament, standing: &Standing) -> Self {
        let ratings = Ratings::of(&standing.tally);
        Self {
            name: tournament.plan().name.clone(),
            plan: tournament.plan().clone(),
            names: tournament.names().to_vec(),
            tally: standing.tally.clone(),
            ranking: standing
                .ranking
                .clone()
                .unwrap_or_else(|| ratings.ranking()),
            ratings,
            complete: standing.complete,
            total: tournament.schedule().total(),
        }
    }

    /// The summary of a run that is kept, without its players: they may be gone.
    ///
    /// # Errors
    /// If its plan makes no sense.
    pub fn of_kept(run: &KeptRun, games: &[KeptGame]) -> Result<Self, TournamentError> {
        let mut schedule = crate::schedule::Schedule::new(run.plan.shape()?);
        let total = schedule.total();
        let mut tally = Tally::new(run.players.len());
        let mut complete = false;
        let mut left = games.iter().peekable();
        // Games beyond a decided test were under way when it was: they are kept, not counted.
        while !complete {
            let batch = schedule.next_batch(&tally);
            if batch.is_empty() {
                complete = true;
                break;
            }
            let before = tally.games();
            for _ in &batch {
                let Some(game) = left.next() else { break };
                tally.count(&game.fixture, &game.outcome);
                complete = run.plan.sprt.is_some_and(|sprt| {
                    sprt.decide(&tally.report(0, 1).score) != crate::sprt::Decision::Open
                });
                if complete {
                    break;
                }
            }
            if (tally.games() - before) < batch.len() as u32 {
                break;
            }
        }
        let ratings = Ratings::of(&tally);
        Ok(Self {
            name: run.name.clone(),
            plan: run.plan.clone(),
            names: run.players.iter().map(|one| one.name.clone()).collect(),
            ranking: schedule
                .ranking(&tally)
                .unwrap_or_else(|| ratings.ranking()),
            tally,
            ratings,
            complete,
            total,
        })
    }

    /// The table as aligned text.
    pub fn text(&self) -> String {
        let widest = self.names.iter().map(|name| name.chars().count()).max();
        let width = widest.unwrap_or(0).clamp(6, 40);
        let mut text = format!(
            "{:>3} {:<width$} {:>6} {:>7} {:>5}  {:<22} {:>8} {:>9}\n",
            "#", "player", "games", "points", "%", "Elo", "as first", "as second"
        );
        for (rank, &player) in self.ranking.iter().enumerate() {
            let total = self.tally.total_of(player);
            let name: String = self.names[player].chars().take(width).collect();
            let _ = writeln!(
                text,
                "{:>3} {name:<width$} {:>6} {:>7} {:>5.1}  {:<22} {:>6.1} % {:>7.1} %",
                rank + 1,
                total.score.games(),
                points(self.tally.half_points(player)),
                100.0 * total.score.share(),
                elo_text(self.ratings.rating(player)),
                100.0 * total.by_side[0].share(),
                100.0 * total.by_side[1].share(),
            );
        }
        let _ = writeln!(
            text,
            "The first move is worth {} Elo.",
            elo_text(self.ratings.first_move())
        );
        for &player in &self.ranking {
            let [forfeits, _] = self.tally.total_of(player).forfeits;
            if forfeits > 0 {
                let _ = writeln!(text, "{} forfeited {forfeits} games.", self.names[player]);
            }
        }
        text
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let elo = |elo: Elo| json!([elo.low, elo.mid, elo.high]);
        let players: Vec<Value> = self
            .ranking
            .iter()
            .enumerate()
            .map(|(rank, &player)| {
                let total = self.tally.total_of(player);
                let mut object = brief(&total.score);
                object["name"] = self.names[player].as_str().into();
                object["engine"] = self.plan.players[player].engine.as_str().into();
                object["rank"] = (rank + 1).into();
                object["elo"] = elo(self.ratings.rating(player));
                object["as_first"] = brief(&total.by_side[0]);
                object["as_second"] = brief(&total.by_side[1]);
                object["forfeits"] = total.forfeits[0].into();
                object
            })
            .collect();
        let pairs: Vec<Value> = self
            .tally
            .reports()
            .map(|([one, other], report)| {
                let mut object = brief(&report.score);
                object["players"] = json!([self.names[one], self.names[other]]);
                object["elo"] = elo(self.ratings.difference(one, other));
                object["superiority"] = self.ratings.superiority(one, other).into();
                object["pairs"] = json!(report.score.pairs);
                object["reasons"] = reasons(report);
                object
            })
            .collect();
        json!({
            "name": self.name,
            "game": self.plan.game,
            "format": self.plan.format,
            "games": self.tally.games(),
            "total": self.total,
            "complete": self.complete,
            "players": players,
            "pairs": pairs,
            "first_move": elo(self.ratings.first_move()),
            "draw_rate": self.ratings.draw_rate(),
        })
    }
}

/// Results without their pairs.
pub fn brief(score: &Score) -> Value {
    json!({"games": score.games(), "wins": score.wins, "draws": score.draws,
        "losses": score.losses, "score": score.share()})
}

/// How many games ended for each reason.
pub fn reasons(report: &Report) -> Value {
    let counts: Map<String, Value> = report
        .reasons
        .iter()
        .map(|(reason, &count)| (reason.name().to_owned(), count.into()))
        .collect();
    Value::Object(counts)
}

/// Half points as points.
pub(crate) fn points(halves: u64) -> String {
    match halves % 2 {
        0 => (halves / 2).to_string(),
        _ => format!("{}.5", halves / 2),
    }
}

/// A difference with its interval, in whole Elo.
pub fn elo_text(elo: Elo) -> String {
    format!("{:+.0} [{:+.0}, {:+.0}]", elo.mid, elo.low, elo.high)
}
