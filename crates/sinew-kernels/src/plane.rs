//! The plane of a triangle.

/// A plane as normal . point + distance = 0: 16 bytes, 16-byte aligned.
///
/// The normal points to where the triangle is seen counter-clockwise: its front. With a normal of length one (Hessian normal
/// form) `distance` is that of the origin from the plane.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Plane {
    /// Towards the front.
    pub normal: [f32; 3],
    /// What the equation adds.
    pub distance: f32,
}

impl Plane {
    /// The plane of a triangle that has none: all zeros, so that no point is in front of it.
    pub const NONE: Self = Self { normal: [0.0; 3], distance: 0.0 };

    /// normal . point + distance: positive in front; with a normal of length one the distance of the point.
    #[must_use]
    pub fn distance_to(&self, [x, y, z]: [f32; 3]) -> f32 {
        let [a, b, c] = self.normal;
        a * x + b * y + c * z + self.distance
    }
}
