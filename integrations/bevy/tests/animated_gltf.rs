//! Models that Bevy loads and animates are hit where their joints put them.
#![expect(clippy::print_stdout, reason = "says how many rays hit")]

mod support;

use bevy_app::App;
use bevy_sinew::{RayCastSettings, SkinnedHit};
use bevy_transform::components::Transform;
use support::reference::{self, Surface};
use support::rng::Rng;

const RAYS: usize = 1000;
const POSES: usize = 4;

#[test]
fn rays_hit_what_brute_force_over_bevys_joint_matrices_hits() {
    for model in support::models() {
        let mut app = support::gltf_app(&model.folder);
        let root = support::spawn_gltf(&mut app, &model.file, 0);
        // Parents that move, turn and scale what is below them.
        let mut transform = app.world_mut().get_mut::<Transform>(root).expect("a root");
        *transform = Transform::from_xyz(3.0, -1.0, 2.0)
            .with_rotation(bevy_math::Quat::from_rotation_y(0.7))
            .with_scale(bevy_math::Vec3::new(0.5, 0.75, 0.5));
        let (mut hits, mut grazing, mut last) = (0, 0, Vec::new());
        for _ in 0..POSES {
            for _ in 0..5 {
                app.update();
            }
            let entity = support::mesh_entities(&mut app)[0];
            let positions = Surface::of(&app, entity).positions;
            assert!(last != positions, "{} does not move", model.name);
            last = positions;
            let (hit, grazed) = compare(&mut app, RAYS / POSES, model.name);
            (hits, grazing) = (hits + hit, grazing + grazed);
        }
        println!("{}: {RAYS} rays, {hits} hits, {grazing} within rounding of an edge", model.name);
        assert!(hits > RAYS / 2, "{}: only {hits} hits", model.name);
        assert!(grazing <= RAYS / 100, "{}: {grazing} rays graze an edge", model.name);
    }
}

/// Casts rays and compares all hits with the reference. Returns the number of hits, and of rays
/// whose hit depends on rounding at an edge.
fn compare(app: &mut App, rays: usize, name: &str) -> (usize, usize) {
    let entities = support::mesh_entities(app);
    let surfaces: Vec<Surface> = entities.iter().map(|&entity| Surface::of(app, entity)).collect();
    let (_, radius) = surfaces[0].sphere();
    let mut rng = Rng::new(7);
    let rays: Vec<_> = (0..rays).map(|index| surfaces[0].random_ray(index, &mut rng)).collect();
    let found: Vec<Option<SkinnedHit>> = support::with_rays(app, |cast| {
        rays.iter().map(|&ray| cast.cast(ray, &RayCastSettings::default())).collect()
    });
    let (mut hits, mut grazing) = (0, 0);
    for (&ray, found) in rays.iter().zip(&found) {
        // Vertices are skinned in `f32`, by matrices of `f32`.
        let tolerance = 1e-6 * f64::from(radius + ray.origin.length());
        let agrees = |margin: f64| match (found, reference::cast(&surfaces, ray, margin)) {
            (None, None) => true,
            (Some(found), Some(expected)) => {
                // A surface that moves by this much is hit that much later, at a slant.
                let slant = f64::from(found.normal.dot(*ray.direction).abs());
                (f64::from(found.distance) - expected.distance).abs() * slant < tolerance
            }
            _ => false,
        };
        if !agrees(0.0) {
            let expected = reference::cast(&surfaces, ray, 0.0);
            assert!(agrees(1e-4) || agrees(-1e-4), "{name}: {ray:?}: {found:?}, expected {expected:?}");
            grazing += 1;
        }
        if let Some(hit) = found {
            hits += 1;
            check_hit(app, &surfaces, hit, tolerance);
        }
    }
    (hits, grazing)
}

/// A hit is on its triangle, and its joint moves a corner of it.
fn check_hit(app: &App, surfaces: &[Surface], hit: &SkinnedHit, tolerance: f64) {
    let surface = surfaces.iter().find(|surface| surface.entity == hit.entity).expect("a surface");
    let corners = surface.triangles[hit.triangle];
    let weights = hit.barycentrics.as_dvec3().to_array();
    let point: bevy_math::DVec3 =
        corners.iter().zip(weights).map(|(&corner, weight)| surface.positions[corner] * weight).sum();
    assert!((point - hit.point.as_dvec3()).length() < 4.0 * tolerance, "{hit:?} is not on its triangle");
    let skin = app.world().get::<bevy_mesh::skinning::SkinnedMesh>(hit.entity).expect("a skin");
    let index = hit.joint_index.expect("a joint");
    assert_eq!(hit.joint, Some(skin.joints[index]));
}
