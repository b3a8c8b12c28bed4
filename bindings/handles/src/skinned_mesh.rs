//! A mesh that the caller poses: an engine animates, sinew skins and answers questions.

use std::sync::Arc;

use sinew::bounds::{BoundsOptions, JointBounds};
use sinew::mesh::{Attributes, Morphed, VectorBlock};
use sinew::query::{LazyBvh, LazyRayCast, OverlapShape, TriangleHit};
use sinew::skinning::{
    Blending, DualQuaternionPalette, Palette, SkinOptions, Target, VertexOrder, VertexOutput,
};
use sinew::{
    Aabb, Bone, JointId, Matrix, Mesh, MeshSource, Runtime, Skeleton, Skin, Transform as RestTransform,
};

use crate::model::{output, vertex_order};
use crate::objects::SKINNED_MESHES;
use crate::playback::check_finite;
use crate::records::{Bounds, Hit, Layout, Ray, SkinSettings, Sphere, flag, float_mode};
use crate::skin::{LayoutCache, MeshLengths};
use crate::{Code, Error, Handle};

/// The most joints of a skinned mesh.
const MAX_JOINTS: u32 = 1 << 16;

/// A mesh, its palette and morph weights, and what is derived from them.
#[derive(Debug)]
pub(crate) struct SkinnedMeshObject {
    /// Shared by clones.
    mesh: Arc<Mesh>,
    options: SkinOptions<'static>,
    palette: Palette,
    dual_quaternions: Option<DualQuaternionPalette>,
    weights: Vec<f32>,
    /// In run order and in source order; made by the first use.
    morphed: [Option<MorphedVertices>; 2],
    /// Counts changes of the palette and the weights; starts at one.
    version: u64,
    /// Built by the first bounds; shared by clones that are made after it.
    bounds: Option<Arc<JointBounds>>,
    /// Built by the first query, with the version that it is at.
    bvh: Option<(LazyBvh, u64)>,
    layout: LayoutCache,
}

#[derive(Debug)]
struct MorphedVertices {
    morphed: Morphed,
    version: u64,
}

/// Creates a skinned mesh of this number of joints, all of them at rest.
///
/// # Errors
///
/// If the arrays do not fit together, a setting is not valid, or there is no joint or more than
/// 65536.
#[inline(never)]
pub fn skinned_mesh_new(
    joints: u32,
    mesh: &MeshSource<'_>,
    settings: &SkinSettings,
    reproducible: u32,
) -> Result<Handle, Error> {
    if joints == 0 || joints > MAX_JOINTS {
        return Err(Error::invalid("joints of a skinned mesh", format_args!("1 to {MAX_JOINTS}"), joints));
    }
    let runtime = Runtime::new(float_mode(reproducible)?)?;
    let bones = vec![Bone::new("", None, RestTransform::IDENTITY); joints as usize];
    let skeleton = Skeleton::new(&bones)?.with_runtime(runtime);
    let ids: Vec<JointId> = skeleton.joints().collect();
    let identities = skeleton.identity_matrices();
    let skin = Skin::with_inverse_binds(&skeleton, &ids, &identities)?;
    let mesh = Arc::new(Mesh::new(mesh, &skin)?);
    let options =
        SkinOptions::default().with_directions(settings.directions()?).with_normals(settings.normals()?);
    let mut palette = Palette::new(&skin);
    palette.copy_from_matrices(&identities)?;
    let dual_quaternions = match flag("dual quaternions", settings.dual_quaternions)? {
        true if mesh.has_joint_space_influences() => None,
        true => Some(DualQuaternionPalette::new(&skin)),
        false => None,
    };
    let mut object = SkinnedMeshObject {
        weights: vec![0.0; mesh.morph_count()],
        mesh,
        options,
        palette,
        dual_quaternions,
        morphed: [None, None],
        version: 0,
        bounds: None,
        bvh: None,
        layout: LayoutCache::default(),
    };
    object.palette_changed()?;
    SKINNED_MESHES.insert(object)
}

/// Creates another skinned mesh in the same pose, with a pose of its own from then on. It shares
/// the vertices, and the BVH and the bounds if a query has built them before.
///
/// # Errors
///
/// If the handle is not of a skinned mesh.
pub fn skinned_mesh_clone(mesh: Handle) -> Result<Handle, Error> {
    let clone = SKINNED_MESHES.read(mesh, |object| {
        Ok(SkinnedMeshObject {
            mesh: Arc::clone(&object.mesh),
            options: object.options,
            palette: object.palette.clone(),
            dual_quaternions: object.dual_quaternions.clone(),
            weights: object.weights.clone(),
            morphed: [None, None],
            version: object.version,
            bounds: object.bounds.clone(),
            bvh: object.bvh.clone(),
            layout: LayoutCache::default(),
        })
    })?;
    SKINNED_MESHES.insert(clone)
}

