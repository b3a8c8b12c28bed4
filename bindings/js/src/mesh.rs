//! Meshes that the caller poses by palettes.

use sinew::mesh::{Deltas, MorphSource, Weights};
use sinew::{Influences, MeshSource};
use sinew_handles::records::{Attribute, Bounds, Layout, SkinSettings};
use sinew_handles::{Error, Handle};

use crate::memory::{optional_slice, slice, slice_mut, status, to_handle};
use crate::rays::{HitRecord, RayRecord, near_sphere};

/// A mesh in memory. Pointers may be null where an array is optional.
#[derive(Debug)]
#[repr(C)]
pub struct MeshRecord {
    /// The number of joints.
    pub joints: u32,
    /// The number of vertices.
    pub vertices: u32,
    /// The number of triangles.
    pub triangles: u32,
    /// The number of influences per vertex.
    pub influences: u32,
    /// The number of morph targets.
    pub morphs: u32,
    /// 1 to divide the weights of a vertex by their sum.
    pub normalize_weights: u32,
    /// 1 to renormalize normals and tangents.
    pub unit_directions: u32,
    /// 1 to transform normals by the cofactors of the blended matrix.
    pub cofactor_normals: u32,
    /// 1 to blend dual quaternions.
    pub dual_quaternions: u32,
    /// 1 for the same bits on every machine.
    pub reproducible: u32,
    /// 3 per vertex.
    pub positions: *const [f32; 3],
    /// 3 per vertex, or null.
    pub normals: *const [f32; 3],
    /// 4 per vertex, or null.
    pub tangents: *const [f32; 4],
    /// The joints of each vertex.
    pub skin_joints: *const u32,
    /// Their weights.
    pub skin_weights: *const f32,
    /// The corners of the triangles.
    pub corners: *const [u32; 3],
    /// For each morph target deltas of positions, normals and tangents, each null or 3 per vertex.
    pub deltas: *const [*const [f32; 3]; 3],
}

/// Creates a skinned mesh.
///
/// # Safety
///
/// The arrays of the record have the lengths that it says, and `handle` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_new(record: &MeshRecord, handle: &mut f64) -> i32 {
    // SAFETY: the caller's promise.
    let created = unsafe { create(record) };
    status(created.map(|created| *handle = created.to_bits() as f64))
}

/// # Safety
///
/// As [`sinew_mesh_new`].
unsafe fn create(record: &MeshRecord) -> Result<Handle, Error> {
    let vertices = record.vertices as usize;
    let held = vertices * record.influences as usize;
    // SAFETY: the caller's promise.
    let deltas = unsafe { slice(record.deltas, record.morphs as usize) };
    // SAFETY: the caller's promise.
    let dense = |from: *const [f32; 3]| match unsafe { optional_slice(from, vertices) } {
        Some(deltas) => Deltas::Dense(deltas),
        None => Deltas::None,
    };
    let morph = |&[positions, normals, tangents]: &[*const [f32; 3]; 3]| MorphSource {
        name: "",
        positions: dense(positions),
        normals: dense(normals),
        tangents: dense(tangents),
    };
    let morphs: Vec<MorphSource<'_>> = deltas.iter().map(morph).collect();
    let counts = vec![record.influences; vertices];
    // SAFETY: the caller's promise.
    let joints = unsafe { slice(record.skin_joints, held) };
    // SAFETY: the caller's promise.
    let weights = unsafe { slice(record.skin_weights, held) };
    // SAFETY: the caller's promise.
    let positions = unsafe { slice(record.positions, vertices) };
    // SAFETY: the caller's promise.
    let normals = unsafe { optional_slice(record.normals, vertices) };
    // SAFETY: the caller's promise.
    let tangents = unsafe { optional_slice(record.tangents, vertices) };
    // SAFETY: the caller's promise.
    let triangles = unsafe { slice(record.corners, record.triangles as usize) };
    let source = MeshSource {
        normals,
        tangents,
        triangles,
        morphs: &morphs,
        weights: if record.normalize_weights == 1 { Weights::Normalized } else { Weights::AsStored },
        ..MeshSource::new(positions, Influences::Variable { counts: &counts, joints, weights })
    };
    let settings = SkinSettings {
        unit_directions: record.unit_directions,
        cofactor_normals: record.cofactor_normals,
        dual_quaternions: record.dual_quaternions,
        ..SkinSettings::default()
    };
    sinew_handles::skinned_mesh_new(record.joints, &source, &settings, record.reproducible)
}

/// Creates a skinned mesh that shares the data of another one.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_mesh_clone(mesh: f64, handle: &mut f64) -> i32 {
    let cloned = sinew_handles::skinned_mesh_clone(to_handle(mesh));
    status(cloned.map(|cloned| *handle = cloned.to_bits() as f64))
}

/// Sets the palette: 16 numbers for each joint, four columns.
///
/// # Safety
///
/// `matrices` has `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_set_palette(mesh: f64, matrices: *const f32, len: usize) -> i32 {
    // SAFETY: the caller's promise.
    let matrices = unsafe { slice(matrices, len) };
    status(sinew_handles::skinned_mesh_set_palette(to_handle(mesh), 1, matrices))
}

/// Sets the morph weights.
///
/// # Safety
///
/// `weights` has `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_set_morph_weights(mesh: f64, weights: *const f32, len: usize) -> i32 {
    // SAFETY: the caller's promise.
    let weights = unsafe { slice(weights, len) };
    status(sinew_handles::skinned_mesh_set_morph_weights(to_handle(mesh), weights))
}

