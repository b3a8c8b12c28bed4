//! Meshes built in code: morph targets, skins, parents, and all that can be missing or wrong.

mod support;

use std::path::Path;

use bevy_app::App;
use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_camera::primitives::Aabb;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_math::{Dir3, Mat4, Ray3d, Vec3};
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_sinew::{
    BoundsPrecision, CpuSkinned, FollowedMeshes, MeshKinds, Problem, RayCastSettings, SkinnedHit, TightBounds,
};
use bevy_transform::components::Transform;
use support::reference::Surface;
use support::strip::{self, Strip};

fn app() -> App {
    support::app(Path::new("."))
}

fn ray_at(x: f32, y: f32) -> Ray3d {
    Ray3d::new(Vec3::new(x, y, 5.0), Dir3::NEG_Z)
}

fn cast(app: &mut App, ray: Ray3d) -> Option<SkinnedHit> {
    support::with_rays(app, |rays| rays.cast(ray, &RayCastSettings::default()))
}

fn problem(app: &mut App, entity: Entity) -> Option<Problem> {
    support::with_rays(app, |rays| rays.prepare(entity).err())
}

/// Casts against a mesh that must not be hit, and returns why.
fn not_hit(app: &mut App, entity: Entity) -> Problem {
    app.update();
    assert_eq!(cast(app, ray_at(0.5, 0.05)), None);
    let all = |rays: &mut bevy_sinew::SkinnedRayCast<'_, '_>| {
        let mut hits = Vec::new();
        rays.cast_all(ray_at(0.5, 0.05), &RayCastSettings::default(), &mut hits);
        (hits, rays.cast_entity(entity, ray_at(0.5, 0.05), &RayCastSettings::default()))
    };
    assert_eq!(support::with_rays(app, all), (Vec::new(), None));
    problem(app, entity).expect("a reason")
}

#[test]
fn morph_targets_move_what_is_hit_with_and_without_a_skin() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let still = app.world_mut().spawn((Mesh3d(strip.mesh.clone()), Transform::from_xyz(10.0, 0.0, 0.0))).id();
    app.update();
    for (weights, y) in [(vec![], 0.05), (vec![0.5], 0.55), (vec![-2.0, 9.0], -1.95), (vec![f32::NAN], 0.05)]
    {
        for (entity, x) in [(strip.entity, 0.5), (still, 10.5)] {
            let weights = MeshMorphWeights::Value { weights: weights.clone() };
            app.world_mut().entity_mut(entity).insert(weights);
            app.update();
            let hit = cast(&mut app, ray_at(x, y)).expect("a hit");
            assert_eq!(
                (hit.entity, hit.joint),
                (entity, (entity == strip.entity).then_some(strip.joints[0]))
            );
            assert_eq!(cast(&mut app, ray_at(x, y + 1.0)), None);
        }
    }
}

#[test]
fn referenced_morph_weights_are_followed() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let weights = app.world_mut().spawn(MorphWeights::new(vec![1.0], None).expect("one weight")).id();
    app.world_mut().entity_mut(strip.entity).insert(MeshMorphWeights::Reference(weights));
    app.update();
    assert!(cast(&mut app, ray_at(0.5, 1.05)).is_some());
    app.world_mut().get_mut::<MorphWeights>(weights).expect("weights").weights_mut()[0] = 2.0;
    assert!(cast(&mut app, ray_at(0.5, 2.05)).is_some());
    app.world_mut().despawn(weights);
    assert!(cast(&mut app, ray_at(0.5, 0.05)).is_some(), "as if all weights were zero");
}

#[test]
fn a_mesh_that_loses_its_morph_weights_is_hit_without_them() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let copy = app.world_mut().spawn(CpuSkinned::new(strip.entity)).id();
    app.world_mut().entity_mut(strip.entity).insert(TightBounds::default());
    strip.morph(&mut app, 1.0);
    app.update();
    app.update();
    assert!(cast(&mut app, ray_at(0.5, 1.05)).is_some());
    app.world_mut().entity_mut(strip.entity).remove::<MeshMorphWeights>();
    app.update();
    app.update();
    assert_eq!(cast(&mut app, ray_at(0.5, 1.05)), None);
    assert!(cast(&mut app, ray_at(0.5, 0.05)).is_some());
    let aabb = app.world().get::<Aabb>(strip.entity).expect("bounds");
    assert!(aabb.max().y < 0.2, "{aabb:?}");
    assert!(Surface::of(&app, copy).positions.iter().all(|position| position.y < 0.2));
}

