//! Drives a line protocol: a thread reads, the engine thinks, nothing is lost.
//!
//! Lines that arrive during a search wait in a queue, in their order. The
//! reading thread alone acts before their turn: it marks searches that are to
//! be stopped, and once it is told to quit, it leaves what was asked just before
//! a moment to be answered and then ends the program, whatever it is doing.

use super::Thinker;
use cpu_time::ProcessTime;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use stoneline_protocols::{LineTooLong, Lines, Session, Step, Task, Urgency};
use stoneline_search::Event;
use stoneline_search::gomoku::Swapper;

/// Longest line of a manager: a drawn position in JSON is far below.
const LONGEST_LINE: usize = 1 << 16;

/// How long what was asked before may still be answered once the program is to quit: a manager
/// gives it 100 ms, of which giving back the memory takes up to a third.
const LAST_WORDS: Duration = Duration::from_millis(35);
/// The same on a machine that has hardly worked for us meanwhile, and what it must have worked.
const LAST_WORDS_WHEN_BUSY: Duration = Duration::from_secs(1);
const LAST_WORK: Duration = Duration::from_millis(25);
/// After so much thought the end was not sent together with the question.
const DEEP_THOUGHT: Duration = Duration::from_millis(500);

/// What the reading thread knows before the lines' turn comes.
#[derive(Default)]
struct Signals {
    /// The number of the last line that stops searches; they count from 1.
    stop: AtomicU64,
    /// Nobody will say anything any more.
    closed: AtomicBool,
    /// When the search that is going on began.
    thinking: Mutex<Option<Instant>>,
}

impl Signals {
    fn thinks_since(&self, begun: Option<Instant>) {
        *self.thinking.lock().unwrap_or_else(PoisonError::into_inner) = begun;
    }

    /// Whether a search has been going on for long.
    fn is_deep_in_thought(&self) -> bool {
        let begun = *self.thinking.lock().unwrap_or_else(PoisonError::into_inner);
        begun.is_some_and(|begun| begun.elapsed() >= DEEP_THOUGHT)
    }
}

/// A line and its number.
struct Heard {
    number: u64,
    line: Result<String, LineTooLong>,
}

