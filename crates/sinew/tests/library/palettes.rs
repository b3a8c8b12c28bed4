//! Skins, their inverse binds and their palettes.

use sinew::runtime::backend;
use sinew::{Bone, JointId, Matrix, Palette, Runtime, Skeleton, Skin, Transform};

use crate::support::joints::first_joints;
use crate::support::matrices::{compute_model_matrices, max_difference, max_magnitude};
use crate::support::random_rigs::{
    Lcg, chain, random_pose, random_scaled_pose, random_tree, skeletons_of_every_size,
};

#[test]
fn default_inverse_binds_give_identity_palettes_at_rest() {
    for skeleton in skeletons_of_every_size() {
        let skin = Skin::new(&skeleton, &first_joints(skeleton.len())).unwrap();
        let matrices = compute_model_matrices(&skeleton, skeleton.rest());
        let mut palette = Palette::new(&skin);
        palette.update(&matrices, &skin).unwrap();
        let identity = vec![Matrix::IDENTITY; skin.len()];
        // Rounding errors add up along a chain of twenty thousand joints.
        let tolerance = if skeleton.len() > 2000 { 3e-5 } else { 1e-5 };
        assert!(max_difference(palette.matrices(), &identity) <= tolerance * max_magnitude(&matrices));
    }
}

#[test]
fn default_inverse_binds_support_non_uniform_scale_and_mirroring() {
    let rest = Transform { scale: [-2.0, 0.5, 3.0], translation: [1.0, 2.0, 3.0], ..Transform::IDENTITY };
    let bones = [Bone::new("root", None, rest), Bone::new("leaf", Some(0), rest)];
    let skeleton = Skeleton::new(&bones).unwrap();
    let skin = Skin::new(&skeleton, &[JointId::new(1), JointId::new(0)]).unwrap();
    let mut palette = Palette::new(&skin);
    palette.update(&compute_model_matrices(&skeleton, skeleton.rest()), &skin).unwrap();
    assert!(max_difference(palette.matrices(), &[Matrix::IDENTITY; 2]) <= 1e-5);
}

#[test]
fn default_inverse_binds_have_the_same_bits_on_every_backend() {
    let skeleton = random_tree(200);
    let joints = first_joints(200);
    let expected = Skin::new(&skeleton, &joints).unwrap();
    for backend in backend::available() {
        let other = skeleton.clone().with_runtime(Runtime::with_backend(backend, sinew::FloatMode::Fast));
        assert_eq!(Skin::new(&other, &joints).unwrap().inverse_binds(), expected.inverse_binds());
    }
}

#[test]
fn a_palette_is_model_times_inverse_bind_in_skin_order() {
    let skeleton = random_tree(50);
    let matrices = compute_model_matrices(&skeleton, &random_scaled_pose(&skeleton, 1));
    let joints = [49, 3, 3, 0, 17].map(JointId::new);
    let mut rng = Lcg::new(2);
    let inverse_binds = joints.map(|_| rng.transform().matrix());
    let skin = Skin::with_inverse_binds(&skeleton, &joints, &inverse_binds).unwrap();
    assert!(skin.joints().eq(joints));
    assert_eq!(skin.inverse_binds(), inverse_binds);
    assert_eq!(skin.skeleton_len(), 50);

    let mut palette = Palette::new(&skin);
    assert_eq!(palette.matrices(), [Matrix::IDENTITY; 5]);
    palette.update(&matrices, &skin).unwrap();
    let expected = [0, 1, 2, 3, 4].map(|slot| matrices[joints[slot].index()] * inverse_binds[slot]);
    assert!(max_difference(palette.matrices(), &expected) <= 1e-6 * max_magnitude(&matrices));
}

#[test]
fn two_skins_can_share_a_skeleton() {
    let skeleton = chain(20);
    let matrices = compute_model_matrices(&skeleton, &random_pose(&skeleton, 1));
    let all = first_joints(20);
    let (body, hat) = (
        Skin::new(&skeleton, &all).unwrap(),
        Skin::new(&skeleton, &[JointId::new(19), JointId::new(18)]).unwrap(),
    );
    let (mut body_palette, mut hat_palette) = (Palette::new(&body), Palette::new(&hat));
    body_palette.update(&matrices, &body).unwrap();
    hat_palette.update(&matrices, &hat).unwrap();
    assert_eq!(hat_palette.matrices(), [body_palette.matrices()[19], body_palette.matrices()[18]]);
}
