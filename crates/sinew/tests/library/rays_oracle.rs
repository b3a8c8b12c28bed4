//! Rays over random poses, beside a slow way that shares nothing with the tree: plane by plane, in `f64`.

use crate::posed::vectors::{Vector, add, cross, dot, length, scale, sub, unit, wide};
use crate::posed::{Posed, count};
use sinew::{Ray, Side, Tree, TriangleHit};
use sinew_testkit::random::Random;

/// What is nearer to an edge than this may be on either side of it: 1e-6 of the figure's size.
const MARGIN: f64 = 2e-6;

/// Where a line meets a triangle's plane.
#[derive(Clone, Copy)]
struct Met {
    triangle: usize,
    distance: f64,
    point: Vector,
    normal: Vector,
    /// How far inside the triangle, across the ray.
    inside: f64,
}

fn meets(triangle: usize, corners: [Vector; 3], origin: Vector, direction: Vector) -> Option<Met> {
    let [a, b, c] = corners;
    let normal = unit(cross(sub(b, a), sub(c, a)));
    let cosine = dot(normal, direction);
    // Edge-on there is no margin.
    let distance = dot(normal, sub(a, origin)) / cosine;
    let point = add(origin, scale(direction, distance));
    let from_edge = |from: Vector, to: Vector| dot(cross(normal, unit(sub(to, from))), sub(point, from));
    let inside = from_edge(a, b).min(from_edge(b, c)).min(from_edge(c, a)) * cosine.abs();
    (distance.is_finite() && inside > -MARGIN).then_some(Met { triangle, distance, point, normal, inside })
}

/// Whether the answer is beyond doubt; if it is, it must be that which was found.
fn judge(ray: &Ray, corners: &[[Vector; 3]], found: Option<TriangleHit>) -> bool {
    let (origin, direction) = (wide(ray.origin), unit(wide(ray.direction)));
    let mut met: Vec<Met> =
        corners.iter().enumerate().filter_map(|(i, &c)| meets(i, c, origin, direction)).collect();
    met.retain(|met| met.distance > -MARGIN);
    met.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let Some(first) = met.first() else {
        assert!(found.is_none(), "{ray:?} {found:?}");
        return true;
    };
    let alone = met.get(1).is_none_or(|second| second.distance > first.distance + MARGIN);
    if !(alone && first.inside > MARGIN && first.distance > MARGIN) {
        if let Some(hit) = found {
            let possible = met.iter().find(|met| met.triangle == hit.triangle);
            assert!(possible.is_some(), "{ray:?} {hit:?}");
        }
        return false;
    }
    let hit = found.unwrap_or_else(|| panic!("{ray:?} misses triangle {}", first.triangle));
    assert_eq!(hit.triangle, first.triangle, "{ray:?}");
    assert!((f64::from(hit.distance) - first.distance).abs() < MARGIN, "{ray:?} {hit:?}");
    assert!(length(sub(wide(hit.point), first.point)) < MARGIN, "{ray:?} {hit:?}");
    assert!(length(sub(wide(hit.normal), first.normal)) < 1e-6, "{ray:?} {hit:?}");
    let [u, v, w] = wide(hit.barycentrics);
    let [a, b, c] = corners[hit.triangle];
    let point = add(add(scale(a, u), scale(b, v)), scale(c, w));
    assert!(length(sub(point, first.point)) < MARGIN && u.min(v).min(w) >= 0.0, "{ray:?} {hit:?}");
    let side = if dot(first.normal, direction) < 0.0 { Side::Front } else { Side::Back };
    assert_eq!(hit.side, side, "{ray:?}");
    true
}

#[test]
fn rays_hit_what_a_slow_way_says() {
    let mut posed = Posed::figure(2000);
    let mut tree = Tree::new(&posed.mesh);
    let random = &mut Random::new(1);
    let (poses, rays) = (count(4, 100), count(75, 1000));
    let (mut certain, mut hits) = (0, 0);
    for _ in 0..poses {
        posed.turn(random);
        tree.refit(posed.skinned.points()).expect("the mesh of the tree");
        let corners: Vec<[Vector; 3]> = posed.corners().iter().map(|corners| corners.map(wide)).collect();
        for _ in 0..rays {
            let ray = posed.ray(random);
            let hit = tree.closest_hit(&ray);
            assert_eq!(tree.any_hit(&ray), hit.is_some());
            certain += usize::from(judge(&ray, &corners, hit));
            hits += usize::from(hit.is_some());
        }
    }
    assert!(certain * 100 > poses * rays * 98, "{certain} of {}", poses * rays);
    assert!(hits * 10 > poses * rays, "{hits}");
}

#[test]
fn no_hit_depends_on_how_the_tree_was_built() {
    let mut posed = Posed::figure(1000);
    let random = &mut Random::new(2);
    let mut refitted = Tree::new(&posed.mesh);
    for _ in 0..count(2, 20) {
        posed.turn(random);
        refitted.refit(posed.skinned.points()).expect("the mesh of the tree");
        let triangles = posed.mesh.triangles();
        let built = Tree::of_triangles(posed.skinned.points(), triangles).expect("sound triangles");
        for _ in 0..200 {
            let ray = posed.ray(random);
            assert_eq!(refitted.closest_hit(&ray), built.closest_hit(&ray));
            // At a corner, where triangles are as near as rounding lets them be.
            let corner = posed.skinned.points().point(triangles[random.below(triangles.len())][0] as usize);
            let ray = Ray::between(ray.origin, corner);
            assert_eq!(refitted.closest_hit(&ray), built.closest_hit(&ray));
        }
    }
}

#[test]
fn hits_are_the_same_bits_everywhere() {
    // Of the mesh at rest, which is the same bits everywhere itself.
    let posed = Posed::figure(1000);
    let tree = Tree::of_triangles(posed.mesh.rest_points(), posed.mesh.triangles()).expect("sound triangles");
    let random = &mut Random::new(5);
    let mut sum = 0_u64;
    for _ in 0..500 {
        let origin = random.vector(2.0);
        let Some(hit) = tree.closest_hit(&Ray::new(origin, random.vector(1.0))) else { continue };
        let numbers = [hit.distance].into_iter().chain(hit.point).chain(hit.normal).chain(hit.barycentrics);
        for number in numbers {
            sum = sum.wrapping_mul(0x0100_0000_01b3) ^ u64::from(number.to_bits());
        }
    }
    assert_eq!(sum, 0x0efc_4a24_83c0_a58f, "{sum:#x}");
}
