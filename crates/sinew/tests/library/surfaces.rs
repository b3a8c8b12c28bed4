//! Questions about the surface beside rays: what touches a region, what is inside, and what is nearest.

use crate::posed::vectors::{Closed, Vector, add, cross, dot, length, scale, sub, unit, wide};
use crate::posed::{Posed, count};
use sinew::{Aabb, Points, Region, Tree};
use sinew_testkit::random::Random;

/// The point of a triangle nearest to another: down from the plane where that is inside, and else on an edge.
fn distance(from: Vector, corners: [Vector; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = unit(cross(sub(b, a), sub(c, a)));
    let foot = sub(from, scale(normal, dot(normal, sub(from, a))));
    let beside = |from: Vector, to: Vector| dot(cross(normal, sub(to, from)), sub(foot, from));
    if [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| beside(from, to) >= 0.0) {
        return length(sub(from, foot));
    }
    let edge = |a: Vector, b: Vector| {
        let along = sub(b, a);
        let part = (dot(sub(from, a), along) / dot(along, along)).clamp(0.0, 1.0);
        length(sub(from, add(a, scale(along, part))))
    };
    edge(a, b).min(edge(b, c)).min(edge(c, a))
}

/// The least value of a function that has one valley from 0 to 1.
fn least(of: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..100 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if of(a) < of(b) { high = b } else { low = a }
    }
    of(low).min(of(0.0)).min(of(1.0))
}

