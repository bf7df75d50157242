//! Search slots: as many searches at once as there are cores, fairly shared.
//!
//! One object for the whole server, so the limit holds over all routes. Who
//! finds no slot waits a moment in a bounded queue, in which clients with
//! fewer searches come first; a search that has had its turn gives way when
//! somebody waits. The rest is told to come again.

use super::refusal::Refusal;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Who waits at most.
const WAITING: usize = 32;
/// Who waits at most of one client.
const WAITING_EACH: usize = 4;
/// How long a request waits for a slot.
const WAIT: Duration = Duration::from_secs(3);
/// How long a search may keep others waiting.
const TURN: Duration = Duration::from_secs(2);

/// Where a connection comes from.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// The slots of all searches.
pub(crate) struct Slots {
    total: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    running: Vec<Running>,
    waiting: VecDeque<Waiting>,
    next: u64,
    /// Most searches that ever ran at once.
    peak: usize,
}

struct Running {
    number: u64,
    client: String,
    begun: Instant,
    stop: Arc<Stop>,
}

struct Waiting {
    client: String,
    slot: oneshot::Sender<Permit>,
}

/// How a search is told to end.
#[derive(Default)]
pub(crate) struct Stop {
    raised: AtomicBool,
    gives_way: AtomicBool,
}

impl Stop {
    /// Ends the search.
    pub(crate) fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// The flag that says so, for searches that look at one.
    pub(crate) const fn flag(&self) -> &AtomicBool {
        &self.raised
    }

    /// Whether it ends because others wait.
    pub(crate) fn gives_way(&self) -> bool {
        self.gives_way.load(Ordering::Relaxed)
    }

    /// What engines are told after each event.
    pub(crate) fn flow(&self) -> std::ops::ControlFlow<()> {
        if self.is_raised() {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    }
}

/// A slot, held as long as a search runs.
pub(crate) struct Permit {
    slots: Arc<Slots>,
    number: u64,
    stop: Arc<Stop>,
}

impl Permit {
    /// What ends the search that holds this slot.
    pub(crate) fn stop(&self) -> Arc<Stop> {
        Arc::clone(&self.stop)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.slots.release(self.number);
    }
}

impl Slots {
    pub(crate) fn new(total: usize) -> Arc<Self> {
        Arc::new(Self {
            total,
            inner: Mutex::default(),
        })
    }

    /// Searches that run now, that ran at once at most, and that may.
    pub(crate) fn figures(&self) -> [usize; 3] {
        let inner = self.lock();
        [inner.running.len(), inner.peak, self.total]
    }

    /// A slot for `client`, after a short wait if need be.
    pub(crate) async fn take(self: &Arc<Self>, client: &str) -> Result<Permit, Refusal> {
        let receive = {
            let mut inner = self.lock();
            if inner.running.len() < self.total && inner.waiting.is_empty() {
                return Ok(self.start(&mut inner, client));
            }
            inner.waiting.retain(|waiting| !waiting.slot.is_closed());
            let own = inner
                .waiting
                .iter()
                .filter(|waiting| waiting.client == client);
            if inner.waiting.len() >= WAITING || own.count() >= WAITING_EACH {
                return Err(Refusal::busy());
            }
            let (slot, receive) = oneshot::channel();
            let client = client.to_owned();
            inner.waiting.push_back(Waiting { client, slot });
            receive
        };
        let end = Instant::now() + WAIT;
        tokio::pin!(receive);
        while Instant::now() < end {
            self.ask_to_give_way();
            let look = tokio::time::timeout(WAIT / 10, &mut receive);
            if let Ok(permit) = look.await {
                return permit.map_err(|_| Refusal::busy());
            }
        }
        Err(Refusal::busy())
    }

