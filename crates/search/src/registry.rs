//! The one registry of engine names, and the reading of `NAME[:key=value,...]`.
//!
//! The command line, the page, the arena and the bindings all come through
//! here. Unknown names and keys are refused with the nearest known ones.

use crate::alphabeta;
use crate::best::BestParams;
use crate::engine::{Choice, Engine, Event};
use crate::exact::SolverParams;
use crate::gomoku;
use crate::level::LevelParams;
use crate::limits::Limits;
use crate::negamax::NegamaxParams;
use crate::params::{SettingError, Tunable, listed, nearest};
use crate::presets;
use crate::punctual::Punctual;
use crate::random::RandomRecipe;
use std::ops::ControlFlow;
use std::str::FromStr;
use stoneline_rules::{Position, ReadError, Variant};
use thiserror::Error;

/// An engine's parameters, and the way from them to the engine.
pub(crate) trait Recipe: Send + Sync {
    /// The keys beyond the common ones.
    fn tunables(&self) -> Vec<Tunable> {
        Vec::new()
    }

    /// Sets the tunable called `key`; `false` if there is none.
    fn set(&mut self, key: &str, text: &str) -> Result<bool, SettingError> {
        let _ = (key, text);
        Ok(false)
    }

    /// The key that a bare value after the name stands for, as in `level:3`.
    fn short_key(&self) -> Option<&'static str> {
        None
    }

    /// The engine for a variant.
    fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError>;
}

/// Why an engine can't be built for a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BuildError {
    /// The engine does not play games of that kind.
    #[error("{engine} does not play {variant}: it needs {needs}")]
    Unsuitable {
        /// The engine's name.
        engine: &'static str,
        /// The game.
        variant: Variant,
        /// What the engine needs of a game.
        needs: &'static str,
    },
}

/// A name that the registry knows.
pub struct Entry {
    name: &'static str,
    about: &'static str,
    recipe: fn() -> Box<dyn Recipe>,
}

/// Every engine, in the order of the help text.
static ENGINES: &[Entry] = &[
    Entry {
        name: "best",
        about: "what we would send to a tournament: perfect where that is at hand",
        recipe: || Box::new(BestParams::default()),
    },
    Entry {
        name: "solver",
        about: "exact values, for falling stones",
        recipe: || Box::new(SolverParams::default()),
    },
    Entry {
        name: "mcts",
        about: "Monte-Carlo tree search: with proofs where stones fall, by shapes elsewhere",
        recipe: || Box::new(presets::mcts()),
    },
    Entry {
        name: "alphabeta",
        about: "alpha-beta search with proofs: by columns where stones fall, by threats elsewhere",
        recipe: || Box::new(alphabeta::Params::default()),
    },
    Entry {
        name: "rules-uct",
        about: "UCT with five rules at the root",
        recipe: || Box::new(presets::rules_uct()),
    },
    Entry {
        name: "prover-uct",
        about: "UCT with proofs and threats, its tree kept",
        recipe: || Box::new(presets::prover_uct()),
    },
    Entry {
        name: "centre-uct",
        about: "UCT with rollouts towards the centre",
        recipe: || Box::new(presets::centre_uct()),
    },
    Entry {
        name: "connectx-uct",
        about: "Kaggle's UCT with uniform rollouts",
        recipe: || Box::new(presets::connectx_uct()),
    },
    Entry {
        name: "gobang-mcts",
        about: "five in a row by 500 simulations, candidates next to stones",
        recipe: || Box::new(gomoku::TreeParams::default()),
    },
    Entry {
        name: "gobang-minimax",
        about: "five in a row by minimax to depth 3, shapes judged by ten rules",
        recipe: || Box::new(gomoku::MinimaxParams::default()),
    },
    Entry {
        name: "kaggle-negamax",
        about: "ConnectX's built-in opponent: negamax to depth 4",
        recipe: || Box::new(NegamaxParams::default()),
    },
    Entry {
        name: "level",
        about: "an opponent for people: level:1, a beginner, to level:10, which is best",
        recipe: || Box::new(LevelParams::default()),
    },
    Entry {
        name: "random",
        about: "legal moves, each equally likely",
        recipe: || Box::new(RandomRecipe),
    },
];

/// Every engine that has a name here.
pub fn engines() -> impl Iterator<Item = &'static Entry> {
    ENGINES.iter()
}

impl Entry {
    /// The name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What the engine is, in a few words.
    pub const fn about(&self) -> &'static str {
        self.about
    }

    /// The keys that may follow the name: the engine's own, then the common ones.
    pub fn keys(&self) -> Vec<Tunable> {
        let mut keys = (self.recipe)().tunables();
        keys.extend_from_slice(Limits::KEYS);
        keys
    }
}

