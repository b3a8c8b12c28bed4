//! Skinned meshes: against a plain loop in `f64`, and what linear blending promises, on every row.

use crate::cloud;

use crate::cloud::{Cloud, REACH};
use sinew::{
    Attributes, DirectionLength, FloatMode, Kernels, Matrix, Mesh, Palette, Skin, SkinOptions, Skinned,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const JOINTS: usize = 12;
const VERTICES: usize = if EMULATED { 60 } else { 300 };
/// The edge of the cube that holds the mesh.
const SIZE: f64 = 2.0 * REACH as f64;

/// One of the ways to read a skinned mesh.
type Read = fn(&Skinned, &Mesh, &mut [[f32; 3]]) -> Result<(), sinew::Error>;

/// What skinning gives, in source order.
#[derive(Debug, PartialEq)]
struct Moved {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 3]>,
}

impl Moved {
    fn new(mesh: &Mesh, palette: &Palette, directions: DirectionLength) -> Self {
        let mut skinned = Skinned::new(mesh, Attributes::Tangents).expect("tangents");
        mesh.skin(palette, &SkinOptions { directions, ..SkinOptions::default() }, &mut skinned)
            .expect("what fits");
        let read = |attribute: Read| {
            let mut vectors = vec![[f32::NAN; 3]; mesh.len()];
            attribute(&skinned, mesh, &mut vectors).expect("a place for each vertex");
            vectors
        };
        Self {
            positions: read(Skinned::positions),
            normals: read(Skinned::normals),
            tangents: read(Skinned::tangents),
        }
    }

    /// Demands that both are the same within the allowances.
    fn compare(&self, expected: &Self, position: f64, direction: f64, what: &str) {
        let mut tolerance = Tolerance::new(what);
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

/// A skin, a mesh on up to eight joints and matrices for a palette.
fn scene(kernels: &'static Kernels, seed: u64) -> (Skin, Cloud, Vec<Matrix>) {
    let mut random = Random::new(seed);
    let cloud = Cloud::new(VERTICES, 8, JOINTS, &mut random);
    (cloud::skin_on(kernels, JOINTS), cloud, cloud::rigid(JOINTS, &mut random))
}

/// The blended matrix of each vertex, in `f64`.
fn blended(cloud: &Cloud, matrices: &[Matrix]) -> Vec<[[f64; 4]; 3]> {
    let blend = |influences: Vec<(u32, f32)>| {
        let sum_of_weights: f64 = influences.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let mut blended = [[0.0; 4]; 3];
        for (joint, weight) in influences {
            let elements = matrices[joint as usize].rows.as_flattened();
            for (sum, &element) in blended.as_flattened_mut().iter_mut().zip(elements) {
                *sum += f64::from(weight) / sum_of_weights * f64::from(element);
            }
        }
        blended
    };
    cloud.influences().into_iter().map(blend).collect()
}

fn transform(matrix: &[[f64; 4]; 3], vector: [f32; 3], last: f64) -> [f64; 3] {
    let [x, y, z] = vector.map(f64::from);
    matrix.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3] * last)
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|c| c * c).sum::<f64>().sqrt()
}

