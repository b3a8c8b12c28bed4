//! Facing bits: against `f64`, and lights that face no plane.

use sinew_kernels::reference::side;
use sinew_kernels::{Kernels, Plane, ToFacing};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::guarded::Guarded;
use sinew_testkit::random::Random;

fn facing_of(kernels: &Kernels, planes: &[Plane], light: [f32; 4]) -> Vec<u64> {
    let mut words = Guarded::new(planes.len().div_ceil(64), 1);
    kernels.facing(ToFacing { planes, light, words: &mut words });
    words.check();
    words.to_vec()
}

fn any_planes(len: usize, random: &mut Random) -> Vec<Plane> {
    (0..len)
        .map(|i| match i % 9 {
            4 => Plane::NONE,
            _ => Plane { normal: random.vector(1.0), distance: random.between(-2.0, 2.0) },
        })
        .collect()
}

#[test]
fn bits_match_the_reference_at_every_length() {
    let random = &mut Random::new(110);
    for len in (0..=if EMULATED { 70 } else { 200 }).chain([999]) {
        let planes = any_planes(len, random);
        let [x, y, z] = random.vector(2.0);
        for light in [[x, y, z, 1.0], [x, y, z, 0.0]] {
            every_backend(|run| {
                let words = facing_of(run.kernels, &planes, light);
                for (i, plane) in planes.iter().enumerate() {
                    let wide = (plane.normal.map(f64::from), f64::from(plane.distance));
                    let expected = side(wide, light.map(f64::from));
                    let front = words[i / 64] >> (i % 64) & 1 == 1;
                    // Skips values so small that rounding decides; `Plane::NONE` is exact.
                    if expected == 0.0 || expected.abs() > 2e-6 {
                        assert_eq!(front, expected > 0.0, "{run}: plane {i} of {len}: {expected}");
                    }
                }
                if len % 64 != 0 {
                    assert_eq!(words[len / 64] >> (len % 64), 0, "{run}: bits after the last of {len}");
                }
            });
        }
    }
}

#[test]
fn every_backend_matches_plain_lanes() {
    let random = &mut Random::new(111);
    for len in [1, 7, 8, 63, 64, 65, 999] {
        // Small integers, so that many lights lie in a plane.
        let planes: Vec<Plane> = (0..len)
            .map(|_| {
                let [a, b, c] = random.vector(3.0).map(f32::round);
                Plane { normal: [a, b, c], distance: random.between(-3.0, 3.0).round() }
            })
            .collect();
        let light = [1.0, -2.0, 0.5, 1.0];
        every_backend(|run| {
            assert_eq!(
                facing_of(run.kernels, &planes, light),
                facing_of(run.oracle(), &planes, light),
                "{run}: {len} planes"
            );
        });
    }
}

#[test]
fn a_light_in_the_plane_is_not_in_front() {
    let plane = Plane { normal: [0.0, 1.0, 0.0], distance: -2.0 };
    every_backend(|run| {
        for (light, front) in [
            ([5.0, 2.0, 7.0, 1.0], 0),
            ([5.0, 2.5, 7.0, 1.0], 1),
            ([5.0, 1.5, 7.0, 1.0], 0),
            ([1.0, 0.0, 3.0, 0.0], 0),
            ([1.0, 0.1, 3.0, 0.0], 1),
            ([1.0, -0.1, 3.0, 0.0], 0),
            ([0.0; 4], 0),
            ([-0.0; 4], 0),
        ] {
            assert_eq!(facing_of(run.kernels, &[plane], light), [front], "{run}: {light:?}");
        }
    });
}

#[test]
fn a_light_that_is_not_finite_faces_no_plane() {
    let planes = any_planes(99, &mut Random::new(112));
    every_backend(|run| {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for axis in 0..4 {
                let mut light = [1.0; 4];
                light[axis] = bad;
                assert_eq!(facing_of(run.kernels, &planes, light), [0, 0], "{run}: {light:?}");
            }
        }
    });
}
