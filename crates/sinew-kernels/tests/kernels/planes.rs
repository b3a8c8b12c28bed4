//! Planes of triangles: against `f64`, for every layout of positions and type of index, and
//! degenerate triangles.

use sinew_kernels::reference::algebra::{self, Vector};
use sinew_kernels::reference::{triangle_plane, unit_plane};
use sinew_kernels::{
    BLOCK, Kernels, Plane, PlaneNormals, StridedPositions, ToPlanes, TrianglePoints, Triangles, VectorBlock,
    VertexAttribute, VertexFormat, VertexLayout,
};
use sinew_testkit::backends::{Checksums, EMULATED, every_backend};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::guarded::Guarded;
use sinew_testkit::random::Random;
use sinew_testkit::tolerance::Tolerance;

const LEN: usize = if EMULATED { 300 } else { 3000 };
const NORMALS: [PlaneNormals; 2] = [PlaneNormals::Unit, PlaneNormals::TwiceArea];

/// Every length up to several blocks, and a long odd one.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=if EMULATED { 20 } else { 70 }).chain([999])
}

/// How positions are laid out in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Packed,
    /// With this many floats from one position to the next, and the position after one float.
    Strided(usize),
    Padded,
    /// With this many vectors per vertex.
    Blocks(usize),
}

const KINDS: [Kind; 6] =
    [Kind::Packed, Kind::Strided(4), Kind::Strided(12), Kind::Padded, Kind::Blocks(1), Kind::Blocks(3)];

/// Computes the planes of a range into a guarded buffer.
fn planes_in_calls(
    kernels: &Kernels,
    kind: Kind,
    points: &[[f32; 3]],
    triangles: &Triangles,
    ranges: &[std::ops::Range<usize>],
    normals: PlaneNormals,
) -> Vec<Plane> {
    let padded: Vec<[f32; 4]> = points.iter().map(|&[x, y, z]| [x, y, z, f32::NAN]).collect();
    let vectors = if let Kind::Blocks(vectors) = kind { vectors } else { 1 };
    let mut blocks =
        vec![VectorBlock { rows: [[f32::NAN; BLOCK]; 3] }; points.len().div_ceil(BLOCK) * vectors];
    for (i, &point) in points.iter().enumerate() {
        blocks[i / BLOCK * vectors].set_vector(i % BLOCK, point);
    }
    let stride = if let Kind::Strided(stride) = kind { stride } else { 4 };
    // The last vertex ends with its position.
    let mut vertices = vec![f32::NAN; (points.len() * stride + 4).saturating_sub(stride)];
    for (vertex, point) in vertices.chunks_mut(stride).zip(points) {
        vertex[1..4].copy_from_slice(point);
    }
    let layout =
        VertexLayout::interleaved(4 * stride).with(VertexAttribute::Position, VertexFormat::Float32x3, 4);
    let strided = StridedPositions::new(&layout, &vertices, points.len()).expect("a sound buffer");
    let mut scratch = Guarded::new(blocks.len() / vectors * BLOCK, 1);
    let mut planes = Guarded::new(triangles.len(), 1);
    for range in ranges.iter().cloned() {
        let points = match kind {
            Kind::Packed => TrianglePoints::Strided(points.into()),
            Kind::Strided(_) => TrianglePoints::Strided(strided),
            Kind::Padded => TrianglePoints::Padded(&padded),
            Kind::Blocks(vectors) => {
                TrianglePoints::Blocks { blocks: &blocks, vectors, scratch: &mut scratch }
            }
        };
        let planes = &mut planes[range.clone()];
        kernels.planes(ToPlanes { points, triangles, range, normals, planes });
    }
    planes.check();
    scratch.check();
    planes.to_vec()
}

fn planes_in_one_call(
    kernels: &Kernels,
    kind: Kind,
    points: &[[f32; 3]],
    list: &Triangles,
    normals: PlaneNormals,
) -> Vec<Plane> {
    planes_in_calls(kernels, kind, points, list, std::slice::from_ref(&(0..list.len())), normals)
}

/// Corners of triangles of every size and shape, three per triangle: near the origin and far from
/// it, some of them slivers.
fn any_points(triangles: usize, random: &mut Random) -> Vec<[f32; 3]> {
    let mut points = Vec::new();
    for i in 0..triangles {
        let size = 2.0_f32.powi(random.below(40) as i32 - 20);
        let far = if i % 3 == 0 { 0.0 } else { size * 2.0_f32.powi(random.below(10) as i32) };
        let center = random.vector(far);
        let [a, b, mut c] = [0; 3].map(|_| random.vector(size));
        if i % 5 == 0 {
            let (along, beside) = (random.between(-1.0, 2.0), 2.0_f32.powi(-(random.below(16) as i32)));
            c = std::array::from_fn(|k| a[k] + along * (b[k] - a[k]) + beside * c[k]);
        }
        points.extend([a, b, c].map(|p| std::array::from_fn(|k| p[k] + center[k])));
    }
    points
}

