//! The dual-quaternion margin: how far dual-quaternion skinning may move a vertex away from the
//! positions to which its joints move it.
//!
//! Let joint i with weight w_i move a vertex to x_i by a rotation q_i, with signs chosen as in the
//! kernel, and let r be the sum of w_i q_i. The blended transform moves the vertex to x = sum of
//! vec(x_i a_i), with quaternions a_i = w_i q_i r* / |r|^2 whose sum is one. Write a_i = (c_i, v_i)
//! for its real part and vector part:
//!
//! - x = sum of c_i x_i + sum of x_i x v_i, where the c_i sum to one and the v_i to zero. So for
//!   any k the last sum equals the sum of (x_i - x_k) x v_i. If no c_i is negative, x is a mean of
//!   points x_k + e_k with |e_k| <= d_k V, where d_k is the largest |x_i - x_k|, and V is the sum
//!   of |v_i| over all i other than k.
//! - |v_i| <= sum over l of w_i w_l sin(i, l) / |r|^2, and |r|^2 = sum of w_i w_l cos(i, l), with
//!   the angles between quaternions. For n joints that are at most t < 90 degrees apart, |v_i| <=
//!   w_i (1 - w_i) sin t / (cos t + (1 - cos t) / n). So |e_k| is at most that quotient times the
//!   sum over the neighbors i of D_ki, the largest w_i (1 - w_i) |x_i - x_k| over the vertices that
//!   joints i and k share. D is small: shared vertices with even weights are near the pivot, and
//!   those far from it have a small w_i (1 - w_i).
//! - If all pairs are less than 60 degrees apart, up to sign, the signs are consistent and no c_i
//!   is negative. For two joints this always holds.
//! - For any signs, |x - x_0| <= sum of w_i |x_i - x_0| / |r| for the joint 0 with the largest
//!   weight, and |r| >= w_0 + (1 - w_0) cos t_0, where t_0 is the largest angle between joint 0 and
//!   another. The weights of the others are at most one half, so w_i |x_i - x_0| <= 2 D_0i.
//! - Angles up to sign satisfy the triangle inequality: if all neighbors of k are within t_k, any
//!   two of them are within 2 t_k. No pair is farther apart than the largest angle in the mesh.
//!
//! So the box of a joint is expanded by the sum of its D times a factor. The factor is the first
//! quotient for the angle of the last rule if that angle is less than 60 degrees; otherwise it is
//! the larger of the first quotient for 60 degrees and the second quotient. A vertex is then inside
//! the union AABB of its joints' boxes, as with linear blending.
//!
//! Scale and shear are applied first, to each vertex by the weighted mean of its joints'
//! scale-shear matrices. That moves the vertex away from its position under joint k's own scale and
//! shear by at most the largest difference between two of them, and the distances between the x_i
//! grow by at most three times that.

use std::ops::Range;

use sinew_kernels::{DualQuaternion, Matrix};

use super::center_extents::CenterExtents;
use super::joint_boxes::{JointBox, JointBoxes};
use super::min_max::{max, min};
use super::morph_bounds::MorphOffset;
use super::shared_vertices::{JointVertices, SharedVertices, joint_vertices};
use crate::mesh::Mesh;

/// The joints that share vertices, from which the margin of each joint is computed.
#[derive(Clone, Debug)]
pub(crate) struct DualQuaternionMargin {
    /// One per joint that has a box, in the order of [`JointBoxes::joints`].
    joints: Vec<JointNeighbors>,
    /// Grouped by joint.
    neighbors: Vec<Neighbor>,
}

#[derive(Clone, Debug)]
struct JointNeighbors {
    neighbors: Range<usize>,
    /// Largest number of influences of a vertex that this joint influences.
    influences: usize,
    /// Bounds of the vertices that this joint influences.
    bounds: CenterExtents,
}

/// A joint that shares vertices with another.
#[derive(Clone, Copy, Debug)]
struct Neighbor {
    joint: u32,
    /// Bounds of the shared vertices.
    shared: CenterExtents,
    /// Bounds of the shared vertices' offsets from the center of `shared`, times w (1 - w) with the
    /// neighbor's weight w.
    weighted: CenterExtents,
    /// The largest w (1 - w).
    max_product: f32,
}

/// The dual quaternions of a pose.
#[derive(Clone, Copy)]
pub(super) struct DualQuaternionPose<'a> {
    pub(super) palette: &'a [Matrix],
    pub(super) dual_quaternions: &'a [DualQuaternion],
    /// `None` if all are the identity up to `ignored_scale_shear`.
    pub(super) scale_shears: Option<&'a [Matrix]>,
    /// Upper bound of the vertex displacement caused by ignoring scale and shear.
    pub(super) ignored_scale_shear: f32,
    /// Smallest and largest weight sum of a vertex.
    pub(super) weight_sums: [f32; 2],
    /// Squared chord of the largest angle between two neighbors, as in [`chord_squared`].
    pub(super) max_chord_squared: f32,
}

