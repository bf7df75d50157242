//! Room in a full tree, as far as the clock allows.

use super::game::Game;
use super::{Mcts, Progress};
use std::time::{Duration, Instant};

/// As many nodes take the collector about as long as one simulation takes, before that was
/// ever measured; how fast the clock runs for this process is told by the simulations.
const NODES_OF_A_SIMULATION: u32 = 32;

impl<G: Game> Mcts<G> {
    /// Recycles the tree, or begins it anew where that is all there is time for; `false` if
    /// it stays full.
    pub(super) fn make_room(&mut self, progress: &Progress) -> bool {
        self.note_pace(progress);
        let pause = self.pause.unwrap_or_else(|| self.likely_pause());
        let is_shorter = |time| progress.time_left().is_some_and(|left| left < time);
        // At its beginning a search has no better use for its time.
        if progress.simulations > 0 && is_shorter(2 * pause) {
            return false;
        }
        if is_shorter(pause) {
            self.tree.clear();
            return true;
        }
        let start = Instant::now();
        self.tree.recycle();
        self.pause = Some(start.elapsed());
        true
    }

    /// How long recycling may take.
    fn likely_pause(&self) -> Duration {
        self.pace * self.tree.used() as u32 / NODES_OF_A_SIMULATION
    }

    /// Keeps in mind how long a simulation took one thread.
    pub(super) fn note_pace(&mut self, progress: &Progress) {
        let each = |(start, _): (Instant, _)| {
            let simulations = u32::try_from(progress.simulations).unwrap_or(u32::MAX);
            (start.elapsed() * progress.threads as u32).checked_div(simulations)
        };
        if let Some(pace) = progress.clock.and_then(each) {
            self.pace = pace;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::think_quietly;
    use crate::limits::Limits;
    use crate::mcts::falling::Falling;
    use crate::mcts::lanes::Broad;
    use crate::mcts::params::Params;
    use stoneline_rules::Position;

    /// A search whose tree has grown.
    fn grown() -> Mcts<Falling<Broad>> {
        let position = Position::new("course:12x12@5,5".parse().unwrap());
        let params = Params {
            opinion_visits: 0,
            ..Params::default()
        };
        let game = Falling::new(position.variant());
        let mut engine = Mcts::new(game, params, Limits::default());
        let limits = Limits {
            simulations: Some(3000),
            memory_bytes: Some(8 << 20),
            ..Limits::default()
        };
        think_quietly(&mut engine, &position, &limits);
        assert!(engine.tree.used() > 1000);
        engine
    }

    /// A search with an hour left that has made so many simulations.
    fn progress(simulations: u64) -> Progress {
        let now = Instant::now();
        Progress {
            limits: Limits::default(),
            threads: 1,
            clock: Some((now, now + Duration::from_secs(3600))),
            simulations,
            visits: simulations,
            next_event: 0,
            last_event: None,
        }
    }

    #[test]
    fn a_tree_is_recycled_only_where_that_takes_less_than_the_time_left() {
        let minutes = |count: u64| Duration::from_secs(60 * count);
        for (pause, simulations, makes_room, begins_anew) in [
            (minutes(1), 0, true, false),
            (minutes(1), 1, true, false),
            (minutes(40), 0, true, false),
            (minutes(40), 1, false, false),
            (minutes(100), 0, true, true),
            (minutes(100), 1, false, false),
        ] {
            let mut engine = grown();
            engine.pause = Some(pause);
            assert_eq!(engine.make_room(&progress(simulations)), makes_room);
            assert_eq!(
                engine.tree.used() == 1,
                begins_anew,
                "{pause:?} {simulations}"
            );
        }
    }

    #[test]
    fn before_it_was_measured_the_pause_follows_from_the_pace() {
        let mut engine = grown();
        assert_eq!(engine.pause, None);
        let slow = Duration::from_secs(300);
        engine.pace = slow;
        // More than a thousand nodes: it might take hours.
        assert!(engine.make_room(&progress(0)));
        assert_eq!(engine.tree.used(), 1);
        engine.note_pace(&progress(0));
        assert_eq!(engine.pace, slow, "no simulation, nothing learnt");
        engine.note_pace(&progress(1000));
        assert!(engine.pace < slow);
    }
}
