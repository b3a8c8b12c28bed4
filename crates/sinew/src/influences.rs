//! Which joints move each vertex, and how much: as files have it.

/// Which of a skin's joints move each vertex, and how much. A joint is a place in the skin's list.
///
/// A weight of zero is no influence. A joint named twice by a vertex has the sum of both weights.
#[derive(Clone, Copy, Debug)]
pub enum Influences<'a> {
    /// Any number for each vertex.
    Listed {
        /// How many each vertex has.
        counts: &'a [u32],
        /// The joints of all vertices, one vertex after the other.
        joints: &'a [u32],
        /// As many as joints.
        weights: &'a [f32],
    },
    /// Up to four for each vertex.
    Four {
        /// Four for each vertex.
        joints: &'a [[u16; 4]],
        /// Four for each vertex.
        weights: &'a [[f32; 4]],
    },
    /// Up to eight for each vertex.
    Eight {
        /// Eight for each vertex.
        joints: &'a [[u16; 8]],
        /// Eight for each vertex.
        weights: &'a [[f32; 8]],
    },
    /// Any number for each vertex, and each with a vector of its own: where its joint alone would have the vertex.
    ///
    /// The mesh has no positions beside it: a vertex is at the sum of weight x vector, each vector taken from its
    /// joint's space to the model's. Weights stay as they are stored, whatever their sum.
    JointSpace {
        /// How many each vertex has: one count for each vertex of the mesh.
        counts: &'a [u32],
        /// The joints of all vertices, one vertex after the other.
        joints: &'a [u32],
        /// As many as joints.
        weights: &'a [f32],
        /// As many as joints, each in the space of its joint.
        vectors: &'a [[f32; 3]],
    },
}

/// What becomes of the weights of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// They are brought to a sum of one.
    #[default]
    Normalised,
    /// They stay as they are, whatever their sum. Where that is not one, a palette that moves all joints alike
    /// scales the mesh.
    AsStored,
}
