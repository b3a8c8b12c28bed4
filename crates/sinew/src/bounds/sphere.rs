//! A sphere that holds some points.

/// A sphere that holds some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its middle.
    pub centre: [f32; 3],
    /// How far it reaches: negative where it holds nothing, infinite where it holds everything.
    pub radius: f32,
}

impl Sphere {
    /// Holds nothing.
    pub const EMPTY: Self = Self { centre: [0.0; 3], radius: f32::NEG_INFINITY };

    /// Holds every point.
    pub(crate) const EVERYTHING: Self = Self { centre: [0.0; 3], radius: f32::INFINITY };

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.radius < 0.0
    }
}
