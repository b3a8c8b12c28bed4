//! The comparison of skinned vertices with the `f64` result or with the oracle.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{DirectionLength, NormalTransform, VectorBlock};

use crate::backends::BackendRun;
use crate::shared_joints::{BASE_VECTORS, SkinCall};
use crate::tolerance::Tolerance;

/// A vertex as computed in `f64`.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedVertex {
    /// The position.
    pub position: algebra::Vector,
    /// The matrix of its directions.
    pub matrix: algebra::Affine,
    /// The sum of the absolute weights, at least one. The tolerance is proportional to it.
    pub weight: f64,
}

impl ExpectedVertex {
    /// Checks all vectors of a vertex. `base` and `found` are those of its block.
    ///
    /// # Panics
    ///
    /// When one differs.
    pub fn compare(
        &self,
        tolerance: &mut Tolerance,
        call: SkinCall,
        base: &[VectorBlock],
        found: &[VectorBlock],
        lane: usize,
    ) {
        let Self { position, matrix, weight } = self;
        // The mesh and the translations of the palette are within a few meters.
        tolerance.all_close(format_args!("vertex {lane}"), *position, found[0].vector(lane), 4e-6 * weight);
        for (v, (base, found)) in base.iter().zip(found).enumerate().skip(1) {
            let (base, found) = (base.vector(lane).map(f64::from), found.vector(lane));
            let element = format_args!("vertex {lane}, vector {v}");
            let cofactor = v == 1 && call.normals == NormalTransform::Cofactor;
            let (direction, allowed) = if cofactor {
                (reference::skin_normal(matrix, base), 2e-6 * weight * weight)
            } else {
                (reference::skin_direction(matrix, base), 2e-6 * weight)
            };
            match call.directions {
                DirectionLength::AsBlended => tolerance.all_close(element, direction, found, allowed),
                // A direction that nearly cancels has a larger relative error.
                DirectionLength::Unit => {
                    let allowed = allowed / algebra::length(direction).min(1.0);
                    tolerance.all_close(element, reference::unit(direction), found, allowed);
                }
            }
        }
    }
}

/// The vectors of one block: the base vectors, and the result of `call`.
#[must_use]
pub fn block_vectors<'a>(
    block: usize,
    call: SkinCall,
    base: &'a [VectorBlock],
    found: &'a [VectorBlock],
) -> (&'a [VectorBlock], &'a [VectorBlock]) {
    (&base[block * BASE_VECTORS..][..BASE_VECTORS], &found[block * call.vectors..][..call.vectors])
}

/// Checks for the bits of the oracle.
///
/// # Panics
///
/// When they differ.
#[track_caller]
pub fn assert_matches_oracle(
    run: &BackendRun,
    call: SkinCall,
    expected: &[VectorBlock],
    found: &[VectorBlock],
    what: &str,
) {
    assert_all_near(expected, found, 0.0, &format!("{run}: {what}, {call:?}"));
}

/// Checks for equal bits or, where `allowed` is positive, for a difference up to it.
///
/// # Panics
///
/// When they differ.
#[track_caller]
pub fn assert_near(expected: &VectorBlock, found: &VectorBlock, allowed: f32, what: &str) {
    for (expected, found) in expected.rows.as_flattened().iter().zip(found.rows.as_flattened()) {
        let near = (expected - found).abs() <= allowed && allowed > 0.0;
        assert!(
            near || expected.to_bits() == found.to_bits(),
            "{what}: expected {expected:?}, found {found:?}"
        );
    }
}

/// [`assert_near`] for all vectors.
///
/// # Panics
///
/// When one differs, or the lengths do.
#[track_caller]
pub fn assert_all_near(expected: &[VectorBlock], found: &[VectorBlock], allowed: f32, what: &str) {
    assert_eq!(expected.len(), found.len(), "{what}");
    for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
        assert_near(expected, found, allowed, &format!("{what}, vector {i}"));
    }
}
