//! The data is what the file says, survives an export, and is refused where it is wrong.

use std::collections::BTreeMap;

use serde_json::json;
use sinew::JointId;
use sinew_io::{
    ColliderShape, ConstraintAxis, ConstraintKind, ExpressionOverride, FirstPerson, HumanBone, ImportOptions,
    MorphBind, UpAxisConversion, VrmVersion, load_bytes, write_vrm_glb,
};

use super::avatars::{FACE, HAIR, HEAD, HIPS, SPINE, joints, load, vrm_0, vrm_1};
use super::motion::animation;
use crate::support::glb_writer::glb;

#[test]
fn data_of_vrm_1_is_what_the_file_says() {
    let import = load(&vrm_1());
    let vrm = import.vrm.as_ref().unwrap();
    assert_eq!(vrm.version, VrmVersion::V1);
    assert_eq!(vrm.meta_text("name").unwrap(), "test \u{e9}");
    assert_eq!((vrm.meta["authors"].as_str(), vrm.meta_text("authors")), ("[\"a\",\"b\"]", None));
    let bones = [(HumanBone::Hips, HIPS), (HumanBone::Spine, SPINE), (HumanBone::Head, HEAD)];
    assert_eq!(
        vrm.humanoid,
        bones.map(|(bone, joint)| (bone, JointId::new(joint))).into_iter().collect::<BTreeMap<_, _>>()
    );
    assert_eq!(vrm.first_person, [(JointId::new(FACE), FirstPerson::ThirdPersonOnly)]);
    assert!(vrm.look_at.contains("offsetFromHeadBone"), "{}", vrm.look_at);
    let bind = |target, weight| MorphBind { joint: JointId::new(FACE), target, weight };
    let happy = vrm.expression("happy").unwrap();
    assert!(happy.is_preset && !happy.is_binary);
    assert_eq!(happy.binds, [bind(0, 0.5), bind(1, 1.0)]);
    let overrides = [happy.override_blink, happy.override_look_at, happy.override_mouth];
    assert_eq!(overrides, [ExpressionOverride::Block, ExpressionOverride::None, ExpressionOverride::Blend]);
    assert!(vrm.expression("blink").unwrap().is_binary);
    // It names a morph target that the mesh does not have.
    assert!(vrm.expression("wink").unwrap().binds.is_empty());
    assert!(import.report.to_string().contains("without a morph target"), "{}", import.report);
    let shapes: Vec<ColliderShape> = vrm.colliders.iter().map(|collider| collider.shape).collect();
    assert_eq!(
        shapes,
        [
            ColliderShape::Sphere { offset: [0.0, 0.5, 0.25], radius: 0.125, inside: false },
            ColliderShape::Capsule { offset: [0.0; 3], tail: [0.0, 1.0, 0.0], radius: 0.5, inside: false },
            ColliderShape::Plane { offset: [0.0, 1.0, 0.0], normal: [0.0, 1.0, 0.0] },
            ColliderShape::Sphere { offset: [1.0, 2.0, 3.0], radius: 4.0, inside: true },
        ]
    );
    assert_eq!(vrm.collider_groups[1].colliders, [3, 2]);
    let spring = &vrm.springs[0];
    assert_eq!((&spring.collider_groups[..], spring.center), (&[1, 0][..], Some(JointId::new(HIPS))));
    assert_eq!(spring.joints.iter().map(|joint| joint.joint).collect::<Vec<_>>(), joints(&HAIR));
    assert_eq!((spring.joints[0].stiffness, spring.joints[0].drag), (1.5, 0.75));
    assert_eq!((spring.joints[2].stiffness, spring.joints[2].drag), (1.0, 0.5));
    let kinds: Vec<_> =
        vrm.constraints.iter().map(|found| (found.joint.index(), found.kind, found.weight)).collect();
    assert_eq!(
        kinds,
        [
            (SPINE, ConstraintKind::Rotation, 0.5),
            (HAIR[0], ConstraintKind::Roll(ConstraintAxis::PositiveY), 1.0),
            (HAIR[1], ConstraintKind::Aim(ConstraintAxis::NegativeX), 0.75),
        ]
    );
    assert!(import.dropped.is_empty(), "{:?}", import.dropped);
}

