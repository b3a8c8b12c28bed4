//! The papers' joint routines against an independent `f64` evaluation, each within its stated
//! tolerance.

use sinew_kernels::{Joint, Matrix, NO_PARENT, Scale};
use sinew_papers::{Parents, plain};

/// The five routines of one implementation, and the relative error of its reciprocal square root.
struct Implementation {
    name: &'static str,
    root_tolerance: f64,
    joints_to_matrices: fn(&[Joint], &mut [Matrix]),
    matrices_to_joints: fn(&[Matrix], &mut [Joint]),
    local_to_model: fn(&Parents<'_>, &mut [Matrix]),
    model_to_local: fn(&Parents<'_>, &mut [Matrix]),
    palette: fn(&[Matrix], &[Matrix], &mut [Matrix]),
}

const PLAIN: Implementation = Implementation {
    name: "plain",
    // The bit trick after one Newton step.
    root_tolerance: 1.8e-3,
    joints_to_matrices: plain::joints_to_matrices,
    matrices_to_joints: plain::matrices_to_joints,
    local_to_model: plain::local_to_model,
    model_to_local: plain::model_to_local,
    palette: plain::palette,
};

#[cfg(target_arch = "x86_64")]
const SSE2: Implementation = {
    use sinew_papers::sse2;
    Implementation {
        name: "sse2",
        // The 12-bit estimate after one Newton step.
        root_tolerance: 5e-7,
        joints_to_matrices: sse2::joints_to_matrices,
        matrices_to_joints: sse2::matrices_to_joints,
        local_to_model: sse2::local_to_model,
        model_to_local: sse2::model_to_local,
        palette: sse2::palette,
    }
};

/// The tolerance for elements of rotations and sums of four products of numbers up to about one.
const ROUNDING: f64 = 5e-7;

const IMPLEMENTATIONS: &[Implementation] = &[
    PLAIN,
    #[cfg(target_arch = "x86_64")]
    SSE2,
];

fn lengths() -> impl Iterator<Item = usize> {
    (0..=70).chain([999])
}

/// A guard value around outputs, which must stay unchanged.
const GUARD: Matrix = Matrix { rows: [[7.0, -7.0, 77.0, -77.0]; 3] };

#[test]
fn joints_become_sinews_matrices_of_the_conjugate() {
    let mut random = Random(1);
    for (implementation, len) in every_implementation_and_length() {
        let joints: Vec<Joint> = (0..len).map(|_| random.joint()).collect();
        let mut matrices = vec![GUARD; len + 2];
        (implementation.joints_to_matrices)(&joints, &mut matrices[1..=len]);
        assert_eq!([matrices[0], matrices[len + 1]], [GUARD; 2], "{}, {len} joints", implementation.name);
        for (joint, matrix) in joints.iter().zip(&matrices[1..]) {
            let [x, y, z, w] = joint.rotation;
            let conjugate = Joint::new([-x, -y, -z, w], joint.translation);
            let ours = Matrix::from_joint(&conjugate, Scale::ONE);
            assert_near(&wide(matrix), &wide(&ours), ROUNDING, implementation);
            assert_near(&wide(matrix), &papers_matrix(joint), ROUNDING, implementation);
            assert_eq!(matrix.translation(), joint.translation, "{}", implementation.name);
        }
    }
}

#[test]
fn matrices_become_the_joints_they_came_from() {
    let mut random = Random(2);
    for (implementation, len) in every_implementation_and_length() {
        let joints: Vec<Joint> = (0..len).map(|_| random.joint()).collect();
        check_matrices_to_joints(implementation, &joints);
    }
}

#[test]
fn every_largest_component_comes_back_in_every_lane() {
    for implementation in IMPLEMENTATIONS {
        for largest in 0..4 {
            for sign in [1.0, -1.0] {
                let mut rotation = [0.1, -0.2, 0.3, 0.25];
                rotation[largest] = sign;
                let joint = Joint::new(unit(rotation), [1.0, 2.0, 3.0]);
                check_matrices_to_joints(implementation, &[joint; 7]);
            }
            // The other lanes take other cases.
            let joints: Vec<Joint> = (0..8).map(|i| axis((largest + i) % 4)).collect();
            check_matrices_to_joints(implementation, &joints);
        }
    }
}

#[test]
fn ties_between_components_come_back() {
    let ties = [
        [1.0, 1.0, 1.0, 1.0],
        [1.0, 1.0, 1.0, 0.0],
        [1.0, 1.0, 0.0, 0.0],
        [0.0, 1.0, 1.0, 0.0],
        [1.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0, 1.0],
        [1.0, -1.0, 1.0, -1.0],
    ];
    for implementation in IMPLEMENTATIONS {
        check_matrices_to_joints(implementation, &ties.map(|tie| Joint::new(unit(tie), [0.0; 3])));
    }
}

#[test]
fn local_to_model_multiplies_by_parents_within_the_range_only() {
    let mut random = Random(3);
    for (implementation, len) in every_implementation_and_length() {
        let (parents, local) = random.skeleton(len);
        for range in ranges(len) {
            let mut matrices = local.clone();
            let mut expected: Vec<Wide> = local.iter().map(wide).collect();
            for joint in range.clone() {
                expected[joint] = product(&expected[parents[joint] as usize], &expected[joint]);
            }
            (implementation.local_to_model)(&Parents::new(&parents, range.clone()), &mut matrices);
            for joint in 0..len {
                assert_near(
                    &wide(&matrices[joint]),
                    &expected[joint],
                    depth_tolerance(&parents, joint),
                    implementation,
                );
                assert!(
                    range.contains(&joint) || matrices[joint] == local[joint],
                    "{}: {joint}",
                    implementation.name
                );
            }
        }
    }
}

#[test]
fn model_to_local_multiplies_by_transposed_parents_within_the_range_only() {
    let mut random = Random(4);
    for (implementation, len) in every_implementation_and_length() {
        let (parents, model) = random.skeleton(len);
        for range in ranges(len) {
            let mut matrices = model.clone();
            (implementation.model_to_local)(&Parents::new(&parents, range.clone()), &mut matrices);
            for joint in 0..len {
                if range.contains(&joint) {
                    let parent = wide(&model[parents[joint] as usize]);
                    let expected = product(&rigid_inverse(&parent), &wide(&model[joint]));
                    assert_near(&wide(&matrices[joint]), &expected, 4.0 * ROUNDING, implementation);
                } else {
                    assert_eq!(matrices[joint], model[joint], "{}: {joint}", implementation.name);
                }
            }
        }
    }
}

#[test]
fn model_to_local_undoes_local_to_model() {
    let mut random = Random(5);
    for implementation in IMPLEMENTATIONS {
        let (parents, local) = random.skeleton(70);
        let range = Parents::new(&parents, 1..70);
        let mut matrices = local.clone();
        (implementation.local_to_model)(&range, &mut matrices);
        (implementation.model_to_local)(&range, &mut matrices);
        for (joint, (matrix, local)) in matrices.iter().zip(&local).enumerate() {
            assert_near(&wide(matrix), &wide(local), 2.0 * depth_tolerance(&parents, joint), implementation);
        }
    }
}

#[test]
fn palettes_are_products() {
    let mut random = Random(6);
    for (implementation, len) in every_implementation_and_length() {
        let (_, models) = random.skeleton(len);
        let (_, inverse_binds) = random.skeleton(len);
        let mut palette = vec![GUARD; len + 2];
        (implementation.palette)(&models, &inverse_binds, &mut palette[1..=len]);
        assert_eq!([palette[0], palette[len + 1]], [GUARD; 2], "{}, {len} joints", implementation.name);
        for ((model, inverse_bind), matrix) in models.iter().zip(&inverse_binds).zip(&palette[1..]) {
            assert_near(
                &wide(matrix),
                &product(&wide(model), &wide(inverse_bind)),
                2.0 * ROUNDING,
                implementation,
            );
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn both_implementations_agree() {
    let mut random = Random(7);
    for len in lengths() {
        let joints: Vec<Joint> = (0..len).map(|_| random.joint()).collect();
        let (parents, _) = random.skeleton(len);
        let parents = Parents::new(&parents, len.min(1)..len);
        let [mut ours, mut theirs] = [vec![GUARD; len], vec![GUARD; len]];
        (PLAIN.joints_to_matrices)(&joints, &mut ours);
        (SSE2.joints_to_matrices)(&joints, &mut theirs);
        assert_all_near(&ours, &theirs, ROUNDING);

        let [mut plain, mut sse2] = [vec![Joint::IDENTITY; len], vec![Joint::IDENTITY; len]];
        (PLAIN.matrices_to_joints)(&ours, &mut plain);
        (SSE2.matrices_to_joints)(&ours, &mut sse2);
        for (plain, sse2) in plain.iter().zip(&sse2) {
            let tolerance = PLAIN.root_tolerance + SSE2.root_tolerance + ROUNDING;
            assert!(rotation_difference(plain, sse2) < tolerance, "{plain:?} and {sse2:?}");
            assert_eq!(plain.translation, sse2.translation);
        }

        // Both add in the same order, so they do not drift apart along the skeleton.
        theirs.copy_from_slice(&ours);
        (PLAIN.local_to_model)(&parents, &mut ours);
        (SSE2.local_to_model)(&parents, &mut theirs);
        assert_all_near(&ours, &theirs, 0.0);
        (PLAIN.model_to_local)(&parents, &mut ours);
        (SSE2.model_to_local)(&parents, &mut theirs);
        assert_all_near(&ours, &theirs, 0.0);
        let [mut plain, mut sse2] = [vec![GUARD; len], vec![GUARD; len]];
        (PLAIN.palette)(&ours, &theirs, &mut plain);
        (SSE2.palette)(&ours, &theirs, &mut sse2);
        assert_all_near(&plain, &sse2, 0.0);
    }
}

#[test]
#[should_panic(expected = "a range without roots")]
fn a_root_within_the_range_is_refused() {
    let _ = Parents::new(&[NO_PARENT, 0, NO_PARENT], 1..3);
}

#[test]
#[should_panic(expected = "a range without roots")]
fn a_parent_after_its_joint_is_refused() {
    let _ = Parents::new(&[NO_PARENT, 2, 0], 1..3);
}

#[test]
#[cfg(panic = "unwind")]
fn ranges_that_do_not_fit_the_matrices_are_refused() {
    for implementation in IMPLEMENTATIONS {
        for act in [implementation.local_to_model, implementation.model_to_local] {
            let refused = std::panic::catch_unwind(|| {
                act(&Parents::new(&[NO_PARENT, 0, 1], 1..3), &mut [Matrix::IDENTITY; 2]);
            });
            assert!(refused.is_err(), "{}", implementation.name);
        }
    }
}

#[test]
#[cfg(panic = "unwind")]
fn lengths_that_differ_are_refused() {
    type Act = fn(&Implementation);
    let acts: [Act; 4] = [
        |implementation| {
            (implementation.joints_to_matrices)(&[Joint::IDENTITY; 2], &mut [Matrix::IDENTITY; 3])
        },
        |implementation| {
            (implementation.matrices_to_joints)(&[Matrix::IDENTITY; 5], &mut [Joint::IDENTITY; 4])
        },
        |implementation| {
            (implementation.palette)(
                &[Matrix::IDENTITY; 2],
                &[Matrix::IDENTITY; 3],
                &mut [Matrix::IDENTITY; 3],
            )
        },
        |implementation| {
            (implementation.palette)(
                &[Matrix::IDENTITY; 3],
                &[Matrix::IDENTITY; 2],
                &mut [Matrix::IDENTITY; 3],
            )
        },
    ];
    for implementation in IMPLEMENTATIONS {
        for (i, act) in acts.iter().enumerate() {
            assert!(
                std::panic::catch_unwind(|| act(implementation)).is_err(),
                "{}: {i}",
                implementation.name
            );
        }
    }
}

fn every_implementation_and_length() -> impl Iterator<Item = (&'static Implementation, usize)> {
    IMPLEMENTATIONS.iter().flat_map(|implementation| lengths().map(move |len| (implementation, len)))
}

/// Ranges: all but the root, none, both ends, and a part of the middle.
fn ranges(len: usize) -> Vec<std::ops::Range<usize>> {
    let first = len.min(1);
    let (third, two_thirds) = ((len / 3).max(first), (2 * len / 3).max(first));
    vec![first..len, first..first, len..len, first..third, two_thirds..len, third..two_thirds]
}

/// Checks that matrices of joints, rounded once from `f64`, convert back to these joints.
fn check_matrices_to_joints(implementation: &Implementation, joints: &[Joint]) {
    let matrices: Vec<Matrix> = joints.iter().map(|joint| narrow(&papers_matrix(joint))).collect();
    let guard = Joint::new([9.0; 4], [9.0; 3]);
    let len = joints.len();
    let mut found = vec![guard; len + 2];
    (implementation.matrices_to_joints)(&matrices, &mut found[1..=len]);
    assert_eq!([found[0], found[len + 1]], [guard; 2], "{}, {len} joints", implementation.name);
    for (joint, found) in joints.iter().zip(&found[1..]) {
        // Equality of joints includes the padding, which is written as zero.
        assert_eq!(*found, Joint::new(found.rotation, joint.translation), "{}", implementation.name);
        let off = rotation_difference(found, joint);
        assert!(
            off < implementation.root_tolerance,
            "{}: {joint:?} came back as {found:?}, off by {off:e}",
            implementation.name
        );
    }
}

/// The largest difference between components; q and -q are the same rotation.
fn rotation_difference(a: &Joint, b: &Joint) -> f64 {
    let difference = |sign: f64| {
        let pairs = a.rotation.iter().zip(&b.rotation);
        pairs.map(|(&a, &b)| (f64::from(a) - sign * f64::from(b)).abs()).fold(0.0, f64::max)
    };
    difference(1.0).min(difference(-1.0))
}

/// The rounding error grows with the depth of a joint.
fn depth_tolerance(parents: &[u32], joint: usize) -> f64 {
    let ancestors = std::iter::successors(Some(joint), |&joint| {
        let parent = parents[joint] as usize;
        (parent < joint).then_some(parent)
    });
    let depth = ancestors.count() as f64;
    ROUNDING * depth * depth
}

fn assert_near(found: &Wide, expected: &Wide, tolerance: f64, implementation: &Implementation) {
    for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
        let off = (found - expected).abs();
        assert!(off <= tolerance, "{}: {found} instead of {expected}, off by {off:e}", implementation.name);
    }
}

#[cfg(target_arch = "x86_64")]
fn assert_all_near(plain: &[Matrix], sse2: &[Matrix], tolerance: f64) {
    for (plain, sse2) in plain.iter().zip(sse2) {
        assert_near(&wide(sse2), &wide(plain), tolerance, &SSE2);
    }
}

/// A matrix in `f64`.
type Wide = [[f64; 4]; 3];

fn wide(matrix: &Matrix) -> Wide {
    matrix.rows.map(|row| row.map(f64::from))
}

fn narrow(matrix: &Wide) -> Matrix {
    Matrix { rows: matrix.map(|row| row.map(|element| element as f32)) }
}

/// The papers' matrix: its rows are the columns of the usual matrix, the rotated axes.
fn papers_matrix(joint: &Joint) -> Wide {
    let [x, y, z, w] = joint.rotation.map(f64::from);
    let turned = |axis: [f64; 3]| {
        // v + 2w (u x v) + 2 u x (u x v): v rotated by q in the usual convention.
        let cross = |[a, b, c]: [f64; 3]| [y * c - z * b, z * a - x * c, x * b - y * a];
        let once = cross(axis);
        let twice = cross(once);
        [0, 1, 2].map(|i| axis[i] + 2.0 * (w * once[i] + twice[i]))
    };
    let axes = [turned([1.0, 0.0, 0.0]), turned([0.0, 1.0, 0.0]), turned([0.0, 0.0, 1.0])];
    [0, 1, 2].map(|i| {
        let [a, b, c] = axes[i];
        [a, b, c, f64::from(joint.translation[i])]
    })
}

fn product(left: &Wide, right: &Wide) -> Wide {
    left.map(|row| {
        [0, 1, 2, 3].map(|column| {
            let sum: f64 = (0..3).map(|i| row[i] * right[i][column]).sum();
            if column == 3 { sum + row[3] } else { sum }
        })
    })
}

fn rigid_inverse(matrix: &Wide) -> Wide {
    [0, 1, 2].map(|i| {
        let [a, b, c] = [0, 1, 2].map(|j| matrix[j][i]);
        [a, b, c, -(a * matrix[0][3] + b * matrix[1][3] + c * matrix[2][3])]
    })
}

fn unit(rotation: [f32; 4]) -> [f32; 4] {
    let length = rotation.iter().map(|&component| f64::from(component).powi(2)).sum::<f64>().sqrt();
    rotation.map(|component| (f64::from(component) / length) as f32)
}

/// A rotation with a single non-zero component.
fn axis(component: usize) -> Joint {
    let mut rotation = [0.0; 4];
    rotation[component] = 1.0;
    Joint::new(rotation, [0.5, 0.25, 0.125])
}

/// A xorshift generator, which is enough for test data.
struct Random(u32);

impl Random {
    /// A number from -1 to 1.
    fn number(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (f64::from(self.0) / f64::from(u32::MAX) * 2.0 - 1.0) as f32
    }

    fn joint(&mut self) -> Joint {
        let rotation = std::array::from_fn(|_| self.number());
        Joint::new(unit(rotation), std::array::from_fn(|_| self.number()))
    }

    /// Parents, with the first joint as the only root, and rigid matrices with short translations.
    fn skeleton(&mut self, len: usize) -> (Vec<u32>, Vec<Matrix>) {
        let parent = |joint: usize, number: f32| match joint {
            0 => NO_PARENT,
            // Three of four joints are children of the one before.
            _ if number < 0.5 => joint as u32 - 1,
            _ => ((number - 0.5) * joint as f32) as u32,
        };
        let parents = (0..len).map(|joint| parent(joint, self.number())).collect();
        let matrices = (0..len).map(|_| {
            let joint = self.joint();
            narrow(&papers_matrix(&Joint::new(joint.rotation, joint.translation.map(|t| t * 0.125))))
        });
        (parents, matrices.collect())
    }
}
