//! Numbers too small to matter become zero where skeletons, clips, skins and meshes are built, so
//! that no frame computes with subnormal numbers.

use sinew::animation::{Interpolation, Keys, Track};
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{
    Bone, Clip, Influences, JointId, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin, SkinOptions,
    Transform,
};

use crate::support::joints::first_joints;
use crate::support::poses::sample_pose;

/// Rounding residues that exporters write for zero, down to the smallest subnormal number.
const TINY: [f32; 4] = [1e-20, -3e-25, 1e-34, f32::from_bits(1)];

fn skeleton() -> Skeleton {
    let [a, b, c, d] = TINY;
    let rest = Transform { rotation: [a, b, c, 1.0], translation: [b, 1.0, d], scale: [1.0, c, a] };
    let bone = |joint: usize| Bone::new("", joint.checked_sub(1), rest);
    Skeleton::new(&(0..8).map(bone).collect::<Vec<_>>()).expect("a chain")
}

fn linear_clip<'a>(skeleton: &Skeleton, keys: impl Fn(usize) -> Keys<'a>) -> Clip {
    let track = |joint| Track { times: &[0.0, 1.0], interpolation: Interpolation::Linear, keys: keys(joint) };
    Clip::new("", skeleton, &(0..skeleton.len()).map(track).collect::<Vec<_>>()).expect("valid tracks")
}

#[test]
fn tiny_components_of_rest_transforms_become_zero() {
    let skeleton = skeleton();
    for joint in skeleton.joints() {
        let rest = skeleton.rest().transform(joint);
        assert_eq!((rest.rotation, rest.translation), ([0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0]));
        assert_eq!(rest.scale, [1.0, 0.0, 0.0]);
    }
    let skeleton = skeleton.with_morph_weights(&TINY).expect("finite weights");
    assert_eq!(skeleton.rest().morph_weights(), [0.0; 4]);
}

#[test]
fn tiny_components_of_keys_become_zero() {
    let skeleton = skeleton();
    let [a, b, c, d] = TINY;
    let rotations = [[a, b, c, 1.0], [d, 0.6, a, 0.8]];
    let clip =
        linear_clip(&skeleton, |joint| Keys::Rotations { joint: JointId::new(joint), values: &rotations });
    for (seconds, expected) in [(0.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.0, 0.6, 0.0, 0.8])] {
        let pose = sample_pose(&clip, &skeleton, seconds);
        assert!(pose.transforms().all(|joint| joint.rotation == expected), "{pose:?}");
    }
    let moves = [[a, 2.0, b], [c, d, -1.0]];
    let clip =
        linear_clip(&skeleton, |joint| Keys::Translations { joint: JointId::new(joint), values: &moves });
    for (seconds, expected) in [(0.0, [0.0, 2.0, 0.0]), (1.0, [0.0, 0.0, -1.0])] {
        let pose = sample_pose(&clip, &skeleton, seconds);
        assert!(pose.transforms().all(|joint| joint.translation == expected), "{pose:?}");
    }
    let scales = [[a, 2.0, b], [1.0, d, 1.0]];
    let clip = linear_clip(&skeleton, |joint| Keys::Scales { joint: JointId::new(joint), values: &scales });
    let pose = sample_pose(&clip, &skeleton, 0.0);
    assert!(pose.transforms().all(|joint| joint.scale == [0.0, 2.0, 0.0]));
}

#[test]
fn tiny_components_of_cubic_tangents_become_zero() {
    let skeleton = skeleton();
    let [a, b, c, d] = TINY;
    // Each key has an in-tangent, a value and an out-tangent.
    let keys = [[[a, b, c]; 3], [[d, c, b]; 3]].concat();
    let track = Track {
        times: &[0.0, 1.0],
        interpolation: Interpolation::Cubic,
        keys: Keys::Translations { joint: JointId::new(0), values: &keys },
    };
    let clip = Clip::new("", &skeleton, &[track]).expect("valid keys");
    assert_eq!(sample_pose(&clip, &skeleton, 0.3).translation(JointId::new(0)), [0.0; 3]);
}