/// Whether something is left of a triangle where it is cut by the six planes of a box.
fn in_box(low: Vector, high: Vector, corners: [Vector; 3]) -> bool {
    let mut polygon = corners.to_vec();
    for axis in 0..3 {
        for (sign, limit) in [(1.0, low[axis]), (-1.0, high[axis])] {
            let beyond = |point: &Vector| sign * (point[axis] - limit);
            let mut cut = Vec::new();
            for (place, from) in polygon.iter().enumerate() {
                let to = &polygon[(place + 1) % polygon.len()];
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

/// A random posed figure, its tree, and its corners.
fn figure(random: &mut Random) -> (Posed, Tree, Vec<[Vector; 3]>) {
    let mut posed = Posed::figure(1000);
    posed.turn(random);
    let mut tree = Tree::new(&posed.mesh);
    tree.refit(posed.skinned.points()).expect("the mesh of the tree");
    let corners = posed.corners().iter().map(|corners| corners.map(wide)).collect();
    (posed, tree, corners)
}

#[test]
fn triangles_touch_spheres_and_capsules_as_their_distances_say() {
    let random = &mut Random::new(1);
    let (posed, tree, corners) = figure(random);
    let mut found = Vec::new();
    for _ in 0..count(6, 300) {
        let (from, to) = (posed.point(random), posed.point(random));
        let radius = random.between(0.01, 0.3);
        let (from, to) = if random.once_in(2) { (from, from) } else { (from, to) };
        let region = if from == to {
            Region::Sphere { centre: from, radius }
        } else {
            Region::Capsule { from, to, radius }
        };
        tree.touching(&region, &mut found);
        assert_eq!(tree.touches(&region), !found.is_empty());
        assert!(found.is_sorted());
        let (from, to) = (wide(from), wide(to));
        for (triangle, &corners) in corners.iter().enumerate() {
            let along = |part: f64| distance(add(from, scale(sub(to, from), part)), corners);
            let away = if from == to { along(0.0) } else { least(along) };
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
fn triangles_touch_boxes_as_cutting_says() {
    let random = &mut Random::new(2);
    let (posed, tree, corners) = figure(random);
    let mut found = Vec::new();
    for _ in 0..count(20, 1000) {
        let (a, b) = (posed.point(random), posed.point(random));
        let part = random.between(0.05, 1.0);
        let b: [f32; 3] = std::array::from_fn(|axis| a[axis] + part * (b[axis] - a[axis]));
        let bounds = Aabb::from_points(&[a, b]);
        tree.touching(&Region::Box(bounds), &mut found);
        let (low, high) = (wide(bounds.min), wide(bounds.max));
        for (triangle, &corners) in corners.iter().enumerate() {
            let less = in_box(low.map(|x| x + 1e-6), high.map(|x| x - 1e-6), corners);
            let more = in_box(low.map(|x| x - 1e-6), high.map(|x| x + 1e-6), corners);
            let touches = found.binary_search(&triangle).is_ok();
            assert!(touches && more || !touches && !less, "{bounds:?} {triangle} {touches} {less} {more}");
        }
    }
}

#[test]
fn regions_that_are_none_touch_nothing() {
    let (_, tree, _) = figure(&mut Random::new(3));
    let all = Region::Sphere { centre: [0.0; 3], radius: 1e3 };
    assert!(tree.touches(&all));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let regions = [
            Region::Sphere { centre: [0.0, bad, 0.0], radius: 1e3 },
            Region::Sphere { centre: [0.0; 3], radius: bad },
            Region::Capsule { from: [0.0; 3], to: [bad, 0.0, 0.0], radius: 1e3 },
            Region::Capsule { from: [0.0, 0.0, bad], to: [0.0; 3], radius: 1e3 },
            Region::Box(Aabb { min: [-1e3, bad, -1e3], max: [1e3; 3] }),
        ];
        for region in regions {
            assert!(!tree.touches(&region), "{region:?}");
        }
    }
    assert!(!tree.touches(&Region::Sphere { centre: [0.0, 1.0, 0.0], radius: -1.0 }));
    assert!(!tree.touches(&Region::Box(Aabb::EMPTY)));
}

#[test]
fn the_nearest_point_is_as_near_as_any() {
    let random = &mut Random::new(4);
    let (posed, tree, corners) = figure(random);
    for _ in 0..count(20, 2000) {
        let from = posed.point(random);
        let near = tree.closest_point(from, f32::INFINITY).expect("there are triangles");
        let least =
            corners.iter().map(|&corners| distance(wide(from), corners)).fold(f64::INFINITY, f64::min);
        assert!((f64::from(near.distance) - least).abs() < 1e-6, "{near:?} {least}");
        assert!((length(sub(wide(near.point), wide(from))) - least).abs() < 1e-6);
        assert!((distance(wide(from), corners[near.triangle]) - least).abs() < 1e-6);
        let [u, v, w] = wide(near.barycentrics);
        let [a, b, c] = corners[near.triangle];
        let point = add(add(scale(a, u), scale(b, v)), scale(c, w));
        assert!(length(sub(point, wide(near.point))) < 1e-6);
        assert_eq!(tree.closest_point(from, near.distance * 0.999), None);
        assert_eq!(tree.closest_point(from, near.distance * 1.001), Some(near));
    }
    assert_eq!(tree.closest_point([f32::NAN, 0.0, 0.0], 1.0), None);
    assert_eq!(tree.closest_point([0.0; 3], f32::NAN), None);
    assert_eq!(tree.closest_point([0.0; 3], -1.0), None);
}

/// How often a surface goes around a point, from the solid angles of its triangles.
fn winding(from: Vector, corners: &[[Vector; 3]]) -> f64 {
    let angle = |corners: &[Vector; 3]| {
        let [a, b, c] = corners.map(|corner| sub(corner, from));
        let (x, y, z) = (length(a), length(b), length(c));
        let over = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y;
        2.0 * dot(a, cross(b, c)).atan2(over)
    };
    corners.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

#[test]
fn windings_are_those_of_solid_angles() {
    let random = &mut Random::new(5);
    let (posed, tree, corners) = figure(random);
    let (points, mut inside) = (count(100, 10_000), 0);
    for _ in 0..points {
        let point = posed.point(random);
        let expected = winding(wide(point), &corners);
        let whole = (expected - expected.round()).abs() < 1e-6;
        assert!(whole, "the figure is closed: {expected}");
        assert_eq!(f64::from(tree.winding(point)), expected.round(), "{point:?}");
        inside += usize::from(tree.contains(point));
    }
    assert!(inside * 50 > points, "{inside}");
}

#[test]
fn points_on_whole_numbers_are_inside_or_outside() {
    // The way along +x goes through corners and edges of the grid, and along its faces.
    let block = Closed::block(4);
    let tree = Tree::of_triangles(Points::Packed(&block.points), &block.triangles).expect("sound triangles");
    for x in -1..=5_i8 {
        for y in -1..=5_i8 {
            for z in -1..=5_i8 {
                let within = |x: i8| (1..4).contains(&x);
                let outside = |x: i8| !(0..=4).contains(&x);
                let found = tree.winding([x, y, z].map(f32::from));
                if within(x) && within(y) && within(z) {
                    assert_eq!(found, 1, "{x} {y} {z}");
                } else if outside(x) || outside(y) || outside(z) {
                    assert_eq!(found, 0, "{x} {y} {z}");
                }
            }
        }
    }
    assert_eq!(tree.winding([f32::NAN, 1.0, 1.0]), 0);
    let turned: Vec<[u32; 3]> = block.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let tree = Tree::of_triangles(Points::Packed(&block.points), &turned).expect("sound triangles");
    assert_eq!(tree.winding([2.0, 2.0, 2.0]), -1);
    assert!(tree.contains([2.0, 2.0, 2.0]));
}
