//! The joint with the largest weight at a point of the surface.

use crate::mesh::Mesh;
use crate::mesh::influences::StrongestInfluences;
use crate::skeleton::SkinJoint;

impl Mesh {
    /// The skin joint with the largest weight at a point of a triangle. The weight of a joint is
    /// the sum of its weights at the three corners, each multiplied by the corner's barycentric
    /// coordinate. Among joints of equal weight, the first in the skin wins. Barycentric
    /// coordinates that are negative or NaN count as zero; if all are zero, the result is the first
    /// joint of the skin that influences a corner.
    ///
    /// # Panics
    ///
    /// If `triangle` is out of range.
    #[must_use]
    pub fn dominant_joint(&self, triangle: usize, barycentrics: [f32; 3]) -> SkinJoint {
        let corners = self.triangles()[triangle];
        // A joint with the largest weight at each corner has it at each point between them.
        let [a, b, c] = corners.map(|corner| self.layout.largest_of_slot(corner as usize));
        if let Some(joint) = a.filter(|_| a == b && b == c)
            && barycentrics.iter().any(|&part| part > 0.0)
        {
            return SkinJoint::new(joint as usize);
        }
        let corners = corners.map(|corner| self.layout.influences_of_slot(corner as usize));
        let mut best: Option<(f64, u32)> = None;
        // A triangle has few influences: summing once per joint is cheaper than storing sums.
        for (index, corner) in corners.iter().enumerate() {
            for &joint in corner.joints {
                if corners[..index].iter().any(|before| before.joints.contains(&joint)) {
                    continue;
                }
                let weight = weight_at(joint, &corners, barycentrics);
                let more = |(most, first): (f64, u32)| weight > most || (weight == most && joint < first);
                if best.is_none_or(more) {
                    best = Some((weight, joint));
                }
            }
        }
        SkinJoint::new(best.map_or(0, |(_, joint)| joint as usize))
    }
}

fn weight_at(joint: u32, corners: &[StrongestInfluences<'_>; 3], barycentrics: [f32; 3]) -> f64 {
    let mut sum = 0.0;
    for (corner, part) in corners.iter().zip(barycentrics) {
        for (index, &other) in corner.joints.iter().enumerate() {
            if other == joint && part > 0.0 {
                sum += f64::from(part) * f64::from(corner.weight(index));
            }
        }
    }
    sum
}
