//! Repairs the primitives of a scene, and builds the primitives of the model from them.

use std::borrow::Cow;

use sinew::model::Primitive;
use sinew::{Mesh, MeshSource, Skin};

use super::context::ImportContext;
use super::directions::{repair_normals, repair_tangents};
use super::influences::{self, MeshInfluences};
use super::morphs;
use super::raw_scene::{RawInfluences, RawPrimitive};
use super::triangles::triangulate;
use super::warning_count::replace_unusable;
use crate::error::BoxedError as Error;
use crate::{Report, Tangents};

/// Bytes of a mesh per vertex, in addition to the decoded attributes, at least.
const VERTEX_BYTES: u64 = 32;

/// Bytes of a primitive in addition to its vertices, and temporary bytes per joint of the skin. The
/// latter bound the time: many primitives times many joints.
const PRIMITIVE_BYTES: u64 = 1024;
const JOINT_BYTES: u64 = 8;

/// Temporary bytes per triangle for generating tangents.
const TANGENT_BYTES: u64 = 540;

/// What moves a primitive.
#[derive(Clone, Copy)]
pub(super) enum SkinBinding<'a> {
    /// Its own joints and weights, with this skin.
    Skinned(&'a Skin),
    /// The only joint of this skin.
    Rigid(&'a Skin),
}

/// Repairs everything of a primitive that does not depend on its skin.
pub(super) fn repair(primitive: &mut RawPrimitive<'_>, context: &mut ImportContext<'_>) -> Result<(), Error> {
    let vertices = primitive.vertex_count();
    let location = primitive.location.clone();
    context.spend(vertices as u64 * VERTEX_BYTES, &location)?;
    check_lengths(primitive, vertices)?;
    let unusable = replace_unusable(&mut primitive.positions, 0.0);
    unusable.warn(
        context.report,
        format_args!("{location}.attributes.POSITION"),
        "the positions with numbers that are not finite",
        "these became zero",
    )?;
    repair_directions(primitive, context.report)?;
    triangulate(primitive, context)?;
    repair_sets(&mut primitive.texture_coordinates, &location, "TEXCOORD", context.report)?;
    if primitive.tangents.is_none() && context.options.tangents == Tangents::Generate {
        generate_tangents(primitive, context)?;
    }
    repair_sets(&mut primitive.colors, &location, "COLOR", context.report)?;
    let present = [true, primitive.normals.is_some(), primitive.tangents.is_some()];
    morphs::repair(primitive, present, context)
}

/// Builds the primitive of the model. Missing normals stay missing.
pub(super) fn build(
    primitive: &mut RawPrimitive<'_>,
    binding: SkinBinding<'_>,
    (mesh_name, target_names): (&str, &[String]),
    context: &mut ImportContext<'_>,
) -> Result<Primitive, Error> {
    let (SkinBinding::Skinned(skin) | SkinBinding::Rigid(skin)) = binding;
    context.spend(PRIMITIVE_BYTES + skin.len() as u64 * JOINT_BYTES, &primitive.location)?;
    let influences = match binding {
        SkinBinding::Skinned(skin) => {
            influences::repair(primitive, skin.len(), context.report)?;
            MeshInfluences::new(&primitive.influences)
        }
        SkinBinding::Rigid(_) => MeshInfluences::rigid(primitive.vertex_count()),
    };
    let in_joint_space = matches!(primitive.influences, RawInfluences::JointSpace { .. });
    let positions = if in_joint_space { &[][..] } else { &primitive.positions };
    let source = MeshSource {
        normals: primitive.normals.as_deref(),
        tangents: primitive.tangents.as_deref(),
        triangles: primitive.corners.as_deref().unwrap_or_default().as_chunks().0,
        levels: &context.options.levels,
        morphs: &morphs::sources(&primitive.targets, target_names),
        ..MeshSource::new(positions, influences.influences())
    };
    let name = if primitive.name.is_empty() { mesh_name } else { &primitive.name };
    let names = target_names.iter().map(String::len).sum::<usize>() + name.len();
    context.spend(names as u64, &primitive.location)?;
    let name = name.to_owned();
    let mesh = Mesh::new(&source, skin).map_err(|error| Error::model(&primitive.location, error))?;
    // The mesh has its own copy of these, and their memory serves the copies below.
    drop(influences);
    (primitive.positions, primitive.normals, primitive.tangents) = (Cow::default(), None, None);
    (primitive.corners, primitive.influences) = (None, RawInfluences::None);
    Ok(Primitive {
        name,
        mesh,
        texture_coordinates: into_owned(&mut primitive.texture_coordinates),
        colors: into_owned(&mut primitive.colors),
        material: primitive.material,
    })
}

/// Takes the sets of an attribute.
fn into_owned<const N: usize>(sets: &mut Vec<Cow<'_, [[f32; N]]>>) -> Vec<Vec<[f32; N]>> {
    std::mem::take(sets).into_iter().map(Cow::into_owned).collect()
}

/// Checks that every array has an element per vertex.
fn check_lengths(primitive: &RawPrimitive<'_>, vertices: usize) -> Result<(), Error> {
    let length = |name: &str, found: usize| {
        if found == vertices {
            return Ok(());
        }
        let location = format!("{}.attributes.{name}", primitive.location);
        Err(Error::invalid(location, format!("{vertices} elements, one for each vertex"), found.to_string()))
    };
    if !primitive.positions.is_empty() {
        length("POSITION", primitive.positions.len())?;
    }
    primitive.normals.iter().try_for_each(|normals| length("NORMAL", normals.len()))?;
    primitive.tangents.iter().try_for_each(|tangents| length("TANGENT", tangents.len()))?;
    for (set, found) in primitive.texture_coordinates.iter().enumerate().filter(|set| !set.1.is_empty()) {
        length(&format!("TEXCOORD_{set}"), found.len())?;
    }
    for (set, found) in primitive.colors.iter().enumerate().filter(|set| !set.1.is_empty()) {
        length(&format!("COLOR_{set}"), found.len())?;
    }
    Ok(())
}

/// Normalizes normals and tangents. Tangents without normals are dropped.
fn repair_directions(primitive: &mut RawPrimitive<'_>, report: &mut Report) -> Result<(), Error> {
    let location = &primitive.location;
    let Some(normals) = &mut primitive.normals else {
        primitive.tangents = None;
        return Ok(());
    };
    repair_normals(normals, &format!("{location}.attributes.NORMAL"), report)?;
    match &mut primitive.tangents {
        Some(tangents) => repair_tangents(tangents, &format!("{location}.attributes.TANGENT"), report),
        None => Ok(()),
    }
}

fn repair_sets<const N: usize>(
    sets: &mut [Cow<'_, [[f32; N]]>],
    location: &str,
    name: &str,
    report: &mut Report,
) -> Result<(), Error> {
    for (set, found) in sets.iter_mut().enumerate() {
        let unusable = replace_unusable(found, 0.0);
        unusable.warn(
            report,
            format_args!("{location}.attributes.{name}_{set}"),
            "the elements with numbers that are not finite",
            "these became zero",
        )?;
    }
    Ok(())
}

/// Generates tangents if there are normals and texture coordinates.
fn generate_tangents(primitive: &mut RawPrimitive<'_>, context: &ImportContext<'_>) -> Result<(), Error> {
    let RawPrimitive { location, positions, normals: Some(normals), corners: Some(corners), .. } = primitive
    else {
        return Ok(());
    };
    let set = primitive.texture_coordinates.get(primitive.tangent_set).filter(|set| !set.is_empty());
    let Some(set) = set else { return Ok(()) };
    let triangles = corners.as_chunks::<3>().0;
    context.spend(triangles.len() as u64 * TANGENT_BYTES, &*location)?;
    let tangents = sinew::geometry::tangents(positions, normals, set, triangles);
    primitive.tangents = Some(tangents.map_err(|error| Error::model(&*location, error))?.into());
    Ok(())
}
