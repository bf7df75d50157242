//! One phase of a search: all workers on the shared tree, until something is due between phases.

use super::game::Game;
use super::simulate::{Search, Worker};
use super::tree::ROOT;
use super::{EVENT_TIME, Progress};
use crate::clock::event_gap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Simulations between two looks at the clock.
const LOOK_SIMULATIONS: u64 = 64;

/// Simulates on all threads until the tree is full, decided, or something is due between
/// phases; whether it is full.
pub(super) fn run<G: Game>(
    search: &Search<'_, G>,
    workers: &mut [Worker<G>],
    progress: &mut Progress,
) -> bool {
    let quota = match progress.clock {
        Some(_) => progress.left(),
        None => progress
            .left()
            .min(progress.next_event - progress.simulations),
    };
    // Short at first: whoever answers for a search that gets no turn needs a move from it soon.
    let until = progress.clock.map(|(start, end)| {
        let gap = event_gap(start.elapsed(), EVENT_TIME / 4);
        end.min(Instant::now() + gap)
    });
    let shared = Shared {
        full: AtomicBool::new(false),
        granted: AtomicU64::new(0),
        made: AtomicU64::new(0),
        visits: AtomicU64::new(0),
        quota,
        until,
    };
    match workers {
        [worker] => work::<G, false>(search, worker, &shared),
        workers => std::thread::scope(|scope| {
            let mut others = workers.iter_mut();
            let own = others.next();
            for worker in others {
                scope.spawn(|| work::<G, true>(search, worker, &shared));
            }
            // A thread that only waited would have to be woken up on some core.
            if let Some(worker) = own {
                work::<G, true>(search, worker, &shared);
            }
        }),
    }
    progress.simulations += shared.made.into_inner();
    progress.visits += shared.visits.into_inner();
    shared.full.into_inner()
}

/// What the workers of a phase tell each other.
struct Shared {
    full: AtomicBool,
    /// Simulations handed out, and made.
    granted: AtomicU64,
    made: AtomicU64,
    /// Visits that they brought the root.
    visits: AtomicU64,
    quota: u64,
    until: Option<Instant>,
}

/// One worker's part of a phase.
fn work<G: Game, const SHARED: bool>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    shared: &Shared,
) {
    let (mut made, mut visits) = (0, 0);
    'batches: loop {
        let granted = shared
            .granted
            .fetch_add(LOOK_SIMULATIONS, Ordering::Relaxed);
        let batch = shared.quota.saturating_sub(granted).min(LOOK_SIMULATIONS);
        if batch == 0 {
            break;
        }
        let mut left = batch;
        while left > 0 {
            let expedition = search.explore::<SHARED>(worker, left);
            made += expedition.made;
            visits += expedition.visits;
            left -= expedition.made;
            if expedition.full {
                shared.full.store(true, Ordering::Relaxed);
                break 'batches;
            }
        }
        let root_is_proven = search.params.proofs && search.tree.node(ROOT).is_proven();
        let late = shared.until.is_some_and(|until| Instant::now() >= until);
        if root_is_proven || late || shared.full.load(Ordering::Relaxed) {
            break;
        }
    }
    worker.leave(search.tree);
    shared.made.fetch_add(made, Ordering::Relaxed);
    shared.visits.fetch_add(visits, Ordering::Relaxed);
}
