//! Instances: playback, blending, edits and skinning. They equal the low-level calls.

use sinew::animation::{Aimed, Mask, Motion, Reach, Reference, Repeat, RootParts, TwoBone};
use sinew::geometry::Side;
use sinew::mesh::Attributes;
use sinew::model::{History, ModelError};
use sinew::skinning::{SkinMethod, Skinned, Target, VertexLayout, VertexOrder, VertexWriter};
use sinew::{Aabb, Aim, InstanceOptions, JointId, Model, Palette, Pose, Ray, SkinOptions, Transform};

use crate::support::one_vertex_model::{SlideKeys, one_vertex_model};
use crate::support::scene_cache::scene_model;
use crate::support::vec3_f64::length;

fn figure() -> Model {
    scene_model("@figure:2000")
}

/// One vertex that a clip moves along x, and up by a morph target. A second clip moves nothing.
fn sliding_vertex() -> Model {
    one_vertex_model(&SlideKeys {
        times: [0.0, 2.0],
        translations: [[0.0; 3], [4.0, 0.0, 0.0]],
        morph_weights: [0.0, 2.0],
    })
}

#[test]
fn an_instance_is_at_rest_until_it_plays() {
    let model = figure();
    let mut figure = model.instance();
    assert_eq!(figure.pose(), model.skeleton().rest());
    let rest = figure.skin().bounds();
    figure.step(1.0);
    assert_eq!(figure.pose(), model.skeleton().rest());
    assert_eq!(figure.skin().bounds(), rest);
}

#[test]
fn playing_a_clip_equals_the_low_level_calls() {
    let model = figure();
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    let clip = &model.clips()[model.clip("walk").unwrap()];
    let (mut pose, mut cursor) = (model.skeleton().rest_pose(), clip.cursor());
    let mut matrices = model.skeleton().identity_matrices();
    let mesh = &model.primitive(0).mesh;
    let mut palette = Palette::new(&model.skins()[0]);
    let mut skinned = Skinned::new(mesh, Attributes::Tangents).unwrap();
    for frame in 1..=8 {
        instance.step(0.0625);
        clip.sample(0.0625 * frame as f32, &mut cursor, &mut pose).unwrap();
        model.skeleton().to_model(&pose, .., &mut matrices).unwrap();
        palette.update(&matrices, &model.skins()[0]).unwrap();
        mesh.skin(&palette, &SkinOptions::default(), &mut skinned).unwrap();
        assert_eq!(instance.pose(), &pose);
        assert_eq!(instance.model_matrices(), matrices);
        assert!(instance.skin().mesh_instances()[0].blocks() == skinned.blocks());
    }
}

#[test]
fn one_mesh_can_be_skinned_into_memory_of_the_caller() {
    let model = figure();
    let mut instance = model.instance();
    instance.play("wave").unwrap();
    instance.step(0.5);
    let mut positions = vec![[0.0; 3]; model.primitive(0).mesh.len()];
    let mut bounds = Aabb::EMPTY;
    let vertices = positions.len();
    let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut positions], vertices).unwrap();
    instance.skin_into(0, Target::vertices(writer).with_bounds(&mut bounds)).unwrap();
    assert_eq!(bounds, Aabb::from_points(&positions));
    let skinned = instance.skin();
    for (vertex, &position) in positions.iter().enumerate() {
        // The two orders differ by rounding.
        let distance =
            length(std::array::from_fn(|i| f64::from(skinned.position(0, vertex)[i] - position[i])));
        assert!(distance < 1e-6, "vertex {vertex}");
    }
    let none: [&mut [f32]; 1] = [&mut []];
    let writer = VertexWriter::new(&VertexLayout::packed(1), none, 0).unwrap();
    let rejection = instance.skin_into(1, Target::vertices(writer));
    assert_eq!(rejection, Err(ModelError::MeshInstanceOutOfRange { mesh_instance: 1, len: 1 }));
}

