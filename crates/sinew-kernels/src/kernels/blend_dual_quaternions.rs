//! The blended matrices of dual quaternion skinning, one register of vertices at a time.

use std::hint::black_box;

use super::rotation::rotation_matrix_scaled;
use crate::lanes::Lanes;
use crate::lanes::quads::{Quads, gather_from};
use crate::{BLOCK, DualQuaternion, JointIndexBlock, Matrix, ScalarBlock};

/// The transforms of all joints. A joint out of range counts as the identity.
#[derive(Clone, Copy)]
pub(super) struct JointTransforms<'a> {
    pub(super) palette: &'a [Matrix],
    pub(super) dual_quaternions: &'a [DualQuaternion],
    /// `None` if all are the identity.
    pub(super) scale_shears: Option<&'a [Matrix]>,
}

/// The element of a joint; the identity if the joint is out of range.
#[inline(always)]
pub(super) fn element_or_identity<T: Quads>(elements: &[T], joint: u32) -> &T {
    elements.get(joint as usize).unwrap_or(T::PADDING)
}

/// Weighted sums over the joints of one register of vertices.
pub(super) trait BlendSums<L> {
    /// Of dual quaternions, with matching signs: real part and dual part.
    fn dual_quaternions(&self) -> [[L; 4]; 2];
    /// Of scale-shear matrices.
    fn scale_shears(&self, scale_shears: &[Matrix]) -> [[L; 4]; 3];
    /// Of palette matrices.
    fn palette(&self) -> [[L; 4]; 3];
}

/// The blended matrices: the rigid transform of the summed dual quaternions, after the summed scale
/// and shear. With a mix, interpolated with the linear blend.
#[inline(always)]
pub(super) fn blend_matrices<L: Lanes>(
    token: L::Token,
    sums: &impl BlendSums<L>,
    transforms: JointTransforms<'_>,
    mix: Option<L>,
) -> [[L; 4]; 3] {
    let mut matrix = dual_quaternion_matrix(token, sums.dual_quaternions());
    if let Some(scale_shears) = transforms.scale_shears {
        matrix = apply_scale_shear(matrix, sums.scale_shears(scale_shears));
    }
    if let Some(mix) = mix {
        let rest = L::splat(token, 1.0) - mix;
        // Written so that a mix of exactly 0 or 1 reproduces the bits of one side.
        let linear = sums.palette();
        for r in 0..3 {
            for c in 0..4 {
                matrix[r][c] = matrix[r][c].mul_add(mix, linear[r][c] * rest);
            }
        }
    }
    matrix
}

/// The matrix of a dual quaternion of any length; the identity if the length is zero.
///
/// Every element has the factor two over the squared length, so no square root is needed.
#[inline(always)]
fn dual_quaternion_matrix<L: Lanes>(token: L::Token, [real, dual]: [[L; 4]; 2]) -> [[L; 4]; 3] {
    let [x, y, z, w] = real;
    let squared = x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w)));
    let factor = L::splat(token, 2.0) / squared.max(L::splat(token, 1e-30));
    let (x2, y2, z2, w2) = (x * factor, y * factor, z * factor, w * factor);
    let [a, b, c] = rotation_matrix_scaled(token, real, [x2, y2, z2]);
    // The vector part of dual x conjugate of real.
    let [dx, dy, dz, dw] = dual;
    let t = [
        z2.neg_mul_add(dy, y2.mul_add(dz, x2.neg_mul_add(dw, w2 * dx))),
        x2.neg_mul_add(dz, z2.mul_add(dx, y2.neg_mul_add(dw, w2 * dy))),
        y2.neg_mul_add(dx, x2.mul_add(dy, z2.neg_mul_add(dw, w2 * dz))),
    ];
    [[a[0], a[1], a[2], t[0]], [b[0], b[1], b[2], t[1]], [c[0], c[1], c[2], t[2]]]
}

/// `matrix x scale_shear`; the translation of `scale_shear` is not read.
#[inline(always)]
fn apply_scale_shear<L: Lanes>(matrix: [[L; 4]; 3], scale_shear: [[L; 4]; 3]) -> [[L; 4]; 3] {
    let mut product = matrix;
    for r in 0..3 {
        for c in 0..3 {
            let near = matrix[r][1].mul_add(scale_shear[1][c], matrix[r][0] * scale_shear[0][c]);
            product[r][c] = matrix[r][2].mul_add(scale_shear[2][c], near);
        }
    }
    product
}

