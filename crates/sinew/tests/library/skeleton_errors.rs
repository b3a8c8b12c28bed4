//! Invalid skeletons, skins and arguments are rejected with a message that says what was expected,
//! what was found, and where.

use sinew::animation::Factor;
use sinew::runtime::backend;
use sinew::skeleton::{JointName, SkeletonError};
use sinew::{Bone, Error, JointId, Matrix, Palette, Pose, Skeleton, Skin, Transform};

const IDENTITY: Transform = Transform::IDENTITY;

fn two_joints() -> Skeleton {
    Skeleton::new(&[Bone::new("upper arm", None, IDENTITY), Bone::new("forearm", Some(0), IDENTITY)])
        .expect("an arm")
}

fn single_joint() -> Skeleton {
    Skeleton::new(&[Bone::new("root", None, IDENTITY)]).expect("a root")
}

fn error_message(bones: &[Bone]) -> String {
    Skeleton::new(bones).expect_err("a fault").to_string()
}

#[test]
fn an_empty_skeleton_is_rejected() {
    assert_eq!(error_message(&[]), "skeleton: expected at least one joint, found none");
}

#[test]
fn too_many_joints_are_reported() {
    let error = SkeletonError::TooManyJoints { limit: 10, found: 11 };
    assert_eq!(error.to_string(), "skeleton: expected at most 10 joints, found 11");
}

#[test]
fn a_parent_out_of_range_is_rejected() {
    let bones = [Bone::new("hip", None, IDENTITY), Bone::new("neck", Some(2), IDENTITY)];
    assert_eq!(error_message(&bones), "joint 1 \"neck\": expected a parent below 2, found 2");
}

#[test]
fn a_parent_after_its_child_is_rejected() {
    let bones = [Bone::new("neck", Some(1), IDENTITY), Bone::new("hip", None, IDENTITY)];
    let expected = "joint 0 \"neck\": expected a parent that comes before it, found joint 1 \"hip\"";
    assert_eq!(error_message(&bones), expected);
}

#[test]
fn a_joint_that_is_its_own_parent_is_rejected() {
    let bones = [Bone::new("hip", Some(0), IDENTITY)];
    assert_eq!(
        error_message(&bones),
        "joint 0 \"hip\": expected a parent that comes before it, found itself"
    );
}

#[test]
fn non_finite_rest_transforms_are_rejected() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for rest in [
            Transform { rotation: [bad, 0.0, 0.0, 1.0], ..IDENTITY },
            Transform { translation: [0.0, bad, 0.0], ..IDENTITY },
            Transform { scale: [1.0, 1.0, bad], ..IDENTITY },
        ] {
            let found = Skeleton::new(&[Bone::new("hip", None, rest)]).unwrap_err();
            assert!(matches!(found, SkeletonError::NotFinite { .. }), "{found}");
        }
    }
    let rest = Transform { translation: [0.0, f32::NAN, 0.0], ..IDENTITY };
    let expected = "joint 0 \"hip\": expected finite numbers, found rotation [0.0, 0.0, 0.0, 1.0], \
                    translation [0.0, NaN, 0.0], scale [1.0, 1.0, 1.0]";
    assert_eq!(error_message(&[Bone::new("hip", None, rest)]), expected);
}

#[test]
fn a_rotation_of_length_zero_is_rejected() {
    let rest = Transform { rotation: [0.0, -0.0, 0.0, 0.0], ..IDENTITY };
    let expected = "joint 0 \"hip\": expected a rotation of length one, found length zero";
    assert_eq!(error_message(&[Bone::new("hip", None, rest)]), expected);
}

#[test]
fn an_unnamed_joint_is_reported_by_its_index() {
    assert_eq!(
        error_message(&[Bone::new("", Some(5), IDENTITY)]),
        "joint 0: expected a parent below 1, found 5"
    );
}

#[test]
fn the_first_of_several_errors_is_reported() {
    let zero = Transform { rotation: [0.0; 4], ..IDENTITY };
    let bones = [
        Bone::new("hip", None, IDENTITY),
        Bone::new("spine", Some(0), zero),
        Bone::new("neck", Some(9), IDENTITY),
    ];
    let joint = JointName { joint: 1, name: "spine".to_owned() };
    assert_eq!(Skeleton::new(&bones).unwrap_err(), SkeletonError::ZeroRotation { joint });
}

