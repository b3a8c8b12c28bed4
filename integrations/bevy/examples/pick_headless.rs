//! A figure walks, and a ray is cast at it in every fifth frame: prints what is hit. No window, no
//! renderer, no files. Runs without arguments.
#![expect(clippy::print_stdout, reason = "an example prints what it does")]

use std::time::Duration;

use bevy_app::{App, Update};
use bevy_asset::{AssetPlugin, Assets, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Mat4, Ray3d, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Indices, Mesh, Mesh3d, MeshPlugin, PrimitiveTopology, VertexAttributeValues};
use bevy_sinew::sinew::{JointId, Skin};
use bevy_sinew::{RayCastSettings, SinewPlugin, SkinnedRayCast};
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use sinew_figures::Scene;

/// The generated figure, and the entities of its joints.
#[derive(Resource)]
struct Figure {
    scene: Scene,
    joints: Vec<Entity>,
}

fn main() {
    let mut app = App::new();
    app.add_plugins((bevy_app::TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins((AssetPlugin::default(), MeshPlugin, SinewPlugin));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
    let figure = spawn(&mut app, sinew_figures::scene("@figure").expect("a scene"));
    app.insert_resource(figure).add_systems(Update, (walk, shoot).chain());
    for _ in 0..60 {
        app.update();
    }
}

/// Spawns the joints and the mesh, as Bevy's glTF loader does.
fn spawn(app: &mut App, scene: Scene) -> Figure {
    let mut joints: Vec<Entity> = Vec::new();
    for joint in (0..scene.skeleton.len()).map(JointId::new) {
        let mut entity = app.world_mut().spawn(Transform::IDENTITY);
        if let Some(parent) = scene.skeleton.parent(joint) {
            entity.insert(ChildOf(joints[parent.index()]));
        }
        joints.push(entity.id());
    }
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints).expect("a skin");
    let bind_poses: Vec<Mat4> = skin.inverse_binds().iter().map(|&matrix| matrix.into()).collect();
    let bind_poses = SkinnedMeshInverseBindposes::from(bind_poses);
    let bind_poses = app.world_mut().resource_mut::<Assets<SkinnedMeshInverseBindposes>>().add(bind_poses);
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh(&scene));
    let skin_joints = scene.skin_joints.iter().map(|joint| joints[joint.index()]).collect();
    app.world_mut().spawn((Mesh3d(mesh), SkinnedMesh { inverse_bindposes: bind_poses, joints: skin_joints }));
    Figure { scene, joints }
}

fn mesh(scene: &Scene) -> Mesh {
    let arrays = &scene.mesh;
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    let mut influences = arrays.influences();
    for &count in &arrays.influence_counts {
        let (mut joint_indices, mut joint_weights) = ([0; 4], [0.0; 4]);
        for (slot, (joint, weight)) in influences.by_ref().take(count as usize).enumerate() {
            (joint_indices[slot], joint_weights[slot]) = (joint as u16, weight);
        }
        joints.push(joint_indices);
        weights.push(joint_weights);
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, arrays.positions.clone())
        .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, VertexAttributeValues::Uint16x4(joints))
        .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights)
        .with_inserted_indices(Indices::U32(arrays.triangles.as_flattened().to_vec()))
}

/// Poses the joints. With a glTF file, Bevy's `AnimationPlayer` does it.
fn walk(figure: Res<Figure>, time: Res<Time>, mut transforms: Query<&mut Transform>) {
    let Figure { scene, joints } = &*figure;
    let mut pose = scene.skeleton.rest_pose();
    scene.motions[0].pose(&scene.skeleton, time.elapsed_secs(), &mut pose).expect("its pose");
    for (&entity, transform) in joints.iter().zip(pose.transforms()) {
        let (scale, rotation, translation) = transform.into();
        *transforms.get_mut(entity).expect("a joint") = Transform { translation, rotation, scale };
    }
}

/// Casts a ray at the right shin.
fn shoot(figure: Res<Figure>, time: Res<Time>, mut frame: Local<u32>, mut rays: SkinnedRayCast) {
    *frame += 1;
    if !frame.is_multiple_of(5) {
        return;
    }
    let ray = Ray3d::new(Vec3::new(-0.1, 0.35, 5.0), Dir3::NEG_Z);
    match rays.cast(ray, &RayCastSettings::default()) {
        None => println!("{:.2} s: nothing", time.elapsed_secs()),
        Some(hit) => {
            let joint = hit.joint.and_then(|joint| figure.joints.iter().position(|&other| other == joint));
            let name = joint.map_or("no joint", |joint| figure.scene.skeleton.name(JointId::new(joint)));
            let (distance, triangle) = (hit.distance, hit.triangle);
            println!("{:.2} s: {name} at {distance:.3} m, triangle {triangle}", time.elapsed_secs());
        }
    }
}
