//! Skins and their palettes.

use crate::rigs;

use crate::rigs::{difference, size};
use sinew::{Bone, Matrix, Palette, Skeleton, Skin, Transform, backend};

fn model(skeleton: &Skeleton, pose: &sinew::Pose) -> Vec<Matrix> {
    let mut matrices = skeleton.model_matrices();
    skeleton.to_model(pose, .., &mut matrices).expect("a matrix for each joint");
    matrices
}

#[test]
fn default_inverse_binds_give_identity_palettes_at_rest() {
    for skeleton in rigs::all() {
        let skin = Skin::new(&skeleton, &(0..skeleton.len()).collect::<Vec<_>>()).unwrap();
        let matrices = model(&skeleton, skeleton.rest());
        let mut palette = Palette::new(&skin);
        palette.update(&matrices, &skin).unwrap();
        let identity = vec![Matrix::IDENTITY; skin.len()];
        // Errors of single roundings add up along a chain of twenty thousand joints.
        let tolerance = if skeleton.len() > 2000 { 3e-5 } else { 1e-5 };
        assert!(difference(palette.matrices(), &identity) <= tolerance * size(&matrices));
    }
}

#[test]
fn default_inverse_binds_hold_uneven_scale_and_mirrors() {
    let rest = Transform { scale: [-2.0, 0.5, 3.0], translation: [1.0, 2.0, 3.0], ..Transform::IDENTITY };
    let bones = [Bone::new("root", None, rest), Bone::new("leaf", Some(0), rest)];
    let skeleton = Skeleton::new(&bones).unwrap();
    let skin = Skin::new(&skeleton, &[1, 0]).unwrap();
    let mut palette = Palette::new(&skin);
    palette.update(&model(&skeleton, skeleton.rest()), &skin).unwrap();
    assert!(difference(palette.matrices(), &[Matrix::IDENTITY; 2]) <= 1e-5);
}

#[test]
fn default_inverse_binds_are_the_same_bits_on_every_backend() {
    let skeleton = rigs::bush(200);
    let joints: Vec<usize> = (0..200).collect();
    let expected = Skin::new(&skeleton, &joints).unwrap();
    for row in backend::available() {
        let other = skeleton.clone().with_kernels(row.kernels(sinew::FloatMode::Fast));
        assert_eq!(Skin::new(&other, &joints).unwrap().inverse_binds(), expected.inverse_binds());
    }
}

#[test]
fn a_palette_is_model_times_inverse_bind_in_the_order_of_the_skin() {
    let skeleton = rigs::bush(50);
    let matrices = model(&skeleton, &rigs::scaled_pose(&skeleton, 1));
    let joints = [49, 3, 3, 0, 17];
    let mut numbers = rigs::Numbers::new(2);
    let inverse_binds = joints.map(|_| numbers.transform().matrix());
    let skin = Skin::with_inverse_binds(&skeleton, &joints, &inverse_binds).unwrap();
    assert_eq!(skin.joints(), [49, 3, 3, 0, 17]);
    assert_eq!(skin.inverse_binds(), inverse_binds);
    assert_eq!(skin.skeleton_len(), 50);

    let mut palette = Palette::new(&skin);
    assert_eq!(palette.matrices(), [Matrix::IDENTITY; 5]);
    palette.update(&matrices, &skin).unwrap();
    let expected = [0, 1, 2, 3, 4].map(|slot| matrices[joints[slot]] * inverse_binds[slot]);
    assert!(difference(palette.matrices(), &expected) <= 1e-6 * size(&matrices));
}

#[test]
fn skins_share_a_skeleton() {
    let skeleton = rigs::chain(20);
    let matrices = model(&skeleton, &rigs::pose(&skeleton, 1));
    let all: Vec<usize> = (0..20).collect();
    let (body, hat) = (Skin::new(&skeleton, &all).unwrap(), Skin::new(&skeleton, &[19, 18]).unwrap());
    let (mut body_palette, mut hat_palette) = (Palette::new(&body), Palette::new(&hat));
    body_palette.update(&matrices, &body).unwrap();
    hat_palette.update(&matrices, &hat).unwrap();
    assert_eq!(hat_palette.matrices(), [body_palette.matrices()[19], body_palette.matrices()[18]]);
}