#[test]
fn clips_animate_morph_weights_which_move_the_vertices() {
    let model = sliding_vertex();
    let mut instance = model.instance();
    instance.play("slide").unwrap();
    instance.step(0.5);
    assert_eq!(instance.skin().position(0, 0), [1.0, 0.5, 0.0]);
    instance.pose_mut().morph_weights_mut()[0] = 3.0;
    assert_eq!(instance.skin().position(0, 0), [1.0, 3.0, 0.0]);
    instance.step(0.5);
    assert_eq!(instance.skin().position(0, 0), [2.0, 1.0, 0.0]);
}

#[test]
fn speed_seek_and_repeat_mode_are_applied() {
    let model = sliding_vertex();
    let mut instance = model.instance();
    let x_after = |instance: &mut sinew::Instance, seconds: f32| {
        instance.step(seconds);
        instance.pose().translation(JointId::new(0))[0]
    };
    instance.play("slide").unwrap().set_speed(2.0);
    assert_eq!(x_after(&mut instance, 0.25), 1.0);
    assert_eq!(x_after(&mut instance, 1.0), 1.0); // One full loop.
    instance.play("slide").unwrap().set_speed(-1.0).seek(1.0).set_repeat(Repeat::Clamp);
    assert_eq!(x_after(&mut instance, 0.5), 1.0);
    assert_eq!(x_after(&mut instance, 5.0), 0.0);
    assert!(instance.playbacks_mut()[0].is_finished());
    for odd in [f32::NAN, f32::INFINITY] {
        instance.play("slide").unwrap().set_speed(odd).set_weight(odd).seek(f64::from(odd));
        assert_eq!(x_after(&mut instance, odd), 0.0);
        assert_eq!(x_after(&mut instance, 0.5), 1.0);
    }
}

#[test]
fn a_fade_blends_to_the_new_clip_and_drops_the_old_one() {
    let model = sliding_vertex();
    let mut instance = model.instance();
    instance.play("slide").unwrap().seek(1.0).set_speed(0.0);
    instance.step(0.0);
    instance.fade_to("still", 1.0).unwrap();
    let mut found = Vec::new();
    for _ in 0..5 {
        instance.step(0.25);
        found.push(instance.pose().translation(JointId::new(0))[0]);
    }
    assert_eq!(found, [1.5, 1.0, 0.5, 0.0, 0.0]);
    assert_eq!(instance.playbacks_mut().len(), 1);
    instance.fade_to("slide", 0.0).unwrap().set_repeat(Repeat::Clamp).seek(2.0).set_speed(0.0);
    instance.step(0.0);
    assert_eq!(instance.playbacks_mut().len(), 1, "a fade without time is none");
    assert_eq!(instance.pose().translation(JointId::new(0))[0], 4.0);
}

#[test]
fn weights_below_one_blend_with_rest_and_above_one_are_normalized() {
    let model = sliding_vertex();
    for (weights, expected) in [([0.25, 0.0], 0.5), ([1.0, 1.0], 1.0), ([2.0, 6.0], 0.5), ([0.0, 0.0], 0.0)] {
        let mut instance = model.instance();
        instance.play("slide").unwrap().seek(1.0).set_speed(0.0).set_weight(weights[0]);
        instance.blend("still").unwrap().set_weight(weights[1]);
        instance.step(0.0);
        assert_eq!(instance.pose().translation(JointId::new(0))[0], expected, "{weights:?}");
    }
}

#[test]
fn an_additive_clip_at_its_reference_frame_changes_nothing() {
    let model = figure();
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    instance.step(0.3);
    let alone = instance.pose().clone();
    instance.play("walk").unwrap();
    instance.add("walk", Reference::FirstFrame).unwrap().set_weight(0.0);
    instance.step(0.3);
    assert_eq!(instance.pose(), &alone);
    instance.playbacks_mut()[1].set_weight(1.0).seek(0.0).set_speed(0.0);
    instance.step(0.0);
    for (found, expected) in instance.pose().transforms().zip(alone.transforms()) {
        for (a, b) in found.rotation.iter().zip(expected.rotation) {
            assert!((a - b).abs() < 1e-6);
        }
    }
    let rest = model.skeleton().rest_pose();
    assert!(instance.add("walk", Reference::Pose(&rest)).is_ok());
    assert!(instance.add("walk", Reference::Pose(&Pose::new(sliding_vertex().skeleton()))).is_err());
}

