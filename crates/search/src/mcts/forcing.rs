//! Wins by threats alone, where stones fall.
//!
//! A stone that makes a winning cell which can be played next must be
//! answered there. So the attacker chooses and the defender does not, and a
//! chain of such stones is looked through dozens of plies deep in a few
//! hundred positions. Simulations find it late: every link but the last looks
//! like a threat thrown away.
//!
//! ```text
//!   . . . . .      X to move: c makes a threat at d, which O must take;
//!   . X . . O      whatever that opens is looked at in the same way
//!   X X . . O
//! ```

use super::falling::{Falling, State, column_of};
use super::lanes::Lanes;
use crate::columns::has_two;

/// In how many stones the side to move wins by threats alone; `None` if it does not, or not
/// within `positions`.
///
/// The number may be larger than that of the shortest win.
pub(super) fn win<L: Lanes>(game: &Falling<L>, state: &State<L>, positions: u32) -> Option<u16> {
    let mut left = positions;
    attack(game, *state, &mut left)
}

fn attack<L: Lanes>(game: &Falling<L>, state: State<L>, left: &mut u32) -> Option<u16> {
    *left = left.checked_sub(1)?;
    let landing = game.landing(state.filled);
    if !(game.winning(state.mine) & landing).is_empty() {
        return Some(1);
    }
    let theirs = game.winning(state.theirs);
    let must_block = (theirs & landing).set();
    if has_two(must_block) {
        return None;
    }
    let mut open = if must_block == 0 {
        landing.set()
    } else {
        must_block
    };
    while open != 0 {
        let column = open.trailing_zeros() as usize;
        open &= open - 1;
        let mut next = state;
        next.put(landing & column_of(column));
        // From here on the defender is to move.
        let landing = game.landing(next.filled);
        let threats = game.winning(next.theirs) & landing;
        if threats.is_empty() || !(theirs & landing).is_empty() {
            continue;
        }
        if has_two(threats.set()) {
            return Some(3);
        }
        next.put(threats);
        if let Some(stones) = attack(game, next, left) {
            return Some(stones + 2);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::engine::think_quietly;
    use crate::limits::Limits;
    use crate::mcts::falling::Falling;
    use crate::mcts::game::Game;
    use crate::mcts::lanes::with_lanes;
    use crate::registry::Spec;
    use crate::value::Value;
    use stoneline_rules::{Chance, Outcome, Position, Variant};

    const BOARDS: [&str; 6] = [
        "connect4",
        "connectx:5x4x3",
        "connectx:7x9x5",
        "course:9x9@4,4",
        "course:9x10@8,3@7,3",
        "course:12x12@5,5",
    ];

    /// The positions after each legal move.
    fn replies(position: &Position) -> impl Iterator<Item = Position> {
        position.legal_moves().into_iter().map(|cell| {
            let mut next = position.clone();
            next.play(cell).unwrap();
            next
        })
    }

    fn can_win_now(position: &Position) -> bool {
        replies(position).any(|next| matches!(next.outcome(), Some(Outcome::Win(_))))
    }

    /// Whether the side to move wins by threats alone, move by move.
    fn slow_win(position: &Position, stones: usize) -> bool {
        can_win_now(position)
            || stones > 0
                && replies(position).any(|after| {
                    // Each answer must let the attacker win at once or by further threats, and
                    // without an answer the attacker would win at once.
                    after.outcome().is_none()
                        && !can_win_now(&after)
                        && threatens(&after)
                        && replies(&after)
                            .filter(|answer| !can_win_now(answer))
                            .all(|answer| {
                                answer.outcome().is_none() && slow_win(&answer, stones - 1)
                            })
                })
    }

    /// Whether the side that has just moved could win next if it were its turn.
    fn threatens(position: &Position) -> bool {
        let side = !position.side_to_move();
        let geometry = position.variant().geometry();
        (0..geometry.columns())
            .filter_map(|column| position.landing(column).ok())
            .any(|cell| super::super::tests::would_win(position, side, cell))
    }

    /// Calls `check` with random positions of a board, with what was found in each.
    fn found(name: &str, games: u64, mut check: impl FnMut(&Position, Option<u16>)) {
        let variant: Variant = name.parse().unwrap();
        with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(&variant);
            for seed in 0..games {
                let mut chance = Chance::new(seed);
                let mut position = Position::new(variant);
                while position.outcome().is_none() {
                    check(&position, super::win(&game, &game.state(&position), 1000));
                    let moves = position.legal_moves();
                    let cell = moves[chance.below(moves.len() as u32) as usize];
                    position.play(cell).unwrap();
                }
            }
        });
    }

    #[test]
    fn wins_are_those_of_the_slow_twin() {
        for name in BOARDS {
            let (mut wins, mut long) = (0, 0);
            found(name, 40, |position, found| {
                // The twin is slow, and most chains are short.
                if found.is_none_or(|stones| stones <= 7) {
                    let expected = slow_win(position, if found.is_some() { 3 } else { 1 });
                    assert_eq!(found.is_some(), expected, "{name} {:?}", position.moves());
                }
                wins += u32::from(found.is_some());
                long += u32::from(found.is_some_and(|stones| stones > 3));
            });
            assert!(wins > 50 && long > 3, "{name}: {wins} wins, {long} long");
        }
    }

    #[test]
    fn the_solver_agrees() {
        let mut long = 0;
        for name in ["connect4", "connectx:5x4x3"] {
            let solver: Spec = "solver".parse().unwrap();
            let mut solver = solver.build(&name.parse().unwrap()).unwrap();
            found(name, 60, |position, found| {
                let Some(stones) = found.filter(|_| position.plies() > 14) else {
                    return;
                };
                let truth = think_quietly(&mut *solver, position, &Limits::default()).value;
                let Value::Win { plies } = truth else {
                    panic!("{name} {:?}: {truth:?}", position.moves());
                };
                assert!(plies <= stones, "{name} {:?}", position.moves());
                long += u32::from(stones > 3);
            });
        }
        assert!(long > 10, "{long} long wins");
    }

    #[test]
    fn seven_threats_in_a_row_are_seen_within_bounds() {
        let variant: Variant = "course:10x11@8,8".parse().unwrap();
        let mut position = Position::new(variant);
        for column in [6, 5, 5, 5, 5, 3, 3, 2, 4, 4, 4, 4, 5] {
            let cell = position.landing(column).unwrap();
            position.play(cell).unwrap();
        }
        with_lanes!(variant.geometry(), Columns => {
            let game = Falling::<Columns>::new(&variant);
            let state = game.state(&position);
            assert_eq!(super::win(&game, &state, 64), Some(13));
            assert_eq!(super::win(&game, &state, 6), None);
            assert_eq!(super::win(&game, &state, 0), None);
        });
    }
}