#[test]
fn several_skins_on_one_skeleton_are_hit_each_by_its_own_bind_poses() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let lifted = vec![Mat4::from_translation(3.0 * Vec3::Y), Mat4::from_translation(3.0 * Vec3::Y - Vec3::X)];
    let lifted = app
        .world_mut()
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>()
        .add(SkinnedMeshInverseBindposes::from(lifted));
    // The joints the other way round: the far half of this mesh follows the first joint.
    let swapped =
        vec![Mat4::from_translation(-Vec3::X - 6.0 * Vec3::Y), Mat4::from_translation(-6.0 * Vec3::Y)];
    let swapped = app
        .world_mut()
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>()
        .add(SkinnedMeshInverseBindposes::from(swapped));
    let [first, second] = strip.joints;
    let mut skin = |inverse_bindposes, joints| {
        let skin = SkinnedMesh { inverse_bindposes, joints };
        app.world_mut().spawn((Mesh3d(strip.mesh.clone()), skin)).id()
    };
    let lifted = skin(lifted, vec![first, second]);
    let swapped = skin(swapped, vec![second, first]);
    app.update();
    for (entity, y) in [(strip.entity, 0.05), (lifted, 3.05), (swapped, -5.95)] {
        let hit = cast(&mut app, ray_at(0.5, y)).expect("a hit");
        assert_eq!((hit.entity, hit.joint_index), (entity, Some(0)));
        assert_eq!(hit.joint, Some(if entity == swapped { second } else { first }));
    }
    strip.bend(&mut app);
    app.update();
    assert_eq!(cast(&mut app, ray_at(1.05, -0.5)).expect("a hit").entity, strip.entity);
    assert_eq!(cast(&mut app, ray_at(4.05, -0.5)).expect("a hit").entity, lifted);
    assert_eq!(app.world().resource::<FollowedMeshes>().shapes(), 1, "all share one mesh");
}

#[test]
fn scaled_and_mirrored_parents_of_joints_move_the_mesh_and_the_meshs_own_transform_does_not() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let scale = Transform::from_xyz(0.0, 5.0, 0.0).with_scale(Vec3::new(-2.0, 3.0, 0.5));
    let parent = app.world_mut().spawn(scale).id();
    app.world_mut().entity_mut(strip.joints[0]).insert(ChildOf(parent));
    app.world_mut().entity_mut(strip.entity).insert(Transform::from_xyz(7.0, 7.0, 7.0));
    app.update();
    let hit = cast(&mut app, ray_at(-3.0, 5.15)).expect("a hit");
    assert!((hit.point - Vec3::new(-3.0, 5.15, 0.0)).length() < 1e-5);
    assert_eq!(hit.joint, Some(strip.joints[1]));
    assert_eq!(cast(&mut app, ray_at(3.0, 5.15)), None);
    // No volume at all.
    app.world_mut().get_mut::<Transform>(parent).expect("a parent").scale = Vec3::ZERO;
    app.update();
    assert_eq!(cast(&mut app, ray_at(-3.0, 5.15)), None);
    app.world_mut().get_mut::<Transform>(parent).expect("a parent").scale = Vec3::splat(f32::NAN);
    app.update();
    assert_eq!(cast(&mut app, ray_at(-3.0, 5.15)), None);
}

#[test]
fn a_mesh_with_a_despawned_joint_is_not_hit_until_it_has_joints_again() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    app.update();
    assert!(cast(&mut app, ray_at(0.5, 0.05)).is_some());
    app.world_mut().despawn(strip.joints[1]);
    assert_eq!(not_hit(&mut app, strip.entity), Problem::JointMissing(strip.joints[1]));
    let joint = app.world_mut().spawn(Transform::from_xyz(1.0, 0.0, 0.0)).id();
    app.world_mut().get_mut::<SkinnedMesh>(strip.entity).expect("a skin").joints[1] = joint;
    app.update();
    assert_eq!(cast(&mut app, ray_at(1.5, 0.05)).expect("a hit").joint, Some(joint));
    app.world_mut().despawn(strip.entity);
    assert_eq!(not_hit(&mut app, strip.entity), Problem::NoMesh);
    assert!(app.world().resource::<FollowedMeshes>().is_empty(), "despawned entities are forgotten");
}

