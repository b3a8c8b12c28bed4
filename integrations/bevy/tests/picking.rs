//! The picking backend reports exact hits with their joints to Bevy's picking.

mod support;

use bevy_app::{App, PreUpdate, Update};
use bevy_camera::Camera;
use bevy_camera::visibility::RenderLayers;
use bevy_ecs::prelude::*;
use bevy_math::{Ray3d, Vec3};
use bevy_picking::backend::PointerHits;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::pointer::PointerId;
use bevy_picking::{Pickable, PickingPlugin, PickingSystems};
use bevy_sinew::{CastVisibility, SinewPickingPlugin, SinewPickingSettings, SkinnedHit};
use support::strip::Strip;

#[derive(Resource)]
struct PointerRay(Entity, Ray3d);

#[derive(Default, Resource)]
struct Reported(Vec<PointerHits>);

/// An app with a camera whose pointer casts one ray.
fn app(ray: Ray3d) -> (App, Entity) {
    let mut app = support::app(std::path::Path::new("."));
    app.add_plugins((PickingPlugin, SinewPickingPlugin));
    // Nothing is in view without a renderer.
    app.world_mut().resource_mut::<SinewPickingSettings>().visibility = CastVisibility::Visible;
    let camera = app.world_mut().spawn(Camera { order: 3, ..Camera::default() }).id();
    app.insert_resource(PointerRay(camera, ray)).init_resource::<Reported>();
    let point = |ray: Res<PointerRay>, mut map: ResMut<RayMap>| {
        map.map.insert(RayId::new(ray.0, PointerId::Mouse), ray.1);
    };
    app.add_systems(PreUpdate, point.after(PickingSystems::ProcessInput).before(PickingSystems::Backend));
    let collect = |mut hits: MessageReader<PointerHits>, mut reported: ResMut<Reported>| {
        reported.0 = hits.read().cloned().collect();
    };
    app.add_systems(Update, collect);
    (app, camera)
}

fn ray_at(point: Vec3) -> Ray3d {
    Ray3d::new(point + 5.0 * Vec3::Z, bevy_math::Dir3::NEG_Z)
}

#[test]
fn a_pointer_picks_a_bent_mesh_where_it_is_drawn() {
    // The strip hangs from x = 0 to 2 at rest; its upper half is turned down by a quarter.
    let (mut app, camera) = app(ray_at(Vec3::new(1.05, -0.5, 0.0)));
    let strip = Strip::spawn(&mut app);
    strip.bend(&mut app);
    app.update();
    app.update();
    let reported = &app.world().resource::<Reported>().0;
    assert_eq!(reported.len(), 1);
    assert_eq!((reported[0].pointer, reported[0].order), (PointerId::Mouse, 3.0));
    let [(entity, data)] = &reported[0].picks[..] else { panic!("{reported:?}") };
    assert_eq!((*entity, data.camera), (strip.entity, camera));
    assert!((data.depth - 5.0).abs() < 1e-5);
    assert!((data.position.expect("a position") - Vec3::new(1.05, -0.5, 0.0)).length() < 1e-5);
    assert!((data.normal.expect("a normal") - Vec3::Z).length() < 1e-5);
    let extra = data.extra_as::<SkinnedHit>().expect("the hit");
    assert_eq!(extra.joint, Some(strip.joints[1]));
    assert_eq!(extra.joint_index, Some(1));
    assert!((extra.barycentrics.element_sum() - 1.0).abs() < 1e-6);
}

#[test]
fn a_pointer_misses_a_bent_mesh_where_it_was_modeled() {
    let (mut app, _) = app(ray_at(Vec3::new(1.8, 0.05, 0.0)));
    let strip = Strip::spawn(&mut app);
    app.update();
    app.update();
    assert_eq!(app.world().resource::<Reported>().0.len(), 1, "at rest it is there");
    strip.bend(&mut app);
    app.update();
    app.update();
    assert!(app.world().resource::<Reported>().0.is_empty());
}

#[test]
fn ignored_entities_other_layers_and_missing_markers_are_not_picked() {
    let (mut app, camera) = app(ray_at(Vec3::new(0.5, 0.05, 0.0)));
    let strip = Strip::spawn(&mut app);
    let picks = |app: &mut App| {
        app.update();
        app.update();
        app.world().resource::<Reported>().0.len()
    };
    assert_eq!(picks(&mut app), 1);
    app.world_mut().entity_mut(strip.entity).insert(Pickable::IGNORE);
    assert_eq!(picks(&mut app), 0);
    app.world_mut().entity_mut(strip.entity).insert((Pickable::default(), RenderLayers::layer(1)));
    assert_eq!(picks(&mut app), 0);
    app.world_mut().entity_mut(camera).insert(RenderLayers::layer(1));
    assert_eq!(picks(&mut app), 1);
    app.world_mut().resource_mut::<SinewPickingSettings>().require_markers = true;
    assert_eq!(picks(&mut app), 0);
    app.world_mut().entity_mut(camera).insert(bevy_sinew::SinewPickingCamera);
    assert_eq!(picks(&mut app), 1);
    app.world_mut().entity_mut(strip.entity).remove::<Pickable>();
    assert_eq!(picks(&mut app), 0);
}
