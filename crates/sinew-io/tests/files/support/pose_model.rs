//! Poses and skins a model through the library's public API.

use sinew::mesh::{Attributes, Morphed};
use sinew::skinning::Skinned;
use sinew::{Matrix, Model, Palette, Pose, SkinOptions};

/// Model matrices, palettes and positions.
pub(crate) struct PosedModel {
    /// One per joint.
    pub(crate) model_from_joint: Vec<Matrix>,
    /// The palette of each mesh instance's skin.
    pub(crate) palettes: Vec<Palette>,
    /// The positions of each mesh instance, in source order.
    pub(crate) positions: Vec<Vec<[f32; 3]>>,
}

/// Poses a model at rest, or at a time of a clip.
pub(crate) fn pose_model(model: &Model, clip: Option<(usize, f32)>) -> PosedModel {
    let skeleton = model.skeleton();
    let mut pose = Pose::new(skeleton);
    if let Some((clip, seconds)) = clip {
        let clip = &model.clips()[clip];
        clip.sample(seconds, &mut clip.cursor(), &mut pose).expect("a pose of the model's skeleton");
    }
    let mut model_from_joint = skeleton.identity_matrices();
    skeleton.to_model(&pose, .., &mut model_from_joint).expect("matrices of the skeleton");
    let mut posed = PosedModel { model_from_joint, palettes: Vec::new(), positions: Vec::new() };
    for (index, mesh_instance) in model.mesh_instances().iter().enumerate() {
        let skin = &model.skins()[mesh_instance.skin];
        let mut palette = Palette::new(skin);
        palette.update(&posed.model_from_joint, skin).expect("a palette of the skin");
        let mesh = &model.primitive(index).mesh;
        let mut skinned = Skinned::new(mesh, Attributes::Positions).expect("every mesh has positions");
        let weights = &pose.morph_weights()[mesh_instance.morph_weights.clone()];
        let mut morphed = Morphed::new(mesh);
        mesh.morph(weights, &mut morphed).expect("weights of the mesh instance");
        let options = SkinOptions::default().with_morphed(&morphed);
        mesh.skin(&palette, &options, &mut skinned).expect("a palette and memory of the mesh instance");
        let mut positions = vec![[0.0; 3]; mesh.len()];
        skinned.positions(mesh, &mut positions).expect("a position for each vertex");
        posed.palettes.push(palette);
        posed.positions.push(positions);
    }
    posed
}

/// Poses a model at rest and in some of its clips, and checks that vertices are finite where their
/// palette is finite and not huge.
#[allow(dead_code, reason = "not every test that poses models breaks them")]
pub(crate) fn check_finite(model: &Model, clips: usize) -> Result<(), String> {
    check_pose_finite(&pose_model(model, None)).map_err(|error| format!("at rest, {error}"))?;
    for (index, clip) in model.clips().iter().enumerate().take(clips) {
        let (start, end) = (clip.start(), clip.end());
        for time in [start, start + (end - start) * 0.37, start + (end - start) * 0.5, end] {
            let at = pose_model(model, Some((index, time)));
            check_pose_finite(&at).map_err(|error| format!("clip {index} at {time}, {error}"))?;
        }
    }
    Ok(())
}

fn check_pose_finite(posed: &PosedModel) -> Result<(), String> {
    for (mesh_instance, (palette, positions)) in posed.palettes.iter().zip(&posed.positions).enumerate() {
        let mut elements = palette.matrices().iter().flat_map(|matrix| matrix.rows.as_flattened());
        if elements.any(|element| element.is_nan()) {
            return Err(format!("mesh instance {mesh_instance}: a palette with numbers that are none"));
        }
        let mut elements = palette.matrices().iter().flat_map(|matrix| matrix.rows.as_flattened());
        let small = elements.all(|element| element.abs() < 1e15);
        let broken = positions.iter().position(|position| !position.iter().all(|part| part.is_finite()));
        if let Some(vertex) = broken.filter(|_| small) {
            return Err(format!("mesh instance {mesh_instance}: vertex {vertex} is not finite"));
        }
    }
    Ok(())
}