#[test]
fn assets_that_are_not_loaded_yet_are_not_hit_and_later_are() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let (mesh, bind_poses) =
        (Handle::Uuid(uuid(1), Default::default()), Handle::Uuid(uuid(2), Default::default()));
    let joints = strip.joints.to_vec();
    let skin = SkinnedMesh { inverse_bindposes: bind_poses.clone(), joints };
    app.world_mut().entity_mut(strip.entity).insert((Mesh3d(mesh.clone()), skin));
    assert_eq!(not_hit(&mut app, strip.entity), Problem::BindPosesNotLoaded);
    let loaded = SkinnedMeshInverseBindposes::from(vec![Mat4::IDENTITY, Mat4::from_translation(-Vec3::X)]);
    let mut assets = app.world_mut().resource_mut::<Assets<SkinnedMeshInverseBindposes>>();
    assets.insert(&bind_poses, loaded).expect("a free id");
    assert_eq!(not_hit(&mut app, strip.entity), Problem::MeshNotLoaded);
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(&mesh, strip::mesh()).expect("a free id");
    app.update();
    assert!(cast(&mut app, ray_at(0.5, 0.05)).is_some());
    // A mesh that changes is followed.
    let mut assets = app.world_mut().resource_mut::<Assets<Mesh>>();
    let moved = strip::mesh().translated_by(4.0 * Vec3::Y);
    assets.insert(&mesh, moved).expect("the same id");
    app.update();
    assert!(cast(&mut app, ray_at(0.5, 4.05)).is_some());
    assert!(cast(&mut app, ray_at(0.5, 0.05)).is_none());
    app.world_mut().resource_mut::<Assets<Mesh>>().remove(&mesh);
    assert_eq!(not_hit(&mut app, strip.entity), Problem::MeshNotLoaded);
}

fn uuid(value: u128) -> bevy_asset::uuid::Uuid {
    bevy_asset::uuid::Uuid::from_u128(value)
}

#[test]
fn broken_meshes_are_not_hit_and_say_why() {
    let triangle = || {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default()).with_inserted_attribute(
            Mesh::ATTRIBUTE_POSITION,
            vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
        )
    };
    let joints = |joint: u16| VertexAttributeValues::Uint16x4(vec![[joint, 0, 0, 0]; 3]);
    let weights = |weight: f32| vec![[weight, 0.0, 0.0, 0.0]; 3];
    let broken: Vec<(&str, Mesh)> = vec![
        ("empty", Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())),
        ("no joints", triangle()),
        ("no weights", triangle().with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, joints(0))),
        (
            "a joint that the skin lacks",
            triangle()
                .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, joints(7))
                .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights(1.0)),
        ),
        (
            "a weight that is not a number",
            triangle()
                .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, joints(0))
                .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights(f32::NAN)),
        ),
        (
            "fewer joints than positions",
            triangle()
                .with_inserted_attribute(
                    Mesh::ATTRIBUTE_JOINT_INDEX,
                    VertexAttributeValues::Uint16x4(vec![[0; 4]]),
                )
                .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights(1.0)),
        ),
        (
            "an index that is no vertex",
            strip::mesh().with_inserted_indices(Indices::U32(vec![0, 1, 4_000_000_000])),
        ),
        ("lines", {
            let mut lines = Mesh::new(PrimitiveTopology::LineList, RenderAssetUsages::default());
            lines.insert_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0_f32; 3]; 4]);
            lines
        }),
        (
            "a position that is not a number",
            strip::mesh().with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[f32::NAN; 3]; 42]),
        ),
        ("morph deltas for other vertices", strip::mesh().with_morph_targets(vec![Default::default(); 41])),
    ];
    for (name, mesh) in broken {
        let mut app = app();
        let strip = Strip::spawn(&mut app);
        let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh);
        app.world_mut().entity_mut(strip.entity).insert((
            Mesh3d(mesh),
            TightBounds::default(),
            MeshMorphWeights::Value { weights: vec![1.0] },
        ));
        app.world_mut().spawn(CpuSkinned::new(strip.entity));
        let problem = not_hit(&mut app, strip.entity);
        assert!(
            matches!(problem, Problem::UnsupportedMesh(_) | Problem::MeshNotReadable),
            "{name}: {problem}"
        );
    }
}

