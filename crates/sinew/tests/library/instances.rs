//! Instances: what they play, how it blends, and that it is nothing but calls of the level below.

use sinew::{
    Aabb, Aim, Aimed, Attributes, Bone, Clip, Deltas, Error, History, Influences, InstanceOptions,
    Interpolation, JointBlend, Keys, Mask, Mesh, MeshSource, Model, ModelSource, MorphSource, Motion, Order,
    Palette, Part, Pose, Ray, Reach, Reference, Repeat, RootParts, Side, Skeleton, Skin, SkinOptions,
    Skinned, Surface, Target, Track, Transform, TwoBone, VertexLayout,
};

use crate::made;

fn figure() -> Model {
    made::model("@figure:2000")
}

/// One vertex on one joint that a clip moves along x, with a morph target along y that the clip moves too.
fn dot() -> Model {
    let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).expect("sound");
    let skeleton = skeleton.with_morph_weights(&[0.0]).expect("sound");
    let skin = Skin::new(&skeleton, &[0]).expect("sound");
    let influences = Influences::Listed { counts: &[1], joints: &[0], weights: &[1.0] };
    let up = MorphSource { positions: Deltas::Dense(&[[0.0, 1.0, 0.0]]), ..MorphSource::default() };
    let source = MeshSource { morphs: &[up], ..MeshSource::new(&[[0.0; 3]], influences) };
    let mesh = Mesh::new(&source, &skin).expect("sound");
    let slide = Keys::Translations { joint: 0, values: &[[0.0; 3], [4.0, 0.0, 0.0]] };
    let rise = Keys::Weights { first: 0, count: 1, values: &[0.0, 2.0] };
    let track = |keys| Track { times: &[0.0, 2.0], keys, interpolation: Interpolation::Linear };
    let clips = vec![
        Clip::new("slide", &skeleton, &[track(slide), track(rise)]).expect("sound"),
        Clip::new("still", &skeleton, &[]).expect("sound"),
    ];
    let surface = Surface {
        name: String::new(),
        mesh,
        texture_coordinates: Vec::new(),
        colours: Vec::new(),
        material: None,
    };
    let part = Part { name: String::new(), joint: 0, surface: 0, skin: 0, morph_weights: 0..1 };
    Model::new(ModelSource {
        skins: vec![skin],
        surfaces: vec![surface],
        parts: vec![part],
        clips,
        ..ModelSource::new(skeleton)
    })
    .expect("sound")
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
fn a_clip_that_is_played_gives_what_the_level_below_gives() {
    let model = figure();
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    let clip = &model.clips()[model.clip("walk").unwrap()];
    let (mut pose, mut cursor) = (model.skeleton().rest_pose(), clip.cursor());
    let mut matrices = model.skeleton().model_matrices();
    let mesh = &model.surface(0).mesh;
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
        assert!(instance.skin().parts()[0].blocks() == skinned.blocks());
    }
}

#[test]
fn one_part_can_go_into_memory_of_the_callers_own() {
    let model = figure();
    let mut instance = model.instance();
    instance.play("wave").unwrap();
    instance.step(0.5);
    let mut positions = vec![[0.0; 3]; model.surface(0).mesh.len()];
    let mut bounds = Aabb::EMPTY;
    let form = VertexLayout::Packed([&mut positions, &mut [], &mut [], &mut []]);
    let target = Target {
        order: Order::Source,
        bounds: Some(&mut bounds),
        ..Target::new(Attributes::Positions, form)
    };
    instance.skin_into(0, target).unwrap();
    let skinned = instance.skin();
    assert_eq!(bounds, skinned.bounds());
    for (vertex, &position) in positions.iter().enumerate() {
        assert_eq!(skinned.position(0, vertex), position);
    }
    let form = VertexLayout::Packed([&mut [], &mut [], &mut [], &mut []]);
    let refused = instance.skin_into(1, Target::new(Attributes::Positions, form));
    assert_eq!(refused, Err(Error::PartOutOfRange { part: 1, len: 1 }));
}

