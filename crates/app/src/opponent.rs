//! Who plays against the person at the terminal: any engine of the registry, by name.

use std::str::FromStr;
use std::sync::Arc;
use stoneline_rules::{ReadError, Variant};
use stoneline_search::{BuildError, Engine, Limits, Spec};

/// An opponent by name.
#[derive(Clone)]
pub(crate) struct Opponent(Arc<Spec>);

impl Opponent {
    /// The strongest there is.
    pub(crate) fn usual() -> Self {
        Self::known("best")
    }

    /// Who tells the most about a position: the tree search has a word on every move.
    pub(crate) fn analyst(variant: &Variant) -> Self {
        Self::known(if variant.rule().falls() {
            "mcts"
        } else {
            "best"
        })
    }

    fn known(name: &str) -> Self {
        name.parse().expect("the registry knows our own engines")
    }

    /// The name and settings, as given.
    pub(crate) fn name(&self) -> &str {
        self.0.text()
    }

    /// The limits among its settings.
    pub(crate) fn limits(&self) -> &Limits {
        self.0.limits()
    }

    /// The engine for a variant.
    pub(crate) fn build(&self, variant: &Variant) -> Result<Box<dyn Engine>, BuildError> {
        tracing::debug!(engine = self.name(), game = %variant, "built");
        self.0.build(variant)
    }
}

impl FromStr for Opponent {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        Ok(Self(Arc::new(text.parse()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_reach_the_registry() {
        let spec = "random:seed=7".parse::<Opponent>().unwrap();
        assert_eq!(spec.name(), "random:seed=7");
        assert!("randon".parse::<Opponent>().is_err());
    }

    #[test]
    fn every_game_has_its_opponent_and_analyst() {
        for game in ["connect4", "course:9x9@4,4", "gomoku", "renju", "mnk:6x7x4"] {
            let variant: Variant = game.parse().unwrap();
            assert!(Opponent::usual().build(&variant).is_ok(), "{game}");
            assert!(
                Opponent::analyst(&variant).build(&variant).is_ok(),
                "{game}"
            );
        }
    }
}
