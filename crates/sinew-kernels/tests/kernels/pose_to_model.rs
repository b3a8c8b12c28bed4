//! Poses to model matrices: against `f64`, against the two kernels it replaces, and over ranges.

use sinew_kernels::reference;
use sinew_kernels::reference::algebra;
use sinew_kernels::{
    Joint, JointsToMatrices, Kernels, LocalToModel, Matrix, PoseToModel, ProductPlan, Scale,
};
use sinew_testkit::backends::every_backend;
use sinew_testkit::pose_blocks::PoseArrays;
use sinew_testkit::random::Random;
use sinew_testkit::rigs::{self, SkeletonShape};
use sinew_testkit::tolerance::Tolerance;

struct Rig {
    parents: Vec<u32>,
    joints: Vec<Joint>,
    scales: Vec<Scale>,
}

impl Rig {
    fn new(shape: SkeletonShape, len: usize, seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let near_one = |_| Scale::new(std::array::from_fn(|_| 0.8 + 0.4 * random.fraction()));
        let scales = (0..len).map(near_one).collect();
        let random = &mut Random::new(seed + 1);
        Self { parents: rigs::parents(shape, len, random), joints: rigs::joints(len, random), scales }
    }

    fn matrices(
        &self,
        kernels: &Kernels,
        scaled: bool,
        root: Option<&Matrix>,
        ranges: &[std::ops::Range<usize>],
    ) -> Vec<Matrix> {
        self.matrices_by_plan(kernels, scaled, root, ranges, None)
    }

    fn matrices_by_plan(
        &self,
        kernels: &Kernels,
        scaled: bool,
        root: Option<&Matrix>,
        ranges: &[std::ops::Range<usize>],
        plan: Option<&ProductPlan>,
    ) -> Vec<Matrix> {
        let pose = PoseArrays::new(&self.joints, &self.scales);
        let mut matrices = vec![Matrix::IDENTITY; self.joints.len()];
        for range in ranges {
            kernels.pose_to_model(PoseToModel {
                rotations: &pose.rotations,
                translations: &pose.translations,
                scales: scaled.then_some(&pose.scales[..]),
                parents: &self.parents,
                range: range.clone(),
                plan,
                root,
                matrices: &mut matrices,
            });
        }
        matrices
    }
}

fn every_rig(check: impl FnMut(&Rig, bool)) {
    every_rig_of(&[1, 2, 3, 4, 5, 7, 8, 9, 19, 64, 65], check);
}

fn every_rig_of(lengths: &[usize], mut check: impl FnMut(&Rig, bool)) {
    for (i, shape) in SkeletonShape::ALL.into_iter().enumerate() {
        for &len in lengths {
            let rig = Rig::new(shape, len, (100 * i + len) as u64);
            check(&rig, false);
            check(&rig, true);
        }
    }
}

#[test]
fn matrices_match_the_reference() {
    every_rig(|rig, scaled| {
        let len = rig.joints.len();
        let local = |(joint, scale): (&Joint, &Scale)| {
            let scale = if scaled { *scale } else { Scale::ONE };
            reference::joint_to_matrix(joint, scale)
        };
        let mut expected: Vec<_> = rig.joints.iter().zip(&rig.scales).map(local).collect();
        reference::local_to_model(&rig.parents, 0..len, &mut expected);
        every_backend(|run| {
            let found = rig.matrices(run.kernels, scaled, None, std::slice::from_ref(&(0..len)));
            let mut tolerance = Tolerance::new(format!("{run}: pose to model, {len} joints, {scaled}"));
            for (expected, found) in expected.iter().zip(&found) {
                let size = expected.iter().flatten().fold(1.0_f64, |size, number| size.max(number.abs()));
                for (expected, found) in expected.iter().zip(&found.rows) {
                    tolerance.all_close("", *expected, *found, 2e-5 * size);
                }
            }
            tolerance.report();
        });
    });
}

#[test]
fn one_kernel_gives_the_bits_of_the_two_that_take_joints() {
    every_rig(|rig, scaled| {
        let len = rig.joints.len();
        every_backend(|run| {
            let mut expected = vec![Matrix::IDENTITY; len];
            let (joints, scales) = (&rig.joints[..], scaled.then_some(&rig.scales[..]));
            run.kernels.joints_to_matrices(JointsToMatrices { joints, scales, matrices: &mut expected });
            let (parents, matrices) = (&rig.parents[..], &mut expected[..]);
            run.kernels.local_to_model(LocalToModel { parents, range: 0..len, matrices });
            let found = rig.matrices(run.kernels, scaled, None, std::slice::from_ref(&(0..len)));
            assert_eq!(expected, found, "{run}: {len} joints");
        });
    });
}