#[test]
fn clips_move_morph_weights_and_these_the_vertices() {
    let model = dot();
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
fn speed_place_and_ends_are_as_asked() {
    let model = dot();
    let mut instance = model.instance();
    let x_after = |instance: &mut sinew::Instance, seconds: f32| {
        instance.step(seconds);
        instance.pose().joints()[0].translation[0]
    };
    instance.play("slide").unwrap().speed(2.0);
    assert_eq!(x_after(&mut instance, 0.25), 1.0);
    assert_eq!(x_after(&mut instance, 1.0), 1.0); // Once around.
    instance.play("slide").unwrap().speed(-1.0).at(1.0).repeat(Repeat::Clamp);
    assert_eq!(x_after(&mut instance, 0.5), 1.0);
    assert_eq!(x_after(&mut instance, 5.0), 0.0);
    assert!(instance.playing()[0].is_finished());
    for odd in [f32::NAN, f32::INFINITY] {
        instance.play("slide").unwrap().speed(odd).weight(odd).at(f64::from(odd));
        assert_eq!(x_after(&mut instance, odd), 0.0);
        assert_eq!(x_after(&mut instance, 0.5), 1.0);
    }
}

#[test]
fn a_fade_goes_from_one_clip_to_the_other_and_drops_the_first() {
    let model = dot();
    let mut instance = model.instance();
    instance.play("slide").unwrap().at(1.0).speed(0.0);
    instance.step(0.0);
    instance.fade_to("still", 1.0).unwrap();
    let mut found = Vec::new();
    for _ in 0..5 {
        instance.step(0.25);
        found.push(instance.pose().joints()[0].translation[0]);
    }
    assert_eq!(found, [1.5, 1.0, 0.5, 0.0, 0.0]);
    assert_eq!(instance.playing().len(), 1);
    instance.fade_to("slide", 0.0).unwrap().repeat(Repeat::Clamp).at(2.0).speed(0.0);
    instance.step(0.0);
    assert_eq!(instance.playing().len(), 1, "a fade without time is none");
    assert_eq!(instance.pose().joints()[0].translation[0], 4.0);
}

#[test]
fn weights_below_one_are_filled_by_rest_and_above_one_divided() {
    let model = dot();
    for (weights, expected) in [([0.25, 0.0], 0.5), ([1.0, 1.0], 1.0), ([2.0, 6.0], 0.5), ([0.0, 0.0], 0.0)] {
        let mut instance = model.instance();
        instance.play("slide").unwrap().at(1.0).speed(0.0).weight(weights[0]);
        instance.blend("still").unwrap().weight(weights[1]);
        instance.step(0.0);
        assert_eq!(instance.pose().joints()[0].translation[0], expected, "{weights:?}");
    }
}

#[test]
fn a_clip_added_to_itself_at_its_first_frame_changes_nothing() {
    let model = figure();
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    instance.step(0.3);
    let alone = instance.pose().clone();
    instance.play("walk").unwrap();
    instance.add("walk", Reference::FirstFrame).unwrap().weight(0.0);
    instance.step(0.3);
    assert_eq!(instance.pose(), &alone);
    instance.playing()[1].weight(1.0).at(0.0).speed(0.0);
    instance.step(0.0);
    for (found, expected) in instance.pose().joints().iter().zip(alone.joints()) {
        for (a, b) in found.rotation.iter().zip(expected.rotation) {
            assert!((a - b).abs() < 1e-6);
        }
    }
    let rest = model.skeleton().rest_pose();
    assert!(instance.add("walk", Reference::Pose(&rest)).is_ok());
    assert!(instance.add("walk", Reference::Pose(&Pose::new(dot().skeleton()))).is_err());
}

#[test]
fn a_masked_clip_moves_its_joints_alone() {
    let model = figure();
    let skeleton = model.skeleton();
    let arm = Mask::subtree(skeleton, skeleton.joint("right collar").unwrap()).unwrap();
    let mut instance = model.instance();
    instance.play("wave").unwrap().masked(arm.clone()).unwrap();
    instance.step(0.4);
    for (joint, &factor) in arm.factors().iter().enumerate() {
        let moved = instance.pose().transform(joint) != skeleton.rest().transform(joint);
        assert!(!moved || factor == 1.0, "{}", skeleton.name(joint));
    }
    assert!(instance.play("wave").unwrap().masked(Mask::new(&[1.0]).unwrap()).is_err());
}

#[test]
fn a_joint_that_the_caller_moves_takes_those_below_along_until_the_next_step() {
    let model = figure();
    let skeleton = model.skeleton();
    let (neck, head) = (skeleton.joint("neck 1").unwrap(), skeleton.joint("head").unwrap());
    let mut instance = model.instance();
    let before = instance.model_matrices()[head].translation();
    instance.joint_mut(neck).translate([0.0, 0.25, 0.0]).rotate([0.0, 1.0, 0.0, 0.0]);
    let after = instance.model_matrices()[head].translation();
    assert!((after[1] - before[1] - 0.25).abs() < 1e-6, "{before:?} {after:?}");
    let rest = *skeleton.rest().joints().first().unwrap();
    instance.joint_mut(0).set(&Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY });
    assert!((instance.model_matrices()[head].translation()[0] - after[0] - 1.0).abs() < 1e-5);
    instance.step(0.0);
    assert_eq!(instance.pose().joints()[0], rest);
    assert_eq!(instance.model_matrices()[head].translation(), before);
}

