//! A mesh as the papers take it: arrays in the order of its source.

use sinew::{Attributes, Mesh};

/// Vertices at rest, and what moves each.
pub(super) struct Lists {
    pub(super) positions: Vec<[f32; 3]>,
    /// Zero where the mesh has none.
    pub(super) normals: Vec<[f32; 3]>,
    /// Zero where the mesh has none.
    pub(super) tangents: Vec<[f32; 3]>,
    /// Joint and weight, the strongest first.
    pub(super) influences: Vec<Vec<(u32, f32)>>,
}

impl Lists {
    /// With the strongest influences of each vertex, which share the weight of the others.
    pub(super) fn new(mesh: &Mesh, max_influences: usize) -> Self {
        let rest = |attributes| mesh.rest(attributes).unwrap_or_else(|| vec![[0.0; 3]; mesh.len()]);
        let data = mesh.influences();
        let mut all = data.joints.iter().copied().zip(data.weights.iter().copied());
        let of_vertex = |&count: &u32| {
            let own: Vec<(u32, f32)> = all.by_ref().take(count as usize).collect();
            strongest(own, max_influences)
        };
        Self {
            positions: rest(Attributes::Positions),
            normals: rest(Attributes::Normals),
            tangents: rest(Attributes::Tangents),
            influences: data.counts.iter().map(of_vertex).collect(),
        }
    }
}

fn strongest(mut own: Vec<(u32, f32)>, most: usize) -> Vec<(u32, f32)> {
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
