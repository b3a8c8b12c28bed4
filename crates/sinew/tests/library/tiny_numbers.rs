//! Numbers too small to matter become zero where skeletons, clips, skins and meshes are built, so
//! that no frame meets subnormal ones.

use sinew::{
    Attributes, Bone, Clip, Influences, Interpolation, Keys, Matrix, Mesh, MeshSource, Palette, Pose,
    Skeleton, Skin, SkinOptions, Skinned, Track, Transform,
};

/// What exporters leave of a zero, down to the smallest number that there is.
const TINY: [f32; 4] = [1e-20, -3e-25, 1e-34, f32::from_bits(1)];

fn skeleton() -> Skeleton {
    let [a, b, c, d] = TINY;
    let rest = Transform { rotation: [a, b, c, 1.0], translation: [b, 1.0, d], scale: [1.0, c, a] };
    let bone = |joint: usize| Bone::new("", joint.checked_sub(1), rest);
    Skeleton::new(&(0..8).map(bone).collect::<Vec<_>>()).expect("a chain")
}

fn clip<'a>(skeleton: &Skeleton, keys: impl Fn(usize) -> Keys<'a>) -> Clip {
    let track = |joint| Track { times: &[0.0, 1.0], interpolation: Interpolation::Linear, keys: keys(joint) };
    Clip::new("", skeleton, &(0..skeleton.len()).map(track).collect::<Vec<_>>()).expect("sound tracks")
}

fn sampled(clip: &Clip, skeleton: &Skeleton, seconds: f32) -> Pose {
    let mut pose = skeleton.rest_pose();
    clip.sample(seconds, &mut clip.cursor(), &mut pose).expect("a pose of the skeleton");
    pose
}

#[test]
fn a_skeleton_rests_without_them() {
    let skeleton = skeleton();
    for joint in 0..skeleton.len() {
        let rest = skeleton.rest().transform(joint);
        assert_eq!((rest.rotation, rest.translation), ([0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0]));
        assert_eq!(rest.scale, [1.0, 0.0, 0.0]);
    }
    let skeleton = skeleton.with_morph_weights(&TINY).expect("finite weights");
    assert_eq!(skeleton.rest().morph_weights(), [0.0; 4]);
}

#[test]
fn a_clip_has_none_in_its_keys() {
    let skeleton = skeleton();
    let [a, b, c, d] = TINY;
    let rotations = [[a, b, c, 1.0], [d, 0.6, a, 0.8]];
    let clip = clip(&skeleton, |joint| Keys::Rotations { joint, values: &rotations });
    for (seconds, expected) in [(0.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.0, 0.6, 0.0, 0.8])] {
        let pose = sampled(&clip, &skeleton, seconds);
        assert!(pose.joints().iter().all(|joint| joint.rotation == expected), "{:?}", pose.joints());
    }
    let moves = [[a, 2.0, b], [c, d, -1.0]];
    let clip = self::clip(&skeleton, |joint| Keys::Translations { joint, values: &moves });
    for (seconds, expected) in [(0.0, [0.0, 2.0, 0.0]), (1.0, [0.0, 0.0, -1.0])] {
        let pose = sampled(&clip, &skeleton, seconds);
        assert!(pose.joints().iter().all(|joint| joint.translation == expected), "{:?}", pose.joints());
    }
    let scales = [[a, 2.0, b], [1.0, d, 1.0]];
    let clip = self::clip(&skeleton, |joint| Keys::Scales { joint, values: &scales });
    let pose = sampled(&clip, &skeleton, 0.0);
    assert!(pose.scales().expect("scales").iter().all(|scale| scale.factors == [0.0, 2.0, 0.0]));
}

#[test]
fn slopes_of_cubic_keys_have_none_either() {
    let skeleton = skeleton();
    let [a, b, c, d] = TINY;
    // In each key the slope before it, the value and the slope after it.
    let keys = [[[a, b, c]; 3], [[d, c, b]; 3]].concat();
    let track = Track {
        times: &[0.0, 1.0],
        interpolation: Interpolation::Cubic,
        keys: Keys::Translations { joint: 0, values: &keys },
    };
    let clip = Clip::new("", &skeleton, &[track]).expect("sound keys");
    assert_eq!(sampled(&clip, &skeleton, 0.3).joints()[0].translation, [0.0; 3]);
}

