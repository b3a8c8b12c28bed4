//! The joint with the largest weight at a point of a triangle, weighted by barycentrics.

use sinew::mesh::InfluenceData;
use sinew::skeleton::SkinJoint;
use sinew::{Bone, Influences, Mesh, MeshSource, Skeleton, Skin, Transform};
use sinew_testkit::random::Random;

use crate::support::joints::first_joints;

/// A mesh of one triangle for each three vertices, with listed influences.
fn build_mesh(joints: usize, counts: &[u32], influence_joints: &[u32], weights: &[f32]) -> Mesh {
    let skeleton = Skeleton::new(&vec![Bone::new("", None, Transform::IDENTITY); joints]).expect("roots");
    let skin = Skin::new(&skeleton, &first_joints(joints)).expect("joints of the skeleton");
    let positions: Vec<[f32; 3]> = (0..counts.len()).map(|vertex| [vertex as f32, 1.0, 0.0]).collect();
    let triangles: Vec<[u32; 3]> =
        (0..counts.len() as u32 / 3).map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner)).collect();
    let influences = Influences::Variable { counts, joints: influence_joints, weights };
    let source = MeshSource { triangles: &triangles, ..MeshSource::new(&positions, influences) };
    Mesh::new(&source, &skin).expect("a valid mesh")
}

#[test]
fn the_corner_with_the_largest_barycentric_gives_its_joint() {
    let mesh = build_mesh(3, &[1, 1, 1], &[2, 0, 1], &[1.0; 3]);
    assert_eq!(mesh.dominant_joint(0, [0.5, 0.3, 0.2]), SkinJoint::new(2));
    assert_eq!(mesh.dominant_joint(0, [0.2, 0.5, 0.3]), SkinJoint::new(0));
    assert_eq!(mesh.dominant_joint(0, [0.1, 0.2, 0.7]), SkinJoint::new(1));
}

#[test]
fn weights_of_one_joint_add_up_over_the_corners() {
    // The first corner is nearest, but both other corners are on one joint.
    let mesh = build_mesh(2, &[1, 2, 2], &[0, 1, 0, 1, 0], &[1.0, 0.9, 0.1, 0.9, 0.1]);
    assert_eq!(mesh.dominant_joint(0, [0.4, 0.3, 0.3]), SkinJoint::new(1));
}

#[test]
fn the_lowest_joint_wins_a_tie() {
    let (third, half) = (1.0 / 3.0, 0.5);
    let one_each = build_mesh(3, &[1, 1, 1], &[2, 1, 0], &[1.0; 3]);
    assert_eq!(one_each.dominant_joint(0, [third; 3]), SkinJoint::new(0));
    assert_eq!(one_each.dominant_joint(0, [half, half, 0.0]), SkinJoint::new(1));
    assert_eq!(one_each.dominant_joint(0, [half, 0.0, half]), SkinJoint::new(0));
    let halves = build_mesh(4, &[2, 2, 2], &[3, 1, 3, 1, 3, 1], &[0.5; 6]);
    assert_eq!(halves.dominant_joint(0, [0.2, 0.5, 0.3]), SkinJoint::new(1));
}

#[test]
fn nan_and_negative_barycentrics_count_as_zero() {
    let mesh = build_mesh(3, &[1, 1, 1], &[2, 0, 1], &[1.0; 3]);
    assert_eq!(mesh.dominant_joint(0, [f32::NAN, 0.3, 0.2]), SkinJoint::new(0));
    assert_eq!(mesh.dominant_joint(0, [f32::NAN, f32::NAN, 1e-30]), SkinJoint::new(1));
    assert_eq!(mesh.dominant_joint(0, [f32::INFINITY, 0.3, 0.2]), SkinJoint::new(2));
    // Without any weight, the lowest joint of the corners is returned.
    for nothing in [[0.0; 3], [-1.0; 3], [f32::NAN; 3]] {
        assert_eq!(mesh.dominant_joint(0, nothing), SkinJoint::new(0), "{nothing:?}");
    }
}

#[test]
fn the_joint_with_the_largest_weight_sum_is_found() {
    let random = &mut Random::new(670);
    let (mut counts, mut influence_joints, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..300 {
        let first = random.below(9) as u32;
        let count = 1 + random.below(4) as u32;
        counts.push(count);
        influence_joints.extend((0..count).map(|next| (first + next) % 9));
        weights.extend((0..count).map(|_| random.between(0.1, 1.0)));
    }
    let mesh = build_mesh(9, &counts, &influence_joints, &weights);
    let InfluenceData { counts, joints, weights, .. } = mesh.influences();
    let starts: Vec<usize> = counts
        .iter()
        .scan(0, |end, &count| {
            *end += count as usize;
            Some(*end - count as usize)
        })
        .collect();
    for triangle in 0..100 {
        let [u, v] = [random.fraction(), random.fraction()];
        let barycentrics = [0.5 * u, 0.5 * v, 1.0 - 0.5 * (u + v)];
        let mut sums = [0.0_f64; 9];
        for (corner, part) in barycentrics.into_iter().enumerate() {
            let vertex = 3 * triangle + corner;
            for influence in starts[vertex]..starts[vertex] + counts[vertex] as usize {
                sums[joints[influence] as usize] += f64::from(part) * f64::from(weights[influence]);
            }
        }
        let found = mesh.dominant_joint(triangle, barycentrics);
        let most = sums.iter().copied().fold(0.0, f64::max);
        assert!(sums[found.index()] > most - 1e-6, "triangle {triangle}: joint {found} of {sums:?}");
    }
}