/// Whether `b` points away from `a`, so that its negative, the same rotation, is nearer. Not fused,
/// so that every variant of the kernel decides the same.
#[inline(always)]
fn is_opposite<L: Lanes>(token: L::Token, a: [L; 4], b: [L; 4]) -> L::Mask {
    (a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3])).lt(L::splat(token, 0.0))
}

/// The same for two dual quaternions in memory.
#[inline(always)]
fn dual_is_opposite(a: &DualQuaternion, b: &DualQuaternion) -> bool {
    let (a, b) = (&a.real, &b.real);
    a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3]) < 0.0
}

/// Up to four joints of a run as differences from the last one, followed by the last one. This
/// saves one weight.
#[derive(Clone, Copy)]
pub(super) struct DifferenceTable<'a> {
    dual_quaternions: &'a [DualQuaternion; 4],
    scale_shears: &'a [Matrix; 4],
    palette: &'a [Matrix; 4],
}

/// The memory of a table. Borrowed arrays, because a struct that holds them would be copied by a
/// call.
pub(super) struct DifferenceScratch<'a> {
    pub(super) dual_quaternions: &'a mut [DualQuaternion; 4],
    pub(super) scale_shears: &'a mut [Matrix; 4],
    pub(super) palette: &'a mut [Matrix; 4],
}

impl DifferenceScratch<'_> {
    /// The table, hidden from the compiler, so that broadcasts stay in the loop as loads. Hoisted,
    /// they would occupy registers.
    #[inline(always)]
    pub(super) fn table(&self) -> DifferenceTable<'_> {
        let Self { dual_quaternions, scale_shears, palette } = self;
        DifferenceTable {
            dual_quaternions: black_box(dual_quaternions),
            scale_shears: black_box(scale_shears),
            palette: black_box(palette),
        }
    }

    /// Fills the table with a run's joints, with signs that are right whichever joint is strongest.
    /// False if there are no such signs: three or more joints with very different rotations.
    #[inline(always)]
    pub(super) fn fill<const K: usize>(
        &mut self,
        transforms: JointTransforms<'_>,
        joints: &[u32; K],
        mixed: bool,
    ) -> bool {
        let mut far = [false; K];
        for i in 1..K {
            let dual = element_or_identity(transforms.dual_quaternions, joints[i]);
            far[i] = dual_is_opposite(element_or_identity(transforms.dual_quaternions, joints[0]), dual);
            for j in 1..i {
                if dual_is_opposite(element_or_identity(transforms.dual_quaternions, joints[j]), dual)
                    != (far[i] != far[j])
                {
                    return false;
                }
            }
        }
        let mut signs = [1.0; K];
        for k in 0..K {
            signs[k] = if far[k] { -1.0 } else { 1.0 };
        }
        store_differences(self.dual_quaternions, transforms.dual_quaternions, joints, &signs, 2);
        if let Some(scale_shears) = transforms.scale_shears {
            store_differences(self.scale_shears, scale_shears, joints, &[1.0; K], 3);
        }
        if mixed {
            store_differences(self.palette, transforms.palette, joints, &[1.0; K], 3);
        }
        true
    }
}

/// Stores the joints' elements, each times its sign and minus the last one; and the last one
/// itself.
#[inline(always)]
fn store_differences<T: Quads, const K: usize>(
    to: &mut [T; 4],
    elements: &[T],
    joints: &[u32; K],
    signs: &[f32; K],
    quads: usize,
) {
    for quad in 0..quads {
        let last = element_or_identity(elements, joints[K - 1]).quad(quad);
        for k in 0..K {
            let from = element_or_identity(elements, joints[k]).quad(quad);
            let to = to[k].quad_mut(quad);
            for c in 0..4 {
                let less = if k < K - 1 { signs[K - 1] * last[c] } else { 0.0 };
                to[c] = signs[k] * from[c] - less;
            }
        }
    }
}

