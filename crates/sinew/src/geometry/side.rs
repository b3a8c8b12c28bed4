//! The sides of a triangle.

/// A side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side from which the corners appear counter-clockwise.
    Front,
    /// The opposite side.
    Back,
}
