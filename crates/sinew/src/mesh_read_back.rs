//! What a mesh was made of as arrays again, in the order of its source, to write it to files.

use sinew_kernels::{BLOCK, VectorBlock};

use crate::{Attributes, Influences, Mesh};

/// The influences of all vertices with arrays of their own; see [`Influences::Listed`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfluenceData {
    /// How many each vertex has: one or more.
    pub counts: Vec<u32>,
    /// The joints of all vertices, one vertex after the other, each by falling weight: places in the skin's list.
    pub joints: Vec<u32>,
    /// As many as joints, each above zero.
    pub weights: Vec<f32>,
}

impl InfluenceData {
    /// The same, borrowed: what a [`MeshSource`](crate::MeshSource) takes.
    #[must_use]
    pub fn influences(&self) -> Influences<'_> {
        Influences::Listed { counts: &self.counts, joints: &self.joints, weights: &self.weights }
    }
}

/// What a morph target adds to each vertex, with arrays of its own; see [`MorphSource`](crate::MorphSource).
#[derive(Clone, Debug, PartialEq)]
pub struct MorphData {
    /// What it adds to positions.
    pub positions: Vec<[f32; 3]>,
    /// What it adds to normals; `None` where it adds nothing.
    pub normals: Option<Vec<[f32; 3]>>,
    /// What it adds to tangents; `None` where it adds nothing.
    pub tangents: Option<Vec<[f32; 3]>>,
}

/// A joint and its weight.
type Influence = (u32, f32);

impl Mesh {
    /// Which joints move each vertex, as a frame takes them: weights of a sum of one, up to rounding, or as they were
    /// stored. Of influences in joint space the weights without their vectors. Takes memory for all.
    #[must_use]
    pub fn influences(&self) -> InfluenceData {
        let mut by_place = self.by_place();
        let mut data = InfluenceData::default();
        for &place in self.place_of_vertex() {
            let own = &mut by_place[place as usize];
            own.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            data.counts.push(own.len() as u32);
            data.joints.extend(own.iter().map(|&(joint, _)| joint));
            data.weights.extend(own.iter().map(|&(_, weight)| weight));
        }
        data
    }

    fn by_place(&self) -> Vec<Vec<Influence>> {
        let mut to = vec![Vec::new(); self.padded_len()];
        self.layout.full.each_place(|place, held| {
            to[place].extend(held.iter().map(|held| (held.joint, held.weight)));
        });
        to
    }

    /// Where each vertex is without morph weights, before a palette moves it; of influences in joint space where they
    /// have it at rest. Or another of its vectors: the last of `attributes`. `None` where the mesh has none stored.
    #[must_use]
    pub fn rest(&self, attributes: Attributes) -> Option<Vec<[f32; 3]>> {
        let vector = attributes.vectors() - 1;
        let of_place = |place: u32| {
            let (block, lane) = (place as usize / BLOCK, place as usize % BLOCK);
            self.base[block * self.base_vectors + vector].vector(lane)
        };
        let places = self.place_of_vertex().iter();
        (vector < self.base_vectors).then(|| places.map(|&place| of_place(place)).collect())
    }

    /// What a morph target adds to each vertex.
    ///
    /// # Panics
    ///
    /// When there is no such target.
    #[must_use]
    pub fn morph_deltas(&self, target: usize) -> MorphData {
        let (vectors, blocks, deltas) = self.morphs.of_target(target);
        let of_vector =
            |vector: usize| self.deltas_of(blocks, deltas.get(vector..).unwrap_or_default(), vectors);
        let moves = |deltas: &Vec<[f32; 3]>| deltas.iter().any(|delta| *delta != [0.0; 3]);
        let there = |vector: usize| (vector < vectors).then(|| of_vector(vector)).filter(moves);
        let (positions, normals, tangents) = (of_vector(0), there(1), there(2));
        MorphData { positions, normals, tangents }
    }

    /// Every `vectors`th of the deltas is that of the next of the blocks.
    fn deltas_of(&self, blocks: &[u32], deltas: &[VectorBlock], vectors: usize) -> Vec<[f32; 3]> {
        let mut to = vec![[0.0; 3]; self.len()];
        for (&block, delta) in blocks.iter().zip(deltas.iter().step_by(vectors)) {
            let first = block as usize * BLOCK;
            // A pad repeats its vertex, and the same delta.
            for (lane, &vertex) in self.vertex_of_place()[first..first + BLOCK].iter().enumerate() {
                to[vertex as usize] = delta.vector(lane);
            }
        }
        to
    }
}
