//! Crowds: many members of few models.

use sinew::crowd::{CrowdError, CrowdOptions, Member, MemberId, PaletteSpace, SkinnedMember};
use sinew::{Crowd, Matrix};

use crate::instance::{copy_palette, hit_record};
use crate::model::element;
use crate::objects::{CROWDS, model};
use crate::playback::check_finite;
use crate::records::{Bounds, Hit, Layout, Matrix3x4, Ray, SkinSettings, flag};
use crate::skin::{LayoutCache, MeshLengths};
use crate::{Code, Error, Handle};

/// The most members of a crowd.
const MAX_MEMBERS: usize = 1 << 20;
/// The most models of a crowd.
const MAX_MODELS: usize = 1 << 12;
/// The most threads of a crowd.
const MAX_THREADS: u32 = 256;

/// A crowd, and its threads.
#[derive(Debug)]
pub(crate) struct CrowdObject {
    crowd: Crowd,
    models: usize,
    layout: LayoutCache,
    #[cfg(feature = "parallel")]
    pool: Option<rayon::ThreadPool>,
}

impl CrowdObject {
    /// Runs work on the crowd's own threads, or on those that all crowds without any share.
    fn run(&mut self, work: impl FnOnce(&mut Crowd) + Send) {
        let crowd = &mut self.crowd;
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            return pool.install(|| work(crowd));
        }
        work(crowd);
    }

    pub(crate) fn member_mut(&mut self, member: u64) -> Result<&mut Member, Error> {
        let id = member_id(member);
        Ok(self.crowd.member_mut(id).ok_or(CrowdError::MemberNotFound { id })?)
    }
}

/// The library's id of a member's number.
fn member_id(member: u64) -> MemberId {
    // Zero is no member, so that a forgotten initialization is an error.
    MemberId::from_bits(member.wrapping_sub(1))
}

fn member_number(id: MemberId) -> u64 {
    id.to_bits().wrapping_add(1)
}

/// Creates an empty crowd. It works on this number of threads of its own; with 0, on threads that
/// all such crowds share, one for each core. With `world_palettes` 1, palettes and vertices are in
/// world space.
///
/// # Errors
///
/// If the threads cannot be started, there are more than 256, or a setting is not valid.
#[inline(never)]
pub fn crowd_new(threads: u32, world_palettes: u32) -> Result<Handle, Error> {
    let palettes = match flag("palettes in world space", world_palettes)? {
        true => PaletteSpace::World,
        false => PaletteSpace::Model,
    };
    if threads > MAX_THREADS {
        return Err(Error::invalid("threads of a crowd", format_args!("0 to {MAX_THREADS}"), threads));
    }
    #[cfg(not(feature = "parallel"))]
    if threads > 1 {
        return Err(Error::new(Code::Unsupported, "threads of a crowd: this build has none"));
    }
    CROWDS.insert(CrowdObject {
        crowd: Crowd::new(CrowdOptions::default().with_palettes(palettes)),
        models: 0,
        layout: LayoutCache::default(),
        #[cfg(feature = "parallel")]
        pool: match threads {
            0 => None,
            _ => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads as usize)
                    .build()
                    .map_err(|error| Error::new(Code::Limit, format!("threads of a crowd: {error}")))?,
            ),
        },
    })
}

/// Sets the view frustum: six planes `[a, b, c, d]`, where a x + b y + c z + d >= 0 is inside.
/// Members outside are not skinned. `None` skins all.
///
/// # Errors
///
/// If the handle is not of a crowd.
pub fn crowd_set_view(crowd: Handle, view: Option<&[[f32; 4]; 6]>) -> Result<(), Error> {
    CROWDS.write(crowd, |object| {
        object.crowd.options.view = view.copied();
        Ok(())
    })
}

/// Adds a model. Returns its index in the crowd.
///
/// # Errors
///
/// If a handle is not valid, a setting is not valid, or the crowd has 4096 models.
#[inline(never)]
pub fn crowd_add_model(crowd: Handle, of: Handle, settings: &SkinSettings) -> Result<u32, Error> {
    let options = settings.to_library()?;
    let model = model(of)?;
    CROWDS.write(crowd, |object| {
        if object.models == MAX_MODELS {
            let message = format!("expected at most {MAX_MODELS} models in a crowd");
            return Err(Error::new(Code::Limit, message));
        }
        object.models += 1;
        Ok(object.crowd.add_model(&model, &options) as u32)
    })
}

/// Adds a member of a model, at rest. Returns its number, which is never zero and never used again.
///
/// # Errors
///
/// If the handle is not of a crowd, it has no such model, or it has 2^20 members.
pub fn crowd_add(crowd: Handle, model: u32) -> Result<u64, Error> {
    CROWDS.write(crowd, |object| {
        if object.crowd.len() == MAX_MEMBERS {
            let message = format!("expected at most {MAX_MEMBERS} members in a crowd");
            return Err(Error::new(Code::Limit, message));
        }
        Ok(member_number(object.crowd.add(model as usize)?))
    })
}

/// Removes a member.
///
/// # Errors
///
/// If the handle is not of a crowd, or it has no such member.
pub fn crowd_remove(crowd: Handle, member: u64) -> Result<(), Error> {
    CROWDS.write(crowd, |object| {
        let id = member_id(member);
        Ok(object.crowd.remove(id).ok_or(CrowdError::MemberNotFound { id })?)
    })
}

/// The number of members.
///
/// # Errors
///
/// If the handle is not of a crowd.
pub fn crowd_len(crowd: Handle) -> Result<u32, Error> {
    CROWDS.read(crowd, |object| Ok(object.crowd.len() as u32))
}