#[test]
fn a_masked_clip_moves_only_its_joints() {
    let model = figure();
    let skeleton = model.skeleton();
    let arm = Mask::subtree(skeleton, skeleton.joint("right collar").unwrap()).unwrap();
    let mut instance = model.instance();
    instance.play("wave").unwrap().set_mask(arm.clone()).unwrap();
    instance.step(0.4);
    for (joint, &factor) in arm.factors().iter().enumerate() {
        let moved =
            instance.pose().transform(JointId::new(joint)) != skeleton.rest().transform(JointId::new(joint));
        assert!(!moved || factor == 1.0, "{}", skeleton.name(JointId::new(joint)));
    }
    assert!(instance.play("wave").unwrap().set_mask(Mask::new(&[1.0]).unwrap()).is_err());
}

#[test]
fn a_joint_edit_moves_its_descendants_until_the_next_step() {
    let model = figure();
    let skeleton = model.skeleton();
    let (neck, head) = (skeleton.joint("neck 1").unwrap(), skeleton.joint("head").unwrap());
    let mut instance = model.instance();
    let before = instance.model_matrices()[head.index()].translation();
    instance.joint_mut(neck).translate([0.0, 0.25, 0.0]).rotate([0.0, 1.0, 0.0, 0.0]);
    let after = instance.model_matrices()[head.index()].translation();
    assert!((after[1] - before[1] - 0.25).abs() < 1e-6, "{before:?} {after:?}");
    let rest = skeleton.rest().transform(JointId::new(0));
    instance
        .joint_mut(JointId::new(0))
        .set_transform(&Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY });
    assert!((instance.model_matrices()[head.index()].translation()[0] - after[0] - 1.0).abs() < 1e-5);
    instance.step(0.0);
    assert_eq!(instance.pose().transform(JointId::new(0)), rest);
    assert_eq!(instance.model_matrices()[head.index()].translation(), before);
}

#[test]
fn dual_quaternion_skinning_is_used_on_request() {
    let model = figure();
    let mut linear = model.instance();
    let options = InstanceOptions::default().with_skin_method(SkinMethod::DualQuaternion);
    let mut dual_quaternions = model.instance_with(&options);
    for instance in [&mut linear, &mut dual_quaternions] {
        instance.play("wave").unwrap();
        instance.step(0.5);
    }
    let (linear, dual_quaternions) = (linear.skin(), dual_quaternions.skin());
    assert!(linear.mesh_instances()[0].blocks() != dual_quaternions.mesh_instances()[0].blocks());
    let (a, b) = (linear.bounds(), dual_quaternions.bounds());
    assert!((a.max[1] - b.max[1]).abs() < 0.05);
}

#[test]
fn fewer_influences_are_used_where_the_mesh_has_that_lod() {
    let model = sinew_figures::scene("@figure:500").unwrap().model_with_levels(&[1]).unwrap();
    let skinned = |max_influences| {
        let mut instance =
            model.instance_with(&InstanceOptions::default().with_max_influences(max_influences));
        instance.play("wave").unwrap();
        instance.step(0.5);
        instance.skin().mesh_instances()[0].blocks().to_vec()
    };
    let all = skinned(usize::MAX);
    assert!(skinned(1) != all);
    assert!(skinned(4) == all);
    // The mesh was not built with this LOD.
    assert!(skinned(2) == all);
}

#[test]
fn an_unknown_clip_name_is_reported_with_the_names_that_exist() {
    let mut instance = figure().instance();
    let error = instance.play("wlak").unwrap_err();
    assert_eq!(error.to_string(), "no clip is named \"wlak\"; expected \"walk\", \"wave\"");
}

