//! Skins MD5 models, and compares positions.

use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{Clip, Model, Palette, SkinOptions};

/// The positions and normals of all mesh instances, at rest or at a time of a clip.
pub(crate) fn skin_model(model: &Model, at: Option<(&Clip, f32)>) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let skeleton = model.skeleton();
    let mut pose = skeleton.rest_pose();
    if let Some((clip, seconds)) = at {
        clip.sample(seconds, &mut clip.cursor(), &mut pose).expect("a clip of the model");
    }
    let mut model_from_joint = skeleton.identity_matrices();
    skeleton.to_model(&pose, .., &mut model_from_joint).expect("matrices");
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for (number, mesh_instance) in model.mesh_instances().iter().enumerate() {
        let (mesh, skin) = (&model.primitive(number).mesh, &model.skins()[mesh_instance.skin]);
        let mut palette = Palette::new(skin);
        palette.update(&model_from_joint, skin).expect("a palette");
        let mut skinned = Skinned::new(mesh, Attributes::Normals).expect("normals");
        mesh.skin(&palette, &SkinOptions::default(), &mut skinned).expect("a skinned mesh instance");
        let mut of_part = [vec![[0.0; 3]; mesh.len()], vec![[0.0; 3]; mesh.len()]];
        skinned.positions(mesh, &mut of_part[0]).expect("positions");
        skinned.normals(mesh, &mut of_part[1]).expect("normals");
        positions.append(&mut of_part[0]);
        normals.append(&mut of_part[1]);
    }
    (positions, normals)
}

/// The distances of points relative to the diagonal of the expected bounds: the median and the
/// largest.
pub(crate) fn relative_errors(found: &[[f32; 3]], expected: &[[f64; 3]]) -> (f64, f64) {
    assert_eq!(found.len(), expected.len());
    let side = |axis: usize| {
        let ends = expected.iter().fold((f64::MAX, f64::MIN), |(least, most), point| {
            (least.min(point[axis]), most.max(point[axis]))
        });
        ends.1 - ends.0
    };
    let diagonal = (0..3).map(|axis| side(axis) * side(axis)).sum::<f64>().sqrt();
    let distance = |(found, expected): (&[f32; 3], &[f64; 3])| {
        let squares = (0..3).map(|axis| (f64::from(found[axis]) - expected[axis]).powi(2));
        squares.sum::<f64>().sqrt() / diagonal
    };
    let mut all: Vec<f64> = found.iter().zip(expected).map(distance).collect();
    all.sort_by(f64::total_cmp);
    (all[all.len() / 2], all[all.len() - 1])
}

/// Checks the promised accuracy of positions: 1e-6 at the median and 1e-5 at most.
pub(crate) fn assert_near(found: &[[f32; 3]], expected: &[[f64; 3]], what: &str) {
    let (median, most) = relative_errors(found, expected);
    assert!(median <= 1e-6 && most <= 1e-5, "{what}: median {median:e}, most {most:e}");
}
