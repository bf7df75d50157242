//! A game that can be walked through: the moves played, and which of them are shown.
//!
//! Going back forgets nothing: what was played stays ahead until another move
//! is played from an earlier position.

use stoneline_rules::{Cell, Outcome, PlayError, Position, Side};

/// A game, shown after some of its moves.
pub(crate) struct Game {
    /// Where `restart` leads.
    opening: Position,
    /// All moves.
    whole: Position,
    /// The position after the first `ply` of them.
    shown: Position,
    resigned: Option<Side>,
}

impl Game {
    /// The game that begins at `opening`, whose moves can be walked through, too.
    pub(crate) fn new(opening: Position) -> Self {
        Self {
            whole: opening.clone(),
            shown: opening.clone(),
            opening,
            resigned: None,
        }
    }

    /// The position that is shown.
    pub(crate) const fn shown(&self) -> &Position {
        &self.shown
    }

    /// The position after all moves.
    pub(crate) const fn whole(&self) -> &Position {
        &self.whole
    }

    /// How many moves are shown.
    pub(crate) fn ply(&self) -> usize {
        self.shown.moves().len()
    }

    /// Whether nothing was played beyond what is shown.
    pub(crate) fn is_at_end(&self) -> bool {
        self.ply() == self.whole.moves().len()
    }

    /// Who gave up, if that is how the game ended.
    pub(crate) fn resigned(&self) -> Option<Side> {
        self.resigned.filter(|_| self.is_at_end())
    }

    /// How the game stands that is shown; `None` while it goes on.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let given = self.resigned().map(|side| Outcome::Win(!side));
        given.or_else(|| self.shown.outcome())
    }

    /// Plays `cell` in the position that is shown; moves ahead are kept only if it is one of them.
    pub(crate) fn play(&mut self, cell: Cell) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::GameOver(outcome));
        }
        self.shown.play(cell)?;
        if self.whole.moves().get(self.ply() - 1) != Some(&cell) {
            self.whole.clone_from(&self.shown);
            self.resigned = None;
        }
        Ok(())
    }

    /// Shows the position after `ply` moves, or after all if there are fewer.
    pub(crate) fn show(&mut self, ply: usize) {
        let mut position = self.whole.start();
        for &cell in self.whole.moves().iter().take(ply) {
            position.play(cell).expect("the game was played once");
        }
        self.shown = position;
    }

    /// Forgets what was played after the shown position.
    pub(crate) fn cut(&mut self) {
        if !self.is_at_end() {
            self.whole.clone_from(&self.shown);
            self.resigned = None;
        }
    }

    /// Gives up on behalf of `side`; what was played after the shown position is forgotten.
    pub(crate) fn resign(&mut self, side: Side) {
        self.whole.clone_from(&self.shown);
        self.resigned = Some(side);
    }

    /// Takes a resignation back; whether there was one.
    pub(crate) fn take_back_resignation(&mut self) -> bool {
        self.resigned().is_some() && self.resigned.take().is_some()
    }

    /// Begins anew.
    pub(crate) fn restart(&mut self) {
        *self = Self::new(self.opening.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(game: &mut Game, column: u8) {
        let cell = game.shown().landing(column).unwrap();
        game.play(cell).unwrap();
    }

    #[test]
    fn walking_back_forgets_nothing_until_another_move_is_played() {
        let mut game = Game::new("connect4 4453".parse().unwrap());
        game.show(2);
        assert_eq!((game.ply(), game.is_at_end()), (2, false));
        column(&mut game, 4);
        assert_eq!(game.whole().notation(), "connect4 4453");
        column(&mut game, 0);
        assert_eq!(game.whole().notation(), "connect4 4451");
        assert!(game.is_at_end());
        game.restart();
        assert_eq!(game.whole().notation(), "connect4 4453");
    }

    #[test]
    fn a_resignation_ends_the_game_where_it_was_given() {
        let mut game = Game::new("connect4 44".parse().unwrap());
        game.resign(Side::First);
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second)));
        assert!(game.play(game.shown().landing(0).unwrap()).is_err());
        game.show(1);
        assert_eq!(game.outcome(), None);
        game.show(9);
        assert!(game.take_back_resignation());
        assert_eq!(game.outcome(), None);
    }
}
