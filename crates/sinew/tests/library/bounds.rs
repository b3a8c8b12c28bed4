//! Bounds from joints alone: nothing that is skinned is outside of them, whatever skins it.

use crate::cloud;
use crate::held;

use crate::held::Holds;
use crate::subjects::{JOINTS, Subject};
use sinew::{
    Aabb, Attributes, Bone, BoundsOptions, Error, Influences, Matrix, Mesh, MeshSource, Palette, Skeleton,
    Skin, SkinOptions, Skinned, Transform, moved_bounds,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

const VERTICES: usize = if EMULATED { 60 } else { 300 };
const POSES: usize = if EMULATED { 3 } else { 40 };
const LEVELS: [usize; 4] = [usize::MAX, 1, 2, 3];

/// Matrices of every temper: near, far away, still, wildly stretched.
fn matrices(random: &mut Random) -> Vec<Matrix> {
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
fn every_skinned_vertex_is_held_on_every_isa() {
    every_backend(|run| {
        let mut random = Random::new(610);
        for subject in Subject::every(run.kernels, VERTICES, &mut random) {
            let mesh = subject.mesh(&[1, 2, 3]);
            let holds = Holds::new(&mesh);
            for pose in 0..POSES {
                let palette = subject.palette(&matrices(&mut random));
                for max_influences in LEVELS {
                    let options = SkinOptions { max_influences, ..SkinOptions::default() };
                    let name = format!("{run}, {}, pose {pose}, {max_influences}", subject.name);
                    holds.all(&palette, &options, &BoundsOptions::default(), &name);
                }
            }
        }
    });
}

#[test]
fn a_joint_that_hardly_weighs_is_counted_however_far_away() {
    let root = Bone::new("root", None, Transform::IDENTITY);
    let skeleton = Skeleton::new(&[root, Bone::new("far", Some(0), Transform::IDENTITY)]).unwrap();
    let skin = Skin::new(&skeleton, &[0, 1]).unwrap();
    let influences = Influences::Listed { counts: &[2], joints: &[0, 1], weights: &[1.0, 4e-7] };
    let mesh = Mesh::new(&MeshSource::new(&[[0.0; 3]], influences), &skin).unwrap();
    let (mut palette, mut skinned) =
        (Palette::new(&skin), Skinned::new(&mesh, Attributes::Positions).unwrap());
    for far in [1e6, f32::NAN] {
        let mut matrices = [Matrix::IDENTITY; 2];
        matrices[1].rows[0][3] = far;
        palette.update(&matrices, &skin).unwrap();
        mesh.skin(&palette, &SkinOptions::default(), &mut skinned).unwrap();
        let bounds = mesh.bounds(&palette, &BoundsOptions::default()).unwrap();
        let [x, ..] = skinned.position(&mesh, 0);
        assert!(!(x < bounds.min[0] || x > bounds.max[0]), "{x} in {bounds:?}");
        assert!(far.is_finite() || bounds.max[0] == f32::INFINITY, "{bounds:?}");
    }
}

#[test]
fn a_moved_box_holds_every_point_as_any_order_moves_it() {
    let random = &mut Random::new(611);
    for _ in 0..if EMULATED { 200 } else { 5_000 } {
        let size = [1e-30, 1e-3, 1.0, 1e6][random.below(4)];
        let ends = [random.vector(size), random.vector(size)];
        let bounds = Aabb::from_points(&ends);
        let matrix = matrices(random)[0];
        let moved = moved_bounds(&bounds, &matrix);
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
                assert!(held::within(&moved, found), "{found:?} outside of {moved:?}");
            }
        }
    }
}