    /// Ends the oldest search that has had its turn, if somebody waits.
    fn ask_to_give_way(&self) {
        let inner = self.lock();
        let waiting = inner
            .waiting
            .iter()
            .filter(|waiting| !waiting.slot.is_closed());
        let leaving = inner
            .running
            .iter()
            .filter(|running| running.stop.is_raised());
        if waiting.count() <= leaving.count() {
            return;
        }
        let staying = inner
            .running
            .iter()
            .filter(|running| !running.stop.is_raised());
        let oldest = staying.min_by_key(|running| running.begun);
        if let Some(running) = oldest.filter(|running| running.begun.elapsed() >= TURN) {
            running.stop.gives_way.store(true, Ordering::Relaxed);
            running.stop.raise();
        }
    }

    fn start(self: &Arc<Self>, inner: &mut Inner, client: &str) -> Permit {
        let number = inner.next;
        inner.next += 1;
        let stop = Arc::new(Stop::default());
        inner.running.push(Running {
            number,
            client: client.to_owned(),
            begun: Instant::now(),
            stop: Arc::clone(&stop),
        });
        inner.peak = inner.peak.max(inner.running.len());
        Permit {
            slots: Arc::clone(self),
            number,
            stop,
        }
    }

    fn release(self: &Arc<Self>, number: u64) {
        // A permit that nobody takes any more comes back here: the lock must be free by then.
        let mut refused = Vec::new();
        let mut inner = self.lock();
        inner.running.retain(|running| running.number != number);
        while inner.running.len() < self.total {
            let Some(at) = inner.first_in_line() else {
                break;
            };
            let Some(waiting) = inner.waiting.remove(at) else {
                break;
            };
            if waiting.slot.is_closed() {
                continue;
            }
            let permit = self.start(&mut inner, &waiting.client);
            if let Err(permit) = waiting.slot.send(permit) {
                refused.push(permit);
            }
        }
        drop(inner);
        drop(refused);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing that holds the lock can panic half-way through a change.
        self.inner
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Inner {
    /// The place in the queue of who has the fewest searches running and waits longest.
    fn first_in_line(&self) -> Option<usize> {
        let searches = |client: &str| {
            let own = self
                .running
                .iter()
                .filter(|running| running.client == client);
            own.count()
        };
        (0..self.waiting.len()).min_by_key(|&at| searches(&self.waiting[at].client))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build();
        runtime.expect("a runtime").block_on(future)
    }

    #[test]
    fn no_more_run_than_there_are_slots() {
        block_on(async {
            let slots = Slots::new(2);
            let held = (
                slots.take("a").await.unwrap(),
                slots.take("b").await.unwrap(),
            );
            assert!(slots.take("c").await.is_err());
            assert_eq!(slots.figures(), [2, 2, 2]);
            drop(held);
            assert_eq!(slots.figures(), [0, 2, 2]);
            assert!(slots.take("c").await.is_ok());
        });
    }

    #[test]
    fn who_has_less_comes_first() {
        block_on(async {
            let slots = Slots::new(2);
            let first = slots.take("greedy").await.unwrap();
            let second = slots.take("greedy").await.unwrap();
            let mut more = Box::pin(slots.take("greedy"));
            let mut other = Box::pin(slots.take("modest"));
            tokio::select! { biased;
                _ = &mut more => panic!("no slot is free"),
                _ = &mut other => panic!("no slot is free"),
                () = tokio::task::yield_now() => {}
            }
            drop(first);
            let modest = other.await.unwrap();
            drop(second);
            let greedy = more.await.unwrap();
            drop((modest, greedy));
            assert_eq!(slots.figures(), [0, 2, 2]);
        });
    }

    #[test]
    fn who_no_longer_waits_takes_no_slot() {
        block_on(async {
            let slots = Slots::new(1);
            let held = slots.take("a").await.unwrap();
            let mut gone = Box::pin(slots.take("b"));
            tokio::select! { biased;
                _ = &mut gone => panic!("no slot is free"),
                () = tokio::task::yield_now() => {}
            }
            drop(gone);
            drop(held);
            assert_eq!(slots.figures(), [0, 1, 1]);
        });
    }
}
