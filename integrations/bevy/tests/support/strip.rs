//! A strip of two joints, built in code: the smallest mesh with a skin and a morph target.

use bevy_app::App;
use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_math::{Mat4, Quat, Vec3};
use bevy_mesh::morph::{MeshMorphWeights, MorphAttributes};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_transform::components::Transform;

/// Segments of the strip along x, from 0 to 2.
const SEGMENTS: usize = 20;

pub(crate) struct Strip {
    pub(crate) entity: Entity,
    pub(crate) mesh: Handle<Mesh>,
    pub(crate) bind_poses: Handle<SkinnedMeshInverseBindposes>,
    pub(crate) joints: [Entity; 2],
}

impl Strip {
    /// A strip from x = 0 to 2, y = 0 to 0.1, facing +z. Its second joint is at x = 1 and moves all
    /// that is beyond.
    pub(crate) fn spawn(app: &mut App) -> Self {
        let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh());
        let bind_poses = vec![Mat4::IDENTITY, Mat4::from_translation(-Vec3::X)];
        let bind_poses = app
            .world_mut()
            .resource_mut::<Assets<SkinnedMeshInverseBindposes>>()
            .add(SkinnedMeshInverseBindposes::from(bind_poses));
        let root = app.world_mut().spawn(Transform::IDENTITY).id();
        let second = app.world_mut().spawn((Transform::from_xyz(1.0, 0.0, 0.0), ChildOf(root))).id();
        let joints = [root, second];
        let skin = SkinnedMesh { inverse_bindposes: bind_poses.clone(), joints: joints.to_vec() };
        let entity = app.world_mut().spawn((Mesh3d(mesh.clone()), skin)).id();
        Self { entity, mesh, bind_poses, joints }
    }

    /// Turns the half beyond the second joint down by a quarter.
    pub(crate) fn bend(&self, app: &mut App) {
        let mut transform = app.world_mut().get_mut::<Transform>(self.joints[1]).expect("a joint");
        transform.rotation = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2);
    }

    /// Sets the weight of the morph target, which moves all vertices up by one.
    pub(crate) fn morph(&self, app: &mut App, weight: f32) {
        app.world_mut().entity_mut(self.entity).insert(MeshMorphWeights::Value { weights: vec![weight] });
    }
}

/// The mesh of the strip: two rows of vertices.
pub(crate) fn mesh() -> Mesh {
    let mut positions = Vec::new();
    let mut joints = Vec::new();
    let mut indices: Vec<u16> = Vec::new();
    for column in 0..=SEGMENTS {
        let x = 2.0 * column as f32 / SEGMENTS as f32;
        let joint = u16::from(2 * column > SEGMENTS);
        for y in [0.0, 0.1] {
            positions.push([x, y, 0.0]);
            joints.push([joint, 0, 0, 0]);
        }
    }
    for column in 0..SEGMENTS as u16 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| 2 * column + corner);
        indices.extend([a, c, b, b, c, d]);
    }
    let vertices = positions.len();
    let up = MorphAttributes::new(Vec3::Y, Vec3::ZERO, Vec3::ZERO);
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 0.0, 1.0]; vertices])
        .with_inserted_attribute(Mesh::ATTRIBUTE_TANGENT, vec![[1.0, 0.0, 0.0, 1.0]; vertices])
        .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, VertexAttributeValues::Uint16x4(joints))
        .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, vec![[1.0, 0.0, 0.0, 0.0]; vertices])
        .with_inserted_indices(Indices::U16(indices))
        .with_morph_targets(vec![up; vertices])
}