/// Moves a member: the matrix from model space to world space.
///
/// # Errors
///
/// If the handle is not of a crowd, it has no such member, or a number is not finite.
pub fn crowd_set_world(crowd: Handle, member: u64, world: &Matrix3x4) -> Result<(), Error> {
    world.iter().try_for_each(|&number| check_finite("number of a matrix", number))?;
    CROWDS.write(crowd, |object| {
        object.member_mut(member)?.world = crate::builder::matrix(world);
        Ok(())
    })
}

/// Sets how much work a member is: it is animated in one of `update_interval` steps, offset by
/// `phase`, and skinned with at most `max_influences` per vertex, or all if that is 0.
///
/// # Errors
///
/// If the handle is not of a crowd, or it has no such member.
pub fn crowd_set_detail(
    crowd: Handle,
    member: u64,
    update_interval: u32,
    phase: u32,
    max_influences: u32,
) -> Result<(), Error> {
    CROWDS.write(crowd, |object| {
        let member = object.member_mut(member)?;
        member.update_interval = update_interval;
        member.phase = phase;
        member.max_influences = if max_influences == 0 { usize::MAX } else { max_influences as usize };
        Ok(())
    })
}

/// Advances the animation of all members.
///
/// # Errors
///
/// If the handle is not of a crowd, or the time is not finite.
pub fn crowd_step(crowd: Handle, seconds: f32) -> Result<(), Error> {
    check_finite("seconds", seconds)?;
    CROWDS.write(crowd, |object| {
        object.run(|crowd| crowd.step(seconds));
        Ok(())
    })
}

/// Skins all members in the poses of the last step, on all threads, and passes each to a function,
/// which is called from several threads at the same time.
///
/// # Errors
///
/// If the handle is not of a crowd.
pub fn crowd_skin_each(crowd: Handle, take: &(dyn Fn(u64, SkinnedMember<'_>) + Sync)) -> Result<(), Error> {
    CROWDS.write(crowd, |object| {
        object.run(|crowd| crowd.skin_each_parallel(&|member| take(member_number(member.id), member)));
        Ok(())
    })
}

/// Skins a mesh instance of a member into the caller's buffers, in the pose of the last step.
///
/// # Errors
///
/// If the handle is not of a crowd, there is no such member or mesh instance, it lacks an attribute
/// of the layout, or the layout or the buffers are not valid.
pub fn crowd_skin_into<'a>(
    crowd: Handle,
    member: u64,
    mesh_instance: u32,
    layout: &Layout,
    buffers: impl IntoIterator<Item = &'a mut [u8]>,
    bounds: Option<&mut Bounds>,
) -> Result<(), Error> {
    CROWDS.write(crowd, |object| {
        let id = member_id(member);
        let model = object.member_mut(member)?.model().clone();
        element("mesh instance", model.mesh_instances(), mesh_instance)?;
        let CrowdObject { crowd, layout: cache, .. } = object;
        let mesh = &model.primitive(mesh_instance as usize).mesh;
        cache.with_target(MeshLengths::new(mesh), layout, buffers, bounds, |target| {
            Ok(crowd.skin_into(id, mesh_instance as usize, target)?)
        })
    })
}

/// The palette of a skin of a member after the last step: 12 numbers for each joint, three rows of
/// four. With `columns` 1, 16 numbers: four columns of four.
///
/// # Errors
///
/// If the handle is not of a crowd, there is no such member or skin, or `to` is too short.
pub fn crowd_palette(
    crowd: Handle,
    member: u64,
    skin: u32,
    columns: u32,
    to: &mut [f32],
) -> Result<(), Error> {
    CROWDS.read(crowd, |object| {
        let id = member_id(member);
        let palettes = object.crowd.palettes(id).ok_or(CrowdError::MemberNotFound { id })?;
        copy_palette(element("skin", palettes, skin)?, columns, to)
    })
}

/// The bounds of a member in world space after the last step, computed from joints alone.
///
/// # Errors
///
/// If the handle is not of a crowd, or it has no such member.
pub fn crowd_bounds(crowd: Handle, member: u64) -> Result<Bounds, Error> {
    CROWDS.read(crowd, |object| {
        let id = member_id(member);
        Ok(object.crowd.bounds(id).ok_or(CrowdError::MemberNotFound { id })?.into())
    })
}

/// The matrix from a member's skinned vertices to world space after the last step.
///
/// # Errors
///
/// If the handle is not of a crowd, or it has no such member.
pub fn crowd_world(crowd: Handle, member: u64) -> Result<Matrix3x4, Error> {
    CROWDS.read(crowd, |object| {
        let id = member_id(member);
        let world = object.crowd.world(id).ok_or(CrowdError::MemberNotFound { id })?;
        Ok(matrix_numbers(world))
    })
}

/// The numbers of a matrix, row by row.
#[must_use]
pub fn matrix_numbers(matrix: &Matrix) -> Matrix3x4 {
    let mut numbers = [0.0; 12];
    numbers.copy_from_slice(matrix.rows.as_flattened());
    numbers
}

/// Casts rays in world space against all members.
///
/// # Errors
///
/// If the handle is not of a crowd, or a ray is not valid; hits before it were taken.
pub fn crowd_cast(
    crowd: Handle,
    rays: usize,
    mut ray: impl FnMut(usize) -> Ray,
    mut hit: impl FnMut(usize, Hit),
) -> Result<(), Error> {
    CROWDS.write(crowd, |object| {
        for index in 0..rays {
            let ray = ray(index).to_library()?;
            let found = object.crowd.cast(&ray);
            hit(index, found.map_or_else(Hit::default, |(id, found)| hit_record(member_number(id), &found)));
        }
        Ok(())
    })
}
