//! Sub-boxes: eight small boxes fit a rotated joint more tightly than one large box.

use sinew_kernels::{Aabb, BLOCK, VectorBlock};

use super::center_extents::CenterExtents;

/// Eight boxes as centers and half extents. The first non-empty box replaces empty ones.
#[derive(Clone, Debug)]
pub(super) struct SubBoxes {
    pub(super) centers: VectorBlock,
    pub(super) half_extents: VectorBlock,
}

impl SubBoxes {
    /// The minima and maxima of the sub-boxes along one row of a matrix, with an offset, and a
    /// margin on each side.
    #[inline(always)]
    pub(super) fn project(&self, row: &[f32; 4], offset: f32, margin: f32) -> ([f32; BLOCK], [f32; BLOCK]) {
        let (centers, half_extents) = (&self.centers.rows, &self.half_extents.rows);
        let &[x, y, z, t] = row;
        let ([ax, ay, az], t) = ([x.abs(), y.abs(), z.abs()], t + offset);
        let (mut low, mut high) = ([0.0; BLOCK], [0.0; BLOCK]);
        for lane in 0..BLOCK {
            let center = x * centers[0][lane] + y * centers[1][lane] + z * centers[2][lane] + t;
            let half =
                ax * half_extents[0][lane] + ay * half_extents[1][lane] + az * half_extents[2][lane] + margin;
            low[lane] = center - half;
            high[lane] = center + half;
        }
        (low, high)
    }
}

/// A grid of eight cells over a box, split across its longest edges, with the bounds of the
/// positions in each cell.
pub(super) struct SubBoxGrid {
    bounds: Aabb,
    /// Divisions per axis: 1, 2, 4 or 8, with product 8.
    divisions: [usize; 3],
    sub_boxes: [Aabb; BLOCK],
}

impl SubBoxGrid {
    /// An empty grid over `bounds`, which must contain all positions that are added.
    pub(super) fn new(bounds: &Aabb) -> Self {
        let edge = |axis: usize| bounds.max[axis] - bounds.min[axis];
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
        Self { bounds: *bounds, divisions, sub_boxes: [Aabb::EMPTY; BLOCK] }
    }

    pub(super) fn add(&mut self, position: [f32; 3]) {
        let mut sub_box = 0;
        for (axis, &coordinate) in position.iter().enumerate() {
            let edge = self.bounds.max[axis] - self.bounds.min[axis];
            let part = (coordinate - self.bounds.min[axis]) / edge * self.divisions[axis] as f32;
            // The cast turns NaN, which an edge of length zero gives, into zero.
            sub_box = sub_box * self.divisions[axis] + (part as usize).min(self.divisions[axis] - 1);
        }
        self.sub_boxes[sub_box] = self.sub_boxes[sub_box].union(&Aabb { min: position, max: position });
    }

    pub(super) fn sub_boxes(&self) -> SubBoxes {
        let mut sub_boxes =
            SubBoxes { centers: VectorBlock::default(), half_extents: VectorBlock::default() };
        let first = self.sub_boxes.iter().find(|sub_box| !sub_box.is_empty()).unwrap_or(&Aabb::EMPTY);
        for (lane, sub_box) in self.sub_boxes.iter().enumerate() {
            let CenterExtents { center, half_extents } =
                CenterExtents::from_aabb(if sub_box.is_empty() { first } else { sub_box });
            sub_boxes.centers.set_vector(lane, center);
            sub_boxes.half_extents.set_vector(lane, half_extents);
        }
        sub_boxes
    }
}
