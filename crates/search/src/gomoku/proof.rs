//! `Proof`: a forced win as a tree, and a plain checker that asks the rules alone.
//!
//! A proof names a move and what follows it: an answer for each reply that
//! stops the threat, and the threat itself, which wins against every other
//! reply. The checker goes through all legal replies and trusts nothing but
//! `rules`.

use stoneline_rules::{Cell, Outcome, PlayError, Position, Rule, finishing_cells};
use thiserror::Error;

/// A forced win of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    cell: Cell,
    /// Replies that need a win of their own.
    answers: Vec<(Cell, Proof)>,
    /// What wins against every other reply; `None` when the move itself wins.
    threat: Option<Box<Proof>>,
}

/// Why a proof is none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Flaw {
    /// A move of the proof can't be played.
    #[error("{0}")]
    Illegal(#[from] PlayError),
    /// The last move of a branch does not win.
    #[error("{0} does not win")]
    NoWin(Cell),
    /// A reply ends the game.
    #[error("the reply {0} ends the game")]
    Refuted(Cell),
}

impl Proof {
    /// The win by `cell` at once.
    pub(crate) const fn five(cell: Cell) -> Self {
        Self {
            cell,
            answers: Vec::new(),
            threat: None,
        }
    }

    /// The win by `cell`, which threatens `threat`.
    pub(crate) fn new(cell: Cell, answers: Vec<(Cell, Self)>, threat: Self) -> Self {
        Self {
            cell,
            answers,
            threat: Some(Box::new(threat)),
        }
    }

    /// The winning move.
    pub const fn cell(&self) -> Cell {
        self.cell
    }

    /// Replies that need a win of their own, with it.
    pub fn answers(&self) -> &[(Cell, Self)] {
        &self.answers
    }

    /// What wins against every other reply.
    pub(crate) fn threat(&self) -> Option<&Self> {
        self.threat.as_deref()
    }

    /// Stones until the game is won at the latest.
    pub fn plies(&self) -> u16 {
        let answers = self.answers.iter().map(|(_, proof)| proof);
        let later = answers.chain(self.threat.as_deref()).map(Self::plies).max();
        later.map_or(1, |plies| plies + 2)
    }

    /// How many moves of the winner the tree holds.
    pub fn moves(&self) -> usize {
        let answers = self.answers.iter().map(|(_, proof)| proof);
        let later = answers.chain(self.threat.as_deref());
        1 + later.map(Self::moves).sum::<usize>()
    }

    /// The win against the longest resistance, the winner's move first and last.
    pub fn line(&self) -> Vec<Cell> {
        let longest = self.answers.iter().max_by_key(|(_, proof)| proof.plies());
        let mut line = vec![self.cell];
        // Where no reply helps, the loser may play anywhere and the line ends.
        if let Some((reply, proof)) = longest {
            line.push(*reply);
            line.extend(proof.line());
        }
        line
    }

    /// Adds every cell of the tree to `cells`.
    pub(crate) fn collect(&self, cells: &mut Vec<Cell>) {
        cells.push(self.cell);
        for (reply, proof) in &self.answers {
            cells.push(*reply);
            proof.collect(cells);
        }
        if let Some(threat) = &self.threat {
            threat.collect(cells);
        }
    }

    /// Whether this wins at `position` against every legal reply.
    ///
    /// # Errors
    /// The first flaw that was found.
    pub fn verify(&self, position: &Position) -> Result<(), Flaw> {
        self.check(&mut position.clone())
    }

    fn check(&self, position: &mut Position) -> Result<(), Flaw> {
        let winner = position.side_to_move();
        position.play(self.cell)?;
        let checked = match position.outcome() {
            Some(Outcome::Win(side)) if side == winner => Ok(()),
            Some(_) => Err(Flaw::NoWin(self.cell)),
            None => self.check_replies(position),
        };
        position.undo();
        checked
    }

    fn check_replies(&self, position: &mut Position) -> Result<(), Flaw> {
        let Some(threat) = &self.threat else {
            return Err(Flaw::NoWin(self.cell));
        };
        let mut replies = position.legal_moves();
        if threat.threat.is_none() && position.variant().rule() != Rule::Caro {
            // Whatever stone lies elsewhere, the five stays a five: one reply
            // stands for all that neither take its cell nor win themselves.
            let matters = self.replies_that_matter(position, threat.cell);
            let stand_in = replies.iter().copied().find(|cell| !matters.contains(cell));
            replies.retain(|cell| matters.contains(cell) || Some(*cell) == stand_in);
        }
        for reply in replies {
            let answer = self.answers.iter().find(|(cell, _)| *cell == reply);
            let next = answer.map_or(&**threat, |(_, proof)| proof);
            position.play(reply)?;
            let checked = if position.outcome().is_some() {
                Err(Flaw::Refuted(reply))
            } else {
                next.check(position)
            };
            position.undo();
            checked?;
        }
        Ok(())
    }

    /// The cell of the five, the replies that are answered, and those that could make five.
    fn replies_that_matter(&self, position: &Position, five: Cell) -> Vec<Cell> {
        let variant = position.variant();
        let geometry = variant.geometry();
        let own = position.stones(position.side_to_move());
        let long = finishing_cells(own, geometry.directions(), variant.run());
        let mut cells: Vec<Cell> = geometry.cells(long & geometry.playable()).collect();
        cells.push(five);
        cells.extend(self.answers.iter().map(|(cell, _)| *cell));
        cells
    }
}