#[test]
fn vertices_match_a_plain_loop() {
    every_backend(|run| {
        for most in [1, 2, 3, 4, 8] {
            let mut random = Random::new(90 + most as u64);
            let cloud = Cloud::new(VERTICES, most, JOINTS, &mut random);
            let skin = cloud::skin_on(run.kernels, JOINTS);
            let matrices = cloud::rigid(JOINTS, &mut random);
            let (mesh, palette) = (cloud.mesh(&skin), cloud::palette(&skin, &matrices));
            let blended = blended(&cloud, &matrices);
            for directions in [DirectionLength::AsBlended, DirectionLength::Unit] {
                let found = Moved::new(&mesh, &palette, directions);
                let mut tolerance = Tolerance::new(format!("{run}: up to {most} influences, {directions:?}"));
                for (vertex, matrix) in blended.iter().enumerate() {
                    let position = transform(matrix, cloud.positions[vertex], 1.0);
                    tolerance.all_close(vertex, position, found.positions[vertex], 2e-6 * SIZE);
                    let [x, y, z, _] = cloud.tangents[vertex];
                    for (base, found) in
                        [(cloud.normals[vertex], found.normals[vertex]), ([x, y, z], found.tangents[vertex])]
                    {
                        let mut expected = transform(matrix, base, 0.0);
                        let mut allowed = 1e-6;
                        if directions == DirectionLength::Unit {
                            let length = length(expected);
                            expected = expected.map(|c| c / length);
                            // What is left of a direction that nearly cancelled is mostly rounding.
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
        let (skin, cloud, _) = scene(run.kernels, 91);
        let found = Moved::new(&cloud.mesh(&skin), &Palette::new(&skin), DirectionLength::AsBlended);
        let tangents = cloud.tangents.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
        let rest = Moved { positions: cloud.positions, normals: cloud.normals, tangents };
        // Weights of more than four joints sum to one only within their rounding.
        found.compare(&rest, 1e-6, 5e-7, &format!("{run}: the rest mesh"));
    });
}

#[test]
fn one_joint_with_all_weight_is_a_rigid_move() {
    every_backend(|run| {
        let (skin, mut cloud, matrices) = scene(run.kernels, 92);
        cloud.counts = vec![1; VERTICES];
        cloud.weights = vec![0.3; VERTICES];
        cloud.joints = (0..VERTICES).map(|vertex| (vertex % JOINTS) as u32).collect();
        let mesh = cloud.mesh(&skin);
        let found = Moved::new(&mesh, &cloud::palette(&skin, &matrices), DirectionLength::AsBlended);
        let matrix = |vertex: usize| matrices[vertex % JOINTS];
        let point = |(vertex, &position): (usize, &[f32; 3])| matrix(vertex).transform_point(position);
        let vector = |(vertex, &normal): (usize, &[f32; 3])| matrix(vertex).transform_vector(normal);
        let tangent =
            |(vertex, &[x, y, z, _]): (usize, &[f32; 4])| matrix(vertex).transform_vector([x, y, z]);
        let expected = Moved {
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
        let (skin, cloud, matrices) = scene(run.kernels, 93);
        let mesh = cloud.mesh(&skin);
        let turn = rigs::rigid_matrices(1, &mut Random::new(94))[0];
        let turned: Vec<Matrix> = matrices.iter().map(|&matrix| turn * matrix).collect();
        let found = Moved::new(&mesh, &cloud::palette(&skin, &turned), DirectionLength::AsBlended);
        let before = Moved::new(&mesh, &cloud::palette(&skin, &matrices), DirectionLength::AsBlended);
        let vectors =
            |vectors: Vec<[f32; 3]>| vectors.into_iter().map(|v| turn.transform_vector(v)).collect();
        let expected = Moved {
            positions: before.positions.into_iter().map(|p| turn.transform_point(p)).collect(),
            normals: vectors(before.normals),
            tangents: vectors(before.tangents),
        };
        found.compare(&expected, 2e-6 * SIZE, 2e-6, &format!("{run}: a turned palette"));
    });
}

#[test]
fn permuting_the_vertices_permutes_the_result_bit_for_bit() {
    every_backend(|run| {
        let (skin, cloud, matrices) = scene(run.kernels, 95);
        let mut random = Random::new(96);
        let mut order: Vec<usize> = (0..VERTICES).collect();
        for i in (1..VERTICES).rev() {
            order.swap(i, random.below(i + 1));
        }
        let palette = cloud::palette(&skin, &matrices);
        for directions in [DirectionLength::AsBlended, DirectionLength::Unit] {
            let straight = Moved::new(&cloud.mesh(&skin), &palette, directions);
            let shuffled = Moved::new(&cloud.reordered(&order).mesh(&skin), &palette, directions);
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
fn reproducible_rounding_is_the_same_on_every_backend() {
    let mut expected = None;
    every_backend(|run| {
        if run.float_mode == FloatMode::Reproducible {
            let (skin, cloud, matrices) = scene(run.kernels, 97);
            let palette = cloud::palette(&skin, &matrices);
            let found = Moved::new(&cloud.mesh(&skin), &palette, DirectionLength::Unit);
            match &expected {
                Some(expected) => assert_eq!(&found, expected, "{run}"),
                None => expected = Some(found),
            }
        }
    });
}

#[test]
fn pads_are_what_their_runs_last_vertex_is() {
    every_backend(|run| {
        let (skin, cloud, matrices) = scene(run.kernels, 98);
        let mesh = cloud.mesh(&skin);
        assert!(mesh.padded_len() > mesh.len(), "some pads");
        let mut skinned = Skinned::new(&mesh, Attributes::Tangents).unwrap();
        mesh.skin(
            &cloud::palette(&skin, &matrices),
            &SkinOptions { directions: DirectionLength::Unit, ..SkinOptions::default() },
            &mut skinned,
        )
        .unwrap();
        for (place, &vertex) in mesh.vertex_of_place().iter().enumerate() {
            let own = mesh.place_of_vertex()[vertex as usize] as usize;
            for vector in 0..3 {
                let of = |place: usize| skinned.blocks()[place / 8 * 3 + vector].vector(place % 8);
                assert!(of(place).iter().all(|c| c.is_finite()), "{run}: place {place}");
                assert_eq!(of(place), of(own), "{run}: place {place}");
            }
        }
    });
}

#[test]
fn fewer_attributes_are_the_same_numbers() {
    every_backend(|run| {
        let (skin, cloud, matrices) = scene(run.kernels, 99);
        let (mesh, palette) = (cloud.mesh(&skin), cloud::palette(&skin, &matrices));
        let all = Moved::new(&mesh, &palette, DirectionLength::Unit);
        for attributes in [Attributes::Positions, Attributes::Normals] {
            let mut skinned = Skinned::new(&mesh, attributes).unwrap();
            mesh.skin(
                &palette,
                &SkinOptions { directions: DirectionLength::Unit, ..SkinOptions::default() },
                &mut skinned,
            )
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
fn unit_directions_have_length_one() {
    every_backend(|run| {
        let (skin, cloud, matrices) = scene(run.kernels, 100);
        let found = Moved::new(&cloud.mesh(&skin), &cloud::palette(&skin, &matrices), DirectionLength::Unit);
        for direction in found.normals.iter().chain(&found.tangents) {
            let length = length(direction.map(f64::from));
            assert!((length - 1.0).abs() < 1e-6, "{run}: length {length}");
        }
    });
}
