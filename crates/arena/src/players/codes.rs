//! The codes by which the course's local judge tells results.

use super::library::{CANNOT_LOAD, NO_SYMBOL, meaning};
use crate::game::{Game, Reason};
use stoneline_rules::Side;

/// What a code means, in the judge's order.
const MEANINGS: [(i8, &str); 13] = [
    (0, "draw"),
    (1, "A won"),
    (2, "B won"),
    (3, "A failed"),
    (4, "A illegal"),
    (5, "B failed"),
    (6, "B illegal"),
    (7, "A out of time"),
    (8, "B out of time"),
    (-1, "A can't be loaded"),
    (-2, "B can't be loaded"),
    (-3, "A lacks a function"),
    (-4, "B lacks a function"),
];

/// The code of a game in which player A had the side `a`.
pub fn course_code(game: &Game, a: Side) -> i8 {
    let by_loser = |of_a: i8, of_b: i8| match game.winner {
        Some(side) if side == a => of_b,
        Some(_) => of_a,
        None => 0,
    };
    let remark = game.remark.as_deref();
    let is_told = |code: u8| remark.is_some() && remark == meaning(code.into());
    match game.reason {
        Reason::Line | Reason::FullBoard | Reason::Adjudication => by_loser(2, 1),
        Reason::IllegalMove => by_loser(4, 6),
        Reason::Time => by_loser(7, 8),
        Reason::Crash if is_told(CANNOT_LOAD) => by_loser(-1, -2),
        Reason::Crash if is_told(NO_SYMBOL) => by_loser(-3, -4),
        Reason::Crash | Reason::NoMove | Reason::ProtocolError => by_loser(3, 5),
    }
}

/// The meaning of a code; `None` if the judge has none such.
pub fn course_code_meaning(code: i8) -> Option<&'static str> {
    MEANINGS
        .iter()
        .find(|(known, _)| *known == code)
        .map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoneline_rules::Position;

    fn code(reason: Reason, winner: Option<Side>, remark: Option<&str>) -> i8 {
        let game = Game {
            opening: Position::new("course".parse().unwrap()),
            moves: Vec::new(),
            winner,
            reason,
            remark: remark.map(str::to_owned),
            stderr: [None, None],
        };
        course_code(&game, Side::Second)
    }

    #[test]
    fn codes_tell_whose_fault_it_is() {
        let (won, lost) = (Some(Side::Second), Some(Side::First));
        assert_eq!(code(Reason::FullBoard, None, None), 0);
        assert_eq!(code(Reason::Line, won, None), 1);
        assert_eq!(code(Reason::Line, lost, None), 2);
        assert_eq!(code(Reason::Crash, lost, Some("signal 11")), 3);
        assert_eq!(code(Reason::IllegalMove, lost, None), 4);
        assert_eq!(code(Reason::ProtocolError, won, None), 5);
        assert_eq!(code(Reason::IllegalMove, won, None), 6);
        assert_eq!(code(Reason::Time, lost, None), 7);
        assert_eq!(code(Reason::Time, won, None), 8);
        assert_eq!(code(Reason::Crash, lost, meaning(80)), -1);
        assert_eq!(code(Reason::Crash, won, meaning(80)), -2);
        assert_eq!(code(Reason::Crash, lost, meaning(81)), -3);
        assert_eq!(code(Reason::Crash, won, meaning(81)), -4);
    }
}