impl SkinnedMeshObject {
    fn palette_changed(&mut self) -> Result<(), Error> {
        self.version += 1;
        if let Some(dual_quaternions) = &mut self.dual_quaternions {
            dual_quaternions.update(&self.palette)?;
        }
        Ok(())
    }

    /// Morphs the vertices for an output in an order, unless that is done for this version. Returns
    /// the index of the order in which they are: dual quaternions are blended in run order.
    fn morph(&mut self, output: VertexOrder) -> Result<usize, Error> {
        let order = if self.dual_quaternions.is_some() { VertexOrder::Run } else { output };
        if self.weights.is_empty() {
            return Ok(order_index(order));
        }
        let vertices = self.morphed[order_index(order)].get_or_insert_with(|| MorphedVertices {
            morphed: Morphed::in_order(&self.mesh, order),
            version: 0,
        });
        if vertices.version != self.version {
            self.mesh.morph(&self.weights, &mut vertices.morphed)?;
            vertices.version = self.version;
        }
        Ok(order_index(order))
    }

    /// Calls a function with the BVH in the current pose.
    fn query<R>(&mut self, ask: impl FnOnce(&mut LazyRayCast<'_>, &Mesh) -> R) -> Result<R, Error> {
        self.morph(VertexOrder::Run)?;
        let Self { mesh, options, palette, dual_quaternions, morphed, version, bvh, .. } = self;
        let options = with_pose(options, dual_quaternions.as_ref(), &morphed[0]);
        let (bvh, at) = bvh.get_or_insert_with(|| (LazyBvh::build(mesh), 0));
        let resumes = std::mem::replace(at, *version) == *version;
        let mut cast = match resumes {
            true => bvh.resume(mesh, palette, &options)?,
            false => bvh.begin(mesh, palette, &options)?,
        };
        Ok(ask(&mut cast, mesh))
    }

    fn bounds_options(&mut self) -> (&JointBounds, &Palette, BoundsOptions<'_>) {
        let bounds = self.bounds.get_or_insert_with(|| Arc::new(JointBounds::build(&self.mesh)));
        let options = BoundsOptions::default().with_morph_weights(&self.weights);
        let options = match &self.dual_quaternions {
            Some(palette) => options.with_blending(Blending::DualQuaternion(palette)),
            None => options,
        };
        (bounds, &self.palette, options)
    }
}

fn order_index(order: VertexOrder) -> usize {
    match order {
        VertexOrder::Run => 0,
        VertexOrder::Source => 1,
    }
}

fn with_pose<'a>(
    options: &SkinOptions<'static>,
    dual_quaternions: Option<&'a DualQuaternionPalette>,
    morphed: &'a Option<MorphedVertices>,
) -> SkinOptions<'a> {
    let options: SkinOptions<'a> = *options;
    let options = match dual_quaternions {
        Some(palette) => options.with_blending(Blending::DualQuaternion(palette)),
        None => options,
    };
    match morphed {
        Some(vertices) => options.with_morphed(&vertices.morphed),
        None => options,
    }
}

/// Sets the palette: for each joint the matrix from the mesh at rest to where it is now. 12 numbers
/// each, three rows of four; with `columns` 1, 16 numbers: four columns of four.
///
/// # Errors
///
/// If the handle is not of a skinned mesh, or there is not one matrix per joint.
pub fn skinned_mesh_set_palette(mesh: Handle, columns: u32, matrices: &[f32]) -> Result<(), Error> {
    let columns = flag("columns of a palette", columns)?;
    SKINNED_MESHES.write(mesh, |object| {
        let len = object.palette.matrices().len();
        let expected = len * if columns { 16 } else { 12 };
        if matrices.len() != expected {
            let message = format!("numbers of a palette: expected {expected}, found {}", matrices.len());
            return Err(Error::new(Code::Length, message));
        }
        if columns {
            object.palette.copy_from_4x4(matrices.as_chunks().0)?;
        } else {
            let matrices: Vec<Matrix> =
                matrices.as_chunks::<12>().0.iter().map(crate::builder::matrix).collect();
            object.palette.copy_from_matrices(&matrices)?;
        }
        object.palette_changed()
    })
}

