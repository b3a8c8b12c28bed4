//! Corner angles of triangles: against `f64`, their sum, and degenerate triangles.

use sinew_kernels::reference::triangle_angles;
use sinew_kernels::{Kernels, ToAngles, TrianglePoints, Triangles};
use sinew_testkit::backends::{Checksums, EMULATED, every_backend};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::guarded::Guarded;
use sinew_testkit::random::Random;
use sinew_testkit::tolerance::Tolerance;

const LEN: usize = if EMULATED { 300 } else { 3000 };

/// Three points per triangle, of every size: slivers, right and obtuse angles.
fn any_points(triangles: usize, random: &mut Random) -> Vec<[f32; 3]> {
    let mut points = Vec::new();
    for i in 0..triangles {
        let size = 2.0_f32.powi(random.below(40) as i32 - 20);
        let [a, b, mut c] = [0; 3].map(|_| random.vector(size));
        match i % 4 {
            0 => {
                let (along, beside) = (random.between(-1.0, 2.0), 2.0_f32.powi(-(random.below(10) as i32)));
                c = std::array::from_fn(|k| a[k] + along * (b[k] - a[k]) + beside * c[k]);
            }
            1 => points.extend([[0.0; 3], [size, 0.0, 0.0], [0.0, 0.0, size]]),
            _ => {}
        }
        if i % 4 != 1 {
            points.extend([a, b, c]);
        }
    }
    points
}

fn angles_in_calls(
    kernels: &Kernels,
    points: &[[f32; 3]],
    ranges: &[std::ops::Range<usize>],
) -> Vec<[f32; 4]> {
    let list: Vec<[u32; 3]> = (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let triangles = Triangles::narrowest(&list);
    let mut angles = Guarded::new(triangles.len(), 1);
    for range in ranges.iter().cloned() {
        let (points, angles) = (TrianglePoints::Strided(points.into()), &mut angles[range.clone()]);
        kernels.corner_angles(ToAngles { points, triangles: &triangles, range, angles });
    }
    angles.check();
    angles.to_vec()
}

fn angles_in_one_call(kernels: &Kernels, points: &[[f32; 3]]) -> Vec<[f32; 4]> {
    angles_in_calls(kernels, points, std::slice::from_ref(&(0..points.len() / 3)))
}

#[test]
fn angles_match_the_reference_and_sum_to_half_a_turn() {
    let points = any_points(LEN, &mut Random::new(120));
    every_backend(|run| {
        let mut angle = Tolerance::new(format!("{run}: corner_angles"));
        let mut sum = Tolerance::new(format!("{run}: corner_angles: sum"));
        for (corners, found) in points.as_chunks::<3>().0.iter().zip(angles_in_one_call(run.kernels, &points))
        {
            let expected =
                triangle_angles(corners.map(|corner| corner.map(f64::from))).expect("three points");
            let what = format!("{corners:?}");
            let [a, b, c, rest] = found;
            // The area is computed from the edges at the first corner.
            let allowed = 1e-6 + 3e-7 / expected[0].sin();
            angle.all_close(&what, expected, [a, b, c], allowed);
            sum.close(&what, std::f64::consts::PI, a + b + c, 2.0 * allowed);
            assert_eq!(rest, 0.0, "{run}");
        }
        angle.report();
        sum.report();
    });
}

#[test]
fn triangles_without_area_have_no_angles() {
    let [a, b] = [[1.0, 2.0, 3.0], [2.0, 4.0, 7.0]];
    let mut points = vec![a, a, a, a, a, b, a, b, b, a, b, [1.5, 3.0, 5.0]];
    let random = &mut Random::new(123);
    for _ in 0..20 {
        let [a, b] = [random.vector(2.0), random.vector(2.0)];
        points.extend([a, b, b, b, a, b, b, b, a]);
    }
    for bad in [f32::NAN, f32::INFINITY, f32::MAX] {
        for corner in 0..3 {
            let mut case = [a, b, [5.0, -1.0, 2.0]];
            case[corner][1] = bad;
            points.extend(case);
        }
    }
    every_backend(|run| {
        for (i, angles) in angles_in_one_call(run.kernels, &points).into_iter().enumerate() {
            assert_eq!(angles.map(f32::to_bits), [0; 4], "{run}: {:?}", &points[3 * i..3 * i + 3]);
        }
    });
}

#[test]
fn every_backend_matches_plain_lanes_at_every_length_and_split() {
    let random = &mut Random::new(121);
    for len in (0..=if EMULATED { 20 } else { 70 }).chain([999]) {
        let points = any_points(len, random);
        let cut = random.below(len + 1);
        every_backend(|run| {
            let expected = angles_in_one_call(run.oracle(), &points);
            let found = angles_in_calls(run.kernels, &points, &[0..cut, cut..len]);
            assert_eq!(found, expected, "{run}: {len} triangles, cut at {cut}");
        });
    }
}

/// One checksum on every backend and target, and another on all that fuse.
#[test]
fn bits_are_the_same_everywhere() {
    let points = any_points(79, &mut Random::new(122));
    every_backend(|run| {
        let mut sum = Checksum::new();
        sum.add(angles_in_one_call(run.kernels, &points).as_flattened());
        run.assert_checksum(
            sum.value(),
            Checksums { reproducible: "3c8b625d2da27028", fused: "09b78fbd1c954bc9" },
        );
    });
}
