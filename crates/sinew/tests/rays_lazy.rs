//! Lazy trees: the same hits as when everything is skinned, from less work.

mod posed;

use posed::Posed;
use sinew::{LazyTree, SkinOptions, Tree};
use sinew_testkit::random::Random;

#[test]
fn lazy_rays_hit_what_rays_hit() {
    let mut posed = Posed::figure(2000);
    let (mut tree, mut lazy) = (Tree::new(&posed.mesh), LazyTree::new(&posed.mesh));
    let random = &mut Random::new(3);
    let poses = if cfg!(debug_assertions) { 4 } else { 40 };
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
