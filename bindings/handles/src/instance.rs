//! Instances: steps, poses, palettes, bounds, vertices and rays.

use sinew::model::ClipSampler;
use sinew::skinning::Palette;
use sinew::{Instance, JointId, Matrix};

use crate::model::{check_index, element, output};
use crate::objects::{INSTANCES, model};
use crate::playback::{check_finite, check_seconds};
use crate::records::{Bounds, Hit, Layout, Matrix3x4, Ray, SkinSettings, Sphere, Transform};
use crate::skin::{LayoutCache, MeshLengths};
use crate::{Error, Handle};

/// An instance, and what calls on it reuse.
#[derive(Debug)]
pub(crate) struct InstanceObject {
    pub(crate) instance: Instance,
    pub(crate) layout: LayoutCache,
    sampler: ClipSampler,
}

impl InstanceObject {
    pub(crate) fn new(instance: Instance) -> Self {
        Self { instance, layout: LayoutCache::default(), sampler: ClipSampler::default() }
    }
}

/// Creates an instance of a model, at rest.
///
/// # Errors
///
/// If the handle is not of a model, or a setting is not valid.
#[inline(never)]
pub fn instance_new(of: Handle, settings: &SkinSettings) -> Result<Handle, Error> {
    let options = settings.to_library()?;
    INSTANCES.insert(InstanceObject::new(model(of)?.instance_with(&options)))
}

/// Advances the animation: samples and blends all clips.
///
/// # Errors
///
/// If the handle is not of an instance, or the time is not finite.
#[inline]
pub fn instance_step(instance: Handle, seconds: f32) -> Result<(), Error> {
    check_finite("seconds", seconds)?;
    INSTANCES.write(instance, |object| {
        object.instance.step(seconds);
        Ok(())
    })
}

/// Sets the matrix from model space to world space, for modifiers that simulate in world space.
/// Vertices and queries stay in model space.
///
/// # Errors
///
/// If the handle is not of an instance, or a number is not finite.
pub fn instance_set_world(instance: Handle, world: &Matrix3x4) -> Result<(), Error> {
    world.iter().try_for_each(|&number| check_finite("number of a matrix", number))?;
    INSTANCES.write(instance, |object| {
        object.instance.set_world(crate::builder::matrix(world));
        Ok(())
    })
}

/// Poses an instance at a time of a clip, without playing it. The next step overwrites it.
///
/// # Errors
///
/// If the handle is not of an instance, there is no such clip, or the time is not finite.
pub fn instance_sample(instance: Handle, clip: u32, seconds: f32) -> Result<(), Error> {
    check_seconds(f64::from(seconds))?;
    INSTANCES.write(instance, |object| {
        let InstanceObject { instance, sampler, .. } = object;
        sampler.set_clip(instance.model(), Some(clip as usize))?;
        Ok(instance.sample_clip(sampler, seconds)?)
    })
}

/// The transforms of joints relative to their parents, from a first joint on.
///
/// # Errors
///
/// If the handle is not of an instance, or it has fewer joints.
pub fn instance_pose(instance: Handle, first: u32, to: &mut [Transform]) -> Result<(), Error> {
    INSTANCES.read(instance, |object| {
        let pose = object.instance.pose();
        for (joint, to) in joints(pose.len(), first, to.len())?.zip(to) {
            *to = pose.transform(JointId::new(joint)).into();
        }
        Ok(())
    })
}

/// Sets the transforms of joints relative to their parents, from a first joint on. The next step
/// overwrites them.
///
/// # Errors
///
/// If the handle is not of an instance, it has fewer joints, or a number is not finite.
pub fn instance_set_pose(instance: Handle, first: u32, transforms: &[Transform]) -> Result<(), Error> {
    for Transform { rotation, translation, scale } in transforms {
        let mut numbers = rotation.iter().chain(translation).chain(scale);
        numbers.try_for_each(|&number| check_finite("number of a transform", number))?;
    }
    INSTANCES.write(instance, |object| {
        let instance = &mut object.instance;
        for (joint, &transform) in joints(instance.pose().len(), first, transforms.len())?.zip(transforms) {
            instance.joint_mut(JointId::new(joint)).set_transform(&transform.into());
        }
        Ok(())
    })
}

fn joints(joints: usize, first: u32, len: usize) -> Result<std::ops::Range<usize>, Error> {
    let first = first as usize;
    match first.checked_add(len) {
        Some(end) if end <= joints => Ok(first..end),
        end => Err(Error::out_of_range("last joint", joints, end.unwrap_or(usize::MAX))),
    }
}

/// The morph weights of the pose.
///
/// # Errors
///
/// If the handle is not of an instance, or `to` is shorter than the number of weights.
pub fn instance_morph_weights(instance: Handle, to: &mut [f32]) -> Result<(), Error> {
    INSTANCES.read(instance, |object| {
        let weights = object.instance.pose().morph_weights();
        output("morph weights", to, weights.len())?.copy_from_slice(weights);
        Ok(())
    })
}

