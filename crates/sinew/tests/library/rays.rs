//! Rays: what they hit is what the definition says, whatever the tree.

use sinew::{Aabb, Faces, Points, Ray, Region, Side, Tree};

/// Two triangles of the square from 0 to 1 in the plane z = 0, its front towards +z.
const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

fn square() -> Tree {
    Tree::of_triangles(Points::Packed(&SQUARE), &[[0, 1, 2], [0, 2, 3]]).expect("sound triangles")
}

#[test]
fn a_hit_has_point_normal_distance_and_side() {
    let tree = square();
    let hit = tree.closest_hit(&Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -4.0])).expect("a hit");
    assert_eq!((hit.triangle, hit.side), (0, Side::Front));
    assert_eq!(hit.point, [0.75, 0.25, 0.0]);
    assert_eq!(hit.normal, [0.0, 0.0, 1.0]);
    assert_eq!(hit.distance, 2.0);
    assert_eq!(hit.barycentrics, [0.25, 0.5, 0.25]);
    let below = Ray::new([0.25, 0.75, -3.0], [0.0, 0.0, 1.0]);
    let hit = tree.closest_hit(&below).expect("a hit");
    assert_eq!((hit.triangle, hit.side, hit.distance), (1, Side::Back, 3.0));
    assert_eq!(hit.normal, [0.0, 0.0, 1.0]);
    assert_eq!(tree.closest_hit(&Ray { faces: Faces::Front, ..below }), None);
    assert!(tree.any_hit(&below) && !tree.any_hit(&Ray { faces: Faces::Front, ..below }));
    assert_eq!(tree.closest_hit(&Ray { max_distance: 2.99, ..below }), None);
    assert!(tree.closest_hit(&Ray { max_distance: 3.0, ..below }).is_some());
}

#[test]
fn of_hits_at_one_distance_that_of_the_first_triangle_counts() {
    let triangles = [[0, 1, 2], [0, 1, 2], [2, 0, 1], [0, 2, 1]];
    let tree = Tree::of_triangles(Points::Packed(&SQUARE), &triangles).expect("sound triangles");
    let hit = tree.closest_hit(&Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -1.0])).expect("a hit");
    assert_eq!(hit.triangle, 0);
}

#[test]
fn rays_that_are_none_hit_nothing() {
    let tree = square();
    let sound = Ray::new([0.5, 0.5, 1.0], [0.0, 0.0, -1.0]);
    assert!(tree.any_hit(&sound));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let rays = [
            Ray { origin: [bad, 0.5, 1.0], ..sound },
            Ray { direction: [0.0, bad, -1.0], ..sound },
            Ray { max_distance: if bad > 0.0 { -0.5 } else { bad }, ..sound },
        ];
        for ray in rays {
            assert!(tree.closest_hit(&ray).is_none() && !tree.any_hit(&ray), "{ray:?}");
        }
    }
    assert!(!tree.any_hit(&Ray { direction: [0.0; 3], ..sound }));
    assert!(!tree.any_hit(&Ray::between([0.5; 3], [0.5; 3])));
    assert!(tree.any_hit(&Ray { max_distance: f32::INFINITY, ..sound }));
}

#[test]
fn a_ray_in_the_plane_of_a_triangle_does_not_hit_it() {
    let tree = square();
    for (origin, direction) in [
        ([-1.0, 0.5, 0.0], [1.0, 0.0, 0.0]),
        ([0.5, 0.25, 0.0], [1.0, 1.0, 0.0]),
        ([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]),
    ] {
        assert_eq!(tree.closest_hit(&Ray::new(origin, direction)), None);
    }
    // From the plane through it: at no distance.
    let hit = tree.closest_hit(&Ray::new([0.75, 0.25, 0.0], [0.0, 0.0, 1.0])).expect("a hit");
    assert_eq!((hit.distance, hit.side), (0.0, Side::Back));
}

