//! Fast and slow meet: random games of every size class, word count, rule and
//! blocked layout, compared ply by ply with arrays and loops.

use crate::naive::{Grid as NaiveGrid, Square};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell as Counter;
use stoneline_rules::{
    Bits, Board, Cell, Chance, Grid, Outcome, Position, RandomGames, Rule, Setup, Side, Symmetry,
    Variant, with_words,
};

/// Any variant with falling stones, blocked cells from none to half the board.
fn falling() -> impl Strategy<Value = Variant> {
    (4..=16usize, 4..=16usize, 3..=7usize, 0..=8u32, any::<u64>()).prop_filter_map(
        "the run fits the board",
        |(rows, columns, run, share, seed)| {
            let mut chance = Chance::new(seed);
            let blocked: Vec<Cell> = (0..columns as u8)
                .flat_map(|column| (0..rows as u8).map(move |row| Cell::new(column, row)))
                // Half of all boards have none or few: those are the ones people play.
                .filter(|_| share > 4 && chance.below(16) < share - 4)
                .chain((share == 4).then(|| Cell::new(0, 0)))
                .collect();
            Variant::new(Rule::Gravity, rows, columns, run, &blocked).ok()
        },
    )
}

/// Any variant without gravity.
fn free() -> impl Strategy<Value = Variant> {
    let rules = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro];
    (0..4usize, 5..=22usize, 5..=22usize, 3..=7usize).prop_filter_map(
        "the run fits the rule",
        move |(rule, rows, columns, run)| {
            let run = if rules[rule] == Rule::Renju { 5 } else { run };
            Variant::new(rules[rule], rows, columns, run, &[]).ok()
        },
    )
}

fn any_variant() -> impl Strategy<Value = Variant> {
    prop_oneof![2 => falling(), 1 => free()]
}

/// Follows a random game on the position and its twin, and compares all there is to see.
fn follow<const WORDS: usize>(variant: Variant, seed: u64) -> usize {
    let grid = Grid::<WORDS>::new(&variant).expect("chosen to fit");
    let mut chance = Chance::new(seed);
    let mut position = Position::new(variant);
    let mut board = Board::new(&grid, &position);
    let mut twin = NaiveGrid::empty(&variant);
    let mut seen = 0;
    loop {
        compare(&grid, &position, &board, &twin);
        seen += 1;
        let legal = position.legal_moves();
        if legal.is_empty() {
            assert!(position.outcome().is_some(), "{position:?}");
            break;
        }
        let cell = legal[chance.below(legal.len() as u32) as usize];
        let side = position.side_to_move();
        let bit = Bits::bit(variant.geometry().index(cell));
        twin.put(cell, Square::Stone(side));
        position.play(cell).expect("a legal move");
        board.play_unchecked(bit);
        let won = position.outcome() == Some(Outcome::Win(side));
        assert_eq!(board.wins_at(&grid, side, bit), won);
        // One move back and forth again must change nothing.
        let (key, outcome) = (position.key(), position.outcome());
        assert_eq!(position.undo(), Some(cell));
        assert_eq!(position.outcome(), None);
        position.play(cell).expect("the same move again");
        assert_eq!((position.key(), position.outcome()), (key, outcome));
        board.undo_unchecked(bit);
        board.play_unchecked(bit);
    }
    seen
}

fn compare<const WORDS: usize>(
    grid: &Grid<WORDS>,
    position: &Position,
    board: &Board<WORDS>,
    twin: &NaiveGrid,
) {
    let geometry = *grid.geometry();
    let last = !position.side_to_move();
    let won = twin.winning_cells(last);
    let empty = twin.moves();
    assert_eq!(position.winning_cells(), won);
    assert_eq!(board, &Board::new(grid, position));
    let legal: Vec<Cell> = geometry.cells(board.legal(grid)).collect();
    assert_eq!(legal, empty);
    if won.is_empty() {
        let allowed: Vec<Cell> = empty
            .iter()
            .copied()
            .filter(|&cell| position.forbidden(cell).is_none())
            .collect();
        assert_eq!(position.legal_moves(), allowed);
        let over = allowed.is_empty().then_some(Outcome::Draw);
        assert_eq!(position.outcome(), over);
    } else {
        assert_eq!(position.outcome(), Some(Outcome::Win(last)));
        assert_eq!(position.legal_moves(), []);
    }
    for side in Side::BOTH {
        let cells: Vec<Cell> = geometry.cells(board.winning_cells(grid, side)).collect();
        assert_eq!(cells, twin.finishing_cells(side));
        let mut at_least_run = twin.clone();
        at_least_run.rule = Rule::Freestyle;
        let has_run = !at_least_run.winning_cells(side).is_empty();
        assert_eq!(grid.has_run(board.stones(side)), has_run);
    }
}

