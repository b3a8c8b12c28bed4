//! Linear blend skinning on every backend: against a reference in `f64`, and its invariants.

use sinew::mesh::Attributes;
use sinew::skinning::{DirectionLength, Skinned};
use sinew::{FloatMode, Matrix, Mesh, Palette, Runtime, Skin, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

use crate::support::backends::runtime;
use crate::support::matrices::{MatrixF64, add_weighted, transform};
use crate::support::test_meshes::skin_vectors;
use crate::support::vec3_f64::length;
use crate::support::vertex_cloud::{MESH_SIZE, VertexCloud, build_palette, identity_skin_on};

const JOINTS: usize = 12;
const VERTICES: usize = if EMULATED { 60 } else { 300 };
/// Skinned vertices, in source order.
#[derive(Debug, PartialEq)]
struct SkinnedMesh {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 3]>,
}

impl SkinnedMesh {
    fn new(mesh: &Mesh, palette: &Palette, directions: DirectionLength) -> Self {
        let options = SkinOptions::default().with_directions(directions);
        let [positions, normals, tangents] = skin_vectors(mesh, palette, &options);
        Self { positions, normals, tangents }
    }

    /// Asserts that both are equal within the tolerances.
    fn compare(&self, expected: &Self, position: f64, direction: f64, context: &str) {
        let mut tolerance = Tolerance::new(context);
        for (found, expected, allowed) in [
            (&self.positions, &expected.positions, position),
            (&self.normals, &expected.normals, direction),
            (&self.tangents, &expected.tangents, direction),
        ] {
            for (vertex, (found, expected)) in found.iter().zip(expected).enumerate() {
                tolerance.all_close(vertex, expected.map(f64::from), *found, allowed);
            }
        }
    }
}

/// A skin, a cloud with up to eight influences, and matrices for a palette.
fn build_scene(runtime: Runtime, seed: u64) -> (Skin, VertexCloud, Vec<Matrix>) {
    let mut random = Random::new(seed);
    let cloud = VertexCloud::new(VERTICES, 8, JOINTS, &mut random);
    (identity_skin_on(runtime, JOINTS), cloud, rigs::rigid_matrices(JOINTS, &mut random))
}

/// The blended matrix of each vertex, in `f64`.
fn blend_matrices(cloud: &VertexCloud, matrices: &[Matrix]) -> Vec<MatrixF64> {
    let blend = |influences: Vec<(u32, f32)>| {
        let sum_of_weights: f64 = influences.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let mut blended = [[0.0; 4]; 3];
        for (joint, weight) in influences {
            add_weighted(&mut blended, &matrices[joint as usize], f64::from(weight) / sum_of_weights);
        }
        blended
    };
    cloud.influences().into_iter().map(blend).collect()
}

#[test]
fn skinned_vertices_match_the_f64_reference_on_every_backend() {
    every_backend(|run| {
        for max_influences in [1, 2, 3, 4, 8] {
            let mut random = Random::new(90 + max_influences as u64);
            let cloud = VertexCloud::new(VERTICES, max_influences, JOINTS, &mut random);
            let skin = identity_skin_on(runtime(run), JOINTS);
            let matrices = rigs::rigid_matrices(JOINTS, &mut random);
            let (mesh, palette) = (cloud.mesh(&skin), build_palette(&skin, &matrices));
            let blended = blend_matrices(&cloud, &matrices);
            for directions in [DirectionLength::AsBlended, DirectionLength::Unit] {
                let found = SkinnedMesh::new(&mesh, &palette, directions);
                let mut tolerance =
                    Tolerance::new(format!("{run}: up to {max_influences} influences, {directions:?}"));
                for (vertex, matrix) in blended.iter().enumerate() {
                    let position = transform(matrix, cloud.positions[vertex], 1.0);
                    tolerance.all_close(vertex, position, found.positions[vertex], 2e-6 * MESH_SIZE);
                    let [x, y, z, _] = cloud.tangents[vertex];
                    for (base, found) in
                        [(cloud.normals[vertex], found.normals[vertex]), ([x, y, z], found.tangents[vertex])]
                    {
                        let mut expected = transform(matrix, base, 0.0);
                        let mut allowed = 1e-6;
                        if directions == DirectionLength::Unit {
                            let length = length(expected);
                            expected = expected.map(|c| c / length);
                            // A blended direction that nearly cancels is mostly rounding error.
                            allowed = 1e-6_f64.max(1e-6 / length);
                        }
                        tolerance.all_close(vertex, expected, found, allowed);
                    }
                }
                tolerance.report();
            }
        }
    });
}

