//! Bounds computed from joints alone contain every vertex that any backend skins.

use sinew::bounds::{BoundsOptions, JointBounds, transform_aabb};
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{
    Aabb, Bone, Influences, JointId, LengthError, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin,
    SkinOptions, Transform,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::bounds_check::{BoundsCheck, contains};
use crate::support::test_meshes::{JOINTS, TestMesh};
use crate::support::vertex_cloud::{build_palette, identity_skin};

const VERTICES: usize = if EMULATED { 60 } else { 300 };
const POSES: usize = if EMULATED { 3 } else { 40 };
const LEVELS: [usize; 4] = [usize::MAX, 1, 2, 3];

/// Random matrices: near or far away, the identity, or with strong scale and shear.
fn random_matrices(random: &mut Random) -> Vec<Matrix> {
    let far = [0.0, 1e-3, 1.0, 1e3, 1e6][random.below(5)];
    let mut matrices = match random.below(4) {
        0 => rigs::sheared_matrices(JOINTS, random),
        1 => vec![Matrix::IDENTITY; JOINTS],
        _ => rigs::rigid_matrices(JOINTS, random),
    };
    let together = random.vector(far);
    for matrix in &mut matrices {
        let reach = if random.once_in(3) { far } else { 1.0 };
        let apart = random.vector(reach);
        for (row, by) in matrix.rows.iter_mut().zip(std::iter::zip(together, apart)) {
            row[3] += by.0 + by.1;
        }
    }
    matrices
}

#[test]
fn bounds_contain_every_skinned_vertex_on_every_backend() {
    every_backend(|run| {
        let mut random = Random::new(610);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            let mesh = test_mesh.mesh(&[1, 2, 3]);
            let check = BoundsCheck::new(&mesh);
            for pose in 0..POSES {
                let palette = test_mesh.palette(&random_matrices(&mut random));
                for max_influences in LEVELS {
                    let options = SkinOptions::default().with_max_influences(max_influences);
                    let name = format!("{run}, {}, pose {pose}, {max_influences}", test_mesh.name);
                    check.assert_contains_vertices(&palette, &options, &BoundsOptions::default(), &name);
                }
            }
        }
    });
}

#[test]
fn a_far_joint_with_a_tiny_weight_enlarges_the_bounds() {
    let root = Bone::new("root", None, Transform::IDENTITY);
    let skeleton = Skeleton::new(&[root, Bone::new("far", Some(0), Transform::IDENTITY)]).unwrap();
    let skin = Skin::new(&skeleton, &[JointId::new(0), JointId::new(1)]).unwrap();
    let influences = Influences::Variable { counts: &[2], joints: &[0, 1], weights: &[1.0, 4e-7] };
    let mesh = Mesh::new(&MeshSource::new(&[[0.0; 3]], influences), &skin).unwrap();
    let (mut palette, mut skinned) =
        (Palette::new(&skin), Skinned::new(&mesh, Attributes::Positions).unwrap());
    for far in [1e6, f32::NAN] {
        let mut matrices = [Matrix::IDENTITY; 2];
        matrices[1].rows[0][3] = far;
        palette.update(&matrices, &skin).unwrap();
        mesh.skin(&palette, &SkinOptions::default(), &mut skinned).unwrap();
        let bounds = JointBounds::build(&mesh).aabb(&palette, &BoundsOptions::default()).unwrap();
        let [x, ..] = skinned.position(&mesh, 0);
        assert!(!(x < bounds.min[0] || x > bounds.max[0]), "{x} in {bounds:?}");
        assert!(far.is_finite() || bounds.max[0] == f32::INFINITY, "{bounds:?}");
    }
}

#[test]
fn a_transformed_box_contains_its_points_in_any_order_of_operations() {
    let random = &mut Random::new(611);
    for _ in 0..if EMULATED { 200 } else { 5_000 } {
        let size = [1e-30, 1e-3, 1.0, 1e6][random.below(4)];
        let ends = [random.vector(size), random.vector(size)];
        let bounds = Aabb::from_points(&ends);
        let matrix = random_matrices(random)[0];
        let transformed = transform_aabb(&bounds, &matrix);
        for _ in 0..20 {
            let point: [f32; 3] = std::array::from_fn(|c| {
                [bounds.min[c], bounds.max[c], random.between(bounds.min[c], bounds.max[c])][random.below(3)]
            });
            let point: [f32; 3] = std::array::from_fn(|c| point[c].clamp(bounds.min[c], bounds.max[c]));
            let orders = [
                matrix.rows.map(|r| r[0] * point[0] + r[1] * point[1] + r[2] * point[2] + r[3]),
                matrix
                    .rows
                    .map(|r| r[0].mul_add(point[0], r[1].mul_add(point[1], r[2].mul_add(point[2], r[3])))),
                matrix.rows.map(|r| (r[3] + r[2] * point[2]) + (r[0] * point[0] + r[1] * point[1])),
            ];
            for found in orders {
                assert!(contains(&transformed, found), "{found:?} outside of {transformed:?}");
            }
        }
    }
}