/// The same in every width that holds the board, not only the narrowest.
fn follow_in_every_width(variant: Variant, seed: u64) -> usize {
    let bits = variant.geometry().bits();
    let mut seen = with_words!(variant.geometry(), WORDS => follow::<WORDS>(variant, seed));
    if bits <= 192 && seed.is_multiple_of(8) {
        seen += follow::<3>(variant, seed) + follow::<8>(variant, seed);
    }
    seen
}

#[test]
fn fast_and_slow_agree_on_random_games() {
    let seen = Counter::new(0);
    let mut runner = TestRunner::new(Config::with_cases(1500));
    runner
        .run(&(any_variant(), any::<u64>()), |(variant, seed)| {
            seen.set(seen.get() + follow_in_every_width(variant, seed));
            Ok(())
        })
        .unwrap();
    assert!(seen.get() >= 100_000, "only {} positions", seen.get());
}

/// The key of the same stones, set up at once.
fn key_from_scratch(position: &Position) -> (u64, u64) {
    let geometry = *position.variant().geometry();
    let setup = Setup {
        stones: Side::BOTH.map(|side| geometry.cells(position.stones(side)).collect()),
        ..Setup::of(position.variant())
    };
    let fresh = Position::try_from(setup).expect("a legal position is a legal setup");
    assert_eq!(&fresh, position);
    assert_eq!(fresh.outcome(), position.outcome());
    assert_eq!(fresh.winning_cells(), position.winning_cells());
    (fresh.key(), fresh.canonical_key())
}

