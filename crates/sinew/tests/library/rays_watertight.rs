//! No ray slips out of a closed mesh: not through corners, not through edges.

use crate::posed::vectors::Closed;
use crate::posed::{Posed, count};
use sinew::{Points, Ray, Tree};
use sinew_testkit::random::Random;

/// Casts rays from a point inside through every corner and the middle of every edge.
fn assert_no_way_out(tree: &Tree, corners: &[[[f32; 3]; 3]], inside: [f32; 3]) {
    assert!(tree.contains(inside), "{inside:?}");
    let towards = |target: [f32; 3]| [0, 1, 2].map(|axis: usize| target[axis] - inside[axis]);
    for &[a, b, c] in corners {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let middle = [0, 1, 2].map(|axis: usize| 0.5 * (from[axis] + to[axis]));
            for target in [from, middle] {
                let direction = towards(target);
                if direction == [0.0; 3] {
                    continue;
                }
                let ray = Ray::new(inside, direction);
                assert!(tree.closest_hit(&ray).is_some() && tree.any_hit(&ray), "{ray:?} {target:?}");
            }
        }
    }
}

#[test]
fn rays_do_not_slip_out_of_a_ball() {
    let random = &mut Random::new(1);
    for _ in 0..count(1, 60) {
        let centre = random.vector(3.0);
        let ball = Closed::ball(centre, random.between(0.1, 2.0), count(6, 12));
        let tree =
            Tree::of_triangles(Points::Packed(&ball.points), &ball.triangles).expect("sound triangles");
        let inside = [0, 1, 2].map(|axis: usize| centre[axis] + random.between(-0.03, 0.03));
        assert_no_way_out(&tree, &ball.corners(), inside);
        assert_no_way_out(&tree, &ball.corners(), centre);
    }
}

#[test]
fn rays_do_not_slip_out_of_a_grid_along_the_axes() {
    // Corners on whole numbers: rays meet edges and corners exactly.
    let block = Closed::block(6);
    let tree = Tree::of_triangles(Points::Packed(&block.points), &block.triangles).expect("sound triangles");
    for inside in [[3.0, 3.0, 3.0], [1.0, 2.0, 3.0], [0.5, 5.5, 1.25]] {
        assert_no_way_out(&tree, &block.corners(), inside);
    }
}

#[test]
fn rays_do_not_slip_out_of_a_figure() {
    let mut posed = Posed::figure(1000);
    let random = &mut Random::new(4);
    let mut tree = Tree::new(&posed.mesh);
    for _ in 0..count(1, 20) {
        posed.turn(random);
        tree.refit(posed.skinned.points()).expect("the mesh of the tree");
        let mut inside = || loop {
            let point = posed.point(random);
            if tree.contains(point) {
                break point;
            }
        };
        let inside = [inside(), inside()];
        for inside in inside {
            assert_no_way_out(&tree, &posed.corners(), inside);
        }
    }
}
