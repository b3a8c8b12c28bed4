//! A window: an animated figure, and what the pointer hits on it.
//!
//! The left view shows it from the front; the right view from the side, where the ray of the
//! pointer is a line. The triangle that is hit is outlined, with the name of its joint. A click
//! prints the hit. Takes the path of a glTF file; without one it shows a generated figure.
#![expect(clippy::print_stdout, reason = "an example prints what it does")]

mod mark;

use std::error::Error;
use std::path::{Path, PathBuf};

use bevy::camera::Viewport;
use bevy::camera::primitives::MeshAabb;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::math::bounding::{Aabb3d, BoundingVolume};
use bevy::mesh::skinning::SkinnedMesh;
use bevy::prelude::*;
use bevy_sinew::{CpuSkinned, SinewPickingPlugin, SinewSystems, SkinnedHit};

fn main() -> Result<(), Box<dyn Error>> {
    let model = match std::env::args_os().nth(1) {
        Some(path) => std::path::absolute(path)?,
        None => write_figure()?,
    };
    let folder = model.parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    let file = model.file_name().ok_or("name a file, not a folder")?.to_string_lossy().into_owned();
    let window = Window { title: "bevy_sinew".into(), ..Window::default() };
    App::new()
        .add_plugins(
            DefaultPlugins
                .set(AssetPlugin { file_path: folder, ..AssetPlugin::default() })
                .set(WindowPlugin { primary_window: Some(window), ..WindowPlugin::default() }),
        )
        .add_plugins(SinewPickingPlugin)
        .insert_resource(ModelFile(file))
        .add_systems(Startup, load)
        .add_systems(Update, (spawn, play, copy_skinned, split_window))
        // After joints have moved: marks are where the surface is drawn in this frame.
        .add_systems(PostUpdate, (frame_model, mark::draw).after(SinewSystems::Skin))
        .add_observer(print_hit)
        .run();
    Ok(())
}

/// Writes the generated figure to a temporary file, and returns its path.
fn write_figure() -> Result<PathBuf, Box<dyn Error>> {
    let mut glb = Vec::new();
    let figure = sinew_figures::scene("@figure")?.model()?;
    sinew_io::write_model_glb(&mut glb, &figure, sinew_io::UpAxisConversion::None)?;
    let path = std::env::temp_dir().join("bevy-sinew-figure.glb");
    std::fs::write(&path, glb)?;
    Ok(path)
}

/// The name of the glTF file in its folder.
#[derive(Resource)]
struct ModelFile(String);

#[derive(Resource)]
struct Model(Handle<Gltf>);

/// The animation that all players of the model play.
#[derive(Resource)]
struct Playing(Handle<AnimationGraph>, AnimationNodeIndex);

/// The direction from which a camera looks.
#[derive(Clone, Copy, Component)]
enum View {
    Front,
    Side,
}

fn load(
    mut commands: Commands,
    file: Res<ModelFile>,
    assets: Res<AssetServer>,
    mut gizmos: ResMut<GizmoConfigStore>,
) {
    // Marks are drawn over the surface that they lie in.
    gizmos.config_mut::<DefaultGizmoConfigGroup>().0.depth_bias = -1.0;
    commands.insert_resource(Model(assets.load(file.0.clone())));
    let sun = Transform::from_xyz(2.0, 3.0, 4.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { illuminance: 2500.0, ..DirectionalLight::default() }, sun));
    for (order, view) in [(0, View::Front), (1, View::Side)] {
        let camera = Camera { order, ..Camera::default() };
        // Bevy's default needs textures that this example leaves out.
        commands.spawn((Camera3d::default(), camera, Tonemapping::Reinhard, view));
    }
}

/// Spawns the scene once the file is loaded.
fn spawn(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<Gltf>>,
    models: Res<Assets<Gltf>>,
    model: Res<Model>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
) {
    if !events.read().any(|event| event.is_loaded_with_dependencies(&model.0)) {
        return;
    }
    let Some(gltf) = models.get(&model.0) else { return };
    if let Some(scene) = gltf.scenes.first() {
        commands.spawn(WorldAssetRoot(scene.clone()));
    }
    if let Some(clip) = gltf.animations.first() {
        let (graph, node) = AnimationGraph::from_clip(clip.clone());
        commands.insert_resource(Playing(graphs.add(graph), node));
    }
}

fn play(
    mut commands: Commands,
    playing: Option<Res<Playing>>,
    mut players: Query<(Entity, &mut AnimationPlayer), Added<AnimationPlayer>>,
) {
    let Some(playing) = playing else { return };
    for (entity, mut player) in &mut players {
        player.play(playing.1).repeat();
        commands.entity(entity).insert(AnimationGraphHandle(playing.0.clone()));
    }
}

/// Skins a copy of each animated mesh on the CPU. It is not drawn, as it has no material: it says
/// where the corners of triangles are.
fn copy_skinned(mut commands: Commands, meshes: Query<Entity, Added<SkinnedMesh>>) {
    for entity in &meshes {
        commands.spawn((CpuSkinned::new(entity), Pickable::IGNORE));
    }
}

/// Looks at the model, once it is there.
fn frame_model(
    copies: Query<&Mesh3d, With<CpuSkinned>>,
    meshes: Res<Assets<Mesh>>,
    mut cameras: Query<(&View, &mut Transform)>,
    mut is_done: Local<bool>,
) {
    let bounds = copies.iter().filter_map(|copy| meshes.get(copy)?.compute_aabb());
    let bounds = bounds.map(|aabb| Aabb3d::new(aabb.center, aabb.half_extents));
    let Some(bounds) = bounds.reduce(|all, aabb| all.merge(&aabb)) else { return };
    if std::mem::replace(&mut *is_done, true) {
        return;
    }
    let (center, distance) = (Vec3::from(bounds.center()), 2.6 * bounds.half_size().length());
    for (view, mut camera) in &mut cameras {
        let direction = match view {
            View::Front => Vec3::new(0.0, 0.1, 1.0),
            View::Side => Vec3::new(1.0, 0.2, 0.3),
        };
        *camera = Transform::from_translation(center + distance * direction.normalize())
            .looking_at(center, Vec3::Y);
    }
    println!("The model is in view. Point at it; a click prints the hit.");
}

/// Gives each view one half of the window.
fn split_window(windows: Query<&Window, Changed<Window>>, mut cameras: Query<(&View, &mut Camera)>) {
    let Some(window) = windows.iter().next() else { return };
    let half = UVec2::new(window.physical_width() / 2, window.physical_height()).max(UVec2::ONE);
    for (view, mut camera) in &mut cameras {
        let physical_position = match view {
            View::Front => UVec2::ZERO,
            View::Side => half.with_y(0),
        };
        camera.viewport = Some(Viewport { physical_position, physical_size: half, ..Viewport::default() });
    }
}

fn print_hit(mut click: On<Pointer<Click>>, names: Query<&Name>) {
    // Else it is printed for every parent of the mesh too.
    click.propagate(false);
    let Some(hit) = click.hit.extra_as::<SkinnedHit>() else { return };
    let joint = mark::joint_name(hit, &names);
    println!("{joint}, triangle {}, {}, at {}", hit.triangle, hit.barycentrics, hit.point);
}
