//! Uniform random games, as fast as one core plays them.
//!
//! Choosing a move is cheap; asking after every stone whether it has won is
//! not. So a game is played blind for a few plies, then looked at with one
//! bit-parallel test for each side. Only when a line is there are the last few
//! plies searched, by halving, for the stone that finished it. Runs never break
//! up, so nothing is missed, and moves past the end are thrown away.

use crate::bits::Bits;
use crate::board::Grid;
use crate::cell::{Cell, Side};
use crate::chance::Chance;
use crate::geometry::LARGEST_SIDE;
use crate::position::{Outcome, Position};
use crate::renju;
use crate::runs::{self, winning_line};
use crate::variant::Rule;

const MOST_CELLS: usize = LARGEST_SIDE as usize * LARGEST_SIDE as usize;
/// Every bit of the widest layout has a number below this.
const MOST_BITS: usize = 512;
/// Plies between two looks: a power of two for each kind of game, found by measurement.
const BLIND_FALLING: usize = 8;
const BLIND_FREE: usize = 32;

/// Plays random games from one position.
///
/// ```
/// use stoneline_rules::{Chance, Position, RandomGames};
/// let empty = Position::new("connect4".parse().unwrap());
/// let mut games = RandomGames::<1>::new(&empty).unwrap();
/// let game = games.play(&mut Chance::new(7));
/// assert!((7..=42).contains(&game.plies));
/// assert_eq!(games.moves().count(), game.plies);
/// ```
#[derive(Clone, Debug)]
pub struct RandomGames<const WORDS: usize> {
    grid: Grid<WORDS>,
    stones: [Bits<WORDS>; 2],
    plies: usize,
    /// What may be chosen first: the landing cell of each open column, or every empty cell.
    choices: Vec<u16>,
    /// With falling stones: the cell that is next after one is taken, if any.
    above: Box<[Option<AboveCell>; MOST_BITS]>,
    over: Option<Outcome>,
    /// What may be chosen next in the game under way; its list shrinks from the end.
    open: Box<[u16; MOST_CELLS]>,
    /// The moves of the game under way, or of the last one.
    moves: Box<[u16; MOST_CELLS]>,
    /// How many of `moves` belong to the last game.
    told: usize,
}

/// The number of a cell that lies above another, so never 0.
type AboveCell = std::num::NonZeroU16;

/// How a random game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomGame {
    /// Who won.
    pub outcome: Outcome,
    /// Stones on the board at the end.
    pub plies: usize,
}

/// How far a game has come.
#[derive(Clone, Copy)]
struct Progress<const WORDS: usize> {
    stones: [Bits<WORDS>; 2],
    /// Moves made since the start.
    played: usize,
    /// How many of the open choices are left.
    left: usize,
}

impl<const WORDS: usize> RandomGames<WORDS> {
    /// Random games that go on from `position`; `None` when its board needs more words.
    pub fn new(position: &Position) -> Option<Self> {
        let grid = Grid::new(position.variant())?;
        let geometry = position.variant().geometry();
        let stones = Side::BOTH.map(|side| position.stones(side).resize());
        let free = grid.playable().minus(stones[0] | stones[1]);
        let mut above = Box::new([None; MOST_BITS]);
        let mut choices = Vec::new();
        for column in 0..geometry.columns() {
            let cells: Vec<u32> = (free & grid.column(column)).iter().collect();
            let falls = position.variant().rule().falls();
            if falls {
                for pair in cells.windows(2) {
                    above[pair[0] as usize] = AboveCell::new(pair[1] as u16);
                }
            }
            let first = if falls {
                cells.len().min(1)
            } else {
                cells.len()
            };
            choices.extend(cells[..first].iter().map(|&index| index as u16));
        }
        Some(Self {
            grid,
            stones,
            plies: position.plies(),
            choices,
            above,
            over: position.outcome(),
            open: Box::new([0; MOST_CELLS]),
            moves: Box::new([0; MOST_CELLS]),
            told: 0,
        })
    }

    /// One game with uniformly random legal moves; a finished position stays as it is.
    pub fn play(&mut self, chance: &mut Chance) -> RandomGame {
        let game = match (self.over, self.grid.variant().rule(), self.grid.run()) {
            (Some(outcome), ..) => RandomGame {
                outcome,
                plies: self.plies,
            },
            (None, Rule::Gravity, 4) => self.play_by::<true, true, 4>(chance),
            (None, Rule::Gravity, _) => self.play_by::<true, true, 0>(chance),
            (None, Rule::Freestyle, 5) => self.play_by::<false, true, 5>(chance),
            (None, Rule::Freestyle, _) => self.play_by::<false, true, 0>(chance),
            (None, ..) => self.play_by::<false, false, 0>(chance),
        };
        self.told = game.plies - self.plies;
        game
    }

    /// The moves of the last game, in order.
    pub fn moves(&self) -> impl Iterator<Item = Cell> {
        let geometry = self.grid.geometry();
        self.moves[..self.told]
            .iter()
            .map(|&index| geometry.cell(index.into()))
    }

