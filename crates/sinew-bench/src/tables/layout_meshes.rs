//! The meshes of the table `layouts`: the given model, and generated ones that are harder.

use super::bench_group::Context;
use super::mesh_arrays::MeshArrays;
use crate::workload::Random;

/// Vertices of generated meshes.
const LEN: usize = 4096;
/// Vertices of the largest meshes, and of those that stand for them where time is short.
const LARGE: usize = 1 << 20;
const LARGE_QUICK: usize = 1 << 16;

/// A mesh of the table. Each is a routine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LayoutMesh {
    /// The model.
    Model,
    /// So many consecutive vertices of the model.
    Tiny(usize),
    /// Copies of the model beside each other.
    Tiled,
    /// 4 to 32 consecutive vertices with the same joints, of 60 sets.
    Few { joints: usize, influences: usize },
    /// Random joints for each vertex.
    Random { vertices: Size, joints: usize, influences: usize },
}

/// A number of vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Size {
    Usual,
    /// As many as joints.
    Joints,
    Large,
}

impl LayoutMesh {
    /// The vertices; `None` if the model is missing.
    pub(super) fn arrays(self, context: &Context) -> Option<MeshArrays> {
        let large = if context.quick { LARGE_QUICK } else { LARGE };
        let model = || context.model.as_ref().map(MeshArrays::from_model);
        match self {
            Self::Model => model(),
            Self::Tiny(len) => model().map(|model| model.middle(len)),
            Self::Tiled => model().map(|model| model.repeated(large)),
            Self::Few { joints, influences } => Some(few_sets(joints, influences)),
            Self::Random { vertices, joints, influences } => {
                let vertices = match vertices {
                    Size::Usual => LEN,
                    Size::Joints => joints,
                    Size::Large => large,
                };
                Some(random_sets(vertices, joints, influences))
            }
        }
    }
}

fn few_sets(joints: usize, influences: usize) -> MeshArrays {
    let mut random = Random::new(3);
    let set = |set: usize| -> Vec<u32> {
        let step = |i: usize| if i < 3 { i } else { 5 * i };
        (0..influences).map(|i| ((7 * set + step(i)) % joints) as u32).collect()
    };
    let mut lists: Vec<Vec<(u32, f32)>> = Vec::new();
    while lists.len() < LEN {
        let (joints, len) = (set(random.below(60)), 4 + random.below(29));
        lists.extend((0..len).map(|_| weighted(&joints, &mut random)));
    }
    lists.truncate(LEN);
    MeshArrays::random(lists, joints, &mut random)
}

fn random_sets(vertices: usize, joints: usize, influences: usize) -> MeshArrays {
    let mut random = Random::new(4);
    let list = |_| {
        let mut own: Vec<u32> = Vec::with_capacity(influences);
        while own.len() < influences {
            let joint = random.below(joints) as u32;
            if !own.contains(&joint) {
                own.push(joint);
            }
        }
        weighted(&own, &mut random)
    };
    let lists = (0..vertices).map(list).collect();
    MeshArrays::random(lists, joints, &mut random)
}

/// Random weights, all well above zero, that sum to one.
fn weighted(joints: &[u32], random: &mut Random) -> Vec<(u32, f32)> {
    let mut list: Vec<(u32, f32)> = joints.iter().map(|&joint| (joint, 0.1 + random.fraction())).collect();
    let sum: f32 = list.iter().map(|influence| influence.1).sum();
    list.iter_mut().for_each(|influence| influence.1 /= sum);
    list
}
