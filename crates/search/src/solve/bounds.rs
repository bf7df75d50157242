//! Upper bounds without search, from a player who answers in the same column.
//!
//! Call the side to move the leader and the other the follower. Suppose the
//! follower answers every stone in the column where it fell. In a column with
//! an even number of empty cells the follower then gets every second cell
//! from the top, the `follow` cells, and the leader the `lead` cells below
//! them. Columns with an odd number of empty cells are taken in pairs, if
//! their number is even: when the leader drops the first stone in one, the
//! follower drops the first in its partner, and both are even from then on.
//! Of these first cells (`loose`) the leader gets one of each pair.
//!
//! So the leader ends with, at most, the own stones, the empty `lead` cells
//! and the loose cells; and the follower with, at least, the own stones and
//! the empty `follow` cells that are not loose. If the first set holds no
//! run, the leader can't win, on any board and for any run length: this is
//! no more than counting the cells of columns from the top, so blocked cells
//! do no harm either. A run of the leader is also harmless when the follower
//! has a run in the same columns that lies below it cell by cell: that one is
//! complete first.
//!
//! With an odd number of odd columns the follower lacks a partner. But a
//! winning cell of the follower that is a `lead` cell of an odd column makes
//! up for it: below it the follower answers in that column as well, and gets
//! the winning cell. Nobody needs the cells above it, and when all other
//! columns are full the leader must go there and lose.
//!
//! ```text
//!   . . . . . . .      leader x to move, follower o; o wins at (1) as soon
//!   . . . . . . .      as x plays below it, and answers everywhere else
//!   .(1). . . . .
//!   . . o o o x .
//! ```

use super::field::Field;
use super::search::Node;
use stoneline_rules::Bits;

/// An upper bound of the mover's score when the other side answers in the same column.
///
/// `None` when the argument proves nothing. Cost: a few dozen word operations.
#[inline(always)]
pub(super) fn follow_up_bound<const WORDS: usize, const FOUR: bool>(
    field: &Field<WORDS, FOUR>,
    node: &Node<WORDS>,
) -> Option<i32> {
    let occupied = node.occupied(field);
    let empty = field.open.minus(occupied);
    let loose = field.legal(occupied) & field.follow;
    if (field.capacity - node.stones) % 2 == 0 {
        let leader = node.own | (empty & field.lead) | loose;
        let follower = node.other | (empty & field.follow).minus(loose);
        return match contest(field, leader, follower) {
            Contest::Leader => None,
            Contest::Nobody => Some(0),
            Contest::Follower => Some(-1),
        };
    }
    let mut threats = node.other_wins & field.lead & field.lowest_and_above(loose);
    let mut best = None;
    while !threats.is_empty() {
        let threat = threats.lowest_bit();
        threats = threats.without_lowest();
        let column = field.column_of(threat);
        let above_or_at = field.lowest_and_above(threat);
        let below = (column & empty).minus(above_or_at);
        let leader =
            node.own | ((empty & field.lead) | loose).minus(column) | (below & field.follow);
        let follower = node.other
            | (empty & field.follow).minus(loose | column)
            | (below & field.lead)
            | threat;
        if contest(field, leader, follower) != Contest::Leader {
            let unused = (column & empty).minus(below | threat).len() as i32;
            let bound = -((unused + 2) / 2);
            best = Some(best.map_or(bound, |best: i32| best.min(bound)));
        }
    }
    best
}

/// Who completes a run first when both end with given cells.
#[derive(PartialEq, Eq)]
enum Contest {
    Leader,
    Nobody,
    Follower,
}

#[inline(always)]
fn contest<const WORDS: usize, const FOUR: bool>(
    field: &Field<WORDS, FOUR>,
    leader: Bits<WORDS>,
    follower: Bits<WORDS>,
) -> Contest {
    if field.has_upright_run(leader) {
        return Contest::Leader;
    }
    let mut decided = Bits::EMPTY;
    for (leads, follows) in field
        .crossing_runs(leader)
        .into_iter()
        .zip(field.crossing_runs(follower))
    {
        if !leads.is_empty() && !leads.minus(field.lowest_and_above(follows)).is_empty() {
            return Contest::Leader;
        }
        decided |= follows;
    }
    if decided.is_empty() {
        Contest::Nobody
    } else {
        Contest::Follower
    }
}
