//! Normals, which the file does not have: those of the triangles around a vertex, each weighted by its angle there.
//!
//! Vertices in the same place are one here, so that seams of textures do not show. Only exactly rounded operations, so
//! the bits are the same everywhere.

use std::collections::HashMap;

use super::quaternion::{Vector, cross, dot, sub};

/// What a vertex has for a normal when nothing says which: up.
const UP: Vector = [0.0, 0.0, 1.0];

/// A normal for each vertex, of length one. Triangles are counter-clockwise seen from the front.
///
/// Where the triangles of a place cancel each other, as those of a sheet with two sides do, a vertex has the normal of
/// its own triangles.
pub(super) fn normals(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let first = welded(positions);
    let mut own = vec![[0.0; 3]; positions.len()];
    let mut shared = own.clone();
    for triangle in triangles {
        let corners = triangle.map(|vertex| positions[vertex as usize].map(f64::from));
        for (corner, &vertex) in triangle.iter().enumerate() {
            let vertex = vertex as usize;
            let at = [0, 1, 2].map(|step| corners[(corner + step) % 3]);
            let Some(weighted) = weighted_normal(at) else { continue };
            add(&mut own[vertex], weighted);
            add(&mut shared[first[vertex]], weighted);
        }
    }
    let normal = |(own, &first): (&Vector, &usize)| {
        let found = unit(shared[first]).or_else(|| unit(*own)).unwrap_or(UP);
        found.map(|component| component as f32)
    };
    own.iter().zip(&first).map(normal).collect()
}

/// For each vertex the first in the same place.
fn welded(positions: &[[f32; 3]]) -> Vec<usize> {
    let mut first_at = HashMap::with_capacity(positions.len());
    // Adding zero makes one zero of both.
    let bits = |position: &[f32; 3]| position.map(|component| (component + 0.0).to_bits());
    let first = |(vertex, position)| *first_at.entry(bits(position)).or_insert(vertex);
    positions.iter().enumerate().map(first).collect()
}

/// The normal of a triangle, as long as its angle at the first corner; `None` where it has no area.
fn weighted_normal([a, b, c]: [Vector; 3]) -> Option<Vector> {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let area = cross(ab, ac);
    let normal = unit(area)?;
    let angle = angle(dot(area, area).sqrt(), dot(ab, ac));
    Some(normal.map(|component| angle * component))
}

/// The angle whose sine and cosine are as these, to some 1e-13; the sine is above zero.
fn angle(sine: f64, cosine: f64) -> f64 {
    // Tangents of halves: an eighth of the angle is at most that of pi / 8, where the series is short.
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

/// Of the series of the arc tangent.
const TERMS: u32 = 16;

fn unit(vector: Vector) -> Option<Vector> {
    let largest = vector.iter().fold(0.0, |largest: f64, component| largest.max(component.abs()));
    // Neither the smallest nor the largest squares are lost.
    let scaled = vector.map(|component| component / largest);
    let length = dot(scaled, scaled).sqrt();
    (largest > 0.0 && length.is_finite()).then(|| scaled.map(|component| component / length))
}

fn add(sum: &mut Vector, vector: Vector) {
    *sum = std::array::from_fn(|axis| sum[axis] + vector[axis]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_arc_tangent() {
        for step in 1..1000 {
            let expected = f64::from(step) * std::f64::consts::PI / 1000.0;
            let found = angle(3.0 * expected.sin(), 3.0 * expected.cos());
            assert!((found - expected).abs() < 1e-12, "{expected}: {found}");
        }
        assert_eq!(angle(f64::from_bits(1), -1.0), std::f64::consts::PI);
    }

    #[test]
    fn a_corner_of_a_cube_points_along_its_diagonal_however_its_faces_are_cut() {
        let positions = [
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 1.0, 1.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
        ];
        // Two triangles of the first face meet in the corner, one of each other face.
        let triangles = [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4], [0, 1, 5]];
        let found = normals(&positions, &triangles)[0];
        let expected = -(1.0_f32 / 3.0).sqrt();
        assert!(found.iter().all(|component| (component - expected).abs() < 1e-6), "{found:?}");
    }

    #[test]
    fn vertices_in_one_place_share_a_normal() {
        let positions =
            [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let normals = normals(&positions, &[[0, 1, 2], [3, 4, 5]]);
        assert_eq!((normals[0], normals[2]), (normals[3], normals[4]));
        assert!(
            (normals[0][0] - 0.5_f32.sqrt()).abs() < 1e-6 && (normals[0][2] - 0.5_f32.sqrt()).abs() < 1e-6
        );
    }

    #[test]
    fn a_sheet_with_two_sides_has_normals_on_both() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let positions: Vec<[f32; 3]> = corners.iter().chain(&corners).copied().collect();
        let normals = normals(&positions, &[[0, 1, 2], [3, 5, 4]]);
        assert!(normals[..3].iter().all(|&normal| normal == [0.0, 0.0, 1.0]));
        assert!(normals[3..].iter().all(|&normal| normal == [0.0, 0.0, -1.0]));
    }

    #[test]
    fn normals_have_length_one_whatever_the_triangles() {
        let big = f32::MAX;
        let positions =
            [[big, 0.0, 0.0], [0.0, big, -big], [-big, big, big], [1.0; 3], [1.0; 3], [1e-45, 0.0, 0.0]];
        let triangles = [[0, 1, 2], [3, 4, 5], [0, 0, 1], [3, 3, 3], [2, 1, 5], [5, 3, 0]];
        for normal in normals(&positions, &triangles) {
            let squared: f32 = normal.iter().map(|component| component * component).sum();
            assert!((squared - 1.0).abs() < 1e-6, "{normal:?}");
        }
    }
}
