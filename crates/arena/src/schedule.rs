//! Who meets whom, from which opening, in which order.
//!
//! A schedule hands out fixtures in batches; the next batch may depend on the
//! results of all earlier ones and on nothing else, so that a run that was
//! interrupted finds its way again by counting what it has. Fixtures `2n` and
//! `2n + 1` are a pair: one opening, both colours.

mod knockout;
mod swiss;

use crate::tally::Tally;
use knockout::Knockout;
use serde::{Deserialize, Serialize};
use swiss::Swiss;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two players.
    Match,
    /// Everyone meets everyone.
    RoundRobin,
    /// The first players meet all the others, who don't meet each other.
    Gauntlet,
    /// Those with like points meet, round by round.
    Swiss,
    /// Who loses is out.
    Knockout,
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number in the tournament, from 0.
    pub number: u32,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// Who has the first and who the second side.
    pub players: [usize; 2],
    /// The number of its opening.
    pub opening: u64,
}

impl Fixture {
    /// The pair to which the fixture belongs.
    pub const fn pair(&self) -> u32 {
        self.number / 2
    }

    /// Whether it is the second game of its pair, the colours swapped.
    pub const fn is_return(&self) -> bool {
        self.number % 2 == 1
    }
}

/// The numbers that make a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Who meets whom.
    pub format: Format,
    /// How many players there are.
    pub players: usize,
    /// Games between two players each time they meet.
    pub games: u32,
    /// Rounds of a Swiss tournament.
    pub rounds: u32,
    /// Players of a gauntlet who meet all others.
    pub challengers: usize,
}

/// The fixtures of a tournament, batch by batch.
#[derive(Clone, Debug)]
pub struct Schedule {
    shape: Shape,
    /// The number of the next fixture.
    next: u32,
    course: Course,
}

/// What a format remembers between batches.
#[derive(Clone, Debug)]
enum Course {
    /// All at once, and then nothing.
    Listed {
        done: bool,
    },
    Swiss(Swiss),
    Knockout(Knockout),
}

/// Two players about to meet, and the opening of their first pair of games.
struct Meeting {
    players: [usize; 2],
    opening: u64,
    round: u32,
}

impl Schedule {
    /// The schedule of a tournament that has not begun.
    pub fn new(shape: Shape) -> Self {
        let course = match shape.format {
            Format::Match | Format::RoundRobin | Format::Gauntlet => Course::Listed { done: false },
            Format::Swiss => Course::Swiss(Swiss::new(shape.players, shape.rounds)),
            Format::Knockout => Course::Knockout(Knockout::new(shape.players)),
        };
        Self {
            shape,
            next: 0,
            course,
        }
    }

    /// The next fixtures, all of which may be played at once; empty at the end.
    ///
    /// Contract: `tally` has counted every fixture of the earlier batches.
    pub fn next_batch(&mut self, tally: &Tally) -> Vec<Fixture> {
        let games = self.shape.games;
        match &mut self.course {
            Course::Listed { done: true } => Vec::new(),
            Course::Listed { done } => {
                *done = true;
                self.listed()
            }
            Course::Swiss(swiss) => {
                let meetings = swiss.next_round(tally, games);
                self.number(&meetings, games)
            }
            Course::Knockout(knockout) => {
                let (meetings, games) = knockout.next_round(tally, games);
                self.number(&meetings, games)
            }
        }
    }

    /// How many games there will be; the least number where ties prolong it.
    pub fn total(&self) -> u32 {
        let Shape {
            players,
            games,
            rounds,
            ..
        } = self.shape;
        let meetings = match self.shape.format {
            Format::Match => 1,
            Format::RoundRobin | Format::Gauntlet => self.pairings().len(),
            Format::Swiss => rounds as usize * (players / 2),
            Format::Knockout => players - 1,
        };
        u32::try_from(meetings).map_or(u32::MAX, |meetings| meetings.saturating_mul(games))
    }

    /// The players from best to worst, as the format ranks them; `None` where ratings do.
    pub fn ranking(&self, tally: &Tally) -> Option<Vec<usize>> {
        match &self.course {
            Course::Listed { .. } => None,
            Course::Swiss(swiss) => Some(swiss.ranking(tally)),
            Course::Knockout(knockout) => Some(knockout.ranking(tally)),
        }
    }

    /// Who meets whom where the whole list is known at once.
    fn pairings(&self) -> Vec<[usize; 2]> {
        let everyone = 0..self.shape.players;
        let seeded = match self.shape.format {
            Format::Gauntlet => 0..self.shape.challengers,
            _ => everyone.clone(),
        };
        seeded
            .flat_map(|one| (one + 1..everyone.end).map(move |other| [one, other]))
            .filter(|[_, other]| {
                self.shape.format != Format::Gauntlet || *other >= self.shape.challengers
            })
            .collect()
    }

    /// Round after round, so that a tournament that is cut short is cut evenly.
    fn listed(&mut self) -> Vec<Fixture> {
        let pairings = self.pairings();
        let games = self.shape.games;
        let mut fixtures = Vec::new();
        for round in 0..games.div_ceil(2) {
            let meetings: Vec<Meeting> = pairings
                .iter()
                .map(|&players| Meeting {
                    players,
                    opening: round.into(),
                    round,
                })
                .collect();
            // An odd last game of a match has no return.
            fixtures.extend(self.number(&meetings, (games - 2 * round).min(2)));
        }
        fixtures
    }

    /// Each meeting as `games` fixtures, the colours swapped in each pair.
    fn number(&mut self, meetings: &[Meeting], games: u32) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for meeting in meetings {
            for game in 0..games {
                let [one, other] = meeting.players;
                fixtures.push(Fixture {
                    number: self.next,
                    round: meeting.round,
                    players: if game % 2 == 0 {
                        [one, other]
                    } else {
                        [other, one]
                    },
                    opening: meeting.opening + u64::from(game / 2),
                });
                self.next += 1;
            }
        }
        fixtures
    }
}

#[cfg(test)]
mod tests;
