//! Joint boxes of a pose, transformed by palette, morph weights and blending.

use sinew_kernels::{Aabb, BLOCK, Matrix};

use super::dual_quaternion_margin::{DualQuaternionMargin, DualQuaternionPose};
use super::joint_boxes::{JointBox, JointBoxes};
use super::min_max::{max, min};
use super::rounding_margin::RoundingMargin;
use super::transform_aabb::INFINITE;

/// Joint boxes together with the pose that transforms them.
pub(super) struct PosedJointBoxes<'a> {
    pub(super) boxes: &'a JointBoxes,
    pub(super) palette: &'a [Matrix],
    /// Weight of each morph target; `None` if all are zero.
    pub(super) morph_weights: Option<&'a [f32]>,
    /// Set for dual-quaternion blending.
    pub(super) dual_quaternions: Option<(&'a DualQuaternionMargin, DualQuaternionPose<'a>)>,
    /// Smallest and largest factor on vertex positions: the range of weight sums.
    pub(super) scale: [f32; 2],
    /// Rounding margin on each side; `None` if a value is not finite or too large.
    pub(super) margin: Option<[f32; 3]>,
}

impl PosedJointBoxes<'_> {
    /// Computes the rounding margin from the magnitudes of all values.
    pub(super) fn with_margin(mut self) -> Self {
        let mut max_coordinates = self.boxes.max_coordinates;
        if let Some(weights) = self.morph_weights {
            let delta = self.boxes.morphs.max_delta(weights);
            max_coordinates = std::array::from_fn(|axis| max_coordinates[axis] + delta[axis]);
        }
        let mut rounding = RoundingMargin::default();
        for &joint in &self.boxes.weighted_joints {
            rounding.add(&self.palette[joint as usize]);
        }
        let targets = self.morph_weights.map_or(0, <[f32]>::len);
        self.margin = rounding.margin(max_coordinates, self.boxes.roundings(targets));
        if let Some((_, pose)) = &mut self.dual_quaternions {
            let [x, y, z] = max_coordinates;
            pose.ignored_scale_shear *= 2.0 * (x + y + z);
            // Rotations mix axes. Normalizing a short sum of dual quaternions amplifies its
            // rounding error.
            let influences = self.boxes.influences.max(1) as f32;
            let finite = self.boxes.weighted_joints.iter().all(|&joint| pose.is_finite(joint));
            let margin = rounding
                .margin(max_coordinates, 512.0 * influences)
                .filter(|_| finite && pose.weight_sums[0] > 1e-10);
            self.margin = margin.map(|margin| [margin.iter().sum(); 3]);
        }
        self
    }

    /// The AABB of all joints.
    pub(super) fn aabb(&self) -> Aabb {
        let mut all = LaneBounds::EMPTY;
        for (index, joint) in self.boxes.joints.iter().enumerate() {
            self.for_each_row(index, joint, |axis, low, high| all.add(axis, low, high));
        }
        self.expand(&all)
    }

    /// The AABB of one joint, given by its index among the boxes.
    pub(super) fn joint_aabb(&self, index: usize, joint: &JointBox) -> Aabb {
        let mut lanes = LaneBounds::EMPTY;
        self.for_each_row(index, joint, |axis, low, high| lanes.add(axis, low, high));
        self.expand(&lanes)
    }

    /// Upper bound of the distance of vertices from a center; negative if there are no vertices.
    pub(super) fn radius(&self, center: [f32; 3]) -> f32 {
        let Some(margin) = self.margin else { return f32::INFINITY };
        if self.boxes.joints.is_empty() {
            return f32::NEG_INFINITY;
        }
        let mut farthest = [0.0; BLOCK];
        for (index, joint) in self.boxes.joints.iter().enumerate() {
            let mut squared = [0.0; BLOCK];
            self.for_each_row(index, joint, |axis, low, high| {
                for lane in 0..BLOCK {
                    let distance = max(high[lane] - center[axis], center[axis] - low[lane]) + margin[axis];
                    squared[lane] += distance * distance;
                }
            });
            for (farthest, squared) in farthest.iter_mut().zip(squared) {
                *farthest = max(*farthest, squared);
            }
        }
        let squared = farthest.into_iter().fold(0.0, max);
        // The last term covers distances whose squares underflow.
        squared.sqrt() * (1.0 + 1e-6) + 1e-18
    }

    /// Visits each axis with the minima and maxima of a joint's sub-boxes.
    #[inline(always)]
    fn for_each_row(
        &self,
        index: usize,
        joint: &JointBox,
        mut visit: impl FnMut(usize, &[f32; BLOCK], &[f32; BLOCK]),
    ) {
        let matrix = &self.palette[joint.joint as usize];
        let (offset, margin) = match (self.morph_weights, &self.dual_quaternions) {
            (None, None) => ([0.0; 3], [0.0; 3]),
            _ => self.offset_and_margin(index, joint, matrix),
        };
        let scaled = self.scale != [1.0, 1.0];
        for (r, row) in matrix.rows.iter().enumerate() {
            let (mut low, mut high) = joint.sub_boxes.project(row, offset[r], margin[r]);
            if scaled {
                scale_range(&mut low, &mut high, self.scale);
            }
            visit(r, &low, &high);
        }
    }

    /// The offset and margin per axis that morph weights and dual quaternions add to a joint's
    /// boxes.
    fn offset_and_margin(&self, index: usize, joint: &JointBox, matrix: &Matrix) -> ([f32; 3], [f32; 3]) {
        let morph = self.boxes.morphs.offset(index, self.morph_weights.unwrap_or_default());
        let blend_margin = |(margin, pose): &(&DualQuaternionMargin, DualQuaternionPose<'_>)| {
            margin.margin(index, joint.joint, pose, morph)
        };
        let blend_margin = self.dual_quaternions.as_ref().map_or(0.0, blend_margin);
        let half = morph.half_extents;
        let margin = matrix
            .rows
            .map(|[x, y, z, _]| x.abs() * half[0] + y.abs() * half[1] + z.abs() * half[2] + blend_margin);
        (matrix.transform_vector(morph.offset), margin)
    }

    /// The AABB of all lanes, expanded by the rounding margin.
    fn expand(&self, lanes: &LaneBounds) -> Aabb {
        let Some(margin) = self.margin else { return INFINITE };
        if self.boxes.joints.is_empty() {
            return Aabb::EMPTY;
        }
        let lowest = |axis: usize| lanes.min[axis].iter().copied().fold(f32::INFINITY, min);
        let highest = |axis: usize| lanes.max[axis].iter().copied().fold(f32::NEG_INFINITY, max);
        Aabb {
            min: std::array::from_fn(|axis| lowest(axis) - margin[axis]),
            max: std::array::from_fn(|axis| highest(axis) + margin[axis]),
        }
    }
}

