//! Every format by small fields: all meet as they should, and as often.

use super::*;
use crate::game::Reason;
use crate::tally::Outcome;
use std::collections::HashMap;
use stoneline_rules::Side;

fn shape(format: Format, players: usize, games: u32) -> Shape {
    Shape {
        format,
        players,
        games,
        rounds: 5,
        challengers: 1,
    }
}

/// Plays a tournament in which the lower number always wins; all fixtures in order.
fn play_out(shape: Shape) -> (Schedule, Tally, Vec<Fixture>) {
    let lower_wins = |fixture: &Fixture| match fixture.players {
        [one, other] if one < other => Some(Side::First),
        _ => Some(Side::Second),
    };
    play_out_by(shape, lower_wins)
}

fn play_out_by(
    shape: Shape,
    winner: impl Fn(&Fixture) -> Option<Side>,
) -> (Schedule, Tally, Vec<Fixture>) {
    let mut schedule = Schedule::new(shape);
    let mut tally = Tally::new(shape.players);
    let mut all = Vec::new();
    loop {
        let batch = schedule.next_batch(&tally);
        if batch.is_empty() {
            return (schedule, tally, all);
        }
        for fixture in batch {
            assert_eq!(fixture.number as usize, all.len());
            let outcome = Outcome {
                winner: winner(&fixture),
                reason: Reason::Line,
                plies: 7,
            };
            tally.count(&fixture, &outcome);
            all.push(fixture);
        }
    }
}

fn meetings(fixtures: &[Fixture]) -> HashMap<[usize; 2], u32> {
    let mut met = HashMap::new();
    for fixture in fixtures {
        let [one, other] = fixture.players;
        *met.entry([one.min(other), one.max(other)]).or_default() += 1;
    }
    met
}

fn assert_pairs_swap_colours(fixtures: &[Fixture]) {
    for pair in fixtures.chunks_exact(2) {
        assert_eq!(pair[0].opening, pair[1].opening);
        assert_eq!(pair[0].players, [pair[1].players[1], pair[1].players[0]]);
        assert_eq!(pair[0].pair(), pair[1].pair());
        assert!(pair[1].is_return() && !pair[0].is_return());
    }
}

#[test]
fn a_match_of_odd_length_ends_with_a_single_game() {
    let (schedule, _, fixtures) = play_out(shape(Format::Match, 2, 7));
    assert_eq!((fixtures.len(), schedule.total()), (7, 7));
    assert_pairs_swap_colours(&fixtures);
    assert_eq!(fixtures[6].opening, 3);
}

#[test]
fn everyone_meets_everyone_equally_often_and_in_even_rounds() {
    let (schedule, tally, fixtures) = play_out(shape(Format::RoundRobin, 5, 6));
    assert_eq!(fixtures.len(), 10 * 6);
    assert_eq!(schedule.total(), 60);
    assert_pairs_swap_colours(&fixtures);
    assert!(meetings(&fixtures).values().all(|&games| games == 6));
    // Cut after any round, all have met equally often.
    assert!(meetings(&fixtures[..20]).values().all(|&games| games == 2));
    assert_eq!(tally.half_points(0), 2 * 24);
    assert_eq!(tally.half_points(4), 0);
}

#[test]
fn in_a_gauntlet_only_the_challengers_meet_the_others() {
    let mut gauntlet = shape(Format::Gauntlet, 5, 4);
    gauntlet.challengers = 2;
    let (schedule, _, fixtures) = play_out(gauntlet);
    assert_eq!(schedule.total() as usize, fixtures.len());
    let met = meetings(&fixtures);
    assert_eq!(met.len(), 6);
    assert!(met.keys().all(|&[one, other]| one < 2 && other >= 2));
}

#[test]
fn swiss_rounds_avoid_rematches_and_find_the_best() {
    for players in [2, 5, 6, 9, 16] {
        let mut swiss = shape(Format::Swiss, players, 2);
        swiss.rounds = (players as u32 - 1).min(4);
        let (schedule, tally, fixtures) = play_out(swiss);
        assert_eq!(schedule.total() as usize, fixtures.len());
        assert_pairs_swap_colours(&fixtures);
        assert!(
            meetings(&fixtures).values().all(|&games| games == 2),
            "{players} players: a rematch"
        );
        let ranking = schedule.ranking(&tally).unwrap();
        assert_eq!(ranking[0], 0);
        let mut sorted = ranking.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..players).collect::<Vec<_>>());
    }
}

#[test]
fn swiss_goes_on_with_rematches_when_all_have_met() {
    let mut swiss = shape(Format::Swiss, 3, 2);
    swiss.rounds = 6;
    let (_, _, fixtures) = play_out(swiss);
    assert_eq!(fixtures.len(), 12);
    // Byes go round.
    assert_eq!(meetings(&fixtures).len(), 3);
}

#[test]
fn in_a_knockout_the_best_seeds_meet_last() {
    for players in [2, 3, 5, 8] {
        let (schedule, tally, fixtures) = play_out(shape(Format::Knockout, players, 4));
        assert_eq!(fixtures.len(), 4 * (players - 1));
        assert_eq!(schedule.total() as usize, fixtures.len());
        let ranking = schedule.ranking(&tally).unwrap();
        assert_eq!(&ranking[..2], [0, 1], "{players} players");
        let mut last = fixtures[fixtures.len() - 1].players;
        last.sort_unstable();
        assert_eq!(last, [0, 1]);
    }
}

#[test]
fn ties_are_broken_by_further_pairs_and_at_last_by_seeding() {
    let (schedule, tally, fixtures) = play_out_by(shape(Format::Knockout, 4, 2), |_| None);
    let extra = 2 * knockout::MOST_TIE_BREAKS as usize;
    assert_eq!(fixtures.len(), 3 * (2 + extra));
    assert_eq!(schedule.ranking(&tally).unwrap()[0], 0);
    // A tie in one meeting does not prolong the other.
    let (_, _, fixtures) = play_out_by(shape(Format::Knockout, 4, 2), |fixture| {
        let decided = fixture.players.contains(&0) || fixture.number >= 4;
        let better = fixture.players[0] < fixture.players[1];
        decided.then_some(if better { Side::First } else { Side::Second })
    });
    assert_eq!(meetings(&fixtures)[&[0, 3]], 2);
    assert_eq!(meetings(&fixtures)[&[1, 2]], 4);
}
