//! Crowds: every member is what an instance would be, to the bit, whatever the order, the threads and the way to skin.

use std::sync::Mutex;

use crate::throng::{STEP, Throng, adjust, adjustments, bits, direct, every};
use sinew::{
    Adjustment, Attributes, Crowd, CrowdOptions, Error, InstanceOptions, Override, PaletteSpace, Ray, Target,
    VertexLayout,
};

const KEYS: usize = 19;
const FRAMES: usize = 5;

/// The bits of each key's vertices after each frame, of plain instances.
fn expected(throng: &Throng) -> Vec<Vec<Vec<u32>>> {
    let of_key = |key| {
        let mut instance = throng.instance(key);
        let adjustments = adjustments(instance.model(), key);
        let mut waiting = 0.0;
        let mut frame_bits = Vec::new();
        for frame in 0..FRAMES {
            direct(instance.player(), key, frame);
            waiting += STEP;
            // Steps count from one, and the first is for everybody.
            if frame == 0 || (frame + 1 + key) % every(key) as usize == 0 {
                instance.step(waiting);
                adjust(&mut instance, &adjustments);
                waiting = 0.0;
            }
            let skinned = instance.skin();
            frame_bits.push(skinned.parts().iter().flat_map(|part| bits(part.blocks())).collect());
        }
        frame_bits
    };
    (0..KEYS).map(of_key).collect()
}

/// How a crowd is skinned.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Kept,
    Each,
    AtOnce,
    /// Kept, while the next frame is made.
    KeptBeside,
    /// Handed over, while the next frame is made.
    EachBeside,
}

const WAYS: [Way; 5] = [Way::Kept, Way::Each, Way::AtOnce, Way::KeptBeside, Way::EachBeside];

/// The same of a crowd.
fn found(throng: &Throng, order: &[usize], way: Way) -> Vec<Vec<Vec<u32>>> {
    let (mut crowd, ids) = throng.crowd(order, CrowdOptions::default());
    for (key, &id) in ids.iter().enumerate() {
        let member = crowd.member_mut(id).expect("it was added");
        let adjustments = adjustments(member.model(), key);
        member.adjust(&adjustments).expect("sound adjustments");
    }
    let mut found = vec![Vec::new(); KEYS];
    for frame in 0..FRAMES {
        for (key, &id) in ids.iter().enumerate() {
            direct(crowd.member_mut(id).expect("it was added").player(), key, frame);
        }
        let beside = matches!(way, Way::KeptBeside | Way::EachBeside);
        if beside && frame > 0 {
            skin(&mut crowd, way, Some(STEP), &ids, &mut found);
        } else {
            crowd.step(STEP);
        }
        if !beside {
            skin(&mut crowd, way, None, &ids, &mut found);
        }
    }
    if matches!(way, Way::KeptBeside | Way::EachBeside) {
        skin(&mut crowd, way, Some(0.0), &ids, &mut found);
    }
    found
}

fn skin(
    crowd: &mut Crowd,
    way: Way,
    seconds: Option<f32>,
    ids: &[sinew::MemberId],
    found: &mut [Vec<Vec<u32>>],
) {
    let handed = Mutex::new(vec![None; ids.len()]);
    let consumer = |member: sinew::SkinnedMember<'_>| {
        let key = ids.iter().position(|&id| id == member.id).expect("a member that was added");
        let before = handed.lock().expect("no panic")[key].replace(bits(member.all_blocks()));
        assert!(before.is_none(), "each is handed over once");
        assert_eq!(member.world.rows[0][3], key as f32);
    };
    match (way, seconds) {
        (Way::Each, _) => crowd.skin_each(&mut |member| consumer(member)),
        (Way::AtOnce, _) => crowd.skin_each_at_once(&consumer),
        (Way::EachBeside, Some(seconds)) => crowd.skin_each_and_step(seconds, &consumer),
        (Way::KeptBeside, Some(seconds)) => crowd.skin_and_step(seconds),
        _ => crowd.skin(),
    }
    let handed = handed.into_inner().expect("no panic");
    for ((found, handed), &id) in found.iter_mut().zip(handed).zip(ids) {
        let kept = || bits(crowd.skinned(id).expect("all are in view").all_blocks());
        found.push(handed.unwrap_or_else(kept));
    }
}

fn assert_same(found: &[Vec<Vec<u32>>], expected: &[Vec<Vec<u32>>], context: &str) {
    for (key, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (frame, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(found == expected, "{context}: key {key}, frame {frame}");
        }
    }
}

