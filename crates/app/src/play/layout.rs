//! Where everything is on the screen: the same for drawing and for the mouse.

use ratatui::layout::Rect;
use stoneline_rules::{Cell, Variant};

/// The least width of the panes beside the board.
const PANES_WIDTH: u16 = 30;
/// The largest cell: beyond it a board looks lost rather than large.
const LARGEST_CELL: u16 = 4;
/// The smallest screen on which every board of up to 22 rows fits.
pub(crate) const SMALLEST: (u16, u16) = (80, 24);

/// The places of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// The line at the top; left out when the board needs it.
    pub(crate) title: Option<Rect>,
    pub(crate) board: Board,
    /// The panes beside the board.
    pub(crate) panes: Option<Rect>,
    /// The line at the bottom.
    pub(crate) status: Rect,
}

/// The place of the board: its cells, without the labels around them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// All cells.
    pub(crate) cells: Rect,
    /// Columns and rows of letters a cell.
    pub(crate) cell: (u16, u16),
    rows: u8,
    columns: u8,
}

impl Layout {
    /// The places on a screen of `area`; `None` if the board does not fit.
    pub(crate) fn new(area: Rect, variant: &Variant, rich: bool) -> Option<Self> {
        let geometry = variant.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let falls = variant.rule().falls();
        // Values and the cursor stand above falling stones, rows are named beside the others.
        let (left, above) = if falls { (1, 1) } else { (3, 0) };
        let below = 1;
        let fits = |(width, height): (u16, u16), title: u16, panes: u16| {
            let tall = height * u16::from(rows) + above + below + title + 1;
            let wide = width * u16::from(columns) + left + 1 + panes;
            tall <= area.height && wide <= area.width
        };
        let large = (2..=LARGEST_CELL).rev().map(|height| (2 * height, height));
        let sizes = large.filter(|_| rich).chain([(3, 1), (2, 1)]);
        let mut tries = [(1, PANES_WIDTH), (0, PANES_WIDTH), (1, 0), (0, 0)]
            .into_iter()
            .flat_map(|frame| sizes.clone().map(move |size| (frame, size)));
        let ((title, panes), cell) =
            tries.find(|&((title, panes), size)| fits(size, title, panes))?;
        let width = cell.0 * u16::from(columns);
        let height = cell.1 * u16::from(rows);
        let free = area.height - 1 - title - above - below - height;
        let cells = Rect::new(
            area.x + left,
            // A little above the middle, but not far from the title.
            area.y + title + above + (free / 2).min(3),
            width,
            height,
        );
        let used = left + width + 1;
        let panes = (panes > 0).then(|| {
            let x = area.x + used;
            Rect::new(x, area.y + title, area.right() - x, area.height - 1 - title)
        });
        Some(Self {
            title: (title > 0).then(|| Rect::new(area.x, area.y, area.width, 1)),
            board: Board {
                cells,
                cell,
                rows,
                columns,
            },
            panes,
            status: Rect::new(area.x, area.bottom() - 1, area.width, 1),
        })
    }
}

impl Board {
    /// The place of a cell.
    pub(crate) fn place(&self, cell: Cell) -> Rect {
        let (width, height) = self.cell;
        let from_top = u16::from(self.rows - 1 - cell.row());
        Rect::new(
            self.cells.x + width * u16::from(cell.column()),
            self.cells.y + height * from_top,
            width,
            height,
        )
    }

    /// The cell at a point of the screen; above and below the board, that of the nearest row.
    pub(crate) fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        let top = self.cells.y.saturating_sub(1);
        if !(self.cells.x..self.cells.right()).contains(&x)
            || !(top..=self.cells.bottom()).contains(&y)
        {
            return None;
        }
        let column = (x - self.cells.x) / self.cell.0;
        let y = y.clamp(self.cells.y, self.cells.bottom() - 1);
        let from_top = (y - self.cells.y) / self.cell.1;
        debug_assert!(column < u16::from(self.columns));
        Some(Cell::new(column as u8, self.rows - 1 - from_top as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_fits_the_smallest_screen_with_its_panes() {
        let area = Rect::new(0, 0, SMALLEST.0, SMALLEST.1);
        for game in [
            "connect4",
            "connectx:4x4x3",
            "connectx:16x16x5",
            "course:12x12@5,5",
            "gomoku",
            "gomoku:20",
            "mnk:22x22x6",
            "gobang",
        ] {
            let variant: Variant = game.parse().unwrap();
            for rich in [true, false] {
                let layout = Layout::new(area, &variant, rich).unwrap();
                let panes = layout.panes.unwrap();
                let board = layout.board.cells;
                assert!(
                    board.right() < panes.x && panes.right() <= area.right(),
                    "{game}"
                );
                assert!(board.bottom() < layout.status.y, "{game}");
                assert!(panes.width >= PANES_WIDTH, "{game}");
            }
        }
    }

    #[test]
    fn the_mouse_finds_every_cell_where_it_is_drawn() {
        for (game, width, height) in [("connect4", 80, 24), ("gomoku", 140, 45), ("renju", 50, 18)]
        {
            let variant: Variant = game.parse().unwrap();
            let layout = Layout::new(Rect::new(0, 0, width, height), &variant, true).unwrap();
            let geometry = variant.geometry();
            for cell in geometry.cells(geometry.playable()) {
                let place = layout.board.place(cell);
                for (x, y) in [(place.x, place.y), (place.right() - 1, place.bottom() - 1)] {
                    assert_eq!(layout.board.cell_at(x, y), Some(cell), "{game}");
                }
            }
            assert_eq!(layout.board.cell_at(width - 1, 2), None);
        }
    }

    #[test]
    fn a_tiny_screen_has_no_layout() {
        let variant: Variant = "gomoku".parse().unwrap();
        assert_eq!(Layout::new(Rect::new(0, 0, 20, 10), &variant, true), None);
    }
}
