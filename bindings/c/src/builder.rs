//! Models from the caller's arrays.

use std::ffi::c_char;

use sinew::animation::{Interpolation, Keys};
use sinew::mesh::{Deltas, MorphSource, Weights};
use sinew::{Influences, JointId, MeshSource};
use sinew_handles::records::{ColliderSettings, NONE, SpringJoint, Transform};
use sinew_handles::{self as handles, Code, Error, Kind};

use crate::pointers::{border, create, input, settings, text, write_if_wanted};
use crate::types::{Bone, Builder, ClipEvent, Floats, Mesh, Model, Morph, Text, Track, Uint16s, Uint32s};

/// Begins a model with a skeleton. `morph_weights` are those of the pose at rest. With
/// `reproducible` 1, results have the same bits on every machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_new(
    bones: *const Bone,
    bone_count: usize,
    morph_weights: *const f32,
    morph_weight_count: usize,
    reproducible: u32,
    builder: *mut Builder,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let bones = unsafe { input("bones", bones, bone_count) }?;
        // SAFETY: the header's contract.
        let weights = unsafe { input("morph weights", morph_weights, morph_weight_count) }?;
        let bone = |bone: &Bone| {
            let Transform { rotation, translation, scale } = bone.rest;
            let rest = sinew::Transform { rotation, translation, scale };
            let parent = (bone.parent != NONE).then_some(bone.parent as usize);
            Ok(sinew::Bone::new(name("name of a bone", bone.name)?, parent, rest))
        };
        let bones = bones.iter().map(bone).collect::<Result<Vec<_>, Error>>()?;
        Ok(handles::builder_new(&bones, reproducible, weights)?.into())
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(builder, make) })
}

/// Destroys a builder.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_builder_destroy(builder: Builder) -> Code {
    border(|| handles::destroy(builder.handle(), Kind::Builder))
}

/// Adds a skin: joints of the skeleton, and 12 numbers of an inverse bind matrix for each; none for
/// those of the rest pose. Writes its index to `skin`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_add_skin(
    builder: Builder,
    joints: *const u32,
    joint_count: usize,
    inverse_binds: *const f32,
    inverse_bind_length: usize,
    skin: *mut u32,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let joints = unsafe { input("joints", joints, joint_count) }?;
        // SAFETY: the header's contract.
        let numbers = unsafe { input("inverse binds", inverse_binds, inverse_bind_length) }?;
        let matrices = vectors::<_, 12>("inverse binds", numbers)?;
        let matrices = (!inverse_binds.is_null()).then_some(matrices);
        handles::builder_add_skin(builder.handle(), joints, matrices)
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(skin, make) })
}

/// Adds a mesh whose influences refer to joints of a skin. Writes its index to `primitive`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_add_mesh(
    builder: Builder,
    skin: u32,
    name: *const c_char,
    name_length: usize,
    mesh: *const Mesh,
    primitive: *mut u32,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let name = unsafe { text("name of a mesh", name, name_length) }?;
        // SAFETY: the header's contract.
        unsafe { with_mesh(mesh, |source| handles::builder_add_mesh(builder.handle(), skin, name, source)) }
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(primitive, make) })
}

/// Gives a mesh texture coordinates: two numbers per vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_add_texture_coordinates(
    builder: Builder,
    primitive: u32,
    coordinates: *const f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let numbers = unsafe { input("texture coordinates", coordinates, length) }?;
        let pairs = vectors::<_, 2>("texture coordinates", numbers)?;
        handles::builder_add_texture_coordinates(builder.handle(), primitive, pairs)
    })
}

/// Adds a mesh instance: a mesh on a skin, at a joint. Its morph weights begin at an index of the
/// pose's. Writes its index to `mesh_instance` unless that is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_add_mesh_instance(
    builder: Builder,
    name: *const c_char,
    name_length: usize,
    joint: u32,
    primitive: u32,
    skin: u32,
    first_morph_weight: u32,
    mesh_instance: *mut u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let name = unsafe { text("name of a mesh instance", name, name_length) }?;
        let builder = builder.handle();
        let found =
            handles::builder_add_mesh_instance(builder, name, joint, primitive, skin, first_morph_weight)?;
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(mesh_instance, found) };
        Ok(())
    })
}