#[test]
fn playing_fading_and_skinning_allocate_nothing_after_warm_up() {
    let model = figure();
    let mut instance = model.instance();
    let mut frames = |count: usize| {
        for frame in 0..count {
            match frame % 4 {
                0 => _ = instance.play("walk").unwrap().set_speed(1.3),
                1 => _ = instance.fade_to("wave", 0.1).unwrap(),
                2 => _ = instance.blend("walk").unwrap().set_weight(0.5).fade_in(0.2),
                _ => _ = instance.joint_mut(JointId::new(3)).rotate([0.0, 0.6, 0.0, 0.8]),
            }
            instance.step(1.0 / 60.0);
            instance.skin();
        }
    };
    frames(8);
    let counted = allocation_counter::measure(|| frames(200));
    assert_eq!(counted.count_total, 0);
}

#[test]
fn rays_bounds_and_history_allocate_nothing_after_warm_up() {
    for (model, skin_method) in [
        (figure(), SkinMethod::Linear),
        (figure(), SkinMethod::DualQuaternion),
        (sliding_vertex(), SkinMethod::Linear),
    ] {
        let options = InstanceOptions::default().with_skin_method(skin_method);
        let mut instance = model.instance_with(&options);
        let mut past = model.instance_with(&options);
        let mut history = History::new(model.skeleton(), 4);
        let mut positions = vec![[0.0; 3]; model.primitive(0).mesh.padded_len()];
        instance.start(0);
        let mut seconds = 0.0;
        let mut frames = |count: usize| {
            for _ in 0..count {
                instance.step(1.0 / 60.0);
                seconds += 1.0 / 60.0;
                assert!(!instance.bounds().is_empty() && !instance.sphere().is_empty());
                // So many rays that a lazy BVH skins everything.
                for height in 0..100_u8 {
                    instance.cast(&Ray::new([0.0, f32::from(height) / 50.0, 10.0], [0.0, 0.0, -1.0]));
                }
                let slots = positions.len();
                let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut positions], slots).unwrap();
                instance.skin_into(0, Target::vertices(writer).in_order(VertexOrder::Run)).unwrap();
                history.record(seconds, instance.pose()).unwrap();
                history.pose_at(seconds - 0.025, past.pose_mut()).unwrap();
                past.cast(&Ray::new([0.0, 1.2, 10.0], [0.0, 0.0, -1.0]));
            }
        };
        frames(2);
        let counted = allocation_counter::measure(|| frames(20));
        assert_eq!(counted.count_total, 0, "{skin_method:?}");
    }
}

#[test]
fn root_motion_is_extracted_from_the_pose_and_returned() {
    let model = sliding_vertex();
    let mut instance = model.instance();
    instance.play("slide").unwrap().set_root_motion(JointId::new(0), RootParts::GROUND).unwrap();
    let mut travelled = 0.0;
    // The clip moves four meters in two seconds and loops.
    for frame in 1..=600 {
        instance.step(1.0 / 60.0);
        assert!(instance.pose().translation(JointId::new(0))[0].abs() < 1e-6, "the pose stays");
        travelled += instance.take_root_motion().translation[0];
        assert!((travelled - frame as f32 / 30.0).abs() < 1e-4, "{travelled} after frame {frame}");
    }
    assert_eq!(instance.take_root_motion(), Motion::IDENTITY);
    // Half the weight gives half the motion.
    instance
        .play("slide")
        .unwrap()
        .set_weight(0.5)
        .set_root_motion(JointId::new(0), RootParts::GROUND)
        .unwrap();
    instance.step(0.5);
    assert_eq!(instance.take_root_motion().translation, [0.5, 0.0, 0.0]);
    assert!(instance.play("slide").unwrap().set_root_motion(JointId::new(1), RootParts::GROUND).is_err());
}