/// Each joint's number of ancestors.
fn depths(parents: &[u32]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::new();
    for &parent in parents {
        depths.push(depths.get(parent as usize).map_or(0, |depth| depth + 1));
    }
    depths
}

fn bits(matrices: &[Matrix]) -> Vec<u32> {
    matrices.iter().flat_map(|matrix| matrix.rows.concat()).map(f32::to_bits).collect()
}

#[test]
fn plans_of_any_order_give_the_same_bits() {
    let root = Random::new(7).fraction();
    let root = Matrix { rows: [[0.0, root, 0.0, 1.0], [2.0, 0.0, 0.0, 0.5], [0.0, 0.0, -1.0, 3.0]] };
    // One block and less, several, and one, two and three segments.
    let segment = ProductPlan::SEGMENT;
    let lengths = [1, 2, 4, 5, 7, 8, 9, 19, 65, segment - 1, segment, segment + 1, 2 * segment + 9];
    every_rig_of(&lengths, |rig, scaled| {
        let len = rig.joints.len();
        let depths = depths(&rig.parents);
        let own: Vec<u32> = (0..len as u32).collect();
        let (mut by_depth, mut backwards) = (own.clone(), own.clone());
        for joints in by_depth.chunks_mut(segment) {
            joints.sort_by_key(|&joint| depths[joint as usize]);
        }
        for joints in backwards.chunks_mut(segment) {
            joints.sort_by_key(|&joint| (depths[joint as usize], u32::MAX - joint));
        }
        let plans = [own, by_depth, backwards].map(|order| ProductPlan::new(&rig.parents, &order));
        every_backend(|run| {
            for root in [None, Some(&root)] {
                let whole = 0..len;
                let whole = std::slice::from_ref(&whole);
                let expected = bits(&rig.matrices(run.kernels, scaled, root, whole));
                for (i, plan) in plans.iter().enumerate() {
                    let found = bits(&rig.matrices_by_plan(run.kernels, scaled, root, whole, Some(plan)));
                    assert_eq!(expected, found, "{run}: {len} joints, plan {i}");
                    let parts = [0..len / 2, len / 2..len];
                    let found = bits(&rig.matrices_by_plan(run.kernels, scaled, root, &parts, Some(plan)));
                    assert_eq!(expected, found, "{run}: {len} joints in two parts, plan {i}");
                }
            }
        });
    });
}

#[test]
fn ranges_give_the_bits_of_the_whole() {
    every_rig(|rig, scaled| {
        let len = rig.joints.len();
        let (one, other) = (len / 3, len / 2);
        every_backend(|run| {
            let whole = bits(&rig.matrices(run.kernels, scaled, None, std::slice::from_ref(&(0..len))));
            let ranges = [0..one, one..one, one..other, other..len, len..len];
            let parts = bits(&rig.matrices(run.kernels, scaled, None, &ranges));
            assert_eq!(whole, parts, "{run}: {len} joints");
        });
    });
}

#[test]
fn a_root_matrix_moves_the_whole_skeleton() {
    let root = rigs::rigid_matrices(1, &mut Random::new(9))[0];
    every_rig(|rig, scaled| {
        let all = 0..rig.joints.len();
        let all = std::slice::from_ref(&all);
        every_backend(|run| {
            let model = rig.matrices(run.kernels, scaled, None, all);
            let world = rig.matrices(run.kernels, scaled, Some(&root), all);
            let mut tolerance = Tolerance::new(format!("{run}: root"));
            for (model, world) in model.iter().zip(&world) {
                let expected = algebra::product(&algebra::widen(&root), &algebra::widen(model));
                let size = expected.iter().flatten().fold(1.0_f64, |size, number| size.max(number.abs()));
                for (expected, found) in expected.iter().zip(&world.rows) {
                    tolerance.all_close("", *expected, *found, 2e-5 * size);
                }
            }
            tolerance.report();
        });
    });
}
