//! Crowds: every member equals a plain instance bit for bit, for any order of members, any number
//! of threads and any call that skins.

use std::sync::Mutex;

use sinew::animation::{AnimationError, Override};
use sinew::crowd::{CrowdOptions, PaletteSpace};
use sinew::skinning::{Target, VertexLayout, VertexOrder, VertexWriter};
use sinew::{Crowd, InstanceOptions, JointId, Ray};

use crate::support::poses::block_bits;
use crate::support::test_crowd::{
    STEP, TestCrowd, apply_modifiers, choose_modifiers, play_clips, set_modifiers, update_interval,
};

const CHARACTERS: usize = 19;
const FRAMES: usize = 5;

/// The bits of each character's vertices after each frame, from plain instances.
fn instance_bits(test_crowd: &TestCrowd) -> Vec<Vec<Vec<u32>>> {
    let character_bits = |character| {
        let mut instance = test_crowd.build_instance(character);
        let modifiers = choose_modifiers(instance.model(), character);
        let mut waiting = 0.0;
        let mut frame_bits = Vec::new();
        for frame in 0..FRAMES {
            play_clips(instance.animator_mut(), character, frame);
            waiting += STEP;
            // Steps count from one. The first step updates all characters.
            if frame == 0 || (frame + 1 + character) % update_interval(character) as usize == 0 {
                instance.step(waiting);
                apply_modifiers(&mut instance, &modifiers);
                waiting = 0.0;
            }
            let skinned = instance.skin();
            frame_bits
                .push(skinned.mesh_instances().iter().flat_map(|part| block_bits(part.blocks())).collect());
        }
        frame_bits
    };
    (0..CHARACTERS).map(character_bits).collect()
}

/// The calls that skin a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SkinCall {
    Keep,
    Each,
    AtOnce,
    /// Keeps the vertices, and steps to the next frame at the same time.
    KeepAndStep,
    /// Hands each member over, and steps to the next frame at the same time.
    EachAndStep,
}

const SKIN_CALLS: [SkinCall; 5] =
    [SkinCall::Keep, SkinCall::Each, SkinCall::AtOnce, SkinCall::KeepAndStep, SkinCall::EachAndStep];

/// The bits of each character's vertices after each frame, from a crowd.
fn crowd_bits(test_crowd: &TestCrowd, order: &[usize], call: SkinCall) -> Vec<Vec<Vec<u32>>> {
    let (mut crowd, ids) = test_crowd.build_crowd(order, CrowdOptions::default());
    for (character, &id) in ids.iter().enumerate() {
        let member = crowd.member_mut(id).expect("it was added");
        let modifiers = choose_modifiers(member.model(), character);
        set_modifiers(member.modifiers_mut(), &modifiers);
    }
    let mut found = vec![Vec::new(); CHARACTERS];
    for frame in 0..FRAMES {
        for (character, &id) in ids.iter().enumerate() {
            play_clips(crowd.member_mut(id).expect("it was added").animator_mut(), character, frame);
        }
        let with_step = matches!(call, SkinCall::KeepAndStep | SkinCall::EachAndStep);
        if with_step && frame > 0 {
            skin_crowd(&mut crowd, call, Some(STEP), &ids, &mut found);
        } else {
            crowd.step(STEP);
        }
        if !with_step {
            skin_crowd(&mut crowd, call, None, &ids, &mut found);
        }
    }
    if matches!(call, SkinCall::KeepAndStep | SkinCall::EachAndStep) {
        skin_crowd(&mut crowd, call, Some(0.0), &ids, &mut found);
    }
    found
}

fn skin_crowd(
    crowd: &mut Crowd,
    call: SkinCall,
    seconds: Option<f32>,
    ids: &[sinew::crowd::MemberId],
    found: &mut [Vec<Vec<u32>>],
) {
    let handed = Mutex::new(vec![None; ids.len()]);
    let consumer = |member: sinew::crowd::SkinnedMember<'_>| {
        let character = ids.iter().position(|&id| id == member.id).expect("a member that was added");
        let before = handed.lock().expect("no panic")[character].replace(block_bits(member.all_blocks()));
        assert!(before.is_none(), "each is handed over once");
        assert_eq!(member.world.rows[0][3], character as f32);
    };
    match (call, seconds) {
        (SkinCall::Each, _) => crowd.skin_each(&mut |member| consumer(member)),
        (SkinCall::AtOnce, _) => crowd.skin_each_parallel(&consumer),
        (SkinCall::EachAndStep, Some(seconds)) => crowd.skin_each_and_step(seconds, &consumer),
        (SkinCall::KeepAndStep, Some(seconds)) => crowd.skin_and_step(seconds),
        _ => crowd.skin(),
    }
    let handed = handed.into_inner().expect("no panic");
    for ((found, handed), &id) in found.iter_mut().zip(handed).zip(ids) {
        let kept = || block_bits(crowd.skinned(id).expect("all are in view").all_blocks());
        found.push(handed.unwrap_or_else(kept));
    }
}