/// Sets morph weights of the pose, from a first one on. The next step overwrites them.
///
/// # Errors
///
/// If the handle is not of an instance, it has fewer weights, or one is not finite.
pub fn instance_set_morph_weights(instance: Handle, first: u32, weights: &[f32]) -> Result<(), Error> {
    weights.iter().try_for_each(|&weight| check_finite("morph weight", weight))?;
    INSTANCES.write(instance, |object| {
        let to = object.instance.pose_mut().morph_weights_mut();
        let (len, first) = (to.len(), first as usize);
        let to = to.get_mut(first..).and_then(|to| to.get_mut(..weights.len()));
        let last = first.saturating_add(weights.len());
        to.ok_or_else(|| Error::out_of_range("last morph weight", len, last))?.copy_from_slice(weights);
        Ok(())
    })
}

/// The matrices from joints to model space: 12 numbers each, three rows of four.
///
/// # Errors
///
/// If the handle is not of an instance, or `to` is too short.
pub fn instance_matrices(instance: Handle, to: &mut [f32]) -> Result<(), Error> {
    INSTANCES.write(instance, |object| copy_matrices(object.instance.model_matrices(), to))
}

/// The palette of a skin: 12 numbers for each joint, three rows of four. With `columns` 1, 16
/// numbers: four columns of four.
///
/// # Errors
///
/// If the handle is not of an instance, there is no such skin, or `to` is too short.
pub fn instance_palette(instance: Handle, skin: u32, columns: u32, to: &mut [f32]) -> Result<(), Error> {
    INSTANCES.write(instance, |object| {
        copy_palette(element("skin", object.instance.palettes(), skin)?, columns, to)
    })
}

pub(crate) fn copy_palette(palette: &Palette, columns: u32, to: &mut [f32]) -> Result<(), Error> {
    if !crate::records::flag("columns of a palette", columns)? {
        return copy_matrices(palette.matrices(), to);
    }
    let to = output("numbers of a palette", to, 16 * palette.matrices().len())?;
    let (to, _) = to.as_chunks_mut::<16>();
    Ok(palette.copy_to_4x4(to)?)
}

pub(crate) fn copy_matrices(matrices: &[Matrix], to: &mut [f32]) -> Result<(), Error> {
    let (to, _) = output("numbers of matrices", to, 12 * matrices.len())?.as_chunks_mut::<12>();
    for (to, matrix) in to.iter_mut().zip(matrices) {
        to.copy_from_slice(matrix.rows.as_flattened());
    }
    Ok(())
}

/// Bounds of all vertices in the current pose, computed from joints alone.
///
/// # Errors
///
/// If the handle is not of an instance.
pub fn instance_bounds(instance: Handle) -> Result<Bounds, Error> {
    INSTANCES.write(instance, |object| Ok(object.instance.bounds().into()))
}

/// A bounding sphere of all vertices in the current pose, computed from joints alone.
///
/// # Errors
///
/// If the handle is not of an instance.
pub fn instance_sphere(instance: Handle) -> Result<Sphere, Error> {
    INSTANCES.write(instance, |object| {
        let sphere = object.instance.sphere();
        Ok(Sphere { center: sphere.center, radius: sphere.radius })
    })
}

/// Skins a mesh instance into the caller's buffers. Returns the exact bounds if they are asked for.
///
/// # Errors
///
/// If the handle is not of an instance, there is no such mesh instance, it lacks an attribute of
/// the layout, or the layout or the buffers are not valid.
#[inline]
pub fn instance_skin_into<'a>(
    instance: Handle,
    mesh_instance: u32,
    layout: &Layout,
    buffers: impl IntoIterator<Item = &'a mut [u8]>,
    bounds: Option<&mut Bounds>,
) -> Result<(), Error> {
    INSTANCES.write(instance, |object| {
        let InstanceObject { instance, layout: cache, .. } = object;
        let primitives = instance.model().mesh_instances().len();
        let mesh_instance = check_index("mesh instance", primitives, mesh_instance)?;
        let lengths = MeshLengths::new(&instance.model().primitive(mesh_instance).mesh);
        cache.with_target(lengths, layout, buffers, bounds, |target| {
            Ok(instance.skin_into(mesh_instance, target)?)
        })
    })
}

/// Casts rays against an instance. `ray` returns the rays, which are in model space, and `hit`
/// takes the nearest hit of each.
///
/// # Errors
///
/// If the handle is not of an instance, or a ray is not valid; hits before it were taken.
pub fn instance_cast(
    instance: Handle,
    rays: usize,
    ray: impl FnMut(usize) -> Ray,
    hit: impl FnMut(usize, Hit),
) -> Result<(), Error> {
    INSTANCES.write(instance, |object| cast_rays(&mut object.instance, rays, ray, hit))
}

pub(crate) fn cast_rays(
    instance: &mut Instance,
    rays: usize,
    mut ray: impl FnMut(usize) -> Ray,
    mut hit: impl FnMut(usize, Hit),
) -> Result<(), Error> {
    for index in 0..rays {
        let ray = ray(index).to_library()?;
        hit(index, instance.cast(&ray).map_or_else(Hit::default, |found| hit_record(0, &found)));
    }
    Ok(())
}

pub(crate) fn hit_record(member: u64, hit: &sinew::Hit) -> Hit {
    Hit {
        member,
        is_hit: 1,
        mesh_instance: hit.mesh_instance as u32,
        joint: hit.joint.index() as u32,
        triangle: hit.triangle as u32,
        barycentrics: hit.barycentrics,
        point: hit.point,
        normal: hit.normal,
        distance: hit.distance,
        side: (hit.side == sinew::geometry::Side::Back).into(),
        reserved: 0,
    }
}
