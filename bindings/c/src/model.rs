//! What is in a model.

use std::ffi::c_char;

use sinew_handles::records::{Bounds, ClipInfo, MeshInstanceInfo, ModelInfo, Transform};
use sinew_handles::{self as handles, Code, Kind};

use crate::pointers::{border, create, input, output, text, write, write_sized, write_text};
use crate::types::{Mask, Model};

/// Destroys a model. Instances and crowds of it stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_model_destroy(model: Model) -> Code {
    border(|| handles::destroy(model.handle(), Kind::Model))
}

/// Writes the counts of a model. Set `info->struct_size` before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_info(model: Model, info: *mut ModelInfo) -> Code {
    border(|| {
        let found = handles::model_info(model.handle())?;
        // SAFETY: the header's contract.
        unsafe { write_sized("info", info, found) }
    })
}

/// Copies a warning of the import to `to`, and its whole length to `length` unless that is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_warning(
    model: Model,
    warning: u32,
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Code {
    // SAFETY: the header's contract.
    let copy = |text: &str| unsafe { write_text(text, to, capacity, length) };
    border(|| handles::model_warning(model.handle(), warning, copy)?)
}

/// Finds the joint with a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_find_joint(
    model: Model,
    name: *const c_char,
    name_length: usize,
    joint: *mut u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let name = unsafe { text("name", name, name_length) }?;
        let found = handles::model_find_joint(model.handle(), name)?;
        // SAFETY: the header's contract.
        unsafe { write("joint", joint, found) }
    })
}

/// Copies the name of a joint to `to`, and its whole length to `length` unless that is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_joint_name(
    model: Model,
    joint: u32,
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Code {
    // SAFETY: the header's contract.
    let copy = |text: &str| unsafe { write_text(text, to, capacity, length) };
    border(|| handles::model_joint_name(model.handle(), joint, copy)?)
}

/// Writes the parent of each joint; `SINEW_NONE` for a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_parents(model: Model, to: *mut u32, length: usize) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("parents", to, length) }?;
        handles::model_parents(model.handle(), to)
    })
}

/// Writes the transform of each joint at rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_rest_pose(model: Model, to: *mut Transform, length: usize) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("transforms", to, length) }?;
        handles::model_rest_pose(model.handle(), to)
    })
}

/// Writes the bounds of all vertices at rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_rest_bounds(model: Model, bounds: *mut Bounds) -> Code {
    border(|| {
        let found = handles::model_rest_bounds(model.handle())?;
        // SAFETY: the header's contract.
        unsafe { write("bounds", bounds, found) }
    })
}

/// Finds the clip with a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_find_clip(
    model: Model,
    name: *const c_char,
    name_length: usize,
    clip: *mut u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let name = unsafe { text("name", name, name_length) }?;
        let found = handles::model_find_clip(model.handle(), name)?;
        // SAFETY: the header's contract.
        unsafe { write("clip", clip, found) }
    })
}

/// Copies the name of a clip to `to`, and its whole length to `length` unless that is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_clip_name(
    model: Model,
    clip: u32,
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Code {
    // SAFETY: the header's contract.
    let copy = |text: &str| unsafe { write_text(text, to, capacity, length) };
    border(|| handles::model_clip_name(model.handle(), clip, copy)?)
}

/// Copies the name of an event of a clip to `to`, and its whole length to `length` unless that is
/// null. Events are in the order of their times.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_event_name(
    model: Model,
    clip: u32,
    event: u32,
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Code {
    // SAFETY: the header's contract.
    let copy = |text: &str| unsafe { write_text(text, to, capacity, length) };
    border(|| handles::model_event_name(model.handle(), clip, event, copy)?)
}

/// Writes the times of a clip, and the number of its events. Set `info->struct_size` before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_clip(model: Model, clip: u32, info: *mut ClipInfo) -> Code {
    border(|| {
        let found = handles::model_clip(model.handle(), clip)?;
        // SAFETY: the header's contract.
        unsafe { write_sized("info", info, found) }
    })
}

/// Writes the counts and the color of a mesh instance. Set `info->struct_size` before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_mesh_instance(
    model: Model,
    mesh_instance: u32,
    info: *mut MeshInstanceInfo,
) -> Code {
    border(|| {
        let found = handles::model_mesh_instance(model.handle(), mesh_instance)?;
        // SAFETY: the header's contract.
        unsafe { write_sized("info", info, found) }
    })
}

/// Copies the name of a mesh instance to `to`, and its whole length to `length` unless that is
/// null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_mesh_instance_name(
    model: Model,
    mesh_instance: u32,
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Code {
    // SAFETY: the header's contract.
    let copy = |text: &str| unsafe { write_text(text, to, capacity, length) };
    border(|| handles::model_mesh_instance_name(model.handle(), mesh_instance, copy)?)
}

/// Writes the three vertices of each triangle, in source order (0) or run order (1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_triangles(
    model: Model,
    mesh_instance: u32,
    order: u32,
    to: *mut u32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("indices", to, length) }?;
        handles::model_triangles(model.handle(), mesh_instance, order, to)
    })
}

/// Writes two texture coordinates for each vertex, in source order (0) or run order (1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_texture_coordinates(
    model: Model,
    mesh_instance: u32,
    set: u32,
    order: u32,
    to: *mut f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("texture coordinates", to, length) }?;
        handles::model_texture_coordinates(model.handle(), mesh_instance, set, order, to)
    })
}

/// Writes for each vertex in run order its index in the source.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_source_vertices(
    model: Model,
    mesh_instance: u32,
    to: *mut u32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("source vertices", to, length) }?;
        handles::model_source_vertices(model.handle(), mesh_instance, to)
    })
}

/// Makes a mask with a factor from 0 to 1 for each joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mask_new(factors: *const f32, length: usize, mask: *mut Mask) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let factors = unsafe { input("factors", factors, length) }?;
        Ok(handles::mask_new(factors)?.into())
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(mask, make) })
}

/// Makes a mask of a joint of a model and all below it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mask_subtree(model: Model, joint: u32, mask: *mut Mask) -> Code {
    let make = || Ok(handles::mask_subtree(model.handle(), joint)?.into());
    // SAFETY: the header's contract.
    border(|| unsafe { create(mask, make) })
}

/// Makes a mask of everything that another one leaves out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mask_complement(of: Mask, mask: *mut Mask) -> Code {
    let make = || Ok(handles::mask_complement(of.handle())?.into());
    // SAFETY: the header's contract.
    border(|| unsafe { create(mask, make) })
}

/// Destroys a mask. Playbacks that use it keep their copy.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_mask_destroy(mask: Mask) -> Code {
    border(|| handles::destroy(mask.handle(), Kind::Mask))
}
