//! The layers of a picture.

/// A layer of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The surface.
    Skin,
    /// The edges of all triangles.
    Wire,
    /// The joints, with lines to their parents.
    Bones,
    /// The edges between front-facing and back-facing triangles.
    Silhouette,
    /// A floor, and the model's shadow volume on it.
    Shadow,
    /// A line along the normal of each vertex.
    Normals,
    /// The surface, with a color per joint, blended by weight.
    Weights,
    /// The bounds of each joint's vertices, and of the whole model.
    Bounds,
}
