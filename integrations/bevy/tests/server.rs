//! A server with the plugins of Bevy's `MinimalPlugins`: what was hit then is hit later.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bevy_app::{App, AppExit, FixedUpdate, ScheduleRunnerPlugin, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemState;
use bevy_math::{Dir3, Quat, Ray3d, Vec3};
use bevy_sinew::server::{
    AnimatedModel, Animator, ModelAsset, ModelCastSettings, ModelHit, ModelRayCast, PoseHistory,
    ServerPlugin, ServerSystems, ServerTick,
};
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

/// What `MinimalPlugins` adds that a test can run: no loop of its own.
fn server() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, ServerPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    // The first update of the clock takes no time.
    app.update();
    app
}

fn figure() -> ModelAsset {
    let scene = sinew_figures::scene("@figure:1000").expect("a scene");
    scene.model().expect("a model").into()
}

fn clip_name(model: &ModelAsset) -> String {
    model.model.clips()[0].name().to_owned()
}

/// Spawns walkers in a row that move along z as they walk.
fn spawn_walkers(app: &mut App, count: usize, ticks: usize) -> Vec<Entity> {
    let model = figure();
    let clip = clip_name(&model);
    let model = app.world_mut().resource_mut::<Assets<ModelAsset>>().add(model);
    let walk = |mut walkers: Query<&mut Transform, With<PoseHistory>>, time: Res<Time>| {
        for mut transform in &mut walkers {
            transform.translation.z += time.delta_secs();
            transform.rotate_y(0.3 * time.delta_secs());
        }
    };
    app.add_systems(FixedUpdate, walk.before(ServerSystems::Step));
    let spawn = |walker: usize| {
        let transform = Transform::from_xyz(0.8 * walker as f32, 0.0, 0.0)
            .with_scale(Vec3::splat(1.0 + 0.2 * walker as f32));
        let animated = AnimatedModel::new(model.clone()).playing(clip.as_str());
        app.world_mut().spawn((animated, PoseHistory::new(ticks), transform)).id()
    };
    (0..count).map(spawn).collect()
}

/// Rays through the row of walkers, all over their height.
fn rays(tick: u64) -> Vec<Ray3d> {
    let ray = |index: u64| {
        let (column, row) = (index % 12, index / 12);
        let origin =
            Vec3::new(0.25 * column as f32 - 0.4, 0.15 * row as f32 + 0.05, 6.0 + 0.01 * tick as f32);
        let direction = Quat::from_rotation_y(0.02 * row as f32) * Vec3::NEG_Z;
        Ray3d::new(origin, Dir3::new(direction).expect("a direction"))
    };
    (0..144).map(ray).collect()
}

fn with_rays<T>(app: &mut App, code: impl FnOnce(&mut ModelRayCast<'_, '_>) -> T) -> T {
    let mut state = SystemState::<ModelRayCast>::new(app.world_mut());
    code(&mut state.get_mut(app.world_mut()).expect("the plugin was added"))
}

/// All bits of a hit.
fn bits(hit: &Option<ModelHit>) -> Option<(Entity, usize, usize, usize, Vec<u32>)> {
    hit.as_ref().map(|hit| {
        let floats = [hit.barycentrics, hit.point, hit.normal].map(|vector| vector.to_array());
        let mut floats: Vec<u32> = floats.as_flattened().iter().map(|value| value.to_bits()).collect();
        floats.push(hit.distance.to_bits());
        (hit.entity, hit.joint.index(), hit.mesh_instance, hit.triangle, floats)
    })
}

#[test]
fn a_cast_at_a_past_tick_equals_the_one_made_then_bit_for_bit() {
    const TICKS: u64 = 24;
    let mut app = server();
    spawn_walkers(&mut app, 3, 16);
    let settings = ModelCastSettings::default();
    let mut then = Vec::new();
    for _ in 0..TICKS {
        app.update();
        let tick = app.world().resource::<ServerTick>().0;
        let hits: Vec<_> =
            with_rays(&mut app, |cast| rays(tick).into_iter().map(|ray| cast.cast(ray, &settings)).collect());
        then.push((tick, hits));
    }
    let hit_count = then.iter().flat_map(|(_, hits)| hits).flatten().count();
    assert!(hit_count > 500, "only {hit_count} hits");
    let kept = then.len() - 16;
    for (index, (tick, hits)) in then.iter().enumerate().rev() {
        for (ray, then) in rays(*tick).into_iter().zip(hits) {
            let now = with_rays(&mut app, |cast| cast.cast_at(*tick as f64, ray, &settings));
            if index < kept {
                assert_eq!(now, None, "tick {tick} is too long ago");
            } else {
                assert_eq!(bits(&now), bits(then), "tick {tick}");
            }
        }
    }
    // The past is not changed by having been looked at, and neither is the present.
    let (tick, hits) = then.last().expect("ticks");
    let now: Vec<_> =
        with_rays(&mut app, |cast| rays(*tick).into_iter().map(|ray| cast.cast(ray, &settings)).collect());
    assert_eq!(now.iter().map(bits).collect::<Vec<_>>(), hits.iter().map(bits).collect::<Vec<_>>());
}