/// Every three points form a triangle.
fn in_order(points: &[[f32; 3]]) -> Vec<[u32; 3]> {
    (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()
}

fn difference(a: Vector, b: Vector) -> Vector {
    algebra::sum(a, algebra::scaled(b, -1.0))
}

#[test]
fn planes_match_the_reference() {
    let points = any_points(LEN, &mut Random::new(100));
    let triangles = in_order(&points);
    let list = Triangles::from(triangles.clone());
    every_backend(|run| {
        for (kind, normals) in KINDS.into_iter().flat_map(|kind| NORMALS.map(|normals| (kind, normals))) {
            let mut normal = Tolerance::new(format!("{run}: planes, {kind:?}, {normals:?}: normal"));
            let mut distance = Tolerance::new(format!("{run}: planes, {kind:?}, {normals:?}: distance"));
            let found = planes_in_one_call(run.kernels, kind, &points, &list, normals);
            for (triangle, found) in triangles.iter().zip(found) {
                let corners = triangle.map(|vertex| points[vertex as usize].map(f64::from));
                let [a, b, c] = corners;
                let edges = algebra::length(difference(b, a)) * algebra::length(difference(c, a));
                let (area, raw) = triangle_plane(corners);
                let sine = algebra::length(area) / edges;
                let largest = corners.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                let (expected, allowed) = match normals {
                    PlaneNormals::Unit => (unit_plane(corners), 2e-6 / sine),
                    PlaneNormals::TwiceArea => (Some((area, raw)), 2e-6 * edges),
                };
                let what = format!("{corners:?}");
                if found == Plane::NONE {
                    assert!(sine < 1e-6, "{run}: {what} has an area");
                    continue;
                }
                let expected = expected.expect("an area");
                normal.all_close(&what, expected.0, found.normal, allowed);
                distance.close(&what, expected.1, found.distance, allowed * largest);
            }
            normal.report();
            distance.report();
        }
    });
}

#[test]
fn normals_have_length_one_or_that_of_twice_the_area() {
    let points = any_points(LEN, &mut Random::new(101));
    let list = Triangles::from(in_order(&points));
    every_backend(|run| {
        let mut length = Tolerance::new(format!("{run}: planes: length of normals"));
        let unit = planes_in_one_call(run.kernels, Kind::Padded, &points, &list, PlaneNormals::Unit);
        let area = planes_in_one_call(run.kernels, Kind::Padded, &points, &list, PlaneNormals::TwiceArea);
        for (unit, area) in unit.iter().zip(&area) {
            let [found, twice] = [unit, area].map(|plane| algebra::length(plane.normal.map(f64::from)));
            assert_eq!(found == 0.0, twice == 0.0, "{run}: {unit:?} and {area:?}");
            if found > 0.0 {
                length.close("unit", 1.0, found as f32, 1e-6);
                let scaled = area.normal.map(|x| f64::from(x) / twice);
                length.all_close("direction", scaled, unit.normal, 1e-6);
            }
        }
        length.report();
    });
}

/// The corners of a cube, and its twelve triangles, counter-clockwise seen from outside.
const CUBE: [[u16; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

#[test]
fn a_cube_counter_clockwise_from_outside_has_its_fronts_outside() {
    let points: Vec<[f32; 3]> =
        (0..8).map(|i| std::array::from_fn(|k| if i >> k & 1 == 1 { 2.0 } else { -1.0 })).collect();
    let list = Triangles::from(CUBE.to_vec());
    every_backend(|run| {
        for kind in KINDS {
            let planes = planes_in_one_call(run.kernels, kind, &points, &list, PlaneNormals::Unit);
            for (side, pair) in planes.as_chunks::<2>().0.iter().enumerate() {
                let (axis, up) = (2 - side / 2, side % 2 == 1);
                for plane in pair {
                    for (k, x) in plane.normal.into_iter().enumerate() {
                        let expected = if k != axis {
                            0.0
                        } else if up {
                            1.0
                        } else {
                            -1.0
                        };
                        assert!((x - expected).abs() < 1e-6, "{run}: side {side}: {plane:?}");
                    }
                    let distance = if up { -2.0 } else { -1.0 };
                    assert!((plane.distance - distance).abs() < 2e-6, "{run}: {plane:?}");
                    assert!(plane.distance_to([0.5; 3]) < 0.0, "{run}: the middle is behind");
                }
            }
        }
    });
}

#[test]
fn triangles_without_area_have_no_plane() {
    let [a, b] = [[1.0, 2.0, 3.0], [2.0, 4.0, 7.0]];
    let (nan, infinity) = (f32::NAN, f32::INFINITY);
    let middle = [1.5, 3.0, 5.0];
    let mut cases = vec![[a, a, a], [a, a, b], [a, b, a], [b, a, a], [a, b, middle], [middle, a, b]];
    for bad in [nan, infinity, -infinity, f32::MAX, f32::MIN] {
        for corner in 0..3 {
            for axis in 0..3 {
                let mut case = [a, b, [5.0, -1.0, 2.0]];
                case[corner][axis] = bad;
                cases.push(case);
            }
        }
    }
    let random = &mut Random::new(107);
    for _ in 0..20 {
        let [a, b] = [random.vector(2.0), random.vector(2.0)];
        cases.extend([[a, b, b], [b, a, b], [b, b, a]]);
    }
    cases.push([[0.0; 3], [1e-10, 0.0, 0.0], [0.0, 1e-10, 0.0]]);
    cases.push([[0.0; 3], [1e20, 0.0, 0.0], [0.0, 1e20, 0.0]]);
    let points: Vec<[f32; 3]> = cases.into_iter().flatten().collect();
    let list = Triangles::from(in_order(&points));
    every_backend(|run| {
        for (kind, normals) in KINDS.into_iter().flat_map(|kind| NORMALS.map(|normals| (kind, normals))) {
            for (i, plane) in
                planes_in_one_call(run.kernels, kind, &points, &list, normals).into_iter().enumerate()
            {
                let bits =
                    [plane.normal[0], plane.normal[1], plane.normal[2], plane.distance].map(f32::to_bits);
                assert_eq!(bits, [0; 4], "{run}: {:?}: {plane:?}", &points[3 * i..3 * i + 3]);
            }
        }
    });
}

#[test]
fn all_position_layouts_and_index_types_give_the_same_bits() {
    let random = &mut Random::new(102);
    let points: Vec<[f32; 3]> = (0..200).map(|_| random.vector(2.0)).collect();
    let wide: Vec<[u32; 3]> = (0..LEN).map(|_| [0; 3].map(|_| random.below(200) as u32)).collect();
    let narrow = Triangles::narrowest(&wide);
    let wide = Triangles::from(wide);
    assert!(narrow.iter().eq(wide.iter()) && narrow != wide);
    every_backend(|run| {
        for normals in NORMALS {
            let expected = planes_in_one_call(run.kernels, Kind::Padded, &points, &wide, normals);
            for kind in KINDS {
                for list in [&wide, &narrow] {
                    assert_eq!(
                        planes_in_one_call(run.kernels, kind, &points, list, normals),
                        expected,
                        "{run}: {kind:?}"
                    );
                }
            }
        }
    });
}

fn floats(planes: &[Plane]) -> Vec<f32> {
    planes.iter().flat_map(|p| [p.normal[0], p.normal[1], p.normal[2], p.distance]).collect()
}

#[test]
fn every_backend_matches_plain_lanes_at_every_length() {
    for len in lengths() {
        let points = any_points(len, &mut Random::new(103));
        let list = Triangles::from(in_order(&points));
        every_backend(|run| {
            for (kind, normals) in KINDS.into_iter().flat_map(|kind| NORMALS.map(|n| (kind, n))) {
                let expected = floats(&planes_in_one_call(run.oracle(), kind, &points, &list, normals));
                let found = floats(&planes_in_one_call(run.kernels, kind, &points, &list, normals));
                for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
                    assert_eq!(expected.to_bits(), found.to_bits(), "{run}: float {i}");
                }
            }
        });
    }
}

#[test]
fn splits_do_not_change_a_bit() {
    let random = &mut Random::new(104);
    for len in lengths() {
        let points = any_points(len, random);
        let list = Triangles::from(in_order(&points));
        let cut = random.below(len + 1);
        every_backend(|run| {
            for (kind, normals) in KINDS.into_iter().flat_map(|kind| NORMALS.map(|n| (kind, n))) {
                let expected = planes_in_one_call(run.kernels, kind, &points, &list, normals);
                let ranges = [0..cut, cut..cut, cut..len];
                let found = planes_in_calls(run.kernels, kind, &points, &list, &ranges, normals);
                assert_eq!(found, expected, "{run}: {len} triangles, cut at {cut}");
            }
        });
    }
}

#[test]
fn a_broken_vertex_affects_no_other_triangle() {
    let mut points = any_points(29, &mut Random::new(105));
    let list = Triangles::from(in_order(&points));
    every_backend(|run| {
        let sound = planes_in_one_call(run.kernels, Kind::Packed, &points, &list, PlaneNormals::Unit);
        for broken in [0, 3, 7, 8, 21, 28] {
            let kept = std::mem::replace(&mut points[3 * broken + 1], [f32::NAN; 3]);
            let found = planes_in_one_call(run.kernels, Kind::Packed, &points, &list, PlaneNormals::Unit);
            points[3 * broken + 1] = kept;
            for (i, (sound, found)) in sound.iter().zip(&found).enumerate() {
                assert_eq!(found, if i == broken { &Plane::NONE } else { sound }, "{run}: {i} of {broken}");
            }
        }
    });
}

/// One checksum on every backend and target, and another on all that fuse.
#[test]
fn bits_are_the_same_everywhere() {
    let points = any_points(79, &mut Random::new(106));
    let list = Triangles::from(in_order(&points));
    every_backend(|run| {
        let mut sum = Checksum::new();
        for normals in NORMALS {
            sum.add(&floats(&planes_in_one_call(run.kernels, Kind::Blocks(2), &points, &list, normals)));
        }
        run.assert_checksum(
            sum.value(),
            Checksums { reproducible: "aef937dea4620d4e", fused: "8e25d279e14d79cb" },
        );
    });
}