/// Adds a clip. Writes its index to `clip` unless that is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_add_clip(
    builder: Builder,
    name: *const c_char,
    name_length: usize,
    tracks: *const Track,
    track_count: usize,
    clip: *mut u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let name = unsafe { text("name of a clip", name, name_length) }?;
        // SAFETY: the header's contract.
        let tracks = unsafe { input("tracks", tracks, track_count) }?;
        let tracks = tracks.iter().map(track).collect::<Result<Vec<_>, Error>>()?;
        let found = handles::builder_add_clip(builder.handle(), name, &tracks)?;
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(clip, found) };
        Ok(())
    })
}

/// Sets the events of a clip: named times that fire when playback reaches them. See
/// `sinew_instance_events`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_set_events(
    builder: Builder,
    clip: u32,
    events: *const ClipEvent,
    event_count: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let events = unsafe { input("events", events, event_count) }?;
        let event = |event: &ClipEvent| {
            Ok(sinew::animation::ClipEvent::new(name("name of an event", event.name)?, event.seconds))
        };
        let events = events.iter().map(event).collect::<Result<Vec<_>, Error>>()?;
        handles::builder_set_events(builder.handle(), clip, events)
    })
}

/// Adds a shape that springs collide with. Writes its index to `collider`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_add_collider(
    builder: Builder,
    shape: *const ColliderSettings,
    collider: *mut u32,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let shape = unsafe { settings("shape", shape) }?;
        handles::builder_add_collider(builder.handle(), &shape)
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(collider, make) })
}

/// Adds a chain of joints that swings, from its root to its tip, which does not rotate, and the
/// colliders that it collides with. It swings relative to the motion of the joint `center`, or in
/// world space if that is `SINEW_NONE`. See `sinew_instance_push_springs`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_add_spring(
    builder: Builder,
    joints: *const SpringJoint,
    joint_count: usize,
    colliders: *const u32,
    collider_count: usize,
    center: u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let joints = unsafe { input("joints", joints, joint_count) }?;
        // SAFETY: the header's contract.
        let colliders = unsafe { input("colliders", colliders, collider_count) }?;
        handles::builder_add_spring(builder.handle(), joints, colliders, center)
    })
}

/// Makes the model. The builder is destroyed, also after an error of the model; it stays if `model`
/// is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_builder_finish(builder: Builder, model: *mut Model) -> Code {
    let make = || Ok(handles::builder_finish(builder.handle())?.into());
    // SAFETY: the header's contract.
    border(|| unsafe { create(model, make) })
}

/// Calls a function with the library's view of a mesh.
///
/// # Safety
///
/// The header's contract, for the struct and all that it points to.
pub(crate) unsafe fn with_mesh<R>(
    mesh: *const Mesh,
    build: impl FnOnce(&MeshSource<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    if mesh.is_null() {
        return Err(Error::new(Code::NullPointer, "mesh: expected a pointer, found null"));
    }
    // SAFETY: the caller of this function promises it.
    let mesh = unsafe { settings("mesh", mesh) }?;
    let positions = vectors("positions", floats("positions", mesh.positions)?)?;
    let weights = floats("weights", mesh.weights)?;
    let influences = match mesh.influences_per_vertex {
        0 => Influences::Variable {
            counts: integers("counts", mesh.counts)?,
            joints: integers("joints32", mesh.joints32)?,
            weights,
        },
        4 => Influences::Four {
            joints: vectors("joints16", shorts("joints16", mesh.joints16)?)?,
            weights: vectors("weights", weights)?,
        },
        8 => Influences::Eight {
            joints: vectors("joints16", shorts("joints16", mesh.joints16)?)?,
            weights: vectors("weights", weights)?,
        },
        found => {
            let message = format!("influences per vertex: expected 0, 4 or 8, found {found}");
            return Err(Error::new(Code::InvalidValue, message));
        }
    };
    // SAFETY: the caller of this function promises it.
    let morphs = unsafe { input("morph targets", mesh.morphs, mesh.morph_count) }?;
    let morphs = morphs.iter().map(morph).collect::<Result<Vec<_>, Error>>()?;
    let level = [mesh.level_of_detail as usize];
    let weights = match mesh.keep_weights {
        0 => Weights::Normalized,
        1 => Weights::AsStored,
        found => {
            let message = format!("keep_weights: expected 0 or 1, found {found}");
            return Err(Error::new(Code::InvalidValue, message));
        }
    };
    build(&MeshSource {
        normals: optional("normals", mesh.normals)?,
        tangents: optional("tangents", mesh.tangents)?,
        bitangents: optional("bitangents", mesh.bitangents)?,
        weights,
        triangles: vectors("triangles", integers("triangles", mesh.triangles)?)?,
        levels: if mesh.level_of_detail == 0 { &[] } else { &level },
        morphs: &morphs,
        ..MeshSource::new(positions, influences)
    })
}

fn morph(morph: &Morph) -> Result<MorphSource<'_>, Error> {
    let vertices = integers("vertices of a morph target", morph.vertices)?;
    let deltas = |what: &str, numbers: Floats| {
        let deltas = vectors(what, floats(what, numbers)?)?;
        Ok::<_, Error>(match (deltas, vertices) {
            ([], _) => Deltas::None,
            (_, []) => Deltas::Dense(deltas),
            _ => Deltas::Sparse { vertices, deltas },
        })
    };
    Ok(MorphSource {
        name: name("name of a morph target", morph.name)?,
        positions: deltas("positions of a morph target", morph.positions)?,
        normals: deltas("normals of a morph target", morph.normals)?,
        tangents: deltas("tangents of a morph target", morph.tangents)?,
    })
}

