//! Lazy BVHs give the same hits as skinning all vertices.

use sinew::SkinOptions;
use sinew::query::{LazyBvh, MeshBvh};
use sinew_testkit::random::Random;

use crate::support::backends::case_count;
use crate::support::posed_figure::PosedFigure;

#[test]
fn lazy_ray_casts_equal_ray_casts_on_the_skinned_mesh() {
    let mut figure = PosedFigure::with_vertices(2000);
    let (mut bvh, mut lazy) = (MeshBvh::build(&figure.mesh), LazyBvh::build(&figure.mesh));
    let random = &mut Random::new(3);
    let poses = case_count(4, 40);
    let mut hits = 0;
    for _ in 0..poses {
        figure.pose_randomly(random);
        bvh.refit(figure.skinned.position_view()).expect("the mesh of the BVH");
        let options = SkinOptions::default();
        let mut cast = lazy.begin(&figure.mesh, &figure.palette, &options).expect("a valid palette");
        for _ in 0..100 {
            let ray = figure.random_ray(random);
            let hit = bvh.closest_hit(&ray);
            assert_eq!(cast.closest_hit(&ray), hit);
            assert_eq!(cast.any_hit(&ray), hit.is_some());
            hits += usize::from(hit.is_some());
            let (mut all, mut all_lazy) = (Vec::new(), Vec::new());
            bvh.all_hits(&ray, &mut all);
            cast.all_hits(&ray, &mut all_lazy);
            assert_eq!(all_lazy, all);
            assert_eq!(all.first().copied(), hit);
        }
    }
    assert!(hits > 10 * poses, "{hits}");
}

#[test]
fn all_hits_are_the_triangles_that_are_hit_alone() {
    let figure = PosedFigure::with_vertices(500);
    let positions = figure.skinned.position_view();
    let mut bvh = MeshBvh::build(&figure.mesh);
    bvh.refit(positions).expect("the mesh of the BVH");
    let random = &mut Random::new(4);
    let mut several = 0;
    for _ in 0..100 {
        let ray = figure.random_ray(random);
        let mut found = Vec::new();
        bvh.all_hits(&ray, &mut found);
        several += usize::from(found.len() > 1);
        assert!(found.is_sorted_by(|a, b| (a.distance, a.triangle) < (b.distance, b.triangle)));
        let mut expected = Vec::new();
        for (triangle, corners) in figure.mesh.triangles().iter().enumerate() {
            let alone = MeshBvh::from_triangles(positions, &[*corners]).expect("a triangle");
            expected.extend(alone.closest_hit(&ray).map(|hit| sinew::query::TriangleHit { triangle, ..hit }));
        }
        found.sort_by_key(|hit| hit.triangle);
        assert_eq!(found, expected);
    }
    assert!(several > 10, "{several}");
}

#[test]
fn lazy_frames_and_rays_allocate_nothing_after_the_first() {
    let mut figure = PosedFigure::with_vertices(1000);
    let mut lazy = LazyBvh::build(&figure.mesh);
    let options = SkinOptions::default();
    let random = &mut Random::new(8);
    let mut frame = |lazy: &mut LazyBvh, figure: &PosedFigure| {
        let mut cast = lazy.begin(&figure.mesh, &figure.palette, &options).expect("a valid palette");
        (0..80).filter(|_| cast.closest_hit(&figure.random_ray(random)).is_some()).count()
    };
    assert!(frame(&mut lazy, &figure) > 0);
    figure.pose_randomly(&mut Random::new(9));
    let taken = allocation_counter::measure(|| assert!(frame(&mut lazy, &figure) > 0));
    assert_eq!(taken.count_total, 0);
}

#[test]
fn non_finite_palettes_fall_back_to_skinning_everything() {
    let figure = PosedFigure::with_vertices(1000);
    let mut matrices = figure.skeleton.identity_matrices();
    figure.skeleton.to_model(&figure.pose, .., &mut matrices).expect("the skeleton's own");
    matrices[1].rows[0][3] = f32::NAN;
    let mut palette = figure.palette.clone();
    palette.update(&matrices, &figure.skin).expect("the skin's own");
    let (mut bvh, mut lazy) = (MeshBvh::build(&figure.mesh), LazyBvh::build(&figure.mesh));
    let mut skinned = figure.skinned.clone();
    figure.mesh.skin(&palette, &SkinOptions::default(), &mut skinned).expect("the mesh's own");
    bvh.refit(skinned.position_view()).expect("the mesh of the BVH");
    let mut cast = lazy.begin(&figure.mesh, &palette, &SkinOptions::default()).expect("as many matrices");
    let random = &mut Random::new(10);
    for _ in 0..100 {
        let ray = figure.random_ray(random);
        assert_eq!(cast.closest_hit(&ray), bvh.closest_hit(&ray));
    }
}

#[test]
fn another_mesh_or_a_missing_lod_is_rejected() {
    let (figure, other) = (PosedFigure::with_vertices(1000), PosedFigure::with_vertices(2000));
    let mut lazy = LazyBvh::build(&figure.mesh);
    assert!(lazy.begin(&other.mesh, &other.palette, &SkinOptions::default()).is_err());
    assert!(lazy.resume(&other.mesh, &other.palette, &SkinOptions::default()).is_err());
    let few = SkinOptions::default().with_max_influences(1);
    assert!(lazy.begin(&figure.mesh, &figure.palette, &few).is_err());
}
