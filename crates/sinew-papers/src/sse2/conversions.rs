//! Quaternion to matrix and back in SSE2: to matrices one joint at a time, back four at a time,
//! because the cases differ there.
//!
//! `unsafe` calls the functions compiled for SSE2 and skips the checks of indices that are below
//! four by construction. Comments list lanes from the first to the last.

use std::arch::x86_64::*;

use sinew_kernels::{Joint, Matrix};

use super::registers::{load, order, store, swizzle};

/// `matrices[i]` = the papers' matrix of `joints[i]`, which is sinew's matrix of the conjugate
/// rotation.
///
/// # Panics
///
/// When the lengths differ.
pub fn joints_to_matrices(joints: &[Joint], matrices: &mut [Matrix]) {
    assert!(joints.len() == matrices.len(), "as many matrices as joints");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { joints_to_matrices_body(joints, matrices) }
}

#[target_feature(enable = "sse2")]
fn joints_to_matrices_body(joints: &[Joint], matrices: &mut [Matrix]) {
    let one = _mm_set_ss(1.0);
    for (joint, Matrix { rows }) in joints.iter().zip(matrices) {
        let [rotation, translation] = as_floats(joint);
        let (q, t) = (load(rotation), load(translation));
        let q2 = _mm_add_ps(q, q);
        // Nine products: yy xy xz yz, then zz wz wy wx, then xx.
        let first = _mm_mul_ps(swizzle::<{ order(1, 0, 0, 1) }>(q), swizzle::<{ order(1, 1, 2, 2) }>(q2));
        let second = _mm_mul_ps(swizzle::<{ order(2, 3, 3, 3) }>(q), swizzle::<{ order(2, 2, 1, 0) }>(q2));
        let xx = _mm_mul_ss(q, q2);
        // 1-xx-yy 0 tz .
        let last = _mm_sub_ss(_mm_sub_ss(one, xx), first);
        let last = _mm_shuffle_ps::<{ order(0, 1, 2, 3) }>(last, t);
        // 1-yy-zz xy+wz xz-wy yz-wx: the first row, and one element of the third.
        let first = _mm_xor_ps(first, signs(0.0, -0.0, -0.0, -0.0));
        let second = _mm_add_ss(_mm_xor_ps(second, signs(-0.0, 0.0, -0.0, -0.0)), one);
        let row = _mm_sub_ps(second, first);
        store(row, &mut rows[0]);
        rows[0][3] = _mm_cvtss_f32(t);
        // 1-xx-zz xy-wz xz+wy yz+wx, then in pairs the other way round: the second row, and one
        // more element.
        let first = _mm_move_ss(first, xx);
        let second = _mm_xor_ps(second, signs(0.0, -0.0, -0.0, -0.0));
        let next = swizzle::<{ order(1, 0, 3, 2) }>(_mm_sub_ps(second, first));
        store(next, &mut rows[1]);
        rows[1][3] = _mm_cvtss_f32(_mm_shuffle_ps::<{ order(1, 2, 3, 0) }>(t, t));
        // yz+wx xz+wy xz-wy yz-wx, of which the second and the last begin the third row.
        let both = _mm_movehl_ps(row, next);
        store(_mm_shuffle_ps::<{ order(1, 3, 0, 2) }>(both, last), &mut rows[2]);
    }
}

/// `joints[i]` = rotation, in the papers' convention, and translation of `matrices[i]`, which must
/// be rigid.
///
/// The four cases differ only in signs and in the order of the components, so four joints share one
/// path: masks select signs and indices, and components are stored one by one at these indices. The
/// reciprocal square root is the 12-bit estimate after one Newton step.
///
/// # Panics
///
/// When the lengths differ.
pub fn matrices_to_joints(matrices: &[Matrix], joints: &mut [Joint]) {
    assert!(matrices.len() == joints.len(), "as many joints as matrices");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { matrices_to_joints_body(matrices, joints) }
}

