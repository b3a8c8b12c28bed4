//! The joint that moves a point of the surface most.

use crate::Mesh;
use crate::layout::Held;

impl Mesh {
    /// The joint that has most weight at a point of a triangle, as a place in the skin's list: the weights of the three
    /// corners, each times what the corner has of the point. Of joints with equal weight the first of the list.
    /// Barycentrics that are not above zero count as zero; where none is above, the first of the joints that hold a corner.
    ///
    /// # Panics
    ///
    /// When there is no such triangle.
    #[must_use]
    pub fn joint_at(&self, triangle: usize, barycentrics: [f32; 3]) -> usize {
        let corners = self.triangles()[triangle];
        let mut best: Option<(f64, u32)> = None;
        // There are few: it is cheaper to sum for each than to keep sums.
        for corner in corners {
            self.layout.full.at_place(corner as usize, |Held { joint, .. }| {
                let weight = self.weight_at(joint, corners, barycentrics);
                let more = |(most, first): (f64, u32)| weight > most || (weight == most && joint < first);
                if best.is_none_or(more) {
                    best = Some((weight, joint));
                }
            });
        }
        best.map_or(0, |(_, joint)| joint as usize)
    }

    fn weight_at(&self, joint: u32, corners: [u32; 3], barycentrics: [f32; 3]) -> f64 {
        let mut sum = 0.0;
        for (corner, part) in corners.into_iter().zip(barycentrics) {
            self.layout.full.at_place(corner as usize, |Held { joint: other, weight, .. }| {
                if other == joint && part > 0.0 {
                    sum += f64::from(part) * f64::from(weight);
                }
            });
        }
        sum
    }
}
