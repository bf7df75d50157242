//! Scores and what they say of the length of the game.
//!
//! The score of a position, from the mover's view: a win that is complete
//! when `m` of the board's `n` cells hold stones is `(n + 2 - m) / 2`, a loss
//! the negative of that, a draw 0. The sooner the end, the larger.

/// The score of a win with the stone number `ply` of a board of `capacity` cells.
#[inline(always)]
pub(super) const fn win_at(capacity: i32, ply: i32) -> i32 {
    (capacity + 2 - ply) / 2
}

/// How many stones fall until the end that `score` stands for; `None` for a draw.
///
/// `stones` of `capacity` lie on the board.
///
/// ```
/// use stoneline_search::solve::plies_to_end;
/// // The first player of 7x6 wins with the 41st stone.
/// assert_eq!(plies_to_end(1, 0, 42), Some(41));
/// // A stone that wins at once on an empty corner of the scale.
/// assert_eq!(plies_to_end(18, 6, 42), Some(1));
/// assert_eq!(plies_to_end(0, 0, 42), None);
/// ```
pub fn plies_to_end(score: i32, stones: usize, capacity: usize) -> Option<usize> {
    if score == 0 {
        return None;
    }
    // Of the two plies with this score, the winner's own has the right parity.
    let latest = capacity + 2 - 2 * score.unsigned_abs() as usize;
    let winner_moves_next = score > 0;
    let plies = latest.checked_sub(stones)?;
    Some(if (plies % 2 == 1) == winner_moves_next {
        plies
    } else {
        plies.checked_sub(1)?
    })
}

/// The score of an end in `plies`, won by the mover or by the opponent.
///
/// The reverse of [`plies_to_end`]: odd distances are wins, even ones losses.
pub const fn score_of_end(plies: usize, stones: usize, capacity: usize) -> i32 {
    let won = win_at(capacity as i32, (stones + plies) as i32);
    if plies % 2 == 1 { won } else { -won }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_scores_are_inverse() {
        for capacity in 1..=60 {
            for stones in 0..capacity {
                for plies in 1..=capacity - stones {
                    let score = score_of_end(plies, stones, capacity);
                    assert_eq!(plies_to_end(score, stones, capacity), Some(plies));
                }
            }
        }
    }
}
