//! The blended matrices of dual quaternion skinning, one register of vertices at a time.

use std::hint::black_box;

use super::rotation::matrix_of_any;
use crate::lanes::Lanes;
use crate::lanes::quads::{Quads, gather_from};
use crate::{BLOCK, DualQuaternion, JointIndexBlock, Matrix, ScalarBlock};

/// What there is for each joint; a joint that is not there counts as the identity.
#[derive(Clone, Copy)]
pub(super) struct Skin<'a> {
    pub(super) palette: &'a [Matrix],
    pub(super) dual_quaternions: &'a [DualQuaternion],
    /// `None` where all are the identity.
    pub(super) scale_shears: Option<&'a [Matrix]>,
}

/// The joint's element; the identity where there is none.
#[inline(always)]
pub(super) fn of<T: Quads>(elements: &[T], joint: u32) -> &T {
    elements.get(joint as usize).unwrap_or(T::REST)
}

/// Weighted sums over the joints of one register of vertices.
pub(super) trait Sums<L> {
    /// Of dual quaternions, their signs made to fit: real part and dual part.
    fn duals(&self) -> [[L; 4]; 2];
    /// Of stretches.
    fn stretches(&self, scale_shears: &[Matrix]) -> [[L; 4]; 3];
    /// Of palette matrices.
    fn palette(&self) -> [[L; 4]; 3];
}

/// The blended matrices: the move that the dual quaternions sum up to, after the sum of the stretches; where there is
/// a mix, that share of it, and for the rest the sum of the matrices.
#[inline(always)]
pub(super) fn blended<L: Lanes>(
    token: L::Token,
    sums: &impl Sums<L>,
    skin: Skin<'_>,
    mix: Option<L>,
) -> [[L; 4]; 3] {
    let mut matrix = rigid(token, sums.duals());
    if let Some(scale_shears) = skin.scale_shears {
        matrix = stretched(matrix, sums.stretches(scale_shears));
    }
    if let Some(mix) = mix {
        let rest = L::splat(token, 1.0) - mix;
        // So that a mix of nothing or all gives the one or the other to the bit.
        let linear = sums.palette();
        for r in 0..3 {
            for c in 0..4 {
                matrix[r][c] = matrix[r][c].mul_add(mix, linear[r][c] * rest);
            }
        }
    }
    matrix
}

/// The matrix of a dual quaternion of any length; the identity where the length is nothing.
///
/// Every element has one factor of two over the squared length, so the length itself, and a root, is not needed.
#[inline(always)]
fn rigid<L: Lanes>(token: L::Token, [real, dual]: [[L; 4]; 2]) -> [[L; 4]; 3] {
    let [x, y, z, w] = real;
    let squared = x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w)));
    let factor = L::splat(token, 2.0) / squared.max(L::splat(token, 1e-30));
    let (x2, y2, z2, w2) = (x * factor, y * factor, z * factor, w * factor);
    let [a, b, c] = matrix_of_any(token, real, [x2, y2, z2]);
    // The vector part of dual x conjugate of real.
    let [dx, dy, dz, dw] = dual;
    let t = [
        z2.neg_mul_add(dy, y2.mul_add(dz, x2.neg_mul_add(dw, w2 * dx))),
        x2.neg_mul_add(dz, z2.mul_add(dx, y2.neg_mul_add(dw, w2 * dy))),
        y2.neg_mul_add(dx, x2.mul_add(dy, z2.neg_mul_add(dw, w2 * dz))),
    ];
    [[a[0], a[1], a[2], t[0]], [b[0], b[1], b[2], t[1]], [c[0], c[1], c[2], t[2]]]
}

/// `matrix x stretch`, whose translation is not read.
#[inline(always)]
fn stretched<L: Lanes>(matrix: [[L; 4]; 3], stretch: [[L; 4]; 3]) -> [[L; 4]; 3] {
    let mut product = matrix;
    for r in 0..3 {
        for c in 0..3 {
            let near = matrix[r][1].mul_add(stretch[1][c], matrix[r][0] * stretch[0][c]);
            product[r][c] = matrix[r][2].mul_add(stretch[2][c], near);
        }
    }
    product
}

/// Whether `b` points away from `a`, so that its other sign, the same rotation, is the nearer one. Not fused, so that
/// every form of the kernel comes to the same answer.
#[inline(always)]
fn is_far<L: Lanes>(token: L::Token, a: [L; 4], b: [L; 4]) -> L::Mask {
    (a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3])).lt(L::splat(token, 0.0))
}

