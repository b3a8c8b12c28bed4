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
        }
    }
    assert!(hits > 10 * poses, "{hits}");
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