#[test]
fn dual_quaternions_are_used_when_asked_for() {
    let model = figure();
    let mut linear = model.instance();
    let options = InstanceOptions { joint_blend: JointBlend::Duals, ..InstanceOptions::default() };
    let mut duals = model.instance_with(&options);
    for instance in [&mut linear, &mut duals] {
        instance.play("wave").unwrap();
        instance.step(0.5);
    }
    let (linear, duals) = (linear.skin(), duals.skin());
    assert!(linear.parts()[0].blocks() != duals.parts()[0].blocks());
    let (a, b) = (linear.bounds(), duals.bounds());
    assert!((a.max[1] - b.max[1]).abs() < 0.05);
}

#[test]
fn fewer_influences_are_used_where_the_surface_was_built_with_them() {
    let model = sinew_figures::scene("@figure:500").unwrap().model_with_levels(&[1]).unwrap();
    let skinned = |max_influences| {
        let mut instance =
            model.instance_with(&InstanceOptions { max_influences, ..InstanceOptions::default() });
        instance.play("wave").unwrap();
        instance.step(0.5);
        instance.skin().parts()[0].blocks().to_vec()
    };
    let all = skinned(usize::MAX);
    assert!(skinned(1) != all);
    assert!(skinned(4) == all);
    // Nobody asked for this level.
    assert!(skinned(2) == all);
}

#[test]
fn a_clip_that_is_not_there_is_named_with_those_like_it() {
    let mut instance = figure().instance();
    let error = instance.play("wlak").unwrap_err();
    assert_eq!(error.to_string(), "no clip is named \"wlak\"; similar: \"walk\"");
}