/// An engine by name, with the keys that were set: `NAME[:key=value,...]`.
///
/// ```
/// use stoneline_rules::{Position, Variant};
/// use stoneline_search::{Limits, Spec, think_quietly};
/// let spec: Spec = "random:seed=7".parse().unwrap();
/// let game: Variant = "connect4".parse().unwrap();
/// let mut engine = spec.build(&game).unwrap();
/// let choice = think_quietly(&mut *engine, &Position::new(game), &Limits::default());
/// assert!(choice.best.is_some());
/// assert!("random:sed=7".parse::<Spec>().is_err());
/// ```
pub struct Spec {
    text: String,
    name: &'static str,
    recipe: Box<dyn Recipe>,
    limits: Limits,
}

impl Spec {
    /// The engine's name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name and keys as they were read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The limits among the keys.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The engine for a variant. Limits among the keys overrule those of each call.
    ///
    /// # Errors
    /// If the engine does not play that variant.
    pub fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        self.recipe
            .build(variant)
            .map(|engine| self.limited(engine))
    }

    /// The same engine on a thread of its own: whoever asks gets a move in time, however
    /// busy the machine is, if need be the best that was found until then. A time among the
    /// keys is such a clock too: in matches the referee takes it from there.
    ///
    /// # Errors
    /// If the engine does not play that variant.
    pub fn build_punctual(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        self.recipe
            .build(variant)
            .map(|engine| self.limited(Box::new(Punctual::new(engine))))
    }

    fn limited(&self, engine: Box<dyn Engine>) -> Box<dyn Engine> {
        if self.limits == Limits::default() {
            engine
        } else {
            Box::new(Limited {
                engine,
                own: self.limits.clone(),
            })
        }
    }

    fn set(&mut self, text: &str, pair: &str) -> Result<(), ReadError> {
        let wrong = |part: &str, reason: String| ReadError::at_part(text, part, reason);
        let bare = self.recipe.short_key().map(|key| (key, pair));
        let Some((key, value)) = pair.split_once('=').or(bare) else {
            return Err(wrong(pair, format!("expected key=value, found {pair:?}")));
        };
        let refused = |error: SettingError| wrong(value, error.to_string());
        if self.limits.set(key, value).map_err(refused)?
            || self.recipe.set(key, value).map_err(refused)?
        {
            return Ok(());
        }
        let own = self.recipe.tunables();
        let known = own.iter().chain(Limits::KEYS).map(Tunable::name);
        let near = listed(nearest(key, known));
        let reason = format!("{} has no key {key:?}; did you mean {near}?", self.name);
        Err(wrong(key, reason))
    }
}

impl FromStr for Spec {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let (name, pairs) = match text.split_once(':') {
            Some((name, pairs)) => (name, Some(pairs)),
            None => (text, None),
        };
        let Some(entry) = ENGINES.iter().find(|entry| entry.name == name) else {
            let near = listed(nearest(name, ENGINES.iter().map(|entry| entry.name)));
            let reason = format!("unknown engine {name:?}; did you mean {near}?");
            return Err(ReadError::at(text, 0, reason));
        };
        let mut spec = Self {
            text: text.to_owned(),
            name: entry.name,
            recipe: (entry.recipe)(),
            limits: Limits::default(),
        };
        for pair in pairs.iter().flat_map(|pairs| pairs.split(',')) {
            spec.set(text, pair)?;
        }
        Ok(spec)
    }
}

/// An engine with limits of its own, which come before those of each call.
pub(crate) struct Limited {
    pub(crate) engine: Box<dyn Engine>,
    pub(crate) own: Limits,
}

impl Engine for Limited {
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Choice {
        self.engine.think(position, &self.own.or(limits), watch)
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::think_quietly;
    use crate::value::Value;
    use std::thread::{ThreadId, current};
    use std::time::Duration;

    /// An engine that finds a draw on a thread of its own and a loss on the one it was built on.
    struct Homesick(ThreadId);

    impl Engine for Homesick {
        fn think(
            &mut self,
            position: &Position,
            _: &Limits,
            _: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
        ) -> Choice {
            let value = match current().id() == self.0 {
                true => Value::Loss { plies: 1 },
                false => Value::Draw,
            };
            Choice::at_once(position.legal_moves()[0], value)
        }
    }

    struct HomesickRecipe;

    impl Recipe for HomesickRecipe {
        fn build(&self, _: &Variant) -> Result<Box<dyn Engine>, BuildError> {
            Ok(Box::new(Homesick(current().id())))
        }
    }

    #[test]
    fn a_time_among_the_keys_is_kept_as_one_of_the_caller_is() {
        let hour = Limits {
            time: Some(Duration::from_secs(3600)),
            ..Limits::default()
        };
        let game: Variant = "connect4".parse().unwrap();
        let value = |own: &Limits, limits: &Limits| {
            let spec = Spec {
                text: String::new(),
                name: "homesick",
                recipe: Box::new(HomesickRecipe),
                limits: own.clone(),
            };
            let mut engine = spec.build_punctual(&game).unwrap();
            think_quietly(&mut *engine, &Position::new(game), limits).value
        };
        let none = Limits::default();
        assert_eq!(value(&none, &hour), Value::Draw);
        assert_eq!(value(&hour, &none), Value::Draw);
        assert_eq!(value(&none, &none), Value::Loss { plies: 1 });
    }
}
