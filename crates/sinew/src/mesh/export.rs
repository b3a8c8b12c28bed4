//! Export: the data of a mesh as arrays in source order, for writing files.

use sinew_kernels::{BLOCK, VectorBlock};

use crate::mesh::{Attributes, Influences, Mesh};

/// The influences of all vertices as owned arrays. See [`Influences::Variable`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfluenceData {
    /// The number of influences of each vertex, at least one.
    pub counts: Vec<u32>,
    /// The joints of all vertices, vertex by vertex, strongest first: indices in the skin.
    pub joints: Vec<u32>,
    /// One weight per joint, each above zero.
    pub weights: Vec<f32>,
}

impl InfluenceData {
    /// The influences as borrowed slices, for a [`MeshSource`](crate::MeshSource).
    #[must_use]
    pub fn influences(&self) -> Influences<'_> {
        Influences::Variable { counts: &self.counts, joints: &self.joints, weights: &self.weights }
    }
}

/// The deltas of a morph target as owned arrays. See [`MorphSource`](crate::mesh::MorphSource).
#[derive(Clone, Debug, PartialEq)]
pub struct MorphData {
    /// Position deltas, one per vertex.
    pub positions: Vec<[f32; 3]>,
    /// Normal deltas, one per vertex; `None` if all are zero.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Tangent deltas, one per vertex; `None` if all are zero.
    pub tangents: Option<Vec<[f32; 3]>>,
}

impl Mesh {
    /// The influences of all vertices as skinning uses them. Weights sum to one, up to rounding,
    /// unless they are kept as stored. Joint-space influences are returned without their vectors.
    /// Allocates.
    #[must_use]
    pub fn influences(&self) -> InfluenceData {
        let mut data = InfluenceData::default();
        for vertex in 0..self.len() {
            let before = data.joints.len();
            for influence in self.layout.influences.influences_of(vertex) {
                data.joints.push(influence.joint);
                data.weights.push(influence.weight);
            }
            data.counts.push((data.joints.len() - before) as u32);
        }
        data
    }

    /// One attribute of all vertices at rest, before morphing and skinning: the last one of
    /// `attributes`. Positions of a mesh with joint-space influences are those of the bind pose.
    /// `None` if the mesh does not store the attribute.
    #[must_use]
    pub fn rest(&self, attributes: Attributes) -> Option<Vec<[f32; 3]>> {
        let vector = attributes.vectors() - 1;
        let vector_at = |slot: u32| {
            let (block, lane) = (slot as usize / BLOCK, slot as usize % BLOCK);
            self.base[block * self.base_vectors + vector].vector(lane)
        };
        let slots = self.remap().iter();
        (vector < self.base_vectors).then(|| slots.map(|&slot| vector_at(slot)).collect())
    }

    /// The deltas of a morph target.
    ///
    /// # Panics
    ///
    /// If there is no such target.
    #[must_use]
    pub fn morph_deltas(&self, target: usize) -> MorphData {
        let (vectors, blocks, deltas) = self.morphs.target(target);
        let deltas_of =
            |vector: usize| self.scatter_deltas(blocks, deltas.get(vector..).unwrap_or_default(), vectors);
        let moves = |deltas: &Vec<[f32; 3]>| deltas.iter().any(|delta| *delta != [0.0; 3]);
        let nonzero = |vector: usize| (vector < vectors).then(|| deltas_of(vector)).filter(moves);
        let (positions, normals, tangents) = (deltas_of(0), nonzero(1), nonzero(2));
        MorphData { positions, normals, tangents }
    }

    /// Copies deltas to source order. Every `vectors`-th element of `deltas` belongs to the next
    /// block.
    fn scatter_deltas(&self, blocks: &[u32], deltas: &[VectorBlock], vectors: usize) -> Vec<[f32; 3]> {
        let mut to = vec![[0.0; 3]; self.len()];
        for (&block, delta) in blocks.iter().zip(deltas.iter().step_by(vectors)) {
            let first = block as usize * BLOCK;
            // A pad repeats its vertex and has the same delta.
            for (lane, &vertex) in self.inverse_remap()[first..first + BLOCK].iter().enumerate() {
                to[vertex as usize] = delta.vector(lane);
            }
        }
        to
    }
}
