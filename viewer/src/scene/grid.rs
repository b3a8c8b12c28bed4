//! The positions of copies: rows and columns around the origin.

use crate::draw::ModelCopy;

/// A grid of copies.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Position and tint of each copy.
    pub copies: Vec<ModelCopy>,
}

impl Grid {
    /// Places copies at a distance from each other. `colored` gives each a tint of its own.
    #[must_use]
    pub fn new(len: usize, spacing: f32, colored: bool) -> Self {
        let columns = (len as f32).sqrt().ceil().max(1.0) as usize;
        let rows = len.div_ceil(columns).max(1);
        let middle = |count: usize, index: usize| (index as f32 - 0.5 * (count - 1) as f32) * spacing;
        let copy = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            let share = |at: usize, all: usize| at as f32 / (all.max(2) - 1) as f32;
            let tint = if colored { tint(share(column, columns), share(row, rows)) } else { [1.0; 3] };
            ModelCopy { offset: [middle(columns, column), 0.0, middle(rows, row)], tint }
        };
        Self { copies: (0..len).map(copy).collect() }
    }

    /// Distance of the outermost copy from the origin.
    #[must_use]
    pub fn radius(&self) -> f32 {
        let far = |copy: &ModelCopy| copy.offset[0].hypot(copy.offset[2]);
        self.copies.iter().map(far).fold(0.0, f32::max)
    }
}

/// A linear color from a smooth gradient across the grid, from a cold corner to a warm one.
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
    fn copies_are_centered_and_do_not_overlap() {
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
