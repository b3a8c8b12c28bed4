//! Where copies stand: rows and columns around the middle.

use crate::draw::Copy;

/// A field of copies.
#[derive(Clone, Debug)]
pub struct Grid {
    /// One for each.
    pub copies: Vec<Copy>,
}

impl Grid {
    /// So many copies, so far apart. Cylinders have colours of their own.
    #[must_use]
    pub fn new(len: usize, spacing: f32, coloured: bool) -> Self {
        let columns = (len as f32).sqrt().ceil().max(1.0) as usize;
        let rows = len.div_ceil(columns).max(1);
        let middle = |count: usize, index: usize| (index as f32 - 0.5 * (count - 1) as f32) * spacing;
        let copy = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            let share = |at: usize, all: usize| at as f32 / (all.max(2) - 1) as f32;
            let tint = if coloured { tint(share(column, columns), share(row, rows)) } else { [1.0; 3] };
            Copy { offset: [middle(columns, column), 0.0, middle(rows, row)], tint }
        };
        Self { copies: (0..len).map(copy).collect() }
    }

    /// How far the outermost stands from the middle.
    #[must_use]
    pub fn reach(&self) -> f32 {
        let far = |copy: &Copy| copy.offset[0].hypot(copy.offset[2]);
        self.copies.iter().map(far).fold(0.0, f32::max)
    }
}

/// Linear colours that change smoothly over the field, from a cold corner to a warm one.
fn tint(across: f32, along: f32) -> [f32; 3] {
    const STOPS: [[f32; 3]; 5] =
        [[0.07, 0.17, 0.42], [0.05, 0.36, 0.46], [0.14, 0.50, 0.30], [0.78, 0.50, 0.10], [0.76, 0.17, 0.07]];
    let place = 0.5 * (1.0 - along + across) * (STOPS.len() - 1) as f32;
    let stop = (place as usize).min(STOPS.len() - 2);
    let part = place - stop as f32;
    [0, 1, 2].map(|i| STOPS[stop][i] + (STOPS[stop + 1][i] - STOPS[stop][i]) * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stand_around_the_middle_and_apart() {
        for len in [1, 2, 7, 64] {
            let grid = Grid::new(len, 1.5, true);
            assert_eq!(grid.copies.len(), len);
            for (i, a) in grid.copies.iter().enumerate() {
                for b in &grid.copies[..i] {
                    let apart = (a.offset[0] - b.offset[0]).hypot(a.offset[2] - b.offset[2]);
                    assert!(apart > 1.4);
                }
            }
        }
        assert_eq!(Grid::new(1, 3.0, false).copies[0].offset, [0.0; 3]);
    }
}
