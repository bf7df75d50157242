//! A move in time, however busy the machine is.
//!
//! A thread that searches uses up its turns, and on a machine with more work
//! than cores it may stand still when its time is over. One that sleeps until
//! then is woken soon. So the engine thinks on a thread of its own while the
//! asking thread waits, hears of every event, and answers by itself with the
//! best move told so far when the engine does not. Soon is not at once: `vigil`
//! says how much sooner it has to wake. A straggler ends at its next event;
//! until then the next search waits for it.

mod vigil;

use crate::engine::{Choice, Effort, Engine, Event, MoveReport, think_quietly};
use crate::limits::Limits;
use crate::presets;
use crate::registry::Recipe;
use crate::value::Value;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;
use stoneline_rules::Position;
use vigil::{Lag, Step, Vigil};

/// Simulations for a move when the engine has told nothing at all: a millisecond's work.
const HASTY_SIMULATIONS: u64 = 100;

/// An engine that is answered for in time.
pub(crate) struct Punctual {
    engine: Arc<Mutex<Box<dyn Engine>>>,
    lag: Lag,
}

impl Punctual {
    pub(crate) fn new(engine: Box<dyn Engine>) -> Self {
        Self {
            engine: Arc::new(Mutex::new(engine)),
            lag: Lag::default(),
        }
    }

    /// Begins to think on another thread; `None` if the machine has none to give.
    fn begin(&self, position: &Position, limits: &Limits) -> Option<Thinker> {
        let (tell, told) = sync_channel(1);
        let (answer, answers) = sync_channel(1);
        let engine = Arc::clone(&self.engine);
        let (position, limits) = (position.clone(), limits.clone());
        let think = move || {
            let choice = hold(&engine).think(&position, &limits, &mut |event| {
                let news = Word::News(News::of(&event), Instant::now());
                // Nobody hears it any more when the move was answered for.
                match tell.send(news).map(|()| answers.recv()) {
                    Ok(Ok(verdict)) => verdict,
                    _ => ControlFlow::Break(()),
                }
            });
            // Whoever hears the choice may want the engine's memory back.
            drop(engine);
            let _ = tell.send(Word::Choice(choice));
        };
        let thread = Builder::new().spawn(think).ok()?;
        Some(Thinker {
            thread,
            told,
            answer,
        })
    }
}

fn hold(engine: &Mutex<Box<dyn Engine>>) -> MutexGuard<'_, Box<dyn Engine>> {
    // A panic was handed on to whoever asked; the engine goes on as it stands.
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thinking thread says.
enum Word {
    /// How the search stands, and when that was.
    News(News, Instant),
    /// What the engine chose. Its thread is not waited for: it may not get a turn to end.
    Choice(Choice),
}

/// A search on another thread, and the two ends of the conversation with it.
struct Thinker {
    thread: JoinHandle<()>,
    told: Receiver<Word>,
    answer: SyncSender<ControlFlow<()>>,
}

impl Thinker {
    /// The engine's choice, or the best move known when the vigil that began at `begun` ends.
    fn choice(
        self,
        (begun, mut vigil): (Instant, Vigil),
        lag: &mut Lag,
        hasty: impl Fn() -> Choice,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        let mut best = None;
        loop {
            let due = match vigil.step(begun.elapsed(), lag) {
                Step::Sleep(until) => begun + until,
                Step::Find => {
                    vigil.has_move();
                    best = Some(hasty());
                    continue;
                }
                Step::Answer => return best.unwrap_or_else(hasty),
            };
            let heard = self
                .told
                .recv_timeout(due.saturating_duration_since(Instant::now()));
            lag.saw(due.elapsed());
            match heard {
                Ok(Word::News(news, at)) => {
                    lag.saw(at.elapsed());
                    let verdict = watch(news.event());
                    if let Some(choice) = news.choice() {
                        vigil.has_move();
                        best = Some(choice);
                    }
                    // It has ended by a panic if it does not hear this.
                    let _ = self.answer.send(verdict);
                }
                Ok(Word::Choice(choice)) => return choice,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let panic = self
                        .thread
                        .join()
                        .expect_err("a choice is told before the end");
                    resume_unwind(panic)
                }
            }
        }
    }
}

/// An event that outlives the moment.
struct News {
    value: Value,
    moves: Vec<MoveReport>,
    effort: Effort,
}

impl News {
    fn of(event: &Event<'_>) -> Self {
        Self {
            value: event.value,
            moves: event.moves.to_vec(),
            effort: event.effort.clone(),
        }
    }

    fn event(&self) -> Event<'_> {
        Event {
            value: self.value,
            moves: &self.moves,
            effort: &self.effort,
        }
    }

    /// What the engine would have chosen then; `None` if it knew no move.
    fn choice(self) -> Option<Choice> {
        Some(Choice {
            best: Some(self.moves.first()?.cell),
            value: self.value,
            moves: self.moves,
            effort: self.effort,
        })
    }
}

/// A move found at once.
fn hasty(position: &Position) -> Choice {
    let limits = Limits {
        simulations: Some(HASTY_SIMULATIONS),
        ..Limits::default()
    };
    let mut engine = presets::mcts()
        .build(position.variant())
        .expect("the tree search plays every game");
    think_quietly(&mut *engine, position, &limits)
}

