//! PLY, binary and little endian.

use std::io::{self, Write};

use super::Baked;
use crate::Error;

/// Writes PLY: positions, normals, texture coordinates from the lower left (`s`, `t`) and colours where there are any,
/// and triangles. Colours are bytes, 255 for one; what is linear stays so.
///
/// # Errors
///
/// When the system cannot write.
pub fn write_ply(mut to: impl Write, baked: &Baked) -> Result<(), Error> {
    ply(&mut to, baked).map_err(Error::writing)
}

fn ply(to: &mut impl Write, baked: &Baked) -> io::Result<()> {
    write_header(to, baked)?;
    let (coordinates, colours) = (baked.texture_coordinates(), baked.colours());
    for (vertex, (position, normal)) in baked.positions().iter().zip(baked.normals()).enumerate() {
        write_floats(to, position)?;
        write_floats(to, normal)?;
        if let Some(&[u, v]) = coordinates.get(vertex) {
            write_floats(to, &[u, 1.0 - v])?;
        }
        if let Some(colour) = colours.get(vertex) {
            // Casts stop at both ends, and make zero of what is no number.
            to.write_all(&colour.map(|part| (part * 255.0).round() as u8))?;
        }
    }
    for triangle in baked.triangles() {
        to.write_all(&[3])?;
        to.write_all(triangle.map(u32::to_le_bytes).as_flattened())?;
    }
    to.flush()
}

fn write_header(to: &mut impl Write, baked: &Baked) -> io::Result<()> {
    writeln!(to, "ply\nformat binary_little_endian 1.0\nelement vertex {}", baked.positions().len())?;
    for name in ["x", "y", "z", "nx", "ny", "nz"] {
        writeln!(to, "property float {name}")?;
    }
    if !baked.texture_coordinates().is_empty() {
        writeln!(to, "property float s\nproperty float t")?;
    }
    if !baked.colours().is_empty() {
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
