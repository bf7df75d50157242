//! Who plays against the person at the terminal: any engine of the registry, by name.

use std::str::FromStr;
use std::sync::Arc;
use stoneline_rules::{ReadError, Variant};
use stoneline_search::{BuildError, Engine, Limits, Spec, weighs_every_move};

/// An opponent by name.
#[derive(Clone)]
pub(crate) struct Opponent(Arc<Spec>);

impl Opponent {
    /// The strongest there is.
    pub(crate) fn usual() -> Self {
        Self::known("best")
    }

    /// Who tells the most about a position: where stones fall a tree search, which has a word
    /// on every move.
    pub(crate) fn analyst(variant: &Variant) -> Self {
        let is_best = weighs_every_move(variant) || !variant.rule().falls();
        Self::known(if is_best { "best" } else { "mcts" })
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
        for (game, analyst) in [
            ("connect4", "mcts"),
            ("connectx:6x8x4", "mcts"),
            ("connectx:7x7x4", "best"),
            ("course:9x9@4,4", "best"),
            ("gomoku", "best"),
            ("renju", "best"),
            ("mnk:6x7x4", "best"),
        ] {
            let variant: Variant = game.parse().unwrap();
            assert!(Opponent::usual().build(&variant).is_ok(), "{game}");
            let found = Opponent::analyst(&variant);
            assert_eq!(found.name(), analyst, "{game}");
            assert!(found.build(&variant).is_ok(), "{game}");
        }
    }
}