#[test]
fn a_server_runs_in_the_loop_of_minimal_plugins() {
    const TICKS: u64 = 20;
    let mut app = App::new();
    let run_loop = ScheduleRunnerPlugin::run_loop(Duration::ZERO);
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, run_loop, ServerPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    spawn_walkers(&mut app, 2, 16);
    let same = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&same);
    let judge = move |tick: Res<ServerTick>,
                      mut cast: ModelRayCast,
                      mut then: Local<Vec<(u64, Option<ModelHit>)>>,
                      mut exit: MessageWriter<AppExit>| {
        let settings = ModelCastSettings::default();
        let ray = Ray3d::new(Vec3::new(0.0, 1.0, 9.0), Dir3::NEG_Z);
        then.push((tick.0, cast.cast(ray, &settings)));
        if tick.0 == TICKS {
            for (tick, hit) in then.iter().filter(|(tick, _)| tick + 8 > TICKS) {
                assert_eq!(bits(&cast.cast_at(*tick as f64, ray, &settings)), bits(hit), "tick {tick}");
                counted.fetch_add(usize::from(hit.is_some()), Ordering::Relaxed);
            }
            exit.write(AppExit::Success);
        }
    };
    app.add_systems(Update, judge);
    assert_eq!(app.run(), AppExit::Success);
    assert!(same.load(Ordering::Relaxed) >= 8, "{} hits", same.load(Ordering::Relaxed));
}

#[test]
fn walkers_move_so_that_the_present_differs_from_the_past_and_ticks_are_interpolated() {
    let mut app = server();
    let walkers = spawn_walkers(&mut app, 1, 64);
    for _ in 0..30 {
        app.update();
    }
    let history = app.world().get::<PoseHistory>(walkers[0]).expect("a history");
    let (oldest, newest) = history.range().expect("ticks");
    assert_eq!(newest, app.world().resource::<ServerTick>().0);
    assert_eq!(newest - oldest, 29);
    let ray = Ray3d::new(Vec3::new(0.0, 1.0, 9.0), Dir3::NEG_Z);
    let settings = ModelCastSettings::default();
    let mut distance =
        |tick: f64| with_rays(&mut app, |cast| cast.cast_at(tick, ray, &settings)).map(|hit| hit.distance);
    let (first, last) = (distance(oldest as f64).expect("a hit"), distance(newest as f64).expect("a hit"));
    assert!(first - last > 0.2, "it walks towards the ray: {first} and {last}");
    let (a, b) =
        (distance(oldest as f64 + 8.0).expect("a hit"), distance(oldest as f64 + 9.0).expect("a hit"));
    let between = distance(oldest as f64 + 8.5).expect("a hit");
    assert!((between - 0.5 * (a + b)).abs() < 0.02, "{between} lies between {a} and {b}");
    for outside in [oldest as f64 - 1.0, newest as f64 + 0.5, f64::NAN, f64::INFINITY, -f64::INFINITY] {
        assert_eq!(distance(outside), None, "{outside}");
    }
}

#[test]
fn hits_are_the_instances_own_in_world_space_and_filters_and_distances_hold() {
    let mut app = server();
    let walkers = spawn_walkers(&mut app, 2, 4);
    for _ in 0..5 {
        app.update();
    }
    let ray = Ray3d::new(Vec3::new(0.0, 1.0, 9.0), Dir3::NEG_Z);
    let hit = with_rays(&mut app, |cast| cast.cast(ray, &ModelCastSettings::default())).expect("a hit");
    assert_eq!(hit.entity, walkers[0]);
    assert!((hit.point - ray.get_point(hit.distance)).length() < 1e-5);
    assert!((hit.normal.length() - 1.0).abs() < 1e-5);
    let name = app
        .world()
        .get::<Animator>(walkers[0])
        .expect("an animator")
        .model()
        .skeleton()
        .name(hit.joint)
        .to_owned();
    assert!(!name.is_empty());
    let filter = |entity| entity != walkers[0];
    let other = ModelCastSettings::default().with_filter(&filter);
    assert!(with_rays(&mut app, |cast| cast.cast(ray, &other)).is_none_or(|hit| hit.entity != walkers[0]));
    let short = ModelCastSettings::default().with_max_distance(hit.distance - 0.01);
    assert_eq!(with_rays(&mut app, |cast| cast.cast(ray, &short)), None);
    let singular = Transform::from_scale(Vec3::new(1.0, 0.0, 1.0));
    for walker in walkers {
        app.world_mut().entity_mut(walker).insert(singular);
    }
    assert_eq!(with_rays(&mut app, |cast| cast.cast(ray, &ModelCastSettings::default())), None);
}