#[test]
fn the_direction_of_a_half_turn_is_kept() {
    let skeleton = skeleton();
    for (sign, least) in
        [-1.0_f32, 1.0].into_iter().flat_map(|sign| [1e-17, 1e-25].map(|least| (sign, least)))
    {
        let rotations = [[0.0, 1e-20, 0.0, 1.0], [1.0, 0.0, -1e-30, sign * least]];
        let clip = linear_clip(&skeleton, |joint| Keys::Rotations {
            joint: JointId::new(joint),
            values: &rotations,
        });
        let half = sample_pose(&clip, &skeleton, 0.5).rotation(JointId::new(0));
        assert!((half[0] - sign * 0.5_f32.sqrt()).abs() < 1e-6, "{half:?}");
        // Components that do not decide the direction are flushed.
        let kept = sample_pose(&clip, &skeleton, 1.0).rotation(JointId::new(0))[2] != 0.0;
        assert_eq!(kept, least < 1e-18 && sign < 0.0, "{sign} {least}");
    }
}

#[test]
fn values_set_by_the_program_are_not_flushed() {
    let skeleton = skeleton();
    let mut pose = skeleton.rest_pose();
    let set =
        Transform { rotation: [5e-10, 0.0, 0.0, 1.0], translation: [1e-20; 3], scale: [1.0, 1e-20, 1.0] };
    pose.set_transform(JointId::new(3), &set);
    assert_eq!(pose.transform(JointId::new(3)), set);
}

#[test]
fn a_frame_contains_no_subnormal_numbers() {
    let skeleton = skeleton();
    let [a, b, c, d] = TINY;
    let rotations = [[a, b, c, 1.0], [0.6, d, a, 0.8]];
    let clip =
        linear_clip(&skeleton, |joint| Keys::Rotations { joint: JointId::new(joint), values: &rotations });
    let bind = Matrix { rows: [[1.0, a, b, c], [d, 1.0, a, b], [c, d, 1.0, -1.0]] };
    let joints = first_joints(skeleton.len());
    let skin = Skin::with_inverse_binds(&skeleton, &joints, &vec![bind; joints.len()]).expect("a skin");
    assert_eq!(skin.inverse_binds()[0].rows[0], [1.0, 0.0, 0.0, 0.0]);
    let positions = [[a, 1.0, b], [c, d, 2.0], [1.0, a, d]];
    let normals = [[0.0, 1.0, a], [b, 0.0, 1.0], [1.0, d, c]];
    // The second weight of each vertex is negligible.
    let influences = Influences::Variable {
        counts: &[2, 2, 2],
        joints: &[7, 1, 7, 2, 7, 3],
        weights: &[1.0, a, 1.0, -b, 1.0, d],
    };
    let source = MeshSource { normals: Some(&normals), ..MeshSource::new(&positions, influences) };
    let mesh = Mesh::new(&source, &skin).expect("a mesh");
    assert_eq!(mesh.run_count(), 1, "all vertices are on one joint");
    let (mut palette, mut matrices) = (Palette::new(&skin), skeleton.identity_matrices());
    let mut skinned = Skinned::new(&mesh, Attributes::Normals).expect("normals");
    for frame in 0..=8 {
        let pose = sample_pose(&clip, &skeleton, frame as f32 / 8.0);
        skeleton.to_model(&pose, .., &mut matrices).expect("a pose of the skeleton");
        palette.update(&matrices, &skin).expect("matrices of the skeleton");
        mesh.skin(&palette, &SkinOptions::default(), &mut skinned).expect("a palette of the skin");
        let poses = pose.transforms().flat_map(|joint| joint.rotation);
        let rows = matrices.iter().chain(palette.matrices()).flat_map(|matrix| matrix.rows).flatten();
        let vertices = skinned.blocks().iter().flat_map(|block| block.rows).flatten();
        let mut all = poses.chain(rows).chain(vertices);
        assert_eq!(all.find(|number| number.is_subnormal()), None, "frame {frame}");
    }
}
