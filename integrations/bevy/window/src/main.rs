//! An animated glTF model in a window. The pointer picks it where it is drawn: a dot and an arrow
//! show the hit, and its joint is printed.
//!
//!     cargo run [-- FILE.glb [PICTURE.png]]
//!
//! Without a file, a generated figure walks. With a picture, writes what the window shows after
//! three seconds and ends.

use std::path::{Path, PathBuf};

use bevy::camera::primitives::Aabb;
use bevy::gltf::GltfAssetLabel;
use bevy::picking::backend::PointerHits;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy_sinew::{SinewPickingPlugin, SkinnedHit, TightBounds};

/// The file to show, in the folder of assets, and the picture to write.
#[derive(Resource)]
struct Arguments {
    file: String,
    picture: Option<PathBuf>,
}

fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let file = arguments.next().unwrap_or_else(write_figure);
    let folder = file.parent().unwrap_or(Path::new("")).canonicalize().expect("the file's folder exists");
    let name = file.file_name().expect("a file").to_string_lossy().into_owned();
    let assets = AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..default() };
    App::new()
        .add_plugins((DefaultPlugins.set(assets), SinewPickingPlugin))
        .insert_resource(Arguments { file: name, picture: arguments.next() })
        .add_systems(Startup, spawn)
        .add_systems(Update, (play, follow_bounds, frame_camera, show_hits, take_picture))
        .run();
}

/// Writes the generated figure as GLB and returns its path.
fn write_figure() -> PathBuf {
    let model = sinew_figures::scene("@figure").expect("a scene").model().expect("a model");
    let mut glb = Vec::new();
    sinew_io::write_model_glb(&mut glb, &model, sinew_io::UpAxisConversion::None).expect("a model that is GLB");
    let path = std::env::temp_dir().join("bevy-sinew-figure.glb");
    std::fs::write(&path, glb).expect("the folder of temporary files is writable");
    path
}

#[derive(Resource)]
struct Clip(Handle<AnimationGraph>, AnimationNodeIndex);

fn spawn(
    arguments: Res<Arguments>,
    assets: Res<AssetServer>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
    mut commands: Commands,
) {
    let path = arguments.file.clone();
    let (graph, node) =
        AnimationGraph::from_clip(assets.load(GltfAssetLabel::Animation(0).from_asset(path.clone())));
    commands.insert_resource(Clip(graphs.add(graph), node));
    commands.spawn(WorldAssetRoot(assets.load(GltfAssetLabel::Scene(0).from_asset(path))));
    commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 1.0, 4.0)));
    commands.spawn((DirectionalLight::default(), Transform::from_xyz(2.0, 3.0, 4.0).looking_at(Vec3::ZERO, Vec3::Y)));
    commands.insert_resource(GlobalAmbientLight { brightness: 400.0, ..default() });
}

/// Plays the first clip, looping.
fn play(
    clip: Res<Clip>,
    mut players: Query<(Entity, &mut AnimationPlayer), Added<AnimationPlayer>>,
    mut commands: Commands,
) {
    for (entity, mut player) in &mut players {
        player.play(clip.1).repeat();
        commands.entity(entity).insert(AnimationGraphHandle(clip.0.clone()));
    }
}

/// Gives meshes bounds that follow their pose, so that they are culled by what is drawn.
fn follow_bounds(meshes: Query<Entity, Added<Mesh3d>>, mut commands: Commands) {
    for entity in &meshes {
        commands.entity(entity).insert(TightBounds::default());
    }
}

/// Points the camera at the model once its bounds are known.
fn frame_camera(
    meshes: Query<(&Aabb, &GlobalTransform), Added<Aabb>>,
    mut camera: Single<&mut Transform, With<Camera3d>>,
) {
    for (aabb, transform) in &meshes {
        let center = transform.transform_point(aabb.center.into());
        let radius = transform.radius_vec3a(aabb.half_extents);
        **camera = Transform::from_translation(center + radius * Vec3::new(1.2, 0.5, 2.2)).looking_at(center, Vec3::Y);
    }
}

/// Draws the hit under the pointer, and prints its joint when that changes.
fn show_hits(
    mut hits: MessageReader<PointerHits>,
    names: Query<&Name>,
    camera: Single<&Transform, With<Camera3d>>,
    mut gizmos: Gizmos,
    mut last: Local<Option<Entity>>,
) {
    let picks = hits.read().flat_map(|hits| &hits.picks);
    for hit in picks.filter_map(|(_, data)| data.extra_as::<SkinnedHit>()) {
        let size = 0.02 * camera.translation.distance(hit.point);
        gizmos.sphere(Isometry3d::from_translation(hit.point), 0.5 * size, Color::srgb(1.0, 0.2, 0.1));
        gizmos.arrow(hit.point, hit.point + 5.0 * size * hit.normal, Color::srgb(1.0, 0.8, 0.1));
        if std::mem::replace(&mut *last, hit.joint) != hit.joint {
            let name = hit.joint.and_then(|joint| names.get(joint).ok()).map_or("no joint", Name::as_str);
            println!("{name}, triangle {}, {:.3} at {}", hit.triangle, hit.distance, hit.point);
        }
    }
}

/// Writes a picture of the window, if one is asked for, and ends.
fn take_picture(
    arguments: Res<Arguments>,
    time: Res<Time>,
    mut is_taken: Local<bool>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(picture) = &arguments.picture else { return };
    if time.elapsed_secs() > 3.0 && !std::mem::replace(&mut *is_taken, true) {
        commands.spawn(Screenshot::primary_window()).observe(save_to_disk(picture.clone()));
    } else if time.elapsed_secs() > 5.0 {
        exit.write(AppExit::Success);
    }
}
