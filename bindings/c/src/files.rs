//! Files: models in, baked poses, clips and models out.

use std::ffi::c_char;

use sinew_handles::{self as handles, Code, Error, LoadSettings};

use crate::builder::name;
use crate::pointers::{border, create, input, settings, text};
use crate::types::{ClipBytes, Instance, Model, Text};

/// Loads a model from a file, in any format of this build: glTF, GLB, MD5, BVH and FBX. `clips` are
/// the paths of MD5 clips, which are files of their own; others have none. `load` may be null for
/// the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_load(
    path: *const c_char,
    path_length: usize,
    clips: *const Text,
    clip_count: usize,
    load: *const LoadSettings,
    model: *mut Model,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let path = unsafe { text("path", path, path_length) }?;
        // SAFETY: the header's contract.
        let clips = unsafe { input("clips", clips, clip_count) }?;
        let clips =
            clips.iter().map(|&clip| name("path of a clip", clip)).collect::<Result<Vec<_>, Error>>()?;
        // SAFETY: the header's contract.
        let load = unsafe { settings("load settings", load) }?;
        Ok(handles::load(path, &clips, &load)?.into())
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(model, make) })
}

/// Loads a model from the bytes of a file. Files that it refers to are not opened. Else as
/// `sinew_load`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_load_bytes(
    bytes: *const u8,
    length: usize,
    clips: *const ClipBytes,
    clip_count: usize,
    load: *const LoadSettings,
    model: *mut Model,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let bytes = unsafe { input("bytes", bytes, length) }?;
        // SAFETY: the header's contract.
        let clips = unsafe { input("clips", clips, clip_count) }?;
        let clip = |clip: &ClipBytes| {
            // SAFETY: the header's contract.
            let bytes = unsafe { input("bytes of a clip", clip.data, clip.length) }?;
            Ok((name("name of a clip", clip.name)?, bytes))
        };
        let clips = clips.iter().map(clip).collect::<Result<Vec<_>, Error>>()?;
        // SAFETY: the header's contract.
        let load = unsafe { settings("load settings", load) }?;
        Ok(handles::load_bytes(bytes, &clips, &load)?.into())
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(model, make) })
}

/// Writes a whole model to a GLB file: skeleton, skins, meshes, clips. With `overwrite` 1, an
/// existing file is replaced. Files are written atomically.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_save_glb(
    model: Model,
    path: *const c_char,
    path_length: usize,
    overwrite: u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let path = unsafe { text("path", path, path_length) }?;
        handles::save_glb(model.handle(), path, overwrite)
    })
}

/// Writes the current pose of an instance to a file: OBJ, PLY or GLB by its extension. With
/// `overwrite` 1, an existing file is replaced. Files are written atomically.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_bake_pose(
    instance: Instance,
    path: *const c_char,
    path_length: usize,
    overwrite: u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let path = unsafe { text("path", path, path_length) }?;
        handles::bake_pose(instance.handle(), path, overwrite)
    })
}

/// Writes the frames of a clip (`SINEW_NONE` for the rest pose) to a file: PC2, MDD or NPZ by its
/// extension. With `overwrite` 1, an existing file is replaced. Files are written atomically.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_bake_clip(
    model: Model,
    clip: u32,
    frames_per_second: f64,
    path: *const c_char,
    path_length: usize,
    overwrite: u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let path = unsafe { text("path", path, path_length) }?;
        handles::bake_clip(model.handle(), clip, frames_per_second, path, overwrite)
    })
}
