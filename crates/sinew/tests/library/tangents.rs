//! Tangents from texture coordinates: their definition, sums in `f64`, and degenerate meshes.

use sinew::geometry::tangents;
use sinew::mesh::MeshError;
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

use crate::support::vec3_f64::{Vec3, add_scaled, cross, dot, normalize};

/// A curved sheet as a grid of squares of two triangles each.
struct Sheet {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    coordinates: Vec<[f32; 2]>,
    triangles: Vec<[u32; 3]>,
}

const SIDE: usize = 9;

impl Sheet {
    /// Builds a sheet. `map` returns texture coordinates for two parameters from 0 to 1.
    fn new(map: impl Fn(f64, f64) -> [f64; 2]) -> Self {
        let (mut positions, mut normals, mut coordinates) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..SIDE * SIDE {
            let [s, t] = [i % SIDE, i / SIDE].map(|k| k as f64 / (SIDE - 1) as f64);
            positions.push([s as f32, t as f32, (0.2 * s * s - 0.3 * s * t) as f32]);
            // Perpendicular to the slopes along s and t.
            let [x, y, z] = [-(0.4 * s - 0.3 * t), 0.3 * s, 1.0];
            let length = (x * x + y * y + z * z).sqrt();
            normals.push([x, y, z].map(|c| (c / length) as f32));
            coordinates.push(map(s, t).map(|c| c as f32));
        }
        let mut triangles = Vec::new();
        for (i, j) in (0..SIDE - 1).flat_map(|j| (0..SIDE - 1).map(move |i| (i, j))) {
            let [a, b, c, d] =
                [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[i, j]| (j * SIDE + i) as u32);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        Self { positions, normals, coordinates, triangles }
    }

    fn tangents(&self) -> Vec<[f32; 4]> {
        tangents(&self.positions, &self.normals, &self.coordinates, &self.triangles).expect("a valid mesh")
    }
}

/// The gradients of a triangle's position along u and v.
fn gradients(sheet: &Sheet, triangle: [u32; 3]) -> [Vec3; 2] {
    let [a, b, c] = triangle.map(|v| sheet.positions[v as usize].map(f64::from));
    let [o, p, q] = triangle.map(|v| sheet.coordinates[v as usize].map(f64::from));
    let (ab, ac) = (add_scaled(b, a, -1.0), add_scaled(c, a, -1.0));
    let ([pu, pv], [qu, qv]) = ([p[0] - o[0], p[1] - o[1]], [q[0] - o[0], q[1] - o[1]]);
    let over = 1.0 / (pu * qv - pv * qu);
    [
        add_scaled(add_scaled([0.0; 3], ab, qv * over), ac, -pv * over),
        add_scaled(add_scaled([0.0; 3], ac, pu * over), ab, -qu * over),
    ]
}

/// Sheets whose texture coordinates are upright, mirrored, rotated and bent.
fn sheets() -> [Sheet; 5] {
    [
        Sheet::new(|s, t| [s, 1.0 - t]),
        Sheet::new(|s, t| [1.0 - s, 1.0 - t]),
        Sheet::new(|s, t| [s, t]),
        Sheet::new(|s, t| [t * 3.0, s * 0.5]),
        Sheet::new(|s, t| [s + 0.1 * t * t, 0.3 * s * t - t]),
    ]
}

#[test]
fn a_flat_square_has_tangents_along_u_and_bitangents_up_the_texture() {
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let normals = [[0.0, 0.0, 1.0]; 4];
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let upright = positions.map(|[x, y, _]: [f32; 3]| [x, 1.0 - y]);
    let found = tangents(&positions, &normals, &upright, &triangles).unwrap();
    assert_eq!(found, [[1.0, 0.0, 0.0, 1.0]; 4]);
    let mirrored = positions.map(|[x, y, _]: [f32; 3]| [-x, 1.0 - y]);
    let found = tangents(&positions, &normals, &mirrored, &triangles).unwrap();
    assert_eq!(found, [[-1.0, 0.0, 0.0, -1.0]; 4]);
}

#[test]
fn tangents_follow_u_perpendicular_to_the_normal() {
    for sheet in sheets() {
        let found = sheet.tangents();
        for triangle in &sheet.triangles {
            let [along_u, along_v] = gradients(&sheet, *triangle);
            for &vertex in triangle {
                let [x, y, z, sign] = found[vertex as usize].map(f64::from);
                let (tangent, normal) = ([x, y, z], sheet.normals[vertex as usize].map(f64::from));
                assert!((dot(tangent, tangent) - 1.0).abs() < 1e-6);
                assert!(dot(tangent, normal).abs() < 1e-6, "{tangent:?} on {normal:?}");
                assert!(sign == 1.0 || sign == -1.0);
                let bitangent = add_scaled([0.0; 3], cross(normal, tangent), sign);
                assert!(dot(tangent, normalize(along_u)) > 0.9 && dot(bitangent, along_v) < 0.0);
            }
        }
    }
}

#[test]
fn tangents_are_angle_weighted_averages_of_the_u_directions() {
    for sheet in sheets() {
        let mut sums = vec![[0.0; 3]; sheet.positions.len()];
        for triangle in &sheet.triangles {
            let [along_u, _] = gradients(&sheet, *triangle);
            for k in 0..3 {
                let [a, b, c] = [0, 1, 2].map(|i| triangle[(k + i) % 3] as usize);
                let normal = sheet.normals[a].map(f64::from);
                let tangential = |v: Vec3| normalize(add_scaled(v, normal, -dot(v, normal)));
                let edge = |to: usize| {
                    let [from, to] = [a, to].map(|v| sheet.positions[v].map(f64::from));
                    tangential(add_scaled(to, from, -1.0))
                };
                let angle = dot(edge(b), edge(c)).clamp(-1.0, 1.0).acos();
                sums[a] = add_scaled(sums[a], tangential(along_u), angle);
            }
        }
        for (sum, [x, y, z, _]) in sums.into_iter().zip(sheet.tangents()) {
            let difference = add_scaled(normalize(sum), [x, y, z].map(f64::from), -1.0);
            assert!(dot(difference, difference).sqrt() < 2e-6, "{difference:?}");
        }
    }
}

#[test]
fn the_order_of_triangles_does_not_matter() {
    for mut sheet in sheets() {
        let expected = sheet.tangents();
        sheet.triangles.reverse();
        for triangle in &mut sheet.triangles {
            triangle.rotate_left(1);
        }
        for (a, b) in expected.into_iter().zip(sheet.tangents()) {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} and {b:?}");
        }
    }
}

