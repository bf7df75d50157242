//! The pulse of one search thread: it counts nodes, and every so many looks at
//! the limits and tells the watcher.
//!
//! Looks at the clock only when a clock bounds the search.

use crate::engine::{Effort, Event, MoveReport};
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Nodes between two looks.
const LOOK_NODES: u64 = 1 << 10;
/// Nodes before which no news is kept.
const NEWS_NODES: u64 = 1 << 14;
/// Nodes between two events when no clock bounds the search.
const EVENT_NODES: u64 = 1 << 18;
/// Time between two events.
const EVENT_TIME: Duration = Duration::from_millis(100);

/// What ends a search, beside a proof.
#[derive(Clone, Copy)]
pub(crate) struct Ends<'a> {
    /// Most nodes of this thread.
    pub(crate) nodes: Option<u64>,
    /// When the search began and must end; `None` without a clock.
    pub(crate) clock: Option<(Instant, Instant)>,
    /// Raised when another thread or the watcher ends it.
    pub(crate) stop: &'a AtomicBool,
}

/// Who hears how the search stands, and what there is to tell.
pub(crate) struct Watcher<'a> {
    watch: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    memory_bytes: usize,
    news: Option<News>,
    next_nodes: u64,
    last: Option<Instant>,
}

/// How the search stands.
pub(crate) struct News {
    pub(crate) value: Value,
    pub(crate) moves: Vec<MoveReport>,
    pub(crate) depth: u32,
}

impl<'a> Watcher<'a> {
    pub(crate) fn new(
        watch: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
        memory_bytes: usize,
    ) -> Self {
        Self {
            watch,
            memory_bytes,
            news: None,
            next_nodes: EVENT_NODES,
            last: None,
        }
    }
}

/// Counts nodes and says when to stop.
pub(crate) struct Pulse<'a> {
    nodes: u64,
    /// The count at which something must be looked at.
    look_at: u64,
    ends: Ends<'a>,
    watcher: Option<Watcher<'a>>,
}

impl<'a> Pulse<'a> {
    pub(crate) fn new(ends: Ends<'a>, watcher: Option<Watcher<'a>>) -> Self {
        let mut pulse = Self {
            nodes: 0,
            look_at: 0,
            ends,
            watcher,
        };
        pulse.plan();
        pulse
    }

    /// How many nodes were counted.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether an event may be due before the next news: quick searches are over sooner.
    pub(crate) fn wants_news(&self) -> bool {
        self.watcher.is_some() && self.nodes >= NEWS_NODES
    }

    /// Keeps `news` for the next event.
    pub(crate) fn note(&mut self, news: News) {
        if let Some(watcher) = &mut self.watcher {
            watcher.news = Some(news);
        }
    }

    /// Counts a node; `None` when the search has to stop.
    #[inline(always)]
    pub(crate) fn count(&mut self) -> Option<()> {
        if self.nodes >= self.look_at {
            self.beat()?;
        }
        self.nodes += 1;
        Some(())
    }

    #[cold]
    #[inline(never)]
    fn beat(&mut self) -> Option<()> {
        let now = self.ends.clock.map(|_| Instant::now());
        let late = self
            .ends
            .clock
            .zip(now)
            .is_some_and(|((_, end), now)| now >= end);
        let spent = self.ends.nodes.is_some_and(|most| self.nodes >= most);
        if late || spent || self.ends.stop.load(Relaxed) || self.tell(now).is_break() {
            return None;
        }
        self.plan();
        Some(())
    }

    /// Tells the watcher, if it is time.
    fn tell(&mut self, now: Option<Instant>) -> ControlFlow<()> {
        let Some(watcher) = &mut self.watcher else {
            return ControlFlow::Continue(());
        };
        let due = match (self.ends.clock, now) {
            (Some((begun, _)), Some(now)) => {
                let gap = crate::clock::event_gap(now - begun, EVENT_TIME);
                now - watcher.last.unwrap_or(begun) >= gap
            }
            _ => self.nodes >= watcher.next_nodes,
        };
        let Some(news) = watcher.news.as_ref().filter(|_| due) else {
            return ControlFlow::Continue(());
        };
        watcher.last = now;
        watcher.next_nodes = self.nodes + EVENT_NODES;
        (watcher.watch)(Event {
            value: news.value,
            moves: &news.moves,
            effort: &Effort {
                nodes: self.nodes,
                depth: Some(news.depth),
                memory_bytes: watcher.memory_bytes,
                time: self
                    .ends
                    .clock
                    .zip(now)
                    .map(|((begun, _), now)| now - begun),
                ..Effort::default()
            },
        })
    }

    fn plan(&mut self) {
        let next = self.nodes + LOOK_NODES;
        self.look_at = self.ends.nodes.map_or(next, |most| most.min(next));
    }
}
