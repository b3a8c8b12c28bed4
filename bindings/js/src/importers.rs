//! Models from files, and their instances.

use std::fmt::Write;

use sinew::model::AlphaMode;
use sinew_handles::records::{Bounds, NONE, SkinSettings, Transform};
use sinew_handles::{BakeFormat, Error, Handle, LoadSettings};

use crate::memory::{set_output, slice, slice_mut, status, to_handle};
use crate::mesh::{layout_of, skin_buffers};
use crate::rays::{HitRecord, RayRecord, near_sphere};

/// The bytes of a file: a name, which may be empty, and its content.
#[derive(Debug)]
#[repr(C)]
pub struct FileRecord {
    /// The name.
    pub name: *const u8,
    /// The bytes of the name.
    pub name_len: u32,
    /// The content.
    pub bytes: *const u8,
    /// The bytes of the content.
    pub len: u32,
}

/// The text in memory.
///
/// # Safety
///
/// `text` has `len` bytes.
pub(crate) unsafe fn text<'a>(text: *const u8, len: usize) -> Result<&'a str, Error> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice(text, len) };
    std::str::from_utf8(bytes)
        .map_err(|error| Error::new(sinew_handles::Code::BadText, format!("text: {error}")))
}

/// Loads a model: the first file, and MD5 clips in the files after it.
///
/// # Safety
///
/// `files` has `count` elements whose texts and contents have the lengths that they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_load(
    files: *const FileRecord,
    count: usize,
    strict: u32,
    generate_tangents: u32,
    reproducible: u32,
    handle: &mut f64,
) -> i32 {
    let settings = LoadSettings { strict, generate_tangents, reproducible, ..LoadSettings::default() };
    let read = |file: &FileRecord| {
        // SAFETY: the caller's promise.
        let name = unsafe { text(file.name, file.name_len as usize)? };
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(file.bytes, file.len as usize) };
        Ok((name, bytes))
    };
    // SAFETY: the caller's promise.
    let files: Result<Vec<_>, Error> = unsafe { slice(files, count) }.iter().map(read).collect();
    let loaded = files.and_then(|files| {
        let (&(_, bytes), clips) =
            files.split_first().ok_or_else(|| Error::new(sinew_handles::Code::Length, "no file"))?;
        sinew_handles::load_bytes(bytes, clips, &settings)
    });
    status(loaded.map(|loaded| *handle = loaded.to_bits() as f64))
}

/// Makes the description of a model the output: JSON.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_model_describe(model: f64) -> i32 {
    status(describe(to_handle(model)).map(|json| set_output(json.into_bytes())))
}

fn describe(model: Handle) -> Result<String, Error> {
    let info = sinew_handles::model_info(model)?;
    let mut parents = vec![NONE; info.joints as usize];
    sinew_handles::model_parents(model, &mut parents)?;
    let joints = list(info.joints, |joint| {
        let name = sinew_handles::model_joint_name(model, joint, json_text)?;
        let parent = match parents[joint as usize] {
            NONE => "null".to_owned(),
            parent => parent.to_string(),
        };
        Ok(format!("{{\"name\":{name},\"parent\":{parent}}}"))
    })?;
    let clips = list(info.clips, |clip| {
        let name = sinew_handles::model_clip_name(model, clip, json_text)?;
        let times = sinew_handles::model_clip(model, clip)?;
        Ok(format!("{{\"name\":{name},\"start\":{},\"end\":{}}}", times.start, times.end))
    })?;
    let meshes = list(info.mesh_instances, |mesh| {
        let name = sinew_handles::model_mesh_instance_name(model, mesh, json_text)?;
        let found = sinew_handles::model_mesh_instance(model, mesh)?;
        let texture = match sinew_handles::model_base_texture(model, mesh)? {
            Some((image, set)) => format!("{{\"image\":{image},\"set\":{set}}}"),
            None => "null".to_owned(),
        };
        let has_colors = sinew_handles::model_has_colors(model, mesh)?;
        let (alpha_mode, cutoff) = match sinew_handles::model_alpha_mode(model, mesh)? {
            AlphaMode::Opaque => ("opaque", 0.0),
            AlphaMode::Mask { cutoff } => ("mask", cutoff),
            AlphaMode::Blend => ("blend", 0.0),
        };
        Ok(format!(
            "{{\"name\":{name},\"skin\":{},\"vertices\":{},\"triangles\":{},\"attributes\":{},\
             \"firstMorphWeight\":{},\"morphWeights\":{},\"textureCoordinateSets\":{},\
             \"baseColor\":{:?},\"baseTexture\":{texture},\"hasColors\":{has_colors},\
             \"alphaMode\":\"{alpha_mode}\",\"alphaCutoff\":{cutoff}}}",
            found.skin,
            found.vertices,
            found.triangles,
            found.attributes,
            found.first_morph_weight,
            found.morph_weights,
            found.texture_coordinate_sets,
            found.base_color
        ))
    })?;
    let skin = |skin| Ok(sinew_handles::model_skin_joints(model, skin)?.to_string());
    let skins = list(info.skins, skin)?;
    let warnings = list(info.warnings, |warning| sinew_handles::model_warning(model, warning, json_text))?;
    Ok(format!(
        "{{\"joints\":{joints},\"clips\":{clips},\"meshes\":{meshes},\"warnings\":{warnings},\
         \"skins\":{skins},\"morphWeights\":{},\"upAxis\":\"{}\"}}",
        info.morph_weights,
        if info.up_axis == 2 { "z" } else { "y" }
    ))
}

