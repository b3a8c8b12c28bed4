//! Ray casts against a square: the contents of a hit, ties, and invalid input.

use sinew::geometry::{PositionView, Side};
use sinew::query::{Faces, MeshBvh, OverlapShape};
use sinew::{Aabb, Ray};

/// The square from 0 to 1 in the plane z = 0, as two triangles whose front faces +z.
const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

fn square_bvh() -> MeshBvh {
    MeshBvh::from_triangles(PositionView::Packed(&SQUARE), &[[0, 1, 2], [0, 2, 3]]).expect("valid triangles")
}

#[test]
fn a_hit_has_point_normal_distance_and_side() {
    let bvh = square_bvh();
    let hit = bvh.closest_hit(&Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -4.0])).expect("a hit");
    assert_eq!((hit.triangle, hit.side), (0, Side::Front));
    assert_eq!(hit.point, [0.75, 0.25, 0.0]);
    assert_eq!(hit.normal, [0.0, 0.0, 1.0]);
    assert_eq!(hit.distance, 2.0);
    assert_eq!(hit.barycentrics, [0.25, 0.5, 0.25]);
    let below = Ray::new([0.25, 0.75, -3.0], [0.0, 0.0, 1.0]);
    let hit = bvh.closest_hit(&below).expect("a hit");
    assert_eq!((hit.triangle, hit.side, hit.distance), (1, Side::Back, 3.0));
    assert_eq!(hit.normal, [0.0, 0.0, 1.0]);
    assert_eq!(bvh.closest_hit(&Ray { faces: Faces::Front, ..below }), None);
    assert!(bvh.any_hit(&below) && !bvh.any_hit(&Ray { faces: Faces::Front, ..below }));
    assert_eq!(bvh.closest_hit(&Ray { max_distance: 2.99, ..below }), None);
    assert!(bvh.closest_hit(&Ray { max_distance: 3.0, ..below }).is_some());
}

#[test]
fn the_first_triangle_wins_a_distance_tie() {
    let triangles = [[0, 1, 2], [0, 1, 2], [2, 0, 1], [0, 2, 1]];
    let bvh = MeshBvh::from_triangles(PositionView::Packed(&SQUARE), &triangles).expect("valid triangles");
    let hit = bvh.closest_hit(&Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -1.0])).expect("a hit");
    assert_eq!(hit.triangle, 0);
}

#[test]
fn invalid_rays_hit_nothing() {
    let bvh = square_bvh();
    let valid = Ray::new([0.5, 0.5, 1.0], [0.0, 0.0, -1.0]);
    assert!(bvh.any_hit(&valid));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let rays = [
            Ray { origin: [bad, 0.5, 1.0], ..valid },
            Ray { direction: [0.0, bad, -1.0], ..valid },
            Ray { max_distance: if bad > 0.0 { -0.5 } else { bad }, ..valid },
        ];
        for ray in rays {
            assert!(bvh.closest_hit(&ray).is_none() && !bvh.any_hit(&ray), "{ray:?}");
        }
    }
    assert!(!bvh.any_hit(&Ray { direction: [0.0; 3], ..valid }));
    assert!(!bvh.any_hit(&Ray::between([0.5; 3], [0.5; 3])));
    assert!(bvh.any_hit(&Ray { max_distance: f32::INFINITY, ..valid }));
}

#[test]
fn a_ray_in_the_plane_of_a_triangle_does_not_hit_it() {
    let bvh = square_bvh();
    for (origin, direction) in [
        ([-1.0, 0.5, 0.0], [1.0, 0.0, 0.0]),
        ([0.5, 0.25, 0.0], [1.0, 1.0, 0.0]),
        ([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]),
    ] {
        assert_eq!(bvh.closest_hit(&Ray::new(origin, direction)), None);
    }
    // A ray that starts in the plane hits at distance zero.
    let hit = bvh.closest_hit(&Ray::new([0.75, 0.25, 0.0], [0.0, 0.0, 1.0])).expect("a hit");
    assert_eq!((hit.distance, hit.side), (0.0, Side::Back));
}

