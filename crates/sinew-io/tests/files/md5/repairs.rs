//! A sphere on one joint, for the direction of normals and triangles; and repairs of invalid data.

use std::fmt::Write as _;

use sinew_io::{ImportOptions, RepairPolicy, load_bytes};

use crate::support::md5::random_model::RandomModel;
use crate::support::md5::skin_model::skin_model;

const RINGS: usize = 12;
const SIDES: usize = 24;

/// The sphere as text. Its triangles are clockwise seen from outside, and its seam is doubled.
fn ball(weight: f64) -> String {
    let [mut vertices, mut weights, mut triangles] = [(); 3].map(|()| String::new());
    let (mut len, mut triangle) = (0, 0);
    for ring in 0..=RINGS {
        for side in 0..=SIDES {
            let [x, y, z] = point(ring, side % SIDES);
            let _ = writeln!(vertices, "vert {len} ( 0.{side} 0.{ring} ) {len} 1");
            let _ = writeln!(weights, "weight {len} 0 {weight} ( {x:.6} {y:.6} {z:.6} )");
            if ring < RINGS && side < SIDES {
                let [a, b, c, d] = [len, len + 1, len + SIDES + 1, len + SIDES + 2];
                let _ = writeln!(triangles, "tri {triangle} {a} {b} {c}\ntri {} {b} {d} {c}", triangle + 1);
                triangle += 2;
            }
            len += 1;
        }
    }
    format!(
        "MD5Version 10 numJoints 1 numMeshes 1 joints {{ a -1 ( 0 0 2 ) ( 0 0.6 0 ) }} mesh {{ numverts {len}
        {vertices} numtris {triangle}
        {triangles} numweights {len}
        {weights} }}"
    )
}

/// A point of the unit sphere. The poles are exact, so that all their vertices coincide.
fn point(ring: usize, side: usize) -> [f64; 3] {
    let down = std::f64::consts::PI * ring as f64 / RINGS as f64;
    let around = std::f64::consts::TAU * side as f64 / SIDES as f64;
    let radius = if ring.is_multiple_of(RINGS) { 0.0 } else { down.sin() };
    [radius * around.cos(), radius * around.sin(), down.cos()]
}

#[test]
fn normals_and_triangles_of_a_sphere_point_outward() {
    // Weights of 0.5 halve the sphere, its distance from the origin and its normals, which are not
    // renormalized by default.
    for weight in [1.0_f32, 0.5] {
        let import =
            load_bytes(ball(f64::from(weight)).as_bytes(), &ImportOptions::default()).expect("a ball");
        assert_eq!(import.report.warnings().len(), usize::from(weight < 1.0), "{}", import.report);
        let (positions, normals) = skin_model(&import.model, None);
        let away = |from: [f32; 3], along: [f32; 3]| {
            from[0] * along[0] + from[1] * along[1] + (from[2] - 2.0 * weight) * along[2]
        };
        for (&position, &normal) in positions.iter().zip(&normals) {
            assert!(
                (away(position, normal) / (weight * weight) - 1.0).abs() < 0.01,
                "{position:?}, {normal:?}"
            );
        }
        let mesh = &import.model.primitives()[0].mesh;
        for triangle in mesh.triangles() {
            let [a, b, c] = triangle.map(|slot| positions[mesh.inverse_remap()[slot as usize] as usize]);
            let [u, v] = [b, c].map(|corner| [corner[0] - a[0], corner[1] - a[1], corner[2] - a[2]]);
            let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            assert!(away(a, cross) > -1e-6, "{a:?} {b:?} {c:?}");
        }
    }
}

#[test]
fn invalid_data_is_repaired_with_a_warning_and_refused_in_strict_mode() {
    let sound = RandomModel::new(5).mesh_text();
    let cases = [
        (sound.replacen("MD5Version", "\u{feff}MD5Version", 1), "a byte order mark"),
        (sound.replacen("MD5Version 10", "", 1), "no version before the first word"),
        (sound.clone() + "mesh { shader \"none\" }", "1 mesh blocks have no vertices"),
        (sound.replacen("numMeshes ", "numMeshes 1", 1), "meshes are declared, but there are"),
        (sound.replacen("\"joint 1\"", "\"joint 0\"", 1), "1 joints have the name of an earlier one"),
        (ball(0.5), "325 vertices have weights that do not sum to one"),
        (ball(0.0), "325 vertices have no weight above zero"),
        (ball(-1.0), "325 weights are negative"),
        (ball(1.0).replacen("0.6 0", "2.6 0", 1), "1 rotations are longer than one"),
    ];
    for (text, expected) in cases {
        let import = load_bytes(text.as_bytes(), &ImportOptions::default()).expect(expected);
        let lines = import.report.to_string();
        assert!(lines.contains(expected) && lines.contains("line "), "{lines}");
        let (positions, normals) = skin_model(&import.model, None);
        assert!(positions.iter().chain(&normals).flatten().all(|component| component.is_finite()));
        let strict = ImportOptions::default().repairs(RepairPolicy::Refuse);
        let error = load_bytes(text.as_bytes(), &strict).expect_err(expected).to_string();
        assert!(error.starts_with("line "), "{error}");
    }
}