#[target_feature(enable = "sse2")]
fn matrices_to_joints_body(matrices: &[Matrix], joints: &mut [Joint]) {
    let (matrix_fours, matrix_tail) = matrices.as_chunks::<4>();
    let (joint_fours, joint_tail) = joints.as_chunks_mut::<4>();
    for (matrices, joints) in matrix_fours.iter().zip(joint_fours) {
        let [a, b, c, d] = matrices;
        let diagonal = |i: usize| _mm_setr_ps(a.rows[i][i], b.rows[i][i], c.rows[i][i], d.rows[i][i]);
        let (mut cases, [order_a, order_b, order_c, order_d]) =
            classify([diagonal(0), diagonal(1), diagonal(2)]);
        let [joint_a, joint_b, joint_c, joint_d] = joints;
        cases.store_joint(a, order_a, joint_a);
        cases = cases.next();
        cases.store_joint(b, order_b, joint_b);
        cases = cases.next();
        cases.store_joint(c, order_c, joint_c);
        cases = cases.next();
        cases.store_joint(d, order_d, joint_d);
    }
    for (matrix, joint) in matrix_tail.iter().zip(joint_tail) {
        let diagonal = |i: usize| _mm_set_ss(matrix.rows[i][i]);
        let (cases, [order, ..]) = classify([diagonal(0), diagonal(1), diagonal(2)]);
        cases.store_joint(matrix, order, joint);
    }
}

/// Which case each of four matrices is, and what follows from its diagonal; a lane per matrix.
#[derive(Clone, Copy)]
struct Cases {
    /// The sign bits of the three diagonal elements in the sum below.
    signs: [__m128; 3],
    /// The large component: t = 1 + the diagonal elements with their signs, times `-minus_s`.
    component: __m128,
    /// The factor of the other components: minus half the reciprocal square root of t.
    minus_s: __m128,
}

/// The indices of a lane's large component and of the other three. All are below four; only
/// `classify` creates them.
#[derive(Clone, Copy)]
struct Order([u8; 4]);