#[test]
fn at_a_mirrored_seam_the_more_frequent_sign_wins() {
    // The texture is mirrored about the middle row. Its vertices are not split, and both sides have
    // as many corners there.
    let sheet = Sheet::new(|s, t| [s, (t - 0.5).abs()]);
    let found = sheet.tangents();
    for (i, [x, y, z, sign]) in found.into_iter().enumerate() {
        assert!(x > 0.9 && (x * x + y * y + z * z - 1.0).abs() < 1e-5);
        if i / SIDE != SIDE / 2 {
            assert_eq!(sign, if i / SIDE < SIDE / 2 { 1.0 } else { -1.0 }, "vertex {i}");
        }
    }
}

#[test]
fn vertices_without_a_uv_gradient_get_a_tangent_perpendicular_to_their_normal() {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0; 3], [2.0, 0.0, 0.0]];
    let normals = [[0.0, 0.0, 1.0], [0.0, 0.6, 0.8], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0; 3]];
    // No area in the texture, no area in space, and a vertex without triangles.
    for triangles in [&[[0, 1, 2], [0, 1, 4]][..], &[[0, 0, 1]], &[]] {
        let found = tangents(&positions, &normals, &[[0.5; 2]; 5], triangles).unwrap();
        for ([x, y, z, sign], normal) in found.into_iter().zip(normals) {
            assert!((x * x + y * y + z * z - 1.0).abs() < 1e-6 && sign.abs() == 1.0, "{:?}", [x, y, z, sign]);
            assert!((x * normal[0] + y * normal[1] + z * normal[2]).abs() < 1e-6);
        }
    }
}

