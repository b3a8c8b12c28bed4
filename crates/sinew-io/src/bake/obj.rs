//! Wavefront OBJ, and its material file MTL.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sinew::Model;

use super::{BakedMeshInstance, BakedModel, TextureFiles, clamp_color, unique_names};
use crate::{Error, OverwritePolicy, write_atomic};

/// Writes OBJ: an object per mesh instance, with positions, normals, and texture coordinates with
/// the origin at the lower left. Numbers parse to the same `f32`. `materials` is the name of the
/// file that [`write_mtl`] wrote, if any.
///
/// # Errors
///
/// When the system cannot write.
pub fn write_obj(mut to: impl Write, baked: &BakedModel, materials: Option<&str>) -> Result<(), Error> {
    obj(&mut to, baked, materials).map_err(Error::writing)
}

fn obj(to: &mut dyn Write, baked: &BakedModel, materials: Option<&str>) -> io::Result<()> {
    if let Some(file) = materials {
        writeln!(to, "mtllib {file}")?;
    }
    let used = material_names(baked.model());
    let names = unique_names(
        "mesh_instance",
        baked.mesh_instances().iter().map(|mesh_instance| &*mesh_instance.name),
    );
    let mut coordinates = 0;
    for (mesh_instance, name) in baked.mesh_instances().iter().zip(names) {
        writeln!(to, "o {name}")?;
        write_vertices(to, baked, mesh_instance)?;
        if let (Some(material), Some(_)) = (mesh_instance.material, materials) {
            writeln!(to, "usemtl {}", used[material])?;
        }
        // Indices count from one. Only some mesh instances have texture coordinates.
        let first_coordinate = mesh_instance.has_texture_coordinates.then(|| coordinates + 1);
        write_faces(to, baked, mesh_instance, first_coordinate)?;
        coordinates += if mesh_instance.has_texture_coordinates { mesh_instance.vertices.len() } else { 0 };
    }
    to.flush()
}

fn write_vertices(
    to: &mut dyn Write,
    baked: &BakedModel,
    mesh_instance: &BakedMeshInstance,
) -> io::Result<()> {
    for [x, y, z] in &baked.positions()[mesh_instance.vertices.clone()] {
        writeln!(to, "v {x} {y} {z}")?;
    }
    if mesh_instance.has_texture_coordinates {
        for [u, v] in &baked.texture_coordinates()[mesh_instance.vertices.clone()] {
            writeln!(to, "vt {u} {}", 1.0 - v)?;
        }
    }
    for [x, y, z] in &baked.normals()[mesh_instance.vertices.clone()] {
        writeln!(to, "vn {x} {y} {z}")?;
    }
    Ok(())
}

fn write_faces(
    to: &mut dyn Write,
    baked: &BakedModel,
    mesh_instance: &BakedMeshInstance,
    first_coordinate: Option<usize>,
) -> io::Result<()> {
    for triangle in &baked.triangles()[mesh_instance.triangles.clone()] {
        write!(to, "f")?;
        for vertex in triangle.map(|vertex| vertex as usize) {
            match first_coordinate {
                Some(first) => {
                    let coordinate = first + vertex - mesh_instance.vertices.start;
                    write!(to, " {0}/{coordinate}/{0}", vertex + 1)?;
                }
                None => write!(to, " {0}//{0}", vertex + 1)?,
            }
        }
        writeln!(to)?;
    }
    Ok(())
}

/// Writes the materials of a model as MTL, with the files of their textures.
///
/// # Errors
///
/// When the system cannot write.
pub fn write_mtl(mut to: impl Write, model: &Model, textures: &TextureFiles) -> Result<(), Error> {
    mtl(&mut to, model, textures).map_err(Error::writing)
}

fn mtl(to: &mut dyn Write, model: &Model, textures: &TextureFiles) -> io::Result<()> {
    for (material, name) in model.materials().iter().zip(material_names(model)) {
        let [red, green, blue, alpha] = clamp_color(material.base_color);
        writeln!(to, "newmtl {name}\nKd {red} {green} {blue}\nd {alpha}")?;
        if let Some(file) = material.base_texture.and_then(|texture| textures.name(texture.image)) {
            writeln!(to, "map_Kd {file}")?;
        }
    }
    to.flush()
}

fn material_names(model: &Model) -> Vec<String> {
    unique_names("material", model.materials().iter().map(|material| &*material.name))
}

/// Writes OBJ. If the model has materials, writes MTL with the same name and the pictures of their
/// base color textures first.
///
/// # Errors
///
/// As [`write_atomic`], for each file.
pub fn save_obj(path: impl AsRef<Path>, baked: &BakedModel, policy: OverwritePolicy) -> Result<(), Error> {
    let path = path.as_ref();
    let mtl = mtl_path(path, baked.model());
    if let Some(mtl) = &mtl {
        let (model, textures) = (baked.model(), TextureFiles::beside(path, baked.model()));
        textures.save(model, policy)?;
        write_atomic(mtl, policy, |to| write_mtl(to, model, &textures))?;
    }
    let name = mtl.as_deref().and_then(Path::file_name).and_then(OsStr::to_str);
    write_atomic(path, policy, |to| write_obj(to, baked, name))
}

/// The path of the MTL file for an OBJ file: the same name with another extension. `None` if the
/// model has no materials, or if a line of OBJ cannot hold the name.
#[must_use]
pub fn mtl_path(path: impl AsRef<Path>, model: &Model) -> Option<PathBuf> {
    let path = path.as_ref();
    let mtl = path.with_extension("mtl");
    let plain = mtl.file_name()?.to_str().is_some_and(|name| !name.contains(char::is_control));
    (plain && !model.materials().is_empty() && mtl != path).then_some(mtl)
}