#[test]
fn identity_palettes_give_the_rest_mesh() {
    every_backend(|run| {
        let (skin, cloud, _) = build_scene(runtime(run), 91);
        let found = SkinnedMesh::new(&cloud.mesh(&skin), &Palette::new(&skin), DirectionLength::AsBlended);
        let tangents = cloud.tangents.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
        let rest = SkinnedMesh { positions: cloud.positions, normals: cloud.normals, tangents };
        // More than four weights sum to one only within rounding.
        found.compare(&rest, 1e-6, 5e-7, &format!("{run}: the rest mesh"));
    });
}

#[test]
fn a_single_influence_is_a_rigid_transform() {
    every_backend(|run| {
        let (skin, mut cloud, matrices) = build_scene(runtime(run), 92);
        cloud.counts = vec![1; VERTICES];
        cloud.weights = vec![0.3; VERTICES];
        cloud.joints = (0..VERTICES).map(|vertex| (vertex % JOINTS) as u32).collect();
        let mesh = cloud.mesh(&skin);
        let found = SkinnedMesh::new(&mesh, &build_palette(&skin, &matrices), DirectionLength::AsBlended);
        let matrix = |vertex: usize| matrices[vertex % JOINTS];
        let point = |(vertex, &position): (usize, &[f32; 3])| matrix(vertex).transform_point(position);
        let vector = |(vertex, &normal): (usize, &[f32; 3])| matrix(vertex).transform_vector(normal);
        let tangent =
            |(vertex, &[x, y, z, _]): (usize, &[f32; 4])| matrix(vertex).transform_vector([x, y, z]);
        let expected = SkinnedMesh {
            positions: cloud.positions.iter().enumerate().map(point).collect(),
            normals: cloud.normals.iter().enumerate().map(vector).collect(),
            tangents: cloud.tangents.iter().enumerate().map(tangent).collect(),
        };
        found.compare(&expected, 2e-6, 5e-7, &format!("{run}: a rigid move"));
    });
}

#[test]
fn rotating_the_palette_rotates_the_result() {
    every_backend(|run| {
        let (skin, cloud, matrices) = build_scene(runtime(run), 93);
        let mesh = cloud.mesh(&skin);
        let rotation = rigs::rigid_matrices(1, &mut Random::new(94))[0];
        let rotated_matrices: Vec<Matrix> = matrices.iter().map(|&matrix| rotation * matrix).collect();
        let found =
            SkinnedMesh::new(&mesh, &build_palette(&skin, &rotated_matrices), DirectionLength::AsBlended);
        let before = SkinnedMesh::new(&mesh, &build_palette(&skin, &matrices), DirectionLength::AsBlended);
        let vectors =
            |vectors: Vec<[f32; 3]>| vectors.into_iter().map(|v| rotation.transform_vector(v)).collect();
        let expected = SkinnedMesh {
            positions: before.positions.into_iter().map(|p| rotation.transform_point(p)).collect(),
            normals: vectors(before.normals),
            tangents: vectors(before.tangents),
        };
        found.compare(&expected, 2e-6 * MESH_SIZE, 2e-6, &format!("{run}: a turned palette"));
    });
}

