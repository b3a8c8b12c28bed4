//! Influences of vertices as files store them.

/// The influences of all vertices: joints and weights. A joint is an index in the skin.
///
/// A weight of zero is ignored. If a vertex lists a joint twice, its weights are added.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Influences<'a> {
    /// Any number of influences per vertex.
    Variable {
        /// The number of influences of each vertex.
        counts: &'a [u32],
        /// The joints of all vertices, vertex by vertex.
        joints: &'a [u32],
        /// One weight per joint.
        weights: &'a [f32],
    },
    /// Up to four influences per vertex.
    Four {
        /// Four per vertex.
        joints: &'a [[u16; 4]],
        /// Four per vertex.
        weights: &'a [[f32; 4]],
    },
    /// Up to eight influences per vertex.
    Eight {
        /// Eight per vertex.
        joints: &'a [[u16; 8]],
        /// Eight per vertex.
        weights: &'a [[f32; 8]],
    },
    /// Any number of influences per vertex, each with a position of the vertex in the space of its
    /// joint.
    ///
    /// The mesh has no other positions: a vertex is at the sum of weight x vector, after each
    /// vector was transformed from joint space to model space. Weights are kept as stored and need
    /// not sum to one.
    JointSpace {
        /// The number of influences of each vertex. Its length is the number of vertices.
        counts: &'a [u32],
        /// The joints of all vertices, vertex by vertex.
        joints: &'a [u32],
        /// One weight per joint.
        weights: &'a [f32],
        /// One vector per joint, in the space of that joint.
        vectors: &'a [[f32; 3]],
    },
}

/// Whether the weights of a vertex are normalized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// Weights are divided by their sum.
    #[default]
    Normalized,
    /// Weights are kept as stored. If they do not sum to one, a palette that moves all joints alike
    /// scales the mesh.
    AsStored,
}