#[test]
fn playing_fading_and_skinning_take_no_memory_after_the_first_time() {
    let model = figure();
    let mut instance = model.instance();
    let mut frames = |count: usize| {
        for frame in 0..count {
            match frame % 4 {
                0 => _ = instance.play("walk").unwrap().speed(1.3),
                1 => _ = instance.fade_to("wave", 0.1).unwrap(),
                2 => _ = instance.blend("walk").unwrap().weight(0.5).fade_in(0.2),
                _ => _ = instance.joint_mut(3).rotate([0.0, 0.6, 0.0, 0.8]),
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
fn rays_bounds_and_the_past_take_no_memory_after_the_first_time() {
    for (model, joint_blend) in
        [(figure(), JointBlend::Linear), (figure(), JointBlend::Duals), (dot(), JointBlend::Linear)]
    {
        let options = InstanceOptions { joint_blend, ..InstanceOptions::default() };
        let mut instance = model.instance_with(&options);
        let mut past = model.instance_with(&options);
        let mut history = History::new(model.skeleton(), 4);
        let mut positions = vec![[0.0; 3]; model.surface(0).mesh.padded_len()];
        instance.start(0);
        let mut seconds = 0.0;
        let mut frames = |count: usize| {
            for _ in 0..count {
                instance.step(1.0 / 60.0);
                seconds += 1.0 / 60.0;
                assert!(!instance.bounds().is_empty() && !instance.sphere().is_empty());
                // More than a lazy tree serves one by one.
                for height in 0..100_u8 {
                    instance.cast(&Ray::new([0.0, f32::from(height) / 50.0, 10.0], [0.0, 0.0, -1.0]));
                }
                let form = VertexLayout::Packed([&mut positions, &mut [], &mut [], &mut []]);
                instance.skin_into(0, Target::new(Attributes::Positions, form)).unwrap();
                history.record(seconds, instance.pose()).unwrap();
                history.at(seconds - 0.025, past.pose_mut()).unwrap();
                past.cast(&Ray::new([0.0, 1.2, 10.0], [0.0, 0.0, -1.0]));
            }
        };
        frames(2);
        let counted = allocation_counter::measure(|| frames(20));
        assert_eq!(counted.count_total, 0, "{joint_blend:?}");
    }
}

#[test]
fn the_motion_of_a_root_is_taken_out_and_handed_over() {
    let model = dot();
    let mut instance = model.instance();
    instance.play("slide").unwrap().root_motion(0, RootParts::GROUND).unwrap();
    let mut travelled = 0.0;
    // The clip goes four metres in two seconds, over and over.
    for frame in 1..=600 {
        instance.step(1.0 / 60.0);
        assert!(instance.pose().joints()[0].translation[0].abs() < 1e-6, "the pose stays");
        travelled += instance.take_motion().translation[0];
        assert!((travelled - frame as f32 / 30.0).abs() < 1e-4, "{travelled} after frame {frame}");
    }
    assert_eq!(instance.take_motion(), Motion::IDENTITY);
    // Half of it when it counts for half.
    instance.play("slide").unwrap().weight(0.5).root_motion(0, RootParts::GROUND).unwrap();
    instance.step(0.5);
    assert_eq!(instance.take_motion().translation, [0.5, 0.0, 0.0]);
    assert!(instance.play("slide").unwrap().root_motion(1, RootParts::GROUND).is_err());
}

#[test]
fn a_limb_reaches_and_a_head_looks_until_the_next_step() {
    let model = figure();
    let joint = |name: &str| model.skeleton().joint(name).unwrap();
    let limb = ["left upper arm", "left forearm", "left hand"].map(joint);
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    instance.step(0.25);
    let walking = instance.pose().clone();
    let ball = [0.3, 1.3, 0.4];
    assert_eq!(instance.reach(&TwoBone::new(limb, ball)).unwrap(), Reach::Reached);
    let hand = instance.model_matrices()[limb[2]].translation();
    assert!(hand.iter().zip(ball).all(|(a, b)| (a - b).abs() < 1e-4), "{hand:?}");
    let aim = Aim::new(joint("head"), [0.0, 0.0, 1.0], ball);
    assert_eq!(instance.aim(&aim).unwrap(), Aimed::Reached);
    let skinned = instance.skin().bounds();
    instance.step(0.0);
    assert_eq!(instance.pose(), &walking);
    assert!(instance.skin().bounds() != skinned);
}

#[test]
fn what_is_added_or_masked_does_not_slow_the_motion_of_the_root() {
    let model = figure();
    let skeleton = model.skeleton();
    let walk = model.clip("walk").unwrap();
    let hips = skeleton.joint("hips").unwrap();
    let motion_of = |extra: &dyn Fn(&mut sinew::Instance)| {
        let mut instance = model.instance();
        instance.start(walk).root_motion(hips, RootParts::ALL).unwrap();
        extra(&mut instance);
        instance.step(0.3);
        instance.take_motion()
    };
    let alone = motion_of(&|_| {});
    assert_ne!(alone, Motion::IDENTITY);
    let added = motion_of(&|instance| {
        instance.add("wave", Reference::FirstFrame).unwrap();
    });
    assert_eq!(added, alone);
    let arm = Mask::subtree(skeleton, skeleton.joint("right collar").unwrap()).unwrap();
    let masked = motion_of(&|instance| {
        instance.blend("wave").unwrap().masked(arm.clone()).unwrap();
    });
    assert_eq!(masked, alone);
}

#[test]
fn fades_of_no_time_or_none_at_all_do_no_harm() {
    let model = dot();
    for seconds in [1e-45, f32::MIN_POSITIVE, 0.0, -1.0] {
        let mut instance = model.instance();
        instance.play("slide").unwrap();
        instance.fade_to("still", seconds).unwrap();
        for step in [0.0, f32::NAN, 0.5] {
            instance.step(step);
        }
        assert_eq!(instance.playing().len(), 1, "{seconds:e}");
    }
    for seconds in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut instance = model.instance();
        instance.play("slide").unwrap().fade_out(seconds).fade_in(seconds);
        instance.step(0.5);
        assert_eq!(instance.pose().joints()[0].translation[0], 1.0);
    }
    // From half of it, going out takes as long as asked.
    let mut instance = model.instance();
    instance.play("slide").unwrap().fade_in(1.0);
    instance.step(0.5);
    instance.playing()[0].fade_out(1.0);
    instance.step(0.5);
    assert_eq!(instance.playing()[0].share(), 0.25);
}

#[test]
fn rays_hit_an_instance_where_it_is_now() {
    let model = figure();
    let mut instance = model.instance();
    let ahead = Ray::new([0.0, 1.2, 10.0], [0.0, 0.0, -1.0]);
    let at_rest = instance.cast(&ahead).expect("the chest is there");
    assert_eq!((at_rest.part, at_rest.side), (0, Side::Front));
    assert_eq!(instance.cast(&ahead), Some(at_rest));
    instance.joint_mut(0).translate([0.0, 0.0, 2.0]);
    let nearer = instance.cast(&ahead).expect("the chest is there");
    assert!((at_rest.distance - nearer.distance - 2.0).abs() < 1e-5, "{at_rest:?} {nearer:?}");
    assert_eq!((nearer.joint, nearer.triangle), (at_rest.joint, at_rest.triangle));
    instance.joint_mut(0).translate([5.0, 0.0, 0.0]);
    assert_eq!(instance.cast(&ahead), None);
}