proptest! {
    #![proptest_config(Config::with_cases(300))]

    #[test]
    fn keys_and_symmetries(variant in any_variant(), seed: u64, plies in 0..60usize) {
        let mut chance = Chance::new(seed);
        let mut position = Position::new(variant);
        for _ in 0..plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.play(legal[chance.below(legal.len() as u32) as usize]).unwrap();
        }
        prop_assert_eq!(key_from_scratch(&position), (position.key(), position.canonical_key()));
        for symmetry in Symmetry::ALL {
            let Some(turned) = position.transformed(symmetry) else {
                prop_assert!(variant.rule().falls() && !symmetry.keeps_gravity());
                continue;
            };
            prop_assert_eq!(turned.outcome(), position.outcome());
            prop_assert_eq!(turned.winning_cells().len(), position.winning_cells().len());
            prop_assert_eq!(turned.legal_moves().len(), position.legal_moves().len());
            for &cell in &position.winning_cells() {
                let image = symmetry.apply(variant.geometry(), cell);
                prop_assert!(turned.winning_cells().contains(&image));
            }
            if turned.variant() == position.variant() {
                prop_assert_eq!(turned.canonical_key(), position.canonical_key());
            } else {
                prop_assert_ne!(turned.key(), position.key());
            }
            // Mirrors undo themselves; quarter turns undo each other.
            let back = Symmetry::ALL
                .into_iter()
                .filter_map(|back| turned.transformed(back))
                .any(|back| back == position && back.moves() == position.moves());
            prop_assert!(back);
        }
        prop_assert_eq!(position.mirrored().mirrored(), position);
    }

    #[test]
    fn names_read_back(variant in any_variant()) {
        let name = variant.to_string();
        prop_assert_eq!(name.parse::<Variant>().unwrap(), variant, "{}", name);
    }

    #[test]
    fn random_games_follow_the_rules(variant in any_variant(), seed: u64, lead in 0..12usize) {
        let mut chance = Chance::new(seed);
        let mut start = Position::new(variant);
        for _ in 0..lead {
            let legal = start.legal_moves();
            if legal.is_empty() {
                break;
            }
            start.play(legal[chance.below(legal.len() as u32) as usize]).unwrap();
        }
        with_words!(variant.geometry(), WORDS => {
            let mut games = RandomGames::<WORDS>::new(&start).unwrap();
            for _ in 0..4 {
                let game = games.play(&mut chance);
                let mut replay = start.clone();
                for cell in games.moves() {
                    replay.play(cell).unwrap();
                }
                prop_assert_eq!(replay.outcome(), Some(game.outcome));
                prop_assert_eq!(replay.plies(), game.plies);
            }
        });
    }

    #[test]
    fn bitsets_agree_with_sorted_lists(
        members in prop::collection::btree_set(0..448u32, 0..60),
        others in prop::collection::btree_set(0..448u32, 0..60),
        by in 0..500u32,
    ) {
        let set: Bits<7> = members.iter().copied().collect();
        let other: Bits<7> = others.iter().copied().collect();
        let list = |set: Bits<7>| set.iter().collect::<Vec<_>>();
        let sorted: Vec<u32> = members.iter().copied().collect();
        prop_assert_eq!(list(set), sorted.clone());
        prop_assert_eq!(set.len() as usize, sorted.len());
        prop_assert_eq!(set.lowest(), sorted.first().copied());
        prop_assert_eq!(list(set.lowest_bit()), sorted.iter().take(1).copied().collect::<Vec<_>>());
        prop_assert_eq!(list(set.without_lowest()), sorted.iter().skip(1).copied().collect::<Vec<_>>());
        prop_assert_eq!(set.has_two(), sorted.len() > 1);
        prop_assert_eq!(set.is_empty(), sorted.is_empty());
        for (rank, &member) in sorted.iter().enumerate() {
            prop_assert_eq!(set.nth_bit(rank as u32), Bits::bit(member));
            prop_assert!(set.contains(member));
        }
        prop_assert_eq!(list(set & other), members.intersection(&others).copied().collect::<Vec<_>>());
        prop_assert_eq!(list(set | other), members.union(&others).copied().collect::<Vec<_>>());
        prop_assert_eq!(
            list(set ^ other),
            members.symmetric_difference(&others).copied().collect::<Vec<_>>()
        );
        prop_assert_eq!(list(set.minus(other)), members.difference(&others).copied().collect::<Vec<_>>());
        prop_assert_eq!(set.intersects(other), !members.is_disjoint(&others));
        let up: Vec<u32> = sorted.iter().map(|member| member + by).filter(|&member| member < 448).collect();
        prop_assert_eq!(list(set << by), up);
        let down: Vec<u32> = sorted.iter().filter_map(|member| member.checked_sub(by)).collect();
        prop_assert_eq!(list(set >> by), down);
        prop_assert_eq!(list(!set).len(), 448 - sorted.len());
    }

    #[test]
    fn wide_addition_is_addition(a: u128, b: u128) {
        let split = |number: u128| Bits::<2>::from_words([number as u64, (number >> 64) as u64]);
        prop_assert_eq!(split(a).wrapping_add(split(b)), split(a.wrapping_add(b)));
    }
}

#[test]
fn random_games_choose_every_move_alike() {
    for (name, lead) in [
        ("connect4", 0),
        ("connect4", 3),
        ("gomoku:5", 0),
        ("gomoku:5", 1),
    ] {
        let mut start = Position::new(name.parse().unwrap());
        for _ in 0..lead {
            start.play(start.legal_moves()[0]).unwrap();
        }
        let choices = start.legal_moves();
        let mut games = RandomGames::<1>::new(&start).unwrap();
        let mut chance = Chance::new(3);
        let mut counts = vec![0u32; choices.len()];
        let total = 20_000 * choices.len() as u32;
        for _ in 0..total {
            games.play(&mut chance);
            let first = games.moves().next().unwrap();
            counts[choices.iter().position(|&cell| cell == first).unwrap()] += 1;
        }
        // Five standard deviations of a count of 20,000.
        for count in counts {
            assert!(count.abs_diff(20_000) < 710, "{name}: {count}");
        }
    }
}