#[test]
fn every_member_is_what_an_instance_would_be_to_the_bit() {
    let throng = Throng::new(KEYS);
    let (expected, order) = (expected(&throng), (0..KEYS).collect::<Vec<_>>());
    for way in WAYS {
        assert_same(&found(&throng, &order, way), &expected, &format!("{way:?}"));
    }
}

#[test]
fn the_order_of_members_changes_no_bit() {
    let throng = Throng::new(KEYS);
    let expected = expected(&throng);
    for stride in [2, 5, 13] {
        // The number of keys is prime, so that any stride reaches all.
        let order: Vec<usize> = (0..KEYS).map(|i| (7 + i * stride) % KEYS).collect();
        assert_same(&found(&throng, &order, Way::Kept), &expected, &format!("every {stride}th"));
    }
}

#[cfg(feature = "parallel")]
#[test]
fn the_number_of_threads_changes_no_bit() {
    let throng = Throng::new(KEYS);
    let (expected, order) = (expected(&throng), (0..KEYS).collect::<Vec<_>>());
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for way in WAYS {
            let found = pool.install(|| found(&throng, &order, way));
            assert_same(&found, &expected, &format!("{threads} threads, {way:?}"));
        }
    }
}

#[test]
fn members_come_and_go_and_others_stay_as_they_are() {
    let throng = Throng::new(KEYS);
    let expected = expected(&throng);
    let (mut crowd, ids) = throng.crowd(&(0..KEYS).collect::<Vec<_>>(), CrowdOptions::default());
    let of = |key: usize, frame: usize| expected[key][frame].clone();
    let mut there = [true; KEYS];
    for frame in 0..FRAMES {
        let gone: Vec<usize> = (0..KEYS).filter(|key| frame > 0 && key % 5 == frame).collect();
        for &key in &gone {
            assert_eq!(crowd.remove(ids[key]), Some(()));
            there[key] = false;
        }
        let others: Vec<_> = gone.iter().map(|&key| crowd.add(throng.of_model[key]).unwrap()).collect();
        for key in (0..KEYS).filter(|&key| there[key]) {
            let member = crowd.member_mut(ids[key]).unwrap();
            direct(member.player(), key, frame);
            let adjustments = adjustments(member.model(), key);
            member.adjust(&adjustments).unwrap();
        }
        crowd.step(STEP);
        crowd.skin();
        for other in others {
            assert!(!ids.contains(&other));
            assert_eq!(crowd.remove(other), Some(()));
        }
        for key in 0..KEYS {
            let id = ids[key];
            let skinned = crowd.skinned(id).map(|member| bits(member.all_blocks()));
            assert!(skinned == there[key].then(|| of(key, frame)), "key {key}, frame {frame}");
            assert_eq!(crowd.member(id).is_some(), there[key]);
        }
    }
    for key in (0..KEYS).filter(|&key| !there[key]) {
        assert!(crowd.remove(ids[key]).is_none() && crowd.member_mut(ids[key]).is_none());
        assert!(crowd.palettes(ids[key]).is_none() && crowd.pose(ids[key]).is_none());
    }
    assert_eq!(crowd.len(), there.iter().filter(|&&there| there).count());
    assert_eq!(crowd.members().count(), crowd.len());
}

#[test]
fn a_pose_can_be_asked_for_and_is_that_of_the_palettes() {
    let throng = Throng::new(KEYS);
    let (mut crowd, ids) = throng.crowd(&(0..KEYS).collect::<Vec<_>>(), CrowdOptions::default());
    for (key, &id) in ids.iter().enumerate() {
        let member = crowd.member_mut(id).unwrap();
        member.every = 1;
        direct(member.player(), key, 0);
        let adjustments = adjustments(member.model(), key);
        member.adjust(&adjustments).unwrap();
    }
    crowd.step(STEP);
    for (key, &id) in ids.iter().enumerate() {
        let mut instance = throng.instance(key);
        direct(instance.player(), key, 0);
        instance.step(STEP);
        let adjustments = adjustments(instance.model(), key);
        adjust(&mut instance, &adjustments);
        assert_eq!(crowd.pose(id), Some(instance.pose()), "key {key}");
    }
}

