//! Levels of detail: the strongest influences alone, against a plain loop, on every layout.

use crate::cloud;
use crate::subjects;

use crate::cloud::Cloud;
use crate::subjects::{JOINTS, SIZE, Subject, moved};
use sinew::{Error, Influences, MeshSource, Palette, SkinOptions, Skinned, Weights};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::tolerance::Tolerance;

const VERTICES: usize = if EMULATED { 60 } else { 300 };

fn level(max_influences: usize) -> SkinOptions<'static> {
    SkinOptions { max_influences, ..SkinOptions::default() }
}

#[test]
fn a_level_is_a_plain_loop_over_the_strongest_influences() {
    every_backend(|run| {
        let mut random = Random::new(220);
        for subject in Subject::every(run.kernels, VERTICES, &mut random) {
            let mesh = subject.mesh(&[1, 2, 3]);
            let models = cloud::rigid(JOINTS, &mut random);
            let palette = subject.palette(&models);
            for most in [1, 2, 3, usize::MAX] {
                let found = moved(&mesh, &palette, &level(most));
                let expected = subject.expected(&models, most);
                let mut tolerance = Tolerance::new(format!("{run}: {}, at most {most}", subject.name));
                for (vector, allowed) in [2e-6 * SIZE, 2e-6, 2e-6].into_iter().enumerate() {
                    for (vertex, &expected) in expected[vector].iter().enumerate() {
                        let what = format_args!("vector {vector} of {vertex}");
                        tolerance.all_close(what, expected, found[vector][vertex], allowed);
                    }
                }
                tolerance.report();
            }
        }
    });
}

#[test]
fn the_first_level_moves_a_vertex_as_its_strongest_joint_does() {
    every_backend(|run| {
        let mut random = Random::new(221);
        for subject in Subject::every(run.kernels, VERTICES, &mut random) {
            if subject.weights == Weights::AsStored {
                continue;
            }
            let palette = subject.palette(&cloud::rigid(JOINTS, &mut random));
            let [positions, ..] = moved(&subject.mesh(&[1]), &palette, &level(1));
            let mut tolerance = Tolerance::new(format!("{run}: {}", subject.name));
            for (vertex, (&found, strongest)) in positions.iter().zip(subject.strongest(1)).enumerate() {
                let matrix = palette.matrices()[strongest[0].joint];
                let expected = matrix.transform_point(subject.cloud.positions[vertex]).map(f64::from);
                tolerance.all_close(vertex, expected, found, 1e-6 * SIZE);
            }
        }
    });
}

#[test]
fn of_equal_weights_the_lower_joints_stay() {
    every_backend(|run| {
        let skin = cloud::skin_on(run.kernels, 8);
        let matrices = cloud::rigid(8, &mut Random::new(222));
        let palette = cloud::palette(&skin, &matrices);
        let positions = [[0.5, -1.0, 2.0]];
        let influences = Influences::Four { joints: &[[7, 3, 5, 1]], weights: &[[0.25; 4]] };
        for weights in [Weights::Normalised, Weights::AsStored] {
            let source = MeshSource { levels: &[1, 2], weights, ..MeshSource::new(&positions, influences) };
            let mesh = sinew::Mesh::new(&source, &skin).unwrap();
            let mut skinned = Skinned::new(&mesh, sinew::Attributes::Positions).unwrap();
            let mut found = [[f32::NAN; 3]];
            for kept in [&[1_usize][..], &[1, 3]] {
                mesh.skin(&palette, &level(kept.len()), &mut skinned).unwrap();
                skinned.positions(&mesh, &mut found).unwrap();
                for (axis, &component) in found[0].iter().enumerate() {
                    let moved = kept.iter().map(|&joint| matrices[joint].transform_point(positions[0])[axis]);
                    let expected = moved.sum::<f32>() / kept.len() as f32;
                    assert!((component - expected).abs() <= 4e-6, "{run}: {kept:?}: {component} {expected}");
                }
            }
        }
    });
}

