//! Models from the caller's arrays.

use sinew::animation::{ClipEvent, Track};
use sinew::model::{MeshInstance, ModelSource, Primitive};
use sinew::{Bone, Clip, JointId, Matrix, Mesh, MeshSource, Model, Runtime, Skeleton, Skin};

use crate::model::check_index;
use crate::objects::{BUILDERS, MODELS, ModelObject};
use crate::records::{Matrix3x4, float_mode};
use crate::{Error, Handle};

/// Begins a model with a skeleton. With `reproducible` 1, all results have the same bits on every
/// machine; with 0, they are computed as fast as possible. `morph_weights` are those at rest.
///
/// # Errors
///
/// If there is no bone, a parent does not come before its child, or a number is not finite.
#[inline(never)]
pub fn builder_new(bones: &[Bone], reproducible: u32, morph_weights: &[f32]) -> Result<Handle, Error> {
    let runtime = Runtime::new(float_mode(reproducible)?)?;
    let skeleton = Skeleton::new(bones)?.with_runtime(runtime).with_morph_weights(morph_weights)?;
    BUILDERS.insert(ModelSource::new(skeleton))
}

/// Adds a skin: joints of the skeleton, and their inverse bind matrices, or those of the rest pose.
/// Returns its index.
///
/// # Errors
///
/// If the handle is not of a builder, a joint does not exist, or there is not a finite matrix for
/// each joint.
#[inline(never)]
pub fn builder_add_skin(
    builder: Handle,
    joints: &[u32],
    inverse_binds: Option<&[Matrix3x4]>,
) -> Result<u32, Error> {
    let joints: Vec<JointId> = joints.iter().map(|&joint| JointId::new(joint as usize)).collect();
    BUILDERS.write(builder, |source| {
        let skin = match inverse_binds {
            None => Skin::new(&source.skeleton, &joints)?,
            Some(matrices) => {
                let matrices: Vec<Matrix> = matrices.iter().map(matrix).collect();
                Skin::with_inverse_binds(&source.skeleton, &joints, &matrices)?
            }
        };
        source.skins.push(skin);
        Ok(source.skins.len() as u32 - 1)
    })
}

/// Adds a primitive: a mesh whose influences refer to joints of a skin. Returns its index.
///
/// # Errors
///
/// If the handle is not of a builder, there is no such skin, or the arrays do not fit together.
#[inline(never)]
pub fn builder_add_mesh(builder: Handle, skin: u32, name: &str, mesh: &MeshSource<'_>) -> Result<u32, Error> {
    BUILDERS.write(builder, |source| {
        let skin = check_index("skin", source.skins.len(), skin)?;
        source.primitives.push(Primitive::new(name, Mesh::new(mesh, &source.skins[skin])?));
        Ok(source.primitives.len() as u32 - 1)
    })
}

/// Gives a primitive texture coordinates: two numbers per vertex, in source order.
///
/// # Errors
///
/// If the handle is not of a builder, there is no such primitive, or the length is wrong.
#[inline(never)]
pub fn builder_add_texture_coordinates(
    builder: Handle,
    primitive: u32,
    coordinates: &[[f32; 2]],
) -> Result<(), Error> {
    BUILDERS.write(builder, |source| {
        let primitive = check_index("primitive", source.primitives.len(), primitive)?;
        let primitive = &mut source.primitives[primitive];
        if coordinates.len() != primitive.mesh.len() {
            let (what, expected) = ("texture coordinates", primitive.mesh.len());
            return Err(
                sinew::Error::from(sinew::LengthError { what, expected, found: coordinates.len() }).into()
            );
        }
        primitive.texture_coordinates.push(coordinates.to_vec());
        Ok(())
    })
}

/// Adds a mesh instance: a primitive on a skin, at a joint, whose morph weights start at an index
/// of the pose's. Returns its index.
///
/// # Errors
///
/// If the handle is not of a builder, or there is no such joint, primitive or skin.
#[inline(never)]
pub fn builder_add_mesh_instance(
    builder: Handle,
    name: &str,
    joint: u32,
    primitive: u32,
    skin: u32,
    first_morph_weight: u32,
) -> Result<u32, Error> {
    BUILDERS.write(builder, |source| {
        let joint = JointId::new(check_index("joint", source.skeleton.len(), joint)?);
        let primitive = check_index("primitive", source.primitives.len(), primitive)?;
        let skin = check_index("skin", source.skins.len(), skin)?;
        let (first, count) = (first_morph_weight as usize, source.primitives[primitive].mesh.morph_count());
        let weights = source.skeleton.rest().morph_weights().len();
        if first > weights || count > weights - first {
            return Err(Error::out_of_range("last morph weight", weights, first + count));
        }
        let instance = MeshInstance {
            primitive,
            skin,
            morph_weights: first..first + count,
            ..MeshInstance::new(name, joint)
        };
        source.mesh_instances.push(instance);
        Ok(source.mesh_instances.len() as u32 - 1)
    })
}

/// Adds a clip. Returns its index.
///
/// # Errors
///
/// If the handle is not of a builder, or a track is not valid.
#[inline(never)]
pub fn builder_add_clip(builder: Handle, name: &str, tracks: &[Track<'_>]) -> Result<u32, Error> {
    BUILDERS.write(builder, |source| {
        source.clips.push(Clip::new(name, &source.skeleton, tracks)?);
        Ok(source.clips.len() as u32 - 1)
    })
}

/// Sets the events of a clip: named times that fire when playback reaches them.
///
/// # Errors
///
/// If the handle is not of a builder, there is no such clip, or a time is not within it.
#[inline(never)]
pub fn builder_set_events(builder: Handle, clip: u32, events: Vec<ClipEvent>) -> Result<(), Error> {
    BUILDERS.write(builder, |source| {
        let clip = check_index("clip", source.clips.len(), clip)?;
        let clip = &mut source.clips[clip];
        *clip = clip.clone().with_events(events)?;
        Ok(())
    })
}

/// Makes the model. The builder is destroyed, also after an error.
///
/// # Errors
///
/// If the handle is not of a builder, or the elements of the model do not fit together.
#[inline(never)]
pub fn builder_finish(builder: Handle) -> Result<Handle, Error> {
    let model = Model::new(BUILDERS.remove(builder)?)?;
    MODELS.insert(ModelObject { model, warnings: Vec::new() })
}

/// The library's matrix.
pub(crate) fn matrix(numbers: &Matrix3x4) -> Matrix {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = *numbers;
    Matrix { rows: [[a, b, c, d], [e, f, g, h], [i, j, k, l]] }
}