/// A table of `K` joints and the weights of one register of vertices; the last weight is unused.
pub(super) struct WeightedTable<'a, L: Lanes, const K: usize> {
    token: L::Token,
    table: DifferenceTable<'a>,
    weights: [L; K],
}

impl<'a, L: Lanes, const K: usize> WeightedTable<'a, L, K> {
    /// With `K - 1` scalar blocks of weights.
    #[inline(always)]
    pub(super) fn new(
        token: L::Token,
        table: DifferenceTable<'a>,
        rows: &[ScalarBlock],
        group: usize,
    ) -> Self {
        let mut weights = [L::splat(token, 0.0); K];
        // Loops to `K`, not to the slice's length, which the compiler would turn into a call of
        // memcpy.
        for k in 0..K - 1 {
            if let Some(row) = rows.get(k) {
                weights[k] = L::load(token, &row.0, group);
            }
        }
        Self { token, table, weights }
    }

    #[inline(always)]
    fn sum<T: Quads>(&self, differences: &[T; 4], quad: usize) -> [L; 4] {
        let mut sums = [L::splat(self.token, 0.0); 4];
        for c in 0..4 {
            sums[c] = L::splat(self.token, differences[K - 1].quad(quad)[c]);
            for k in 0..K - 1 {
                sums[c] =
                    self.weights[k].mul_add(L::splat(self.token, differences[k].quad(quad)[c]), sums[c]);
            }
        }
        sums
    }
}

impl<L: Lanes, const K: usize> BlendSums<L> for WeightedTable<'_, L, K> {
    #[inline(always)]
    fn dual_quaternions(&self) -> [[L; 4]; 2] {
        let dual_quaternions = self.table.dual_quaternions;
        [self.sum(dual_quaternions, 0), self.sum(dual_quaternions, 1)]
    }

    #[inline(always)]
    fn scale_shears(&self, _: &[Matrix]) -> [[L; 4]; 3] {
        let scale_shears = self.table.scale_shears;
        [self.sum(scale_shears, 0), self.sum(scale_shears, 1), self.sum(scale_shears, 2)]
    }

    #[inline(always)]
    fn palette(&self) -> [[L; 4]; 3] {
        let palette = self.table.palette;
        [self.sum(palette, 0), self.sum(palette, 1), self.sum(palette, 2)]
    }
}

/// The joints of one register of vertices, in order.
pub(super) trait VertexJoints<L: Lanes>: Copy {
    fn len(self) -> usize;
    /// The weights of joint `i`; the last may be `left`, one minus the others.
    fn weights(self, token: L::Token, i: usize, left: L) -> L;
    /// A quad of the joint's element, component by component.
    fn quad<T: Quads>(self, token: L::Token, elements: &[T], i: usize, quad: usize) -> [L; 4];
}

/// The same joints for all vertices; the last weight is implied.
#[derive(Clone, Copy)]
pub(super) struct SharedJoints<'a> {
    pub(super) joints: &'a [u32],
    pub(super) weights: &'a [ScalarBlock],
    pub(super) group: usize,
}

impl<L: Lanes> VertexJoints<L> for SharedJoints<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.joints.len()
    }

    #[inline(always)]
    fn weights(self, token: L::Token, i: usize, left: L) -> L {
        match self.weights.get(i) {
            Some(row) => L::load(token, &row.0, self.group),
            None => left,
        }
    }

    #[inline(always)]
    fn quad<T: Quads>(self, token: L::Token, elements: &[T], i: usize, quad: usize) -> [L; 4] {
        let joint = self.joints.get(i).copied().unwrap_or(u32::MAX);
        let [x, y, z, w] = *element_or_identity(elements, joint).quad(quad);
        [L::splat(token, x), L::splat(token, y), L::splat(token, z), L::splat(token, w)]
    }
}

/// Joints of its own for each vertex, with all weights.
#[derive(Clone, Copy)]
pub(super) struct PerVertexJoints<'a> {
    pub(super) joints: &'a [JointIndexBlock],
    pub(super) weights: &'a [ScalarBlock],
    pub(super) group: usize,
}