#[test]
fn permuting_the_vertices_permutes_the_result_bit_for_bit() {
    every_backend(|run| {
        let (skin, cloud, matrices) = build_scene(runtime(run), 95);
        let mut random = Random::new(96);
        let mut order: Vec<usize> = (0..VERTICES).collect();
        for i in (1..VERTICES).rev() {
            order.swap(i, random.below(i + 1));
        }
        let palette = build_palette(&skin, &matrices);
        for directions in [DirectionLength::AsBlended, DirectionLength::Unit] {
            let straight = SkinnedMesh::new(&cloud.mesh(&skin), &palette, directions);
            let shuffled = SkinnedMesh::new(&cloud.reordered(&order).mesh(&skin), &palette, directions);
            for (new, &old) in order.iter().enumerate() {
                let bits = |vector: [f32; 3]| vector.map(f32::to_bits);
                assert_eq!(bits(shuffled.positions[new]), bits(straight.positions[old]), "{run}");
                assert_eq!(bits(shuffled.normals[new]), bits(straight.normals[old]), "{run}");
                assert_eq!(bits(shuffled.tangents[new]), bits(straight.tangents[old]), "{run}");
            }
        }
    });
}

#[test]
fn reproducible_mode_gives_the_same_bits_on_every_backend() {
    let mut expected = None;
    every_backend(|run| {
        if run.float_mode == FloatMode::Reproducible {
            let (skin, cloud, matrices) = build_scene(runtime(run), 97);
            let palette = build_palette(&skin, &matrices);
            let found = SkinnedMesh::new(&cloud.mesh(&skin), &palette, DirectionLength::Unit);
            match &expected {
                Some(expected) => assert_eq!(&found, expected, "{run}"),
                None => expected = Some(found),
            }
        }
    });
}

#[test]
fn padding_repeats_the_last_vertex_of_its_run() {
    every_backend(|run| {
        let (skin, cloud, matrices) = build_scene(runtime(run), 98);
        let mesh = cloud.mesh(&skin);
        assert!(mesh.padded_len() > mesh.len(), "some pads");
        let mut skinned = Skinned::new(&mesh, Attributes::Tangents).unwrap();
        mesh.skin(
            &build_palette(&skin, &matrices),
            &SkinOptions::default().with_directions(DirectionLength::Unit),
            &mut skinned,
        )
        .unwrap();
        for (slot, &vertex) in mesh.inverse_remap().iter().enumerate() {
            let own = mesh.remap()[vertex as usize] as usize;
            for vector in 0..3 {
                let vector_at = |slot: usize| skinned.blocks()[slot / 8 * 3 + vector].vector(slot % 8);
                assert!(vector_at(slot).iter().all(|c| c.is_finite()), "{run}: slot {slot}");
                assert_eq!(vector_at(slot), vector_at(own), "{run}: slot {slot}");
            }
        }
    });
}

#[test]
fn skinning_fewer_attributes_gives_the_same_values() {
    every_backend(|run| {
        let (skin, cloud, matrices) = build_scene(runtime(run), 99);
        let (mesh, palette) = (cloud.mesh(&skin), build_palette(&skin, &matrices));
        let all = SkinnedMesh::new(&mesh, &palette, DirectionLength::Unit);
        for attributes in [Attributes::Positions, Attributes::Normals] {
            let mut skinned = Skinned::new(&mesh, attributes).unwrap();
            mesh.skin(&palette, &SkinOptions::default().with_directions(DirectionLength::Unit), &mut skinned)
                .unwrap();
            let mut found = vec![[0.0; 3]; mesh.len()];
            skinned.positions(&mesh, &mut found).unwrap();
            assert_eq!(found, all.positions, "{run}");
            if attributes == Attributes::Normals {
                skinned.normals(&mesh, &mut found).unwrap();
                assert_eq!(found, all.normals, "{run}");
            }
        }
    });
}

#[test]
fn renormalized_directions_have_length_one() {
    every_backend(|run| {
        let (skin, cloud, matrices) = build_scene(runtime(run), 100);
        let found =
            SkinnedMesh::new(&cloud.mesh(&skin), &build_palette(&skin, &matrices), DirectionLength::Unit);
        for direction in found.normals.iter().chain(&found.tangents) {
            let length = length(direction.map(f64::from));
            assert!((length - 1.0).abs() < 1e-6, "{run}: length {length}");
        }
    });
}
