//! Rays: what they hit is what the definition says, whatever the tree.

use sinew::{Faces, Points, Ray, Side, Tree};

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
