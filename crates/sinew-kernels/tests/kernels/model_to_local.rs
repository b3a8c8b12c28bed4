//! Model to local space, rigid and general: against `f64`, the round trip, and singular parents.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{Joint, Kernels, LocalToModel, Matrix, ModelToLocal, NO_PARENT, Scale};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;
use sinew_testkit::rigs::{self, SkeletonShape};
use sinew_testkit::tolerance::Tolerance;

const LEN: usize = 70;

type Kernel = fn(&Kernels, ModelToLocal<'_>);

const BOTH: [(&str, Kernel); 2] =
    [("rigid_model_to_local", Kernels::rigid_model_to_local), ("model_to_local", Kernels::model_to_local)];

fn to_local(kernel: Kernel, kernels: &Kernels, parents: &[u32], models: &[Matrix]) -> Vec<Matrix> {
    let mut matrices = models.to_vec();
    kernel(kernels, ModelToLocal { parents, range: 0..models.len(), matrices: &mut matrices });
    matrices
}

fn absolute(matrix: &algebra::Affine) -> algebra::Affine {
    matrix.map(|row| row.map(f64::abs))
}

/// The largest row sum of magnitudes, without the translation.
fn norm(matrix: &algebra::Affine) -> f64 {
    matrix.iter().map(|row| row[..3].iter().map(|c| c.abs()).sum()).fold(0.0, f64::max)
}

/// Compares with the reference. The tolerance is `share` of the operands' magnitude, times how much
/// the parent's inverse magnifies errors.
fn compare(tolerance: &mut Tolerance, parents: &[u32], models: &[Matrix], found: &[Matrix], share: f64) {
    let wide: Vec<_> = models.iter().map(algebra::widen).collect();
    let mut expected = wide.clone();
    reference::model_to_local(parents, 0..models.len(), &mut expected);
    for joint in 0..models.len() {
        let parent = parents[joint] as usize;
        if parent >= joint {
            assert_eq!(found[joint], models[joint], "a root stays as it is");
            continue;
        }
        let inverse = algebra::inverse(&wide[parent]).expect("the parent has an inverse");
        let condition = norm(&wide[parent]) * norm(&inverse);
        let mut turned = absolute(&inverse);
        turned.iter_mut().for_each(|row| row[3] = 0.0);
        let mut child = absolute(&wide[joint]);
        for (row, parent) in child.iter_mut().zip(&wide[parent]) {
            row[3] += parent[3].abs();
        }
        let magnitude = algebra::product(&turned, &child);
        let allowed = |r: usize, c: usize| share * condition * magnitude[r][c];
        tolerance.matrix_close(format_args!("joint {joint}"), &expected[joint], &found[joint], allowed);
    }
}

#[test]
fn rigid_joints_match_the_reference() {
    let random = &mut Random::new(50);
    for shape in SkeletonShape::ALL {
        let parents = rigs::parents(shape, LEN, random);
        let models = rigs::rigid_matrices(LEN, random);
        every_backend(|run| {
            for (name, kernel) in BOTH {
                let mut tolerance = Tolerance::new(format!("{run}: {name}, rigid joints, {shape:?}"));
                let found = to_local(kernel, run.kernels, &parents, &models);
                compare(&mut tolerance, &parents, &models, &found, 1e-6);
                tolerance.report();
            }
        });
    }
}

#[test]
fn sheared_joints_match_the_reference() {
    let random = &mut Random::new(51);
    for shape in SkeletonShape::ALL {
        let parents = rigs::parents(shape, LEN, random);
        let models = rigs::sheared_matrices(LEN, random);
        every_backend(|run| {
            let mut tolerance = Tolerance::new(format!("{run}: model_to_local, sheared joints, {shape:?}"));
            let found = to_local(Kernels::model_to_local, run.kernels, &parents, &models);
            compare(&mut tolerance, &parents, &models, &found, 5e-7);
            tolerance.report();
        });
    }
}

#[test]
fn joints_come_back_from_model_space() {
    let random = &mut Random::new(52);
    for shape in [SkeletonShape::Star, SkeletonShape::Humanoids, SkeletonShape::Forest] {
        let parents = rigs::parents(shape, 66, random);
        let rigid = rigs::rigid_matrices(66, random);
        every_backend(|run| {
            for (name, kernel) in BOTH {
                let mut models = rigid.clone();
                run.kernels.local_to_model(LocalToModel {
                    parents: &parents,
                    range: 0..66,
                    matrices: &mut models,
                });
                let mut tolerance = Tolerance::new(format!("{run}: {name}, there and back, {shape:?}"));
                let back = to_local(kernel, run.kernels, &parents, &models);
                for (joint, (expected, found)) in rigid.iter().zip(back).enumerate() {
                    let expected = algebra::widen(expected);
                    tolerance.matrix_close(format_args!("joint {joint}"), &expected, &found, |_, _| 5e-6);
                }
                tolerance.report();
            }
        });
    }
}

#[test]
fn scaled_joints_come_back_from_model_space() {
    let random = &mut Random::new(53);
    let parents = rigs::parents(SkeletonShape::Star, 40, random);
    let locals = rigs::sheared_matrices(40, random);
    every_backend(|run| {
        let mut models = locals.clone();
        run.kernels.local_to_model(LocalToModel { parents: &parents, range: 0..40, matrices: &mut models });
        let mut tolerance = Tolerance::new(format!("{run}: model_to_local, there and back, sheared"));
        let back = to_local(Kernels::model_to_local, run.kernels, &parents, &models);
        for (joint, (expected, found)) in locals.iter().zip(back).enumerate() {
            let expected = algebra::widen(expected);
            tolerance.matrix_close(format_args!("joint {joint}"), &expected, &found, |_, _| 5e-6);
        }
        tolerance.report();
    });
}

#[test]
fn a_parent_without_an_inverse_gives_zeros() {
    let random = &mut Random::new(54);
    let joint = rigs::joint(random);
    let flat = [
        Matrix::ZERO,
        Matrix::from_joint(&Joint::new([0.0, 0.0, 0.0, 1.0], [1.0, 2.0, 3.0]), Scale::new([1.0, 0.0, 2.0])),
        Matrix::from_joint(&joint, Scale::new([0.0; 3])),
        Matrix { rows: [[1.0, 1.0, 0.0, 5.0], [1.0, 1.0, 0.0, 6.0], [0.0, 0.0, 1.0, 7.0]] },
        Matrix::from_joint(&joint, Scale::new([1e-30; 3])),
    ];
    let parents: Vec<u32> = std::iter::once(NO_PARENT).chain(std::iter::repeat_n(0, 11)).collect();
    every_backend(|run| {
        for parent in flat {
            let mut models = rigs::sheared_matrices(12, &mut Random::new(55));
            models[0] = parent;
            let locals = to_local(Kernels::model_to_local, run.kernels, &parents, &models);
            assert_eq!(locals[0], parent, "{run}: the root stays as it is");
            assert_eq!(locals[1..], [Matrix::ZERO; 11], "{run}: below {parent:?}");
        }
    });
}

#[test]
fn tiny_and_huge_parents_give_finite_numbers() {
    let random = &mut Random::new(56);
    let identity = Matrix::IDENTITY;
    every_backend(|run| {
        for exponent in -126..=126 {
            let size = 2.0_f32.powi(exponent);
            let parent =
                Matrix::from_joint(&Joint::new(rigs::rotation(random), [0.0; 3]), Scale::new([size; 3]));
            let locals = to_local(Kernels::model_to_local, run.kernels, &[NO_PARENT, 0], &[parent, identity]);
            assert!(locals[1].is_finite(), "{run}: 2^{exponent}: {:?}", locals[1]);
            if (-41..=41).contains(&exponent) {
                let wide = algebra::inverse(&algebra::widen(&parent)).expect("the parent has an inverse");
                let mut tolerance = Tolerance::new(format!("{run}: a parent of scale 2^{exponent}"));
                tolerance.matrix_close("inverse", &wide, &locals[1], |_, _| 2e-6 / f64::from(size));
            }
        }
    });
}

#[test]
fn any_parent_that_is_not_below_the_joint_is_a_root() {
    let models = rigs::rigid_matrices(9, &mut Random::new(57));
    every_backend(|run| {
        for (name, kernel) in BOTH {
            for root in [5, 6, 100, NO_PARENT] {
                let parents = [NO_PARENT, 0, 1, 0, 3, root, 5, 5, 7];
                let locals = to_local(kernel, run.kernels, &parents, &models);
                assert_eq!(locals[5], models[5], "{run}: {name}, root {root}");
                let alone = to_local(kernel, run.kernels, &[NO_PARENT, 0, 0, 2], &models[5..]);
                assert_eq!(locals[5..], alone, "{run}: {name}, the tree below root {root}");
            }
        }
    });
}
