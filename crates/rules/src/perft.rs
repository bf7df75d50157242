//! Counts of move sequences: the yardstick of move generators.

use crate::board::{Board, Grid};
use crate::cell::Side;
use crate::position::Position;
use crate::renju;
use crate::variant::Rule;
use crate::with_words;

/// How many sequences of exactly `plies` legal moves lead on from `position`.
///
/// A game that ends earlier counts for nothing. Costs about the result.
pub fn perft(position: &Position, plies: u32) -> u64 {
    if position.outcome().is_some() {
        return u64::from(plies == 0);
    }
    with_words!(position.variant().geometry(), WORDS => {
        let grid = Grid::<WORDS>::new(position.variant()).expect("the width was chosen to fit");
        count(&grid, &mut Board::new(&grid, position), plies)
    })
}

fn count<const WORDS: usize>(grid: &Grid<WORDS>, board: &mut Board<WORDS>, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    let side = board.side_to_move();
    let mut legal = board.legal(grid);
    let mut sum = 0;
    while !legal.is_empty() {
        let bit = legal.lowest_bit();
        legal ^= bit;
        if is_forbidden(grid, board, side, bit) {
            continue;
        }
        board.play_unchecked(bit);
        if !board.wins_at(grid, side, bit) {
            sum += count(grid, board, plies - 1);
        } else if plies == 1 {
            sum += 1;
        }
        board.undo_unchecked(bit);
    }
    sum
}

fn is_forbidden<const WORDS: usize>(
    grid: &Grid<WORDS>,
    board: &Board<WORDS>,
    side: Side,
    bit: crate::Bits<WORDS>,
) -> bool {
    grid.variant().rule() == Rule::Renju && side == Side::First && {
        let index = bit.lowest().expect("a legal move is a cell");
        let stones = Side::BOTH.map(|side| board.stones(side));
        renju::forbidden(grid.geometry(), &stones, grid.geometry().cell(index)).is_some()
    }
}