fn list(len: u32, mut element: impl FnMut(u32) -> Result<String, Error>) -> Result<String, Error> {
    let mut json = String::from("[");
    for index in 0..len {
        if index > 0 {
            json.push(',');
        }
        json.push_str(&element(index)?);
    }
    json.push(']');
    Ok(json)
}

fn json_text(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\x1f' => {
                // Writing to a string cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}

/// Writes the corners of the triangles of a mesh instance.
///
/// # Safety
///
/// `to` has `len` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_triangles(model: f64, mesh: u32, to: *mut u32, len: usize) -> i32 {
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, len) };
    status(sinew_handles::model_triangles(to_handle(model), mesh, 0, to))
}

/// Writes the texture coordinates of the vertices of a mesh instance.
///
/// # Safety
///
/// `to` has `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_texture_coordinates(
    model: f64,
    mesh: u32,
    set: u32,
    to: *mut f32,
    len: usize,
) -> i32 {
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, len) };
    status(sinew_handles::model_texture_coordinates(to_handle(model), mesh, set, 0, to))
}

/// Writes the colors of the vertices of a mesh instance.
///
/// # Safety
///
/// `to` has `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_colors(model: f64, mesh: u32, to: *mut f32, len: usize) -> i32 {
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, len) };
    status(sinew_handles::model_colors(to_handle(model), mesh, to))
}

/// Makes the encoded bytes of an image the output.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_model_image(model: f64, image: u32) -> i32 {
    status(sinew_handles::model_image(to_handle(model), image, |_, bytes| set_output(bytes.to_vec())))
}

/// Creates an instance of a model.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_new(
    model: f64,
    unit_directions: u32,
    cofactor_normals: u32,
    dual_quaternions: u32,
    handle: &mut f64,
) -> i32 {
    let settings =
        SkinSettings { unit_directions, cofactor_normals, dual_quaternions, ..SkinSettings::default() };
    let created = sinew_handles::instance_new(to_handle(model), &settings);
    status(created.map(|created| *handle = created.to_bits() as f64))
}

/// Advances the animation.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_step(instance: f64, seconds: f64) -> i32 {
    status(sinew_handles::instance_step(to_handle(instance), seconds as f32))
}

/// Poses an instance at a time of a clip.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_sample(instance: f64, clip: u32, seconds: f64) -> i32 {
    status(sinew_handles::instance_sample(to_handle(instance), clip, seconds as f32))
}

/// Writes the transforms of joints relative to their parents.
///
/// # Safety
///
/// `to` has `len` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_pose(
    instance: f64,
    first: u32,
    to: *mut Transform,
    len: usize,
) -> i32 {
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, len) };
    status(sinew_handles::instance_pose(to_handle(instance), first, to))
}

/// Sets the transforms of joints relative to their parents.
///
/// # Safety
///
/// `from` has `len` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_pose(
    instance: f64,
    first: u32,
    from: *const Transform,
    len: usize,
) -> i32 {
    // SAFETY: the caller's promise.
    let from = unsafe { slice(from, len) };
    status(sinew_handles::instance_set_pose(to_handle(instance), first, from))
}

