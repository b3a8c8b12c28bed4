//! What is in a model: names, counts, triangles, texture coordinates.

use sinew::mesh::Attributes;
use sinew::model::{AlphaMode, MeshInstance, Primitive, UpAxis};
use sinew::skinning::VertexOrder;
use sinew::{JointId, Model};

use crate::objects::MODELS;
use crate::records::{Bounds, ClipInfo, MeshInstanceInfo, ModelInfo, NONE, Transform};
use crate::{Code, Error, Handle};

/// The counts of a model.
///
/// # Errors
///
/// If the handle is not of a model.
pub fn model_info(model: Handle) -> Result<ModelInfo, Error> {
    MODELS.read(model, |object| {
        let model = &object.model;
        Ok(ModelInfo {
            struct_size: size_of::<ModelInfo>() as u32,
            joints: model.skeleton().len() as u32,
            skins: model.skins().len() as u32,
            mesh_instances: model.mesh_instances().len() as u32,
            clips: model.clips().len() as u32,
            morph_weights: model.skeleton().rest().morph_weights().len() as u32,
            warnings: object.warnings.len() as u32,
            up_axis: if model.up_axis() == UpAxis::Z { 2 } else { 1 },
        })
    })
}

/// Calls a function with a warning of the import.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such warning.
pub fn model_warning<R>(model: Handle, warning: u32, read: impl FnOnce(&str) -> R) -> Result<R, Error> {
    MODELS.read(model, |object| Ok(read(element("warning", &object.warnings, warning)?)))
}

/// The number of joints of a skin.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such skin.
pub fn model_skin_joints(model: Handle, skin: u32) -> Result<u32, Error> {
    MODELS.read(model, |object| Ok(element("skin", object.model.skins(), skin)?.len() as u32))
}

/// The joint with a name.
///
/// # Errors
///
/// If the handle is not of a model, or no joint or several have the name.
pub fn model_find_joint(model: Handle, name: &str) -> Result<u32, Error> {
    MODELS.read(model, |object| Ok(object.model.skeleton().joint(name)?.index() as u32))
}

/// Calls a function with the name of a joint.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such joint.
pub fn model_joint_name<R>(model: Handle, joint: u32, read: impl FnOnce(&str) -> R) -> Result<R, Error> {
    MODELS.read(model, |object| {
        let skeleton = object.model.skeleton();
        check_index("joint", skeleton.len(), joint)?;
        Ok(read(skeleton.name(JointId::new(joint as usize))))
    })
}

/// The parent of each joint; `NONE` for a root.
///
/// # Errors
///
/// If the handle is not of a model, or `to` is shorter than the number of joints.
pub fn model_parents(model: Handle, to: &mut [u32]) -> Result<(), Error> {
    MODELS.read(model, |object| {
        let skeleton = object.model.skeleton();
        let to = output("parents", to, skeleton.len())?;
        for (to, joint) in to.iter_mut().zip(skeleton.joints()) {
            *to = skeleton.parent(joint).map_or(NONE, |parent| parent.index() as u32);
        }
        Ok(())
    })
}

/// The transform of each joint at rest.
///
/// # Errors
///
/// If the handle is not of a model, or `to` is shorter than the number of joints.
pub fn model_rest_pose(model: Handle, to: &mut [Transform]) -> Result<(), Error> {
    MODELS.read(model, |object| {
        let rest = object.model.skeleton().rest();
        let to = output("transforms", to, rest.len())?;
        to.iter_mut().zip(rest.transforms()).for_each(|(to, transform)| *to = transform.into());
        Ok(())
    })
}

/// The clip with a name.
///
/// # Errors
///
/// If the handle is not of a model, or no clip or several have the name.
pub fn model_find_clip(model: Handle, name: &str) -> Result<u32, Error> {
    MODELS.read(model, |object| Ok(object.model.clip(name)? as u32))
}

/// Calls a function with the name of a clip.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such clip.
pub fn model_clip_name<R>(model: Handle, clip: u32, read: impl FnOnce(&str) -> R) -> Result<R, Error> {
    MODELS.read(model, |object| Ok(read(element("clip", object.model.clips(), clip)?.name())))
}

/// The times of a clip.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such clip.
pub fn model_clip(model: Handle, clip: u32) -> Result<ClipInfo, Error> {
    MODELS.read(model, |object| {
        let clip = element("clip", object.model.clips(), clip)?;
        Ok(ClipInfo {
            struct_size: size_of::<ClipInfo>() as u32,
            start: clip.start(),
            end: clip.end(),
            tracks: clip.track_count() as u32,
            events: clip.events().len() as u32,
        })
    })
}

