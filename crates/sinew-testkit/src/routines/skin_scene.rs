//! A mesh of random vertices, as runs have it, as the other kernels have it and as the papers have it.

use std::hint::black_box;

use sinew_kernels::papers::{BindPose, Influences, WeightedPositions};
use sinew_kernels::{
    BLOCK, DirectionLength, JointIndexBlock, Kernels, Matrix, NormalTransform, PreWeightedBlock, Run,
    ScalarBlock, SkinPerVertexJoints, SkinPreWeighted, SkinSharedJoints, SkinVertices, VectorBlock,
};

use crate::random::Random;
use crate::rigs;

const JOINTS: usize = 60;

/// The mesh, all of its vertices with as many influences.
#[derive(Clone, Debug)]
pub struct SkinScene {
    pub(super) palette: Vec<Matrix>,
    influences: usize,
    runs: Vec<Run>,
    joints: Vec<u32>,
    /// Of each block, but for the last joint's.
    weights: Vec<ScalarBlock>,
    joint_rows: Vec<JointIndexBlock>,
    weight_rows: Vec<ScalarBlock>,
    weighted_blocks: Vec<PreWeightedBlock>,
    base: Vec<VectorBlock>,
    vectors: usize,
    /// Joint and weight of every influence of each vertex.
    pub(super) lists: Vec<Vec<(u32, f32)>>,
    /// Position, normal and tangent of each vertex.
    pub(super) plain: [Vec<[f32; 3]>; 3],
    pub(super) bind: BindPose,
    pub(super) weighted: WeightedPositions,
}

impl SkinScene {
    /// So many vertices in runs of `run`, with `vectors` of position, normal and tangent. Runs are whole blocks, and the
    /// vertices whole runs.
    #[must_use]
    pub fn new(vertices: usize, run: usize, influences: usize, vectors: usize) -> Self {
        let random = &mut Random::new(1);
        let runs = vertices / run;
        let joints: Vec<u32> = (0..runs * influences).map(|i| (i * 7 % JOINTS) as u32).collect();
        let lists: Vec<_> = (0..vertices)
            .map(|vertex| influences_of(&joints[vertex / run * influences..][..influences], random))
            .collect();
        let plain = [0; 3].map(|_| (0..vertices).map(|_| random.vector(1.0)).collect::<Vec<_>>());
        let [positions, normals, tangents] = &plain;
        let list = Influences::of_vertices(&lists);
        let mut scene = Self {
            palette: rigs::rigid_matrices(JOINTS, random),
            influences,
            runs: runs_of(runs, run / BLOCK),
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
        (0..vertices).for_each(|vertex| scene.place(vertex));
        scene
    }

    /// Writes a vertex into its lane of every block.
    fn place(&mut self, vertex: usize) {
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

    /// How many vectors of each vertex are skinned.
    #[must_use]
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// The base vectors, in blocks: as much memory as skinning writes.
    #[must_use]
    pub fn base(&self) -> &[VectorBlock] {
        &self.base
    }

    /// By the kernel over runs.
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

    /// By the kernel over counts: all vertices have as many influences, so they are one run.
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

    /// By the kernel over weighted vectors.
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

/// Weights with a sum of one for these joints.
fn influences_of(joints: &[u32], random: &mut Random) -> Vec<(u32, f32)> {
    let mut left = 1.0;
    let mut list = Vec::with_capacity(joints.len());
    for (q, &joint) in joints.iter().enumerate() {
        let weight = if q + 1 == joints.len() { left } else { left * random.fraction() };
        left -= weight;
        list.push((joint, weight));
    }
    list
}

fn runs_of(runs: usize, blocks: usize) -> Vec<Run> {
    let run = |first: usize| Run { first: first as u32, blocks: blocks as u32, weights: first as u32 };
    (0..runs).map(|i| run(i * blocks)).collect()
}
