//! Dual quaternion skinning: twists keep their volume, and mismatched input is rejected.

use std::f64::consts::{PI, TAU};

use sinew::mesh::{Attributes, Grouping, Weights};
use sinew::skinning::{Blending, DualQuaternionPalette, DualQuaternionWeights, Skinned, SkinningError};
use sinew::{Matrix, Mesh, MeshSource, Palette, Runtime, Skin, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

use crate::support::backends::runtime;
use crate::support::test_meshes::{JOINTS, SkinnedVectors, TestMesh, skin_vectors};
use crate::support::vertex_cloud::{VertexCloud, build_palette, identity_skin, identity_skin_on};

const VERTICES: usize = if EMULATED { 60 } else { 300 };
const AROUND: usize = 12;
const RINGS: usize = 9;

fn dual_palette(skin: &Skin, palette: &Palette) -> DualQuaternionPalette {
    let mut dual_quaternions = DualQuaternionPalette::new(skin);
    dual_quaternions.update(palette).expect("a palette of the skin");
    dual_quaternions
}

fn blend_options(blending: Blending<'_>) -> SkinOptions<'_> {
    SkinOptions::default().with_blending(blending)
}

/// A cylinder of radius one about y, on two joints. The weight of the second rises from ring to
/// ring.
fn cylinder() -> VertexCloud {
    let mut cloud = VertexCloud::default();
    for ring in 0..RINGS {
        let part = ring as f32 / (RINGS - 1) as f32;
        for i in 0..AROUND {
            let angle = TAU * i as f64 / AROUND as f64;
            let [x, z] = [angle.cos() as f32, angle.sin() as f32];
            cloud.positions.push([x, 4.0 * part, z]);
            cloud.normals.push([x, 0.0, z]);
            cloud.tangents.push([0.0, 1.0, 0.0, 1.0]);
            cloud.counts.push(2);
            cloud.joints.extend([0, 1]);
            cloud.weights.extend([1.0 - part, part]);
        }
    }
    cloud
}

/// A palette in which the second joint is rotated about y.
fn twist_palette(skin: &Skin, angle: f64) -> Palette {
    let [sin, cos] = [angle.sin() as f32, angle.cos() as f32];
    let turned = Matrix { rows: [[cos, 0.0, sin, 0.0], [0.0, 1.0, 0.0, 0.0], [-sin, 0.0, cos, 0.0]] };
    build_palette(skin, &[Matrix::IDENTITY, turned])
}

/// A cloud in both layouts: shared joints, and per-vertex joints.
fn both_layouts(cloud: &VertexCloud, skin: &Skin) -> [Mesh; 2] {
    let mut normalized = cloud.clone();
    let mut first = 0;
    for &count in &cloud.counts {
        let own = &mut normalized.weights[first..first + count as usize];
        let sum: f32 = own.iter().sum();
        own.iter_mut().for_each(|weight| *weight /= sum);
        first += count as usize;
    }
    let source = MeshSource { weights: Weights::AsStored, ..normalized.source() };
    let meshes = [cloud.mesh(skin), Mesh::new(&source, skin).expect("a valid mesh")];
    assert_eq!(
        meshes.each_ref().map(|mesh| mesh.layout().grouping),
        [Grouping::SharedJoints, Grouping::PerVertexJoints]
    );
    meshes
}

fn radius([x, _, z]: [f32; 3]) -> f32 {
    x.hypot(z)
}

#[test]
fn a_half_turn_twist_keeps_the_radius_that_linear_blending_loses() {
    every_backend(|run| {
        let skin = identity_skin_on(runtime(run), 2);
        let palette = twist_palette(&skin, PI);
        let dual_quaternions = dual_palette(&skin, &palette);
        let middle = AROUND * (RINGS / 2)..AROUND * (RINGS / 2 + 1);
        for mesh in both_layouts(&cylinder(), &skin) {
            let [positions, normals, _] =
                skin_vectors(&mesh, &palette, &blend_options(Blending::DualQuaternion(&dual_quaternions)));
            for (&position, &normal) in positions.iter().zip(&normals) {
                assert!((radius(position) - 1.0).abs() < 0.01, "{run}: {position:?}");
                assert!((radius(normal) - 1.0).abs() < 0.01, "{run}: {normal:?}");
            }
            let [positions, ..] = skin_vectors(&mesh, &palette, &SkinOptions::default());
            for &position in &positions[middle.clone()] {
                assert!(radius(position) < 0.05, "{run}: {position:?}");
            }
        }
    });
}

#[test]
fn a_twist_rotates_by_the_angle_of_the_blended_quaternion() {
    every_backend(|run| {
        let skin = identity_skin_on(runtime(run), 2);
        for angle in [-2.5, -1.0, 0.01, 0.5, 2.0, 3.0] {
            let palette = twist_palette(&skin, angle);
            let dual_quaternions = dual_palette(&skin, &palette);
            let cloud = cylinder();
            let mut tolerance = Tolerance::new(format!("{run}: {angle}"));
            for mesh in both_layouts(&cloud, &skin) {
                let [positions, ..] = skin_vectors(
                    &mesh,
                    &palette,
                    &blend_options(Blending::DualQuaternion(&dual_quaternions)),
                );
                for (vertex, &found) in positions.iter().enumerate() {
                    let weight = f64::from(cloud.weights[2 * vertex + 1]);
                    let half =
                        (weight * (angle / 2.0).sin()).atan2(1.0 - weight + weight * (angle / 2.0).cos());
                    let ([sin, cos], [x, y, z]) =
                        ([(2.0 * half).sin(), (2.0 * half).cos()], cloud.positions[vertex].map(f64::from));
                    let expected = [cos * x + sin * z, y, cos * z - sin * x];
                    tolerance.all_close(vertex, expected, found, 4e-6);
                }
            }
            tolerance.report();
        }
    });
}

fn assert_vectors_near(
    found: &SkinnedVectors<f32>,
    expected: &SkinnedVectors<f32>,
    allowed: f64,
    context: &str,
) {
    let mut tolerance = Tolerance::new(context);
    for (found, expected) in found.iter().zip(expected) {
        for (vertex, (&found, &expected)) in found.iter().zip(expected).enumerate() {
            tolerance.all_close(vertex, expected.map(f64::from), found, allowed);
        }
    }
    tolerance.report();
}

/// Calls the test with meshes of shared and of per-vertex joints, palettes without and with scale,
/// and their dual quaternions.
fn every_case(runtime: Runtime, mut test: impl FnMut(&Mesh, &Palette, &DualQuaternionPalette)) {
    let mut random = Random::new(240);
    let test_meshes = TestMesh::every_layout(runtime, VERTICES, &mut random);
    for test_mesh in test_meshes.iter().filter(|test_mesh| test_mesh.joint_space_vectors.is_none()) {
        for matrices in
            [rigs::rigid_matrices(JOINTS, &mut random), rigs::sheared_matrices(JOINTS, &mut random)]
        {
            let palette = test_mesh.palette(&matrices);
            test(&test_mesh.mesh(&[]), &palette, &dual_palette(&test_mesh.skin, &palette));
        }
    }
}

#[test]
fn dual_quaternion_weights_zero_and_one_give_linear_and_dual_quaternion_skinning() {
    every_backend(|run| {
        every_case(runtime(run), |mesh, palette, dual_quaternions| {
            let linear = skin_vectors(mesh, palette, &SkinOptions::default());
            let all = skin_vectors(mesh, palette, &blend_options(Blending::DualQuaternion(dual_quaternions)));
            for (weight, expected) in [(0.0, &linear), (1.0, &all)] {
                let dual_weights = DualQuaternionWeights::new(mesh, &vec![weight; mesh.len()]).unwrap();
                let found = skin_vectors(
                    mesh,
                    palette,
                    &blend_options(Blending::Mixed(dual_quaternions, &dual_weights)),
                );
                assert_vectors_near(&found, expected, 4e-6, &format!("{run}: weight {weight}"));
            }
        });
    });
}

#[test]
fn each_vertex_blends_by_its_own_dual_quaternion_weight() {
    every_backend(|run| {
        every_case(runtime(run), |mesh, palette, dual_quaternions| {
            let mut random = Random::new(241);
            let by_vertex: Vec<f32> = (0..mesh.len()).map(|_| random.fraction()).collect();
            let dual_weights = DualQuaternionWeights::new(mesh, &by_vertex).unwrap();
            let linear = skin_vectors(mesh, palette, &SkinOptions::default());
            let all = skin_vectors(mesh, palette, &blend_options(Blending::DualQuaternion(dual_quaternions)));
            let mut expected = linear.clone();
            for (vector, expected) in expected.iter_mut().enumerate() {
                for (vertex, expected) in expected.iter_mut().enumerate() {
                    let (a, b) = (linear[vector][vertex], all[vector][vertex]);
                    *expected = [0, 1, 2].map(|axis| a[axis] + by_vertex[vertex] * (b[axis] - a[axis]));
                }
            }
            let found =
                skin_vectors(mesh, palette, &blend_options(Blending::Mixed(dual_quaternions, &dual_weights)));
            assert_vectors_near(&found, &expected, 1e-5, &format!("{run}: shares"));
        });
    });
}

#[test]
fn a_single_influence_may_scale_shear_and_mirror() {
    every_backend(|run| {
        let mut random = Random::new(242);
        for mut test_mesh in [
            TestMesh::shared_joints(runtime(run), VERTICES, &mut random),
            TestMesh::stored_weights(runtime(run), VERTICES, &mut random),
        ] {
            test_mesh.cloud.counts = vec![1; VERTICES];
            test_mesh.cloud.joints = (0..VERTICES).map(|vertex| (vertex % JOINTS) as u32).collect();
            test_mesh.cloud.weights = vec![1.0; VERTICES];
            test_mesh.grouping = None;
            let mesh = test_mesh.mesh(&[]);
            let palette = test_mesh.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            let linear = skin_vectors(&mesh, &palette, &SkinOptions::default());
            let found = skin_vectors(
                &mesh,
                &palette,
                &blend_options(Blending::DualQuaternion(&dual_palette(&test_mesh.skin, &palette))),
            );
            assert_vectors_near(&found, &linear, 1e-5, &format!("{run}: one joint"));
        }
    });
}

#[test]
fn scale_is_blended_linearly_before_the_rotation() {
    every_backend(|run| {
        let skin = identity_skin_on(runtime(run), 2);
        // Both joints alike: twice as wide, then a quarter turn about y. Blending must not change
        // that.
        let both = Matrix { rows: [[0.0, 0.0, 2.0, 1.0], [0.0, 1.0, 0.0, 0.0], [-2.0, 0.0, 0.0, 0.0]] };
        let palette = build_palette(&skin, &[both, both]);
        let wide = dual_palette(&skin, &palette);
        // One joint twice as wide: the radius grows from one to two with its weight.
        let mut second = Matrix::IDENTITY;
        (second.rows[0][0], second.rows[2][2]) = (2.0, 2.0);
        let growing = build_palette(&skin, &[Matrix::IDENTITY, second]);
        let grown = dual_palette(&skin, &growing);
        let cloud = cylinder();
        for mesh in both_layouts(&cloud, &skin) {
            let [positions, ..] =
                skin_vectors(&mesh, &palette, &blend_options(Blending::DualQuaternion(&wide)));
            for (vertex, found) in positions.iter().enumerate() {
                let expected = both.transform_point(cloud.positions[vertex]);
                assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() < 4e-6), "{run}: {found:?}");
            }
            let [positions, ..] =
                skin_vectors(&mesh, &growing, &blend_options(Blending::DualQuaternion(&grown)));
            for (vertex, &found) in positions.iter().enumerate() {
                let expected = 1.0 + cloud.weights[2 * vertex + 1];
                assert!((radius(found) - expected).abs() < 4e-6, "{run}: {found:?}");
            }
        }
    });
}

