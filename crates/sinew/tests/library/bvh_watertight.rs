//! No ray from inside a closed mesh escapes through a vertex or an edge.

use sinew::Ray;
use sinew::geometry::PositionView;
use sinew::query::MeshBvh;
use sinew_testkit::random::Random;

use crate::support::backends::case_count;
use crate::support::posed_figure::PosedFigure;
use crate::support::triangle_meshes::TriangleMesh;

/// Asserts that rays from an inner point to every vertex and to the midpoint of every edge hit.
fn assert_no_ray_escapes(bvh: &MeshBvh, corners: &[[[f32; 3]; 3]], inside: [f32; 3]) {
    assert!(bvh.contains(inside), "{inside:?}");
    let direction_to = |target: [f32; 3]| [0, 1, 2].map(|axis: usize| target[axis] - inside[axis]);
    for &[a, b, c] in corners {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let middle = [0, 1, 2].map(|axis: usize| 0.5 * (from[axis] + to[axis]));
            for target in [from, middle] {
                let direction = direction_to(target);
                if direction == [0.0; 3] {
                    continue;
                }
                let ray = Ray::new(inside, direction);
                assert!(bvh.closest_hit(&ray).is_some() && bvh.any_hit(&ray), "{ray:?} {target:?}");
            }
        }
    }
}

#[test]
fn no_ray_escapes_a_sphere() {
    let random = &mut Random::new(1);
    for _ in 0..case_count(1, 60) {
        let center = random.vector(3.0);
        let sphere = TriangleMesh::sphere(center, random.between(0.1, 2.0), case_count(6, 12));
        let bvh = MeshBvh::from_triangles(PositionView::Packed(&sphere.points), &sphere.triangles)
            .expect("valid triangles");
        let inside = [0, 1, 2].map(|axis: usize| center[axis] + random.between(-0.03, 0.03));
        assert_no_ray_escapes(&bvh, &sphere.triangle_corners(), inside);
        assert_no_ray_escapes(&bvh, &sphere.triangle_corners(), center);
    }
}

#[test]
fn no_ray_escapes_an_axis_aligned_grid() {
    // Vertices have integer coordinates, so that rays hit edges and vertices exactly.
    let cube = TriangleMesh::grid_cube(6);
    let bvh = MeshBvh::from_triangles(PositionView::Packed(&cube.points), &cube.triangles)
        .expect("valid triangles");
    for inside in [[3.0, 3.0, 3.0], [1.0, 2.0, 3.0], [0.5, 5.5, 1.25]] {
        assert_no_ray_escapes(&bvh, &cube.triangle_corners(), inside);
    }
}

#[test]
fn no_ray_escapes_a_posed_figure() {
    let mut figure = PosedFigure::with_vertices(1000);
    let random = &mut Random::new(4);
    let mut bvh = MeshBvh::build(&figure.mesh);
    for _ in 0..case_count(1, 20) {
        figure.pose_randomly(random);
        bvh.refit(figure.skinned.position_view()).expect("the mesh of the BVH");
        let mut inside = || loop {
            let point = figure.random_point(random);
            if bvh.contains(point) {
                break point;
            }
        };
        let inside = [inside(), inside()];
        for inside in inside {
            assert_no_ray_escapes(&bvh, &figure.triangle_corners(), inside);
        }
    }
}
