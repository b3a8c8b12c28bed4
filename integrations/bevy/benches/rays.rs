//! Rays against animated meshes: `SkinnedRayCast`, and what Bevy offers without it, its own mesh
//! picking over a mesh that is skinned on the CPU for the pose.
//!
//! Run it with `cargo bench --bench rays`. Both are timed in turn, in the same poses, with the same
//! rays, from components to hits. Prints medians over the poses.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use bevy_app::App;
use bevy_asset::Assets;
use bevy_camera::primitives::{Aabb, MeshAabb};
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, Res, ResMut, SystemState};
use bevy_math::{Affine3A, Ray3d, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d, VertexAttributeValues};
use bevy_picking::mesh_picking::ray_cast::{MeshRayCast, MeshRayCastSettings, RayCastVisibility};
use bevy_sinew::{RayCastSettings, SkinnedRayCast};
use bevy_transform::components::GlobalTransform;
use support::reference::Surface;
use support::rng::Rng;

/// Rays in each pose.
const RAYS: [usize; 4] = [1, 16, 256, 1000];

fn main() {
    // `cargo test --benches` only asks whether it runs.
    let poses = if std::env::args().any(|argument| argument == "--bench") { 40 } else { 2 };
    println!("time per ray, with all that a pose needs, median of {poses} poses");
    println!(
        "{:<10} {:>9} {:>14} {:>14} {:>14} {:>8}",
        "model", "rays/pose", "sinew", "bevy", "bevy, no skin", "ratio"
    );
    for model in support::models() {
        let mut app = support::gltf_app(&model.folder);
        support::spawn_gltf(&mut app, &model.file, 0);
        let entity = support::mesh_entities(&mut app)[0];
        let mut bench = Bench::new(&mut app, entity);
        // The first ray builds the BVH.
        bench.time_pose(&mut app, 1);
        for rays in RAYS {
            let mut times = [Vec::new(), Vec::new(), Vec::new()];
            for _ in 0..poses {
                app.update();
                for (times, time) in times.iter_mut().zip(bench.time_pose(&mut app, rays)) {
                    times.push(time / rays as u32);
                }
            }
            let [sinew, bevy, cast] = times.map(|mut times| median(&mut times));
            println!(
                "{:<10} {rays:>9} {:>11.2} µs {:>11.2} µs {:>11.2} µs {:>7.0}x",
                model.name,
                micros(sinew),
                micros(bevy),
                micros(cast),
                micros(bevy) / micros(sinew),
            );
        }
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn micros(time: Duration) -> f64 {
    1e6 * time.as_secs_f64()
}

struct Bench {
    /// The animated entity.
    entity: Entity,
    /// The entity with the mesh that is skinned on the CPU for Bevy.
    copy: Entity,
    rng: Rng,
    sinew: SystemState<SkinnedRayCast<'static, 'static>>,
    skin: SystemState<SkinOnCpu<'static, 'static>>,
    bevy: SystemState<MeshRayCast<'static, 'static>>,
}

type SkinOnCpu<'w, 's> = (
    ResMut<'w, Assets<Mesh>>,
    Res<'w, Assets<SkinnedMeshInverseBindposes>>,
    Query<'w, 's, (&'static Mesh3d, &'static SkinnedMesh)>,
    Query<'w, 's, &'static GlobalTransform>,
    Query<'w, 's, (&'static Mesh3d, &'static mut Aabb)>,
);

impl Bench {
    fn new(app: &mut App, entity: Entity) -> Self {
        let handle = app.world().get::<Mesh3d>(entity).expect("a mesh").0.clone();
        let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
        let mut copy = meshes.get(&handle).expect("a loaded mesh").clone();
        copy.remove_attribute(Mesh::ATTRIBUTE_JOINT_INDEX);
        copy.remove_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT);
        let copy = meshes.add(copy);
        let copy = app.world_mut().spawn((Mesh3d(copy), Aabb::default())).id();
        app.update();
        Self {
            entity,
            copy,
            rng: Rng::new(3),
            sinew: SystemState::new(app.world_mut()),
            skin: SystemState::new(app.world_mut()),
            bevy: SystemState::new(app.world_mut()),
        }
    }

    /// The times of sinew, of Bevy, and of Bevy without skinning, for rays in the current pose.
    fn time_pose(&mut self, app: &mut App, rays: usize) -> [Duration; 3] {
        let surface = Surface::of(app, self.entity);
        let rays: Vec<Ray3d> = (0..rays).map(|index| surface.random_ray(index, &mut self.rng)).collect();
        let start = Instant::now();
        let found = self.cast_sinew(app, &rays);
        let sinew = start.elapsed();
        let start = Instant::now();
        self.skin(app);
        let skin = start.elapsed();
        let start = Instant::now();
        let expected = self.cast_bevy(app, &rays);
        let cast = start.elapsed();
        check(&found, &expected);
        [sinew, skin + cast, cast]
    }

    fn cast_sinew(&mut self, app: &mut App, rays: &[Ray3d]) -> Vec<Option<f32>> {
        let entity = self.entity;
        let filter = |other: Entity| other == entity;
        let settings = RayCastSettings::default().with_filter(&filter);
        let mut cast = self.sinew.get_mut(app.world_mut()).expect("the plugin was added");
        rays.iter().map(|&ray| cast.cast(ray, &settings).map(|hit| hit.distance)).collect()
    }

    /// Writes the positions and normals of the pose to the copy, and its bounds.
    fn skin(&mut self, app: &mut App) {
        let state = self.skin.get_mut(app.world_mut()).expect("assets");
        let (mut meshes, bind_poses, skinned, transforms, mut copies) = state;
        let (mesh, skin) = skinned.get(self.entity).expect("a skinned mesh");
        let bind_poses = bind_poses.get(&skin.inverse_bindposes).expect("bind poses");
        let matrices: Vec<Affine3A> = skin
            .joints
            .iter()
            .zip(bind_poses.iter())
            .map(|(&joint, &bind_pose)| {
                transforms.get(joint).expect("a joint").affine() * Affine3A::from_mat4(bind_pose)
            })
            .collect();
        let source = meshes.get(&mesh.0).expect("a mesh");
        let positions = source.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|values| values.as_float3());
        let Some(VertexAttributeValues::Uint16x4(joints)) = source.attribute(Mesh::ATTRIBUTE_JOINT_INDEX)
        else {
            panic!("no joints");
        };
        let Some(VertexAttributeValues::Float32x4(weights)) = source.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT)
        else {
            panic!("no weights");
        };
        // Bevy's picking reads normals too.
        let normals = source.attribute(Mesh::ATTRIBUTE_NORMAL).and_then(|values| values.as_float3());
        let (positions, normals) = (positions.expect("positions"), normals.expect("normals"));
        let (mut moved, mut turned) =
            (Vec::with_capacity(positions.len()), Vec::with_capacity(positions.len()));
        for (vertex, (joints, weights)) in joints.iter().zip(weights).enumerate() {
            let (position, normal) = (Vec3::from_array(positions[vertex]), Vec3::from_array(normals[vertex]));
            let (mut new_position, mut new_normal) = (Vec3::ZERO, Vec3::ZERO);
            for (&joint, &weight) in joints.iter().zip(weights) {
                if weight != 0.0 {
                    let matrix = &matrices[usize::from(joint)];
                    new_position += weight * matrix.transform_point3(position);
                    new_normal += weight * matrix.transform_vector3(normal);
                }
            }
            moved.push(new_position.to_array());
            turned.push(new_normal.normalize_or_zero().to_array());
        }
        let (copy, mut aabb) = copies.get_mut(self.copy).expect("a copy");
        let mut copy = meshes.get_mut(&copy.0).expect("its mesh");
        copy.insert_attribute(Mesh::ATTRIBUTE_POSITION, moved);
        copy.insert_attribute(Mesh::ATTRIBUTE_NORMAL, turned);
        *aabb = copy.compute_aabb().expect("vertices");
    }

    fn cast_bevy(&mut self, app: &mut App, rays: &[Ray3d]) -> Vec<Option<f32>> {
        let copy = self.copy;
        let filter = |other: Entity| other == copy;
        let settings =
            MeshRayCastSettings::default().with_visibility(RayCastVisibility::Any).with_filter(&filter);
        let mut cast = self.bevy.get_mut(app.world_mut()).expect("assets");
        rays.iter().map(|&ray| cast.cast_ray(ray, &settings).first().map(|(_, hit)| hit.distance)).collect()
    }
}

/// Both find the same, but where a ray grazes an edge or leaves through a back.
fn check(found: &[Option<f32>], expected: &[Option<f32>]) {
    let is_same = |(found, expected): &(&Option<f32>, &Option<f32>)| match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() < 1e-3 * expected,
        (found, expected) => found.is_none() == expected.is_none(),
    };
    let same = found.iter().zip(expected).filter(is_same).count();
    assert!(
        100 * same >= 90 * found.len() || found.len() - same <= 1,
        "{same} of {} are the same",
        found.len()
    );
}