#[test]
fn per_vertex_joints_match_shared_joints() {
    every_backend(|run| {
        let mut random = Random::new(243);
        let test_mesh = TestMesh::shared_joints(runtime(run), VERTICES, &mut random);
        for matrices in
            [rigs::rigid_matrices(JOINTS, &mut random), rigs::sheared_matrices(JOINTS, &mut random)]
        {
            let palette = test_mesh.palette(&matrices);
            let dual_quaternions = dual_palette(&test_mesh.skin, &palette);
            let [runs, counts] = both_layouts(&test_mesh.cloud, &test_mesh.skin).map(|mesh| {
                skin_vectors(&mesh, &palette, &blend_options(Blending::DualQuaternion(&dual_quaternions)))
            });
            assert_vectors_near(&counts, &runs, 2e-5, &format!("{run}: counts"));
        }
    });
}

#[test]
fn mismatched_weights_and_palettes_are_rejected() {
    let skin = identity_skin(2);
    let mesh = cylinder().mesh(&skin);
    let weights_error =
        |by_vertex: &[f32]| DualQuaternionWeights::new(&mesh, by_vertex).unwrap_err().to_string();
    for (weight, shown) in [(-0.01, "-0.01"), (1.5, "1.5"), (f32::NAN, "NaN"), (f32::INFINITY, "inf")] {
        let mut by_vertex = vec![1.0; mesh.len()];
        by_vertex[7] = weight;
        let expected =
            format!("dual-quaternion weight of vertex 7: expected a number from 0 to 1, found {shown}");
        assert_eq!(weights_error(&by_vertex), expected);
    }
    let len = mesh.len();
    for wrong in [0, len - 1, len + 1] {
        let expected = format!("elements by vertex: expected {len}, found {wrong}");
        assert_eq!(weights_error(&vec![0.5; wrong]), expected);
    }

    let (palette, other) = (Palette::new(&skin), identity_skin(3));
    let mut dual_quaternions = DualQuaternionPalette::new(&other);
    assert_eq!(dual_quaternions.update(&palette).unwrap_err().to_string(), "palette: expected 3, found 2");
    let mut skinned = Skinned::new(&mesh, Attributes::Tangents).unwrap();
    let mut rejection = |mesh: &Mesh, palette: &Palette, blending: Blending<'_>| {
        let error = mesh.skin(palette, &blend_options(blending), &mut skinned).unwrap_err();
        assert!(
            skinned.blocks().iter().all(|block| *block == sinew::mesh::VectorBlock::default()),
            "untouched"
        );
        error
    };
    let error = rejection(&mesh, &palette, Blending::DualQuaternion(&dual_quaternions));
    assert_eq!(error.to_string(), "dual-quaternion palette: expected 2, found 3");
    let mut half = cylinder();
    half.positions.truncate(AROUND);
    (half.normals, half.tangents) = (vec![[1.0, 0.0, 0.0]; AROUND], vec![[0.0, 1.0, 0.0, 1.0]; AROUND]);
    half.counts.truncate(AROUND);
    half.joints.truncate(2 * AROUND);
    half.weights.truncate(2 * AROUND);
    let other_weights = DualQuaternionWeights::new(&half.mesh(&skin), &[0.5; AROUND]).unwrap();
    let error =
        rejection(&mesh, &palette, Blending::Mixed(&DualQuaternionPalette::new(&skin), &other_weights));
    assert_eq!(
        error.to_string(),
        format!("blocks of dual-quaternion weights: expected {}, found 2", mesh.blocks())
    );

    let test_mesh = TestMesh::joint_space(skin.runtime(), 20, &mut Random::new(244));
    let mesh = test_mesh.mesh(&[]);
    let mut skinned = Skinned::new(&mesh, Attributes::Positions).unwrap();
    let dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
    let options = blend_options(Blending::DualQuaternion(&dual_quaternions));
    let error = mesh.skin(&Palette::new(&test_mesh.skin), &options, &mut skinned).unwrap_err();
    assert_eq!(error, SkinningError::DualQuaternionsInJointSpace);
    let message = "dual quaternions: expected one position for each vertex, found influences in joint space";
    assert_eq!(error.to_string(), message);
}