#[test]
fn a_skin_without_joints_or_with_too_few_bind_poses_is_not_hit() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let mut skin = app.world_mut().get_mut::<SkinnedMesh>(strip.entity).expect("a skin");
    skin.joints.clear();
    assert!(matches!(not_hit(&mut app, strip.entity), Problem::UnsupportedMesh(_)));
    let mut skin = app.world_mut().get_mut::<SkinnedMesh>(strip.entity).expect("a skin");
    skin.joints = vec![strip.joints[0]; 3];
    assert!(matches!(not_hit(&mut app, strip.entity), Problem::UnsupportedMesh(_)));
}

#[test]
fn a_mesh_that_was_moved_to_the_renderer_is_not_hit() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    meshes.get_mut(&strip.mesh).expect("a mesh").take_gpu_data().expect("data to take");
    assert_eq!(not_hit(&mut app, strip.entity), Problem::MeshNotReadable);
}

#[test]
fn nothing_is_computed_for_meshes_nobody_asks_about_and_nothing_twice() {
    let mut app = app();
    let strips: Vec<Strip> = (0..5).map(|_| Strip::spawn(&mut app)).collect();
    let counts = |app: &App| {
        let followed = app.world().resource::<FollowedMeshes>();
        (followed.len(), followed.shapes(), followed.poses_read())
    };
    for _ in 0..3 {
        strips[0].bend(&mut app);
        app.update();
    }
    assert_eq!(counts(&app), (0, 0, 0), "no ray, no work");
    let asked = strips[2].entity;
    let ask = |app: &mut App| {
        support::with_rays(app, |rays| {
            let filter = |entity| entity == asked;
            for _ in 0..100 {
                assert!(
                    rays.cast(ray_at(0.5, 0.05), &RayCastSettings::default().with_filter(&filter)).is_some()
                );
            }
        });
    };
    ask(&mut app);
    assert_eq!(counts(&app), (1, 1, 1), "one mesh asked, one pose read, for a hundred rays");
    app.update();
    ask(&mut app);
    strips[1].bend(&mut app);
    app.update();
    ask(&mut app);
    assert_eq!(counts(&app), (1, 1, 1), "its joints have not moved");
    strips[2].bend(&mut app);
    app.update();
    ask(&mut app);
    assert_eq!(counts(&app), (1, 1, 2), "its joints have moved");
}

#[test]
fn static_meshes_strips_and_meshes_without_indices_are_hit_unless_only_animated_ones_are_asked_for() {
    let mut app = app();
    let fan = Mesh::new(PrimitiveTopology::TriangleStrip, RenderAssetUsages::default())
        .with_inserted_attribute(
            Mesh::ATTRIBUTE_POSITION,
            vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
        );
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(fan);
    let entity = app.world_mut().spawn((Mesh3d(mesh), Transform::from_xyz(0.0, 2.0, 0.0))).id();
    app.update();
    for (x, y, triangle) in [(0.2, 2.2, 0), (0.8, 2.8, 1)] {
        let hit = cast(&mut app, ray_at(x, y)).expect("a hit");
        assert_eq!((hit.entity, hit.triangle, hit.joint), (entity, triangle, None));
        assert!((hit.normal - Vec3::Z).length() < 1e-6, "both face the same way: {:?}", hit.normal);
    }
    let animated = RayCastSettings::default().with_meshes(MeshKinds::Animated);
    assert_eq!(support::with_rays(&mut app, |rays| rays.cast(ray_at(0.2, 2.2), &animated)), None);
}

#[test]
fn hits_on_all_entities_are_sorted_and_distances_limit_them() {
    let mut app = app();
    let strips: Vec<Strip> = (0..3).map(|_| Strip::spawn(&mut app)).collect();
    for (strip, z) in strips.iter().zip([0.0, 2.0, 1.0]) {
        *app.world_mut().get_mut::<Transform>(strip.joints[0]).expect("a joint") =
            Transform::from_xyz(0.0, 0.0, z);
    }
    app.update();
    let all = |app: &mut App, settings: &RayCastSettings<'_>| {
        let mut hits = Vec::new();
        support::with_rays(app, |rays| rays.cast_all(ray_at(0.5, 0.05), settings, &mut hits));
        hits.iter().map(|hit| hit.entity).collect::<Vec<_>>()
    };
    let sorted = [1, 2, 0].map(|strip: usize| strips[strip].entity);
    assert_eq!(all(&mut app, &RayCastSettings::default()), sorted);
    assert_eq!(all(&mut app, &RayCastSettings::default().with_max_distance(4.5)), sorted[..2]);
    assert_eq!(cast(&mut app, ray_at(0.5, 0.05)).expect("a hit").entity, sorted[0]);
}