#[test]
fn a_level_that_was_not_built_is_refused() {
    every_backend(|run| {
        for subject in Subject::every(run.kernels, VERTICES, &mut Random::new(223)) {
            let (mesh, palette) = (subject.mesh(&[2]), Palette::new(&subject.skin));
            let mut skinned = Skinned::new(&mesh, sinew::Attributes::Positions).unwrap();
            for asked in [0, 1, 3] {
                let error = mesh.skin(&palette, &level(asked), &mut skinned).unwrap_err();
                assert_eq!(error, Error::NoLevel { asked });
                assert_eq!(mesh.displacement(&palette, asked), Err(error.clone()));
                let expected = format!(
                    "level of detail: expected one that the mesh was built with, found at most {asked} influences"
                );
                assert_eq!(error.to_string(), expected);
            }
            assert!(
                skinned.blocks().iter().all(|block| *block == sinew::VectorBlock::default()),
                "untouched"
            );
        }
    });
}

#[test]
fn as_many_influences_as_any_vertex_has_need_no_level() {
    every_backend(|run| {
        let mut random = Random::new(224);
        for subject in Subject::every(run.kernels, VERTICES, &mut random) {
            let mesh = subject.mesh(&[]);
            let palette = subject.palette(&cloud::rigid(JOINTS, &mut random));
            let most = subject.strongest(usize::MAX).iter().map(Vec::len).max().unwrap();
            let all = moved(&mesh, &palette, &SkinOptions::default());
            for enough in [most, most + 1, 1000] {
                assert_eq!(moved(&mesh, &palette, &level(enough)), all, "{run}: {}", subject.name);
                assert_eq!(mesh.displacement(&palette, enough), Ok(0.0), "{run}: {}", subject.name);
            }
            let mut skinned = Skinned::new(&mesh, sinew::Attributes::Positions).unwrap();
            let less = mesh.skin(&palette, &level(most - 1), &mut skinned);
            assert_eq!(less, Err(Error::NoLevel { asked: most - 1 }), "{run}: {}", subject.name);
        }
    });
}

#[test]
fn displacement_is_the_largest_distance_between_two_levels() {
    every_backend(|run| {
        let mut random = Random::new(225);
        for subject in Subject::every(run.kernels, VERTICES, &mut random) {
            let mesh = subject.mesh(&[1, 2, 3]);
            let palette = subject.palette(&cloud::rigid(JOINTS, &mut random));
            let [full, ..] = moved(&mesh, &palette, &SkinOptions::default());
            for most in [1, 2, 3] {
                let [few, ..] = moved(&mesh, &palette, &level(most));
                let distance = |(a, b): (&[f32; 3], &[f32; 3])| {
                    subjects::length([0, 1, 2].map(|axis| f64::from(a[axis] - b[axis])))
                };
                let expected = full.iter().zip(&few).map(distance).fold(0.0, f64::max);
                let found = mesh.displacement(&palette, most).unwrap();
                assert!((f64::from(found) - expected).abs() <= 1e-6 * expected, "{run}: {found} {expected}");
                assert!(found > 0.1, "{run}: {}: {found}", subject.name);
            }
        }
    });
}

#[test]
fn at_rest_no_level_displaces_anything() {
    every_backend(|run| {
        for subject in Subject::every(run.kernels, VERTICES, &mut Random::new(226)) {
            if subject.vectors.is_some() {
                // Vectors that do not agree: another level is another place, at rest as well.
                continue;
            }
            let (mesh, rest) = (subject.mesh(&[1, 2, 3]), Palette::new(&subject.skin));
            for most in [1, 2, 3] {
                let found = mesh.displacement(&rest, most).unwrap();
                // What the rounding of weights makes of a coordinate.
                assert!(found <= 2e-6, "{run}: {}: {found}", subject.name);
            }
        }
    });
}

#[test]
fn no_vertices_are_displaced_by_nothing() {
    let skin = cloud::skin(2);
    let cloud = Cloud::default();
    let mesh = sinew::Mesh::new(&MeshSource { levels: &[1], ..cloud.source() }, &skin).unwrap();
    assert_eq!(mesh.displacement(&Palette::new(&skin), 1), Ok(0.0));
    let another = Palette::new(&cloud::skin(3));
    assert_eq!(mesh.displacement(&another, 1).unwrap_err().to_string(), "palette: expected 2, found 3");
}