impl DualQuaternionPose<'_> {
    /// Whether the transform of a joint is finite. It is not if the palette exceeds the kernel's
    /// range.
    pub(super) fn is_finite(&self, joint: u32) -> bool {
        let DualQuaternion { real, dual } = &self.dual_quaternions[joint as usize];
        let scale_shear =
            self.scale_shears.is_none_or(|scale_shears| scale_shears[joint as usize].is_finite());
        scale_shear && real.iter().chain(dual).all(|element| element.is_finite())
    }
}

impl DualQuaternionMargin {
    pub(crate) fn new(mesh: &Mesh, boxes: &JointBoxes) -> Self {
        let vertices = joint_vertices(mesh);
        let mut neighbors = Vec::new();
        let joint_neighbors = |joint: &JointBox| {
            let JointVertices { bounds, influences, shared } = &vertices[joint.joint as usize];
            let start = neighbors.len();
            neighbors.extend(shared.iter().map(Neighbor::new));
            JointNeighbors {
                neighbors: start..neighbors.len(),
                influences: *influences,
                bounds: CenterExtents::from_aabb(bounds),
            }
        };
        let joints = boxes.joints.iter().map(joint_neighbors).collect();
        Self { joints, neighbors }
    }

    /// The squared chord of the largest angle between two neighbors.
    pub(super) fn max_chord_squared(&self, boxes: &JointBoxes, dual_quaternions: &[DualQuaternion]) -> f32 {
        let mut largest = 0.0;
        for (joint_neighbors, joint) in self.joints.iter().zip(&boxes.joints) {
            let real = dual_quaternions[joint.joint as usize].real;
            for neighbor in self.neighbors[joint_neighbors.neighbors.clone()]
                .iter()
                .filter(|neighbor| neighbor.joint > joint.joint)
            {
                largest = max(chord_squared(real, dual_quaternions[neighbor.joint as usize].real), largest);
            }
        }
        largest
    }

    /// The margin on each side of a joint's boxes. `index` is the joint's index among the boxes,
    /// `joint` its index in the skin.
    pub(super) fn margin(
        &self,
        index: usize,
        joint: u32,
        pose: &DualQuaternionPose<'_>,
        morph: MorphOffset,
    ) -> f32 {
        let (joint_neighbors, joint) = (&self.joints[index], joint as usize);
        let (mut max_chord, mut sum, mut largest, mut scale_shear_squared) = (0.0, 0.0, 0.0, 0.0);
        for neighbor in &self.neighbors[joint_neighbors.neighbors.clone()] {
            let other = neighbor.joint as usize;
            max_chord = max(
                chord_squared(pose.dual_quaternions[joint].real, pose.dual_quaternions[other].real),
                max_chord,
            );
            let separation = neighbor.weighted_separation(&pose.palette[joint], &pose.palette[other], morph);
            (sum, largest) = (sum + separation, max(separation, largest));
            if let Some(scale_shears) = pose.scale_shears {
                let shared = neighbor.shared.morphed(morph);
                scale_shear_squared = max(
                    shared.max_distance_squared(&scale_shears[joint], &scale_shears[other]),
                    scale_shear_squared,
                );
            }
        }
        let (separation, difference) =
            (min(sum, largest * joint_neighbors.influences as f32), scale_shear_squared.sqrt());
        let [min_sum, max_sum] = pose.weight_sums;
        let mut scale_shear_margin = difference * max_sum;
        if let (Some(scale_shears), true) = (pose.scale_shears, pose.weight_sums != [1.0, 1.0]) {
            // If the weights do not sum to one, the rest acts as the identity.
            let from_identity = joint_neighbors
                .bounds
                .morphed(morph)
                .max_distance_squared(&scale_shears[joint], &Matrix::IDENTITY)
                .sqrt();
            scale_shear_margin += from_identity * max(1.0 - min_sum, max_sum - 1.0).abs();
        }
        scale_shear_margin += pose.ignored_scale_shear;
        let margin = margin_factor([max_chord, pose.max_chord_squared], joint_neighbors.influences)
            * (separation + difference + 2.0 * scale_shear_margin)
            + scale_shear_margin;
        // Zero times an infinite squared distance.
        if margin.is_nan() { f32::INFINITY } else { margin }
    }
}

/// The squared chord of the angle t between two rotations along the shorter arc, 2 - 2 cos t,
/// rounded up. A cosine would round to one for every small angle, and the sine computed from it to
/// zero.
fn chord_squared(a: [f32; 4], b: [f32; 4]) -> f32 {
    let squared = |sign: f32| -> f32 { (0..4).map(|c| (a[c] - sign * b[c]) * (a[c] - sign * b[c])).sum() };
    let chord = min(squared(1.0), squared(-1.0)).sqrt() + 1e-6;
    min(chord * chord, 2.0)
}