#[test]
fn models_that_are_not_there_yet_are_no_error_and_neither_are_clips_without_such_a_name() {
    let mut app = server();
    let model = figure();
    let reserved: Handle<ModelAsset> = Handle::Uuid(bevy_asset::uuid::Uuid::from_u128(5), Default::default());
    let animated = AnimatedModel::new(reserved.clone()).playing("no such clip");
    let entity = app.world_mut().spawn((animated, PoseHistory::new(4))).id();
    for _ in 0..3 {
        app.update();
    }
    let ray = Ray3d::new(Vec3::new(0.0, 1.0, 9.0), Dir3::NEG_Z);
    assert!(app.world().get::<Animator>(entity).is_none());
    assert_eq!(with_rays(&mut app, |cast| cast.cast(ray, &ModelCastSettings::default())), None);
    app.world_mut().resource_mut::<Assets<ModelAsset>>().insert(&reserved, model).expect("a free id");
    app.update();
    let animator = app.world().get::<Animator>(entity).expect("the model is there");
    assert!(animator.clip_error().is_some());
    assert!(with_rays(&mut app, |cast| cast.cast(ray, &ModelCastSettings::default())).is_some());
    // Another model of the same skeleton takes the place of the first; its history begins anew.
    let tick = app.world().resource::<ServerTick>().0 as f64;
    let settings = ModelCastSettings::default();
    assert!(with_rays(&mut app, |cast| cast.cast_at(tick, ray, &settings)).is_some());
    let other = sinew_figures::scene("@figure:3000").expect("a scene").model().expect("a model");
    let other = app.world_mut().resource_mut::<Assets<ModelAsset>>().add(ModelAsset::from(other));
    app.world_mut().entity_mut(entity).insert(AnimatedModel::new(other));
    app.update();
    let now = with_rays(&mut app, |cast| cast.cast(ray, &settings));
    assert!(now.is_some());
    assert_eq!(with_rays(&mut app, |cast| cast.cast_at(tick, ray, &settings)), None);
    assert_eq!(bits(&with_rays(&mut app, |cast| cast.cast_at(tick + 1.0, ray, &settings))), bits(&now));
    // A tick that is set back begins anew, too.
    app.world_mut().resource_mut::<ServerTick>().0 = 0;
    app.update();
    let range = app.world().get::<PoseHistory>(entity).expect("a history").range();
    assert_eq!(range, Some((1, 1)));
    app.world_mut().get_mut::<PoseHistory>(entity).expect("a history").clear();
    assert_eq!(app.world().get::<PoseHistory>(entity).expect("a history").range(), None);
}

#[test]
fn models_are_loaded_from_files_in_the_background() {
    let folder =
        std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("server-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for test files");
    let model = figure();
    let mut glb = Vec::new();
    sinew_io::write_model_glb(&mut glb, &model.model, sinew_io::UpAxisConversion::None).expect("a GLB");
    std::fs::write(folder.join("figure.glb"), &glb).expect("a file");
    std::fs::write(folder.join("cut.glb"), &glb[..glb.len() / 2]).expect("a file");
    let mut app = App::new();
    let assets = AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..AssetPlugin::default() };
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, assets, ServerPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let server = app.world().resource::<AssetServer>().clone();
    let (whole, cut): (Handle<ModelAsset>, Handle<ModelAsset>) =
        (server.load("figure.glb"), server.load("cut.glb"));
    let walker = app.world_mut().spawn(AnimatedModel::new(whole)).id();
    let broken = app.world_mut().spawn(AnimatedModel::new(cut.clone())).id();
    let start = std::time::Instant::now();
    while app.world().get::<Animator>(walker).is_none() || !server.load_state(&cut).is_failed() {
        assert!(start.elapsed() < Duration::from_secs(300), "timeout");
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(app.world().get::<Animator>(broken).is_none());
    assert_eq!(ModelAsset::load(folder.join("figure.glb")).expect("a model").model.clips().len(), 2);
}
