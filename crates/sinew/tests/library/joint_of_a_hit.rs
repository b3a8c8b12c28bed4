//! The joint that has most weight at a point: mixed by barycentrics, ties and numbers that are none.

use sinew::{Bone, InfluenceData, Influences, Mesh, MeshSource, Skeleton, Skin, Transform};
use sinew_testkit::random::Random;

/// A triangle for each three vertices, held as listed.
fn mesh(joints: usize, counts: &[u32], of: &[u32], weights: &[f32]) -> Mesh {
    let skeleton = Skeleton::new(&vec![Bone::new("", None, Transform::IDENTITY); joints]).expect("roots");
    let skin = Skin::new(&skeleton, &(0..joints).collect::<Vec<_>>()).expect("joints of the skeleton");
    let positions: Vec<[f32; 3]> = (0..counts.len()).map(|vertex| [vertex as f32, 1.0, 0.0]).collect();
    let triangles: Vec<[u32; 3]> =
        (0..counts.len() as u32 / 3).map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner)).collect();
    let influences = Influences::Listed { counts, joints: of, weights };
    let source = MeshSource { triangles: &triangles, ..MeshSource::new(&positions, influences) };
    Mesh::new(&source, &skin).expect("a sound mesh")
}

#[test]
fn the_corner_that_has_most_of_the_point_gives_its_joint() {
    let mesh = mesh(3, &[1, 1, 1], &[2, 0, 1], &[1.0; 3]);
    assert_eq!(mesh.joint_at(0, [0.5, 0.3, 0.2]), 2);
    assert_eq!(mesh.joint_at(0, [0.2, 0.5, 0.3]), 0);
    assert_eq!(mesh.joint_at(0, [0.1, 0.2, 0.7]), 1);
}

#[test]
fn corners_that_share_a_joint_add_up() {
    // The first corner is nearest, but the others hang on one joint together.
    let mesh = mesh(2, &[1, 2, 2], &[0, 1, 0, 1, 0], &[1.0, 0.9, 0.1, 0.9, 0.1]);
    assert_eq!(mesh.joint_at(0, [0.4, 0.3, 0.3]), 1);
}

#[test]
fn of_equal_weights_the_first_joint_counts() {
    let (third, half) = (1.0 / 3.0, 0.5);
    let one_each = mesh(3, &[1, 1, 1], &[2, 1, 0], &[1.0; 3]);
    assert_eq!(one_each.joint_at(0, [third; 3]), 0);
    assert_eq!(one_each.joint_at(0, [half, half, 0.0]), 1);
    assert_eq!(one_each.joint_at(0, [half, 0.0, half]), 0);
    let halves = mesh(4, &[2, 2, 2], &[3, 1, 3, 1, 3, 1], &[0.5; 6]);
    assert_eq!(halves.joint_at(0, [0.2, 0.5, 0.3]), 1);
}

#[test]
fn barycentrics_that_are_none_count_as_zero() {
    let mesh = mesh(3, &[1, 1, 1], &[2, 0, 1], &[1.0; 3]);
    assert_eq!(mesh.joint_at(0, [f32::NAN, 0.3, 0.2]), 0);
    assert_eq!(mesh.joint_at(0, [f32::NAN, f32::NAN, 1e-30]), 1);
    assert_eq!(mesh.joint_at(0, [f32::INFINITY, 0.3, 0.2]), 2);
    // Nothing has weight: the first of the joints that hold the corners.
    for nothing in [[0.0; 3], [-1.0; 3], [f32::NAN; 3]] {
        assert_eq!(mesh.joint_at(0, nothing), 0, "{nothing:?}");
    }
}

#[test]
fn any_point_has_the_joint_of_the_largest_sum() {
    let random = &mut Random::new(670);
    let (mut counts, mut of, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..300 {
        let first = random.below(9) as u32;
        let count = 1 + random.below(4) as u32;
        counts.push(count);
        of.extend((0..count).map(|next| (first + next) % 9));
        weights.extend((0..count).map(|_| random.between(0.1, 1.0)));
    }
    let mesh = mesh(9, &counts, &of, &weights);
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
        let found = mesh.joint_at(triangle, barycentrics);
        let most = sums.iter().copied().fold(0.0, f64::max);
        assert!(sums[found] > most - 1e-6, "triangle {triangle}: joint {found} of {sums:?}");
    }
}
