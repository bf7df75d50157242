//! The same board in one, two and three words: keys, mirrors and tables must not differ.

use super::plain;
use crate::solve::exact::{Exact, Prover};
use crate::solve::solver::SolveLimits;
use crate::solve::table::UNKNOWN;
use stoneline_rules::{Cell, Chance, Variant};

/// Small enough for one word, with enough empty cells that the table is used.
fn boards() -> Vec<Variant> {
    vec![
        plain::board(6, 6, 4, &[]),
        plain::board(5, 6, 4, &[Cell::new(2, 1)]),
        plain::board(7, 5, 4, &[Cell::new(0, 0), Cell::new(4, 3)]),
        plain::board(6, 5, 5, &[]),
        plain::board(5, 5, 3, &[Cell::new(1, 0)]),
    ]
}

fn compare<const FOUR: bool>(variant: Variant, chance: &mut Chance) {
    const BYTES: usize = 1 << 20;
    let provers: [Box<dyn Prover>; 3] = [
        Box::new(Exact::<1, FOUR>::new(&variant, BYTES, 1).unwrap()),
        Box::new(Exact::<2, FOUR>::new(&variant, BYTES, 1).unwrap()),
        Box::new(Exact::<3, FOUR>::new(&variant, BYTES, 1).unwrap()),
    ];
    let mut most_nodes = 0;
    for _ in 0..60 {
        let Some(position) = (0..300).find_map(|_| plain::random_position(variant, 20, chance))
        else {
            continue;
        };
        let limits = SolveLimits::default();
        let [one, two, three] = provers
            .each_ref()
            .map(|prover| prover.prove(&position, UNKNOWN, &limits));
        most_nodes = most_nodes.max(one.nodes);
        assert!(one.bounds.exact().is_some());
        assert_eq!(two.bounds, one.bounds, "{variant} {:?}", position.moves());
        assert_eq!(three.bounds, one.bounds, "{variant} {:?}", position.moves());
        // The mirror is another position of the same board only without lopsided blocked cells.
        let mirrored = position.mirrored();
        if mirrored.variant() == position.variant() {
            let turned = provers[2].prove(&mirrored, UNKNOWN, &limits);
            assert_eq!(turned.bounds, one.bounds, "{:?}", position.moves());
        }
    }
    assert!(
        variant.run() == 3 || most_nodes > 500,
        "{variant}: {most_nodes} nodes are too few to use the table"
    );
}

#[test]
fn words_make_no_difference() {
    let mut chance = Chance::new(77);
    for variant in boards() {
        if variant.run() == 4 {
            compare::<true>(variant, &mut chance);
        } else {
            compare::<false>(variant, &mut chance);
        }
    }
}