/// Sets the morph weights.
///
/// # Errors
///
/// If the handle is not of a skinned mesh, or there is not one finite weight per morph target.
pub fn skinned_mesh_set_morph_weights(mesh: Handle, weights: &[f32]) -> Result<(), Error> {
    weights.iter().try_for_each(|&weight| check_finite("morph weight", weight))?;
    SKINNED_MESHES.write(mesh, |object| {
        if weights.len() != object.weights.len() {
            let message =
                format!("morph weights: expected {}, found {}", object.weights.len(), weights.len());
            return Err(Error::new(Code::Length, message));
        }
        object.weights.copy_from_slice(weights);
        object.version += 1;
        Ok(())
    })
}

/// The number of vertices in an order (0 source, 1 run) and the number of triangles.
///
/// # Errors
///
/// If the handle is not of a skinned mesh, or there is no such order.
pub fn skinned_mesh_counts(mesh: Handle, order: u32) -> Result<(u32, u32), Error> {
    let order = vertex_order(order)?;
    SKINNED_MESHES
        .read(mesh, |object| Ok((object.mesh.len_in(order) as u32, object.mesh.triangles().len() as u32)))
}

/// The corners of each triangle, as indices of vertices in an order: 0 source, 1 run.
///
/// # Errors
///
/// If the handle is not of a skinned mesh, there is no such order, or `to` is too short.
pub fn skinned_mesh_triangles(mesh: Handle, order: u32, to: &mut [u32]) -> Result<(), Error> {
    let order = vertex_order(order)?;
    SKINNED_MESHES.read(mesh, |object| {
        let triangles = object.mesh.triangles_in(order);
        output("indices", to, 3 * triangles.len())?.copy_from_slice(triangles.as_flattened());
        Ok(())
    })
}

/// Skins into the caller's buffers. Writes the exact bounds if they are asked for.
///
/// # Errors
///
/// If the handle is not of a skinned mesh, it lacks an attribute of the layout, or the layout or
/// the buffers are not valid.
pub fn skinned_mesh_skin_into<'a>(
    mesh: Handle,
    layout: &Layout,
    buffers: impl IntoIterator<Item = &'a mut [u8]>,
    bounds: Option<&mut Bounds>,
) -> Result<(), Error> {
    let order = vertex_order(layout.order)?;
    SKINNED_MESHES.write(mesh, |object| {
        let morphed_order = object.morph(order)?;
        let SkinnedMeshObject { mesh, options, palette, dual_quaternions, morphed, layout: cache, .. } =
            object;
        let options = with_pose(options, dual_quaternions.as_ref(), &morphed[morphed_order]);
        cache.with_target(MeshLengths::new(mesh), layout, buffers, bounds, |target| {
            Ok(mesh.skin_into(palette, &options, target)?)
        })
    })
}

/// Bounds of all vertices, computed from joints alone.
///
/// # Errors
///
/// If the handle is not of a skinned mesh.
pub fn skinned_mesh_bounds(mesh: Handle) -> Result<Bounds, Error> {
    SKINNED_MESHES.write(mesh, |object| {
        let (bounds, palette, options) = object.bounds_options();
        Ok(bounds.aabb(palette, &options)?.into())
    })
}

/// The smallest box of all vertices, which are skinned for it, a few at a time.
///
/// # Errors
///
/// If the handle is not of a skinned mesh.
pub fn skinned_mesh_exact_bounds(mesh: Handle) -> Result<Bounds, Error> {
    const TILE: usize = 256;
    SKINNED_MESHES.write(mesh, |object| {
        object.morph(VertexOrder::Run)?;
        let SkinnedMeshObject { mesh, options, palette, dual_quaternions, morphed, .. } = object;
        let options = with_pose(options, dual_quaternions.as_ref(), &morphed[0]);
        let mut tile = [VectorBlock::default(); TILE];
        let mut bounds = Aabb::EMPTY;
        for first in (0..mesh.blocks()).step_by(TILE) {
            let window = first..mesh.blocks().min(first + TILE);
            let output = VertexOutput::Blocks(&mut tile[..window.len()]);
            let target = Target::new(Attributes::Positions, output).with_window(window);
            mesh.skin_into(palette, &options, target.with_bounds(&mut bounds))?;
        }
        Ok(bounds.into())
    })
}

