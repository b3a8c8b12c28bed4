//! Axis-aligned bounding boxes.

/// An axis-aligned bounding box (AABB).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// The smallest x, y and z.
    pub min: [f32; 3],
    /// The largest x, y and z.
    pub max: [f32; 3],
}

impl Aabb {
    /// The empty box: its minimum is above its maximum.
    pub const EMPTY: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    /// Whether the box contains nothing.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| self.min[axis] > self.max[axis])
    }

    /// The smallest box that contains both.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    /// The smallest box that contains these points. A NaN coordinate is ignored.
    #[must_use]
    pub fn from_points(points: &[[f32; 3]]) -> Self {
        points.iter().fold(Self::EMPTY, |bounds, &point| bounds.union(&Self { min: point, max: point }))
    }
}
