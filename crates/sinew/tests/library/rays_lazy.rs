//! Lazy trees: the same hits as when everything is skinned, from less work.

use crate::posed::{Posed, count};
use sinew::{LazyTree, SkinOptions, Tree};
use sinew_testkit::random::Random;

#[test]
fn lazy_rays_hit_what_rays_hit() {
    let mut posed = Posed::figure(2000);
    let (mut tree, mut lazy) = (Tree::new(&posed.mesh), LazyTree::new(&posed.mesh));
    let random = &mut Random::new(3);
    let poses = count(4, 40);
    let mut hits = 0;
    for _ in 0..poses {
        posed.turn(random);
        tree.refit(posed.skinned.points()).expect("the mesh of the tree");
        let options = SkinOptions::default();
        let mut cast = lazy.begin(&posed.mesh, &posed.palette, &options).expect("a sound palette");
        for _ in 0..100 {
            let ray = posed.ray(random);
            let hit = tree.closest_hit(&ray);
            assert_eq!(cast.closest_hit(&ray), hit);
            assert_eq!(cast.any_hit(&ray), hit.is_some());
            hits += usize::from(hit.is_some());
        }
    }
    assert!(hits > 10 * poses, "{hits}");
}

#[test]
fn frames_and_rays_take_no_memory_after_the_first() {
    let mut posed = Posed::figure(1000);
    let mut lazy = LazyTree::new(&posed.mesh);
    let options = SkinOptions::default();
    let random = &mut Random::new(8);
    let mut frame = |lazy: &mut LazyTree, posed: &Posed| {
        let mut cast = lazy.begin(&posed.mesh, &posed.palette, &options).expect("a sound palette");
        (0..80).filter(|_| cast.closest_hit(&posed.ray(random)).is_some()).count()
    };
    assert!(frame(&mut lazy, &posed) > 0);
    posed.turn(&mut Random::new(9));
    let taken = allocation_counter::measure(|| assert!(frame(&mut lazy, &posed) > 0));
    assert_eq!(taken.count_total, 0);
}

#[test]
fn palettes_that_are_not_finite_are_served_whole() {
    let posed = Posed::figure(1000);
    let mut matrices = posed.skeleton.model_matrices();
    posed.skeleton.to_model(&posed.pose, .., &mut matrices).expect("the skeleton's own");
    matrices[1].rows[0][3] = f32::NAN;
    let mut palette = posed.palette.clone();
    palette.update(&matrices, &posed.skin).expect("the skin's own");
    let (mut tree, mut lazy) = (Tree::new(&posed.mesh), LazyTree::new(&posed.mesh));
    let mut skinned = posed.skinned.clone();
    posed.mesh.skin(&palette, &SkinOptions::default(), &mut skinned).expect("the mesh's own");
    tree.refit(skinned.points()).expect("the mesh of the tree");
    let mut cast = lazy.begin(&posed.mesh, &palette, &SkinOptions::default()).expect("as many matrices");
    let random = &mut Random::new(10);
    for _ in 0..100 {
        let ray = posed.ray(random);
        assert_eq!(cast.closest_hit(&ray), tree.closest_hit(&ray));
    }
}

#[test]
fn what_was_made_for_another_mesh_is_refused() {
    let (posed, other) = (Posed::figure(1000), Posed::figure(2000));
    let mut lazy = LazyTree::new(&posed.mesh);
    assert!(lazy.begin(&other.mesh, &other.palette, &SkinOptions::default()).is_err());
    assert!(lazy.resume(&other.mesh, &other.palette, &SkinOptions::default()).is_err());
    let few = SkinOptions { max_influences: 1, ..SkinOptions::default() };
    assert!(lazy.begin(&posed.mesh, &posed.palette, &few).is_err());
}