#[test]
fn the_way_of_half_a_turn_is_still_what_its_smallest_component_says() {
    let skeleton = skeleton();
    for (sign, least) in
        [-1.0_f32, 1.0].into_iter().flat_map(|sign| [1e-17, 1e-25].map(|least| (sign, least)))
    {
        let rotations = [[0.0, 1e-20, 0.0, 1.0], [1.0, 0.0, -1e-30, sign * least]];
        let clip = clip(&skeleton, |joint| Keys::Rotations { joint, values: &rotations });
        let half = sampled(&clip, &skeleton, 0.5).joints()[0].rotation;
        assert!((half[0] - sign * 0.5_f32.sqrt()).abs() < 1e-6, "{half:?}");
        // What is not needed to know the way is not kept.
        let kept = sampled(&clip, &skeleton, 1.0).joints()[0].rotation[2] != 0.0;
        assert_eq!(kept, least < 1e-18 && sign < 0.0, "{sign} {least}");
    }
}

#[test]
fn what_a_program_sets_stays_as_it_is() {
    let skeleton = skeleton();
    let mut pose = skeleton.rest_pose();
    let set =
        Transform { rotation: [5e-10, 0.0, 0.0, 1.0], translation: [1e-20; 3], scale: [1.0, 1e-20, 1.0] };
    pose.set_transform(3, &set);
    assert_eq!(pose.transform(3), set);
}

#[test]
fn no_number_of_a_frame_is_subnormal() {
    let skeleton = skeleton();
    let [a, b, c, d] = TINY;
    let rotations = [[a, b, c, 1.0], [0.6, d, a, 0.8]];
    let clip = clip(&skeleton, |joint| Keys::Rotations { joint, values: &rotations });
    let bind = Matrix { rows: [[1.0, a, b, c], [d, 1.0, a, b], [c, d, 1.0, -1.0]] };
    let joints: Vec<usize> = (0..skeleton.len()).collect();
    let skin = Skin::with_inverse_binds(&skeleton, &joints, &vec![bind; joints.len()]).expect("a skin");
    assert_eq!(skin.inverse_binds()[0].rows[0], [1.0, 0.0, 0.0, 0.0]);
    let positions = [[a, 1.0, b], [c, d, 2.0], [1.0, a, d]];
    let normals = [[0.0, 1.0, a], [b, 0.0, 1.0], [1.0, d, c]];
    // The second influence of each vertex weighs nothing.
    let influences = Influences::Listed {
        counts: &[2, 2, 2],
        joints: &[7, 1, 7, 2, 7, 3],
        weights: &[1.0, a, 1.0, -b, 1.0, d],
    };
    let source = MeshSource { normals: Some(&normals), ..MeshSource::new(&positions, influences) };
    let mesh = Mesh::new(&source, &skin).expect("a mesh");
    assert_eq!(mesh.run_count(), 1, "all vertices are on one joint");
    let (mut palette, mut matrices) = (Palette::new(&skin), skeleton.model_matrices());
    let mut skinned = Skinned::new(&mesh, Attributes::Normals).expect("normals");
    for frame in 0..=8 {
        let pose = sampled(&clip, &skeleton, frame as f32 / 8.0);
        skeleton.to_model(&pose, .., &mut matrices).expect("a pose of the skeleton");
        palette.update(&matrices, &skin).expect("matrices of the skeleton");
        mesh.skin(&palette, &SkinOptions::default(), &mut skinned).expect("a palette of the skin");
        let poses = pose.joints().iter().flat_map(|joint| joint.rotation);
        let rows = matrices.iter().chain(palette.matrices()).flat_map(|matrix| matrix.rows).flatten();
        let vertices = skinned.blocks().iter().flat_map(|block| block.rows).flatten();
        let mut all = poses.chain(rows).chain(vertices);
        assert_eq!(all.find(|number| number.is_subnormal()), None, "frame {frame}");
    }
}
