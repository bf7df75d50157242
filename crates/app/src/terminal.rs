//! The board as text for a terminal: glyphs, colours and marks.
//!
//! Sides differ by glyph, never by colour alone. The last move stands in round
//! brackets, a winning line in square ones. Nothing here reads or writes.

use clap::ValueEnum;
use std::env;
use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use stoneline_rules::notation::column_sign;
use stoneline_rules::{Cell, Content, Position, Side, Variant};

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Even into a pipe or file
    Always,
    /// Not at all
    Never,
}

/// How the board looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    /// Whether escape sequences for colours are written.
    colours: bool,
    /// Whether characters beyond ASCII are written.
    rich: bool,
}

const RESET: &str = "\x1b[0m";
const FAINT: &str = "\x1b[2m";
const REVERSED: &str = "\x1b[7m";
const RED: &str = "\x1b[1;31m";
const CYAN: &str = "\x1b[1;36m";

impl Look {
    /// The look that suits stdout and what was asked for.
    pub(crate) fn of_stdout(plain: bool, colour: Colour) -> Self {
        let able = io::stdout().is_terminal() && env::var_os("TERM").is_none_or(|t| t != "dumb");
        let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self::suiting(able, no_color, plain, colour)
    }

    /// `able`: a terminal that knows more than plain text; `no_color`: the user's general wish.
    fn suiting(able: bool, no_color: bool, plain: bool, colour: Colour) -> Self {
        Self {
            colours: match colour {
                Colour::Auto => able && !plain && !no_color,
                Colour::Always => true,
                Colour::Never => false,
            },
            rich: able && !plain,
        }
    }

    /// The board with its labels, a line a row, the top row first.
    pub(crate) fn board(self, position: &Position) -> String {
        let geometry = position.variant().geometry();
        let winning = position.winning_cells();
        let last = position.moves().last().copied();
        let mut text = String::new();
        for row in (0..geometry.rows()).rev() {
            self.row_label(&mut text, position.variant(), row);
            for column in 0..geometry.columns() {
                let cell = Cell::new(column, row);
                let mark = if winning.contains(&cell) {
                    Mark::Winning
                } else if last == Some(cell) {
                    Mark::Last
                } else {
                    Mark::None
                };
                self.cell(&mut text, position.content(cell), mark);
            }
            end_line(&mut text);
        }
        text.push_str("   ");
        for column in 0..geometry.columns() {
            let _ = write!(text, " {} ", column_sign(position.variant(), column));
        }
        end_line(&mut text);
        text
    }

    /// The glyph of a side, in its colour.
    pub(crate) fn side(self, side: Side) -> String {
        let mut text = String::new();
        self.painted(&mut text, side_colour(side), side_glyph(side));
        text
    }

    fn row_label(self, text: &mut String, variant: &Variant, row: u8) {
        // Moves of falling stones name no row.
        if variant.rule().falls() {
            text.push_str("   ");
        } else {
            let _ = write!(text, "{:>2} ", row + 1);
        }
    }

    fn cell(self, text: &mut String, content: Option<Content>, mark: Mark) {
        let (colour, glyph) = match content {
            Some(Content::Stone(side)) => (side_colour(side), side_glyph(side)),
            Some(Content::Blocked) => (FAINT, if self.rich { "█" } else { "#" }),
            Some(Content::Empty) | None => (FAINT, if self.rich { "·" } else { "." }),
        };
        match mark {
            Mark::None => {
                text.push(' ');
                self.painted(text, colour, glyph);
                text.push(' ');
            }
            Mark::Last => {
                text.push('(');
                self.painted(text, colour, glyph);
                text.push(')');
            }
            Mark::Winning => {
                if self.colours {
                    text.push_str(REVERSED);
                }
                self.painted(text, colour, &format!("[{glyph}]"));
            }
        }
    }

    fn painted(self, text: &mut String, colour: &str, glyph: &str) {
        if self.colours {
            let _ = write!(text, "{colour}{glyph}{RESET}");
        } else {
            text.push_str(glyph);
        }
    }
}

/// Ends a line of the board without blanks at its end.
fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Last,
    Winning,
}

fn side_glyph(side: Side) -> &'static str {
    match side {
        Side::First => "X",
        Side::Second => "O",
    }
}

fn side_colour(side: Side) -> &'static str {
    match side {
        Side::First => RED,
        Side::Second => CYAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(game: &str, columns: &[u8]) -> Position {
        let mut position = Position::new(game.parse().unwrap());
        for &column in columns {
            let cell = position.landing(column).unwrap();
            position.play(cell).unwrap();
        }
        position
    }

    const PLAIN: Look = Look {
        colours: false,
        rich: false,
    };

    #[test]
    fn last_move_and_blocked_cells_are_marked() {
        let drawn = PLAIN.board(&after("connectx:4x5x4@3,1@0,4", &[1, 0, 1]));
        let expected = "
             .  .  .  .  #
             . (X) .  .  .
             .  X  .  .  .
             O  #  .  .  .
             1  2  3  4  5
        ";
        assert_eq!(words(&drawn), words(expected), "{drawn}");
    }

    #[test]
    fn the_winning_line_is_marked() {
        let drawn = PLAIN.board(&after("connectx:4x4x3", &[0, 1, 0, 1, 0]));
        let expected = "
             .  .  .  .
            [X] .  .  .
            [X] O  .  .
            [X] O  .  .
             1  2  3  4
        ";
        assert_eq!(words(&drawn), words(expected), "{drawn}");
    }

    #[test]
    fn free_boards_name_their_rows() {
        let mut position = Position::new("mnk:5x10x4".parse().unwrap());
        position.play(Cell::new(9, 0)).unwrap();
        let drawn = PLAIN.board(&position);
        assert!(drawn.starts_with(" 5  .  .  ."), "{drawn}");
        assert!(
            drawn.contains(" 1  .  .  .  .  .  .  .  .  . (X)\n"),
            "{drawn}"
        );
        assert!(
            drawn.ends_with("    a  b  c  d  e  f  g  h  i  j\n"),
            "{drawn}"
        );
    }

    #[test]
    fn colours_change_no_glyph() {
        let position = after("connect4", &[3, 3, 2, 2, 4, 4, 5]);
        let coloured = Look {
            colours: true,
            rich: false,
        };
        let drawn = coloured.board(&position);
        assert!(drawn.contains(RED) && drawn.contains(CYAN) && drawn.contains(REVERSED));
        let bare = [RED, CYAN, REVERSED, FAINT, RESET]
            .iter()
            .fold(drawn, |text, escape| text.replace(escape, ""));
        assert_eq!(bare, PLAIN.board(&position));
    }

    #[test]
    fn colours_follow_terminal_and_wishes() {
        let colours =
            |able, no_color, plain, colour| Look::suiting(able, no_color, plain, colour).colours;
        assert!(colours(true, false, false, Colour::Auto));
        assert!(!colours(false, false, false, Colour::Auto));
        assert!(!colours(true, true, false, Colour::Auto));
        assert!(!colours(true, false, true, Colour::Auto));
        assert!(!colours(true, false, false, Colour::Never));
        assert!(colours(false, true, false, Colour::Always));
        assert_eq!(Look::suiting(true, false, true, Colour::Auto), PLAIN);
    }

    fn words(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }
}
