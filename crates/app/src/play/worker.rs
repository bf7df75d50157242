//! The thread on which engines think for the terminal, one task after the other.
//!
//! A new task ends the one before it. Engines that play are kept, so that they
//! find their trees again; an engine that breaks down is told of, not waited for.

use super::task::{Kind, News, Task, Thought};
use crate::opponent::Opponent;
use crate::study::{Listener, Standing, analysis, review};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use stoneline_search::{BuildError, Engine};

/// How long an analysis goes on when nobody ends it.
const ANALYSIS_TIME: Duration = Duration::from_secs(300);
/// The least time between two thoughts that are told.
const PAUSE: Duration = Duration::from_millis(100);
/// Engines kept for their trees; more are dropped.
const KEPT_ENGINES: usize = 4;

/// The other end of the thread.
pub(crate) struct Worker {
    tasks: Sender<(u64, Task, Arc<AtomicBool>)>,
    stop: Arc<AtomicBool>,
    number: u64,
    running: Option<Task>,
}

impl Worker {
    /// A thread that gives its news, with the number of the task, to `tell`.
    pub(crate) fn start(tell: impl Fn(u64, News) + Send + 'static) -> Self {
        let (tasks, received) = channel();
        thread::spawn(move || serve(&received, &tell));
        Self {
            tasks,
            stop: Arc::default(),
            number: 0,
            running: None,
        }
    }

    /// Ends what is not wanted any more and begins what is.
    pub(crate) fn want(&mut self, task: Option<Task>) {
        let same = match (&task, &self.running) {
            (Some(wanted), Some(running)) => wanted.is_same(running),
            (None, None) => true,
            _ => false,
        };
        if same {
            return;
        }
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        self.number += 1;
        if let Some(task) = &task {
            // A thread that is gone has told why.
            let _ = self
                .tasks
                .send((self.number, task.clone(), Arc::clone(&self.stop)));
        }
        self.running = task;
    }

    /// The task that news numbered `number` are about, if it is still wanted.
    pub(crate) fn task(&self, number: u64) -> Option<Task> {
        self.running.clone().filter(|_| self.number == number)
    }

    /// The task is done: the same may be asked again.
    pub(crate) fn finish(&mut self) {
        self.running = None;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn serve(tasks: &Receiver<(u64, Task, Arc<AtomicBool>)>, tell: &dyn Fn(u64, News)) {
    let mut engines = HashMap::new();
    for (number, task, stop) in tasks {
        let mut desk = Desk {
            engines: &mut engines,
            stop: &stop,
            tell: &|news| tell(number, news),
        };
        let done = catch_unwind(AssertUnwindSafe(|| desk.work(&task)));
        let trouble = match done {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error.to_string(),
            Err(_) => {
                engines.clear();
                "the engine broke down".to_owned()
            }
        };
        tell(number, News::Trouble(trouble));
    }
}

/// One task and what is needed for it.
struct Desk<'a> {
    engines: &'a mut HashMap<String, Box<dyn Engine>>,
    stop: &'a AtomicBool,
    tell: &'a dyn Fn(News),
}

impl Desk<'_> {
    fn work(&mut self, task: &Task) -> Result<(), BuildError> {
        match &task.kind {
            Kind::Move(opponent) => self.choose(task, opponent),
            Kind::Hint => self.choose(task, &Opponent::usual()),
            Kind::Analyse => {
                self.analyse(task);
                Ok(())
            }
            Kind::Review => self.review(task),
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn choose(&mut self, task: &Task, opponent: &Opponent) -> Result<(), BuildError> {
        let variant = task.position.variant();
        let key = format!("{variant} {}", opponent.name());
        if !self.engines.contains_key(&key) {
            if self.engines.len() >= KEPT_ENGINES {
                self.engines.clear();
            }
            self.engines.insert(key.clone(), opponent.build(variant)?);
        }
        let mut engine = self.engines.remove(&key).expect("it was put there");
        let begun = Instant::now();
        let mut told = begun;
        let choice = engine.think(&task.position, &task.limits, &mut |event| {
            if told.elapsed() >= PAUSE {
                told = Instant::now();
                let standing = Standing::under_way(&task.position, &event, begun);
                (self.tell)(News::Thought(Thought::new(opponent.name(), &standing)));
            }
            self.flow()
        });
        self.engines.insert(key, engine);
        tracing::info!(
            engine = opponent.name(),
            position = task.position.notation(),
            best = ?choice.best,
            value = ?choice.value,
            effort = ?choice.effort,
            "chosen"
        );
        if self.flow().is_continue() {
            let standing = Standing::chosen(&task.position, &choice, begun);
            let thought = Thought::new(opponent.name(), &standing);
            (self.tell)(News::Chosen(choice.best, thought));
        }
        Ok(())
    }

    fn analyse(&self, task: &Task) {
        let mut listener = Ear { desk: self };
        analysis::analyse(&task.position, ANALYSIS_TIME, &task.limits, &mut listener);
    }

    fn review(&self, task: &Task) -> Result<(), BuildError> {
        let mut judge = review::Judge::new(task.position.variant(), task.limits.clone())?;
        let whole = review::review(&mut judge, &task.position, &|| self.flow(), &mut |news| {
            (self.tell)(News::Review(news.clone()));
            self.flow()
        });
        if whole.is_continue() {
            (self.tell)(News::Reviewed);
        }
        Ok(())
    }
}

/// Hears of an analysis on behalf of a desk.
struct Ear<'a> {
    desk: &'a Desk<'a>,
}

impl Listener for Ear<'_> {
    fn hear(&mut self, standing: &Standing<'_>) -> ControlFlow<()> {
        (self.desk.tell)(News::Thought(Thought::new("analysis", standing)));
        self.desk.flow()
    }

