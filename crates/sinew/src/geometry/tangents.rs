//! Tangents from texture coordinates by MikkTSpace, as used by programs that bake normal maps.

use std::collections::HashMap;

use bevy_mikktspace::{Geometry, Ops, TangentSpace, generate_tangents};

use crate::geometry::GeometryError;
use crate::length::check_len;
use crate::math::slerp::arcsine_squared;
use crate::math::vector::{Vector, any_perpendicular, to_f32, to_f64, try_normalize};
use crate::mesh::MeshError;
use crate::mesh::check_vectors;

/// Limit on the triangles at one vertex. MikkTSpace's time and stack grow with that number, so it
/// skips vertices with more.
const MAX_SHARED_CORNERS: u32 = 256;

/// Computes one tangent per vertex, with the sign of the bitangent in the fourth component, as
/// [`MeshSource`](crate::MeshSource) expects: bitangent = sign x normal x tangent. Texture
/// coordinates follow glTF, with v downward: tangents point towards increasing u and bitangents
/// towards decreasing v, which is up in the image.
///
/// MikkTSpace computes a tangent per triangle corner. The corners of a vertex may differ where the
/// texture is mirrored or parts of it meet in one point. Vertices are not split there: the more
/// frequent sign wins, and the tangents with that sign are averaged. Files with baked normal maps
/// have already split such vertices.
///
/// A vertex gets an arbitrary direction perpendicular to its normal if its tangent is undefined: it
/// has no triangle, only triangles without area in space or in the texture, or more than 256
/// triangles with the same position, normal and texture coordinates. Results are bit-identical on
/// all machines.
///
/// # Errors
///
/// If the arrays differ in length, a value is not finite, or a triangle index is out of range.
pub fn tangents(
    positions: &[[f32; 3]],
    normals: &[[f32; 3]],
    texture_coordinates: &[[f32; 2]],
    triangles: &[[u32; 3]],
) -> Result<Vec<[f32; 4]>, GeometryError> {
    check_len("normals", positions.len(), normals.len())?;
    check_len("texture coordinates", positions.len(), texture_coordinates.len())?;
    check_vectors("position", positions)?;
    check_vectors("normal", normals)?;
    check_vectors("texture coordinate", texture_coordinates)?;
    let vertices = Vertices { positions, normals, texture_coordinates };
    let triangles = vertices.usable(triangles)?;
    let mut mesh = MikkMesh { vertices, corners: vec![[None; 3]; triangles.len()], triangles };
    // There is no error variant; corners without a tangent are skipped below.
    let _ = generate_tangents(&mut mesh);
    Ok(mesh.vertex_tangents())
}

#[derive(Clone, Copy)]
struct Vertices<'a> {
    positions: &'a [[f32; 3]],
    normals: &'a [[f32; 3]],
    texture_coordinates: &'a [[f32; 2]],
}

impl Vertices<'_> {
    /// The triangles that MikkTSpace can process: with three distinct positions, and within the
    /// limit at every vertex.
    fn usable(&self, triangles: &[[u32; 3]]) -> Result<Vec<[u32; 3]>, GeometryError> {
        let len = self.positions.len();
        let mut corner_counts = HashMap::new();
        for (triangle, vertices) in triangles.iter().enumerate() {
            for &vertex in vertices {
                if vertex as usize >= len {
                    return Err(MeshError::TriangleOutOfRange { triangle, vertex, len }.into());
                }
                *corner_counts.entry(self.key(vertex)).or_insert(0_u32) += 1;
            }
        }
        let is_in_range = |&vertex: &u32| {
            corner_counts.get(&self.key(vertex)).is_some_and(|&count| count <= MAX_SHARED_CORNERS)
        };
        let usable = |triangle: &&[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| self.positions[vertex as usize]);
            a != b && b != c && c != a && triangle.iter().all(is_in_range)
        };
        Ok(triangles.iter().filter(usable).copied().collect())
    }

    /// The key by which MikkTSpace merges vertices.
    fn key(&self, vertex: u32) -> [u32; 8] {
        let vertex = vertex as usize;
        let ([a, b, c], [d, e, f]) = (self.positions[vertex], self.normals[vertex]);
        let [u, v] = self.texture_coordinates[vertex];
        [a, b, c, d, e, f, u, v].map(f32::to_bits)
    }
}

struct MikkMesh<'a> {
    vertices: Vertices<'a>,
    triangles: Vec<[u32; 3]>,
    /// The tangents that MikkTSpace computed, per triangle corner.
    corners: Vec<[Option<[f32; 4]>; 3]>,
}

impl MikkMesh<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.triangles[face][corner] as usize
    }

    /// Merges the tangents of corners into one per vertex.
    fn vertex_tangents(&self) -> Vec<[f32; 4]> {
        let mut sums = vec![[TangentSum::default(); 2]; self.vertices.positions.len()];
        for (vertex, tangent) in self.triangles.as_flattened().iter().zip(self.corners.as_flattened()) {
            if let Some([x, y, z, sign]) = *tangent {
                sums[*vertex as usize][usize::from(sign < 0.0)].add([x, y, z]);
            }
        }
        let normals = self.vertices.normals.iter();
        let tangent = |(normal, [plus, minus]): (&[f32; 3], &[TangentSum; 2])| {
            let (sum, sign) = if minus.count > plus.count { (minus, -1.0) } else { (plus, 1.0) };
            let [x, y, z] = sum.direction(*normal);
            [x, y, z, sign]
        };
        normals.zip(&sums).map(tangent).collect()
    }
}

/// Sum of the tangents at one vertex that have the same sign.
#[derive(Clone, Copy, Default)]
struct TangentSum {
    first: [f32; 3],
    sum: Vector,
    count: usize,
    differ: bool,
}

impl TangentSum {
    fn add(&mut self, tangent: [f32; 3]) {
        if self.count == 0 {
            self.first = tangent;
        }
        self.differ |= self.first != tangent;
        self.sum += to_f64(tangent);
        self.count += 1;
    }

    /// The common tangent if all corners agree, otherwise the normalized average.
    fn direction(&self, normal: [f32; 3]) -> [f32; 3] {
        if self.count > 0 && !self.differ {
            return self.first;
        }
        let Some(normal) = try_normalize(to_f64(normal)) else { return [1.0, 0.0, 0.0] };
        to_f32(
            try_normalize(self.sum.reject_from_normalized(normal))
                .unwrap_or_else(|| any_perpendicular(normal)),
        )
    }
}

impl Geometry<PortableMath> for MikkMesh<'_> {
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
        // In MikkTSpace v points up.
        let tangent = space.map(|space| space.tangent_encoded()).map(|[x, y, z, sign]| [x, y, z, -sign]);
        self.corners[face][corner] = tangent.filter(|&[x, y, z, _]| {
            let squared = x * x + y * y + z * z;
            squared > 0.5 && squared < 2.0
        });
    }
}

/// Square root and arc cosine with the same bits on every machine.
struct PortableMath;

impl Ops for PortableMath {
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
    fn portable_arc_cosine_matches_the_standard_library() {
        for step in -1000..=1000 {
            let x = step as f32 / 1000.0;
            assert!((PortableMath::acos(x) - f64::from(x).acos() as f32).abs() < 3e-7, "{x}");
        }
    }
}