#[test]
fn ik_lasts_until_the_next_step() {
    let model = figure();
    let joint = |name: &str| model.skeleton().joint(name).unwrap();
    let limb = ["left upper arm", "left forearm", "left hand"].map(joint);
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    instance.step(0.25);
    let walking = instance.pose().clone();
    let ball = [0.3, 1.3, 0.4];
    assert_eq!(instance.reach(&TwoBone::new(limb, ball)).unwrap(), Reach::Reached);
    let hand = instance.model_matrices()[limb[2].index()].translation();
    assert!(hand.iter().zip(ball).all(|(a, b)| (a - b).abs() < 1e-4), "{hand:?}");
    let aim = Aim::new(joint("head"), [0.0, 0.0, 1.0], ball);
    assert_eq!(instance.aim(&aim).unwrap(), Aimed::Reached);
    let skinned = instance.skin().bounds();
    instance.step(0.0);
    assert_eq!(instance.pose(), &walking);
    assert!(instance.skin().bounds() != skinned);
}

#[test]
fn additive_and_masked_clips_do_not_change_root_motion() {
    let model = figure();
    let skeleton = model.skeleton();
    let walk = model.clip("walk").unwrap();
    let hips = skeleton.joint("hips").unwrap();
    let motion_of = |extra: &dyn Fn(&mut sinew::Instance)| {
        let mut instance = model.instance();
        instance.start(walk).set_root_motion(hips, RootParts::ALL).unwrap();
        extra(&mut instance);
        instance.step(0.3);
        instance.take_root_motion()
    };
    let alone = motion_of(&|_| {});
    assert_ne!(alone, Motion::IDENTITY);
    let added = motion_of(&|instance| {
        instance.add("wave", Reference::FirstFrame).unwrap();
    });
    assert_eq!(added, alone);
    let arm = Mask::subtree(skeleton, skeleton.joint("right collar").unwrap()).unwrap();
    let masked = motion_of(&|instance| {
        instance.blend("wave").unwrap().set_mask(arm.clone()).unwrap();
    });
    assert_eq!(masked, alone);
}

#[test]
fn zero_negative_and_non_finite_fade_times_are_harmless() {
    let model = sliding_vertex();
    for seconds in [1e-45, f32::MIN_POSITIVE, 0.0, -1.0] {
        let mut instance = model.instance();
        instance.play("slide").unwrap();
        instance.fade_to("still", seconds).unwrap();
        for step in [0.0, f32::NAN, 0.5] {
            instance.step(step);
        }
        assert_eq!(instance.playbacks_mut().len(), 1, "{seconds:e}");
    }
    for seconds in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut instance = model.instance();
        instance.play("slide").unwrap().fade_out(seconds).fade_in(seconds);
        instance.step(0.5);
        assert_eq!(instance.pose().translation(JointId::new(0))[0], 1.0);
    }
    // A fade-out from half the weight takes the requested time.
    let mut instance = model.instance();
    instance.play("slide").unwrap().fade_in(1.0);
    instance.step(0.5);
    instance.playbacks_mut()[0].fade_out(1.0);
    instance.step(0.5);
    assert_eq!(instance.playbacks_mut()[0].effective_weight(), 0.25);
}

#[test]
fn rays_hit_an_instance_in_its_current_pose() {
    let model = figure();
    let mut instance = model.instance();
    let ahead = Ray::new([0.0, 1.2, 10.0], [0.0, 0.0, -1.0]);
    let at_rest = instance.cast(&ahead).expect("the chest is there");
    assert_eq!((at_rest.mesh_instance, at_rest.side), (0, Side::Front));
    assert_eq!(instance.cast(&ahead), Some(at_rest));
    instance.joint_mut(JointId::new(0)).translate([0.0, 0.0, 2.0]);
    let nearer = instance.cast(&ahead).expect("the chest is there");
    assert!((at_rest.distance - nearer.distance - 2.0).abs() < 1e-5, "{at_rest:?} {nearer:?}");
    assert_eq!((nearer.joint, nearer.triangle), (at_rest.joint, at_rest.triangle));
    instance.joint_mut(JointId::new(0)).translate([5.0, 0.0, 0.0]);
    assert_eq!(instance.cast(&ahead), None);
}
