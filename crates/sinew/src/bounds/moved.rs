//! Where a matrix takes a box, rounded outward.

use sinew_kernels::{Aabb, Matrix};

use super::extent::Extent;

/// Holds every point.
pub(crate) const EVERYTHING: Aabb = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };

/// Half of the distance from one to the next number: the largest relative error of one rounding.
const UNIT: f32 = 1.0 / (1 << 24) as f32;

/// Roundings that a moved box leaves room for: those of its own arithmetic, and of any other way to move a point.
const ROUNDINGS: f32 = 16.0;

/// Beyond this a sum or a difference of a few such numbers may not fit an `f32`.
const HUGE: f32 = 1e37;

/// A box along the axes that holds wherever a matrix takes the points of a box.
///
/// It is rounded outward: by 2^-20 of the sums of magnitudes that make a coordinate, |element x coordinate| and
/// |translation|. So it holds the points as any kernel moves them by this matrix, fused or not, in any order.
/// What nothing moves is nothing. Where a number is infinite, not a number, or larger than 1e37, the answer is everything: a
/// box from minus to plus infinity.
///
/// ```
/// use sinew::{Aabb, Matrix, moved_bounds};
///
/// let cube = Aabb { min: [-1.0; 3], max: [1.0; 3] };
/// let turned = Matrix { rows: [[0.8, -0.6, 0.0, 5.0], [0.6, 0.8, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };
/// let bounds = moved_bounds(&cube, &turned);
/// assert!(bounds.min[0] <= 3.6 && bounds.min[0] > 3.5999);
/// assert!(bounds.max[0] >= 6.4 && bounds.max[0] < 6.4001);
/// ```
#[must_use]
pub fn moved_bounds(bounds: &Aabb, by: &Matrix) -> Aabb {
    if bounds.is_empty() {
        return Aabb::EMPTY;
    }
    let mut moved = EVERYTHING;
    let Extent { middle, half } = Extent::of(bounds);
    let mut magnitude = Magnitude::default();
    magnitude.add(by);
    let extent = std::array::from_fn(|c| middle[c].abs() + half[c]);
    let Some(margin) = magnitude.margin(extent, ROUNDINGS) else { return EVERYTHING };
    for (r, &[x, y, z, t]) in by.rows.iter().enumerate() {
        let centre = t + (x * middle[0] + y * middle[1] + z * middle[2]);
        let reach = x.abs() * half[0] + y.abs() * half[1] + z.abs() * half[2];
        moved.min[r] = centre - reach - margin[r];
        moved.max[r] = centre + reach + margin[r];
    }
    moved
}

/// How large the numbers are that make the coordinates of a frame: what rounding errors are shares of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Magnitude {
    /// The largest magnitudes of a matrix's elements.
    elements: [[f32; 4]; 3],
    /// Zero while every element is finite.
    lost: [[f32; 4]; 3],
}

impl Magnitude {
    /// One matrix more.
    #[inline]
    pub(crate) fn add(&mut self, matrix: &Matrix) {
        for (r, row) in matrix.rows.iter().enumerate() {
            for (c, &element) in row.iter().enumerate() {
                self.elements[r][c] = higher(element.abs(), self.elements[r][c]);
                self.lost[r][c] += element * 0.0;
            }
        }
    }

    /// So many roundings of the largest sums that make a coordinate of points within an extent, axis by axis; `None` where such
    /// a sum is not a number or too large.
    pub(crate) fn margin(&self, [x, y, z]: [f32; 3], roundings: f32) -> Option<[f32; 3]> {
        let sums = self.elements.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3]);
        let finite = self.lost.as_flattened().iter().all(|&lost| lost == 0.0);
        // The smallest number is there for those too small to have a relative error.
        let margin = sums.map(|sum| roundings * UNIT * sum + f32::MIN_POSITIVE);
        (finite && sums.iter().all(|&sum| sum < HUGE)).then_some(margin)
    }
}

/// The lower of two numbers; one instruction, which `f32::min` with its care for what is not a number is not.
#[inline]
pub(crate) fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The higher of two numbers.
#[inline]
pub(crate) fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
