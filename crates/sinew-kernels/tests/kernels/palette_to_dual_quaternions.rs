//! Palette matrices to dual quaternions and scale-shear matrices: against `f64`, and degenerate
//! matrices.

use sinew_kernels::reference::{
    algebra, dual_quaternion_to_matrix, matrix_to_dual_quaternion, widen_dual_quaternion,
};
use sinew_kernels::{DualQuaternion, Kernels, Matrix, PaletteToDualQuaternions, Scale};
use sinew_testkit::backends::{Checksums, EMULATED, every_backend};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::dual_quaternions::decompose_palette;
use sinew_testkit::guarded::Guarded;
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 300 } else { 5000 };

/// Every length up to several blocks, and a long odd one.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=if EMULATED { 20 } else { 70 }).chain([999])
}

/// Root of the sum of squares of the matrix without its translation.
fn size(matrix: &Matrix) -> f64 {
    algebra::length(matrix.rows.map(|row| algebra::length([row[0], row[1], row[2]].map(f64::from))))
}

/// Some of every kind: rigid, and with scale, shear and mirrors.
fn any_matrices(len: usize, random: &mut Random) -> Vec<Matrix> {
    let rigid = rigs::rigid_matrices(len, random);
    let sheared = rigs::sheared_matrices(len, random);
    rigid
        .into_iter()
        .zip(sheared)
        .enumerate()
        .map(|(i, pair)| if i % 3 == 0 { pair.0 } else { pair.1 })
        .collect()
}

#[test]
fn parts_match_the_reference() {
    let palette = any_matrices(CASES, &mut Random::new(90));
    every_backend(|run| {
        let mut real = Tolerance::new(format!("{run}: palette_to_dual_quaternions, real part"));
        let mut dual = Tolerance::new(format!("{run}: palette_to_dual_quaternions, dual part"));
        let mut scale_shear = Tolerance::new(format!("{run}: palette_to_dual_quaternions, scale_shear"));
        let (dual_quaternions, scale_shears, _) = decompose_palette(run.kernels, &palette);
        for ((matrix, found), found_scale_shear) in palette.iter().zip(&dual_quaternions).zip(&scale_shears) {
            let ([expected, expected_dual], expected_scale_shear) =
                matrix_to_dual_quaternion(&algebra::widen(matrix));
            let what = format!("{matrix:?}");
            real.same_rotation(&what, expected, found.real, 1e-6);
            let sign = algebra::dot(expected, found.real.map(f64::from)).signum();
            dual.all_close(&what, algebra::scaled(expected_dual, sign), found.dual, 4e-6);
            scale_shear
                .matrix_close(&what, &expected_scale_shear, found_scale_shear, |_, _| 1e-6 * size(matrix));
        }
        for tolerance in [real, dual, scale_shear] {
            tolerance.report();
        }
    });
}

/// The product of the parts, in `f64`.
fn together(dual: &DualQuaternion, scale_shear: &Matrix) -> algebra::Affine {
    algebra::product(&dual_quaternion_to_matrix(widen_dual_quaternion(dual)), &algebra::widen(scale_shear))
}

#[test]
fn rigid_transform_times_scale_shear_is_the_matrix() {
    let random = &mut Random::new(91);
    let mut palette = any_matrices(CASES, random);
    // Matrices that leave no choice of axes, or many.
    for zeros in 1..8 {
        for exponent in [-59, -31, 0, 20, 40, 59] {
            let size = 2.0_f32.powi(exponent);
            let factors = std::array::from_fn(|i| if zeros >> i & 1 == 1 { 0.0 } else { size });
            palette.push(Matrix::from_joint(&rigs::joint(random), Scale::new(factors)));
        }
    }
    let [a, b] = [random.vector(2.0), random.vector(2.0)];
    for columns in [[a, a, b], [a, b, a], [b, a, a], [a, a, a], [[0.0; 3], a, a], [a, [0.0; 3], a]] {
        palette.push(Matrix {
            rows: std::array::from_fn(|r| [columns[0][r], columns[1][r], columns[2][r], r as f32]),
        });
    }
    palette.push(Matrix::ZERO);
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: rigid move x scale and shear"));
        let (dual_quaternions, scale_shears, _) = decompose_palette(run.kernels, &palette);
        for ((matrix, dual), scale_shear) in palette.iter().zip(&dual_quaternions).zip(&scale_shears) {
            let length = algebra::length(dual.real.map(f64::from));
            tolerance.close(format_args!("{matrix:?}"), 1.0, length as f32, 2e-6);
            let found = together(dual, scale_shear);
            tolerance.matrix_close(format_args!("{matrix:?}"), &found, matrix, |_, c| {
                if c == 3 { 4e-6 } else { 4e-6 * size(matrix) + 1e-18 }
            });
            assert_eq!(scale_shear.translation(), [0.0; 3], "{run}");
        }
        tolerance.report();
    });
}

#[test]
fn a_rigid_matrix_has_no_scale_or_shear() {
    let palette = rigs::rigid_matrices(CASES, &mut Random::new(92));
    every_backend(|run| {
        let (_, scale_shears, largest) = decompose_palette(run.kernels, &palette);
        assert!(largest < 1e-6, "{run}: {largest}");
        let mut tolerance = Tolerance::new(format!("{run}: scale and shear of a rigid matrix"));
        for scale_shear in &scale_shears {
            tolerance.matrix_close("it", &algebra::IDENTITY, scale_shear, |_, _| f64::from(largest));
        }
    });
}