#[test]
fn a_moved_box_is_hardly_larger_than_it_must_be() {
    let random = &mut Random::new(612);
    for _ in 0..1_000 {
        let bounds = Aabb::from_points(&[random.vector(2.0), random.vector(2.0)]);
        let matrix = rigs::rigid_matrices(1, random)[0];
        let moved = moved_bounds(&bounds, &matrix);
        let corner = |code: usize| {
            std::array::from_fn(|c| if code >> c & 1 == 0 { bounds.min[c] } else { bounds.max[c] })
        };
        let corners: Vec<[f32; 3]> = (0..8).map(|code| matrix.transform_point(corner(code))).collect();
        let exact = Aabb::from_points(&corners);
        let largest = matrix.rows.iter().map(|row| 6.0 + row[3].abs()).fold(0.0, f32::max);
        for axis in 0..3 {
            assert!(exact.min[axis] - moved.min[axis] < 2e-6 * largest);
            assert!(moved.max[axis] - exact.max[axis] < 2e-6 * largest);
        }
    }
}

#[test]
fn what_is_not_a_number_or_too_large_is_everywhere() {
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    let cube = Aabb { min: [-1.0; 3], max: [1.0; 3] };
    let mut random = Random::new(613);
    let kernels = sinew::backend::default().expect("a backend").kernels(sinew::FloatMode::Fast);
    let subject = Subject::grouped(kernels, 60, &mut random);
    let mesh = subject.mesh(&[]);
    let used = mesh.influences().joints[0] as usize;
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 2e37] {
        for element in 0..12 {
            let mut matrices = vec![Matrix::IDENTITY; JOINTS];
            matrices[used].rows[element / 4][element % 4] = bad;
            assert_eq!(moved_bounds(&cube, &matrices[used]), everything);
            let palette = subject.palette(&matrices);
            assert_eq!(mesh.bounds(&palette, &BoundsOptions::default()), Ok(everything));
            let sphere = mesh.sphere(&palette, &BoundsOptions::default()).unwrap();
            assert_eq!(sphere.radius, f32::INFINITY);
        }
        for end in 0..6 {
            let mut bounds = cube;
            let to = if end < 3 { &mut bounds.min[end] } else { &mut bounds.max[end - 3] };
            *to = if end < 3 { -bad } else { bad };
            let moved = moved_bounds(&bounds, &Matrix::IDENTITY);
            assert!(moved == everything || bounds.is_empty() && moved == Aabb::EMPTY, "{moved:?}");
        }
    }
}

#[test]
fn nothing_is_nowhere() {
    assert_eq!(moved_bounds(&Aabb::EMPTY, &Matrix::IDENTITY), Aabb::EMPTY);
    let mut random = Random::new(614);
    let kernels = sinew::backend::default().expect("a backend").kernels(sinew::FloatMode::Fast);
    for subject in Subject::every(kernels, 0, &mut random) {
        let mesh = Subject { form: None, ..subject }.mesh(&[]);
        let skin = cloud::skin(JOINTS);
        let palette = cloud::palette(&skin, &[Matrix::IDENTITY; JOINTS]);
        assert_eq!(mesh.bounds(&palette, &BoundsOptions::default()), Ok(Aabb::EMPTY));
        assert!(mesh.sphere(&palette, &BoundsOptions::default()).unwrap().is_empty());
        let mut joints = [Aabb { min: [0.0; 3], max: [0.0; 3] }; JOINTS];
        mesh.joint_bounds(&palette, &BoundsOptions::default(), &mut joints).unwrap();
        assert_eq!(joints, [Aabb::EMPTY; JOINTS]);
    }
}

#[test]
fn wrong_lengths_are_refused() {
    let mut random = Random::new(615);
    let kernels = sinew::backend::default().expect("a backend").kernels(sinew::FloatMode::Fast);
    let mesh = Subject::grouped(kernels, 60, &mut random).mesh(&[]);
    let other = cloud::skin(JOINTS + 1);
    let palette = cloud::palette(&other, &[Matrix::IDENTITY; JOINTS + 1]);
    let expected = Error::Length { what: "palette", expected: JOINTS, found: JOINTS + 1 };
    assert_eq!(mesh.bounds(&palette, &BoundsOptions::default()), Err(expected));
    let skin = cloud::skin(JOINTS);
    let palette = cloud::palette(&skin, &[Matrix::IDENTITY; JOINTS]);
    let found = mesh.joint_bounds(&palette, &BoundsOptions::default(), &mut [Aabb::EMPTY; 3]);
    assert_eq!(found, Err(Error::Length { what: "bounds of joints", expected: JOINTS, found: 3 }));
}
