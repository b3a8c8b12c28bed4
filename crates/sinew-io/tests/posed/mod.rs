//! A model's parts where a clip has them, by the public calls of the library and nothing else.

use sinew::{Attributes, Matrix, Model, Morphed, Palette, Pose, SkinOptions, Skinned};

/// Model matrices, palettes and positions.
pub struct Posed {
    /// Of all joints.
    pub model_from_joint: Vec<Matrix>,
    /// Of the skin of each part.
    pub palettes: Vec<Palette>,
    /// Of each part, in the order of its source.
    pub positions: Vec<Vec<[f32; 3]>>,
}

/// The parts at rest, or where a clip has them after so many seconds.
pub fn posed(model: &Model, clip: Option<(usize, f32)>) -> Posed {
    let skeleton = model.skeleton();
    let mut pose = Pose::new(skeleton);
    if let Some((clip, seconds)) = clip {
        let clip = &model.clips()[clip];
        clip.sample(seconds, &mut clip.cursor(), &mut pose).unwrap();
    }
    let mut model_from_joint = skeleton.model_matrices();
    skeleton.to_model(&pose, .., &mut model_from_joint).unwrap();
    let mut posed = Posed { model_from_joint, palettes: Vec::new(), positions: Vec::new() };
    for (index, part) in model.parts().iter().enumerate() {
        let skin = &model.skins()[part.skin];
        let mut palette = Palette::new(skin);
        palette.update(&posed.model_from_joint, skin).unwrap();
        let mesh = &model.surface(index).mesh;
        let mut skinned = Skinned::new(mesh, Attributes::Positions).unwrap();
        let weights = &pose.morph_weights()[part.morph_weights.clone()];
        let mut morphed = Morphed::new(mesh);
        mesh.morph(weights, &mut morphed).unwrap();
        let options = SkinOptions { morphed: Some(&morphed), ..SkinOptions::default() };
        mesh.skin(&palette, &options, &mut skinned).unwrap();
        let mut positions = vec![[0.0; 3]; mesh.len()];
        skinned.positions(mesh, &mut positions).unwrap();
        posed.palettes.push(palette);
        posed.positions.push(positions);
    }
    posed
}
