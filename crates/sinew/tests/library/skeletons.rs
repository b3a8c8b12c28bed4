//! Skeletons of every size: what they hold, and how joints are found.

use crate::rigs;

use sinew::{
    Bone, Kernels, Matrix, Mesh, MeshSource, NO_PARENT, Palette, Pose, Scale, Skeleton, Skin, Skinned,
    Transform, backend,
};

#[test]
fn a_skeleton_gives_back_what_it_was_made_of() {
    for skeleton in rigs::all() {
        let bones = skeleton.bones();
        assert_eq!(bones.len(), skeleton.len());
        assert_eq!(Skeleton::new(&bones).unwrap().bones(), bones);
        for (joint, bone) in bones.iter().enumerate() {
            assert_eq!(skeleton.name(joint), bone.name);
            assert_eq!(skeleton.parent(joint), bone.parent);
            assert_eq!(skeleton.rest().transform(joint), bone.rest);
            assert_eq!(skeleton.parents()[joint], bone.parent.map_or(NO_PARENT, |parent| parent as u32));
        }
        let roots: Vec<usize> = (0..bones.len()).filter(|&joint| bones[joint].parent.is_none()).collect();
        assert_eq!(skeleton.roots().collect::<Vec<_>>(), roots);
        assert_eq!(skeleton.model_matrices(), vec![Matrix::IDENTITY; bones.len()]);
    }
}

#[test]
fn every_joint_is_found_by_its_name() {
    for skeleton in rigs::all() {
        for joint in 0..skeleton.len() {
            assert_eq!(skeleton.joint(skeleton.name(joint)), Ok(joint));
        }
    }
}

#[test]
fn joints_of_one_name_and_without_name_are_allowed() {
    let bones = ["", "arm", "arm", "", "leg"].map(|name| Bone::new(name, None, Transform::IDENTITY));
    let skeleton = Skeleton::new(&bones).unwrap();
    assert_eq!(skeleton.joint("leg"), Ok(4));
    assert!(skeleton.joint("arm").is_err());
    assert!(skeleton.joint("").is_err());
}

#[test]
fn rotations_are_brought_to_length_one() {
    let rest = Transform { rotation: [0.0, 3.0, 0.0, -4.0], ..Transform::IDENTITY };
    let skeleton = Skeleton::new(&[Bone::new("root", None, rest)]).unwrap();
    assert_eq!(skeleton.rest().joints()[0].rotation, [0.0, 0.6, 0.0, -0.8]);
}

#[test]
fn scales_are_on_where_the_rest_pose_has_one() {
    let bones = [Transform::IDENTITY, Transform { scale: [2.0, 1.0, 1.0], ..Transform::IDENTITY }]
        .map(|rest| Bone::new("joint", None, rest));
    assert_eq!(Skeleton::new(&bones[..1]).unwrap().rest().scales(), None);
    let scaled = Skeleton::new(&bones).unwrap();
    assert_eq!(scaled.rest().scales(), Some(&[Scale::ONE, Scale::new([2.0, 1.0, 1.0])][..]));
}

#[test]
fn what_is_made_from_a_skeleton_runs_on_its_kernels() {
    let plain = backend::get("plain").unwrap().kernels(sinew::FloatMode::Reproducible);
    let skeleton = rigs::bush(3).with_kernels(plain);
    let same = |kernels: &'static Kernels| std::ptr::eq(kernels, plain);
    assert!(same(skeleton.kernels()) && same(Skin::new(&skeleton, &[0]).unwrap().kernels()));
    let skin = Skin::with_inverse_binds(&skeleton, &[0], &[Matrix::IDENTITY]).unwrap();
    assert!(same(skin.kernels()));
}

#[test]
fn reproducible_rounding_gives_the_same_bits_on_every_backend() {
    let (from, to) = (rigs::bush(300), rigs::bush(300));
    let mut expected = None;
    for row in backend::available() {
        let kernels = row.kernels(sinew::FloatMode::Reproducible);
        let skeleton = from.clone().with_kernels(kernels);
        let skin = Skin::new(&skeleton, &(0..300).collect::<Vec<_>>()).unwrap();
        let mut pose = Pose::new(&skeleton);
        let ends = [rigs::scaled_pose(&to, 1), rigs::scaled_pose(&to, 2)];
        pose.slerp(&ends[0], &ends[1], sinew::Factor::All(0.3)).unwrap();
        let mut matrices = skeleton.model_matrices();
        skeleton.to_model(&pose, .., &mut matrices).unwrap();
        let mut palette = Palette::new(&skin);
        palette.update(&matrices, &skin).unwrap();
        assert_eq!(expected.get_or_insert(palette.clone()), &palette, "{}", row.name());
    }
}

#[test]
fn everything_can_be_sent_to_and_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Skeleton>();
    shared::<Bone>();
    shared::<Transform>();
    shared::<Pose>();
    shared::<Skin>();
    shared::<Palette>();
    shared::<MeshSource<'static>>();
    shared::<Mesh>();
    shared::<Skinned>();
    shared::<sinew::Error>();
    shared::<&'static Kernels>();
}
