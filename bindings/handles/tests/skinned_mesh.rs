//! Meshes that the caller poses: clones, all hits, refits, and every way of skinning.

#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use sinew::mesh::{Deltas, MorphSource};
use sinew::{Influences, MeshSource};
use sinew_handles::records::{Attribute, Hit, Layout, Ray, SkinSettings};
use sinew_handles::*;

const LAYERS: usize = 5;

/// Triangles above each other, with a morph target that raises them.
fn layers(settings: &SkinSettings) -> Handle {
    let corner = |index: usize| [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]][index % 3];
    let position = |index: usize| [corner(index)[0], corner(index)[1], (index / 3) as f32];
    let positions: Vec<[f32; 3]> = (0..3 * LAYERS).map(position).collect();
    let deltas = [[0.0, 0.0, 1.0]; 3 * LAYERS];
    let triangles: Vec<[u32; 3]> = (0..LAYERS as u32).map(|layer| [0, 1, 2].map(|k| 3 * layer + k)).collect();
    let (counts, joints, weights) = ([1; 3 * LAYERS], [0; 3 * LAYERS], [1.0; 3 * LAYERS]);
    let influences = Influences::Variable { counts: &counts, joints: &joints, weights: &weights };
    let morphs = [MorphSource { positions: Deltas::Dense(&deltas), ..MorphSource::default() }];
    let source =
        MeshSource { triangles: &triangles, morphs: &morphs, ..MeshSource::new(&positions, influences) };
    skinned_mesh_new(2, &source, settings, 0).unwrap()
}

fn all_hits(mesh: Handle) -> Vec<Hit> {
    let ray =
        Ray { origin: [0.2, 0.2, -10.0], direction: [0.0, 0.0, 1.0], max_distance: f32::INFINITY, faces: 0 };
    let mut hits = Vec::new();
    skinned_mesh_cast_all(mesh, ray, |hit| hits.push(hit)).unwrap();
    hits
}

fn heights(mesh: Handle) -> Vec<f32> {
    let position = Attribute { format: 1, ..Attribute::default() };
    let layout = Layout { stride: 12, position, ..Layout::default() };
    let mut buffer = [0_u8; 12 * 3 * LAYERS];
    skinned_mesh_skin_into(mesh, &layout, [&mut buffer[..]], None).unwrap();
    let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
    buffer.chunks(36).map(|triangle| number(&triangle[8..12])).collect()
}

#[test]
fn all_hits_come_in_order_before_and_after_a_refit() {
    let mesh = layers(&SkinSettings::default());
    for _ in 0..2 {
        let hits = all_hits(mesh);
        assert_eq!(hits.iter().map(|hit| hit.triangle).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert!(hits.iter().all(|hit| hit.is_hit == 1 && hit.distance == 10.0 + hit.triangle as f32));
        skinned_mesh_refit(mesh).unwrap();
    }
    destroy(mesh, Kind::SkinnedMesh).unwrap();
    let ray = Ray { origin: [0.0; 3], direction: [0.0, 0.0, 1.0], max_distance: 1.0, faces: 0 };
    assert_eq!(skinned_mesh_cast_all(mesh, ray, |_| ()).unwrap_err().code, Code::StaleHandle);
}

#[test]
fn a_clone_has_a_pose_of_its_own() {
    let mesh = layers(&SkinSettings::default());
    skinned_mesh_set_morph_weights(mesh, &[1.0]).unwrap();
    let clone = skinned_mesh_clone(mesh).unwrap();
    assert_eq!(heights(clone), heights(mesh));
    skinned_mesh_set_morph_weights(mesh, &[0.0]).unwrap();
    destroy(mesh, Kind::SkinnedMesh).unwrap();
    assert_eq!(heights(clone), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(all_hits(clone)[0].distance, 11.0);
    assert_eq!(skinned_mesh_clone(mesh).unwrap_err().code, Code::StaleHandle);
    destroy(clone, Kind::SkinnedMesh).unwrap();
}

#[test]
fn dual_quaternions_and_morph_targets_are_skinned_in_source_order() {
    let mesh = layers(&SkinSettings { dual_quaternions: 1, ..SkinSettings::default() });
    skinned_mesh_set_morph_weights(mesh, &[0.5]).unwrap();
    assert_eq!(heights(mesh), [0.5, 1.5, 2.5, 3.5, 4.5]);
    let bounds = skinned_mesh_exact_bounds(mesh).unwrap();
    assert_eq!((bounds.min, bounds.max), ([0.0, 0.0, 0.5], [1.0, 1.0, 4.5]));
    assert_eq!(all_hits(mesh).len(), LAYERS);
    destroy(mesh, Kind::SkinnedMesh).unwrap();
}