/// Speaks until the session quits or nobody listens.
pub(super) fn run<S: Session>(
    session: S,
    thinker: Thinker,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let signals = Arc::new(Signals::default());
    let (send, receive) = mpsc::channel();
    let shared = Arc::clone(&signals);
    std::thread::spawn(move || listen::<S>(&shared, &send));
    let mut drive = Drive {
        session,
        thinker,
        signals,
        out,
    };
    for heard in receive {
        let steps = match heard.line {
            Ok(line) => drive.session.hear(&line),
            Err(error) => drive.session.hear_too_long(error),
        };
        if drive.follow(steps, heard.number)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Reads stdin to its end.
fn listen<S: Session>(signals: &Signals, send: &Sender<Heard>) {
    let mut stdin = io::stdin().lock();
    let mut lines = Lines::new(LONGEST_LINE);
    let mut number = 0;
    let mut take = |line: Result<String, LineTooLong>| {
        number += 1;
        match line.as_deref().map(S::urgency) {
            Ok(Urgency::Quits) => {
                signals.stop.store(number, Ordering::Relaxed);
                if signals.is_deep_in_thought() {
                    // Who ends us in the middle of a move does not wait for it.
                    std::process::exit(0);
                }
                std::thread::spawn(end_soon);
            }
            Ok(Urgency::StopsSearch) => signals.stop.store(number, Ordering::Relaxed),
            Ok(Urgency::Waits) | Err(_) => {}
        }
        send.send(Heard { number, line }).is_ok()
    };
    let mut bytes = [0; 4096];
    loop {
        match stdin.read(&mut bytes) {
            Ok(0) => break,
            Ok(size) => lines.push(&bytes[..size]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        }
        for line in lines.by_ref() {
            if !take(line) {
                return;
            }
        }
    }
    if let Some(line) = lines.rest() {
        take(line);
    }
    signals.closed.store(true, Ordering::Relaxed);
}

/// Ends the program once there was time for an answer.
fn end_soon() {
    let (begun, worked) = (Instant::now(), ProcessTime::now());
    loop {
        std::thread::sleep(LAST_WORDS / 16);
        let waited = begun.elapsed();
        let has_worked = worked.elapsed() >= LAST_WORK || waited >= LAST_WORDS_WHEN_BUSY;
        if waited >= LAST_WORDS && has_worked {
            std::process::exit(0);
        }
    }
}

/// A conversation in progress.
struct Drive<'a, S> {
    session: S,
    thinker: Thinker,
    signals: Arc<Signals>,
    out: &'a mut dyn Write,
}

impl<S: Session> Drive<'_, S> {
    /// Does what the line with that number led to; breaks off at the end of the conversation.
    fn follow(&mut self, steps: Vec<Step>, number: u64) -> anyhow::Result<ControlFlow<()>> {
        for step in steps {
            match step {
                Step::Say(line) => say(self.out, &line)?,
                Step::Use(text) => self.thinker.change(text.parse()?),
                Step::Forget => self.thinker.forget(),
                Step::Quit => return Ok(ControlFlow::Break(())),
                Step::Think(task) => {
                    let steps = self.think(&task, number)?;
                    if self.follow(steps, number)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Step::Swap(task) => {
                    let steps = self.swap(&task);
                    if self.follow(steps, number)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Swap2, as the search of free boards answers it.
    fn swap(&mut self, task: &Task) -> Vec<Step> {
        let begun = Instant::now();
        self.signals.thinks_since(Some(begun));
        // Two engines at once would take twice the memory.
        self.thinker.put_away();
        let variant = task.position.variant();
        let answer = catch_unwind(AssertUnwindSafe(|| {
            let mut swapper = Swapper::new(variant).ok_or(format!("{variant} has no swap2"))?;
            let answer = swapper.answer(&task.position, &task.limits);
            answer.map_err(|error| error.to_string())
        }));
        self.signals.thinks_since(None);
        match answer.unwrap_or_else(|_| Err("the search failed".to_owned())) {
            Ok(answer) => self.session.swapped(answer, begun.elapsed()),
            Err(reason) => self.session.unfit(&reason),
        }
    }

    fn think(&mut self, task: &Task, number: u64) -> anyhow::Result<Vec<Step>> {
        let begun = Instant::now();
        let limits = &task.limits;
        let is_bounded = limits.has_clock()
            || task.depth.is_some()
            || limits.nodes.is_some()
            || limits.simulations.is_some();
        let (session, signals, out) = (&mut self.session, &self.signals, &mut *self.out);
        signals.thinks_since(Some(begun));
        let mut trouble = Ok(());
        let choice = self
            .thinker
            .think(&task.position, limits, &mut |event: Event<'_>| {
                if let Some(line) = session.progress(&event) {
                    trouble = say(out, &line);
                }
                let is_deep = task
                    .depth
                    .is_some_and(|most| event.effort.depth.is_some_and(|depth| depth >= most));
                // Without a bound only a word could end it, and none will come.
                let is_abandoned = !is_bounded && signals.closed.load(Ordering::Relaxed);
                let is_stopped = signals.stop.load(Ordering::Relaxed) > number;
                if trouble.is_err() || is_deep || is_abandoned || is_stopped {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        self.signals.thinks_since(None);
        trouble?;
        Ok(match choice {
            Ok(choice) => self.session.chosen(&choice, begun.elapsed()),
            Err(error) => self.session.unfit(&error.to_string()),
        })
    }
}

/// Writes a line and lets it out: whoever waits for it does nothing else.
fn say(out: &mut dyn Write, line: &str) -> io::Result<()> {
    writeln!(out, "{line}")?;
    out.flush()
}
