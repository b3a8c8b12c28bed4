//! Reads meshes, their skins and their blend shapes.

use std::collections::HashSet;

use sinew_io::{Error, ImportContext, InverseBinds, RawInfluences, RawMesh, RawPrimitive, RawScene, RawSkin};
use ufbx::{Matrix, Mesh, Node, Scene, SkinDeformer, SkinningMethod, SubdivisionDisplayMode};

use crate::blend_shapes::{BlendShapes, blend_shapes};
use crate::vertices::{Vertices, vertices};

/// Bytes of a vertex with its key while corners are joined, and of each of its texture coordinates
/// and colors.
const VERTEX_BYTES: u64 = 160;
const UV_BYTES: u64 = 16;
const COLOR_BYTES: u64 = 32;

/// Bytes of an influence, and of a joint of a skin.
const INFLUENCE_BYTES: u64 = 8;
const JOINT_BYTES: u64 = 72;

/// Adds all meshes to the scene, and to the nodes that have them.
pub(crate) fn meshes(
    scene: &Scene,
    raw: &mut RawScene<'_>,
    context: &mut ImportContext<'_>,
) -> Result<(), Error> {
    let blinking = blinking_nodes(scene);
    for mesh in &scene.meshes {
        let name = mesh_name(mesh);
        let location = format!("mesh {name:?}");
        // The location is kept with each of up to four warnings too.
        context.spend((name.len() + location.capacity() + 4 * location.len()) as u64, &location)?;
        warn_of_deformers(mesh, &location, context)?;
        context.spend(corner_bytes(mesh).saturating_mul(3 * mesh.num_triangles as u64), &location)?;
        let shapes = blend_shapes(mesh, context)?;
        let skin = mesh.skin_deformers.first().map(|skin| &**skin);
        let mut primitives = Vec::new();
        let mut has_loose_vertices = false;
        for part in mesh.material_parts.iter().filter(|part| part.num_triangles > 0) {
            let joined = vertices(mesh, &part.face_indices);
            if joined.primitive.positions.is_empty() {
                continue;
            }
            let (primitive, is_loose) = primitive(mesh, part.index as usize, joined, &shapes, skin, context)?;
            has_loose_vertices |= is_loose;
            context.spend((size_of::<RawPrimitive<'_>>() + location.len()) as u64, &location)?;
            primitives.push(RawPrimitive { location: location.clone(), ..primitive });
        }
        if primitives.is_empty() {
            continue;
        }
        let BlendShapes { names: target_names, weights: morph_weights, .. } = shapes;
        raw.meshes.push(RawMesh { name, location, primitives, morph_weights, target_names });
        let index = raw.meshes.len() - 1;
        for node in &mesh.element.instances {
            let own = node.element.typed_id as usize;
            raw.nodes[own].mesh = Some(index);
            raw.nodes[own].hidden = !node.visible && !blinking.contains(&node.element.element_id);
            if let Some(skin) = skin {
                raw.nodes[own].skin = Some(raw.skins.len());
                raw.skins.push(raw_skin(skin, node, has_loose_vertices, context)?);
            }
        }
    }
    Ok(())
}

/// Bytes of a corner that is a vertex of its own. Sets may share their values and indices in the
/// file, but not in the scene.
fn corner_bytes(mesh: &Mesh) -> u64 {
    VERTEX_BYTES + UV_BYTES * mesh.uv_sets.len() as u64 + COLOR_BYTES * mesh.color_sets.len() as u64
}

/// The elements whose visibility is animated. They are shown all the time.
fn blinking_nodes(scene: &Scene) -> HashSet<u32> {
    let properties = scene.anim_layers.iter().flat_map(|layer| layer.anim_props.iter());
    let blinking = properties.filter(|property| &*property.prop_name == "Visibility");
    blinking.map(|property| property.element.element_id).collect()
}

/// The mesh's own name, or that of its first node.
fn mesh_name(mesh: &Mesh) -> String {
    let own = &*mesh.element.name;
    let node = || mesh.element.instances.first().map_or("", |node| &*node.element.name);
    if own.is_empty() { node() } else { own }.to_owned()
}

fn warn_of_deformers(mesh: &Mesh, location: &str, context: &mut ImportContext<'_>) -> Result<(), Error> {
    if !mesh.cache_deformers.is_empty() {
        context.warn(location, "a geometry cache", "the mesh stays as it is without the cache")?;
    }
    if mesh.subdivision_display_mode == SubdivisionDisplayMode::Smooth
        || mesh.subdivision_display_mode == SubdivisionDisplayMode::HullAndSmooth
    {
        context.warn(location, "a subdivision surface", "its control mesh was imported")?;
    }
    if mesh.skin_deformers.len() > 1 {
        let found = format!("{} skins", mesh.skin_deformers.len());
        context.warn(location, found, "the first one was used")?;
    }
    let method = mesh.skin_deformers.first().map(|skin| skin.skinning_method);
    if let Some(SkinningMethod::DualQuaternion | SkinningMethod::BlendedDqLinear) = method {
        let action = "whoever skins the model chooses the method";
        context.warn(location, "a skin for dual quaternions", action)?;
    }
    Ok(())
}

/// A primitive, and whether it has vertices without weights in its skin.
fn primitive(
    mesh: &Mesh,
    part: usize,
    joined: Vertices,
    shapes: &BlendShapes,
    skin: Option<&SkinDeformer>,
    context: &ImportContext<'_>,
) -> Result<(RawPrimitive<'static>, bool), Error> {
    let Vertices { mut primitive, control_points } = joined;
    let deltas = (control_points.len() as u64).saturating_mul(shapes.shapes.len() as u64);
    context.spend(deltas.saturating_mul(48), "blend shapes")?;
    primitive.targets = shapes.targets(&control_points, primitive.normals.is_some());
    let node = mesh.element.instances.first();
    let material = node.and_then(|node| node.materials.get(part)).or_else(|| mesh.materials.get(part));
    primitive.material = material.map(|material| material.element.typed_id as usize);
    let Some(skin) = skin else { return Ok((primitive, false)) };
    let influences = |&point: &u32| skin.vertices.get(point as usize).map_or(0, |v| u64::from(v.num_weights));
    let count: u64 = control_points.iter().map(influences).sum::<u64>() + control_points.len() as u64;
    context.spend(count * INFLUENCE_BYTES, "influences")?;
    let (influences, is_loose) = influences_of(skin, &control_points);
    primitive.influences = influences;
    Ok((primitive, is_loose))
}

/// The normalized influences of vertices. Those without weights move with the node of the mesh,
/// which is the joint after the clusters. Tells whether there are any.
fn influences_of(skin: &SkinDeformer, control_points: &[u32]) -> (RawInfluences<'static>, bool) {
    let (mut counts, mut joints, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_loose = false;
    for &point in control_points {
        let vertex = skin.vertices.get(point as usize);
        let range = vertex.map_or(0..0, |vertex| {
            let first = vertex.weight_begin as usize;
            first..first.saturating_add(vertex.num_weights as usize)
        });
        let own = skin.weights.get(range).unwrap_or_default();
        let usable = |influence: &&ufbx::SkinWeight| {
            influence.weight > 0.0
                && skin
                    .clusters
                    .get(influence.cluster_index as usize)
                    .is_some_and(|cluster| cluster.bone_node.is_some())
        };
        let sum: f64 = own.iter().filter(usable).map(|influence| influence.weight).sum();
        let before = joints.len();
        if sum > 0.0 && sum.is_finite() {
            for influence in own.iter().filter(usable) {
                joints.push(influence.cluster_index);
                weights.push((influence.weight / sum) as f32);
            }
        } else {
            is_loose = true;
            joints.push(skin.clusters.len() as u32);
            weights.push(1.0);
        }
        counts.push((joints.len() - before) as u32);
    }
    (RawInfluences::Lists { counts, joints, weights }, is_loose)
}

/// The clusters of a skin as joints, and the mesh's own node if vertices need it.
fn raw_skin(
    skin: &SkinDeformer,
    node: &Node,
    has_loose_vertices: bool,
    context: &ImportContext<'_>,
) -> Result<RawSkin, Error> {
    let location = format!("skin {:?}", &*skin.element.name);
    let joints = (skin.clusters.len() as u64 + 1) * JOINT_BYTES;
    context.spend(joints + (size_of::<RawSkin>() + location.capacity()) as u64, &location)?;
    let own = node.element.typed_id as usize;
    let bone = |cluster: &ufbx::SkinCluster| match &cluster.bone_node {
        Some(bone) => (bone.element.typed_id as usize, columns(&cluster.geometry_to_bone)),
        None => (own, columns(&Matrix::default())),
    };
    let needs_own = has_loose_vertices || skin.clusters.is_empty();
    let own_joint = needs_own.then(|| (own, columns(&node.geometry_to_node)));
    let (joints, inverse_binds) = skin.clusters.iter().map(|cluster| bone(cluster)).chain(own_joint).unzip();
    Ok(RawSkin { location, joints, inverse_binds: InverseBinds::Matrices(inverse_binds), skeleton: None })
}

fn columns(m: &Matrix) -> [f32; 16] {
    [m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13, m.m23, 1.0]
        .map(|element| element as f32)
}
