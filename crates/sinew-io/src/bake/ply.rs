//! PLY, binary and little-endian.

use std::io::{self, Write};
use std::path::Path;

use super::{BakedModel, TextureFiles};
use crate::{Error, OverwritePolicy, write_atomic};

/// Writes PLY: positions, normals, texture coordinates (`s`, `t`, with the origin at the lower
/// left) and colors if there are any, and triangles. Color components are bytes, 255 for one, and
/// stay linear. Comments name the pictures in `textures`, as MeshLab does.
///
/// # Errors
///
/// When the system cannot write.
pub fn write_ply(mut to: impl Write, baked: &BakedModel, textures: &TextureFiles) -> Result<(), Error> {
    ply(&mut to, baked, textures).map_err(Error::writing)
}

/// Writes PLY, and the pictures of the base color textures beside it.
///
/// # Errors
///
/// As [`write_atomic`], for each file.
pub fn save_ply(path: impl AsRef<Path>, baked: &BakedModel, policy: OverwritePolicy) -> Result<(), Error> {
    let path = path.as_ref();
    let textures = TextureFiles::beside(path, baked.model());
    textures.save(baked.model(), policy)?;
    write_atomic(path, policy, |to| write_ply(to, baked, &textures))
}

/// Position, normal, texture coordinates and color.
const MAX_VERTEX_BYTES: usize = 12 + 12 + 8 + 4;

fn ply(to: &mut dyn Write, baked: &BakedModel, textures: &TextureFiles) -> io::Result<()> {
    write_header(to, baked, textures)?;
    let (coordinates, colors) = (baked.texture_coordinates(), baked.colors());
    let mut bytes = Vec::with_capacity(MAX_VERTEX_BYTES);
    for (vertex, (position, normal)) in baked.positions().iter().zip(baked.normals()).enumerate() {
        bytes.clear();
        push_floats(&mut bytes, position);
        push_floats(&mut bytes, normal);
        if let Some(&[u, v]) = coordinates.get(vertex) {
            push_floats(&mut bytes, &[u, 1.0 - v]);
        }
        if let Some(color) = colors.get(vertex) {
            // The cast saturates, and turns NaN into zero.
            bytes.extend(color.map(|component| (component * 255.0).round() as u8));
        }
        to.write_all(&bytes)?;
    }
    for triangle in baked.triangles() {
        let mut face = [3; 1 + 12];
        face[1..].copy_from_slice(triangle.map(u32::to_le_bytes).as_flattened());
        to.write_all(&face)?;
    }
    to.flush()
}

fn write_header(to: &mut dyn Write, baked: &BakedModel, textures: &TextureFiles) -> io::Result<()> {
    writeln!(to, "ply\nformat binary_little_endian 1.0")?;
    for name in textures.names() {
        writeln!(to, "comment TextureFile {name}")?;
    }
    writeln!(to, "element vertex {}", baked.positions().len())?;
    for name in ["x", "y", "z", "nx", "ny", "nz"] {
        writeln!(to, "property float {name}")?;
    }
    if !baked.texture_coordinates().is_empty() {
        writeln!(to, "property float s\nproperty float t")?;
    }
    if !baked.colors().is_empty() {
        for name in ["red", "green", "blue", "alpha"] {
            writeln!(to, "property uchar {name}")?;
        }
    }
    let faces = baked.triangles().len();
    writeln!(to, "element face {faces}\nproperty list uchar uint vertex_indices\nend_header")
}

fn push_floats<const N: usize>(bytes: &mut Vec<u8>, floats: &[f32; N]) {
    bytes.extend_from_slice(floats.map(f32::to_le_bytes).as_flattened());
}