impl Order {
    /// Writes a component at its index.
    #[inline(always)]
    fn store<const COMPONENT: usize>(self, rotation: &mut [f32; 4], value: f32) {
        // SAFETY: the indices of an order are below four.
        *unsafe { rotation.get_unchecked_mut(usize::from(self.0[COMPONENT])) } = value;
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn classify([a, b, c]: [__m128; 3]) -> (Cases, [Order; 4]) {
    let trace = _mm_add_ps(_mm_add_ps(a, b), c);
    let a_leads = _mm_and_ps(_mm_cmpnlt_ps(a, b), _mm_cmpnlt_ps(a, c));
    let b_leads = _mm_cmpnlt_ps(b, c);
    // Exactly one of w, x, y, z has all bits set.
    let w = _mm_cmpnlt_ps(trace, _mm_setzero_ps());
    let x = _mm_andnot_ps(w, a_leads);
    let w_or_x = _mm_or_ps(a_leads, w);
    let y = _mm_andnot_ps(w_or_x, b_leads);
    let z = _mm_xor_ps(_mm_or_ps(w_or_x, y), mask(-1));

    // Each lane selects one of four orders, whose indices are below four.
    let orders = _mm_or_ps(
        _mm_or_ps(_mm_and_ps(w, indices([3, 2, 1, 0])), _mm_and_ps(x, indices([0, 1, 2, 3]))),
        _mm_or_ps(_mm_and_ps(y, indices([1, 0, 3, 2])), _mm_and_ps(z, indices([2, 3, 0, 1]))),
    );

    let sign = _mm_set1_ps(-0.0);
    let signs = [
        _mm_and_ps(_mm_or_ps(y, z), sign),
        _mm_and_ps(_mm_or_ps(x, z), sign),
        _mm_and_ps(_mm_or_ps(x, y), sign),
    ];
    let c_and_one = _mm_add_ps(_mm_xor_ps(c, signs[2]), _mm_set1_ps(1.0));
    let t = _mm_add_ps(_mm_add_ps(_mm_xor_ps(a, signs[0]), _mm_xor_ps(b, signs[1])), c_and_one);
    // Newton: r/2 (3 - t r r), then halved.
    let r = _mm_rsqrt_ps(t);
    let off = _mm_sub_ps(_mm_mul_ps(_mm_mul_ps(t, r), r), _mm_set1_ps(3.0));
    let s = _mm_mul_ps(_mm_mul_ps(r, _mm_set1_ps(-0.5 * 0.5)), off);
    (Cases { signs, component: _mm_mul_ps(t, s), minus_s: _mm_xor_ps(s, sign) }, bytes(orders).map(Order))
}

impl Cases {
    /// Writes the joint of the first lane.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn store_joint(&self, matrix: &Matrix, order: Order, joint: &mut Joint) {
        let [[_, xy, xz, tx], [yx, _, yz, ty], [zx, zy, _, tz]] = matrix.rows;
        let across = |lower: f32, sign: __m128, upper: f32| {
            let difference = _mm_sub_ss(_mm_xor_ps(_mm_set_ss(lower), sign), _mm_set_ss(upper));
            _mm_cvtss_f32(_mm_mul_ss(difference, self.minus_s))
        };
        let [rotation, translation] = as_floats_mut(joint);
        order.store::<0>(rotation, _mm_cvtss_f32(self.component));
        order.store::<1>(rotation, across(yx, self.signs[2], xy));
        order.store::<2>(rotation, across(xz, self.signs[1], zx));
        order.store::<3>(rotation, across(zy, self.signs[0], yz));
        *translation = [tx, ty, tz, 0.0];
    }

    /// Rotates the next lane to the front.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn next(self) -> Self {
        let rotate = |v: __m128| _mm_shuffle_ps::<{ order(1, 2, 3, 0) }>(v, v);
        let [a, b, c] = self.signs;
        Self {
            signs: [rotate(a), rotate(b), rotate(c)],
            component: rotate(self.component),
            minus_s: rotate(self.minus_s),
        }
    }
}

/// A mask that flips the signs of the lanes that are -0.0.
#[inline]
#[target_feature(enable = "sse2")]
fn signs(a: f32, b: f32, c: f32, d: f32) -> __m128 {
    _mm_setr_ps(a, b, c, d)
}

#[inline]
#[target_feature(enable = "sse2")]
fn mask(bits: i32) -> __m128 {
    _mm_castsi128_ps(_mm_set1_epi32(bits))
}

/// Four byte indices in every lane.
#[inline]
#[target_feature(enable = "sse2")]
fn indices(bytes: [u8; 4]) -> __m128 {
    mask(i32::from_le_bytes(bytes))
}

/// The bytes of each lane. The papers read them one by one from memory: 14 cycles per joint instead
/// of 10 (Zen 3).
#[inline]
#[target_feature(enable = "sse2")]
fn bytes(v: __m128) -> [[u8; 4]; 4] {
    let mut lanes = [0.0; 4];
    store(v, &mut lanes);
    lanes.map(f32::to_le_bytes)
}

const _: () = assert!(size_of::<Joint>() == size_of::<[[f32; 4]; 2]>());

/// The rotation, and the translation with its padding.
#[inline(always)]
fn as_floats(joint: &Joint) -> &[[f32; 4]; 2] {
    // SAFETY: a joint is eight floats in C order.
    unsafe { &*std::ptr::from_ref(joint).cast() }
}

/// The rotation, and the translation with its padding.
#[inline(always)]
fn as_floats_mut(joint: &mut Joint) -> &mut [[f32; 4]; 2] {
    // SAFETY: a joint is eight floats in C order.
    unsafe { &mut *std::ptr::from_mut(joint).cast() }
}