/// Sets morph weights of the pose.
///
/// # Safety
///
/// `weights` has `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_morph_weights(
    instance: f64,
    first: u32,
    weights: *const f32,
    len: usize,
) -> i32 {
    // SAFETY: the caller's promise.
    let weights = unsafe { slice(weights, len) };
    status(sinew_handles::instance_set_morph_weights(to_handle(instance), first, weights))
}

/// Writes the palette of a skin: 16 numbers for each joint, four columns.
///
/// # Safety
///
/// `to` has `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_palette(instance: f64, skin: u32, to: *mut f32, len: usize) -> i32 {
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, len) };
    status(sinew_handles::instance_palette(to_handle(instance), skin, 1, to))
}

/// Writes the matrices from joints to model space: 12 numbers each, three rows.
///
/// # Safety
///
/// `to` has `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_matrices(instance: f64, to: *mut f32, len: usize) -> i32 {
    // SAFETY: the caller's promise.
    let to = unsafe { slice_mut(to, len) };
    status(sinew_handles::instance_matrices(to_handle(instance), to))
}

/// The bounds of all vertices, computed from joints alone.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_bounds(instance: f64, bounds: &mut Bounds) -> i32 {
    status(sinew_handles::instance_bounds(to_handle(instance)).map(|found| *bounds = found))
}

/// Skins a mesh instance in source order.
///
/// # Safety
///
/// As [`crate::mesh::sinew_mesh_skin`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_skin(
    instance: f64,
    mesh: u32,
    vertices: usize,
    positions: *mut u8,
    normals: *mut u8,
    tangents: *mut u8,
    bounds: Option<&mut Bounds>,
) -> i32 {
    let pointers = [positions, normals, tangents];
    // SAFETY: the caller's promise.
    let buffers = unsafe { skin_buffers(vertices, pointers) };
    let layout = layout_of(pointers);
    status(sinew_handles::instance_skin_into(to_handle(instance), mesh, &layout, buffers, bounds))
}

/// Casts rays; one hit for each.
///
/// # Safety
///
/// `rays` and `hits` have `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_cast(
    instance: f64,
    count: usize,
    rays: *const RayRecord,
    hits: *mut HitRecord,
) -> i32 {
    // SAFETY: the caller's promise.
    let rays = unsafe { slice(rays, count) };
    // SAFETY: the caller's promise.
    let hits = unsafe { slice_mut(hits, count) };
    status(cast(to_handle(instance), rays, hits))
}

fn cast(instance: Handle, rays: &[RayRecord], hits: &mut [HitRecord]) -> Result<(), Error> {
    let sphere = sinew_handles::instance_sphere(instance)?;
    for (ray, to) in rays.iter().zip(hits) {
        *to = HitRecord::default();
        if let Some((ray, shift)) = near_sphere(ray, sphere) {
            sinew_handles::instance_cast(instance, 1, |_| ray, |_, hit| *to = HitRecord::new(&hit, shift))?;
        }
    }
    Ok(())
}

/// Makes the current pose the output, as a file: 0 OBJ, 1 PLY, 2 GLB.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_bake_pose(instance: f64, format: u32) -> i32 {
    let baked =
        bake_format(format).and_then(|format| sinew_handles::bake_pose_bytes(to_handle(instance), format));
    status(baked.map(set_output))
}

/// Makes the frames of a clip the output, as a file: 3 PC2, 4 MDD, 5 NPZ.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_bake_clip(model: f64, clip: u32, rate: f64, format: u32) -> i32 {
    let baked = bake_format(format)
        .and_then(|format| sinew_handles::bake_clip_bytes(to_handle(model), clip, rate, format));
    status(baked.map(set_output))
}

/// Makes a whole model the output, as a GLB file.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_model_glb(model: f64) -> i32 {
    status(sinew_handles::glb_bytes(to_handle(model)).map(set_output))
}

fn bake_format(format: u32) -> Result<BakeFormat, Error> {
    use BakeFormat::{Glb, Mdd, Npz, Obj, Pc2, Ply};
    [Obj, Ply, Glb, Pc2, Mdd, Npz].get(format as usize).copied().ok_or_else(|| {
        Error::new(sinew_handles::Code::InvalidValue, format!("format: expected 0 to 5, found {format}"))
    })
}
