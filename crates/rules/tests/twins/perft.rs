//! Counts of positions and of move sequences against data files.
//!
//! `distinct.perft` holds published counts. `sequences.perft` holds our own,
//! each found by the arrays and loops of `naive` as well; a new line is made
//! by writing any number and reading the right one from the failure.

use crate::naive::{Grid as NaiveGrid, Square};
use std::collections::HashSet;
use stoneline_rules::{Board, Grid, Position, Side, Variant, perft};

fn lines(text: &str) -> impl Iterator<Item = [&str; 3]> {
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            fields.try_into().expect("three fields a line")
        })
}

/// All positions one ply after `positions`; finished games lead nowhere.
fn successors(grid: &Grid<1>, positions: &HashSet<Board<1>>) -> HashSet<Board<1>> {
    let mut next = HashSet::new();
    for &board in positions {
        if grid.has_run(board.stones(!board.side_to_move())) {
            continue;
        }
        let mut legal = board.legal(grid);
        while !legal.is_empty() {
            let bit = legal.lowest_bit();
            legal ^= bit;
            let mut after = board;
            after.play_unchecked(bit);
            next.insert(after);
        }
    }
    next
}

/// The number of distinct positions at each ply up to `plies`.
fn distinct(variant: &Variant, plies: usize) -> Vec<usize> {
    let grid = Grid::<1>::new(variant).expect("a small board");
    let mut level = HashSet::from([Board::new(&grid, &Position::new(*variant))]);
    let mut counts = vec![1];
    for _ in 0..plies {
        level = successors(&grid, &level);
        counts.push(level.len());
    }
    counts
}

#[test]
fn distinct_positions_match_the_published_counts() {
    let by_ply = distinct(&"connect4".parse().unwrap(), 9);
    for [game, ply, count] in lines(include_str!("../data/distinct.perft")) {
        let variant: Variant = game.parse().unwrap();
        let found = match ply {
            "all" => distinct(&variant, variant.geometry().capacity())
                .iter()
                .sum(),
            ply => by_ply[ply.parse::<usize>().unwrap()],
        };
        assert_eq!(found.to_string(), count, "{game} at ply {ply}");
    }
}

#[test]
fn move_sequences_match_their_file_and_the_slow_count() {
    for [game, plies, count] in lines(include_str!("../data/sequences.perft")) {
        let variant: Variant = game.parse().unwrap();
        let plies = plies.parse().unwrap();
        let fast = perft(&Position::new(variant), plies);
        assert_eq!(fast.to_string(), count, "{game} to ply {plies}");
        let slow = slow_perft(&NaiveGrid::empty(&variant), Side::First, plies);
        assert_eq!(slow, fast, "{game} to ply {plies}");
    }
}

fn slow_perft(grid: &NaiveGrid, side: Side, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    if !grid.winning_cells(!side).is_empty() {
        return 0;
    }
    let mut sum = 0;
    for cell in grid.moves() {
        let mut next = grid.clone();
        next.put(cell, Square::Stone(side));
        sum += slow_perft(&next, !side, plies - 1);
    }
    sum
}
