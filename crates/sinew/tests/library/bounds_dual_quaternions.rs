//! Bounds with dual quaternions. Their blends leave the convex hull of the joints' rigid
//! transforms.

use sinew::bounds::{BoundsError, BoundsOptions, JointBounds};
use sinew::skeleton::{Joint, Scale};
use sinew::skinning::{Blending, DualQuaternionPalette, DualQuaternionWeights};
use sinew::{Aabb, Matrix, Mesh, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::bounds_check::BoundsCheck;
use crate::support::test_meshes::{JOINTS, TestMesh};
use crate::support::vertex_cloud::{VertexCloud, build_palette, identity_skin};

const VERTICES: usize = if EMULATED { 60 } else { 200 };
const POSES: usize = if EMULATED { 4 } else { 60 };

/// Rotations that are hard to blend: random, equal, half a turn apart, or nearly so.
fn random_rotation(kind: usize, base: [f32; 4], random: &mut Random) -> [f32; 4] {
    let specials = rigs::special_rotations();
    let [x, y, z, w] = match kind {
        0 => rigs::rotation(random),
        1 => specials[random.below(specials.len())],
        2 => base,
        // Half a turn from the base about x, y or z.
        _ => {
            let [x, y, z, w] = base;
            [[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z], base][random.below(4)]
        }
    };
    let near = [0.0, 1e-7, 1e-4, 1e-3, 0.2][random.below(5)];
    let sign = if random.once_in(2) { -1.0 } else { 1.0 };
    rigs::unit([x, y, z, w].map(|c| f64::from(sign * (c + random.between(-near, near)))))
}

fn random_matrices(random: &mut Random) -> Vec<Matrix> {
    let (kind, base) = (random.below(5), rigs::rotation(random));
    let far = [0.0, 0.1, 2.0, 1e3][random.below(4)];
    let scaled = random.below(4);
    let even = random.between(0.01, 3.0);
    let matrix = |_| {
        let own = if kind == 4 { random.below(4) } else { kind };
        let joint = Joint::new(random_rotation(own, base, random), random.vector(far));
        let scale = match scaled {
            0 => rigs::scale(random),
            1 => Scale::new([even; 3]),
            _ => Scale::ONE,
        };
        Matrix::from_joint(&joint, scale)
    };
    (0..JOINTS).map(matrix).collect()
}

#[test]
fn bounds_contain_every_dual_quaternion_skinned_vertex_on_every_backend() {
    every_backend(|run| {
        let mut random = Random::new(620);
        let test_meshes = TestMesh::every_layout(runtime(run), VERTICES, &mut random);
        for test_mesh in test_meshes.iter().filter(|test_mesh| test_mesh.joint_space_vectors.is_none()) {
            let mesh = test_mesh.mesh(&[1, 2, 3]);
            let check = BoundsCheck::new(&mesh);
            let by_vertex: Vec<f32> = (0..mesh.len()).map(|_| random.fraction()).collect();
            let dual_weights =
                DualQuaternionWeights::new(&mesh, &by_vertex).expect("a weight for each vertex");
            let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
            for pose in 0..POSES {
                let palette = test_mesh.palette(&random_matrices(&mut random));
                dual_quaternions.update(&palette).expect("a palette of the skin");
                for blending in [
                    Blending::DualQuaternion(&dual_quaternions),
                    Blending::Mixed(&dual_quaternions, &dual_weights),
                ] {
                    for max_influences in [usize::MAX, 1, 2, 3] {
                        let skin = SkinOptions::default()
                            .with_blending(blending)
                            .with_max_influences(max_influences);
                        let bounds = BoundsOptions::default().with_blending(blending);
                        let name = format!("{run}, {}, pose {pose}, {max_influences}", test_mesh.name);
                        check.assert_contains_vertices(&palette, &skin, &bounds, &name);
                    }
                }
            }
        }
    });
}

/// A single vertex: no other vertex farther out can hide bounds that are too small.
#[test]
fn bounds_contain_a_single_vertex_for_any_joint_rotations() {
    let random = &mut Random::new(621);
    let cases = if EMULATED { 2_000 } else { 100_000 };
    for case in 0..cases {
        let count = 1 + random.below(4);
        let skin = identity_skin(count);
        let cloud = VertexCloud {
            positions: vec![random.vector(2.0)],
            normals: vec![[0.0, 0.0, 1.0]],
            tangents: vec![[1.0, 0.0, 0.0, 1.0]],
            counts: vec![count as u32],
            joints: (0..count as u32).collect(),
            weights: (0..count).map(|_| random.between(0.01, 1.0)).collect(),
            triangles: Vec::new(),
        };
        let mesh: Mesh = cloud.mesh(&skin);
        let palette = build_palette(&skin, &random_matrices(random)[..count]);
        let mut dual_quaternions = DualQuaternionPalette::new(&skin);
        dual_quaternions.update(&palette).expect("a palette of the skin");
        let blending = Blending::DualQuaternion(&dual_quaternions);
        let skin = SkinOptions::default().with_blending(blending);
        let bounds = BoundsOptions::default().with_blending(blending);
        BoundsCheck::new(&mesh).assert_contains_vertices(&palette, &skin, &bounds, &format!("case {case}"));
    }
}

#[test]
fn equal_joint_rotations_add_no_dual_quaternion_margin() {
    let mut random = Random::new(622);
    let runtime = fast_runtime();
    let test_mesh = TestMesh::shared_joints(runtime, VERTICES, &mut random);
    let mesh = test_mesh.mesh(&[]);
    let palette = test_mesh.palette(&[rigs::rigid_matrices(1, &mut random)[0]; JOINTS]);
    let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
    dual_quaternions.update(&palette).unwrap();
    let linear = JointBounds::build(&mesh).aabb(&palette, &BoundsOptions::default()).unwrap();
    let options = BoundsOptions::default().with_blending(Blending::DualQuaternion(&dual_quaternions));
    let found = JointBounds::build(&mesh).aabb(&palette, &options).unwrap();
    for axis in 0..3 {
        assert!((linear.min[axis] - found.min[axis]).abs() < 1e-2, "{linear:?} {found:?}");
        assert!((linear.max[axis] - found.max[axis]).abs() < 1e-2, "{linear:?} {found:?}");
    }
}

#[test]
fn non_finite_matrices_give_infinite_bounds_and_joint_space_is_rejected() {
    let mut random = Random::new(623);
    let runtime = fast_runtime();
    let [grouped, _, _, joint_space] = TestMesh::every_layout(runtime, VERTICES, &mut random);
    let mesh = grouped.mesh(&[]);
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        let mut matrices = vec![Matrix::IDENTITY; JOINTS];
        matrices[mesh.influences().joints[0] as usize].rows[1][1] = bad;
        let palette = grouped.palette(&matrices);
        let mut dual_quaternions = DualQuaternionPalette::new(&grouped.skin);
        dual_quaternions.update(&palette).unwrap();
        let options = BoundsOptions::default().with_blending(Blending::DualQuaternion(&dual_quaternions));
        let found = JointBounds::build(&mesh).aabb(&palette, &options).unwrap();
        assert!(found == everything || bad == 1e30 && !found.is_empty(), "{bad}: {found:?}");
    }
    let palette = joint_space.palette(&[Matrix::IDENTITY; JOINTS]);
    let dual_quaternions = DualQuaternionPalette::new(&joint_space.skin);
    let options = BoundsOptions::default().with_blending(Blending::DualQuaternion(&dual_quaternions));
    assert_eq!(
        JointBounds::build(&joint_space.mesh(&[])).aabb(&palette, &options),
        Err(BoundsError::DualQuaternionsInJointSpace)
    );
}

#[test]
fn bounds_allocate_nothing_once_built() {
    let mut random = Random::new(624);
    let runtime = fast_runtime();
    let test_mesh = TestMesh::shared_joints(runtime, VERTICES, &mut random);
    let bounds = JointBounds::build(&test_mesh.mesh(&[]));
    let palette = test_mesh.palette(&random_matrices(&mut random));
    let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
    dual_quaternions.update(&palette).unwrap();
    let options = [Blending::Linear, Blending::DualQuaternion(&dual_quaternions)]
        .map(|blending| BoundsOptions::default().with_blending(blending));
    let mut joints = [Aabb::EMPTY; JOINTS];
    let all = || {
        for options in &options {
            bounds.aabb(&palette, options).unwrap();
            bounds.sphere(&palette, options).unwrap();
            bounds.joint_aabbs(&palette, options, &mut joints).unwrap();
        }
    };
    assert_eq!(allocation_counter::measure(all).count_total, 0);
}
