//! Runs: the vertices of a mesh grouped by the set of joints that moves them.
//!
//! Within a run only weights and base vectors differ from vertex to vertex, so the kernel broadcasts the run's
//! matrices and takes eight vertices at once. Meshes have few sets: some dozens for thousands of vertices.

use std::collections::HashMap;

use sinew_kernels::{BLOCK, BlockRow, Run};

use crate::influences::Hanging;

/// The vertices in run order, each run padded to whole blocks, and what skins them.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    /// Runs of one number of influences, fewest first.
    pub(crate) groups: Vec<Group>,
    /// For each place in run order the vertex; a pad repeats its run's last.
    pub(crate) vertex_of_place: Vec<u32>,
    /// For each vertex its place in run order.
    pub(crate) place_of_vertex: Vec<u32>,
}

/// Runs of one number of influences.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub(crate) influences: usize,
    pub(crate) runs: Vec<Run>,
    /// Joints of each run.
    pub(crate) joints: Vec<u32>,
    /// For each block the weights of all joints but the last.
    pub(crate) weights: Vec<BlockRow>,
}

impl Runs {
    /// Groups the vertices. Runs stand in the order in which their sets first appear, and vertices keep their
    /// order within a run, so neighbours in the mesh stay near each other.
    pub(crate) fn new(hanging: &Hanging) -> Self {
        let members = members_of_sets(hanging);
        let mut runs = Self {
            groups: Vec::new(),
            vertex_of_place: Vec::with_capacity(hanging.len()),
            place_of_vertex: vec![0; hanging.len()],
        };
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_key(|&set| hanging.joints(members[set][0] as usize).len());
        for set in order {
            runs.add_run(hanging, &members[set]);
        }
        runs
    }

    /// Adds the run of vertices that hang on the same joints.
    fn add_run(&mut self, hanging: &Hanging, vertices: &[u32]) {
        let joints = hanging.joints(vertices[0] as usize);
        if self.groups.last().is_none_or(|group| group.influences != joints.len()) {
            self.groups.push(Group { influences: joints.len(), ..Group::default() });
        }
        let Some(group) = self.groups.last_mut() else { return };
        group.joints.extend_from_slice(joints);
        let weights = group.runs.last().map_or(0, |run| run.weights + run.blocks);
        let first = (self.vertex_of_place.len() / BLOCK) as u32;
        group.runs.push(Run { first, blocks: vertices.len().div_ceil(BLOCK) as u32, weights });
        for block in vertices.chunks(BLOCK) {
            let place = self.vertex_of_place.len() as u32;
            for (lane, &vertex) in block.iter().enumerate() {
                self.place_of_vertex[vertex as usize] = place + lane as u32;
            }
            let padded: [u32; BLOCK] = std::array::from_fn(|lane| block[lane.min(block.len() - 1)]);
            self.vertex_of_place.extend(padded);
            let weight = |vertex: u32, q: usize| hanging.weights(vertex as usize)[q];
            group
                .weights
                .extend((0..joints.len() - 1).map(|q| BlockRow(padded.map(|vertex| weight(vertex, q)))));
        }
    }
}

/// The vertices of each set of joints, sets in the order in which they first appear.
fn members_of_sets(hanging: &Hanging) -> Vec<Vec<u32>> {
    let mut members: Vec<Vec<u32>> = Vec::new();
    let mut set_of_joints: HashMap<&[u32], usize> = HashMap::new();
    for vertex in 0..hanging.len() {
        let set = *set_of_joints.entry(hanging.joints(vertex)).or_insert_with(|| {
            members.push(Vec::new());
            members.len() - 1
        });
        members[set].push(vertex as u32);
    }
    members
}