#[test]
fn a_triangle_fan_of_any_size_works() {
    for around in [10, 256, 257, 20_000] {
        let (mut positions, mut coordinates) = (vec![[0.0, 0.0, 0.0]], vec![[0.5, 0.5]]);
        for i in 0..around {
            let angle = i as f32 / around as f32 * 6.0;
            positions.push([angle.cos(), angle.sin(), 0.0]);
            coordinates.push([0.5 + 0.5 * angle.cos(), 0.5 - 0.5 * angle.sin()]);
        }
        let triangles: Vec<[u32; 3]> = (1..around).map(|i| [0, i, i + 1]).collect();
        let normals = vec![[0.0, 0.0, 1.0]; positions.len()];
        let found = tangents(&positions, &normals, &coordinates, &triangles).unwrap();
        assert!(found.iter().all(|[x, y, z, _]| (x * x + y * y + z * z - 1.0).abs() < 1e-5));
        if around <= 256 {
            assert!(found[0][0] > 0.999 && found[0][3] == 1.0);
        }
    }
}

#[test]
fn random_meshes_with_extreme_numbers_give_unit_tangents() {
    let random = &mut Random::new(3);
    for case in 0..if EMULATED { 300 } else { 3000 } {
        let len = 1 + random.below(12);
        let number = |random: &mut Random| match random.below(9) {
            0 => 0.0,
            1 => -0.0,
            2 => 1.0,
            3 => f32::MAX,
            4 => f32::MIN_POSITIVE,
            5 => 1e-45,
            _ => random.between(-2.0, 2.0),
        };
        let vector = |random: &mut Random| [0; 3].map(|_| number(random));
        let positions: Vec<[f32; 3]> = (0..len).map(|_| vector(random)).collect();
        let normals: Vec<[f32; 3]> =
            (0..len).map(|_| if random.once_in(3) { vector(random) } else { [0.0, 0.0, 1.0] }).collect();
        let coordinates: Vec<[f32; 2]> = (0..len)
            .map(|_| {
                let [u, v, _] = vector(random);
                [u, v]
            })
            .collect();
        let triangles: Vec<[u32; 3]> =
            (0..random.below(30)).map(|_| [0; 3].map(|_| random.below(len) as u32)).collect();
        for tangent in tangents(&positions, &normals, &coordinates, &triangles).unwrap() {
            let [x, y, z, sign] = tangent;
            let length = (x * x + y * y + z * z).sqrt();
            assert!((length - 1.0).abs() < 0.3 && sign.abs() == 1.0, "case {case}: {tangent:?}");
        }
    }
}

#[test]
fn invalid_input_is_rejected() {
    let (positions, normals, coordinates) = ([[0.0; 3]; 3], [[0.0, 0.0, 1.0]; 3], [[0.0; 2]; 3]);
    assert_eq!(tangents(&[], &[], &[], &[]).unwrap(), [[0.0; 4]; 0]);
    let error = tangents(&positions, &normals[..2], &coordinates, &[]).unwrap_err();
    assert_eq!(error.to_string(), "normals: expected 3, found 2");
    let error = tangents(&positions, &normals, &coordinates[..1], &[]).unwrap_err();
    assert_eq!(error.to_string(), "texture coordinates: expected 3, found 1");
    let error = tangents(&positions, &normals, &coordinates, &[[0, 1, 2], [0, 3, 1]]).unwrap_err();
    assert_eq!(error, MeshError::TriangleOutOfRange { triangle: 1, vertex: 3, len: 3 }.into());
    let error = tangents(&positions, &normals, &[[0.0, f32::NAN]; 3], &[]).unwrap_err();
    assert_eq!(error, MeshError::VertexNotFinite { vertex: 0, what: "texture coordinate" }.into());
}