fn track(track: &Track) -> Result<sinew::animation::Track<'_>, Error> {
    let values = floats("values of a track", track.values)?;
    let joint = JointId::new(track.joint as usize);
    let keys = match track.target {
        0 => Keys::Rotations { joint, values: vectors("values of a track", values)? },
        1 => Keys::Translations { joint, values: vectors("values of a track", values)? },
        2 => Keys::Scales { joint, values: vectors("values of a track", values)? },
        3 => Keys::Weights { first: track.joint as usize, count: track.weight_count as usize, values },
        found => {
            let message = format!("target of a track: expected 0 to 3, found {found}");
            return Err(Error::new(Code::InvalidValue, message));
        }
    };
    let interpolation = match track.interpolation {
        0 => Interpolation::Step,
        1 => Interpolation::Linear,
        2 => Interpolation::Cubic,
        found => {
            let message = format!("interpolation of a track: expected 0 to 2, found {found}");
            return Err(Error::new(Code::InvalidValue, message));
        }
    };
    Ok(sinew::animation::Track { times: floats("times of a track", track.times)?, keys, interpolation })
}

fn optional<'a, const N: usize>(what: &str, numbers: Floats) -> Result<Option<&'a [[f32; N]]>, Error> {
    let vectors = vectors(what, floats(what, numbers)?)?;
    Ok((numbers.length > 0).then_some(vectors))
}

/// Numbers as vectors.
fn vectors<'a, T, const N: usize>(what: &str, numbers: &'a [T]) -> Result<&'a [[T; N]], Error> {
    let (vectors, rest) = numbers.as_chunks::<N>();
    if rest.is_empty() {
        return Ok(vectors);
    }
    let message = format!("{what}: expected a multiple of {N} numbers, found {}", numbers.len());
    Err(Error::new(Code::Length, message))
}

fn floats<'a>(what: &str, numbers: Floats) -> Result<&'a [f32], Error> {
    // SAFETY: the header's contract, which functions that read a struct with pointers rely on.
    unsafe { input(what, numbers.data, numbers.length) }
}

fn integers<'a>(what: &str, numbers: Uint32s) -> Result<&'a [u32], Error> {
    // SAFETY: as in `floats`.
    unsafe { input(what, numbers.data, numbers.length) }
}

fn shorts<'a>(what: &str, numbers: Uint16s) -> Result<&'a [u16], Error> {
    // SAFETY: as in `floats`.
    unsafe { input(what, numbers.data, numbers.length) }
}

/// The text of a struct.
pub(crate) fn name<'a>(what: &str, name: Text) -> Result<&'a str, Error> {
    // SAFETY: as in `floats`.
    unsafe { text(what, name.data, name.length) }
}