#[test]
fn an_unknown_joint_name_is_reported_with_the_names_that_exist() {
    let error = two_joints().joint("Arm").unwrap_err();
    assert_eq!(error.to_string(), "no joint is named \"Arm\"; expected \"forearm\", \"upper arm\"");
    let bones: Vec<Bone> = (0..20).map(|i| Bone::new(&format!("bone {i}"), None, IDENTITY)).collect();
    let text = Skeleton::new(&bones).unwrap().joint("bone 100").unwrap_err().to_string();
    let start = "no joint is named \"bone 100\"; the nearest of 20 names: \"bone 10\", \"bone 1\", ";
    assert!(text.starts_with(start) && text.matches(", ").count() == 9, "{text}");
    let nameless = Skeleton::new(&[Bone::new("", None, IDENTITY)]).unwrap();
    let error = nameless.joint("a").unwrap_err();
    assert_eq!(error.to_string(), "no joint is named \"a\"; there are no joints with names");
}

#[test]
fn an_ambiguous_name_is_reported_with_both_joints() {
    let bones = ["hip", "arm", "leg", "arm"].map(|name| Bone::new(name, None, IDENTITY));
    let error = Skeleton::new(&bones).unwrap().joint("arm").unwrap_err();
    assert_eq!(error.to_string(), "joints 1 and 3 are both named \"arm\"");
}

#[test]
fn attaching_to_a_joint_out_of_range_is_rejected() {
    let arm = two_joints();
    let error = arm.attach(JointId::new(2), &Matrix::IDENTITY, &arm.identity_matrices()).unwrap_err();
    assert_eq!(error.to_string(), "expected a joint below 2, found 2");
}

#[test]
fn a_joint_range_outside_the_skeleton_is_rejected() {
    let arm = two_joints();
    let (mut pose, mut matrices) = (Pose::new(&arm), arm.identity_matrices());
    let expected = "expected a range of joints within 0..2, found 1..3";
    assert_eq!(
        arm.to_model(&pose, JointId::new(1)..JointId::new(3), &mut matrices).unwrap_err().to_string(),
        expected
    );
    assert_eq!(
        arm.to_local(JointId::new(1)..JointId::new(3), &mut matrices).unwrap_err().to_string(),
        expected
    );
    assert_eq!(
        arm.to_local_rigid(JointId::new(1)..JointId::new(3), &mut matrices).unwrap_err().to_string(),
        expected
    );
    assert_eq!(
        pose.set_from_local(JointId::new(1)..JointId::new(3), &matrices).unwrap_err().to_string(),
        expected
    );
    assert_eq!(
        pose.set_from_local_rigid(JointId::new(1)..JointId::new(3), &matrices).unwrap_err().to_string(),
        expected
    );
}

