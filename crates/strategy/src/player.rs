//! The engine that is kept from call to call, with what it learnt so far.
//!
//! One player rests between calls. A call takes it out of its place, thinks
//! without holding any lock, and puts it back: calls at the same time don't
//! wait for each other, and a player that panics is gone with its panic.

use crate::settings::Settings;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use stoneline_rules::{Cell, Position, Side};
use stoneline_search::{Engine, think_quietly};

static RESTING: Mutex<Option<Player>> = Mutex::new(None);

/// The move to play at `position`, in the time that is left since `begun`.
pub(crate) fn choose(position: &Position, begun: Instant) -> Option<Cell> {
    choose_with(&RESTING, Settings::shared(), position, begun)
}

fn choose_with(
    resting: &Mutex<Option<Player>>,
    settings: &Settings,
    position: &Position,
    begun: Instant,
) -> Option<Cell> {
    let place = || resting.lock().unwrap_or_else(PoisonError::into_inner);
    let rested = place().take();
    let mut player = Player::for_position(rested, settings, position)?;
    let cell = player.think(settings, position, begun);
    // Dropping what another call left meanwhile may take long: not under the lock.
    let _other = place().replace(player);
    cell.filter(|&cell| position.check(cell).is_ok())
}

/// An engine and the last position that it saw.
struct Player {
    engine: Box<dyn Engine>,
    last: Position,
}

impl Player {
    /// The rested player if it plays this game, else a new one; without memory of another game.
    fn for_position(
        rested: Option<Self>,
        settings: &Settings,
        position: &Position,
    ) -> Option<Self> {
        // Another board frees the old tree before the new one grows.
        let same_board = rested.filter(|player| player.last.variant() == position.variant());
        if let Some(mut player) = same_board {
            if !continues(&player.last, position) {
                player.engine.forget();
            }
            return Some(player);
        }
        let variant = position.variant();
        let engine = settings
            .engine
            .build(variant)
            .or_else(|_| Settings::usual_engine().build(variant))
            .ok()?;
        Some(Self {
            engine,
            last: position.clone(),
        })
    }

    fn think(&mut self, settings: &Settings, position: &Position, begun: Instant) -> Option<Cell> {
        self.last = position.clone();
        let mut limits = settings.limits.clone();
        limits.time = limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        think_quietly(&mut *self.engine, position, &limits).best
    }
}

/// Whether `position` can come after `last`, or is the same: every stone of it still lies there.
fn continues(last: &Position, position: &Position) -> bool {
    Side::BOTH
        .iter()
        .all(|&side| last.stones(side).minus(position.stones(side)).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use stoneline_search::{Choice, Event, Limits};

    /// What the engine under test answers.
    #[derive(Clone, Copy)]
    enum Manner {
        Sound,
        Illegal,
        Panicking,
    }

    /// An engine that counts how often it must forget.
    struct Counting {
        manner: Manner,
        forgotten: Arc<AtomicUsize>,
    }

    impl Engine for Counting {
        fn think(
            &mut self,
            position: &Position,
            limits: &Limits,
            watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
        ) -> Choice {
            let mut random = "random"
                .parse::<stoneline_search::Spec>()
                .unwrap()
                .build(position.variant())
                .unwrap();
            let mut choice = random.think(position, limits, watch);
            match self.manner {
                Manner::Sound => {}
                Manner::Illegal => choice.best = Some(Cell::new(0, 8)),
                Manner::Panicking => panic!("on purpose"),
            }
            choice
        }

        fn forget(&mut self) {
            self.forgotten.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn at(text: &str) -> Position {
        text.parse().unwrap()
    }

    fn resting(manner: Manner) -> (Mutex<Option<Player>>, Arc<AtomicUsize>) {
        let forgotten = Arc::new(AtomicUsize::new(0));
        let player = Player {
            engine: Box::new(Counting {
                manner,
                forgotten: forgotten.clone(),
            }),
            last: at("course:9x9@4,4"),
        };
        (Mutex::new(Some(player)), forgotten)
    }

    fn settings() -> Settings {
        Settings::read(|name| (name == "STONELINE_ENGINE").then(|| "random".to_owned()))
    }

    #[test]
    fn only_a_new_game_makes_it_forget() {
        let (place, forgotten) = resting(Manner::Sound);
        let settings = settings();
        let mut seen = Vec::new();
        for text in [
            "course:9x9@4,4",        // as it was left
            "course:9x9@4,4 44",     // two plies on
            "course:9x9@4,4 44",     // asked again
            "course:9x9@4,4 445",    // one ply on: the host plays both sides with us
            "course:9x9@4,4 445566", // three plies on
            "course:9x9@4,4",        // a new game
            "course:9x9@4,4 55",
            "course:9x9@4,4 4466", // another game, caught in its middle
        ] {
            assert!(choose_with(&place, &settings, &at(text), Instant::now()).is_some());
            seen.push(forgotten.load(Ordering::Relaxed));
        }
        assert_eq!(seen, [0, 0, 0, 0, 0, 1, 1, 2]);
        // Another forbidden cell or size: another engine altogether, and the old one is gone.
        for text in ["course:9x9@4,5 4466", "course:10x9@4,4 4466"] {
            let (place, forgotten) = resting(Manner::Sound);
            assert!(choose_with(&place, &settings, &at(text), Instant::now()).is_some());
            assert_eq!(Arc::strong_count(&forgotten), 1, "{text}");
        }
    }

    #[test]
    fn an_illegal_choice_is_none() {
        let (place, _) = resting(Manner::Illegal);
        let chosen = choose_with(&place, &settings(), &at("course:9x9@4,4"), Instant::now());
        assert_eq!(chosen, None);
    }

    #[test]
    fn a_panic_loses_the_player_and_nothing_else() {
        let (place, forgotten) = resting(Manner::Panicking);
        let settings = settings();
        let position = at("course:9x9@4,4 44");
        let call = || choose_with(&place, &settings, &position, Instant::now());
        assert!(catch_unwind(AssertUnwindSafe(call)).is_err());
        assert_eq!(Arc::strong_count(&forgotten), 1, "the player is dropped");
        assert!(call().is_some(), "and the next call makes a new one");
    }

    #[test]
    fn an_engine_that_does_not_play_the_game_gives_way() {
        let free = at("gomoku");
        let falling = Settings::read(|name| {
            (name == "STONELINE_ENGINE").then(|| "kaggle-negamax".to_owned())
        });
        let mut player = Player::for_position(None, &falling, &free).expect("best plays it");
        let choice = think_quietly(
            &mut *player.engine,
            &free,
            &Limits {
                nodes: Some(10),
                ..Limits::default()
            },
        );
        assert!(choice.best.is_some());
    }
}
