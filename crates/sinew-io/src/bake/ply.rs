//! PLY, binary and little-endian.

use std::io::{self, Write};

use super::BakedModel;
use crate::Error;

/// Writes PLY: positions, normals, texture coordinates (`s`, `t`, with the origin at the lower
/// left) and colors if there are any, and triangles. Color components are bytes, 255 for one, and
/// stay linear.
///
/// # Errors
///
/// When the system cannot write.
pub fn write_ply(mut to: impl Write, baked: &BakedModel) -> Result<(), Error> {
    ply(&mut to, baked).map_err(Error::writing)
}

fn ply(to: &mut impl Write, baked: &BakedModel) -> io::Result<()> {
    write_header(to, baked)?;
    let (coordinates, colors) = (baked.texture_coordinates(), baked.colors());
    for (vertex, (position, normal)) in baked.positions().iter().zip(baked.normals()).enumerate() {
        write_floats(to, position)?;
        write_floats(to, normal)?;
        if let Some(&[u, v]) = coordinates.get(vertex) {
            write_floats(to, &[u, 1.0 - v])?;
        }
        if let Some(color) = colors.get(vertex) {
            // The cast saturates, and turns NaN into zero.
            to.write_all(&color.map(|part| (part * 255.0).round() as u8))?;
        }
    }
    for triangle in baked.triangles() {
        to.write_all(&[3])?;
        to.write_all(triangle.map(u32::to_le_bytes).as_flattened())?;
    }
    to.flush()
}

fn write_header(to: &mut impl Write, baked: &BakedModel) -> io::Result<()> {
    writeln!(to, "ply\nformat binary_little_endian 1.0\nelement vertex {}", baked.positions().len())?;
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

fn write_floats<const N: usize>(to: &mut impl Write, floats: &[f32; N]) -> io::Result<()> {
    to.write_all(floats.map(f32::to_le_bytes).as_flattened())
}