fn assert_same_bits(found: &[Vec<Vec<u32>>], expected: &[Vec<Vec<u32>>], context: &str) {
    for (character, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (frame, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(found == expected, "{context}: character {character}, frame {frame}");
        }
    }
}

#[test]
fn every_member_equals_a_plain_instance_bit_for_bit() {
    let test_crowd = TestCrowd::new(CHARACTERS);
    let (expected, order) = (instance_bits(&test_crowd), (0..CHARACTERS).collect::<Vec<_>>());
    for call in SKIN_CALLS {
        assert_same_bits(&crowd_bits(&test_crowd, &order, call), &expected, &format!("{call:?}"));
    }
}

#[test]
fn the_order_of_members_changes_no_bit() {
    let test_crowd = TestCrowd::new(CHARACTERS);
    let expected = instance_bits(&test_crowd);
    for stride in [2, 5, 13] {
        // The number of characters is prime, so that any stride visits all of them.
        let order: Vec<usize> = (0..CHARACTERS).map(|i| (7 + i * stride) % CHARACTERS).collect();
        assert_same_bits(
            &crowd_bits(&test_crowd, &order, SkinCall::Keep),
            &expected,
            &format!("every {stride}th"),
        );
    }
}

#[cfg(feature = "parallel")]
#[test]
fn the_number_of_threads_changes_no_bit() {
    let test_crowd = TestCrowd::new(CHARACTERS);
    let (expected, order) = (instance_bits(&test_crowd), (0..CHARACTERS).collect::<Vec<_>>());
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for call in SKIN_CALLS {
            let found = pool.install(|| crowd_bits(&test_crowd, &order, call));
            assert_same_bits(&found, &expected, &format!("{threads} threads, {call:?}"));
        }
    }
}

#[test]
fn adding_and_removing_members_does_not_change_the_others() {
    let test_crowd = TestCrowd::new(CHARACTERS);
    let expected = instance_bits(&test_crowd);
    let (mut crowd, ids) =
        test_crowd.build_crowd(&(0..CHARACTERS).collect::<Vec<_>>(), CrowdOptions::default());
    let of = |character: usize, frame: usize| expected[character][frame].clone();
    let mut there = [true; CHARACTERS];
    for frame in 0..FRAMES {
        let gone: Vec<usize> =
            (0..CHARACTERS).filter(|character| frame > 0 && character % 5 == frame).collect();
        for &character in &gone {
            assert_eq!(crowd.remove(ids[character]), Some(()));
            there[character] = false;
        }
        let others: Vec<_> = gone
            .iter()
            .map(|&character| crowd.add(test_crowd.model_of_character[character]).unwrap())
            .collect();
        for character in (0..CHARACTERS).filter(|&character| there[character]) {
            let member = crowd.member_mut(ids[character]).unwrap();
            play_clips(member.animator_mut(), character, frame);
            let modifiers = choose_modifiers(member.model(), character);
            set_modifiers(member.modifiers_mut(), &modifiers);
        }
        crowd.step(STEP);
        crowd.skin();
        for other in others {
            assert!(!ids.contains(&other));
            assert_eq!(crowd.remove(other), Some(()));
        }
        for character in 0..CHARACTERS {
            let id = ids[character];
            let skinned = crowd.skinned(id).map(|member| block_bits(member.all_blocks()));
            assert!(
                skinned == there[character].then(|| of(character, frame)),
                "character {character}, frame {frame}"
            );
            assert_eq!(crowd.member(id).is_some(), there[character]);
        }
    }
    for character in (0..CHARACTERS).filter(|&character| !there[character]) {
        assert!(crowd.remove(ids[character]).is_none() && crowd.member_mut(ids[character]).is_none());
        assert!(crowd.palettes(ids[character]).is_none() && crowd.pose(ids[character]).is_none());
    }
    assert_eq!(crowd.len(), there.iter().filter(|&&there| there).count());
    assert_eq!(crowd.members().count(), crowd.len());
}

