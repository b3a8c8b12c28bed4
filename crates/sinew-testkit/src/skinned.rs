//! What tests of skinning kernels demand of the vertices they get.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{DirectionLength, NormalTransform, VectorBlock};

use crate::backends::Run;
use crate::runs::{BASE_VECTORS, Call};
use crate::tolerance::Tolerance;

/// A vertex as `f64` says that it must come out.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// Its position.
    pub position: algebra::Vector,
    /// What its directions go through.
    pub matrix: algebra::Affine,
    /// The sum of its weights' magnitudes, or one where that is less: how far off rounding may be.
    pub weight: f64,
}

impl Expected {
    /// Demands that the vectors of a vertex come out as they should. `base` and `found` are the block's.
    ///
    /// # Panics
    ///
    /// When one does not.
    pub fn compare(
        &self,
        tolerance: &mut Tolerance,
        call: Call,
        base: &[VectorBlock],
        found: &[VectorBlock],
        lane: usize,
    ) {
        let Self { position, matrix, weight } = self;
        // The mesh and the palette's translations are a few metres in size.
        tolerance.all_close(format_args!("vertex {lane}"), *position, found[0].vector(lane), 4e-6 * weight);
        for (v, (base, found)) in base.iter().zip(found).enumerate().skip(1) {
            let (base, found) = (base.vector(lane).map(f64::from), found.vector(lane));
            let place = format_args!("vertex {lane}, vector {v}");
            let cofactor = v == 1 && call.normals == NormalTransform::Cofactor;
            let (direction, allowed) = if cofactor {
                (reference::skin_normal(matrix, base), 2e-6 * weight * weight)
            } else {
                (reference::skin_direction(matrix, base), 2e-6 * weight)
            };
            match call.directions {
                DirectionLength::AsBlended => tolerance.all_close(place, direction, found, allowed),
                // What is left of a direction that nearly cancelled is mostly rounding.
                DirectionLength::Unit => {
                    let allowed = allowed / algebra::length(direction).min(1.0);
                    tolerance.all_close(place, reference::unit(direction), found, allowed);
                }
            }
        }
    }
}

/// The vectors of a block: of the mesh, and of what `call` made of it.
#[must_use]
pub fn of_block<'a>(
    block: usize,
    call: Call,
    base: &'a [VectorBlock],
    found: &'a [VectorBlock],
) -> (&'a [VectorBlock], &'a [VectorBlock]) {
    (&base[block * BASE_VECTORS..][..BASE_VECTORS], &found[block * call.vectors..][..call.vectors])
}

/// Demands the same bits as the oracle's.
///
/// # Panics
///
/// When they differ.
#[track_caller]
pub fn assert_matches_oracle(
    run: &Run,
    call: Call,
    expected: &[VectorBlock],
    found: &[VectorBlock],
    what: &str,
) {
    assert_all_near(expected, found, 0.0, &format!("{run}: {what}, {call:?}"));
}

/// Demands the same bits or, where something is allowed, nearly the same numbers.
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

/// Demands the same bits, or nearly the same numbers, of all vectors.
///
/// # Panics
///
/// When one differs, or there are not as many.
#[track_caller]
pub fn assert_all_near(expected: &[VectorBlock], found: &[VectorBlock], allowed: f32, what: &str) {
    assert_eq!(expected.len(), found.len(), "{what}");
    for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
        assert_near(expected, found, allowed, &format!("{what}, vector {i}"));
    }
}
