//! Instances.

use sinew_handles::records::{
    AimSettings, Bounds, Hit, Layout, Ray, ReachSettings, SkinSettings, Sphere, Transform,
};
use sinew_handles::{self as handles, Code, Kind};

use crate::arrays::{Buffers, RayArrays, cast_rays, skin_into};
use crate::pointers::{border, create, input, numbers, output, settings, write, write_if_wanted};
use crate::types::{Buffer, Instance, Model};

/// Makes an instance of a model, at rest. `skin` may be null for the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_new(
    model: Model,
    skin: *const SkinSettings,
    instance: *mut Instance,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let skin = unsafe { settings("skin settings", skin) }?;
        Ok(handles::instance_new(model.handle(), &skin)?.into())
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(instance, make) })
}

/// Destroys an instance.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_destroy(instance: Instance) -> Code {
    border(|| handles::destroy(instance.handle(), Kind::Instance))
}

/// Advances the animation: samples and blends all clips and runs the modifiers.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_step(instance: Instance, seconds: f32) -> Code {
    border(|| handles::instance_step(instance.handle(), seconds))
}

/// Poses an instance at a time of a clip, without playing it. The next step overwrites it.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_sample(instance: Instance, clip: u32, seconds: f32) -> Code {
    border(|| handles::instance_sample(instance.handle(), clip, seconds))
}

/// Sets the matrix from model space to world space (12 numbers, three rows of four), for modifiers
/// that simulate in world space. Vertices and queries stay in model space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_world(
    instance: Instance,
    world: *const f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let world = unsafe { input("world", world, length) }?;
        handles::instance_set_world(instance.handle(), numbers("world", world)?)
    })
}

/// Writes the transforms of `length` joints relative to their parents, from a first joint on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_pose(
    instance: Instance,
    first: u32,
    to: *mut Transform,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("transforms", to, length) }?;
        handles::instance_pose(instance.handle(), first, to)
    })
}

/// Sets the transforms of `length` joints relative to their parents, from a first joint on. The
/// next step overwrites them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_pose(
    instance: Instance,
    first: u32,
    transforms: *const Transform,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let transforms = unsafe { input("transforms", transforms, length) }?;
        handles::instance_set_pose(instance.handle(), first, transforms)
    })
}

/// Writes the morph weights of the pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_morph_weights(
    instance: Instance,
    to: *mut f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("morph weights", to, length) }?;
        handles::instance_morph_weights(instance.handle(), to)
    })
}

/// Sets `length` morph weights of the pose, from a first one on. The next step overwrites them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_morph_weights(
    instance: Instance,
    first: u32,
    weights: *const f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let weights = unsafe { input("morph weights", weights, length) }?;
        handles::instance_set_morph_weights(instance.handle(), first, weights)
    })
}

/// Rotates a joint until it points at a target. The next step overwrites it. Writes to `result`,
/// unless that is null, 0 if it does, 1 if the limit stopped it, 2 if the target is too near, 3 if
/// nothing changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_aim(
    instance: Instance,
    aim: *const AimSettings,
    result: *mut u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let aim = unsafe { settings("aim", aim) }?;
        let found = handles::instance_aim(instance.handle(), &aim)?;
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(result, found) };
        Ok(())
    })
}

/// Bends a limb until its end reaches a target. The next step overwrites it. Writes to `result`,
/// unless that is null, 0 if it does, 1 if the target is too far, 2 if it is too near, 3 if nothing
/// changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_reach(
    instance: Instance,
    reach: *const ReachSettings,
    result: *mut u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let reach = unsafe { settings("reach", reach) }?;
        let found = handles::instance_reach(instance.handle(), &reach)?;
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(result, found) };
        Ok(())
    })
}

/// Writes the matrices from joints to model space: 12 numbers each, three rows of four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_matrices(instance: Instance, to: *mut f32, length: usize) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("matrices", to, length) }?;
        handles::instance_matrices(instance.handle(), to)
    })
}

/// Writes the palette of a skin: for each joint 12 numbers, three rows of four; with `columns` 1,
/// 16 numbers, four columns of four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_palette(
    instance: Instance,
    skin: u32,
    columns: u32,
    to: *mut f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("palette", to, length) }?;
        handles::instance_palette(instance.handle(), skin, columns, to)
    })
}

/// Writes bounds of all vertices in the current pose, computed from joints alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_bounds(instance: Instance, bounds: *mut Bounds) -> Code {
    border(|| {
        let found = handles::instance_bounds(instance.handle())?;
        // SAFETY: the header's contract.
        unsafe { write("bounds", bounds, found) }
    })
}

/// Writes a bounding sphere of all vertices in the current pose, computed from joints alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_sphere(instance: Instance, sphere: *mut Sphere) -> Code {
    border(|| {
        let found = handles::instance_sphere(instance.handle())?;
        // SAFETY: the header's contract.
        unsafe { write("sphere", sphere, found) }
    })
}

/// Skins a mesh instance into buffers of the caller: one for a layout with a stride, or one for
/// each attribute. Bytes that the layout does not name are not touched. Writes the exact bounds to
/// `bounds` unless that is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_skin_into(
    instance: Instance,
    mesh_instance: u32,
    layout: *const Layout,
    buffers: *const Buffer,
    buffer_count: usize,
    bounds: *mut Bounds,
) -> Code {
    let skin = |layout: &Layout, buffers: Buffers<'_>, wanted: Option<&mut Bounds>| {
        handles::instance_skin_into(instance.handle(), mesh_instance, layout, buffers, wanted)
    };
    // SAFETY: the header's contract.
    unsafe { skin_into(layout, buffers, buffer_count, bounds, skin) }
}

/// Casts `count` rays in model space and writes the nearest hit of each. Strides are in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_cast(
    instance: Instance,
    rays: *const Ray,
    ray_stride: usize,
    hits: *mut Hit,
    hit_stride: usize,
    count: usize,
) -> Code {
    let cast = |arrays: &RayArrays| {
        handles::instance_cast(
            instance.handle(),
            arrays.len,
            |index| arrays.ray(index),
            |index, hit| arrays.set_hit(index, hit),
        )
    };
    // SAFETY: the header's contract.
    unsafe { cast_rays(rays, ray_stride, hits, hit_stride, count, cast) }
}
