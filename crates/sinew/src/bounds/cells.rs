//! The box of a joint in cells: eight small boxes turn with less loss than a large one.

use sinew_kernels::{Aabb, BLOCK, VectorBlock};

use super::extent::Extent;

/// The boxes of all cells that are not empty, by their middles and halves; the first is repeated for others.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub(super) middles: VectorBlock,
    pub(super) halves: VectorBlock,
}

impl Cells {
    /// How far each cell reaches along an axis of a matrix, moved further and made wider on each side.
    #[inline(always)]
    pub(super) fn along(&self, row: &[f32; 4], further: f32, wider: f32) -> ([f32; BLOCK], [f32; BLOCK]) {
        let (middles, halves) = (&self.middles.rows, &self.halves.rows);
        let &[x, y, z, t] = row;
        let ([ax, ay, az], t) = ([x.abs(), y.abs(), z.abs()], t + further);
        let (mut low, mut high) = ([0.0; BLOCK], [0.0; BLOCK]);
        for lane in 0..BLOCK {
            let middle = x * middles[0][lane] + y * middles[1][lane] + z * middles[2][lane] + t;
            let half = ax * halves[0][lane] + ay * halves[1][lane] + az * halves[2][lane] + wider;
            low[lane] = middle - half;
            high[lane] = middle + half;
        }
        (low, high)
    }
}

/// A box divided into eight, across its longest edges, and what is in each.
pub(super) struct Grid {
    whole: Aabb,
    /// Divisions along each axis: 1, 2, 4 or 8; eight cells together.
    divisions: [usize; 3],
    cells: [Aabb; BLOCK],
}

impl Grid {
    /// Of the box that holds all points that are to be added.
    pub(super) fn new(whole: &Aabb) -> Self {
        let edge = |axis: usize| whole.max[axis] - whole.min[axis];
        let mut divisions = [1; 3];
        for _ in 0..BLOCK.trailing_zeros() {
            let edges: [f32; 3] = std::array::from_fn(|axis| edge(axis) / divisions[axis] as f32);
            let longest = if edges[0] >= edges[1].max(edges[2]) {
                0
            } else if edges[1] >= edges[2] {
                1
            } else {
                2
            };
            divisions[longest] *= 2;
        }
        Self { whole: *whole, divisions, cells: [Aabb::EMPTY; BLOCK] }
    }

    pub(super) fn add(&mut self, point: [f32; 3]) {
        let mut cell = 0;
        for (axis, &coordinate) in point.iter().enumerate() {
            let edge = self.whole.max[axis] - self.whole.min[axis];
            let part = (coordinate - self.whole.min[axis]) / edge * self.divisions[axis] as f32;
            // The conversion takes what is not a number, of an edge of nothing, to zero.
            cell = cell * self.divisions[axis] + (part as usize).min(self.divisions[axis] - 1);
        }
        self.cells[cell] = self.cells[cell].union(&Aabb { min: point, max: point });
    }

    pub(super) fn cells(&self) -> Cells {
        let mut cells = Cells { middles: VectorBlock::default(), halves: VectorBlock::default() };
        let first = self.cells.iter().find(|cell| !cell.is_empty()).unwrap_or(&Aabb::EMPTY);
        for (lane, cell) in self.cells.iter().enumerate() {
            let Extent { middle, half } = Extent::of(if cell.is_empty() { first } else { cell });
            cells.middles.set_vector(lane, middle);
            cells.halves.set_vector(lane, half);
        }
        cells
    }
}
