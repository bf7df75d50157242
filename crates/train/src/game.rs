//! One self-play game as a line of text, and back.
//!
//! ```text
//! NUMBER VARIANT OPENING MOVES VALUES RESULT CHECK
//! 17 course:9x10@0,3 4 5566718 498,502,w3 1-0 5f3a9c01
//! ```
//! `OPENING` counts the random moves at the start of `MOVES`; each later move
//! has its value in `VALUES`, to the side that played it: points expected in
//! thousandths, or `w7`, `l8`, `d` for a proof. A game that a proof ended early has
//! the proof's result. `CHECK` is a checksum of what stands before it. A line
//! that can't be read is refused with the place and the reason.

use std::fmt::{self, Write};
use stoneline_rules::{Outcome, Position, ReadError, Side, Variant, notation};
use stoneline_search::Value;

/// A finished game, with what its player thought.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its place in the data, from 0.
    pub number: u64,
    /// The last position, with all moves.
    pub end: Position,
    /// How many moves at the start were drawn by lot.
    pub opening: usize,
    /// What each later move was worth to the side that played it.
    pub values: Vec<Value>,
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
}

/// A checksum of text: FNV-1a, which needs no table and finds torn lines well enough.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, &byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn write_value(value: Value, into: &mut String) -> fmt::Result {
    match value {
        Value::Win { plies } => write!(into, "w{plies}"),
        Value::Loss { plies } => write!(into, "l{plies}"),
        Value::Draw => into.write_str("d"),
        Value::Guess(rate) => write!(into, "{}", (rate * 1000.0).round()),
    }
}

fn read_value(text: &str) -> Option<Value> {
    let plies = |text: &str| text.parse::<u16>().ok();
    match text.as_bytes().first()? {
        b'w' => Some(Value::Win {
            plies: plies(&text[1..])?,
        }),
        b'l' => Some(Value::Loss {
            plies: plies(&text[1..])?,
        }),
        b'd' if text.len() == 1 => Some(Value::Draw),
        _ => plies(text)
            .filter(|&thousandths| thousandths <= 1000)
            .map(|thousandths| Value::Guess(f32::from(thousandths) / 1000.0)),
    }
}

const RESULTS: [(&str, Option<Side>); 3] = [
    ("1-0", Some(Side::First)),
    ("0-1", Some(Side::Second)),
    ("1/2", None),
];

impl Game {
    /// The game as a line without its end.
    pub fn write(&self) -> String {
        let variant = self.end.variant();
        let moves = notation::write_moves(variant, self.end.moves());
        let moves = if moves.is_empty() { "-" } else { &moves };
        let mut line = format!("{} {variant} {} {moves} ", self.number, self.opening);
        if self.values.is_empty() {
            line.push('-');
        }
        for (at, &value) in self.values.iter().enumerate() {
            if at > 0 {
                line.push(',');
            }
            write_value(value, &mut line).expect("a string takes all text");
        }
        let result = RESULTS.iter().find(|(_, winner)| *winner == self.winner);
        line.push(' ');
        line.push_str(result.expect("every result has a name").0);
        let sum = checksum(line.as_bytes());
        write!(line, " {sum:08x}").expect("a string takes all text");
        line
    }

    /// The game that `line` tells.
    ///
    /// # Errors
    /// The place and the reason, when it tells none.
    pub fn read(line: &str) -> Result<Self, ReadError> {
        let wrong = |part: &str, reason: &str| ReadError::at_part(line, part, reason);
        let (body, sum) = line
            .rsplit_once(' ')
            .ok_or_else(|| wrong(line, "expected seven fields"))?;
        if format!("{:08x}", checksum(body.as_bytes())) != sum {
            return Err(wrong(sum, "the checksum does not match the line"));
        }
        let fields: Vec<&str> = body.split(' ').collect();
        let &[number, game, opening, moves, values, result] = &fields[..] else {
            return Err(wrong(line, "expected seven fields"));
        };
        let count = |text: &str| {
            text.parse::<u64>()
                .map_err(|_| wrong(text, "expected a count"))
        };
        let variant: Variant = game
            .parse()
            .map_err(|error: ReadError| wrong(game, &error.to_string()))?;
        let mut end = Position::new(variant);
        let played = if moves == "-" { "" } else { moves };
        for cell in
            notation::read_moves(&end, played).map_err(|error| wrong(moves, &error.to_string()))?
        {
            end.play(cell).expect("the moves were read as legal");
        }
        let values: Vec<Value> = values
            .split(',')
            .filter(|&text| text != "-")
            .map(|text| read_value(text).ok_or_else(|| wrong(text, "expected a value")))
            .collect::<Result<_, _>>()?;
        let opening = count(opening)? as usize;
        if opening + values.len() != end.plies() {
            return Err(wrong(moves, "as many values as moves after the opening"));
        }
        let &(_, winner) = RESULTS
            .iter()
            .find(|(name, _)| *name == result)
            .ok_or_else(|| wrong(result, "expected 1-0, 0-1 or 1/2"))?;
        let agrees = match end.outcome() {
            None => true,
            Some(Outcome::Draw) => winner.is_none(),
            Some(Outcome::Win(side)) => winner == Some(side),
        };
        if !agrees {
            return Err(wrong(result, "the board shows another result"));
        }
        Ok(Self {
            number: count(number)?,
            end,
            opening,
            values,
            winner,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Game {
        Game {
            number: 17,
            end: "connect4 4455667".parse().unwrap(),
            opening: 4,
            values: vec![
                Value::Guess(0.5),
                Value::Loss { plies: 2 },
                Value::Win { plies: 1 },
            ],
            winner: Some(Side::First),
        }
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let line = sample().write();
        assert!(
            line.starts_with("17 connect4 4 4455667 500,l2,w1 1-0 "),
            "{line}"
        );
        assert_eq!(Game::read(&line).unwrap(), sample());
        let bare = Game {
            end: "connect4".parse().unwrap(),
            opening: 0,
            values: vec![],
            winner: None,
            ..sample()
        };
        assert_eq!(Game::read(&bare.write()).unwrap(), bare);
    }

    #[test]
    fn what_was_changed_is_refused_with_the_place() {
        let signed = |body: &str| format!("{body} {:08x}", checksum(body.as_bytes()));
        let reason = |line: &str| Game::read(line).unwrap_err().to_string();
        assert!(reason(&sample().write().replace("500", "501")).contains("checksum"));
        for (body, expected) in [
            ("x connect4 0 - - 1/2", "a count"),
            ("1 connect5 0 - - 1/2", "unknown game"),
            ("1 connect4 0 44444444 - 1/2", "column"),
            ("1 connect4 0 4 1001 1/2", "a value"),
            ("1 connect4 0 4 wx 1/2", "a value"),
            ("1 connect4 0 4 - 1/2", "as many values"),
            ("1 connect4 0 4 500 2-0", "1-0"),
            ("1 connect4 7 4455667 - 0-1", "another result"),
            ("1 connect4 0", "seven fields"),
            ("", "seven fields"),
        ] {
            let reason = reason(&signed(body));
            assert!(reason.contains(expected), "{body}: {reason}");
        }
    }
}
