//! The mesh as the papers' methods take it: arrays in source order.

use std::ops::Range;

use sinew::Mesh;
use sinew::mesh::Attributes;

/// Vertices in the bind pose and their influences.
pub(super) struct SourceArrays {
    pub(super) positions: Vec<[f32; 3]>,
    /// Zero where the mesh has none.
    pub(super) normals: Vec<[f32; 3]>,
    /// Zero where the mesh has none.
    pub(super) tangents: Vec<[f32; 3]>,
    /// (joint, weight) pairs, the largest weight first.
    pub(super) influences: Vec<Vec<(u32, f32)>>,
}

impl SourceArrays {
    /// Keeps the `max_influences` strongest influences of each vertex and rescales their weights to
    /// the original sum.
    pub(super) fn new(mesh: &Mesh, max_influences: usize) -> Self {
        let rest = |attributes| mesh.rest(attributes).unwrap_or_else(|| vec![[0.0; 3]; mesh.len()]);
        let data = mesh.influences();
        let mut all = data.joints.iter().copied().zip(data.weights.iter().copied());
        let strongest_of_vertex = |&count: &u32| {
            let own: Vec<(u32, f32)> = all.by_ref().take(count as usize).collect();
            keep_strongest(own, max_influences)
        };
        Self {
            positions: rest(Attributes::Positions),
            normals: rest(Attributes::Normals),
            tangents: rest(Attributes::Tangents),
            influences: data.counts.iter().map(strongest_of_vertex).collect(),
        }
    }
}

impl SourceArrays {
    /// A range of the vertices.
    pub(super) fn part(&self, vertices: Range<usize>) -> Self {
        Self {
            positions: self.positions[vertices.clone()].to_vec(),
            normals: self.normals[vertices.clone()].to_vec(),
            tangents: self.tangents[vertices.clone()].to_vec(),
            influences: self.influences[vertices].to_vec(),
        }
    }
}

fn keep_strongest(mut own: Vec<(u32, f32)>, most: usize) -> Vec<(u32, f32)> {
    if own.len() <= most {
        return own;
    }
    let all: f32 = own.iter().map(|influence| influence.1).sum();
    own.truncate(most);
    let left: f32 = own.iter().map(|influence| influence.1).sum();
    if left > 0.0 {
        own.iter_mut().for_each(|influence| influence.1 *= all / left);
    }
    own
}