impl JointBoxes {
    /// Number of roundings in the arithmetic of a vertex and of its box, in units of the sums of
    /// magnitudes that form a coordinate.
    ///
    /// For n joints: a blended matrix is a sum of n terms, as differences from the last; weights
    /// sum to one up to n roundings; and up to n influences are excluded from the boxes, worth
    /// eight units each, on both sides. A position takes four more terms, and two per morph target.
    /// The rest covers the arithmetic of the boxes.
    fn roundings(&self, targets: usize) -> f32 {
        (32.0 + 20.0 * self.influences as f32 + 4.0 * targets as f32) * self.weight_sums[1].max(1.0)
    }
}

/// Minima and maxima of sub-boxes, per axis and lane.
struct LaneBounds {
    min: [[f32; BLOCK]; 3],
    max: [[f32; BLOCK]; 3],
}

impl LaneBounds {
    const EMPTY: Self = Self { min: [[f32::INFINITY; BLOCK]; 3], max: [[f32::NEG_INFINITY; BLOCK]; 3] };

    #[inline(always)]
    fn add(&mut self, axis: usize, low: &[f32; BLOCK], high: &[f32; BLOCK]) {
        for lane in 0..BLOCK {
            self.min[axis][lane] = min(self.min[axis][lane], low[lane]);
            self.max[axis][lane] = max(self.max[axis][lane], high[lane]);
        }
    }
}

/// Scales intervals by any factor from `min_scale` to `max_scale`.
fn scale_range(low: &mut [f32; BLOCK], high: &mut [f32; BLOCK], [min_scale, max_scale]: [f32; 2]) {
    for (low, high) in low.iter_mut().zip(high) {
        *low = min(*low * min_scale, *low * max_scale);
        *high = max(*high * min_scale, *high * max_scale);
    }
}
