//! Which processor cores a game at a time may use.
//!
//! Games that are played side by side under a clock disturb one another when
//! the system moves them about. Each thread of games is then kept on cores of
//! its own; engines' threads and foreign processes inherit that from it.
//! Where the system can't, nothing happens and nothing is wrong.

use crate::system::allowed_cores;
use stoneline_search::Limits;

/// The shares of `cores` for so many games at once, if every game gets at least one.
fn shares(cores: &[usize], games: usize) -> Option<Vec<Vec<usize>>> {
    let each = cores.len().checked_div(games).filter(|&each| each > 0)?;
    Some(cores.chunks(each).take(games).map(<[_]>::to_vec).collect())
}

/// The cores of each of so many games at once; `None` where games share all of them.
///
/// With `pin` unset it is done where it is useful: several games under a
/// clock, with a core for every thread of the engine that has the most.
pub(crate) fn plan(pin: Option<bool>, games: usize, limits: &[Limits]) -> Option<Vec<Vec<usize>>> {
    if pin == Some(false) {
        return None;
    }
    let shares = shares(&allowed_cores(), games)?;
    let threads = limits.iter().filter_map(|own| own.threads).max();
    let useful = games > 1
        && limits.iter().any(Limits::has_clock)
        && threads.unwrap_or(1) <= shares[0].len();
    (pin == Some(true) || useful).then_some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;
    use std::time::Duration;

    #[test]
    fn every_game_has_cores_of_its_own() {
        let cores = [0, 2, 3, 5, 6];
        assert_eq!(
            shares(&cores, 2),
            Some(vec![vec![0, 2], vec![3, 5]]),
            "equal shares; a core may be left over"
        );
        assert_eq!(shares(&cores, 1), Some(vec![cores.to_vec()]));
        assert_eq!(shares(&cores, 6), None);
        assert_eq!(shares(&cores, 0), None);
        assert_eq!(shares(&[], 1), None);
    }

    #[test]
    fn games_are_pinned_where_it_is_useful_or_asked_for() {
        let counted = Limits {
            nodes: Some(5),
            ..Limits::default()
        };
        let timed = Limits {
            time: Some(Duration::from_millis(5)),
            ..Limits::default()
        };
        let many = Limits {
            threads: Some(1000),
            ..timed.clone()
        };
        let cores = allowed_cores().len();
        let fit = cores > 0;
        assert_eq!(plan(None, 1, from_ref(&timed)), None);
        assert_eq!(plan(None, 2, from_ref(&counted)), None);
        assert_eq!(plan(None, 2, &[many]), None);
        assert_eq!(plan(Some(false), 2, from_ref(&timed)), None);
        assert_eq!(plan(Some(true), 1, from_ref(&counted)).is_some(), fit);
        assert_eq!(plan(None, 2, from_ref(&timed)).is_some(), cores >= 2);
        assert_eq!(plan(Some(true), cores + 1, &[timed]), None);
    }
}
