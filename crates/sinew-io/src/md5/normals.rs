//! Vertex normals, which MD5 files do not store: the sum of the normals of all triangles at a
//! vertex, weighted by the triangle's angle there.
//!
//! Vertices at the same position are merged for this, so that texture seams stay invisible. Only
//! exactly rounded operations are used, so the bits are the same on every machine.

use std::collections::HashMap;

use crate::math::Vector;
use crate::math::vector::{add, cross, dot, sub};

/// The normal of a vertex without triangles: up.
const UP: Vector = [0.0, 0.0, 1.0];

/// Computes a unit normal for each vertex. Triangles are counter-clockwise seen from the front.
///
/// Where the triangles at a position cancel each other, as those of a two-sided sheet do, each
/// vertex gets the normal of its own triangles.
pub(super) fn vertex_normals(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let first = weld(positions);
    let mut own = vec![[0.0; 3]; positions.len()];
    let mut shared = own.clone();
    for triangle in triangles {
        let corners = triangle.map(|vertex| positions[vertex as usize].map(f64::from));
        for (corner, &vertex) in triangle.iter().enumerate() {
            let vertex = vertex as usize;
            let at = [0, 1, 2].map(|step| corners[(corner + step) % 3]);
            let Some(weighted) = weighted_normal(at) else { continue };
            own[vertex] = add(own[vertex], weighted);
            shared[first[vertex]] = add(shared[first[vertex]], weighted);
        }
    }
    let normal = |(own, &first): (&Vector, &usize)| {
        let found = unit(shared[first]).or_else(|| unit(*own)).unwrap_or(UP);
        found.map(|component| component as f32)
    };
    own.iter().zip(&first).map(normal).collect()
}

/// For each vertex, the first vertex at the same position.
fn weld(positions: &[[f32; 3]]) -> Vec<usize> {
    let mut first_at = HashMap::with_capacity(positions.len());
    // Adding zero turns negative zero into zero.
    let bits = |position: &[f32; 3]| position.map(|component| (component + 0.0).to_bits());
    let first = |(vertex, position)| *first_at.entry(bits(position)).or_insert(vertex);
    positions.iter().enumerate().map(first).collect()
}

/// The unit normal of a triangle times its angle at the first corner; `None` if it has no area.
fn weighted_normal([a, b, c]: [Vector; 3]) -> Option<Vector> {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let area = cross(ab, ac);
    let normal = unit(area)?;
    let angle = angle(dot(area, area).sqrt(), dot(ab, ac));
    Some(normal.map(|component| angle * component))
}

/// The angle with this sine and cosine (of any common scale), exact to about 1e-13. The sine is
/// above zero.
fn angle(sine: f64, cosine: f64) -> f64 {
    // Half-angle tangents: an eighth of the angle is at most pi / 8, where the series is short.
    let mut tangent = sine / (cosine + (sine * sine + cosine * cosine).sqrt());
    if !tangent.is_finite() {
        return std::f64::consts::PI;
    }
    for _ in 0..2 {
        tangent /= 1.0 + (1.0 + tangent * tangent).sqrt();
    }
    let square = tangent * tangent;
    let series = (0..TERMS).rev().fold(0.0, |sum, term| 1.0 / f64::from(2 * term + 1) - square * sum);
    8.0 * tangent * series
}

/// The number of terms of the arctangent series.
const TERMS: u32 = 16;

fn unit(vector: Vector) -> Option<Vector> {
    let largest = vector.iter().fold(0.0, |largest: f64, component| largest.max(component.abs()));
    // Scaled first, so that squares neither underflow nor overflow.
    let scaled = vector.map(|component| component / largest);
    let length = dot(scaled, scaled).sqrt();
    (largest > 0.0 && length.is_finite()).then(|| scaled.map(|component| component / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_match_the_arctangent() {
        for step in 1..1000 {
            let expected = f64::from(step) * std::f64::consts::PI / 1000.0;
            let found = angle(3.0 * expected.sin(), 3.0 * expected.cos());
            assert!((found - expected).abs() < 1e-12, "{expected}: {found}");
        }
        assert_eq!(angle(f64::from_bits(1), -1.0), std::f64::consts::PI);
    }

    #[test]
    fn a_cube_corner_normal_does_not_depend_on_the_triangulation() {
        let positions = [
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 1.0, 1.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
        ];
        // Two triangles of the first face meet in the corner, and one of each other face.
        let triangles = [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4], [0, 1, 5]];
        let found = vertex_normals(&positions, &triangles)[0];
        let expected = -(1.0_f32 / 3.0).sqrt();
        assert!(found.iter().all(|component| (component - expected).abs() < 1e-6), "{found:?}");
    }

    #[test]
    fn coincident_vertices_share_a_normal() {
        let positions =
            [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let normals = vertex_normals(&positions, &[[0, 1, 2], [3, 4, 5]]);
        assert_eq!((normals[0], normals[2]), (normals[3], normals[4]));
        assert!(
            (normals[0][0] - 0.5_f32.sqrt()).abs() < 1e-6 && (normals[0][2] - 0.5_f32.sqrt()).abs() < 1e-6
        );
    }

    #[test]
    fn a_two_sided_sheet_has_opposite_normals() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let positions: Vec<[f32; 3]> = corners.iter().chain(&corners).copied().collect();
        let normals = vertex_normals(&positions, &[[0, 1, 2], [3, 5, 4]]);
        assert!(normals[..3].iter().all(|&normal| normal == [0.0, 0.0, 1.0]));
        assert!(normals[3..].iter().all(|&normal| normal == [0.0, 0.0, -1.0]));
    }

    #[test]
    fn normals_are_unit_for_any_triangles() {
        let big = f32::MAX;
        let positions =
            [[big, 0.0, 0.0], [0.0, big, -big], [-big, big, big], [1.0; 3], [1.0; 3], [1e-45, 0.0, 0.0]];
        let triangles = [[0, 1, 2], [3, 4, 5], [0, 0, 1], [3, 3, 3], [2, 1, 5], [5, 3, 0]];
        for normal in vertex_normals(&positions, &triangles) {
            let squared: f32 = normal.iter().map(|component| component * component).sum();
            assert!((squared - 1.0).abs() < 1e-6, "{normal:?}");
        }
    }
}
