//! Local to model space: against `f64`, per step and over whole chains, and properties of ranges.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{Joint, Kernels, LocalToModel, Matrix, NO_PARENT, Scale};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs::{self, SkeletonShape};
use sinew_testkit::tolerance::Tolerance;

const LEN: usize = if EMULATED { 70 } else { 300 };

fn to_model(kernels: &Kernels, parents: &[u32], locals: &[Matrix]) -> Vec<Matrix> {
    let mut matrices = locals.to_vec();
    kernels.local_to_model(LocalToModel { parents, range: 0..locals.len(), matrices: &mut matrices });
    matrices
}

fn parent_of(parents: &[u32], joint: usize) -> Option<usize> {
    Some(parents[joint] as usize).filter(|&parent| parent < joint)
}

#[test]
fn every_step_matches_the_reference() {
    // A longer chain of scales would overflow.
    const LEN: usize = 70;
    let random = &mut Random::new(30);
    for shape in SkeletonShape::ALL {
        let parents = rigs::parents(shape, LEN, random);
        let locals = rigs::sheared_matrices(LEN, random);
        every_backend(|run| {
            let mut tolerance = Tolerance::new(format!("{run}: local_to_model, one step, {shape:?}"));
            let models = to_model(run.kernels, &parents, &locals);
            for joint in 0..LEN {
                let Some(parent) = parent_of(&parents, joint) else {
                    assert_eq!(models[joint], locals[joint], "a root stays as it is");
                    continue;
                };
                let (a, b) = (algebra::widen(&models[parent]), algebra::widen(&locals[joint]));
                let magnitude =
                    algebra::product(&a.map(|row| row.map(f64::abs)), &b.map(|row| row.map(f64::abs)));
                let expected = algebra::product(&a, &b);
                let allowed = |r: usize, c: usize| 3e-7 * magnitude[r][c];
                tolerance.matrix_close(format_args!("joint {joint}"), &expected, &models[joint], allowed);
            }
            tolerance.report();
        });
    }
}

#[test]
fn whole_chains_of_rigid_joints_match_the_reference() {
    let random = &mut Random::new(31);
    for shape in SkeletonShape::ALL {
        let parents = rigs::parents(shape, LEN, random);
        let locals = rigs::rigid_matrices(LEN, random);
        let mut expected: Vec<_> = locals.iter().map(algebra::widen).collect();
        reference::local_to_model(&parents, 0..LEN, &mut expected);
        // The number of joints of each chain, and its length when stretched out.
        let mut chains: Vec<(f64, f64)> = Vec::new();
        for (joint, local) in locals.iter().enumerate() {
            let [x, y, z] = local.translation().map(f64::from);
            let (depth, reach) = parent_of(&parents, joint).map_or((0.0, 0.0), |parent| chains[parent]);
            chains.push((depth + 1.0, reach + algebra::length([x, y, z])));
        }
        every_backend(|run| {
            let mut tolerance = Tolerance::new(format!("{run}: local_to_model, {shape:?}"));
            let models = to_model(run.kernels, &parents, &locals);
            for (joint, (depth, reach)) in chains.iter().enumerate() {
                let allowed = |_, c: usize| 2e-7 * depth * if c == 3 { *reach } else { 1.0 };
                let (expected, found) = (&expected[joint], &models[joint]);
                tolerance.matrix_close(format_args!("joint {joint}"), expected, found, allowed);
            }
            tolerance.report();
        });
    }
}

#[test]
fn any_parent_that_is_not_below_the_joint_is_a_root() {
    let random = &mut Random::new(32);
    let locals = rigs::rigid_matrices(4, random);
    every_backend(|run| {
        for root in [2, 3, 4, 100, NO_PARENT - 1, NO_PARENT] {
            let models = to_model(run.kernels, &[NO_PARENT, 0, root, 2], &locals);
            assert_eq!(models[2], locals[2], "{run}, root {root}");
            let alone = to_model(run.kernels, &[NO_PARENT, 0], &locals[2..]);
            assert_eq!(models[2..], alone, "{run}: the tree below root {root}");
        }
        let models = to_model(run.kernels, &[0, 1, 2, 3], &locals);
        assert_eq!(models, locals, "{run}: every joint its own root");
    });
}

#[test]
fn rotating_the_root_rotates_everything() {
    let random = &mut Random::new(33);
    let parents = rigs::parents(SkeletonShape::Humanoids, 66, random);
    let locals = rigs::rigid_matrices(66, random);
    let turn = Matrix::from_joint(&Joint::new(rigs::rotation(random), [1.0, -2.0, 3.0]), Scale::ONE);
    every_backend(|run| {
        let models = to_model(run.kernels, &parents, &locals);
        let mut turned_locals = locals.clone();
        turned_locals[0] = turn * locals[0];
        let turned = to_model(run.kernels, &parents, &turned_locals);
        let mut tolerance = Tolerance::new(format!("{run}: the root turned"));
        for (joint, (model, turned)) in models.iter().zip(turned).enumerate() {
            let expected = algebra::product(&algebra::widen(&turn), &algebra::widen(model));
            tolerance.matrix_close(format_args!("joint {joint}"), &expected, &turned, |_, _| 5e-6);
        }
        tolerance.report();
    });
}

#[test]
fn a_joint_changed_between_two_ranges_takes_its_children_along() {
    let random = &mut Random::new(34);
    let parents = rigs::parents(SkeletonShape::Humanoids, 66, random);
    let locals = rigs::rigid_matrices(66, random);
    let hand = rigs::rigid_matrices(1, random)[0];
    every_backend(|run| {
        let (wrist, len) = (11, locals.len());
        let mut matrices = locals.clone();
        let go = |range, matrices: &mut Vec<Matrix>| {
            run.kernels.local_to_model(LocalToModel { parents: &parents, range, matrices });
        };
        go(0..wrist + 1, &mut matrices);
        let untouched = matrices[wrist];
        matrices[wrist] = hand;
        go(wrist + 1..len, &mut matrices);
        let whole = to_model(run.kernels, &parents, &locals);
        assert_eq!(whole[wrist], untouched, "{run}");
        for joint in 0..len {
            let below = std::iter::successors(Some(joint), |&joint| parent_of(&parents, joint))
                .any(|ancestor| ancestor == wrist);
            assert_eq!(matrices[joint] != whole[joint], below, "{run}, joint {joint}");
        }
        assert_eq!(parents[wrist + 1] as usize, wrist);
        let mut child = [hand, locals[wrist + 1]];
        run.kernels.local_to_model(LocalToModel {
            parents: &[NO_PARENT, 0],
            range: 0..2,
            matrices: &mut child,
        });
        assert_eq!(matrices[wrist + 1], child[1], "{run}");
    });
}

#[test]
fn an_identity_pose_stays_an_identity() {
    let parents = rigs::parents(SkeletonShape::Forest, 50, &mut Random::new(35));
    every_backend(|run| {
        let models = to_model(run.kernels, &parents, &[Matrix::IDENTITY; 50]);
        assert_eq!(models, [Matrix::IDENTITY; 50], "{run}");
    });
}
