//! What several tests and the benchmark share: apps without a window, models, and an independent
//! reference in `f64`.
#![allow(dead_code, reason = "each program uses a part")]

pub(crate) mod reference;
pub(crate) mod rng;
pub(crate) mod strip;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy_animation::{AnimationPlayer, AnimationPlugin};
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle};
use bevy_camera::visibility::VisibilityPlugin;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::With;
use bevy_ecs::reflect::AppTypeRegistry;
use bevy_ecs::system::SystemState;
use bevy_gltf::{Gltf, GltfPlugin};
use bevy_image::ImagePlugin;
use bevy_mesh::{Mesh3d, MeshPlugin};
use bevy_sinew::{SinewPlugin, SkinnedRayCast};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_world_serialization::{WorldAssetRoot, WorldSerializationPlugin};

/// An app without a window or a renderer, with Bevy's assets, meshes and transforms, and this
/// crate. Each update takes a thirtieth of a second.
pub(crate) fn app(assets: &Path) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        TransformPlugin,
        AssetPlugin { file_path: assets.to_string_lossy().into_owned(), ..AssetPlugin::default() },
        ImagePlugin::default(),
        MeshPlugin,
        VisibilityPlugin,
        SinewPlugin,
    ));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 30));
    app
}

/// The same with Bevy's glTF loader and its animation.
pub(crate) fn gltf_app(assets: &Path) -> App {
    let mut app = app(assets);
    app.add_plugins((WorldSerializationPlugin, AnimationPlugin, GltfPlugin::default()));
    app.world().resource::<AppTypeRegistry>().write().register_derived_types();
    app.finish();
    app.cleanup();
    app
}

/// A folder and a file in it.
pub(crate) struct Model {
    pub(crate) name: &'static str,
    pub(crate) folder: PathBuf,
    pub(crate) file: String,
}

/// CesiumMan and Fox, where `SINEW_DATA` says they are, and a generated figure.
pub(crate) fn models() -> Vec<Model> {
    let mut models = vec![figure()];
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: CesiumMan and Fox, as SINEW_DATA is not set");
        return models;
    };
    for name in ["CesiumMan", "Fox"] {
        let folder = Path::new(&data).join("khronos-sample-assets").join(name).join("glTF-Binary");
        models.push(Model { name, folder, file: format!("{name}.glb") });
    }
    models
}

/// The generated figure as GLB, in the folder of test files.
pub(crate) fn figure() -> Model {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("figure-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for test files");
    let model = sinew_figures::scene("@figure:2000").expect("a scene").model().expect("a model");
    let mut glb = Vec::new();
    sinew_io::write_model_glb(&mut glb, &model, sinew_io::UpAxisConversion::None)
        .expect("a model that is GLB");
    std::fs::write(folder.join("figure.glb"), glb).expect("a file in the folder");
    Model { name: "figure", folder, file: "figure.glb".into() }
}

/// Runs updates until a condition holds. Fails after minutes, which no busy machine needs.
pub(crate) fn update_until(app: &mut App, what: &str, mut is_done: impl FnMut(&mut App) -> bool) {
    let start = Instant::now();
    while !is_done(app) {
        assert!(start.elapsed() < Duration::from_secs(300), "timeout: {what}");
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Loads a glTF file by Bevy, spawns its scene and plays its clip with this index. Returns the
/// root of the scene.
pub(crate) fn spawn_gltf(app: &mut App, file: &str, clip: usize) -> Entity {
    let handle: Handle<Gltf> = app.world().resource::<AssetServer>().load(file.to_owned());
    update_until(app, file, |app| {
        let state = app.world().resource::<AssetServer>().load_state(&handle);
        assert!(!state.is_failed(), "{file}: {state:?}");
        app.world().resource::<AssetServer>().is_loaded_with_dependencies(&handle)
    });
    let gltf = app.world().resource::<Assets<Gltf>>().get(&handle).expect("it is loaded");
    let (scene, clip) = (gltf.scenes[0].clone(), gltf.animations[clip].clone());
    let root = app.world_mut().spawn(WorldAssetRoot(scene)).id();
    update_until(app, "the scene is spawned", |app| {
        app.world_mut().query_filtered::<Entity, With<AnimationPlayer>>().iter(app.world()).next().is_some()
    });
    let (graph, node) = AnimationGraph::from_clip(clip);
    let graph = app.world_mut().resource_mut::<Assets<AnimationGraph>>().add(graph);
    let mut players = app.world_mut().query::<(Entity, &mut AnimationPlayer)>();
    let players: Vec<Entity> = players
        .iter_mut(app.world_mut())
        .map(|(entity, mut player)| {
            player.play(node).repeat();
            entity
        })
        .collect();
    for player in players {
        app.world_mut().entity_mut(player).insert(AnimationGraphHandle(graph.clone()));
    }
    app.update();
    root
}

/// All entities with a mesh.
pub(crate) fn mesh_entities(app: &mut App) -> Vec<Entity> {
    app.world_mut().query_filtered::<Entity, With<Mesh3d>>().iter(app.world()).collect()
}

/// Runs code with a [`SkinnedRayCast`], as a system would.
pub(crate) fn with_rays<T>(app: &mut App, code: impl FnOnce(&mut SkinnedRayCast<'_, '_>) -> T) -> T {
    let mut state = SystemState::<SkinnedRayCast>::new(app.world_mut());
    let mut rays = state.get_mut(app.world_mut()).expect("the plugin was added");
    code(&mut rays)
}
