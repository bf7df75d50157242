//! How the full screen looks: colours and glyphs.
//!
//! Three themes: colours as on a real board, colours that people who confuse
//! red and green tell apart, and none at all. Sides differ by shape in the
//! last two, and in letters wherever a side is named.

use ratatui::style::{Color, Modifier, Style};
use stoneline_rules::Side;

/// The themes by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Palette {
    /// A blue board with red and yellow stones; wood with black and white ones
    Default,
    /// Blue and orange, filled and open: for colour-blind people
    Safe,
    /// No colours: filled and open stones
    Mono,
}

/// A palette, and whether the terminal shows more than ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Theme {
    palette: Palette,
    rich: bool,
}

const PALETTES: [(Palette, &str); 3] = [
    (Palette::Default, "default"),
    (Palette::Safe, "safe"),
    (Palette::Mono, "mono"),
];

/// The colours of a board.
#[derive(Clone, Copy)]
pub(crate) struct BoardColours {
    pub(crate) ground: Color,
    /// Holes where stones fall, lines elsewhere.
    pub(crate) empty: Color,
    pub(crate) stones: [Color; 2],
    pub(crate) blocked: Color,
    pub(crate) mark: Color,
    pub(crate) win: Color,
}

impl Theme {
    /// A theme; `rich` if the terminal shows more than ASCII.
    pub(crate) const fn new(palette: Palette, rich: bool) -> Self {
        Self { palette, rich }
    }

    /// The theme called `name`, on a terminal that shows everything.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = PALETTES.iter().find(|(_, own)| *own == name);
        found.map(|&(palette, _)| Self::new(palette, true))
    }

    /// This palette on the terminal of `other`.
    pub(crate) const fn like(self, other: Self) -> Self {
        Self::new(self.palette, other.rich)
    }

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        let own = PALETTES
            .iter()
            .find(|(palette, _)| *palette == self.palette);
        own.map_or("default", |&(_, name)| name)
    }

    /// The theme after this one.
    pub(crate) fn next(self) -> Self {
        let at = PALETTES
            .iter()
            .position(|(palette, _)| *palette == self.palette)
            .unwrap_or(0);
        Self::new(PALETTES[(at + 1) % PALETTES.len()].0, self.rich)
    }

    /// Whether more than ASCII is shown.
    pub(crate) const fn is_rich(self) -> bool {
        self.rich
    }

    /// Whether the sides differ by shape, not by colour alone.
    pub(crate) fn has_shapes(self) -> bool {
        self.palette != Palette::Default
    }

    /// Whether there are colours.
    pub(crate) fn has_colours(self) -> bool {
        self.palette != Palette::Mono
    }

    /// A small stone.
    pub(crate) fn glyph(self, side: Side) -> &'static str {
        match (self.rich, side) {
            (false, Side::First) => "X",
            (false, Side::Second) => "O",
            (true, Side::Second) if self.has_shapes() => "○",
            (true, _) => "●",
        }
    }

    /// What a side is called in a sentence.
    pub(crate) fn side_name(self, side: Side) -> &'static str {
        match side {
            Side::First => "X",
            Side::Second => "O",
        }
    }

    /// The colours of a board on which stones fall, or do not.
    pub(crate) fn board(self, falls: bool) -> BoardColours {
        let indexed = Color::Indexed;
        match (self.palette, falls) {
            (Palette::Default, true) => BoardColours {
                ground: indexed(25),
                empty: indexed(17),
                stones: [indexed(196), indexed(220)],
                blocked: indexed(240),
                mark: indexed(16),
                win: indexed(46),
            },
            (Palette::Default, false) => BoardColours {
                ground: indexed(179),
                empty: indexed(94),
                stones: [indexed(16), indexed(231)],
                blocked: indexed(240),
                mark: indexed(160),
                win: indexed(34),
            },
            (Palette::Safe, true) => BoardColours {
                ground: indexed(236),
                empty: indexed(233),
                stones: [indexed(75), indexed(214)],
                blocked: indexed(244),
                mark: indexed(16),
                win: indexed(231),
            },
            (Palette::Safe, false) => BoardColours {
                ground: indexed(252),
                empty: indexed(245),
                stones: [indexed(18), indexed(166)],
                blocked: indexed(240),
                mark: indexed(231),
                win: indexed(16),
            },
            (Palette::Mono, _) => BoardColours {
                ground: Color::Reset,
                empty: Color::Reset,
                stones: [Color::Reset; 2],
                blocked: Color::Reset,
                mark: Color::Reset,
                win: Color::Reset,
            },
        }
    }

    /// A side's colour outside the board, on the terminal's own ground.
    pub(crate) fn side(self, side: Side, falls: bool) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        match (self.palette, falls, side) {
            (Palette::Mono, ..) => bold,
            // Black is invisible on most terminals.
            (Palette::Default, false, Side::First) => bold.fg(Color::Indexed(244)),
            (Palette::Safe, false, side) => bold.fg(self.board(true).stones[side.index()]),
            (_, _, side) => bold.fg(self.board(falls).stones[side.index()]),
        }
    }

    fn coloured(self, index: u8, otherwise: Modifier) -> Style {
        if self.has_colours() {
            Style::new().fg(Color::Indexed(index))
        } else {
            Style::new().add_modifier(otherwise)
        }
    }

    /// What is good for the side to move.
    pub(crate) fn good(self) -> Style {
        let index = if self.palette == Palette::Safe {
            75
        } else {
            77
        };
        self.coloured(index, Modifier::BOLD)
    }

    /// What is bad for the side to move.
    pub(crate) fn bad(self) -> Style {
        let index = if self.palette == Palette::Safe {
            214
        } else {
            203
        };
        self.coloured(index, Modifier::DIM)
    }

    /// What is neither.
    pub(crate) fn even(self) -> Style {
        self.coloured(223, Modifier::empty())
    }

    /// Frames and what is less important.
    pub(crate) fn faint(self) -> Style {
        self.coloured(245, Modifier::DIM)
    }

    /// Titles of panes.
    pub(crate) fn title(self) -> Style {
        self.coloured(117, Modifier::BOLD)
            .add_modifier(Modifier::BOLD)
    }

    /// The lines at the top and the bottom.
    pub(crate) fn bar(self) -> Style {
        if self.has_colours() {
            Style::new().fg(Color::Indexed(252)).bg(Color::Indexed(236))
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }

    /// What is chosen or shown now.
    pub(crate) fn chosen(self) -> Style {
        if self.has_colours() {
            Style::new()
                .fg(Color::Indexed(16))
                .bg(Color::Indexed(117))
                .add_modifier(Modifier::BOLD)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_go_round_and_have_names() {
        let first = Theme::named("default").unwrap();
        let names = [first, first.next(), first.next().next()].map(Theme::name);
        assert_eq!(names, ["default", "safe", "mono"]);
        assert_eq!(first.next().next().next(), first);
        assert_eq!(Theme::named("pink"), None);
    }

    #[test]
    fn sides_differ_without_colours() {
        for rich in [true, false] {
            for palette in [Palette::Safe, Palette::Mono] {
                let theme = Theme::new(palette, rich);
                let glyphs = Side::BOTH.map(|side| theme.glyph(side));
                assert_ne!(glyphs[0], glyphs[1]);
            }
        }
    }
}