#[test]
fn non_finite_vertices_remove_their_triangles() {
    let mut bvh = square_bvh();
    let ray = Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -1.0]);
    let other = Ray::new([0.25, 0.75, 2.0], [0.0, 0.0, -1.0]);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut points = SQUARE;
        points[1][0] = bad;
        bvh.refit(PositionView::Packed(&points)).expect("as many points");
        assert_eq!(bvh.closest_hit(&ray), None);
        assert!(bvh.any_hit(&other));
        let near = bvh.closest_point([0.9, 0.1, 0.0], 1.0).expect("the other triangle");
        assert_eq!(near.triangle, 1);
        let mut touching = Vec::new();
        for region in [
            OverlapShape::Sphere { center: [1.0, 1.0, 0.0], radius: 0.1 },
            OverlapShape::Capsule { from: [0.9, 0.9, 0.0], to: [1.1, 1.1, 0.0], radius: 0.1 },
            OverlapShape::Box(Aabb { min: [0.9, 0.9, -0.1], max: [1.1; 3] }),
        ] {
            bvh.overlapping_triangles(&region, &mut touching);
            assert_eq!(touching, [1], "{region:?}");
        }
    }
    bvh.refit(PositionView::Packed(&[[f32::NAN; 3]; 4])).expect("as many points");
    assert!(!bvh.any_hit(&other) && bvh.closest_point([0.0; 3], f32::INFINITY).is_none());
    bvh.refit(PositionView::Packed(&SQUARE)).expect("as many points");
    assert!(bvh.any_hit(&ray));
}

#[test]
fn a_ray_can_join_points_further_apart_than_f32_max() {
    let far = 0.9 * f32::MAX;
    let ray = Ray::between([0.75, 0.25, far], [0.75, 0.25, -far]);
    assert!(square_bvh().any_hit(&ray));
}

#[test]
fn coordinates_of_any_magnitude_give_hits() {
    for size in [1e-38_f32, 1e-20, 1.0, 1e18, 1e30, 1e37] {
        let points = SQUARE.map(|point| point.map(|x| x * size));
        let bvh =
            MeshBvh::from_triangles(PositionView::Packed(&points), &[[0, 1, 2], [0, 2, 3]]).expect("valid");
        let ray = Ray::new([0.75 * size, 0.25 * size, 2.0 * size], [0.0, 0.0, -size]);
        let hit = bvh.closest_hit(&ray).unwrap_or_else(|| panic!("no hit at {size}"));
        assert_eq!((hit.triangle, hit.distance), (0, 2.0 * size));
    }
    let far = Ray::new([0.75, 0.25, f32::MAX], [0.0, 0.0, -1.0]);
    assert_eq!(square_bvh().closest_hit(&far).map(|hit| hit.triangle), Some(0));
}

#[test]
fn an_empty_bvh_hits_nothing() {
    let bvh = MeshBvh::from_triangles(PositionView::Packed(&[]), &[]).expect("an empty mesh is valid");
    assert!(bvh.is_empty() && !bvh.any_hit(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])));
    assert_eq!(bvh.winding([0.0; 3]), 0);
    assert_eq!(bvh.closest_point([0.0; 3], f32::INFINITY), None);
    assert!(!bvh.overlaps(&OverlapShape::Sphere { center: [0.0; 3], radius: 1e30 }));
}

#[test]
fn wrong_lengths_are_rejected() {
    let mut bvh = square_bvh();
    assert!(bvh.refit(PositionView::Packed(&SQUARE[..3])).is_err());
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    assert!(bvh.closest_hits(&[ray; 2], &mut [None; 3]).is_err());
    assert!(bvh.any_hits(&[ray; 2], &mut [false; 1]).is_err());
    assert!(MeshBvh::from_triangles(PositionView::Packed(&SQUARE), &[[0, 1, 4]]).is_err());
}

#[test]
fn refit_accepts_every_position_layout_and_allocates_nothing() {
    let mut bvh = square_bvh();
    let moved = SQUARE.map(|[x, y, z]| [x, y, z + 1.0]);
    let padded = moved.map(|[x, y, z]| [x, y, z, f32::NAN]);
    let ray = Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -1.0]);
    let (mut hits, mut any, mut touched) = ([None], [false], Vec::with_capacity(bvh.len()));
    let taken = allocation_counter::measure(|| {
        bvh.refit(PositionView::Packed(&moved)).expect("as many points");
        bvh.closest_hits(&[ray], &mut hits).expect("one for each ray");
        bvh.any_hits(&[ray], &mut any).expect("one for each ray");
        bvh.overlapping_triangles(
            &OverlapShape::Sphere { center: [0.5, 0.5, 1.0], radius: 0.5 },
            &mut touched,
        );
        assert!(!bvh.contains([0.5; 3]));
        assert_eq!(bvh.closest_hit(&ray).map(|hit| hit.distance), Some(1.0));
        bvh.refit(PositionView::Padded(&padded)).expect("as many points");
        assert_eq!(bvh.closest_hit(&ray).map(|hit| hit.distance), Some(1.0));
        assert!(bvh.overlaps(&OverlapShape::Sphere { center: [0.5; 3], radius: 0.5 }));
        assert!(bvh.closest_point([0.0; 3], 2.0).is_some() && bvh.winding([0.5; 3]) == 0);
    });
    assert_eq!(taken.count_total, 0);
    assert!(hits[0].is_some() && any[0] && touched.len() == bvh.len());
}