/// The same of two dual quaternions.
#[inline(always)]
fn is_far_from(a: &DualQuaternion, b: &DualQuaternion) -> bool {
    let (a, b) = (&a.real, &b.real);
    a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3]) < 0.0
}

/// Up to four joints of a run as differences to the last one, and that one, so that one weight is saved.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    dual_quaternions: &'a [DualQuaternion; 4],
    scale_shears: &'a [Matrix; 4],
    palette: &'a [Matrix; 4],
}

/// Where a table is made. Borrowed arrays, because a struct that holds them would be copied by a call.
pub(super) struct Room<'a> {
    pub(super) dual_quaternions: &'a mut [DualQuaternion; 4],
    pub(super) scale_shears: &'a mut [Matrix; 4],
    pub(super) palette: &'a mut [Matrix; 4],
}

impl Room<'_> {
    /// The table, hidden from the compiler, so that splats stay in the loop: there they are loads, and before it they
    /// would need registers.
    #[inline(always)]
    pub(super) fn table(&self) -> Table<'_> {
        let Self { dual_quaternions, scale_shears, palette } = self;
        Table {
            dual_quaternions: black_box(dual_quaternions),
            scale_shears: black_box(scale_shears),
            palette: black_box(palette),
        }
    }

    /// Takes a run's joints in, with signs that fit whichever of them is the strongest. False where there are no such
    /// signs: three joints or more, turned far apart from each other.
    #[inline(always)]
    pub(super) fn fill<const K: usize>(&mut self, skin: Skin<'_>, joints: &[u32; K], mixed: bool) -> bool {
        let mut far = [false; K];
        for i in 1..K {
            let dual = of(skin.dual_quaternions, joints[i]);
            far[i] = is_far_from(of(skin.dual_quaternions, joints[0]), dual);
            for j in 1..i {
                if is_far_from(of(skin.dual_quaternions, joints[j]), dual) != (far[i] != far[j]) {
                    return false;
                }
            }
        }
        let mut signs = [1.0; K];
        for k in 0..K {
            signs[k] = if far[k] { -1.0 } else { 1.0 };
        }
        differences(self.dual_quaternions, skin.dual_quaternions, joints, &signs, 2);
        if let Some(scale_shears) = skin.scale_shears {
            differences(self.scale_shears, scale_shears, joints, &[1.0; K], 3);
        }
        if mixed {
            differences(self.palette, skin.palette, joints, &[1.0; K], 3);
        }
        true
    }
}

/// The joints' elements, each times its sign and less the last one; and the last one.
#[inline(always)]
fn differences<T: Quads, const K: usize>(
    to: &mut [T; 4],
    elements: &[T],
    joints: &[u32; K],
    signs: &[f32; K],
    quads: usize,
) {
    for quad in 0..quads {
        let last = of(elements, joints[K - 1]).quad(quad);
        for k in 0..K {
            let from = of(elements, joints[k]).quad(quad);
            let to = to[k].quad_mut(quad);
            for c in 0..4 {
                let less = if k < K - 1 { signs[K - 1] * last[c] } else { 0.0 };
                to[c] = signs[k] * from[c] - less;
            }
        }
    }
}

/// A table of `K` joints with the weights of one register of vertices; the last weight is not used.
pub(super) struct Weighted<'a, L: Lanes, const K: usize> {
    token: L::Token,
    table: Table<'a>,
    weights: [L; K],
}

impl<'a, L: Lanes, const K: usize> Weighted<'a, L, K> {
    /// With `K - 1` rows of weights.
    #[inline(always)]
    pub(super) fn new(token: L::Token, table: Table<'a>, rows: &[ScalarBlock], group: usize) -> Self {
        let mut weights = [L::splat(token, 0.0); K];
        // Counted to `K`, not to the rows, or the compiler makes a call of memcpy of it.
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

impl<L: Lanes, const K: usize> Sums<L> for Weighted<'_, L, K> {
    #[inline(always)]
    fn duals(&self) -> [[L; 4]; 2] {
        let dual_quaternions = self.table.dual_quaternions;
        [self.sum(dual_quaternions, 0), self.sum(dual_quaternions, 1)]
    }

    #[inline(always)]
    fn stretches(&self, _: &[Matrix]) -> [[L; 4]; 3] {
        let scale_shears = self.table.scale_shears;
        [self.sum(scale_shears, 0), self.sum(scale_shears, 1), self.sum(scale_shears, 2)]
    }

    #[inline(always)]
    fn palette(&self) -> [[L; 4]; 3] {
        let palette = self.table.palette;
        [self.sum(palette, 0), self.sum(palette, 1), self.sum(palette, 2)]
    }
}

/// The joints of one register of vertices, one after the other.
pub(super) trait Joints<L: Lanes>: Copy {
    fn len(self) -> usize;
    /// A joint's weights; the last may be what the others left of one.
    fn weights(self, token: L::Token, i: usize, left: L) -> L;
    /// A quad of the joint's elements, component by component.
    fn quad<T: Quads>(self, token: L::Token, elements: &[T], i: usize, quad: usize) -> [L; 4];
}

/// The same joints for all vertices; the last weight is implied.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) joints: &'a [u32],
    pub(super) weights: &'a [ScalarBlock],
    pub(super) group: usize,
}