impl<L: Lanes> VertexJoints<L> for PerVertexJoints<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.joints.len()
    }

    #[inline(always)]
    fn weights(self, token: L::Token, i: usize, _: L) -> L {
        match self.weights.get(i) {
            Some(row) => L::load(token, &row.0, self.group),
            None => L::splat(token, 0.0),
        }
    }

    #[inline(always)]
    fn quad<T: Quads>(self, token: L::Token, elements: &[T], i: usize, quad: usize) -> [L; 4] {
        let row = self.joints.get(i).unwrap_or(&JointIndexBlock([u32::MAX; BLOCK]));
        gather_from(token, |lane| {
            element_or_identity(elements, row.0[(self.group * L::LEN + lane) % BLOCK]).quad(quad)
        })
    }
}

/// Sums joint by joint, each vertex with signs of its own.
pub(super) struct JointByJoint<'a, L: Lanes, J> {
    pub(super) token: L::Token,
    pub(super) transforms: JointTransforms<'a>,
    pub(super) joints: J,
}

impl<L: Lanes, J: VertexJoints<L>> JointByJoint<'_, L, J> {
    /// The real part of each vertex's strongest joint, the first of equals. With two joints this is
    /// always the first, because the relative sign is the same either way.
    #[inline(always)]
    fn strongest_rotation(&self) -> [L; 4] {
        let Self { token, transforms, joints } = *self;
        let mut strongest = joints.quad(token, transforms.dual_quaternions, 0, 0);
        if joints.len() < 3 {
            return strongest;
        }
        let mut most = joints.weights(token, 0, L::splat(token, 1.0));
        let mut left = L::splat(token, 1.0) - most;
        for i in 1..joints.len() {
            let weight = joints.weights(token, i, left);
            left = left - weight;
            let more = most.lt(weight);
            most = L::select(more, weight, most);
            let real = joints.quad(token, transforms.dual_quaternions, i, 0);
            for c in 0..4 {
                strongest[c] = L::select(more, real[c], strongest[c]);
            }
        }
        strongest
    }

    /// The sum of weight x matrix, and one minus the sum of weights.
    #[inline(always)]
    fn matrices(&self, matrices: &[Matrix]) -> ([[L; 4]; 3], L) {
        let Self { token, joints, .. } = *self;
        let mut sums = [[L::splat(token, 0.0); 4]; 3];
        let mut left = L::splat(token, 1.0);
        for i in 0..joints.len() {
            let weight = joints.weights(token, i, left);
            left = left - weight;
            for r in 0..3 {
                add_weighted(&mut sums[r], weight, joints.quad(token, matrices, i, r));
            }
        }
        (sums, left)
    }
}

impl<L: Lanes, J: VertexJoints<L>> BlendSums<L> for JointByJoint<'_, L, J> {
    #[inline(always)]
    fn dual_quaternions(&self) -> [[L; 4]; 2] {
        let Self { token, transforms, joints } = *self;
        let strongest = self.strongest_rotation();
        let mut sums = [[L::splat(token, 0.0); 4]; 2];
        let mut left = L::splat(token, 1.0);
        for i in 0..joints.len() {
            let weight = joints.weights(token, i, left);
            left = left - weight;
            let real = joints.quad(token, transforms.dual_quaternions, i, 0);
            let weight = L::negate_where(is_opposite(token, strongest, real), weight);
            add_weighted(&mut sums[0], weight, real);
            add_weighted(&mut sums[1], weight, joints.quad(token, transforms.dual_quaternions, i, 1));
        }
        sums
    }

    /// The missing weight (one minus the sum) counts as the identity, as it does in the sum of dual
    /// quaternions, whose length does not matter.
    #[inline(always)]
    fn scale_shears(&self, scale_shears: &[Matrix]) -> [[L; 4]; 3] {
        let (mut sums, left) = self.matrices(scale_shears);
        for i in 0..3 {
            sums[i][i] = sums[i][i] + left;
        }
        sums
    }

    #[inline(always)]
    fn palette(&self) -> [[L; 4]; 3] {
        self.matrices(self.transforms.palette).0
    }
}

/// `sum += weight x quad`.
#[inline(always)]
fn add_weighted<L: Lanes>(sum: &mut [L; 4], weight: L, quad: [L; 4]) {
    for c in 0..4 {
        sum[c] = weight.mul_add(quad[c], sum[c]);
    }
}