/// Skins in source order. Null pointers skip attributes and bounds.
///
/// # Safety
///
/// The arrays have `vertices` vertices: 3 numbers each, of `tangents` 4. `bounds` is null or can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_skin(
    mesh: f64,
    vertices: usize,
    positions: *mut u8,
    normals: *mut u8,
    tangents: *mut u8,
    bounds: Option<&mut Bounds>,
) -> i32 {
    // SAFETY: the caller's promise.
    let buffers = unsafe { skin_buffers(vertices, [positions, normals, tangents]) };
    let layout = layout_of([positions, normals, tangents]);
    status(sinew_handles::skinned_mesh_skin_into(to_handle(mesh), &layout, buffers, bounds))
}

/// The layout of positions, normals and tangents in buffers of their own.
pub(crate) fn layout_of(buffers: [*mut u8; 3]) -> Layout {
    let attribute = |buffer: *mut u8, format| match buffer.is_null() {
        true => Attribute::default(),
        false => Attribute { format, ..Attribute::default() },
    };
    Layout {
        position: attribute(buffers[0], 1),
        normal: attribute(buffers[1], 1),
        tangent: attribute(buffers[2], 2),
        ..Layout::default()
    }
}

/// The buffers that are not null.
///
/// # Safety
///
/// As [`sinew_mesh_skin`].
pub(crate) unsafe fn skin_buffers<'a>(
    vertices: usize,
    buffers: [*mut u8; 3],
) -> impl IntoIterator<Item = &'a mut [u8]> {
    let [positions, normals, tangents] = buffers;
    let all = [(positions, 12), (normals, 12), (tangents, 16)];
    let present = all.into_iter().filter(|(buffer, _)| !buffer.is_null());
    // SAFETY: the caller's promise.
    present.map(move |(buffer, size)| unsafe { slice_mut(buffer, vertices * size) })
}

/// The bounds of all vertices, computed from joints alone.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_mesh_bounds(mesh: f64, bounds: &mut Bounds) -> i32 {
    status(sinew_handles::skinned_mesh_bounds(to_handle(mesh)).map(|found| *bounds = found))
}

/// The smallest box of all vertices, which are skinned for it.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_mesh_exact_bounds(mesh: f64, bounds: &mut Bounds) -> i32 {
    status(sinew_handles::skinned_mesh_exact_bounds(to_handle(mesh)).map(|found| *bounds = found))
}

/// The largest distance of positions from a point.
///
/// # Safety
///
/// `positions` has 3 numbers for each vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_farthest(
    positions: *const [f32; 3],
    vertices: usize,
    x: f64,
    y: f64,
    z: f64,
) -> f64 {
    // SAFETY: the caller's promise.
    let positions = unsafe { slice(positions, vertices) };
    let square = |&[px, py, pz]: &[f32; 3]| {
        let (dx, dy, dz) = (f64::from(px) - x, f64::from(py) - y, f64::from(pz) - z);
        dx * dx + dy * dy + dz * dz
    };
    positions.iter().map(square).fold(0.0_f64, f64::max).sqrt()
}

/// Skins the whole mesh and refits its BVH.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_mesh_refit(mesh: f64) -> i32 {
    status(sinew_handles::skinned_mesh_refit(to_handle(mesh)))
}

/// Casts rays; one hit for each.
///
/// # Safety
///
/// `rays` and `hits` have `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_cast(
    mesh: f64,
    count: usize,
    rays: *const RayRecord,
    hits: *mut HitRecord,
) -> i32 {
    // SAFETY: the caller's promise.
    let rays = unsafe { slice(rays, count) };
    // SAFETY: the caller's promise.
    let hits = unsafe { slice_mut(hits, count) };
    status(cast(to_handle(mesh), rays, hits))
}

fn cast(mesh: Handle, rays: &[RayRecord], hits: &mut [HitRecord]) -> Result<(), Error> {
    let sphere = sinew_handles::skinned_mesh_sphere(mesh)?;
    for (ray, to) in rays.iter().zip(hits) {
        *to = HitRecord::default();
        if let Some((ray, shift)) = near_sphere(ray, sphere) {
            let hit = |_, hit| *to = HitRecord::new(&hit, shift);
            sinew_handles::skinned_mesh_cast(mesh, 1, |_| ray, hit)?;
        }
    }
    Ok(())
}

/// Casts a ray and writes its hits, the closest first, as many as fit. `found` is how many there
/// are.
///
/// # Safety
///
/// `hits` has `capacity` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_cast_all(
    mesh: f64,
    ray: &RayRecord,
    capacity: usize,
    hits: *mut HitRecord,
    found: &mut u32,
) -> i32 {
    // SAFETY: the caller's promise.
    let hits = unsafe { slice_mut(hits, capacity) };
    let mesh = to_handle(mesh);
    *found = 0;
    let cast = |sphere| match near_sphere(ray, sphere) {
        None => Ok(()),
        Some((ray, shift)) => sinew_handles::skinned_mesh_cast_all(mesh, ray, |hit| {
            if let Some(to) = hits.get_mut(*found as usize) {
                *to = HitRecord::new(&hit, shift);
            }
            *found += 1;
        }),
    };
    status(sinew_handles::skinned_mesh_sphere(mesh).and_then(cast))
}

/// The point of the surface that is nearest to a point.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_mesh_closest_point(
    mesh: f64,
    point: &[f64; 3],
    max_distance: f64,
    hit: &mut HitRecord,
) -> i32 {
    let point = point.map(|component| component as f32);
    let found = sinew_handles::skinned_mesh_closest_point(to_handle(mesh), point, max_distance as f32);
    status(found.map(|found| *hit = HitRecord::new(&found, 0.0)))
}

/// Whether a point is inside the surface.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_mesh_contains(mesh: f64, point: &[f64; 3], inside: &mut u32) -> i32 {
    let point = point.map(|component| component as f32);
    let found = sinew_handles::skinned_mesh_contains(to_handle(mesh), point);
    status(found.map(|found| *inside = found.into()))
}
