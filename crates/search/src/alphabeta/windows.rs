//! Windows: the lines of k cells in which a run can come to be.

use stoneline_rules::{Cell, Geometry};

/// Every line of `run` cells without a blocked one, each as the bits of its cells.
pub(super) fn all(geometry: &Geometry, run: u8) -> Vec<Vec<u16>> {
    let steps: [(i32, i32); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];
    let mut found = Vec::new();
    for column in 0..i32::from(geometry.columns()) {
        for row in 0..i32::from(geometry.rows()) {
            for (right, up) in steps {
                let cells: Option<Vec<u16>> = (0..i32::from(run))
                    .map(|far| {
                        let column = u8::try_from(column + far * right).ok()?;
                        let row = u8::try_from(row + far * up).ok()?;
                        let inside = column < geometry.columns() && row < geometry.rows();
                        let cell = inside.then(|| Cell::new(column, row))?;
                        (!geometry.is_blocked(cell)).then(|| geometry.index(cell) as u16)
                    })
                    .collect();
                found.extend(cells);
            }
        }
    }
    found
}
