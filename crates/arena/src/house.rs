//! Our own engines as players: in the arena's process, by their names in the registry.

use crate::game::Reason;
use crate::player::{Answer, Loss, Maker, Player, Start, Turn};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use stoneline_rules::Variant;
use stoneline_search::{Engine, Limits, Spec};

/// The maker of players from the registry.
pub(crate) struct House {
    spec: Arc<Spec>,
}

impl House {
    pub(crate) fn new(spec: Spec) -> Self {
        Self {
            spec: Arc::new(spec),
        }
    }
}

impl Maker for House {
    fn check(&self, variant: &Variant) -> Result<(), String> {
        self.spec
            .build(variant)
            .map(drop)
            .map_err(|error| error.to_string())
    }

    fn make(&self) -> Box<dyn Player> {
        Box::new(HousePlayer {
            spec: Arc::clone(&self.spec),
            engine: None,
        })
    }

    fn own_limits(&self) -> Limits {
        self.spec.limits().clone()
    }

    /// The version: what a name means may change with it.
    fn fingerprint(&self) -> Option<String> {
        Some(concat!("stoneline ", env!("CARGO_PKG_VERSION")).to_owned())
    }
}

/// An engine of ours and the text that it comes from.
struct HousePlayer {
    spec: Arc<Spec>,
    engine: Option<Box<dyn Engine>>,
}

impl Player for HousePlayer {
    /// Builds the engine afresh: nothing of earlier games can change this one.
    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Loss> {
        let engine = self.spec.build_punctual(start.variant);
        self.engine = Some(engine.map_err(|error| Loss::new(Reason::NoMove, error.to_string()))?);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Loss> {
        let engine = self
            .engine
            .as_mut()
            .expect("a game begins before its moves");
        let mut watch = |_: stoneline_search::Event<'_>| match turn.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        // A bug in one engine costs it the game, not the tournament its results.
        let thought = catch_unwind(AssertUnwindSafe(|| {
            engine.think(turn.position, turn.limits, &mut watch)
        }));
        let choice = thought.map_err(|panic| {
            self.engine = None;
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            Loss::new(
                Reason::Crash,
                format!("the engine panicked: {}", text.unwrap_or("no message")),
            )
        })?;
        let counted = |count: u64| (count > 0).then_some(count);
        Ok(Answer {
            cell: choice
                .best
                .ok_or_else(|| Loss::new(Reason::NoMove, "the engine named no move"))?,
            value: Some(choice.value),
            nodes: counted(choice.effort.nodes),
            simulations: counted(choice.effort.simulations),
            depth: choice.effort.depth,
        })
    }

    fn end(&mut self) {
        self.engine = None;
    }
}
