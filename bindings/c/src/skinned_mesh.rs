//! Meshes that the caller poses by palettes.

use sinew::query::OverlapShape;
use sinew_handles::records::{Bounds, Hit, Layout, Ray, SkinSettings, Sphere};
use sinew_handles::{self as handles, Code, Error, Kind};

use crate::arrays::{Buffers, RayArrays, cast_rays, skin_into};
use crate::builder::with_mesh;
use crate::pointers::{border, create, input, numbers, output, read, settings, write, write_if_wanted};
use crate::types::{Buffer, Mesh, SkinnedMesh};

/// Makes a mesh of this number of joints, at rest. `skin` may be null for the defaults. With
/// `reproducible` 1, results have the same bits on every machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_new(
    joints: u32,
    mesh: *const Mesh,
    skin: *const SkinSettings,
    reproducible: u32,
    skinned_mesh: *mut SkinnedMesh,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let skin = unsafe { settings("skin settings", skin) }?;
        // SAFETY: the header's contract.
        let made = unsafe {
            with_mesh(mesh, |source| handles::skinned_mesh_new(joints, source, &skin, reproducible))
        };
        Ok(made?.into())
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(skinned_mesh, make) })
}

/// Destroys a skinned mesh.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_skinned_mesh_destroy(mesh: SkinnedMesh) -> Code {
    border(|| handles::destroy(mesh.handle(), Kind::SkinnedMesh))
}

/// Sets the palette: for each joint the matrix from the mesh at rest to where it is now. 12 numbers
/// each, three rows of four; with `columns` 1, 16 numbers, four columns of four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_set_palette(
    mesh: SkinnedMesh,
    columns: u32,
    matrices: *const f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let matrices = unsafe { input("palette", matrices, length) }?;
        handles::skinned_mesh_set_palette(mesh.handle(), columns, matrices)
    })
}

/// Sets the weights of all morph targets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_set_morph_weights(
    mesh: SkinnedMesh,
    weights: *const f32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let weights = unsafe { input("morph weights", weights, length) }?;
        handles::skinned_mesh_set_morph_weights(mesh.handle(), weights)
    })
}

/// Writes the number of vertices in source order (0) or run order (1), and of triangles, each
/// unless its pointer is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_counts(
    mesh: SkinnedMesh,
    order: u32,
    vertices: *mut u32,
    triangles: *mut u32,
) -> Code {
    border(|| {
        let (vertex_count, triangle_count) = handles::skinned_mesh_counts(mesh.handle(), order)?;
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(vertices, vertex_count) };
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(triangles, triangle_count) };
        Ok(())
    })
}

/// Writes the three vertices of each triangle, in source order (0) or run order (1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_triangles(
    mesh: SkinnedMesh,
    order: u32,
    to: *mut u32,
    length: usize,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("indices", to, length) }?;
        handles::skinned_mesh_triangles(mesh.handle(), order, to)
    })
}

/// Skins into buffers of the caller, as `sinew_instance_skin_into`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_skin_into(
    mesh: SkinnedMesh,
    layout: *const Layout,
    buffers: *const Buffer,
    buffer_count: usize,
    bounds: *mut Bounds,
) -> Code {
    let skin = |layout: &Layout, buffers: Buffers<'_>, wanted: Option<&mut Bounds>| {
        handles::skinned_mesh_skin_into(mesh.handle(), layout, buffers, wanted)
    };
    // SAFETY: the header's contract.
    unsafe { skin_into(layout, buffers, buffer_count, bounds, skin) }
}

/// Writes bounds of all vertices, computed from the palette alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_bounds(mesh: SkinnedMesh, bounds: *mut Bounds) -> Code {
    border(|| {
        let found = handles::skinned_mesh_bounds(mesh.handle())?;
        // SAFETY: the header's contract.
        unsafe { write("bounds", bounds, found) }
    })
}

/// Writes a bounding sphere of all vertices, computed from the palette alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_sphere(mesh: SkinnedMesh, sphere: *mut Sphere) -> Code {
    border(|| {
        let found = handles::skinned_mesh_sphere(mesh.handle())?;
        // SAFETY: the header's contract.
        unsafe { write("sphere", sphere, found) }
    })
}

/// Casts `count` rays and writes the nearest hit of each. Strides are in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_cast(
    mesh: SkinnedMesh,
    rays: *const Ray,
    ray_stride: usize,
    hits: *mut Hit,
    hit_stride: usize,
    count: usize,
) -> Code {
    let cast = |arrays: &RayArrays| {
        handles::skinned_mesh_cast(
            mesh.handle(),
            arrays.len,
            |index| arrays.ray(index),
            |index, hit| arrays.set_hit(index, hit),
        )
    };
    // SAFETY: the header's contract.
    unsafe { cast_rays(rays, ray_stride, hits, hit_stride, count, cast) }
}

/// Writes the point of the surface nearest to a point, if one is within a distance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_closest_point(
    mesh: SkinnedMesh,
    x: f32,
    y: f32,
    z: f32,
    max_distance: f32,
    hit: *mut Hit,
) -> Code {
    border(|| {
        let found = handles::skinned_mesh_closest_point(mesh.handle(), [x, y, z], max_distance)?;
        // SAFETY: the header's contract.
        unsafe { write("hit", hit, found) }
    })
}

/// Writes whether a point is inside the surface: 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_contains(
    mesh: SkinnedMesh,
    x: f32,
    y: f32,
    z: f32,
    inside: *mut u32,
) -> Code {
    border(|| {
        let found = handles::skinned_mesh_contains(mesh.handle(), [x, y, z])?;
        // SAFETY: the header's contract.
        unsafe { write("inside", inside, found.into()) }
    })
}

/// Writes whether the surface touches a capsule: 1 or 0. That is all points within a radius of the
/// segment between two points of three numbers each; with both equal, a sphere.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_overlaps_capsule(
    mesh: SkinnedMesh,
    from: *const f32,
    from_length: usize,
    to: *const f32,
    to_length: usize,
    radius: f32,
    overlaps: *mut u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let from = *numbers("from", unsafe { input("from", from, from_length) }?)?;
        // SAFETY: the header's contract.
        let to = *numbers("to", unsafe { input("to", to, to_length) }?)?;
        // SAFETY: the header's contract.
        unsafe { write_overlap(mesh, &OverlapShape::Capsule { from, to, radius }, overlaps) }
    })
}

/// Writes whether the surface touches an axis-aligned box: 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skinned_mesh_overlaps_box(
    mesh: SkinnedMesh,
    bounds: *const Bounds,
    overlaps: *mut u32,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let bounds = unsafe { read("bounds", bounds) }?;
        // SAFETY: the header's contract.
        unsafe { write_overlap(mesh, &handles::overlap_box(bounds), overlaps) }
    })
}

/// # Safety
///
/// If `overlaps` is not null, it is writable.
unsafe fn write_overlap(mesh: SkinnedMesh, shape: &OverlapShape, overlaps: *mut u32) -> Result<(), Error> {
    let found = handles::skinned_mesh_overlaps(mesh.handle(), shape)?;
    // SAFETY: the caller of this function promises it.
    unsafe { write("overlaps", overlaps, found.into()) }
}
