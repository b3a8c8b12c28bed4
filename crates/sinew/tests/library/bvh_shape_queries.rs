//! Queries other than ray casts: overlap with a region, closest point, and point in mesh.

use sinew::Aabb;
use sinew::geometry::PositionView;
use sinew::query::{MeshBvh, OverlapShape};
use sinew_testkit::random::Random;

use crate::support::backends::case_count;
use crate::support::posed_figure::PosedFigure;
use crate::support::triangle_meshes::TriangleMesh;
use crate::support::vec3_f64::{Vec3, add, cross, dot, length, normalize, scale, sub, to_f64};

/// The distance from a point to a triangle: to its plane where the projection is inside, else to
/// its nearest edge.
fn point_triangle_distance(from: Vec3, corners: [Vec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = normalize(cross(sub(b, a), sub(c, a)));
    let foot = sub(from, scale(normal, dot(normal, sub(from, a))));
    let inside_edge = |from: Vec3, to: Vec3| dot(cross(normal, sub(to, from)), sub(foot, from));
    if [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| inside_edge(from, to) >= 0.0) {
        return length(sub(from, foot));
    }
    let edge = |a: Vec3, b: Vec3| {
        let along = sub(b, a);
        let fraction = (dot(sub(from, a), along) / dot(along, along)).clamp(0.0, 1.0);
        length(sub(from, add(a, scale(along, fraction))))
    };
    edge(a, b).min(edge(b, c)).min(edge(c, a))
}

/// The minimum from 0 to 1 of a function that has one minimum, by ternary search.
fn minimize(function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..100 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if function(a) < function(b) { high = b } else { low = a }
    }
    function(low).min(function(0.0)).min(function(1.0))
}

/// Whether a triangle overlaps a box: whether clipping by its six planes leaves a polygon.
fn overlaps_box(low: Vec3, high: Vec3, corners: [Vec3; 3]) -> bool {
    let mut polygon = corners.to_vec();
    for axis in 0..3 {
        for (sign, limit) in [(1.0, low[axis]), (-1.0, high[axis])] {
            let beyond = |point: &Vec3| sign * (point[axis] - limit);
            let mut cut = Vec::new();
            for (index, from) in polygon.iter().enumerate() {
                let to = &polygon[(index + 1) % polygon.len()];
                let (a, b) = (beyond(from), beyond(to));
                if a >= 0.0 {
                    cut.push(*from);
                }
                if (a < 0.0) != (b < 0.0) {
                    cut.push(add(*from, scale(sub(*to, *from), a / (a - b))));
                }
            }
            polygon = cut;
        }
    }
    !polygon.is_empty()
}

/// A randomly posed figure, its BVH, and the corners of its triangles.
fn figure_with_bvh(random: &mut Random) -> (PosedFigure, MeshBvh, Vec<[Vec3; 3]>) {
    let mut figure = PosedFigure::with_vertices(1000);
    figure.pose_randomly(random);
    let mut bvh = MeshBvh::build(&figure.mesh);
    bvh.refit(figure.skinned.position_view()).expect("the mesh of the BVH");
    let corners = figure.triangle_corners().iter().map(|corners| corners.map(to_f64)).collect();
    (figure, bvh, corners)
}

#[test]
fn sphere_and_capsule_overlaps_match_brute_force_distances() {
    let random = &mut Random::new(1);
    let (figure, bvh, corners) = figure_with_bvh(random);
    let mut found = Vec::new();
    for _ in 0..case_count(6, 300) {
        let (from, to) = (figure.random_point(random), figure.random_point(random));
        let radius = random.between(0.01, 0.3);
        let (from, to) = if random.once_in(2) { (from, from) } else { (from, to) };
        let region = if from == to {
            OverlapShape::Sphere { center: from, radius }
        } else {
            OverlapShape::Capsule { from, to, radius }
        };
        bvh.overlapping_triangles(&region, &mut found);
        assert_eq!(bvh.overlaps(&region), !found.is_empty());
        assert!(found.is_sorted());
        let (from, to) = (to_f64(from), to_f64(to));
        for (triangle, &corners) in corners.iter().enumerate() {
            let along =
                |fraction: f64| point_triangle_distance(add(from, scale(sub(to, from), fraction)), corners);
            let away = if from == to { along(0.0) } else { minimize(along) };
            let clear = (away - f64::from(radius)).abs() > 1e-6;
            let touches = away <= f64::from(radius);
            assert!(
                !clear || found.binary_search(&triangle).is_ok() == touches,
                "{region:?} {triangle} {away}"
            );
        }
    }
}

#[test]
fn box_overlaps_match_brute_force_clipping() {
    let random = &mut Random::new(2);
    let (figure, bvh, corners) = figure_with_bvh(random);
    let mut found = Vec::new();
    for _ in 0..case_count(20, 1000) {
        let (a, b) = (figure.random_point(random), figure.random_point(random));
        let fraction = random.between(0.05, 1.0);
        let b: [f32; 3] = std::array::from_fn(|axis| a[axis] + fraction * (b[axis] - a[axis]));
        let bounds = Aabb::from_points(&[a, b]);
        bvh.overlapping_triangles(&OverlapShape::Box(bounds), &mut found);
        let (low, high) = (to_f64(bounds.min), to_f64(bounds.max));
        for (triangle, &corners) in corners.iter().enumerate() {
            let less = overlaps_box(low.map(|x| x + 1e-6), high.map(|x| x - 1e-6), corners);
            let more = overlaps_box(low.map(|x| x - 1e-6), high.map(|x| x + 1e-6), corners);
            let touches = found.binary_search(&triangle).is_ok();
            assert!(touches && more || !touches && !less, "{bounds:?} {triangle} {touches} {less} {more}");
        }
    }
}