impl Engine for Punctual {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        let begun = Instant::now();
        let thinker =
            Vigil::new(limits).and_then(|vigil| Some((vigil, self.begin(position, limits)?)));
        match thinker {
            None => hold(&self.engine).think(position, limits, watch),
            Some((vigil, thinker)) => {
                let hasty = || hasty(position);
                thinker.choice((begun, vigil), &mut self.lag, hasty, watch)
            }
        }
    }

    fn forget(&mut self) {
        hold(&self.engine).forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Choice;
    use std::time::Duration;
    use stoneline_rules::{Cell, Variant};

    /// An engine that tells of a move and then does not answer before it is let go.
    struct Stuck {
        tells: Vec<Cell>,
        /// A word lets it go.
        release: Receiver<()>,
        /// Whether the last event it told was answered with a break.
        broken: SyncSender<bool>,
    }

    impl Engine for Stuck {
        fn think(
            &mut self,
            position: &Position,
            _: &Limits,
            watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
        ) -> Choice {
            let tell = |cell, watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>| {
                let choice = Choice::at_once(cell, Value::Guess(0.25));
                watch(Event {
                    value: choice.value,
                    moves: &choice.moves,
                    effort: &choice.effort,
                })
            };
            for &cell in &self.tells {
                // On a slow machine the time may be over already.
                let _ = tell(cell, watch);
            }
            self.release.recv().unwrap();
            let last = position.legal_moves()[0];
            self.broken.send(tell(last, watch).is_break()).unwrap();
            Choice::at_once(last, Value::Guess(0.75))
        }
    }

    fn start() -> Position {
        Position::new("course:9x9@4,4".parse::<Variant>().unwrap())
    }

    fn in_a_moment() -> Limits {
        Limits {
            time: Some(Duration::from_millis(20)),
            ..Limits::default()
        }
    }

    /// The choice at a start position when the engine tells so many moves and is stuck then.
    fn answered(told: usize) -> (Choice, usize) {
        let position = start();
        let tells: Vec<Cell> = position.legal_moves()[3..3 + told].to_vec();
        let (let_go, release) = sync_channel(1);
        let (broken, was_broken) = sync_channel(1);
        let mut engine = Punctual::new(Box::new(Stuck {
            tells,
            release,
            broken,
        }));
        let mut heard = 0;
        let choice = engine.think(&position, &in_a_moment(), &mut |_| {
            heard += 1;
            ControlFlow::Continue(())
        });
        let_go.send(()).unwrap();
        assert!(was_broken.recv().unwrap(), "the straggler is told to end");
        // The engine is free again.
        engine.forget();
        (choice, heard)
    }

    #[test]
    fn an_engine_that_does_not_answer_is_answered_for() {
        let (choice, heard) = answered(2);
        let told = start().legal_moves()[3..5].to_vec();
        match heard {
            0 => assert_eq!(choice.effort.simulations, HASTY_SIMULATIONS),
            heard => {
                assert_eq!(choice.best, Some(told[heard - 1]));
                assert_eq!(choice.value, Value::Guess(0.25));
            }
        }
    }

    #[test]
    fn a_move_is_there_although_nothing_was_told() {
        let (choice, heard) = answered(0);
        assert_eq!(heard, 0);
        assert!(start().legal_moves().contains(&choice.best.unwrap()));
        assert_eq!(choice.effort.simulations, HASTY_SIMULATIONS);
    }

    #[test]
    fn an_engine_in_time_is_heard_as_if_asked_directly() {
        let limits = Limits {
            simulations: Some(3000),
            time: Some(Duration::from_secs(3600)),
            seed: Some(5),
            ..Limits::default()
        };
        let build = || {
            let mut recipe = presets::mcts();
            // Else it ends when more can't change the move, which is asked from time to time.
            recipe.params.think_on = true;
            recipe.build(start().variant()).unwrap()
        };
        let direct = think_quietly(&mut *build(), &start(), &limits);
        let choice = think_quietly(&mut Punctual::new(build()), &start(), &limits);
        assert_eq!(choice.moves, direct.moves);
        assert_eq!(choice.best, direct.best);
    }

    #[test]
    fn a_watcher_that_has_enough_ends_the_search() {
        let limits = Limits {
            time: Some(Duration::from_secs(3600)),
            ..Limits::default()
        };
        let mut engine = Punctual::new(presets::mcts().build(start().variant()).unwrap());
        let choice = engine.think(&start(), &limits, &mut |_| ControlFlow::Break(()));
        assert!(choice.effort.time.unwrap() < Duration::from_secs(1800));
    }

    /// An engine that never answers but by a panic.
    struct Broken;

    impl Engine for Broken {
        fn think(
            &mut self,
            _: &Position,
            _: &Limits,
            _: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
        ) -> Choice {
            panic!("out of order")
        }
    }

    #[test]
    #[should_panic(expected = "out of order")]
    fn a_panic_is_handed_on() {
        let limits = Limits {
            time: Some(Duration::from_secs(3600)),
            ..Limits::default()
        };
        think_quietly(&mut Punctual::new(Box::new(Broken)), &start(), &limits);
    }
}
