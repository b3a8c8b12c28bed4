//! Ray casts at random poses against brute force in `f64`, which tests the plane of every triangle
//! and shares no code with the BVH.

use sinew::Ray;
use sinew::geometry::Side;
use sinew::query::{MeshBvh, TriangleHit};
use sinew_testkit::random::Random;

use crate::support::backends::case_count;
use crate::support::posed_figure::PosedFigure;
use crate::support::vec3_f64::{Vec3, add, cross, dot, length, normalize, scale, sub, to_f64};

/// Hits nearer to an edge than this may be on either side of it: 1e-6 of the figure's size.
const MARGIN: f64 = 2e-6;

/// The intersection of a ray with the plane of a triangle.
#[derive(Clone, Copy)]
struct PlaneHit {
    triangle: usize,
    distance: f64,
    point: Vec3,
    normal: Vec3,
    /// The distance from the nearest edge, measured perpendicular to the ray; negative outside.
    inside: f64,
}

fn intersect_triangle(
    triangle: usize,
    corners: [Vec3; 3],
    origin: Vec3,
    direction: Vec3,
) -> Option<PlaneHit> {
    let [a, b, c] = corners;
    let normal = normalize(cross(sub(b, a), sub(c, a)));
    let cosine = dot(normal, direction);
    // Infinite or NaN where the ray is parallel to the plane.
    let distance = dot(normal, sub(a, origin)) / cosine;
    let point = add(origin, scale(direction, distance));
    let from_edge = |from: Vec3, to: Vec3| dot(cross(normal, normalize(sub(to, from))), sub(point, from));
    let inside = from_edge(a, b).min(from_edge(b, c)).min(from_edge(c, a)) * cosine.abs();
    (distance.is_finite() && inside > -MARGIN).then_some(PlaneHit {
        triangle,
        distance,
        point,
        normal,
        inside,
    })
}

/// Checks a hit against brute force. Returns whether brute force is certain; then the hit must be
/// the same.
fn check_hit(ray: &Ray, corners: &[[Vec3; 3]], found: Option<TriangleHit>) -> bool {
    let (origin, direction) = (to_f64(ray.origin), normalize(to_f64(ray.direction)));
    let mut hits: Vec<PlaneHit> = corners
        .iter()
        .enumerate()
        .filter_map(|(i, &c)| intersect_triangle(i, c, origin, direction))
        .collect();
    hits.retain(|hit| hit.distance > -MARGIN);
    hits.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let Some(first) = hits.first() else {
        assert!(found.is_none(), "{ray:?} {found:?}");
        return true;
    };
    let alone = hits.get(1).is_none_or(|second| second.distance > first.distance + MARGIN);
    if !(alone && first.inside > MARGIN && first.distance > MARGIN) {
        if let Some(hit) = found {
            let possible = hits.iter().find(|candidate| candidate.triangle == hit.triangle);
            assert!(possible.is_some(), "{ray:?} {hit:?}");
        }
        return false;
    }
    let hit = found.unwrap_or_else(|| panic!("{ray:?} misses triangle {}", first.triangle));
    assert_eq!(hit.triangle, first.triangle, "{ray:?}");
    assert!((f64::from(hit.distance) - first.distance).abs() < MARGIN, "{ray:?} {hit:?}");
    assert!(length(sub(to_f64(hit.point), first.point)) < MARGIN, "{ray:?} {hit:?}");
    assert!(length(sub(to_f64(hit.normal), first.normal)) < 1e-6, "{ray:?} {hit:?}");
    let [u, v, w] = to_f64(hit.barycentrics);
    let [a, b, c] = corners[hit.triangle];
    let point = add(add(scale(a, u), scale(b, v)), scale(c, w));
    assert!(length(sub(point, first.point)) < MARGIN && u.min(v).min(w) >= 0.0, "{ray:?} {hit:?}");
    let side = if dot(first.normal, direction) < 0.0 { Side::Front } else { Side::Back };
    assert_eq!(hit.side, side, "{ray:?}");
    true
}

#[test]
fn ray_casts_match_brute_force_in_f64() {
    let mut figure = PosedFigure::with_vertices(2000);
    let mut bvh = MeshBvh::build(&figure.mesh);
    let random = &mut Random::new(1);
    let (poses, rays) = (case_count(4, 100), case_count(75, 1000));
    let (mut certain, mut hits) = (0, 0);
    for _ in 0..poses {
        figure.pose_randomly(random);
        bvh.refit(figure.skinned.position_view()).expect("the mesh of the BVH");
        let corners: Vec<[Vec3; 3]> =
            figure.triangle_corners().iter().map(|corners| corners.map(to_f64)).collect();
        for _ in 0..rays {
            let ray = figure.random_ray(random);
            let hit = bvh.closest_hit(&ray);
            assert_eq!(bvh.any_hit(&ray), hit.is_some());
            certain += usize::from(check_hit(&ray, &corners, hit));
            hits += usize::from(hit.is_some());
        }
    }
    assert!(certain * 100 > poses * rays * 98, "{certain} of {}", poses * rays);
    assert!(hits * 10 > poses * rays, "{hits}");
}

#[test]
fn hits_do_not_depend_on_how_the_bvh_was_built() {
    let mut figure = PosedFigure::with_vertices(1000);
    let random = &mut Random::new(2);
    let mut refitted = MeshBvh::build(&figure.mesh);
    for _ in 0..case_count(2, 20) {
        figure.pose_randomly(random);
        refitted.refit(figure.skinned.position_view()).expect("the mesh of the BVH");
        let triangles = figure.mesh.triangles();
        let built =
            MeshBvh::from_triangles(figure.skinned.position_view(), triangles).expect("valid triangles");
        for _ in 0..200 {
            let ray = figure.random_ray(random);
            assert_eq!(refitted.closest_hit(&ray), built.closest_hit(&ray));
            // A ray at a vertex, where several triangles are hit at nearly the same distance.
            let corner =
                figure.skinned.position_view().position(triangles[random.below(triangles.len())][0] as usize);
            let ray = Ray::between(ray.origin, corner);
            assert_eq!(refitted.closest_hit(&ray), built.closest_hit(&ray));
        }
    }
}

#[test]
fn hits_have_the_same_bits_on_every_target() {
    // The rest mesh, which has the same bits on every target.
    let figure = PosedFigure::with_vertices(1000);
    let bvh = MeshBvh::from_triangles(figure.mesh.rest_positions(), figure.mesh.triangles())
        .expect("valid triangles");
    let random = &mut Random::new(5);
    let mut sum = 0_u64;
    for _ in 0..500 {
        let origin = random.vector(2.0);
        let Some(hit) = bvh.closest_hit(&Ray::new(origin, random.vector(1.0))) else { continue };
        let numbers = [hit.distance].into_iter().chain(hit.point).chain(hit.normal).chain(hit.barycentrics);
        for number in numbers {
            sum = sum.wrapping_mul(0x0100_0000_01b3) ^ u64::from(number.to_bits());
        }
    }
    assert_eq!(sum, 0xffbc_003e_edb5_d3eb, "{sum:#x}");
}