#[test]
fn vertices_that_are_not_finite_take_their_triangles_away() {
    let mut tree = square();
    let ray = Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -1.0]);
    let other = Ray::new([0.25, 0.75, 2.0], [0.0, 0.0, -1.0]);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut points = SQUARE;
        points[1][0] = bad;
        tree.refit(Points::Packed(&points)).expect("as many points");
        assert_eq!(tree.closest_hit(&ray), None);
        assert!(tree.any_hit(&other));
        let near = tree.closest_point([0.9, 0.1, 0.0], 1.0).expect("the other triangle");
        assert_eq!(near.triangle, 1);
        let mut touching = Vec::new();
        for region in [
            Region::Sphere { centre: [1.0, 1.0, 0.0], radius: 0.1 },
            Region::Capsule { from: [0.9, 0.9, 0.0], to: [1.1, 1.1, 0.0], radius: 0.1 },
            Region::Box(Aabb { min: [0.9, 0.9, -0.1], max: [1.1; 3] }),
        ] {
            tree.touching(&region, &mut touching);
            assert_eq!(touching, [1], "{region:?}");
        }
    }
    tree.refit(Points::Packed(&[[f32::NAN; 3]; 4])).expect("as many points");
    assert!(!tree.any_hit(&other) && tree.closest_point([0.0; 3], f32::INFINITY).is_none());
    tree.refit(Points::Packed(&SQUARE)).expect("as many points");
    assert!(tree.any_hit(&ray));
}

#[test]
fn points_further_apart_than_the_largest_number_have_a_ray_between_them() {
    let far = 0.9 * f32::MAX;
    let ray = Ray::between([0.75, 0.25, far], [0.75, 0.25, -far]);
    assert!(square().any_hit(&ray));
}

#[test]
fn numbers_of_any_size_give_hits() {
    for size in [1e-38_f32, 1e-20, 1.0, 1e18, 1e30, 1e37] {
        let points = SQUARE.map(|point| point.map(|x| x * size));
        let tree = Tree::of_triangles(Points::Packed(&points), &[[0, 1, 2], [0, 2, 3]]).expect("sound");
        let ray = Ray::new([0.75 * size, 0.25 * size, 2.0 * size], [0.0, 0.0, -size]);
        let hit = tree.closest_hit(&ray).unwrap_or_else(|| panic!("no hit at {size}"));
        assert_eq!((hit.triangle, hit.distance), (0, 2.0 * size));
    }
    let far = Ray::new([0.75, 0.25, f32::MAX], [0.0, 0.0, -1.0]);
    assert_eq!(square().closest_hit(&far).map(|hit| hit.triangle), Some(0));
}

#[test]
fn without_triangles_there_is_nothing_to_hit() {
    let tree = Tree::of_triangles(Points::Packed(&[]), &[]).expect("nothing is sound");
    assert!(tree.is_empty() && !tree.any_hit(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])));
    assert_eq!(tree.winding([0.0; 3]), 0);
    assert_eq!(tree.closest_point([0.0; 3], f32::INFINITY), None);
    assert!(!tree.touches(&Region::Sphere { centre: [0.0; 3], radius: 1e30 }));
}

#[test]
fn wrong_lengths_are_refused() {
    let mut tree = square();
    assert!(tree.refit(Points::Packed(&SQUARE[..3])).is_err());
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    assert!(tree.closest_hits(&[ray; 2], &mut [None; 3]).is_err());
    assert!(tree.any_hits(&[ray; 2], &mut [false; 1]).is_err());
    assert!(Tree::of_triangles(Points::Packed(&SQUARE), &[[0, 1, 4]]).is_err());
}

#[test]
fn a_refit_takes_points_of_every_form_and_no_memory() {
    let mut tree = square();
    let moved = SQUARE.map(|[x, y, z]| [x, y, z + 1.0]);
    let padded = moved.map(|[x, y, z]| [x, y, z, f32::NAN]);
    let ray = Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -1.0]);
    let (mut hits, mut any, mut touched) = ([None], [false], Vec::with_capacity(tree.len()));
    let taken = allocation_counter::measure(|| {
        tree.refit(Points::Packed(&moved)).expect("as many points");
        tree.closest_hits(&[ray], &mut hits).expect("a place for the ray");
        tree.any_hits(&[ray], &mut any).expect("a place for the ray");
        tree.touching(&Region::Sphere { centre: [0.5, 0.5, 1.0], radius: 0.5 }, &mut touched);
        assert!(!tree.contains([0.5; 3]));
        assert_eq!(tree.closest_hit(&ray).map(|hit| hit.distance), Some(1.0));
        tree.refit(Points::Padded(&padded)).expect("as many points");
        assert_eq!(tree.closest_hit(&ray).map(|hit| hit.distance), Some(1.0));
        assert!(tree.touches(&Region::Sphere { centre: [0.5; 3], radius: 0.5 }));
        assert!(tree.closest_point([0.0; 3], 2.0).is_some() && tree.winding([0.5; 3]) == 0);
    });
    assert_eq!(taken.count_total, 0);
    assert!(hits[0].is_some() && any[0] && touched.len() == tree.len());
}
