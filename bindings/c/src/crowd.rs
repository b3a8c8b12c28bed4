//! Crowds.

use std::ffi::c_void;

use sinew_handles::records::{Bounds, Hit, Layout, Ray, SkinSettings};
use sinew_handles::{self as handles, Code, Error, Kind};

use crate::arrays::{Buffers, RayArrays, cast_rays, skin_into};
use crate::pointers::{UserData, border, create, input, numbers, output, settings, write};
use crate::types::{Buffer, Crowd, Model, SkinnedPart, TakeSkinned};

/// Makes an empty crowd. It works on this number of threads of its own; with 0, on threads that all
/// such crowds share, one for each core. Results do not depend on it. With `world_palettes` 1,
/// palettes and vertices are in world space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_new(threads: u32, world_palettes: u32, crowd: *mut Crowd) -> Code {
    let make = || Ok(handles::crowd_new(threads, world_palettes)?.into());
    // SAFETY: the header's contract.
    border(|| unsafe { create(crowd, make) })
}

/// Destroys a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_destroy(crowd: Crowd) -> Code {
    border(|| handles::destroy(crowd.handle(), Kind::Crowd))
}

/// Sets the view frustum: six planes of four numbers, where a x + b y + c z + d >= 0 is inside.
/// Members outside are not skinned. With length zero, all are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_view(crowd: Crowd, planes: *const f32, length: usize) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let planes = unsafe { input("planes", planes, length) }?;
        if planes.is_empty() {
            return handles::crowd_set_view(crowd.handle(), None);
        }
        let mut view = [[0.0; 4]; 6];
        view.as_flattened_mut().copy_from_slice(numbers::<24>("planes", planes)?);
        handles::crowd_set_view(crowd.handle(), Some(&view))
    })
}

/// Adds a model. `skin` may be null for the defaults. Writes its index in the crowd to `index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_add_model(
    crowd: Crowd,
    model: Model,
    skin: *const SkinSettings,
    index: *mut u32,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let skin = unsafe { settings("skin settings", skin) }?;
        handles::crowd_add_model(crowd.handle(), model.handle(), &skin)
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(index, make) })
}

/// Adds a member of a model, at rest. Writes its number, which is never zero and never used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_add(crowd: Crowd, model: u32, member: *mut u64) -> Code {
    // SAFETY: the header's contract.
    border(|| unsafe { create(member, || handles::crowd_add(crowd.handle(), model)) })
}

/// Removes a member.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_remove(crowd: Crowd, member: u64) -> Code {
    border(|| handles::crowd_remove(crowd.handle(), member))
}

/// Writes the number of members.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_length(crowd: Crowd, length: *mut u32) -> Code {
    border(|| {
        let found = handles::crowd_len(crowd.handle())?;
        // SAFETY: the header's contract.
        unsafe { write("length", length, found) }
    })
}

/// Moves a member: the matrix from model space to world space, 12 numbers, three rows of four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_world(
    crowd: Crowd,
    member: u64,
    world: *const f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let world = unsafe { input("world", world, length) }?;
        handles::crowd_set_world(crowd.handle(), member, numbers("world", world)?)
    })
}

/// Writes the matrix from a member's skinned vertices to world space, after the last step: 12
/// numbers, three rows of four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_world(crowd: Crowd, member: u64, to: *mut f32, length: usize) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("world", to, length) }?;
        let found = to.len();
        let Some(to) = to.first_chunk_mut() else {
            return Err(Error::new(Code::Length, format!("world: expected 12 numbers, found {found}")));
        };
        *to = handles::crowd_world(crowd.handle(), member)?;
        Ok(())
    })
}

/// Sets how much work a member is: it is animated in one of `update_interval` steps, offset by
/// `phase`, and skinned with at most `max_influences` per vertex, or all if that is 0.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_set_detail(
    crowd: Crowd,
    member: u64,
    update_interval: u32,
    phase: u32,
    max_influences: u32,
) -> Code {
    border(|| handles::crowd_set_detail(crowd.handle(), member, update_interval, phase, max_influences))
}

/// Advances the animation of all members, on all threads.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_step(crowd: Crowd, seconds: f32) -> Code {
    border(|| handles::crowd_step(crowd.handle(), seconds))
}

/// Skins all members in the poses of the last step, on all threads, and passes each mesh instance
/// of each to `take`, from several threads at the same time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_skin_each(crowd: Crowd, take: TakeSkinned, user: *mut c_void) -> Code {
    border(|| {
        let Some(take) = take else {
            return Err(Error::new(Code::NullPointer, "take: expected a function, found null"));
        };
        let user = UserData::new(user);
        handles::crowd_skin_each(crowd.handle(), &|member, skinned| {
            for mesh_instance in 0..skinned.len() {
                let blocks = skinned.blocks(mesh_instance);
                let vectors = skinned.attributes(mesh_instance).vectors();
                let part = SkinnedPart {
                    struct_size: size_of::<SkinnedPart>() as u32,
                    mesh_instance: mesh_instance as u32,
                    member,
                    vectors: vectors as u32,
                    reserved: 0,
                    blocks: blocks.as_ptr().cast(),
                    block_count: blocks.len() / vectors,
                    world: handles::matrix_numbers(skinned.world),
                };
                // SAFETY: the header's contract: the function takes these pointers, does not throw,
                // reads within the lengths, and may be called on any thread.
                unsafe { take(user.get(), &raw const part) };
            }
        })
    })
}

/// Skins a mesh instance of a member into buffers of the caller, in the pose of the last step. Else
/// as `sinew_instance_skin_into`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_skin_into(
    crowd: Crowd,
    member: u64,
    mesh_instance: u32,
    layout: *const Layout,
    buffers: *const Buffer,
    buffer_count: usize,
    bounds: *mut Bounds,
) -> Code {
    let skin = |layout: &Layout, buffers: Buffers<'_>, wanted: Option<&mut Bounds>| {
        handles::crowd_skin_into(crowd.handle(), member, mesh_instance, layout, buffers, wanted)
    };
    // SAFETY: the header's contract.
    unsafe { skin_into(layout, buffers, buffer_count, bounds, skin) }
}

/// Writes the palette of a skin of a member after the last step. Else as `sinew_instance_palette`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_palette(
    crowd: Crowd,
    member: u64,
    skin: u32,
    columns: u32,
    to: *mut f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("palette", to, length) }?;
        handles::crowd_palette(crowd.handle(), member, skin, columns, to)
    })
}

/// Writes bounds of a member in world space after the last step, computed from joints alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_bounds(crowd: Crowd, member: u64, bounds: *mut Bounds) -> Code {
    border(|| {
        let found = handles::crowd_bounds(crowd.handle(), member)?;
        // SAFETY: the header's contract.
        unsafe { write("bounds", bounds, found) }
    })
}

/// Casts `count` rays in world space against all members and writes the nearest hit of each.
/// Strides are in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_cast(
    crowd: Crowd,
    rays: *const Ray,
    ray_stride: usize,
    hits: *mut Hit,
    hit_stride: usize,
    count: usize,
) -> Code {
    let cast = |arrays: &RayArrays| {
        handles::crowd_cast(
            crowd.handle(),
            arrays.len,
            |index| arrays.ray(index),
            |index, hit| arrays.set_hit(index, hit),
        )
    };
    // SAFETY: the header's contract.
    unsafe { cast_rays(rays, ray_stride, hits, hit_stride, count, cast) }
}
