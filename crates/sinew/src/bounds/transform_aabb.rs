//! AABB transform, rounded outward.

use sinew_kernels::{Aabb, Matrix};

use super::center_extents::CenterExtents;
use super::rounding_margin::RoundingMargin;

/// An AABB that contains every point.
pub(crate) const INFINITE: Aabb = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };

/// Roundings covered by the margin of a transformed AABB: those of its own arithmetic, and those of
/// any other order of operations that transforms a point.
const ROUNDINGS: f32 = 16.0;

/// The AABB of a transformed AABB.
///
/// It is rounded outward by 2^-20 of the sum of magnitudes that form a coordinate, |element x
/// coordinate| and |translation|. So it contains the points as any kernel transforms them by this
/// matrix, with or without FMA, in any order. An empty AABB stays empty. If a value is infinite,
/// NaN or larger than 1e37, the result is infinite: from minus to plus infinity.
///
/// ```
/// use sinew::bounds::transform_aabb;
/// use sinew::{Aabb, Matrix};
///
/// let cube = Aabb { min: [-1.0; 3], max: [1.0; 3] };
/// let rotation = Matrix {
///     rows: [[0.8, -0.6, 0.0, 5.0], [0.6, 0.8, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
/// };
/// let bounds = transform_aabb(&cube, &rotation);
/// assert!(bounds.min[0] <= 3.6 && bounds.min[0] > 3.5999);
/// assert!(bounds.max[0] >= 6.4 && bounds.max[0] < 6.4001);
/// ```
#[must_use]
pub fn transform_aabb(bounds: &Aabb, matrix: &Matrix) -> Aabb {
    if bounds.is_empty() {
        return Aabb::EMPTY;
    }
    let mut transformed = INFINITE;
    let CenterExtents { center, half_extents } = CenterExtents::from_aabb(bounds);
    let mut rounding = RoundingMargin::default();
    rounding.add(matrix);
    let max_coordinates = std::array::from_fn(|axis| center[axis].abs() + half_extents[axis]);
    let Some(margin) = rounding.margin(max_coordinates, ROUNDINGS) else { return INFINITE };
    for (r, &[x, y, z, t]) in matrix.rows.iter().enumerate() {
        let center = t + (x * center[0] + y * center[1] + z * center[2]);
        let half_extent = x.abs() * half_extents[0] + y.abs() * half_extents[1] + z.abs() * half_extents[2];
        transformed.min[r] = center - half_extent - margin[r];
        transformed.max[r] = center + half_extent + margin[r];
    }
    transformed
}