#[test]
fn the_pose_of_a_member_equals_that_of_a_plain_instance() {
    let test_crowd = TestCrowd::new(CHARACTERS);
    let (mut crowd, ids) =
        test_crowd.build_crowd(&(0..CHARACTERS).collect::<Vec<_>>(), CrowdOptions::default());
    for (character, &id) in ids.iter().enumerate() {
        let member = crowd.member_mut(id).unwrap();
        member.update_interval = 1;
        play_clips(member.animator_mut(), character, 0);
        let modifiers = choose_modifiers(member.model(), character);
        set_modifiers(member.modifiers_mut(), &modifiers);
    }
    crowd.step(STEP);
    for (character, &id) in ids.iter().enumerate() {
        let mut instance = test_crowd.build_instance(character);
        play_clips(instance.animator_mut(), character, 0);
        instance.step(STEP);
        let modifiers = choose_modifiers(instance.model(), character);
        apply_modifiers(&mut instance, &modifiers);
        assert_eq!(crowd.pose(id), Some(instance.pose()), "character {character}");
    }
}

#[test]
fn world_space_palettes_give_world_space_vertices() {
    let test_crowd = TestCrowd::new(3);
    let turned = sinew::Matrix { rows: [[0.0, 0.0, 2.0, 5.0], [0.0, 2.0, 0.0, 1.0], [-2.0, 0.0, 0.0, -3.0]] };
    let [local, world] = [PaletteSpace::Model, PaletteSpace::World].map(|palettes| {
        let (mut crowd, ids) =
            test_crowd.build_crowd(&[0, 1, 2], CrowdOptions::default().with_palettes(palettes));
        for (character, &id) in ids.iter().enumerate() {
            let member = crowd.member_mut(id).expect("it was added");
            member.world = turned;
            play_clips(member.animator_mut(), character, 0);
        }
        crowd.step(0.3);
        crowd.skin();
        let positions = |&id: &sinew::crowd::MemberId| {
            let member = crowd.skinned(id).expect("in view");
            (0..200)
                .map(|vertex| member.world.transform_point(member.position(0, vertex)))
                .collect::<Vec<_>>()
        };
        ids.iter().flat_map(positions).collect::<Vec<_>>()
    });
    for (a, b) in local.iter().zip(&world) {
        assert!((0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-5), "{a:?} {b:?}");
    }
}

#[test]
fn members_outside_the_view_are_culled_and_all_others_are_skinned() {
    const FAR: f32 = 1e6;
    let test_crowd = TestCrowd::new(CHARACTERS);
    // The view is from x = 9.8 to 14.3. Members stand a meter apart.
    let sides = [[1.0, 0.0, 0.0, -9.8], [-1.0, 0.0, 0.0, 14.3]];
    let others = [[0.0, 1.0, 0.0, FAR], [0.0, -1.0, 0.0, FAR], [0.0, 0.0, 1.0, FAR], [0.0, 0.0, -1.0, FAR]];
    let view = [sides[0], sides[1], others[0], others[1], others[2], others[3]];
    for palettes in [PaletteSpace::Model, PaletteSpace::World] {
        let order: Vec<usize> = (0..CHARACTERS).collect();
        let (mut crowd, ids) =
            test_crowd.build_crowd(&order, CrowdOptions::default().with_view(view).with_palettes(palettes));
        for (character, &id) in ids.iter().enumerate() {
            play_clips(crowd.member_mut(id).unwrap().animator_mut(), character, 0);
        }
        crowd.step(STEP);
        crowd.skin();
        let mut handed = Vec::new();
        crowd.skin_each(&mut |member| handed.push(member.id));
        let mut seen = 0;
        for &id in &ids {
            let skinned = crowd.skinned(id).is_some();
            assert_eq!(handed.contains(&id), skinned);
            seen += usize::from(skinned);
            let bounds = crowd.bounds(id).unwrap();
            assert_eq!(skinned, bounds.max[0] >= 9.8 && bounds.min[0] <= 14.3);
        }
        assert!((2..CHARACTERS / 2).contains(&seen), "{seen}");
        // No culled member has a vertex in view.
        crowd.options.view = None;
        crowd.skin();
        for id in ids.iter().filter(|id| !handed.contains(id)) {
            let member = crowd.skinned(*id).unwrap();
            let bounds = crowd.bounds(*id).unwrap();
            for vertex in 0..member.model.primitive(0).mesh.len() {
                let [x, ..] = member.world.transform_point(member.position(0, vertex));
                assert!(!(9.8..=14.3).contains(&x) && bounds.min[0] <= x && x <= bounds.max[0]);
            }
        }
    }
}

