//! A mesh of random vertices in the layouts of all linear blend kernels and of the papers.

use std::hint::black_box;

use sinew_kernels::{
    BLOCK, DirectionLength, JointIndexBlock, Kernels, Matrix, NormalTransform, PreWeightedBlock, Run,
    ScalarBlock, SkinPerVertexJoints, SkinPreWeighted, SkinSharedJoints, SkinVertices, VectorBlock,
};
use sinew_papers::{BindPose, Influences, WeightedPositions};

use crate::workload::{self, Random};

const JOINTS: usize = 60;

/// The mesh. All vertices have the same number of influences.
#[derive(Clone, Debug)]
pub struct SkinMesh {
    pub(super) palette: Vec<Matrix>,
    influences: usize,
    runs: Vec<Run>,
    joints: Vec<u32>,
    /// The weights of each block, except those of the last joint.
    weights: Vec<ScalarBlock>,
    joint_rows: Vec<JointIndexBlock>,
    weight_rows: Vec<ScalarBlock>,
    weighted_blocks: Vec<PreWeightedBlock>,
    base: Vec<VectorBlock>,
    vectors: usize,
    /// The (joint, weight) pairs of each vertex.
    pub(super) lists: Vec<Vec<(u32, f32)>>,
    /// Position, normal and tangent of each vertex.
    pub(super) plain: [Vec<[f32; 3]>; 3],
    pub(super) bind: BindPose,
    pub(super) weighted: WeightedPositions,
}

impl SkinMesh {
    /// A mesh of `vertices` in runs of `run`, with the first `vectors` of position, normal and
    /// tangent. `run` is a multiple of the block size, and `vertices` of `run`.
    #[must_use]
    pub fn new(vertices: usize, run: usize, influences: usize, vectors: usize) -> Self {
        let random = &mut Random::new(1);
        let runs = vertices / run;
        let joints: Vec<u32> = (0..runs * influences).map(|i| (i * 7 % JOINTS) as u32).collect();
        let lists: Vec<_> = (0..vertices)
            .map(|vertex| random_influences(&joints[vertex / run * influences..][..influences], random))
            .collect();
        let plain = [0; 3].map(|_| (0..vertices).map(|_| random.vector(1.0)).collect::<Vec<_>>());
        let [positions, normals, tangents] = &plain;
        let list = Influences::from_lists(&lists);
        let mut mesh = Self {
            palette: workload::rigid_matrices(JOINTS, random),
            influences,
            runs: equal_runs(runs, run / BLOCK),
            joints,
            weights: vec![ScalarBlock::default(); vertices / BLOCK * (influences - 1)],
            joint_rows: vec![JointIndexBlock::default(); vertices / BLOCK * influences],
            weight_rows: vec![ScalarBlock::default(); vertices / BLOCK * influences],
            weighted_blocks: vec![PreWeightedBlock::default(); vertices / BLOCK * influences],
            base: vec![VectorBlock::default(); vertices / BLOCK * vectors],
            vectors,
            bind: BindPose::new(list.clone(), positions, normals, tangents),
            weighted: WeightedPositions::in_bind_pose(list, positions, &[Matrix::IDENTITY; JOINTS]),
            lists,
            plain,
        };
        (0..vertices).for_each(|vertex| mesh.store_vertex(vertex));
        mesh
    }

    /// Writes a vertex into its lane of every block.
    fn store_vertex(&mut self, vertex: usize) {
        let (block, lane) = (vertex / BLOCK, vertex % BLOCK);
        let (influences, vectors) = (self.influences, self.vectors);
        let [x, y, z] = self.plain[0][vertex];
        for (q, &(joint, weight)) in self.lists[vertex].iter().enumerate() {
            let row = block * influences + q;
            self.joint_rows[row].0[lane] = joint;
            self.weight_rows[row].0[lane] = weight;
            for (row, component) in self.weighted_blocks[row].rows.iter_mut().zip([x, y, z, 1.0]) {
                row[lane] = weight * component;
            }
            if q + 1 < influences {
                self.weights[block * (influences - 1) + q].0[lane] = weight;
            }
        }
        for (base, plain) in self.base[block * vectors..][..vectors].iter_mut().zip(&self.plain) {
            base.set_vector(lane, plain[vertex]);
        }
    }

    /// The number of skinned vectors per vertex.
    #[must_use]
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// The base vectors in blocks, which is as much memory as skinning writes.
    #[must_use]
    pub fn base(&self) -> &[VectorBlock] {
        &self.base
    }

    /// Skins with the kernel for shared joint sets.
    pub fn skin(&self, kernels: &Kernels, output: &mut [VectorBlock]) {
        kernels.skin_shared_joints(SkinSharedJoints {
            palette: black_box(&self.palette),
            influences: self.influences,
            runs: &self.runs,
            joints: &self.joints,
            weights: &self.weights,
            vertices: self.vertices(output),
        });
    }

    /// Skins with the kernel for per-vertex joints. All vertices have the same number of
    /// influences, so they are one run.
    pub fn skin_per_vertex_joints(&self, kernels: &Kernels, output: &mut [VectorBlock]) {
        let blocks = (self.base.len() / self.vectors) as u32;
        kernels.skin_per_vertex_joints(SkinPerVertexJoints {
            palette: black_box(&self.palette),
            influences: self.influences,
            runs: &[Run { first: 0, blocks, weights: 0 }],
            joints: &self.joint_rows,
            weights: &self.weight_rows,
            vertices: self.vertices(output),
        });
    }

    /// Skins with the kernel for pre-weighted vectors.
    pub fn skin_pre_weighted(&self, kernels: &Kernels, output: &mut [VectorBlock]) {
        kernels.skin_pre_weighted(SkinPreWeighted {
            palette: black_box(&self.palette),
            influences: self.influences,
            runs: &self.runs,
            joints: &self.joints,
            weighted: &self.weighted_blocks,
            vertices: self.vertices(output),
        });
    }

    fn vertices<'a>(&'a self, output: &'a mut [VectorBlock]) -> SkinVertices<'a> {
        SkinVertices {
            base: &self.base,
            base_vectors: self.vectors,
            window: 0..self.base.len() / self.vectors,
            output,
            vectors: self.vectors,
            directions: DirectionLength::AsBlended,
            normals: NormalTransform::BlendedMatrix,
        }
    }
}

/// Random weights for these joints, which sum to one.
fn random_influences(joints: &[u32], random: &mut Random) -> Vec<(u32, f32)> {
    let mut left = 1.0;
    let mut list = Vec::with_capacity(joints.len());
    for (q, &joint) in joints.iter().enumerate() {
        let weight = if q + 1 == joints.len() { left } else { left * random.fraction() };
        left -= weight;
        list.push((joint, weight));
    }
    list
}

fn equal_runs(runs: usize, blocks: usize) -> Vec<Run> {
    let run = |first: usize| Run { first: first as u32, blocks: blocks as u32, weights: first as u32 };
    (0..runs).map(|i| run(i * blocks)).collect()
}
