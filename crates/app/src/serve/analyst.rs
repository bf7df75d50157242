//! Searches as the page hears of them: analysis, the moves of engines.

use super::request::limits;
use super::slots::Stop;
use super::stream::Teller;
use crate::study::{Listener, Standing, analysis};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use stoneline_rules::Position;
use stoneline_search::{Choice, Engine};

impl Listener for &Teller {
    fn hear(&mut self, standing: &Standing<'_>) -> ControlFlow<()> {
        if standing.is_final {
            self.tell(&standing.json())
        } else {
            self.mention(&standing.json())
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        self.stop().flow()
    }
}

/// Tells how the analysis of `position` goes on, for at most `time`.
pub(crate) fn analyse(position: &Position, time: Duration, mut teller: &Teller) {
    analysis::analyse(position, time, &limits(time, 1), &mut teller);
}

/// The choice of an engine, its thoughts told as it goes.
pub(crate) fn choose(
    engine: &mut dyn Engine,
    position: &Position,
    time: Duration,
    seed: u64,
    teller: &Teller,
) -> Choice {
    let begun = Instant::now();
    let choice = engine.think(position, &limits(time, seed), &mut |event| {
        let standing = Standing::under_way(position, &event, begun);
        teller.mention(&standing.json())
    });
    let standing = Standing::chosen(position, &choice, begun);
    let _ = teller.tell(&standing.json());
    choice
}

/// The choice of an engine, quietly.
pub(crate) fn consult(
    engine: &mut dyn Engine,
    position: &Position,
    time: Duration,
    stop: &Stop,
) -> Choice {
    engine.think(position, &limits(time, 1), &mut |_| stop.flow())
}
