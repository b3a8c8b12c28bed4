//! A model's parts where a clip has them, by the public calls of the library and nothing else.

use sinew::{Attributes, Matrix, Model, Morphed, Palette, Pose, SkinOptions, Skinned};

/// Model matrices, palettes and positions.
pub(crate) struct Posed {
    /// Of all joints.
    pub(crate) model_from_joint: Vec<Matrix>,
    /// Of the skin of each part.
    pub(crate) palettes: Vec<Palette>,
    /// Of each part, in the order of its source.
    pub(crate) positions: Vec<Vec<[f32; 3]>>,
}

/// The parts at rest, or where a clip has them after so many seconds.
pub(crate) fn posed(model: &Model, clip: Option<(usize, f32)>) -> Posed {
    let skeleton = model.skeleton();
    let mut pose = Pose::new(skeleton);
    if let Some((clip, seconds)) = clip {
        let clip = &model.clips()[clip];
        clip.sample(seconds, &mut clip.cursor(), &mut pose).expect("a pose of the model's skeleton");
    }
    let mut model_from_joint = skeleton.model_matrices();
    skeleton.to_model(&pose, .., &mut model_from_joint).expect("matrices of the skeleton");
    let mut posed = Posed { model_from_joint, palettes: Vec::new(), positions: Vec::new() };
    for (index, part) in model.parts().iter().enumerate() {
        let skin = &model.skins()[part.skin];
        let mut palette = Palette::new(skin);
        palette.update(&posed.model_from_joint, skin).expect("a palette of the skin");
        let mesh = &model.surface(index).mesh;
        let mut skinned = Skinned::new(mesh, Attributes::Positions).expect("every mesh has positions");
        let weights = &pose.morph_weights()[part.morph_weights.clone()];
        let mut morphed = Morphed::new(mesh);
        mesh.morph(weights, &mut morphed).expect("weights of the part");
        let options = SkinOptions { morphed: Some(&morphed), ..SkinOptions::default() };
        mesh.skin(&palette, &options, &mut skinned).expect("a palette and memory of the part");
        let mut positions = vec![[0.0; 3]; mesh.len()];
        skinned.positions(mesh, &mut positions).expect("a position for each vertex");
        posed.palettes.push(palette);
        posed.positions.push(positions);
    }
    posed
}

/// Poses a model at rest and in some of its clips. Vertices must be finite wherever their palette is, and not close to
/// the end of numbers.
#[allow(dead_code, reason = "not every test that poses models breaks them")]
pub(crate) fn finite_from_finite(model: &Model, clips: usize) -> Result<(), String> {
    finite(&posed(model, None)).map_err(|fault| format!("at rest, {fault}"))?;
    for (index, clip) in model.clips().iter().enumerate().take(clips) {
        let (start, end) = (clip.start(), clip.end());
        for time in [start, start + (end - start) * 0.37, start + (end - start) * 0.5, end] {
            let at = posed(model, Some((index, time)));
            finite(&at).map_err(|fault| format!("clip {index} at {time}, {fault}"))?;
        }
    }
    Ok(())
}

fn finite(posed: &Posed) -> Result<(), String> {
    for (part, (palette, positions)) in posed.palettes.iter().zip(&posed.positions).enumerate() {
        let mut elements = palette.matrices().iter().flat_map(|matrix| matrix.rows.as_flattened());
        if elements.any(|element| element.is_nan()) {
            return Err(format!("part {part}: a palette with numbers that are none"));
        }
        let mut elements = palette.matrices().iter().flat_map(|matrix| matrix.rows.as_flattened());
        let small = elements.all(|element| element.abs() < 1e15);
        let broken = positions.iter().position(|position| !position.iter().all(|part| part.is_finite()));
        if let Some(vertex) = broken.filter(|_| small) {
            return Err(format!("part {part}: vertex {vertex} is not finite"));
        }
    }
    Ok(())
}