#[test]
fn invalid_regions_overlap_nothing() {
    let (_, bvh, _) = figure_with_bvh(&mut Random::new(3));
    let all = OverlapShape::Sphere { center: [0.0; 3], radius: 1e3 };
    assert!(bvh.overlaps(&all));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let regions = [
            OverlapShape::Sphere { center: [0.0, bad, 0.0], radius: 1e3 },
            OverlapShape::Sphere { center: [0.0; 3], radius: bad },
            OverlapShape::Capsule { from: [0.0; 3], to: [bad, 0.0, 0.0], radius: 1e3 },
            OverlapShape::Capsule { from: [0.0, 0.0, bad], to: [0.0; 3], radius: 1e3 },
            OverlapShape::Box(Aabb { min: [-1e3, bad, -1e3], max: [1e3; 3] }),
        ];
        for region in regions {
            assert!(!bvh.overlaps(&region), "{region:?}");
        }
    }
    assert!(!bvh.overlaps(&OverlapShape::Sphere { center: [0.0, 1.0, 0.0], radius: -1.0 }));
    assert!(!bvh.overlaps(&OverlapShape::Box(Aabb::EMPTY)));
}

#[test]
fn the_closest_point_matches_brute_force() {
    let random = &mut Random::new(4);
    let (figure, bvh, corners) = figure_with_bvh(random);
    for _ in 0..case_count(20, 2000) {
        let from = figure.random_point(random);
        let near = bvh.closest_point(from, f32::INFINITY).expect("there are triangles");
        let least = corners
            .iter()
            .map(|&corners| point_triangle_distance(to_f64(from), corners))
            .fold(f64::INFINITY, f64::min);
        assert!((f64::from(near.distance) - least).abs() < 1e-6, "{near:?} {least}");
        assert!((length(sub(to_f64(near.point), to_f64(from))) - least).abs() < 1e-6);
        assert!((point_triangle_distance(to_f64(from), corners[near.triangle]) - least).abs() < 1e-6);
        let [u, v, w] = to_f64(near.barycentrics);
        let [a, b, c] = corners[near.triangle];
        let point = add(add(scale(a, u), scale(b, v)), scale(c, w));
        assert!(length(sub(point, to_f64(near.point))) < 1e-6);
        assert_eq!(bvh.closest_point(from, near.distance * 0.999), None);
        assert_eq!(bvh.closest_point(from, near.distance * 1.001), Some(near));
    }
    assert_eq!(bvh.closest_point([f32::NAN, 0.0, 0.0], 1.0), None);
    assert_eq!(bvh.closest_point([0.0; 3], f32::NAN), None);
    assert_eq!(bvh.closest_point([0.0; 3], -1.0), None);
}

/// The winding number of a mesh around a point, from the solid angles of its triangles.
fn winding_number(from: Vec3, corners: &[[Vec3; 3]]) -> f64 {
    let angle = |corners: &[Vec3; 3]| {
        let [a, b, c] = corners.map(|corner| sub(corner, from));
        let (x, y, z) = (length(a), length(b), length(c));
        let over = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y;
        2.0 * dot(a, cross(b, c)).atan2(over)
    };
    corners.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

#[test]
fn winding_numbers_match_solid_angles() {
    let random = &mut Random::new(5);
    let (figure, bvh, corners) = figure_with_bvh(random);
    let (points, mut inside) = (case_count(100, 10_000), 0);
    for _ in 0..points {
        let point = figure.random_point(random);
        let expected = winding_number(to_f64(point), &corners);
        let is_integer = (expected - expected.round()).abs() < 1e-6;
        assert!(is_integer, "the figure is closed: {expected}");
        assert_eq!(f64::from(bvh.winding(point)), expected.round(), "{point:?}");
        inside += usize::from(bvh.contains(point));
    }
    assert!(inside * 50 > points, "{inside}");
}

#[test]
fn points_on_a_grid_have_the_right_winding_numbers() {
    // Rays along +x pass through vertices and edges of the grid, and along its faces.
    let cube = TriangleMesh::grid_cube(4);
    let bvh = MeshBvh::from_triangles(PositionView::Packed(&cube.points), &cube.triangles)
        .expect("valid triangles");
    for x in -1..=5_i8 {
        for y in -1..=5_i8 {
            for z in -1..=5_i8 {
                let within = |x: i8| (1..4).contains(&x);
                let outside = |x: i8| !(0..=4).contains(&x);
                let found = bvh.winding([x, y, z].map(f32::from));
                if within(x) && within(y) && within(z) {
                    assert_eq!(found, 1, "{x} {y} {z}");
                } else if outside(x) || outside(y) || outside(z) {
                    assert_eq!(found, 0, "{x} {y} {z}");
                }
            }
        }
    }
    assert_eq!(bvh.winding([f32::NAN, 1.0, 1.0]), 0);
    let flipped: Vec<[u32; 3]> = cube.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let bvh = MeshBvh::from_triangles(PositionView::Packed(&cube.points), &flipped).expect("valid triangles");
    assert_eq!(bvh.winding([2.0, 2.0, 2.0]), -1);
    assert!(bvh.contains([2.0, 2.0, 2.0]));
}