#[test]
fn wrong_lengths_are_rejected() {
    let (arm, other) = (two_joints(), single_joint());
    let (skin, mut palette) = (
        Skin::new(&arm, &[JointId::new(0), JointId::new(1)]).unwrap(),
        Palette::new(&Skin::new(&arm, &[JointId::new(1)]).unwrap()),
    );
    let (mut pose, other_pose) = (Pose::new(&arm), Pose::new(&other));
    let (mut matrices, mut one) = (arm.identity_matrices(), other.identity_matrices());
    let from = pose.clone();
    let results = [
        (
            arm.to_model(&other_pose, .., &mut matrices).map_err(Error::from),
            "joints of the pose: expected 2, found 1",
        ),
        (arm.to_model(&pose, .., &mut one).map_err(Error::from), "model matrices: expected 2, found 1"),
        (arm.to_local(.., &mut one).map_err(Error::from), "model matrices: expected 2, found 1"),
        (arm.to_local_rigid(.., &mut one).map_err(Error::from), "model matrices: expected 2, found 1"),
        (
            arm.attach(JointId::new(0), &Matrix::IDENTITY, &one).map(drop).map_err(Error::from),
            "model matrices: expected 2, found 1",
        ),
        (palette.update(&one, &skin).map_err(Error::from), "model matrices: expected 2, found 1"),
        (palette.update(&matrices, &skin).map_err(Error::from), "palette: expected 2, found 1"),
        (pose.set_from_local(.., &one).map(drop).map_err(Error::from), "local matrices: expected 2, found 1"),
        (pose.set_from_local_rigid(.., &one).map_err(Error::from), "local matrices: expected 2, found 1"),
        (pose.copy_from(&other_pose).map_err(Error::from), "joints of the pose to copy: expected 2, found 1"),
        (
            pose.nlerp(&other_pose, &from, Factor::All(0.5)).map_err(Error::from),
            "joints of the pose to come from: expected 2, found 1",
        ),
        (
            pose.slerp(&from, &other_pose, Factor::All(0.5)).map_err(Error::from),
            "joints of the pose to go to: expected 2, found 1",
        ),
        (pose.slerp(&from, &from, Factor::Each(&[0.5])).map_err(Error::from), "factors: expected 2, found 1"),
    ];
    for (result, expected) in results {
        assert_eq!(result.unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_skin_without_joints_is_rejected() {
    let expected = "skin: expected at least one joint, found none";
    assert_eq!(Skin::new(&two_joints(), &[]).unwrap_err().to_string(), expected);
    assert_eq!(Skin::with_inverse_binds(&two_joints(), &[], &[]).unwrap_err().to_string(), expected);
}

#[test]
fn a_skin_joint_outside_the_skeleton_is_rejected() {
    for joint in [2, usize::MAX].map(JointId::new) {
        let error = Skin::new(&two_joints(), &[JointId::new(0), joint]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("joint 1 of the skin: expected a joint below 2, found {}", joint.index())
        );
    }
}

#[test]
fn inverse_binds_must_match_the_joints_and_be_finite_but_may_be_singular() {
    let arm = two_joints();
    let error =
        Skin::with_inverse_binds(&arm, &[JointId::new(0), JointId::new(1)], &[Matrix::IDENTITY]).unwrap_err();
    assert_eq!(error.to_string(), "inverse binds of the skin: expected 2, found 1");

    let mut bad = Matrix::IDENTITY;
    bad.rows[2][3] = f32::NAN;
    let error = Skin::with_inverse_binds(&arm, &[JointId::new(1), JointId::new(0)], &[Matrix::IDENTITY, bad])
        .unwrap_err();
    let expected = "inverse bind 1 of the skin (joint 0): expected finite numbers, found others";
    assert_eq!(error.to_string(), expected);

    assert!(Skin::with_inverse_binds(&arm, &[JointId::new(0)], &[Matrix::ZERO]).is_ok());
}

#[test]
fn a_singular_rest_pose_is_rejected_where_a_skin_needs_its_inverse() {
    let flat = Transform { scale: [1.0, 0.0, 1.0], ..IDENTITY };
    let bones = [Bone::new("root", None, IDENTITY), Bone::new("flat", Some(0), flat)];
    let skeleton = Skeleton::new(&bones).unwrap();
    let expected = "joint 1 \"flat\": expected a model matrix at rest that has an inverse, found none; \
                    give its inverse bind";
    assert_eq!(Skin::new(&skeleton, &[JointId::new(0), JointId::new(1)]).unwrap_err().to_string(), expected);
    assert!(Skin::new(&skeleton, &[JointId::new(0)]).is_ok());
    assert!(
        Skin::with_inverse_binds(&skeleton, &[JointId::new(0), JointId::new(1)], &[Matrix::IDENTITY; 2])
            .is_ok()
    );
}

#[test]
fn an_unknown_instruction_set_is_an_error_with_its_cause() {
    let error = Error::from(backend::find("mmx").unwrap_err());
    let expected = "SINEW_ISA: unknown instruction set \"mmx\": \
                    expected one of plain, sse2, avx2, avx512, neon, simd128";
    assert_eq!(error.to_string(), expected);
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn a_child_of_a_flat_joint_has_no_inverse_bind_for_any_rotation() {
    let random = &mut sinew_testkit::random::Random::new(1);
    let flat = Transform { scale: [1.0, 0.0, 1.0], ..IDENTITY };
    for _ in 0..100 {
        let rotation = sinew_testkit::rigs::rotation(random);
        let rotated = Transform { rotation, ..IDENTITY };
        let skeleton = Skeleton::new(&[Bone::new("flat", None, flat), Bone::new("turned", Some(0), rotated)]);
        let error = Skin::new(&skeleton.expect("a skeleton"), &[JointId::new(1)]).unwrap_err();
        assert!(
            matches!(error, SkeletonError::SingularRest { joint: JointName { joint: 1, .. } }),
            "{error}"
        );
    }
}

#[test]
fn small_and_non_uniform_scales_are_accepted() {
    for scale in [[1e-9; 3], [1e9; 3], [1e-6, 1.0, 1e6]] {
        let skeleton = Skeleton::new(&[Bone::new("root", None, Transform { scale, ..IDENTITY })]);
        assert!(Skin::new(&skeleton.expect("a skeleton"), &[JointId::new(0)]).is_ok(), "{scale:?}");
    }
}
