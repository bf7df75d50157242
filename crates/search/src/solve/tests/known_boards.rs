//! Published values of empty boards, four in a row.

use super::plain;
use crate::solve::{Question, SolveLimits, Solver, plies_to_end};
use stoneline_rules::{Position, Side};

/// Columns, rows, who wins, and the stone with which perfect play ends.
const BOARDS: [(usize, usize, Option<Side>, usize); 17] = [
    (4, 4, None, 16),
    (5, 4, None, 20),
    (6, 4, Some(Side::Second), 24),
    (7, 4, None, 28),
    (8, 4, Some(Side::Second), 32),
    (9, 4, Some(Side::Second), 36),
    (4, 5, None, 20),
    (5, 5, None, 25),
    (6, 5, None, 30),
    (7, 5, None, 35),
    (4, 6, None, 24),
    (5, 6, None, 30),
    (6, 6, Some(Side::Second), 36),
    (4, 7, None, 28),
    (5, 7, None, 35),
    (4, 8, None, 32),
    (4, 9, None, 36),
];

#[test]
fn boards_of_at_most_36_cells_have_their_published_values() {
    for (columns, rows, winner, last) in BOARDS {
        let variant = plain::board(rows, columns, 4, &[]);
        let position = Position::new(variant);
        let mut solver = Solver::new(&variant, 64 << 20, 2).unwrap();
        let limits = SolveLimits::default();
        let solved = solver.solve(&position, Question::Score, &limits).unwrap();
        let score = solved.bounds.exact().unwrap();
        let sign = match winner {
            None => 0,
            Some(Side::First) => 1,
            Some(Side::Second) => -1,
        };
        assert_eq!(score.signum(), sign, "{columns}x{rows}");
        let end = plies_to_end(score, 0, columns * rows).unwrap_or(columns * rows);
        assert_eq!(end, last, "{columns}x{rows}");
    }
}
