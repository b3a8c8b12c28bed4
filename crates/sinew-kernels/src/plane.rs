//! The plane of a triangle.

/// The plane normal . point + distance = 0: 16 bytes, 16-byte aligned.
///
/// The normal points to the front, from where the triangle is seen counter-clockwise. With a unit
/// normal (Hessian normal form), `distance` is the signed distance of the origin.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Plane {
    /// Points to the front.
    pub normal: [f32; 3],
    /// The constant term.
    pub distance: f32,
}

impl Plane {
    /// The plane of a degenerate triangle: all zeros, so that no point is in front of it.
    pub const NONE: Self = Self { normal: [0.0; 3], distance: 0.0 };

    /// normal . point + distance: positive in front. With a unit normal this is the signed
    /// distance.
    #[must_use]
    pub fn distance_to(&self, [x, y, z]: [f32; 3]) -> f32 {
        let [a, b, c] = self.normal;
        a * x + b * y + c * z + self.distance
    }
}