    fn flow(&self) -> ControlFlow<()> {
        self.desk.flow()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_search::Limits;

    fn task(kind: Kind, position: &str) -> Task {
        let limits = Limits {
            time: Some(Duration::from_secs(60)),
            ..Limits::default()
        };
        Task {
            kind,
            position: position.parse().unwrap(),
            limits,
        }
    }

    fn worker() -> (Worker, Receiver<(u64, News)>) {
        let (send, receive) = channel();
        let worker = Worker::start(move |number, news| {
            let _ = send.send((number, news));
        });
        (worker, receive)
    }

    #[test]
    fn engines_choose_and_reviews_reach_the_first_move() {
        let (mut worker, news) = worker();
        let engine = "alphabeta:nodes=500".parse().unwrap();
        worker.want(Some(task(Kind::Move(engine), "connect4 414141")));
        let chosen = news.iter().find_map(|(number, news)| match news {
            News::Chosen(cell, thought) if worker.task(number).is_some() => Some((cell, thought)),
            _ => None,
        });
        let (cell, thought) = chosen.unwrap();
        assert_eq!(cell.map(|cell| cell.column()), Some(3));
        assert!(thought.is_final && thought.who.starts_with("alphabeta"));
        worker.finish();
        worker.want(Some(task(Kind::Review, "connect4 4141414")));
        let plies: Vec<usize> = news
            .iter()
            .map_while(|(_, news)| match news {
                News::Review(review::News::Move(judged)) => Some(judged.ply),
                News::Review(review::News::End { ply, .. }) => Some(ply),
                _ => None,
            })
            .collect();
        assert_eq!(plies, [7, 6, 5, 4, 3, 2, 1, 0]);
    }

    #[test]
    fn a_new_task_ends_the_one_before() {
        let (mut worker, news) = worker();
        // Would go on for minutes.
        worker.want(Some(task(Kind::Analyse, "course:12x12@5,5")));
        assert!(news.recv().is_ok());
        worker.want(Some(task(Kind::Hint, "connect4 414141")));
        let chosen = news.iter().find_map(|(number, news)| match news {
            News::Chosen(cell, _) if worker.task(number).is_some() => cell,
            _ => None,
        });
        assert_eq!(chosen.map(|cell| cell.column()), Some(3));
    }

    #[test]
    fn an_engine_that_does_not_play_the_game_is_told_of() {
        let (mut worker, news) = worker();
        let solver = "solver".parse().unwrap();
        worker.want(Some(task(Kind::Move(solver), "gomoku h8")));
        let (_, heard) = news.recv().unwrap();
        assert!(matches!(heard, News::Trouble(text) if text.contains("solver does not play")));
    }
}
