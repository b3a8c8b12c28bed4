//! Tangents from texture coordinates, by MikkTSpace: as programs that bake normal maps make them.

use std::collections::HashMap;

use bevy_mikktspace::{Geometry, Ops, TangentSpace, generate_tangents};

use crate::Error;
use crate::clip::arcsine_squared;
use crate::error::check_len;
use crate::mesh_source::check_vectors;
use crate::vector::{Vector, add, any_beside, beside, narrow, unit, wide};

/// A vertex that more triangles share than this has no part in MikkTSpace, whose time and stack grow with that number.
const MOST_AROUND: u32 = 256;

/// A tangent for each vertex, with the sign of the bitangent as fourth, as [`MeshSource`](crate::MeshSource) takes them:
/// bitangent = sign x normal x tangent. One texture coordinate for each vertex as glTF has them, v downwards: tangents point
/// to growing u and bitangents to where v falls, which is up in the picture.
///
/// MikkTSpace gives each corner of a triangle a tangent, and may give two corners of one vertex different ones, where the
/// picture is mirrored or parts meet in one point. Vertices are not split for that: the more frequent sign wins, and the
/// tangents with that sign are averaged. Files that were baked with a normal map have split their vertices there already.
///
/// A vertex has some direction at right angles to its normal where nothing says which: no triangle, none but such that are
/// without area in space or in the picture, or more than 256 triangles around it with the same position, normal and
/// coordinates. The same bits on every machine.
///
/// # Errors
///
/// Arrays of different length, a number that is not finite, a triangle with a vertex that is not there.
pub fn tangents(
    positions: &[[f32; 3]],
    normals: &[[f32; 3]],
    texture_coordinates: &[[f32; 2]],
    triangles: &[[u32; 3]],
) -> Result<Vec<[f32; 4]>, Error> {
    check_len("normals", positions.len(), normals.len())?;
    check_len("texture coordinates", positions.len(), texture_coordinates.len())?;
    check_vectors("position", positions)?;
    check_vectors("normal", normals)?;
    check_vectors("texture coordinate", texture_coordinates)?;
    let vertices = Vertices { positions, normals, texture_coordinates };
    let triangles = vertices.usable(triangles)?;
    let mut corners = Corners { vertices, corners: vec![[None; 3]; triangles.len()], triangles };
    // There is no kind of error yet: what has no tangent is left out below.
    let _ = generate_tangents(&mut corners);
    Ok(corners.by_vertex())
}

#[derive(Clone, Copy)]
struct Vertices<'a> {
    positions: &'a [[f32; 3]],
    normals: &'a [[f32; 3]],
    texture_coordinates: &'a [[f32; 2]],
}

impl Vertices<'_> {
    /// Triangles that MikkTSpace can take: with three points, and not too many around any of them.
    fn usable(&self, triangles: &[[u32; 3]]) -> Result<Vec<[u32; 3]>, Error> {
        let len = self.positions.len();
        let mut around = HashMap::new();
        for (triangle, vertices) in triangles.iter().enumerate() {
            for &vertex in vertices {
                if vertex as usize >= len {
                    return Err(Error::TriangleOutOfRange { triangle, vertex, len });
                }
                *around.entry(self.key(vertex)).or_insert(0_u32) += 1;
            }
        }
        let few = |&vertex: &u32| around.get(&self.key(vertex)).is_some_and(|&count| count <= MOST_AROUND);
        let usable = |triangle: &&[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| self.positions[vertex as usize]);
            a != b && b != c && c != a && triangle.iter().all(few)
        };
        Ok(triangles.iter().filter(usable).copied().collect())
    }

    /// What makes two vertices one for MikkTSpace.
    fn key(&self, vertex: u32) -> [u32; 8] {
        let vertex = vertex as usize;
        let ([a, b, c], [d, e, f]) = (self.positions[vertex], self.normals[vertex]);
        let [u, v] = self.texture_coordinates[vertex];
        [a, b, c, d, e, f, u, v].map(f32::to_bits)
    }
}

struct Corners<'a> {
    vertices: Vertices<'a>,
    triangles: Vec<[u32; 3]>,
    /// What MikkTSpace gave the corners of each triangle.
    corners: Vec<[Option<[f32; 4]>; 3]>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.triangles[face][corner] as usize
    }

    /// One tangent for each vertex out of those of its corners.
    fn by_vertex(&self) -> Vec<[f32; 4]> {
        let mut sums = vec![[Sum::default(); 2]; self.vertices.positions.len()];
        for (vertex, tangent) in self.triangles.as_flattened().iter().zip(self.corners.as_flattened()) {
            if let Some([x, y, z, sign]) = *tangent {
                sums[*vertex as usize][usize::from(sign < 0.0)].add([x, y, z]);
            }
        }
        let normals = self.vertices.normals.iter();
        let tangent = |(normal, [plus, minus]): (&[f32; 3], &[Sum; 2])| {
            let (sum, sign) = if minus.count > plus.count { (minus, -1.0) } else { (plus, 1.0) };
            let [x, y, z] = sum.direction(*normal);
            [x, y, z, sign]
        };
        normals.zip(&sums).map(tangent).collect()
    }
}

/// The tangents of corners of one vertex and one sign.
#[derive(Clone, Copy, Default)]
struct Sum {
    first: [f32; 3],
    sum: Vector,
    count: usize,
    differ: bool,
}

impl Sum {
    fn add(&mut self, tangent: [f32; 3]) {
        if self.count == 0 {
            self.first = tangent;
        }
        self.differ |= self.first != tangent;
        self.sum = add(self.sum, wide(tangent));
        self.count += 1;
    }

    /// The one that all corners have, or the average of several.
    fn direction(&self, normal: [f32; 3]) -> [f32; 3] {
        if self.count > 0 && !self.differ {
            return self.first;
        }
        let Some(normal) = unit(wide(normal)) else { return [1.0, 0.0, 0.0] };
        narrow(unit(beside(self.sum, normal)).unwrap_or_else(|| any_beside(normal)))
    }
}

impl Geometry<Portable> for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.vertices.positions[self.vertex(face, corner)]
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.vertices.normals[self.vertex(face, corner)]
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.vertices.texture_coordinates[self.vertex(face, corner)]
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        // MikkTSpace has v upwards.
        let turned = space.map(|space| space.tangent_encoded()).map(|[x, y, z, sign]| [x, y, z, -sign]);
        self.corners[face][corner] = turned.filter(|&[x, y, z, _]| {
            let squared = x * x + y * y + z * z;
            squared > 0.5 && squared < 2.0
        });
    }
}

/// Roots and angles that are the same everywhere.
struct Portable;

impl Ops for Portable {
    fn sqrt(x: f32) -> f32 {
        x.sqrt()
    }

    fn acos(x: f32) -> f32 {
        let half = 0.5 * (1.0 - f64::from(x.abs().min(1.0)));
        let angle = 2.0 * arcsine_squared(half).sqrt();
        (if x < 0.0 { std::f64::consts::PI - angle } else { angle }) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_arc_cosine() {
        for step in -1000..=1000 {
            let x = step as f32 / 1000.0;
            assert!((Portable::acos(x) - f64::from(x).acos() as f32).abs() < 3e-7, "{x}");
        }
    }
}