impl<L: Lanes> Joints<L> for Shared<'_> {
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
        let [x, y, z, w] = *of(elements, joint).quad(quad);
        [L::splat(token, x), L::splat(token, y), L::splat(token, z), L::splat(token, w)]
    }
}

/// For each vertex its own joints and all their weights.
#[derive(Clone, Copy)]
pub(super) struct Own<'a> {
    pub(super) joints: &'a [JointIndexBlock],
    pub(super) weights: &'a [ScalarBlock],
    pub(super) group: usize,
}

impl<L: Lanes> Joints<L> for Own<'_> {
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
        gather_from(token, |lane| of(elements, row.0[(self.group * L::LEN + lane) % BLOCK]).quad(quad))
    }
}

/// Sums joint by joint, each vertex with signs of its own.
pub(super) struct OneByOne<'a, L: Lanes, J> {
    pub(super) token: L::Token,
    pub(super) skin: Skin<'a>,
    pub(super) joints: J,
}

impl<L: Lanes, J: Joints<L>> OneByOne<'_, L, J> {
    /// The real part of each vertex's strongest joint, the first of equals; of two joints the first, because their
    /// signs fit or not whichever is asked.
    #[inline(always)]
    fn strongest(&self) -> [L; 4] {
        let Self { token, skin, joints } = *self;
        let mut strongest = joints.quad(token, skin.dual_quaternions, 0, 0);
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
            let real = joints.quad(token, skin.dual_quaternions, i, 0);
            for c in 0..4 {
                strongest[c] = L::select(more, real[c], strongest[c]);
            }
        }
        strongest
    }

    /// The sum of weight x matrix, and what the weights leave of one.
    #[inline(always)]
    fn matrices(&self, matrices: &[Matrix]) -> ([[L; 4]; 3], L) {
        let Self { token, joints, .. } = *self;
        let mut sums = [[L::splat(token, 0.0); 4]; 3];
        let mut left = L::splat(token, 1.0);
        for i in 0..joints.len() {
            let weight = joints.weights(token, i, left);
            left = left - weight;
            for r in 0..3 {
                add(&mut sums[r], weight, joints.quad(token, matrices, i, r));
            }
        }
        (sums, left)
    }
}

impl<L: Lanes, J: Joints<L>> Sums<L> for OneByOne<'_, L, J> {
    #[inline(always)]
    fn duals(&self) -> [[L; 4]; 2] {
        let Self { token, skin, joints } = *self;
        let strongest = self.strongest();
        let mut sums = [[L::splat(token, 0.0); 4]; 2];
        let mut left = L::splat(token, 1.0);
        for i in 0..joints.len() {
            let weight = joints.weights(token, i, left);
            left = left - weight;
            let real = joints.quad(token, skin.dual_quaternions, i, 0);
            let weight = L::negate_where(is_far(token, strongest, real), weight);
            add(&mut sums[0], weight, real);
            add(&mut sums[1], weight, joints.quad(token, skin.dual_quaternions, i, 1));
        }
        sums
    }

    /// What the weights leave of one stays as it is, as in the sum of dual quaternions, whose length does not matter.
    #[inline(always)]
    fn stretches(&self, scale_shears: &[Matrix]) -> [[L; 4]; 3] {
        let (mut sums, left) = self.matrices(scale_shears);
        for i in 0..3 {
            sums[i][i] = sums[i][i] + left;
        }
        sums
    }

    #[inline(always)]
    fn palette(&self) -> [[L; 4]; 3] {
        self.matrices(self.skin.palette).0
    }
}

/// `sum += weight x quad`.
#[inline(always)]
fn add<L: Lanes>(sum: &mut [L; 4], weight: L, quad: [L; 4]) {
    for c in 0..4 {
        sum[c] = weight.mul_add(quad[c], sum[c]);
    }
}