#[test]
fn palettes_in_the_world_take_vertices_there() {
    let throng = Throng::new(3);
    let turned = sinew::Matrix { rows: [[0.0, 0.0, 2.0, 5.0], [0.0, 2.0, 0.0, 1.0], [-2.0, 0.0, 0.0, -3.0]] };
    let [local, world] = [PaletteSpace::Model, PaletteSpace::World].map(|palettes| {
        let (mut crowd, ids) = throng.crowd(&[0, 1, 2], CrowdOptions { palettes, ..CrowdOptions::default() });
        for (key, &id) in ids.iter().enumerate() {
            let member = crowd.member_mut(id).expect("it was added");
            member.world = turned;
            direct(member.player(), key, 0);
        }
        crowd.step(0.3);
        crowd.skin();
        let positions = |&id: &sinew::MemberId| {
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
fn who_is_outside_the_view_is_not_skinned_and_who_may_be_inside_is() {
    const FAR: f32 = 1e6;
    let throng = Throng::new(KEYS);
    // From x = 9.8 to 14.3; members stand a metre apart.
    let sides = [[1.0, 0.0, 0.0, -9.8], [-1.0, 0.0, 0.0, 14.3]];
    let others = [[0.0, 1.0, 0.0, FAR], [0.0, -1.0, 0.0, FAR], [0.0, 0.0, 1.0, FAR], [0.0, 0.0, -1.0, FAR]];
    let view = [sides[0], sides[1], others[0], others[1], others[2], others[3]];
    for palettes in [PaletteSpace::Model, PaletteSpace::World] {
        let order: Vec<usize> = (0..KEYS).collect();
        let (mut crowd, ids) = throng.crowd(&order, CrowdOptions { view: Some(view), palettes });
        for (key, &id) in ids.iter().enumerate() {
            direct(crowd.member_mut(id).unwrap().player(), key, 0);
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
        assert!((2..KEYS / 2).contains(&seen), "{seen}");
        // Nobody who is left out had a vertex in view.
        crowd.options.view = None;
        crowd.skin();
        for id in ids.iter().filter(|id| !handed.contains(id)) {
            let member = crowd.skinned(*id).unwrap();
            let bounds = crowd.bounds(*id).unwrap();
            for vertex in 0..member.model.surface(0).mesh.len() {
                let [x, ..] = member.world.transform_point(member.position(0, vertex));
                assert!(!(9.8..=14.3).contains(&x) && bounds.min[0] <= x && x <= bounds.max[0]);
            }
        }
    }
}

#[test]
fn a_ray_hits_whom_it_meets_first_where_they_stand() {
    let throng = Throng::new(KEYS);
    let (mut crowd, ids) = throng.crowd(&(0..KEYS).collect::<Vec<_>>(), CrowdOptions::default());
    let mut instances: Vec<_> = (0..KEYS).map(|key| throng.instance(key)).collect();
    for (key, instance) in instances.iter_mut().enumerate() {
        let member = crowd.member_mut(ids[key]).unwrap();
        // A quarter turn about y, twice as large, a metre apart.
        member.world.rows = [[0.0, 0.0, 2.0, key as f32], [0.0, 2.0, 0.0, 0.0], [-2.0, 0.0, 0.0, 0.5]];
        direct(member.player(), key, 0);
        direct(instance.player(), key, 0);
        instance.step(STEP);
    }
    crowd.step(STEP);
    let mut hits = 0;
    for i in 0..60 {
        let (x, y) = (0.35 * i as f32 - 1.0, 0.05 * i as f32);
        let ray = Ray::new([x, y, -20.0], [0.02, 0.01, 3.0]);
        let nearest = instances.iter_mut().enumerate().filter_map(|(key, instance)| {
            let world = crowd.member(ids[key]).unwrap().world;
            let back = world.inverse().unwrap();
            let [origin, direction] =
                [back.transform_point(ray.origin), back.transform_vector(ray.direction)];
            let hit = instance.cast(&Ray { origin, direction, ..ray })?;
            Some((2.0 * hit.distance, key, hit.triangle, world.transform_point(hit.point)))
        });
        let nearest = nearest.min_by(|a, b| a.0.total_cmp(&b.0));
        let found = crowd.cast(&ray);
        assert_eq!(
            found.map(|(id, hit)| (id, hit.triangle)),
            nearest.map(|(_, key, triangle, _)| (ids[key], triangle))
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
fn a_large_mesh_is_the_same_in_windows() {
    let model = sinew_figures::scene("@figure:12000").unwrap().model().unwrap();
    let mut crowd = Crowd::new(CrowdOptions::default());
    let models = crowd.add_model(&model, &InstanceOptions::default());
    let id = crowd.add(models).unwrap();
    crowd.member_mut(id).unwrap().player().start(0);
    crowd.step(0.4);
    crowd.skin();
    let mut instance = model.instance();
    instance.start(0);
    instance.step(0.4);
    assert!(model.surface(0).mesh.blocks() > 1024);
    assert!(crowd.skinned(id).unwrap().blocks(0) == instance.skin().parts()[0].blocks());
    let mut positions = vec![[0.0; 3]; model.surface(0).mesh.padded_len()];
    let form = VertexLayout::Packed([&mut positions, &mut [], &mut [], &mut []]);
    crowd.skin_into(id, 0, Target::new(Attributes::Positions, form)).unwrap().unwrap();
    assert_eq!(positions[7], crowd.skinned(id).unwrap().blocks(0)[0].vector(7));
}

#[test]
fn few_influences_are_taken_where_a_mesh_has_the_level() {
    let mut throng = Throng::new(1);
    let scene = sinew_figures::scene("@figure:300").unwrap();
    throng.models[0].0 = scene.model_with_levels(&[1, 2]).unwrap();
    let (mut crowd, ids) = throng.crowd(&[0], CrowdOptions::default());
    crowd.member_mut(ids[0]).unwrap().player().start(0).at(0.4);
    let mut skinned = |max_influences| {
        crowd.member_mut(ids[0]).unwrap().max_influences = max_influences;
        crowd.step(0.0);
        crowd.skin();
        bits(crowd.skinned(ids[0]).unwrap().all_blocks())
    };
    let (model, options) = &throng.models[0];
    for max_influences in [usize::MAX, 4, 1] {
        let mut instance = model.instance_with(&InstanceOptions { max_influences, ..*options });
        instance.start(0).at(0.4);
        instance.step(0.0);
        assert!(bits(instance.skin().parts()[0].blocks()) == skinned(max_influences), "{max_influences}");
    }
    assert!(skinned(1) != skinned(2), "levels differ");
    assert!(skinned(usize::MAX) == skinned(3), "a level that is not there keeps all influences");
}

#[test]
fn what_does_not_fit_is_refused_or_plays_nothing() {
    let throng = Throng::new(3);
    let (mut crowd, ids) = throng.crowd(&[0, 1, 2], CrowdOptions::default());
    let error = crowd.add(2).unwrap_err();
    assert_eq!(error.to_string(), "expected a model of the crowd below 2, found 2");
    let member = crowd.member_mut(ids[0]).unwrap();
    let sound = Adjustment::Override(Override::new(0));
    member.adjust(&[sound]).unwrap();
    let bad = Adjustment::Override(Override { weight: 2.0, ..Override::new(0) });
    assert!(matches!(member.adjust(&[sound, bad]), Err(Error::BadFactor { .. })));
    assert_eq!(member.adjustments(), [sound]);

    let mut other = Throng::new(3);
    other.models.swap(0, 1);
    let (mut others, other_ids) = other.crowd(&[0, 1, 2], CrowdOptions::default());
    crowd.member_mut(ids[0]).unwrap().player().start(0);
    others.member_mut(other_ids[0]).unwrap().player().start(0);
    std::mem::swap(
        crowd.member_mut(ids[0]).unwrap().player(),
        others.member_mut(other_ids[0]).unwrap().player(),
    );
    for seconds in [0.3, f32::NAN, f32::INFINITY] {
        crowd.step(seconds);
        crowd.skin();
    }
    assert_eq!(crowd.pose(ids[0]), Some(throng.models[0].0.skeleton().rest()));
}

/// Rayon takes memory of its own now and then, for the list of what is to be done.
#[cfg(not(feature = "parallel"))]
#[test]
fn a_frame_allocates_nothing() {
    let throng = Throng::new(KEYS);
    let (mut crowd, ids) = throng.crowd(&(0..KEYS).collect::<Vec<_>>(), CrowdOptions::default());
    for (key, &id) in ids.iter().enumerate() {
        let member = crowd.member_mut(id).unwrap();
        let adjustments = adjustments(member.model(), key);
        member.adjust(&adjustments).unwrap();
        direct(member.player(), key, 0);
    }
    let frame = |crowd: &mut Crowd| {
        crowd.step(STEP);
        crowd.skin();
        crowd.skin_each(&mut |_| {});
        crowd.skin_each_at_once(&|_| {});
        crowd.skin_and_step(STEP);
        crowd.skin_each_and_step(STEP, &|_| {});
        crowd.cast(&Ray::new([0.0, 1.0, 50.0], [0.0, 0.0, -1.0]));
    };
    frame(&mut crowd);
    let counted = allocation_counter::measure(|| (0..3).for_each(|_| frame(&mut crowd)));
    assert_eq!(counted.count_total, 0);
}
