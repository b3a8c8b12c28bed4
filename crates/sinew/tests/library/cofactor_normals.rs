//! Normals under non-uniform scale and shear: transformed by cofactors, they stay perpendicular to
//! the surface.

use sinew::mesh::Attributes;
use sinew::skinning::{
    Blending, DirectionLength, DualQuaternionPalette, DualQuaternionWeights, NormalTransform, Skinned,
};
use sinew::{Mesh, Palette, Runtime, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::runtime;
use crate::support::test_meshes::{JOINTS, TestMesh};
use crate::support::vec3_f64::{cross, dot, length, normalize};

const VERTICES: usize = if EMULATED { 60 } else { 300 };

/// A mesh of each layout whose tangents and bitangents span the surface, so that the normal is
/// their cross product.
fn meshes_with_surface_frames(runtime: Runtime, random: &mut Random) -> [TestMesh; 4] {
    TestMesh::every_layout(runtime, VERTICES, random).map(|test_mesh| {
        let mut test_mesh = test_mesh.with_bitangents("", random);
        let bitangents = test_mesh.bitangents.as_mut().expect("bitangents");
        for (vertex, normal) in test_mesh.cloud.normals.iter().enumerate() {
            let [x, y, z, _] = test_mesh.cloud.tangents[vertex];
            let bitangent = normalize(cross(normal.map(f64::from), [x, y, z].map(f64::from)));
            let [x, y, z] = cross(bitangent, normal.map(f64::from)).map(|component| component as f32);
            test_mesh.cloud.tangents[vertex] = [x, y, z, 1.0];
            bitangents[vertex] = bitangent.map(|component| component as f32);
        }
        test_mesh
    })
}

/// The skinned normal, tangent and bitangent of every vertex.
fn skin_frames(mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> Vec<[[f64; 3]; 3]> {
    let mut skinned = Skinned::new(mesh, Attributes::Bitangents).expect("bitangents");
    mesh.skin(palette, options, &mut skinned).expect("matching sizes");
    let mut all = [0; 3].map(|_| vec![[f32::NAN; 3]; mesh.len()]);
    skinned.normals(mesh, &mut all[0]).expect("normals");
    skinned.tangents(mesh, &mut all[1]).expect("tangents");
    skinned.bitangents(mesh, &mut all[2]).expect("bitangents");
    let frame_of_vertex = |vertex: usize| all.each_ref().map(|vectors| vectors[vertex].map(f64::from));
    (0..mesh.len()).map(frame_of_vertex).collect()
}

#[test]
fn cofactor_normals_are_perpendicular_to_the_skinned_surface() {
    every_backend(|run| {
        let mut random = Random::new(230);
        for test_mesh in meshes_with_surface_frames(runtime(run), &mut random) {
            let mesh = test_mesh.mesh(&[]);
            let palette = test_mesh.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
            dual_quaternions.update(&palette).unwrap();
            let dual_weights: Vec<f32> = (0..VERTICES).map(|_| random.fraction()).collect();
            let dual_weights = DualQuaternionWeights::new(&mesh, &dual_weights).unwrap();
            let mut blendings = vec![Blending::Linear];
            if test_mesh.joint_space_vectors.is_none() {
                blendings.extend([
                    Blending::DualQuaternion(&dual_quaternions),
                    Blending::Mixed(&dual_quaternions, &dual_weights),
                ]);
            }
            for blending in blendings {
                let options =
                    SkinOptions::default().with_normals(NormalTransform::Cofactor).with_blending(blending);
                for (vertex, [normal, tangent, bitangent]) in
                    skin_frames(&mesh, &palette, &options).into_iter().enumerate()
                {
                    let context = format!("{run}: vertex {vertex}: {normal:?} {tangent:?} {bitangent:?}");
                    // Cofactors of a nearly singular blend are mostly rounding error.
                    let allowed = 2e-6 * length(tangent).max(length(bitangent)).max(1.0).powi(3);
                    assert!(dot(normal, tangent).abs() <= allowed, "{context}");
                    assert!(dot(normal, bitangent).abs() <= allowed, "{context}");
                    // Its length and its side of the surface are right, too.
                    let expected = cross(tangent, bitangent);
                    let difference = [0, 1, 2].map(|axis| normal[axis] - expected[axis]);
                    assert!(length(difference) <= 2.0 * allowed, "{context}: {expected:?}");
                }
            }
        }
    });
}

#[test]
fn normals_transformed_as_directions_are_not_perpendicular() {
    every_backend(|run| {
        let mut random = Random::new(231);
        for test_mesh in meshes_with_surface_frames(runtime(run), &mut random) {
            let palette = test_mesh.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            let vectors = skin_frames(&test_mesh.mesh(&[]), &palette, &SkinOptions::default());
            let leaning = vectors.iter().filter(|[normal, tangent, bitangent]| {
                let lean = |along: [f64; 3]| dot(*normal, along).abs() / (length(*normal) * length(along));
                lean(*tangent).max(lean(*bitangent)) > 0.05
            });
            assert!(leaning.count() > VERTICES / 2, "{run}");
        }
    });
}

#[test]
fn renormalized_normals_have_length_one_and_the_same_direction() {
    every_backend(|run| {
        let mut random = Random::new(232);
        for test_mesh in meshes_with_surface_frames(runtime(run), &mut random) {
            let mesh = test_mesh.mesh(&[]);
            let palette = test_mesh.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            for normals in [NormalTransform::BlendedMatrix, NormalTransform::Cofactor] {
                let as_blended = SkinOptions::default().with_normals(normals);
                let renormalized = as_blended.with_directions(DirectionLength::Unit);
                let blended = skin_frames(&mesh, &palette, &as_blended);
                let found = skin_frames(&mesh, &palette, &renormalized);
                for (vertex, (blended, found)) in blended.iter().zip(&found).enumerate() {
                    for (blended, found) in blended.iter().zip(found) {
                        assert!((length(*found) - 1.0).abs() < 1e-6, "{run}: vertex {vertex}: {found:?}");
                        let expected = normalize(*blended);
                        let difference = [0, 1, 2].map(|axis| found[axis] - expected[axis]);
                        assert!(length(difference) < 2e-6, "{run}: vertex {vertex}: {found:?} {expected:?}");
                    }
                }
            }
        }
    });
}
