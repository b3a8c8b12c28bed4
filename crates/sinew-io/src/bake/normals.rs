//! Unit normals, and normals computed from triangles.

/// The normal of a vertex without triangles: up.
const UP: [f32; 3] = [0.0, 1.0, 0.0];

/// Normalizes a direction; up if it has no length.
pub(crate) fn unit_or_up(direction: [f64; 3]) -> [f32; 3] {
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { direction.map(|x| (x / length) as f32) } else { UP }
}

/// Computes the area-weighted mean of the triangle normals at each vertex. Vertex indices of
/// triangles count from `first`; `sums` is scratch memory with as many elements as `positions`.
pub(super) fn area_weighted_normals(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    first: u32,
    sums: &mut [[f64; 3]],
    normals: &mut [[f32; 3]],
) {
    sum_triangle_normals(positions, triangles, first, sums);
    for (normal, &sum) in normals.iter_mut().zip(&*sums) {
        *normal = unit_or_up(sum);
    }
}

/// Sums the triangle normals at each vertex. The normal of a triangle is as long as twice its area.
fn sum_triangle_normals(positions: &[[f32; 3]], triangles: &[[u32; 3]], first: u32, sums: &mut [[f64; 3]]) {
    sums.fill([0.0; 3]);
    for triangle in triangles {
        let vertices = triangle.map(|vertex| (vertex - first) as usize);
        // Its length is twice the area. Products of three `f32` neither overflow nor vanish in
        // `f64`.
        let normal = triangle_normal(vertices.map(|vertex| positions[vertex].map(f64::from)));
        for vertex in vertices {
            for (sum, component) in sums[vertex].iter_mut().zip(normal) {
                *sum += component;
            }
        }
    }
}

fn triangle_normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let [u, v] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1], to[2] - a[2]]);
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_are_weighted_by_area() {
        // Triangles of area 2 facing z and of area 1 facing x meet at vertices 0 and 2; vertex 4
        // has none.
        let positions = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [9.0; 3]];
        let (mut sums, mut normals) = ([[0.0; 3]; 5], [[0.0; 3]; 5]);
        area_weighted_normals(&positions, &[[0, 1, 2], [0, 2, 3]], 0, &mut sums, &mut normals);
        let mixed = [1.0 / 5_f64.sqrt(), 0.0, 2.0 / 5_f64.sqrt()].map(|x| x as f32);
        assert_eq!(normals, [mixed, [0.0, 0.0, 1.0], mixed, [1.0, 0.0, 0.0], UP]);
    }

    #[test]
    fn sums_are_twice_the_area_and_opposite_triangles_cancel() {
        let positions = [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 5.0, 0.0]];
        let mut sums = [[f64::NAN; 3]; 3];
        sum_triangle_normals(&positions, &[[7, 8, 9]], 7, &mut sums);
        assert_eq!(sums, [[0.0, 0.0, 15.0]; 3]);
        sum_triangle_normals(&positions, &[[0, 1, 2], [0, 2, 1]], 0, &mut sums);
        assert_eq!(sums, [[0.0; 3]; 3]);
    }

    #[test]
    fn finite_positions_give_finite_unit_normals() {
        for size in [f32::MAX, 1e30, 1.0, 1e-30, f32::MIN_POSITIVE, f32::from_bits(1), 0.0] {
            let positions = [[-size, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, -size]];
            let (mut sums, mut normals) = ([[0.0; 3]; 3], [[f32::NAN; 3]; 3]);
            area_weighted_normals(&positions, &[[0, 1, 2]; 4], 0, &mut sums, &mut normals);
            for normal in normals {
                let length = normal.iter().map(|x| x * x).sum::<f32>();
                assert!((length - 1.0).abs() < 1e-6, "{normal:?} at {size}");
            }
        }
    }
}
