//! Normals of length one, whatever they are made from.

/// What a vertex has that no triangle gives a normal.
const UP: [f32; 3] = [0.0, 1.0, 0.0];

/// The direction at length one; up where there is none.
pub(crate) fn unit_or_up(direction: [f64; 3]) -> [f32; 3] {
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { direction.map(|x| (x / length) as f32) } else { UP }
}

/// For each vertex the mean of its triangles' normals, each counted by its area. Vertices of triangles are counted from
/// `first`; `sums` is room for as many as positions.
pub(super) fn of_triangles(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    first: u32,
    sums: &mut [[f64; 3]],
    normals: &mut [[f32; 3]],
) {
    sum_of_triangles(positions, triangles, first, sums);
    for (normal, &sum) in normals.iter_mut().zip(&*sums) {
        *normal = unit_or_up(sum);
    }
}

/// For each vertex the sum of its triangles' normals, each as long as twice the triangle's area.
pub(super) fn sum_of_triangles(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    first: u32,
    sums: &mut [[f64; 3]],
) {
    sums.fill([0.0; 3]);
    for triangle in triangles {
        let vertices = triangle.map(|vertex| (vertex - first) as usize);
        // Its length is twice the area. No product of three overflows or vanishes in double precision.
        let normal = normal_of(vertices.map(|vertex| positions[vertex].map(f64::from)));
        for vertex in vertices {
            for (sum, component) in sums[vertex].iter_mut().zip(normal) {
                *sum += component;
            }
        }
    }
}

fn normal_of([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let [u, v] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1], to[2] - a[2]]);
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_has_the_mean_of_its_triangles_by_area() {
        // Triangles of area 2 toward z and of area 1 toward x meet at vertices 0 and 2; vertex 4 has none.
        let positions = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [9.0; 3]];
        let (mut sums, mut normals) = ([[0.0; 3]; 5], [[0.0; 3]; 5]);
        of_triangles(&positions, &[[0, 1, 2], [0, 2, 3]], 0, &mut sums, &mut normals);
        let mixed = [1.0 / 5_f64.sqrt(), 0.0, 2.0 / 5_f64.sqrt()].map(|x| x as f32);
        assert_eq!(normals, [mixed, [0.0, 0.0, 1.0], mixed, [1.0, 0.0, 0.0], UP]);
    }

    #[test]
    fn sums_are_twice_the_area_and_those_of_both_sides_cancel() {
        let positions = [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 5.0, 0.0]];
        let mut sums = [[f64::NAN; 3]; 3];
        sum_of_triangles(&positions, &[[7, 8, 9]], 7, &mut sums);
        assert_eq!(sums, [[0.0, 0.0, 15.0]; 3]);
        sum_of_triangles(&positions, &[[0, 1, 2], [0, 2, 1]], 0, &mut sums);
        assert_eq!(sums, [[0.0; 3]; 3]);
    }

    #[test]
    fn no_position_that_is_finite_gives_a_normal_that_is_not() {
        for size in [f32::MAX, 1e30, 1.0, 1e-30, f32::MIN_POSITIVE, f32::from_bits(1), 0.0] {
            let positions = [[-size, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, -size]];
            let (mut sums, mut normals) = ([[0.0; 3]; 3], [[f32::NAN; 3]; 3]);
            of_triangles(&positions, &[[0, 1, 2]; 4], 0, &mut sums, &mut normals);
            for normal in normals {
                let length = normal.iter().map(|x| x * x).sum::<f32>();
                assert!((length - 1.0).abs() < 1e-6, "{normal:?} at {size}");
            }
        }
    }
}