/// Calls a function with the name of an event of a clip. Events are in the order of their times.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such clip or event.
pub fn model_event_name<R>(
    model: Handle,
    clip: u32,
    event: u32,
    read: impl FnOnce(&str) -> R,
) -> Result<R, Error> {
    MODELS.read(model, |object| {
        let clip = element("clip", object.model.clips(), clip)?;
        Ok(read(&element("event", clip.events(), event)?.name))
    })
}

/// The counts and the color of a mesh instance.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such mesh instance.
pub fn model_mesh_instance(model: Handle, mesh_instance: u32) -> Result<MeshInstanceInfo, Error> {
    MODELS.read(model, |object| {
        let (instance, primitive) = find_mesh_instance(&object.model, mesh_instance)?;
        let mesh = &primitive.mesh;
        let material = primitive.material.map(|material| &object.model.materials()[material]);
        Ok(MeshInstanceInfo {
            struct_size: size_of::<MeshInstanceInfo>() as u32,
            joint: instance.joint.index() as u32,
            skin: instance.skin as u32,
            primitive: instance.primitive as u32,
            vertices: mesh.len() as u32,
            padded_vertices: mesh.padded_len() as u32,
            triangles: mesh.triangles().len() as u32,
            attributes: Attributes::stored_in(mesh).vectors() as u32,
            first_morph_weight: instance.morph_weights.start as u32,
            morph_weights: instance.morph_weights.len() as u32,
            texture_coordinate_sets: primitive.texture_coordinates.len() as u32,
            material: primitive.material.map_or(NONE, |material| material as u32),
            base_color: material.map_or([1.0; 4], |material| material.base_color),
        })
    })
}

/// Calls a function with the name of a mesh instance.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such mesh instance.
pub fn model_mesh_instance_name<R>(
    model: Handle,
    mesh_instance: u32,
    read: impl FnOnce(&str) -> R,
) -> Result<R, Error> {
    MODELS.read(model, |object| Ok(read(&find_mesh_instance(&object.model, mesh_instance)?.0.name)))
}

/// The corners of each triangle, as indices of vertices in an order: 0 source, 1 run.
///
/// # Errors
///
/// If the handle is not of a model, there is no such mesh instance or order, or `to` is shorter
/// than three indices for each triangle.
pub fn model_triangles(model: Handle, mesh_instance: u32, order: u32, to: &mut [u32]) -> Result<(), Error> {
    let order = vertex_order(order)?;
    MODELS.read(model, |object| {
        let mesh = &find_mesh_instance(&object.model, mesh_instance)?.1.mesh;
        let to = output("indices", to, 3 * mesh.triangles().len())?;
        to.copy_from_slice(mesh.triangles().as_flattened());
        if order == VertexOrder::Source {
            to.iter_mut().for_each(|index| *index = mesh.inverse_remap()[*index as usize]);
        }
        Ok(())
    })
}

/// The texture coordinates of each vertex in an order: 0 source, 1 run.
///
/// # Errors
///
/// If the handle is not of a model, there is no such mesh instance, set or order, or `to` is
/// shorter than two numbers for each vertex.
pub fn model_texture_coordinates(
    model: Handle,
    mesh_instance: u32,
    set: u32,
    order: u32,
    to: &mut [f32],
) -> Result<(), Error> {
    let order = vertex_order(order)?;
    MODELS.read(model, |object| {
        let primitive = find_mesh_instance(&object.model, mesh_instance)?.1;
        let mesh = &primitive.mesh;
        let set = element("set of texture coordinates", &primitive.texture_coordinates, set)?;
        let pair = |vertex: usize| set.get(vertex).copied().unwrap_or_default();
        let to = output("texture coordinates", to, 2 * mesh.len_in(order))?;
        let (pairs, _) = to.as_chunks_mut::<2>();
        match order {
            VertexOrder::Source => {
                pairs.iter_mut().enumerate().for_each(|(vertex, to)| *to = pair(vertex));
            }
            VertexOrder::Run => {
                let vertices = mesh.inverse_remap();
                pairs.iter_mut().zip(vertices).for_each(|(to, &vertex)| *to = pair(vertex as usize));
            }
        }
        Ok(())
    })
}

/// Whether a mesh instance has a color for each vertex.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such mesh instance.
pub fn model_has_colors(model: Handle, mesh_instance: u32) -> Result<bool, Error> {
    MODELS.read(model, |object| {
        let colors = &find_mesh_instance(&object.model, mesh_instance)?.1.colors;
        Ok(colors.first().is_some_and(|colors| !colors.is_empty()))
    })
}