#[test]
fn a_ray_hits_the_nearest_member_in_world_space() {
    let test_crowd = TestCrowd::new(CHARACTERS);
    let (mut crowd, ids) =
        test_crowd.build_crowd(&(0..CHARACTERS).collect::<Vec<_>>(), CrowdOptions::default());
    let mut instances: Vec<_> =
        (0..CHARACTERS).map(|character| test_crowd.build_instance(character)).collect();
    for (character, instance) in instances.iter_mut().enumerate() {
        let member = crowd.member_mut(ids[character]).unwrap();
        // A quarter turn about y, twice the size, a meter apart.
        member.world.rows = [[0.0, 0.0, 2.0, character as f32], [0.0, 2.0, 0.0, 0.0], [-2.0, 0.0, 0.0, 0.5]];
        play_clips(member.animator_mut(), character, 0);
        play_clips(instance.animator_mut(), character, 0);
        instance.step(STEP);
    }
    crowd.step(STEP);
    let mut hits = 0;
    for i in 0..60 {
        let (x, y) = (0.35 * i as f32 - 1.0, 0.05 * i as f32);
        let ray = Ray::new([x, y, -20.0], [0.02, 0.01, 3.0]);
        let nearest = instances.iter_mut().enumerate().filter_map(|(character, instance)| {
            let world = crowd.member(ids[character]).unwrap().world;
            let back = world.inverse().unwrap();
            let [origin, direction] =
                [back.transform_point(ray.origin), back.transform_vector(ray.direction)];
            let hit = instance.cast(&Ray { origin, direction, ..ray })?;
            Some((2.0 * hit.distance, character, hit.triangle, world.transform_point(hit.point)))
        });
        let nearest = nearest.min_by(|a, b| a.0.total_cmp(&b.0));
        let found = crowd.cast(&ray);
        assert_eq!(
            found.map(|(id, hit)| (id, hit.triangle)),
            nearest.map(|(_, character, triangle, _)| (ids[character], triangle))
        );
        if let (Some((_, hit)), Some((distance, _, _, point))) = (found, nearest) {
            assert!((hit.distance - distance).abs() < 1e-4, "{hit:?}");
            assert!((0..3).all(|axis| (hit.point[axis] - point[axis]).abs() < 1e-4), "{hit:?} {point:?}");
            let squared: f32 = hit.normal.iter().map(|element| element * element).sum();
            assert!((squared - 1.0).abs() < 1e-5);
            hits += 1;
        }
        let short = Ray { max_distance: 5.0, ..ray };
        assert!(crowd.cast(&short).is_none());
    }
    assert!(hits > 10, "{hits}");
    for odd in [[f32::NAN; 3], [0.0; 3]] {
        assert!(crowd.cast(&Ray::new([0.0; 3], odd)).is_none());
    }
}

#[test]
fn a_large_mesh_skinned_in_windows_equals_a_plain_instance() {
    let model = sinew_figures::scene("@figure:12000").unwrap().model().unwrap();
    let mut crowd = Crowd::new(CrowdOptions::default());
    let models = crowd.add_model(&model, &InstanceOptions::default());
    let id = crowd.add(models).unwrap();
    crowd.member_mut(id).unwrap().animator_mut().start(0);
    crowd.step(0.4);
    crowd.skin();
    let mut instance = model.instance();
    instance.start(0);
    instance.step(0.4);
    assert!(model.primitive(0).mesh.blocks() > 1024);
    assert!(crowd.skinned(id).unwrap().blocks(0) == instance.skin().mesh_instances()[0].blocks());
    let mut positions = vec![[0.0; 3]; model.primitive(0).mesh.padded_len()];
    let slots = positions.len();
    let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut positions], slots).unwrap();
    crowd.skin_into(id, 0, Target::vertices(writer).in_order(VertexOrder::Run)).unwrap();
    assert_eq!(positions[7], crowd.skinned(id).unwrap().blocks(0)[0].vector(7));
}

