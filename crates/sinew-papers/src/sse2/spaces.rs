//! Local space, model space and palettes in SSE2: one joint at a time, several elements per
//! register.
//!
//! `unsafe` calls the functions compiled for SSE2.

use std::arch::x86_64::*;
use std::hint::black_box;

use sinew_kernels::Matrix;

use super::registers::{load, order, rows, splat, store, swizzle};
use crate::Parents;

/// Local to model space, in place: each joint of the range becomes parent x joint, first to last.
///
/// # Panics
///
/// When the range exceeds `matrices`.
pub fn local_to_model(parents: &Parents<'_>, matrices: &mut [Matrix]) {
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { local_to_model_body(parents, matrices) }
}

#[target_feature(enable = "sse2")]
fn local_to_model_body(parents: &Parents<'_>, matrices: &mut [Matrix]) {
    let last_lane = last_lane();
    parents.first_to_last(matrices, |parent, joint| {
        let right = rows(joint);
        for (left, row) in parent.rows.iter().zip(&mut joint.rows) {
            store(product(load(left), right, last_lane), row);
        }
    });
}

/// Model to local space, in place, last to first, by the transpose of the parent's rotation.
///
/// Correct for rigid parents only.
///
/// # Panics
///
/// When the range exceeds `matrices`.
pub fn model_to_local(parents: &Parents<'_>, matrices: &mut [Matrix]) {
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { model_to_local_body(parents, matrices) }
}

#[target_feature(enable = "sse2")]
fn model_to_local_body(parents: &Parents<'_>, matrices: &mut [Matrix]) {
    parents.last_to_first(matrices, |parent, joint| {
        let offset = |row: &[f32; 4]| swizzle::<{ order(1, 2, 3, 0) }>(_mm_set_ss(row[3]));
        let child = |r: usize| _mm_sub_ps(load(&joint.rows[r]), offset(&parent.rows[r]));
        let (a, b, c) = (child(0), child(1), child(2));
        let turned = |r: usize, row: __m128| {
            let left = load(&parent.rows[r]);
            [
                _mm_mul_ps(splat::<0>(left), row),
                _mm_mul_ps(splat::<1>(left), row),
                _mm_mul_ps(splat::<2>(left), row),
            ]
        };
        let (x, y, z) = (turned(0, a), turned(1, b), turned(2, c));
        for (r, row) in joint.rows.iter_mut().enumerate() {
            store(_mm_add_ps(_mm_add_ps(x[r], y[r]), z[r]), row);
        }
    });
}

/// `palette[i] = models[i] x inverse_binds[i]`.
///
/// # Panics
///
/// When the lengths differ.
pub fn palette(models: &[Matrix], inverse_binds: &[Matrix], palette: &mut [Matrix]) {
    assert!(models.len() == palette.len(), "as many models as palette matrices");
    assert!(inverse_binds.len() == palette.len(), "as many inverse binds as palette matrices");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { palette_body(models, inverse_binds, palette) }
}

#[target_feature(enable = "sse2")]
fn palette_body(models: &[Matrix], inverse_binds: &[Matrix], palette: &mut [Matrix]) {
    let last_lane = last_lane();
    for ((model, inverse_bind), matrix) in models.iter().zip(inverse_binds).zip(palette) {
        let right = rows(inverse_bind);
        for (left, row) in model.rows.iter().zip(&mut matrix.rows) {
            store(product(load(left), right, last_lane), row);
        }
    }
}

/// One row of a product: the broadcast elements of the left row times the rows of the right matrix,
/// plus the left row's translation in the last lane.
#[inline]
#[target_feature(enable = "sse2")]
fn product(left: __m128, [a, b, c]: [__m128; 3], last_lane: __m128) -> __m128 {
    let sum = _mm_add_ps(_mm_mul_ps(splat::<0>(left), a), _mm_mul_ps(splat::<1>(left), b));
    let sum = _mm_add_ps(sum, _mm_mul_ps(splat::<2>(left), c));
    _mm_add_ps(sum, _mm_and_ps(left, last_lane))
}

/// The mask that clears the first three lanes. Hidden from the compiler, which would replace the
/// `and` by two shuffles.
#[inline]
#[target_feature(enable = "sse2")]
fn last_lane() -> __m128 {
    black_box(_mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1)))
}