/// The first color of each vertex in source order: linear red, green, blue and alpha. White where
/// the mesh instance has none.
///
/// # Errors
///
/// If the handle is not of a model, there is no such mesh instance, or `to` is shorter than four
/// numbers for each vertex.
pub fn model_colors(model: Handle, mesh_instance: u32, to: &mut [f32]) -> Result<(), Error> {
    MODELS.read(model, |object| {
        let primitive = find_mesh_instance(&object.model, mesh_instance)?.1;
        let to = output("colors", to, 4 * primitive.mesh.len())?;
        let colors = primitive.colors.first().map_or(&[][..], |colors| colors);
        for (vertex, to) in to.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            *to = colors.get(vertex).copied().unwrap_or([1.0; 4]);
        }
        Ok(())
    })
}

/// The texture that is multiplied with the base color of a mesh instance: its image and its set of
/// texture coordinates; `None` without one.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such mesh instance.
pub fn model_base_texture(model: Handle, mesh_instance: u32) -> Result<Option<(u32, u32)>, Error> {
    MODELS.read(model, |object| {
        let material = find_mesh_instance(&object.model, mesh_instance)?.1.material;
        let texture = material.and_then(|material| object.model.materials()[material].base_texture);
        Ok(texture.map(|texture| (texture.image as u32, texture.set as u32)))
    })
}

/// How transparent the material of a mesh instance is; opaque without a material.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such mesh instance.
pub fn model_alpha_mode(model: Handle, mesh_instance: u32) -> Result<AlphaMode, Error> {
    MODELS.read(model, |object| {
        let material = find_mesh_instance(&object.model, mesh_instance)?.1.material;
        Ok(material.map_or(AlphaMode::Opaque, |material| object.model.materials()[material].alpha_mode))
    })
}

/// Calls a function with the media type of an image, which may be empty, and its encoded bytes,
/// which are empty if the image is in a file of its own.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such image.
pub fn model_image<R>(model: Handle, image: u32, read: impl FnOnce(&str, &[u8]) -> R) -> Result<R, Error> {
    MODELS.read(model, |object| {
        let image = element("image", object.model.images(), image)?;
        Ok(read(&image.media_type, &image.bytes))
    })
}

/// For each vertex in run order, its index in the source.
///
/// # Errors
///
/// If the handle is not of a model, there is no such mesh instance, or `to` is shorter than the
/// number of vertices in run order.
pub fn model_source_vertices(model: Handle, mesh_instance: u32, to: &mut [u32]) -> Result<(), Error> {
    MODELS.read(model, |object| {
        let vertices = find_mesh_instance(&object.model, mesh_instance)?.1.mesh.inverse_remap();
        output("source vertices", to, vertices.len())?.copy_from_slice(vertices);
        Ok(())
    })
}

/// The bounds of all vertices at rest.
///
/// # Errors
///
/// If the handle is not of a model.
pub fn model_rest_bounds(model: Handle) -> Result<Bounds, Error> {
    MODELS.read(model, |object| Ok(object.model.rest_bounds().into()))
}

/// The order of a number: 0 source, 1 run.
pub(crate) fn vertex_order(found: u32) -> Result<VertexOrder, Error> {
    match found {
        0 => Ok(VertexOrder::Source),
        1 => Ok(VertexOrder::Run),
        _ => Err(Error::invalid("order of vertices", "0 (source) or 1 (run)", found)),
    }
}

fn find_mesh_instance(model: &Model, index: u32) -> Result<(&MeshInstance, &Primitive), Error> {
    let instance = element("mesh instance", model.mesh_instances(), index)?;
    Ok((instance, &model.primitives()[instance.primitive]))
}

pub(crate) fn check_index(what: &str, len: usize, index: u32) -> Result<usize, Error> {
    let index = index as usize;
    if index < len { Ok(index) } else { Err(Error::out_of_range(what, len, index)) }
}

pub(crate) fn element<'a, T>(what: &str, elements: &'a [T], index: u32) -> Result<&'a T, Error> {
    elements.get(index as usize).ok_or_else(|| Error::out_of_range(what, elements.len(), index as usize))
}

/// The part of a caller's array that is written.
#[inline]
pub(crate) fn output<'a, T>(what: &str, to: &'a mut [T], len: usize) -> Result<&'a mut [T], Error> {
    let found = to.len();
    to.get_mut(..len).ok_or_else(|| {
        Error::new(Code::Length, format!("{what}: expected room for at least {len}, found {found}"))
    })
}
