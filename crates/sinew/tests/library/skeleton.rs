//! Skeletons of every size: their joints, lookup by name, and backends.

use sinew::animation::{Clip, ClipSet};
use sinew::bounds::JointBounds;
use sinew::query::{LazyBvh, MeshBvh};
use sinew::runtime::{Kernels, backend};
use sinew::skeleton::NO_PARENT;
use sinew::skinning::Skinned;
use sinew::{
    Bone, Crowd, FloatMode, Influences, Instance, JointId, Matrix, Mesh, MeshSource, Model, Palette, Pose,
    Runtime, Skeleton, Skin, Transform,
};

use crate::support::joints::first_joints;
use crate::support::poses::scales;
use crate::support::random_rigs::{random_scaled_pose, random_tree, skeletons_of_every_size};

#[test]
fn a_skeleton_returns_the_bones_it_was_built_from() {
    for skeleton in skeletons_of_every_size() {
        let bones = skeleton.bones();
        assert_eq!(bones.len(), skeleton.len());
        assert_eq!(Skeleton::new(&bones).unwrap().bones(), bones);
        for (joint, bone) in bones.iter().enumerate() {
            assert_eq!(skeleton.name(JointId::new(joint)), bone.name);
            assert_eq!(skeleton.parent(JointId::new(joint)), bone.parent.map(JointId::new));
            assert_eq!(skeleton.rest().transform(JointId::new(joint)), bone.rest);
            assert_eq!(skeleton.parents()[joint], bone.parent.map_or(NO_PARENT, |parent| parent as u32));
        }
        let roots: Vec<JointId> =
            skeleton.joints().filter(|joint| bones[joint.index()].parent.is_none()).collect();
        assert_eq!(skeleton.roots().collect::<Vec<_>>(), roots);
        assert_eq!(skeleton.identity_matrices(), vec![Matrix::IDENTITY; bones.len()]);
    }
}

#[test]
fn every_joint_is_found_by_its_name() {
    for skeleton in skeletons_of_every_size() {
        for joint in skeleton.joints() {
            assert_eq!(skeleton.joint(skeleton.name(joint)), Ok(joint));
        }
    }
}

#[test]
fn duplicate_and_empty_joint_names_are_allowed() {
    let bones = ["", "arm", "arm", "", "leg"].map(|name| Bone::new(name, None, Transform::IDENTITY));
    let skeleton = Skeleton::new(&bones).unwrap();
    assert_eq!(skeleton.joint("leg"), Ok(JointId::new(4)));
    assert!(skeleton.joint("arm").is_err());
    assert!(skeleton.joint("").is_err());
}

#[test]
fn rest_rotations_are_normalized() {
    let rest = Transform { rotation: [0.0, 3.0, 0.0, -4.0], ..Transform::IDENTITY };
    let skeleton = Skeleton::new(&[Bone::new("root", None, rest)]).unwrap();
    assert_eq!(skeleton.rest().rotation(JointId::new(0)), [0.0, 0.6, 0.0, -0.8]);
}

#[test]
fn scales_are_enabled_where_the_rest_pose_has_one() {
    let bones = [Transform::IDENTITY, Transform { scale: [2.0, 1.0, 1.0], ..Transform::IDENTITY }]
        .map(|rest| Bone::new("joint", None, rest));
    assert!(!Skeleton::new(&bones[..1]).unwrap().rest().has_scales());
    let scaled = Skeleton::new(&bones).unwrap();
    assert_eq!(scales(scaled.rest()).unwrap(), [[1.0; 3], [2.0, 1.0, 1.0]]);
}

#[test]
fn skins_and_meshes_use_the_runtime_of_their_skeleton() {
    let plain = Runtime::with_backend(backend::get("plain").unwrap(), FloatMode::Reproducible);
    let skeleton = random_tree(3).with_runtime(plain);
    assert_eq!(skeleton.runtime(), plain);
    assert_eq!(Skin::new(&skeleton, &[JointId::new(0)]).unwrap().runtime(), plain);
    let skin = Skin::with_inverse_binds(&skeleton, &[JointId::new(0)], &[Matrix::IDENTITY]).unwrap();
    assert_eq!(skin.runtime(), plain);
    let influences = Influences::Variable { counts: &[1], joints: &[0], weights: &[1.0] };
    let mesh = Mesh::new(&MeshSource::new(&[[0.0; 3]], influences), &skin).unwrap();
    assert_eq!(mesh.runtime(), plain);
}

#[test]
fn reproducible_mode_gives_the_same_bits_on_every_backend() {
    let (from, to) = (random_tree(300), random_tree(300));
    let mut expected = None;
    for backend in backend::available() {
        let runtime = Runtime::with_backend(backend, FloatMode::Reproducible);
        let skeleton = from.clone().with_runtime(runtime);
        let skin = Skin::new(&skeleton, &first_joints(300)).unwrap();
        let mut pose = Pose::new(&skeleton);
        let ends = [random_scaled_pose(&to, 1), random_scaled_pose(&to, 2)];
        pose.slerp(&ends[0], &ends[1], sinew::animation::Factor::All(0.3)).unwrap();
        let mut matrices = skeleton.identity_matrices();
        skeleton.to_model(&pose, .., &mut matrices).unwrap();
        let mut palette = Palette::new(&skin);
        palette.update(&matrices, &skin).unwrap();
        assert_eq!(expected.get_or_insert(palette.clone()), &palette, "{}", backend.name());
    }
}

#[test]
fn everything_shared_is_send_and_sync() {
    fn assert_send_and_sync<T: Send + Sync + 'static>() {}
    assert_send_and_sync::<Skeleton>();
    assert_send_and_sync::<Bone>();
    assert_send_and_sync::<Transform>();
    assert_send_and_sync::<Pose>();
    assert_send_and_sync::<Skin>();
    assert_send_and_sync::<Palette>();
    assert_send_and_sync::<MeshSource<'static>>();
    assert_send_and_sync::<Mesh>();
    assert_send_and_sync::<Skinned>();
    assert_send_and_sync::<sinew::Error>();
    assert_send_and_sync::<&'static Kernels>();
    assert_send_and_sync::<Runtime>();
    assert_send_and_sync::<Clip>();
    assert_send_and_sync::<ClipSet>();
    assert_send_and_sync::<JointBounds>();
    assert_send_and_sync::<MeshBvh>();
    assert_send_and_sync::<LazyBvh>();
    assert_send_and_sync::<Model>();
    assert_send_and_sync::<Instance>();
    assert_send_and_sync::<Crowd>();
}