/// The factor on the sum of weighted distances, from the squared chords of the largest angle at the
/// joint and of the largest angle in the mesh.
fn margin_factor([joint, mesh]: [f32; 2], influences: usize) -> f32 {
    let n = influences as f32;
    let denominator = |chord: f32| (1.0 - 0.5 * chord) + 0.5 * chord / n;
    let sine = |chord: f32| (chord * (1.0 - 0.25 * chord)).sqrt();
    let quotient = |chord: f32| sine(chord) / denominator(chord);
    if influences <= 2 {
        return quotient(joint);
    }
    // Squared chord of twice the angle.
    let between = min(joint * (4.0 - joint), mesh);
    if between < 1.0 { quotient(between) } else { max(quotient(1.0), 2.0 / denominator(joint)) }
}

impl Neighbor {
    fn new(SharedVertices { joint, bounds, weighted, max_product, .. }: &SharedVertices) -> Self {
        Self {
            joint: *joint,
            shared: CenterExtents::from_aabb(bounds),
            weighted: CenterExtents::from_aabb(weighted),
            max_product: *max_product,
        }
    }

    /// The largest weighted distance between the positions to which two matrices move a shared
    /// vertex.
    fn weighted_separation(&self, a: &Matrix, b: &Matrix, morph: MorphOffset) -> f32 {
        let center = self.shared.center;
        let [mx, my, mz] = self.weighted.center;
        let half = |axis: usize| {
            self.weighted.half_extents[axis]
                + self.max_product * (morph.offset[axis].abs() + morph.half_extents[axis])
        };
        let [hx, hy, hz] = [half(0), half(1), half(2)];
        let mut squared = 0.0;
        for (a, b) in a.rows.iter().zip(&b.rows) {
            let [x, y, z, t]: [f32; 4] = std::array::from_fn(|c| a[c] - b[c]);
            let center_part = (x * center[0] + y * center[1] + z * center[2] + t).abs() * self.max_product;
            let offset_part = (x * mx + y * my + z * mz).abs() + (x.abs() * hx + y.abs() * hy + z.abs() * hz);
            squared += (center_part + offset_part) * (center_part + offset_part);
        }
        squared.sqrt()
    }
}

impl CenterExtents {
    fn morphed(&self, morph: MorphOffset) -> Self {
        let center = std::array::from_fn(|axis| self.center[axis] + morph.offset[axis]);
        Self {
            center,
            half_extents: std::array::from_fn(|axis| self.half_extents[axis] + morph.half_extents[axis]),
        }
    }

    /// The largest squared distance between the positions to which two matrices move a point.
    fn max_distance_squared(&self, a: &Matrix, b: &Matrix) -> f32 {
        let [mx, my, mz] = self.center;
        let [hx, hy, hz] = self.half_extents;
        let mut squared = 0.0;
        for (a, b) in a.rows.iter().zip(&b.rows) {
            let [x, y, z, t]: [f32; 4] = std::array::from_fn(|c| a[c] - b[c]);
            let center = (x * mx + y * my + z * mz + t).abs();
            let farthest = center + (x.abs() * hx + y.abs() * hy + z.abs() * hz);
            squared += farthest * farthest;
        }
        squared
    }
}

#[cfg(test)]
mod tests {
    use super::{chord_squared, margin_factor};

    #[test]
    fn chords_of_small_angles_are_not_underestimated() {
        for exponent in 1..40 {
            let half = 0.5_f64.powi(exponent);
            let (a, b) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half.sin() as f32, half.cos() as f32]);
            let exact = 2.0 - 2.0 * half.cos();
            assert!(
                f64::from(chord_squared(a, b)) >= exact
                    && f64::from(chord_squared(a, b.map(|c| -c))) >= exact,
                "{half}"
            );
        }
    }

    #[test]
    fn factors_match_the_bounds_of_the_angles() {
        for degrees in 0..=90 {
            let angle = f64::from(degrees).to_radians();
            let chord = (2.0 - 2.0 * angle.cos()) as f32;
            // With both weights one half, the bound is half the tangent of half the angle.
            let two = f64::from(margin_factor([chord, 2.0], 2)) / 4.0;
            assert!((two - 0.5 * (angle / 2.0).tan()).abs() < 1e-4, "{degrees}");
            for influences in 3..8_u8 {
                let n = f64::from(influences);
                let quotient = |t: f64| t.sin() / (t.cos() + (1.0 - t.cos()) / n);
                let found = f64::from(margin_factor([chord, 2.0], influences.into()));
                assert!(found >= quotient((2.0 * angle).min(60_f64.to_radians())) - 1e-3, "{degrees}");
                let alone = f64::from(margin_factor([chord, chord], influences.into()));
                assert!(alone >= quotient(angle.min(60_f64.to_radians())) - 1e-3, "{degrees}");
                assert!(alone <= found + 1e-6, "{degrees}");
                if degrees > 60 {
                    assert!(alone >= 2.0 / (angle.cos() + (1.0 - angle.cos()) / n) - 1e-3, "{degrees}");
                }
            }
        }
    }
}