/// A bounding sphere of all vertices, computed from joints alone.
///
/// # Errors
///
/// If the handle is not of a skinned mesh.
pub fn skinned_mesh_sphere(mesh: Handle) -> Result<Sphere, Error> {
    SKINNED_MESHES.write(mesh, |object| {
        let (bounds, palette, options) = object.bounds_options();
        let sphere = bounds.sphere(palette, &options)?;
        Ok(Sphere { center: sphere.center, radius: sphere.radius })
    })
}

/// Casts rays. Only vertices that rays come near are skinned, once until the pose changes.
///
/// # Errors
///
/// If the handle is not of a skinned mesh, or a ray is not valid; hits before it were taken.
pub fn skinned_mesh_cast(
    mesh: Handle,
    rays: usize,
    mut ray: impl FnMut(usize) -> Ray,
    mut hit: impl FnMut(usize, Hit),
) -> Result<(), Error> {
    SKINNED_MESHES.write(mesh, |object| {
        object.query(|cast, mesh| {
            for index in 0..rays {
                let ray = ray(index).to_library()?;
                let found = cast.closest_hit(&ray);
                hit(index, found.map_or_else(Hit::default, |found| hit_record(mesh, &found)));
            }
            Ok(())
        })?
    })
}

/// Casts a ray and hands out all its hits, the closest first.
///
/// # Errors
///
/// If the handle is not of a skinned mesh, or the ray is not valid.
pub fn skinned_mesh_cast_all(mesh: Handle, ray: Ray, mut hit: impl FnMut(Hit)) -> Result<(), Error> {
    let ray = ray.to_library()?;
    SKINNED_MESHES.write(mesh, |object| {
        object.query(|cast, mesh| {
            let mut hits = Vec::new();
            cast.all_hits(&ray, &mut hits);
            hits.iter().for_each(|found| hit(hit_record(mesh, found)));
        })
    })
}

fn hit_record(mesh: &Mesh, found: &TriangleHit) -> Hit {
    Hit {
        is_hit: 1,
        joint: mesh.dominant_joint(found.triangle, found.barycentrics).index() as u32,
        triangle: found.triangle as u32,
        barycentrics: found.barycentrics,
        point: found.point,
        normal: found.normal,
        distance: found.distance,
        side: (found.side == sinew::geometry::Side::Back).into(),
        ..Hit::default()
    }
}

/// Skins the whole mesh and refits its BVH now, for callers that will cast many rays in this pose.
///
/// # Errors
///
/// If the handle is not of a skinned mesh.
pub fn skinned_mesh_refit(mesh: Handle) -> Result<(), Error> {
    SKINNED_MESHES.write(mesh, |object| {
        object.query(|cast, _| {
            cast.bvh();
        })
    })
}

/// The point of the surface nearest to a point, if there is one within a distance: as a hit whose
/// side is always the front.
///
/// # Errors
///
/// If the handle is not of a skinned mesh.
pub fn skinned_mesh_closest_point(mesh: Handle, point: [f32; 3], max_distance: f32) -> Result<Hit, Error> {
    SKINNED_MESHES.write(mesh, |object| {
        object.query(|cast, mesh| {
            let found = cast.bvh().closest_point(point, max_distance);
            found.map_or_else(Hit::default, |found| Hit {
                is_hit: 1,
                joint: mesh.dominant_joint(found.triangle, found.barycentrics).index() as u32,
                triangle: found.triangle as u32,
                barycentrics: found.barycentrics,
                point: found.point,
                normal: found.normal,
                distance: found.distance,
                ..Hit::default()
            })
        })
    })
}

/// Whether a point is inside the surface.
///
/// # Errors
///
/// If the handle is not of a skinned mesh.
pub fn skinned_mesh_contains(mesh: Handle, point: [f32; 3]) -> Result<bool, Error> {
    SKINNED_MESHES.write(mesh, |object| object.query(|cast, _| cast.bvh().contains(point)))
}

/// Whether the surface touches a shape.
///
/// # Errors
///
/// If the handle is not of a skinned mesh.
pub fn skinned_mesh_overlaps(mesh: Handle, shape: &OverlapShape) -> Result<bool, Error> {
    SKINNED_MESHES.write(mesh, |object| object.query(|cast, _| cast.bvh().overlaps(shape)))
}

/// A box to ask [`skinned_mesh_overlaps`] about.
#[must_use]
pub fn overlap_box(bounds: Bounds) -> OverlapShape {
    OverlapShape::Box(Aabb { min: bounds.min, max: bounds.max })
}
