//! Palettes: against `f64`, and what lists of joints require.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{JointList, Kernels, Matrix, ToPalette};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const LEN: usize = if EMULATED { 70 } else { 999 };

fn palette_of(kernels: &Kernels, models: &[Matrix], joints: &[u32], inverse_binds: &[Matrix]) -> Vec<Matrix> {
    let mut palette = vec![Matrix::ZERO; joints.len()];
    let joints = &JointList::from(joints.to_vec());
    kernels.palette(ToPalette { models, joints, inverse_binds, palette: &mut palette });
    palette
}

#[test]
fn palettes_match_the_reference() {
    let random = &mut Random::new(60);
    let (models, binds) = (rigs::sheared_matrices(50, random), rigs::sheared_matrices(LEN, random));
    let joints: Vec<u32> = (0..LEN).map(|_| random.below(50) as u32).collect();
    let [wide_models, wide_binds] =
        [&models, &binds].map(|m| m.iter().map(algebra::widen).collect::<Vec<_>>());
    let absolute = |matrices: &[algebra::Affine]| -> Vec<algebra::Affine> {
        matrices.iter().map(|m| m.map(|row| row.map(f64::abs))).collect()
    };
    let expected = reference::palette(&wide_models, &joints, &wide_binds);
    let magnitudes = reference::palette(&absolute(&wide_models), &joints, &absolute(&wide_binds));
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: palette"));
        for (i, found) in palette_of(run.kernels, &models, &joints, &binds).into_iter().enumerate() {
            tolerance.matrix_close(i, &expected[i], &found, |r, c| 3e-7 * magnitudes[i][r][c]);
        }
        tolerance.report();
    });
}

#[test]
fn a_list_of_joints_requires_its_largest_index_and_one_more() {
    for (joints, required) in
        [(&[][..], 0), (&[0], 1), (&[3, 7, 0, 7, 2], 8), (&[u32::MAX - 1, 5], 0xffff_ffff)]
    {
        let list = JointList::from(joints.to_vec());
        assert_eq!((list.indices(), list.required_models()), (joints, required));
    }
    every_backend(|run| assert_eq!(palette_of(run.kernels, &[], &[], &[]), [], "{run}: no joints"));
}

#[test]
fn the_rest_pose_gives_identities() {
    let random = &mut Random::new(62);
    let models = rigs::sheared_matrices(37, random);
    let binds: Vec<_> = models.iter().map(|m| m.inverse().expect("no column is flat")).collect();
    let joints: Vec<u32> = (0..37).collect();
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: palette of the rest pose"));
        for (i, found) in palette_of(run.kernels, &models, &joints, &binds).into_iter().enumerate() {
            tolerance.matrix_close(i, &algebra::IDENTITY, &found, |_, _| 4e-6);
        }
        tolerance.report();
    });
}
