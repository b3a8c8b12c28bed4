//! A server without a window: a figure walks past, and a shot is judged at the tick that the
//! shooter saw. Runs without arguments.
#![expect(clippy::print_stdout, reason = "an example prints what it does")]

use bevy_app::{App, FixedUpdate, TaskPoolPlugin, Update};
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Ray3d, Vec3};
use bevy_sinew::server::{
    AnimatedModel, Animator, ModelAsset, ModelCastSettings, ModelRayCast, PoseHistory, ServerPlugin,
    ServerSystems, ServerTick,
};
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

fn main() {
    let mut app = App::new();
    // A real server adds `MinimalPlugins`, which run in a loop, in real time.
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, ServerPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.add_systems(FixedUpdate, walk.before(ServerSystems::Step));
    app.add_systems(Update, judge);

    // A server loads its models: `ModelAsset::load("figure.glb")?`.
    let figure = sinew_figures::scene("@figure:2000").expect("a scene").model().expect("a model");
    let clip = figure.clips()[0].name().to_owned();
    let model = app.world_mut().resource_mut::<Assets<ModelAsset>>().add(ModelAsset::from(figure));
    app.world_mut().spawn((AnimatedModel::new(model).playing(clip), PoseHistory::new(64)));

    for _ in 0..40 {
        app.update();
    }
}

/// Moves the figure to the right.
fn walk(mut walkers: Query<&mut Transform, With<Animator>>, time: Res<Time>) {
    for mut transform in &mut walkers {
        transform.translation.x += 2.0 * time.delta_secs();
    }
}

/// Every eighth tick a shot arrives from a client that is twelve ticks behind.
fn judge(tick: Res<ServerTick>, mut rays: ModelRayCast) {
    if !tick.0.is_multiple_of(8) || tick.0 < 16 {
        return;
    }
    let seen = tick.0 - 12;
    // The client aims at where the figure was on its screen.
    let aim = 2.0 * (seen as f32 - 1.0) / 64.0;
    let ray = Ray3d::new(Vec3::new(aim, 1.2, 10.0), Dir3::NEG_Z);
    let settings = ModelCastSettings::default().with_max_distance(50.0);
    let now = rays.cast(ray, &settings);
    let then = rays.cast_at(seen as f64, ray, &settings);
    let text = |hit: Option<bevy_sinew::server::ModelHit>| match hit {
        Some(hit) => format!("joint {} at {:.2} m, triangle {}", hit.joint, hit.distance, hit.triangle),
        None => "nothing".to_owned(),
    };
    println!("tick {}: the shot hits {}; at tick {seen} it hit {}", tick.0, text(now), text(then));
}