#[test]
fn data_of_vrm_0_has_the_names_and_axes_of_vrm_1() {
    let import = load(&vrm_0());
    let vrm = import.vrm.as_ref().unwrap();
    assert_eq!((vrm.version, vrm.meta_text("title").unwrap().as_str()), (VrmVersion::V0, "old"));
    let bones: Vec<_> = vrm.humanoid.keys().copied().collect();
    assert_eq!(bones, [HumanBone::Hips, HumanBone::Head, HumanBone::LeftThumbMetacarpal]);
    let happy = vrm.expression("happy").unwrap();
    assert_eq!(happy.binds, [MorphBind { joint: JointId::new(FACE), target: 1, weight: 0.5 }]);
    assert!(vrm.expression("own").is_some_and(|own| own.is_binary && !own.is_preset));
    let sphere = ColliderShape::Sphere { offset: [1.0, 2.0, -3.0], radius: 0.5, inside: false };
    assert_eq!(vrm.colliders[0].shape, sphere);
    assert_eq!((vrm.springs[0].center, vrm.springs[0].joints[0].gravity_direction), (None, [0.0, -1.0, 0.5]));
    // The whole subtree swings.
    let chains = vrm.spring_chains(import.model.skeleton());
    assert_eq!(chains.len(), 1);
    assert_eq!(chains[0].1.iter().map(|joint| joint.joint).collect::<Vec<_>>(), joints(&HAIR));
}

#[test]
fn exported_data_is_the_same_when_read_again() {
    for source in [vrm_1(), vrm_0(), animation()] {
        let import = load(&source);
        let vrm = import.vrm.as_ref().unwrap();
        let mut glb = Vec::new();
        write_vrm_glb(&mut glb, &import.model, vrm, UpAxisConversion::None).unwrap();
        let again = load_bytes(&glb, &ImportOptions::default()).unwrap();
        assert_eq!(again.vrm.as_ref(), Some(vrm));
        assert!(again.report.is_empty(), "{}", again.report);
        assert_eq!(again.model.metadata(), import.model.metadata());
    }
    let metadata = load(&vrm_1()).model.metadata().clone();
    assert_eq!(metadata.joint_extras[&HEAD], r#"{"kept":[1,2]}"#);
    assert_eq!(metadata.material_extras[&0], r#""kept too""#);
}

#[test]
fn expressions_move_morph_weights() {
    let import = load(&vrm_1());
    let vrm = import.vrm.as_ref().unwrap();
    let mut pose = import.model.skeleton().rest_pose();
    vrm.expression("happy").unwrap().add_to(&mut pose, 0.5, &import.model);
    vrm.expression("blink").unwrap().add_to(&mut pose, 0.75, &import.model);
    assert_eq!(pose.morph_weights(), [0.25, 0.75]);
    vrm.expression("blink").unwrap().add_to(&mut pose, 0.25, &import.model);
    assert_eq!(pose.morph_weights(), [0.25, 0.75]);
}

#[test]
fn wrong_indices_and_names_are_refused_with_their_place() {
    let wrong = [
        ("/extensions/VRMC_vrm/humanoid/humanBones/hips/node", json!(7), "one of 7 nodes"),
        ("/extensions/VRMC_vrm/humanoid/humanBones/hips/node", json!(-1), "one of 7 nodes"),
        ("/extensions/VRMC_vrm/humanoid/humanBones/hips", json!({}), "the field \"node\""),
        ("/extensions/VRMC_vrm/humanoid", json!([]), "an object"),
        ("/extensions/VRMC_vrm/firstPerson/meshAnnotations/0/type", json!("never"), "auto, both"),
        ("/extensions/VRMC_vrm/expressions/preset/happy/morphTargetBinds/0/node", json!(9), "one of 7 nodes"),
        ("/extensions/VRMC_vrm/expressions/preset/happy/overrideBlink", json!("x"), "none, block or blend"),
        ("/extensions/VRMC_springBone/springs/0/colliderGroups/0", json!(2), "one of 2 collider groups"),
        ("/extensions/VRMC_springBone/colliderGroups/0/colliders/0", json!(4), "one of 4 colliders"),
        ("/extensions/VRMC_springBone/colliders/0/shape", json!({}), "a sphere, a capsule or a plane"),
        ("/extensions/VRMC_springBone/springs/0/joints/0/stiffness", json!(1e39), "numbers of 32 bits"),
        ("/extensions/VRMC_springBone/springs/0/joints/0/gravityDir", json!([1, 2]), "3 numbers"),
        ("/nodes/3/extensions/VRMC_node_constraint/constraint/roll/rollAxis", json!("W"), "X, Y or Z"),
        (
            "/nodes/3/extensions/VRMC_node_constraint/constraint/roll/source",
            json!(3),
            "other than the node itself",
        ),
        ("/nodes/3/extensions/VRMC_node_constraint/constraint/aim", json!({"source": 0}), "one of roll, aim"),
    ];
    for (pointer, value, expected) in wrong {
        let (mut document, buffer) = vrm_1();
        match document.pointer_mut(pointer) {
            Some(found) => *found = value,
            None => {
                let (parent, name) = pointer.rsplit_once('/').unwrap();
                document.pointer_mut(parent).unwrap()[name] = value;
            }
        }
        let bytes = glb(&serde_json::to_vec(&document).unwrap(), &buffer);
        let error = load_bytes(&bytes, &ImportOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("line 1, column ") && error.contains(expected), "{pointer}: {error}");
    }
}
