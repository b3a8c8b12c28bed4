//! The paper's planes against `f64`: plain closely, SSE2 within twelve bits, both with opposite
//! sign.

use sinew_kernels::Plane;
use sinew_kernels::reference::unit_plane;
use sinew_papers::{PaddedVertex, TriangleList, plain};
use sinew_testkit::random::Random;
use sinew_testkit::tolerance::Tolerance;

type Method = fn(&TriangleList<'_>, &[PaddedVertex], &mut [Plane]);

fn methods() -> Vec<(&'static str, Method, f64)> {
    vec![
        ("plain", plain::triangle_planes, 2e-6),
        #[cfg(target_arch = "x86_64")]
        ("SSE2", sinew_papers::sse2::triangle_planes, 4e-4),
    ]
}

#[test]
fn planes_are_those_of_the_reference_negated() {
    let random = &mut Random::new(130);
    let vertices: Vec<PaddedVertex> = (0..50)
        .map(|_| {
            let [x, y, z] = random.vector(2.0);
            PaddedVertex { position: [x, y, z, f32::NAN], normal: [f32::NAN; 4] }
        })
        .collect();
    // Every length modulo four.
    for len in (0..20).chain([999]) {
        let corner = |k: u32, random: &mut Random| 16 * k + random.below(16) as u32;
        let triangles: Vec<[u32; 3]> = (0..len).map(|_| [0, 1, 2].map(|k| corner(k, random))).collect();
        let list = TriangleList::new(&triangles);
        for (name, method, allowed) in methods() {
            let mut planes = vec![Plane::NONE; len];
            method(&list, &vertices, &mut planes);
            let mut tolerance = Tolerance::new(format!("papers' planes, {name}"));
            for (triangle, found) in triangles.iter().zip(planes) {
                let corners = triangle.map(|vertex| {
                    let [x, y, z, _] = vertices[vertex as usize].position.map(f64::from);
                    [x, y, z]
                });
                let (normal, distance) = unit_plane(corners).expect("an area");
                let sine = corner_sine(corners);
                tolerance.all_close(name, normal.map(|x| -x), found.normal, allowed / sine);
                tolerance.close(name, -distance, found.distance, 2.0 * allowed / sine);
            }
        }
    }
}

/// The sine of the angle at the first corner.
fn corner_sine([a, b, c]: [[f64; 3]; 3]) -> f64 {
    use sinew_kernels::reference::algebra::{cross, length};
    let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
    length(cross(edge(b), edge(c))) / (length(edge(b)) * length(edge(c)))
}

#[test]
#[should_panic(expected = "vertices for every triangle")]
fn a_missing_vertex_is_refused() {
    let triangles = [[0, 1, 2]];
    plain::triangle_planes(&TriangleList::new(&triangles), &[PaddedVertex::default(); 2], &mut [Plane::NONE]);
}
