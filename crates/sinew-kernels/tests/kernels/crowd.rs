//! Crowd kernels give the results of the kernels for one instance, for one to eight instances.

use sinew_kernels::{
    BLOCK, CrowdJointsToMatrices, CrowdLocalToModel, CrowdToPalette, Joint, JointsToMatrices, Kernels,
    LocalToModel, Matrix, MatrixBlock, Scale, ToPalette,
};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;
use sinew_testkit::rigs::{self, SkeletonShape};

const LEN: usize = 67;

struct Crowd {
    parents: Vec<u32>,
    joints: Vec<Vec<Joint>>,
    scales: Vec<Vec<Scale>>,
    skin: Vec<u32>,
    inverse_binds: Vec<Matrix>,
}

impl Crowd {
    fn new(shape: SkeletonShape, instances: usize, seed: u64) -> Self {
        let random = &mut Random::new(seed);
        Self {
            parents: rigs::parents(shape, LEN, random),
            joints: (0..instances).map(|_| rigs::joints(LEN, random)).collect(),
            scales: (0..instances).map(|_| rigs::scales(LEN, random)).collect(),
            skin: (0..LEN + 5).map(|_| random.below(LEN + 3) as u32).collect(),
            inverse_binds: rigs::sheared_matrices(LEN + 5, random),
        }
    }

    /// Local, model and palette matrices of one instance.
    fn single(&self, kernels: &Kernels, instance: usize) -> [Vec<Matrix>; 3] {
        let mut locals = vec![Matrix::ZERO; LEN];
        let (joints, scales) = (&self.joints[instance], Some(&self.scales[instance][..]));
        kernels.joints_to_matrices(JointsToMatrices { joints, scales, matrices: &mut locals });
        let mut models = locals.clone();
        let parents = &self.parents;
        kernels.local_to_model(LocalToModel { parents, range: 0..LEN, matrices: &mut models });
        let mut palette = vec![Matrix::ZERO; self.skin.len()];
        kernels.palette(ToPalette {
            models: &models,
            joints: &self.skin,
            inverse_binds: &self.inverse_binds,
            palette: &mut palette,
        });
        [locals, models, palette]
    }

    /// Local and model matrices of all instances.
    fn blocks(&self, kernels: &Kernels) -> [Vec<MatrixBlock>; 2] {
        let mut locals = vec![MatrixBlock::IDENTITY; LEN];
        kernels.crowd_joints_to_matrices(CrowdJointsToMatrices {
            joints: lanes_of(&self.joints),
            scales: Some(lanes_of(&self.scales)),
            matrices: &mut locals,
        });
        let mut models = locals.clone();
        let parents = &self.parents;
        kernels.crowd_local_to_model(CrowdLocalToModel { parents, range: 0..LEN, matrices: &mut models });
        [locals, models]
    }

    /// The palettes of all instances.
    fn palettes(&self, kernels: &Kernels, models: &[MatrixBlock]) -> Vec<Vec<Matrix>> {
        let mut palettes = vec![vec![Matrix::ZERO; self.skin.len()]; self.joints.len()];
        let mut slices: Vec<_> = palettes.iter_mut().map(|palette| &mut palette[..]).collect();
        kernels.crowd_palette(CrowdToPalette {
            models,
            joints: &self.skin,
            inverse_binds: &self.inverse_binds,
            palettes: &mut slices,
        });
        palettes
    }
}

/// With fewer than eight instances, repeats the first.
fn lanes_of<T>(instances: &[Vec<T>]) -> [&[T]; BLOCK] {
    std::array::from_fn(|i| &instances.get(i).unwrap_or(&instances[0])[..])
}

fn instance(blocks: &[MatrixBlock], instance: usize) -> Vec<Matrix> {
    blocks.iter().map(|block| block.matrix(instance)).collect()
}

#[test]
fn crowds_of_one_to_eight_equal_single_skeletons() {
    for instances in 1..=BLOCK {
        for shape in SkeletonShape::ALL {
            let crowd = Crowd::new(shape, instances, 80 + instances as u64);
            every_backend(|run| {
                let [locals, models] = crowd.blocks(run.kernels);
                let palettes = crowd.palettes(run.kernels, &models);
                for (i, palette) in palettes.iter().enumerate() {
                    let context = format!("{run}: {shape:?}, instance {i} of {instances}");
                    let [single_locals, single_models, single_palette] = crowd.single(run.kernels, i);
                    assert_eq!(instance(&locals, i), single_locals, "{context}, joints to matrices");
                    assert_eq!(instance(&models, i), single_models, "{context}, local to model");
                    assert_eq!(*palette, single_palette, "{context}, palette");
                }
                for missing in instances..BLOCK {
                    assert_eq!(
                        instance(&models, missing),
                        instance(&models, 0),
                        "{run}: a repeated instance"
                    );
                }
            });
        }
    }
}

#[test]
fn crowds_run_in_ranges_and_take_changed_joints() {
    let crowd = Crowd::new(SkeletonShape::Humanoids, BLOCK, 90);
    let mut random = Random::new(91);
    every_backend(|run| {
        let [locals, models] = crowd.blocks(run.kernels);
        let mut matrices = locals.clone();
        let cut = random.below(LEN + 1);
        for range in [0..cut, cut..cut, cut..LEN] {
            run.kernels.crowd_local_to_model(CrowdLocalToModel {
                parents: &crowd.parents,
                range,
                matrices: &mut matrices,
            });
        }
        assert_eq!(matrices, models, "{run}: cut at {cut}");
    });
}

#[test]
fn a_block_returns_the_matrix_that_was_set() {
    let matrices = rigs::sheared_matrices(BLOCK, &mut Random::new(92));
    let mut block = MatrixBlock::IDENTITY;
    for (i, matrix) in matrices.iter().enumerate() {
        assert_eq!(block.matrix(i), Matrix::IDENTITY);
        block.set_matrix(i, matrix);
    }
    for (i, matrix) in matrices.iter().enumerate() {
        assert_eq!(block.matrix(i), *matrix);
    }
}