#[test]
fn tight_bounds_contain_the_pose_and_no_more_than_they_must() {
    for precision in [BoundsPrecision::Joints, BoundsPrecision::Vertices] {
        let mut app = app();
        let strip = Strip::spawn(&mut app);
        let place = Transform::from_xyz(1.0, 2.0, 3.0).with_scale(Vec3::splat(2.0));
        app.world_mut().entity_mut(strip.entity).insert((TightBounds::new(precision), place));
        for step in 0..4 {
            match step {
                1 => strip.bend(&mut app),
                2 => strip.morph(&mut app, 1.5),
                3 => {
                    app.world_mut().get_mut::<Transform>(strip.entity).expect("a strip").translation.x = -4.0
                }
                _ => {}
            }
            app.update();
            app.update();
            let aabb = *app.world().get::<Aabb>(strip.entity).expect("bounds");
            let world_from_entity = *app
                .world()
                .get::<bevy_transform::components::GlobalTransform>(strip.entity)
                .expect("a transform");
            let entity_from_world = world_from_entity.affine().inverse();
            let surface = Surface::of(&app, strip.entity);
            let points =
                surface.positions.iter().map(|point| entity_from_world.transform_point3(point.as_vec3()));
            let exact = Aabb::enclosing(points).expect("vertices");
            let slack = match precision {
                BoundsPrecision::Joints => 0.02,
                BoundsPrecision::Vertices => 1e-5,
            };
            let outside =
                (exact.min() - aabb.min()).min_element().min((aabb.max() - exact.max()).min_element());
            let wasted =
                (exact.min() - aabb.min()).max_element().max((aabb.max() - exact.max()).max_element());
            assert!(outside > -1e-5, "{precision:?}, step {step}: {aabb:?} does not contain {exact:?}");
            assert!(wasted < slack, "{precision:?}, step {step}: {aabb:?} is larger than {exact:?}");
        }
    }
}

#[test]
fn copies_skinned_on_the_cpu_have_the_vertices_of_the_pose() {
    let mut app = app();
    let strip = Strip::spawn(&mut app);
    let copy =
        app.world_mut().spawn((CpuSkinned::new(strip.entity), Transform::from_xyz(0.0, 0.0, 9.0))).id();
    for step in 0..3 {
        match step {
            1 => strip.bend(&mut app),
            2 => strip.morph(&mut app, 1.5),
            _ => {}
        }
        app.update();
        app.update();
        // The copy has no skin, so its surface is its positions, moved by its own transform.
        let (found, expected) = (Surface::of(&app, copy), Surface::of(&app, strip.entity));
        assert_eq!(found.triangles, expected.triangles);
        for (found, expected) in found.positions.iter().zip(&expected.positions) {
            assert!((*found - *expected).length() < 1e-5, "step {step}: {found} is not {expected}");
        }
        let handle = &app.world().get::<Mesh3d>(copy).expect("a mesh").0;
        let mesh = app.world().resource::<Assets<Mesh>>().get(handle).expect("an asset");
        assert!(mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX).is_none());
        let Some(VertexAttributeValues::Float32x4(tangents)) = mesh.attribute(Mesh::ATTRIBUTE_TANGENT) else {
            panic!("no tangents");
        };
        let [x, y, z, sign] = tangents[41];
        let expected = if step == 0 { Vec3::X } else { Vec3::NEG_Y };
        assert!((Vec3::new(x, y, z) - expected).length() < 1e-5 && sign == 1.0, "step {step}");
    }
    // A copy of itself would have to skin its own vertices.
    app.world_mut().entity_mut(strip.entity).insert(CpuSkinned::new(strip.entity));
    app.update();
    assert_eq!(app.world().get::<Mesh3d>(strip.entity), Some(&Mesh3d(strip.mesh.clone())));
}

#[test]
fn without_meshes_in_the_app_nothing_is_hit() {
    let mut app = App::new();
    app.add_plugins(bevy_sinew::SinewPlugin);
    let entity = app.world_mut().spawn(Mesh3d::default()).id();
    app.update();
    assert_eq!(cast(&mut app, ray_at(0.5, 0.05)), None);
    assert!(problem(&mut app, entity).is_some());
}