#[test]
fn members_use_the_influence_lods_that_their_mesh_has() {
    let mut test_crowd = TestCrowd::new(1);
    let scene = sinew_figures::scene("@figure:300").unwrap();
    test_crowd.models[0].0 = scene.model_with_levels(&[1, 2]).unwrap();
    let (mut crowd, ids) = test_crowd.build_crowd(&[0], CrowdOptions::default());
    crowd.member_mut(ids[0]).unwrap().animator_mut().start(0).seek(0.4);
    let mut skinned = |max_influences| {
        crowd.member_mut(ids[0]).unwrap().max_influences = max_influences;
        crowd.step(0.0);
        crowd.skin();
        block_bits(crowd.skinned(ids[0]).unwrap().all_blocks())
    };
    let (model, options) = &test_crowd.models[0];
    for max_influences in [usize::MAX, 4, 1] {
        let mut instance = model.instance_with(&options.with_max_influences(max_influences));
        instance.start(0).seek(0.4);
        instance.step(0.0);
        assert!(
            block_bits(instance.skin().mesh_instances()[0].blocks()) == skinned(max_influences),
            "{max_influences}"
        );
    }
    assert!(skinned(1) != skinned(2), "levels differ");
    assert!(skinned(usize::MAX) == skinned(3), "a level that is not there keeps all influences");
}

#[test]
fn invalid_input_is_rejected_or_plays_nothing() {
    let test_crowd = TestCrowd::new(3);
    let (mut crowd, ids) = test_crowd.build_crowd(&[0, 1, 2], CrowdOptions::default());
    let error = crowd.add(2).unwrap_err();
    assert_eq!(error.to_string(), "expected a model of the crowd below 2, found 2");
    let member = crowd.member_mut(ids[0]).unwrap();
    let valid = Override::new(JointId::new(0));
    let id = member.modifiers_mut().push(valid).unwrap();
    let bad = Override { weight: 2.0, ..valid };
    assert!(matches!(member.modifiers_mut().push(bad), Err(AnimationError::BadFactor { .. })));
    assert!(matches!(member.modifiers_mut().replace(id, bad), Err(AnimationError::BadFactor { .. })));
    assert_eq!(member.modifiers().len(), 1);
    assert_eq!(member.modifiers().get(id), Some(&valid));

    let mut other = TestCrowd::new(3);
    other.models.swap(0, 1);
    let (mut others, other_ids) = other.build_crowd(&[0, 1, 2], CrowdOptions::default());
    crowd.member_mut(ids[0]).unwrap().animator_mut().start(0);
    others.member_mut(other_ids[0]).unwrap().animator_mut().start(0);
    std::mem::swap(
        crowd.member_mut(ids[0]).unwrap().animator_mut(),
        others.member_mut(other_ids[0]).unwrap().animator_mut(),
    );
    for seconds in [0.3, f32::NAN, f32::INFINITY] {
        crowd.step(seconds);
        crowd.skin();
    }
    assert_eq!(crowd.pose(ids[0]), Some(test_crowd.models[0].0.skeleton().rest()));
}

/// Without rayon, which allocates for its job queue now and then.
#[cfg(not(feature = "parallel"))]
#[test]
fn a_crowd_frame_allocates_nothing() {
    let test_crowd = TestCrowd::new(CHARACTERS);
    let (mut crowd, ids) =
        test_crowd.build_crowd(&(0..CHARACTERS).collect::<Vec<_>>(), CrowdOptions::default());
    for (character, &id) in ids.iter().enumerate() {
        let member = crowd.member_mut(id).unwrap();
        let modifiers = choose_modifiers(member.model(), character);
        set_modifiers(member.modifiers_mut(), &modifiers);
        play_clips(member.animator_mut(), character, 0);
    }
    let frame = |crowd: &mut Crowd| {
        crowd.step(STEP);
        crowd.skin();
        crowd.skin_each(&mut |_| {});
        crowd.skin_each_parallel(&|_| {});
        crowd.skin_and_step(STEP);
        crowd.skin_each_and_step(STEP, &|_| {});
        crowd.cast(&Ray::new([0.0, 1.0, 50.0], [0.0, 0.0, -1.0]));
    };
    frame(&mut crowd);
    let counted = allocation_counter::measure(|| (0..3).for_each(|_| frame(&mut crowd)));
    assert_eq!(counted.count_total, 0);
}