    /// `PLAIN`: `run` or more in a line win for either side and every empty
    /// cell is legal. `RUN`: the run if it is known, else 0.
    fn play_by<const FALLS: bool, const PLAIN: bool, const RUN: u8>(
        &mut self,
        chance: &mut Chance,
    ) -> RandomGame {
        let mut progress = Progress {
            stones: self.stones,
            played: 0,
            left: self.choices.len(),
        };
        self.open[..self.choices.len()].copy_from_slice(&self.choices);
        // The plies before anyone can have a line need no look.
        let mut until = (2 * usize::from(self.grid.run()) - 2).saturating_sub(self.plies);
        loop {
            let before = progress;
            until += if FALLS { BLIND_FALLING } else { BLIND_FREE };
            let stuck = !self.play_blind::<FALLS, PLAIN>(&mut progress, until, chance);
            if let Some(game) = self.look_back::<PLAIN, RUN>(before, progress) {
                return game;
            }
            if stuck {
                return RandomGame {
                    outcome: Outcome::Draw,
                    plies: self.plies + progress.played,
                };
            }
        }
    }

    #[inline(always)]
    fn has_run<const RUN: u8>(&self, stones: Bits<WORDS>) -> bool {
        let run = if RUN == 0 { self.grid.run() } else { RUN };
        runs::has_run(stones, self.grid.geometry().directions(), run)
    }

    /// Plays on until `until` moves are made; `false` when no move is left before that.
    #[inline(always)]
    fn play_blind<const FALLS: bool, const PLAIN: bool>(
        &mut self,
        progress: &mut Progress<WORDS>,
        until: usize,
        chance: &mut Chance,
    ) -> bool {
        // Locals, so that they stay in registers.
        let Progress {
            mut stones,
            mut played,
            mut left,
        } = *progress;
        // One draw serves two choices: the halves of its 64 bits.
        let (mut luck, mut half_used) = (0, false);
        while played < until && left > 0 {
            luck = if half_used { luck >> 32 } else { chance.draw() };
            half_used = !half_used;
            let mut at = (((luck & 0xffff_ffff) * left as u64) >> 32) as usize;
            if !PLAIN {
                match self.first_allowed(
                    Progress {
                        stones,
                        played,
                        left,
                    },
                    at,
                ) {
                    Some(allowed) => at = allowed,
                    None => break,
                }
            }
            let index = self.open[at];
            match self.above[usize::from(index) % MOST_BITS] {
                Some(next) if FALLS => self.open[at] = next.get(),
                _ => {
                    left -= 1;
                    self.open[at] = self.open[left];
                }
            }
            self.moves[played] = index;
            stones[Side::to_move(self.plies + played).index()].insert(index.into());
            played += 1;
        }
        *progress = Progress {
            stones,
            played,
            left,
        };
        played == until
    }

    /// The first choice from `at` on, round the list, that renju does not forbid.
    ///
    /// A forbidden point so favours its successor in the list a little, which
    /// the exchanges keep in no particular order.
    fn first_allowed(&self, progress: Progress<WORDS>, at: usize) -> Option<usize> {
        let variant = self.grid.variant();
        let side = Side::to_move(self.plies + progress.played);
        if variant.rule() != Rule::Renju || side == Side::Second {
            return Some(at);
        }
        (at..progress.left).chain(0..at).find(|&at| {
            let cell = variant.geometry().cell(self.open[at].into());
            renju::forbidden(variant.geometry(), &progress.stones, cell).is_none()
        })
    }

    /// The end of the game among the moves from `before` to `now`, if one of them finished it.
    #[inline(always)]
    fn look_back<const PLAIN: bool, const RUN: u8>(
        &self,
        before: Progress<WORDS>,
        now: Progress<WORDS>,
    ) -> Option<RandomGame> {
        let [first, second] = now.stones.map(|stones| self.has_run::<RUN>(stones));
        if !first && !second {
            return None;
        }
        let end = if PLAIN {
            let end_of = |side, has_run: bool| {
                has_run.then(|| self.first_run::<RUN>(side, before, now.played))
            };
            let ends = [end_of(Side::First, first), end_of(Side::Second, second)];
            ends.into_iter().flatten().min()
        } else {
            self.first_win(before, now.played)
        }?;
        Some(RandomGame {
            outcome: Outcome::Win(Side::to_move(self.plies + end)),
            plies: self.plies + end + 1,
        })
    }

    /// The move, among those from `before` to `played`, that gave `side` its first run.
    ///
    /// Contract: it has none before and one after. Runs stay, so halving finds it.
    fn first_run<const RUN: u8>(
        &self,
        side: Side,
        before: Progress<WORDS>,
        played: usize,
    ) -> usize {
        let moves_first = Side::to_move(self.plies + before.played) == side;
        let mut low = before.played + usize::from(!moves_first);
        let mut stones = before.stones[side.index()];
        let mut count = (played - low).div_ceil(2);
        while count > 1 {
            let half = count / 2;
            let mut with_half = stones;
            for at in 0..half {
                with_half.insert(self.moves[low + 2 * at].into());
            }
            if self.has_run::<RUN>(with_half) {
                count = half;
            } else {
                stones = with_half;
                low += 2 * half;
                count -= half;
            }
        }
        low
    }

    /// The first move from `before` to `played` that wins by a rule where runs alone don't tell.
    fn first_win(&self, before: Progress<WORDS>, played: usize) -> Option<usize> {
        let variant = self.grid.variant();
        let mut stones = before.stones;
        (before.played..played).find(|&at| {
            let side = Side::to_move(self.plies + at);
            let index = self.moves[at].into();
            stones[side.index()].insert(index);
            !winning_line(variant, &stones, side, variant.geometry().cell(index)).is_empty()
        })
    }
}