#[test]
fn a_transformed_box_is_tight_up_to_rounding() {
    let random = &mut Random::new(612);
    for _ in 0..1_000 {
        let bounds = Aabb::from_points(&[random.vector(2.0), random.vector(2.0)]);
        let matrix = rigs::rigid_matrices(1, random)[0];
        let transformed = transform_aabb(&bounds, &matrix);
        let corner = |code: usize| {
            std::array::from_fn(|c| if code >> c & 1 == 0 { bounds.min[c] } else { bounds.max[c] })
        };
        let corners: Vec<[f32; 3]> = (0..8).map(|code| matrix.transform_point(corner(code))).collect();
        let exact = Aabb::from_points(&corners);
        let largest = matrix.rows.iter().map(|row| 6.0 + row[3].abs()).fold(0.0, f32::max);
        for axis in 0..3 {
            assert!(exact.min[axis] - transformed.min[axis] < 2e-6 * largest);
            assert!(transformed.max[axis] - exact.max[axis] < 2e-6 * largest);
        }
    }
}

#[test]
fn non_finite_and_huge_matrices_give_infinite_bounds() {
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    let cube = Aabb { min: [-1.0; 3], max: [1.0; 3] };
    let mut random = Random::new(613);
    let runtime = fast_runtime();
    let test_mesh = TestMesh::shared_joints(runtime, 60, &mut random);
    let mesh = test_mesh.mesh(&[]);
    let used = mesh.influences().joints[0] as usize;
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 2e37] {
        for element in 0..12 {
            let mut matrices = vec![Matrix::IDENTITY; JOINTS];
            matrices[used].rows[element / 4][element % 4] = bad;
            assert_eq!(transform_aabb(&cube, &matrices[used]), everything);
            let palette = test_mesh.palette(&matrices);
            assert_eq!(JointBounds::build(&mesh).aabb(&palette, &BoundsOptions::default()), Ok(everything));
            let sphere = JointBounds::build(&mesh).sphere(&palette, &BoundsOptions::default()).unwrap();
            assert_eq!(sphere.radius, f32::INFINITY);
        }
        for end in 0..6 {
            let mut bounds = cube;
            let to = if end < 3 { &mut bounds.min[end] } else { &mut bounds.max[end - 3] };
            *to = if end < 3 { -bad } else { bad };
            let transformed = transform_aabb(&bounds, &Matrix::IDENTITY);
            assert!(
                transformed == everything || bounds.is_empty() && transformed == Aabb::EMPTY,
                "{transformed:?}"
            );
        }
    }
}

#[test]
fn an_empty_mesh_has_empty_bounds() {
    assert_eq!(transform_aabb(&Aabb::EMPTY, &Matrix::IDENTITY), Aabb::EMPTY);
    let mut random = Random::new(614);
    let runtime = fast_runtime();
    for test_mesh in TestMesh::every_layout(runtime, 0, &mut random) {
        let mesh = TestMesh { grouping: None, ..test_mesh }.mesh(&[]);
        let skin = identity_skin(JOINTS);
        let palette = build_palette(&skin, &[Matrix::IDENTITY; JOINTS]);
        assert_eq!(JointBounds::build(&mesh).aabb(&palette, &BoundsOptions::default()), Ok(Aabb::EMPTY));
        assert!(JointBounds::build(&mesh).sphere(&palette, &BoundsOptions::default()).unwrap().is_empty());
        let mut joints = [Aabb { min: [0.0; 3], max: [0.0; 3] }; JOINTS];
        JointBounds::build(&mesh).joint_aabbs(&palette, &BoundsOptions::default(), &mut joints).unwrap();
        assert_eq!(joints, [Aabb::EMPTY; JOINTS]);
    }
}

#[test]
fn wrong_lengths_are_rejected() {
    let mut random = Random::new(615);
    let runtime = fast_runtime();
    let mesh = TestMesh::shared_joints(runtime, 60, &mut random).mesh(&[]);
    let other = identity_skin(JOINTS + 1);
    let palette = build_palette(&other, &[Matrix::IDENTITY; JOINTS + 1]);
    let expected = LengthError { what: "palette", expected: JOINTS, found: JOINTS + 1 }.into();
    assert_eq!(JointBounds::build(&mesh).aabb(&palette, &BoundsOptions::default()), Err(expected));
    let skin = identity_skin(JOINTS);
    let palette = build_palette(&skin, &[Matrix::IDENTITY; JOINTS]);
    let found =
        JointBounds::build(&mesh).joint_aabbs(&palette, &BoundsOptions::default(), &mut [Aabb::EMPTY; 3]);
    assert_eq!(found, Err(LengthError { what: "bounds of joints", expected: JOINTS, found: 3 }.into()));
}