#[test]
fn the_largest_deviation_is_found_at_every_index() {
    every_backend(|run| {
        for len in 1..20 {
            for at in 0..len {
                let mut palette = vec![Matrix::IDENTITY; len];
                assert_eq!(decompose_palette(run.kernels, &palette).2, 0.0, "{run}: {len} matrices");
                palette[at].rows[2][2] = 1.5;
                assert_eq!(decompose_palette(run.kernels, &palette).2, 0.5, "{run}: {at} of {len}");
                palette[at].rows[2][2] = 1.0;
                palette[at].rows[0][2] = -0.25;
                assert_eq!(decompose_palette(run.kernels, &palette).2, 0.25, "{run}: {at} of {len}");
                palette[at] = Matrix { rows: [[f32::NAN; 4]; 3] };
                assert_eq!(decompose_palette(run.kernels, &palette).2, 0.0, "{run}: {at} of {len}");
            }
        }
        assert_eq!(decompose_palette(run.kernels, &[]).2, 0.0, "{run}");
    });
}

#[test]
fn a_matrix_that_is_not_finite_affects_no_other() {
    let sound = any_matrices(29, &mut Random::new(93));
    every_backend(|run| {
        let (dual_quaternions, scale_shears, _) = decompose_palette(run.kernels, &sound);
        for broken in [0, 3, 7, 8, 21, 28] {
            for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
                for element in 0..12 {
                    let mut palette = sound.clone();
                    palette[broken].rows[element / 4][element % 4] = value;
                    let (found, found_scale_shears, _) = decompose_palette(run.kernels, &palette);
                    for i in (0..sound.len()).filter(|&i| i != broken) {
                        assert_eq!(found[i], dual_quaternions[i], "{run}: {i} beside {broken}");
                        assert_eq!(found_scale_shears[i], scale_shears[i], "{run}: {i} beside {broken}");
                    }
                }
            }
        }
    });
}

/// All floats, dual quaternions first.
fn floats(
    (dual_quaternions, scale_shears, largest): &(Vec<DualQuaternion>, Vec<Matrix>, f32),
) -> (Vec<f32>, Vec<f32>) {
    let dual_quaternions =
        dual_quaternions.iter().flat_map(|dual| [dual.real, dual.dual]).flatten().collect();
    let mut rest: Vec<f32> = scale_shears.iter().flat_map(|matrix| matrix.rows).flatten().collect();
    rest.push(*largest);
    (dual_quaternions, rest)
}

#[test]
fn every_backend_matches_plain_lanes_at_every_length() {
    for len in lengths() {
        let palette = any_matrices(len, &mut Random::new(94));
        every_backend(|run| {
            let (expected, expected_rest) = floats(&decompose_palette(run.oracle(), &palette));
            let (found, found_rest) = floats(&decompose_palette(run.kernels, &palette));
            for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
                assert_eq!(expected.to_bits(), found.to_bits(), "{run}: float {i}");
            }
            for (i, (expected, found)) in expected_rest.iter().zip(&found_rest).enumerate() {
                assert_eq!(expected.to_bits(), found.to_bits(), "{run}: scale_shears, float {i}");
            }
        });
    }
}

/// In two calls.
fn in_pieces(kernels: &Kernels, palette: &[Matrix], cut: usize) -> (Vec<DualQuaternion>, Vec<Matrix>, f32) {
    let mut dual_quaternions = Guarded::new(palette.len(), 3);
    let mut scale_shears = Guarded::new(palette.len(), 3);
    let mut both = [0.0; 2];
    for (piece, largest) in [0..cut, cut..palette.len()].into_iter().zip(&mut both) {
        kernels.palette_to_dual_quaternions(PaletteToDualQuaternions {
            palette: &palette[piece.clone()],
            dual_quaternions: &mut dual_quaternions[piece.clone()],
            scale_shears: &mut scale_shears[piece],
            max_deviation: largest,
        });
    }
    dual_quaternions.check();
    scale_shears.check();
    (dual_quaternions.to_vec(), scale_shears.to_vec(), both[0].max(both[1]))
}

#[test]
fn splits_do_not_change_a_bit() {
    let random = &mut Random::new(95);
    for len in lengths() {
        let palette = any_matrices(len, random);
        let cut = random.below(len + 1);
        every_backend(|run| {
            let expected = floats(&decompose_palette(run.kernels, &palette));
            let found = floats(&in_pieces(run.kernels, &palette, cut));
            assert_eq!(expected, found, "{run}: {len} matrices, cut at {cut}");
        });
    }
}

/// One checksum on every backend and target, and another on all that fuse.
#[test]
fn bits_are_the_same_everywhere() {
    let palette = any_matrices(79, &mut Random::new(96));
    every_backend(|run| {
        let (dual_quaternions, rest) = floats(&decompose_palette(run.kernels, &palette));
        let mut sum = Checksum::new();
        sum.add(&dual_quaternions);
        sum.add(&rest);
        run.assert_checksum(
            sum.value(),
            Checksums { reproducible: "2e97d59f4ba0c0cf", fused: "413062f28ea23d29" },
        );
    });
}
