//! The timed figure, at several phases of its walk.

use std::error::Error;

use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{Mesh, Palette, Skin, SkinOptions};
use sinew_figures::{Motion, figure, scene};

/// The number of phases of the walk.
pub(crate) const PHASES: usize = 16;

/// A figure at several phases of its walk.
pub(crate) struct WalkingFigure {
    pub(crate) mesh: Mesh,
    pub(crate) palettes: Vec<Palette>,
    /// The positions at each phase.
    pub(crate) skinned: Vec<Skinned>,
}

impl WalkingFigure {
    pub(crate) fn new(name: &str) -> Result<Self, Box<dyn Error>> {
        let scene = scene(name)?;
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mesh = Mesh::new(&scene.mesh.source(), &skin)?;
        let mut pose = scene.skeleton.rest_pose();
        let mut model_from_joint = scene.skeleton.identity_matrices();
        let mut palettes = vec![Palette::new(&skin); PHASES];
        let mut skinned = vec![Skinned::new(&mesh, Attributes::Positions)?; PHASES];
        for (phase, (palette, skinned)) in palettes.iter_mut().zip(&mut skinned).enumerate() {
            let seconds = figure::WALK_SECONDS * phase as f32 / PHASES as f32;
            Motion::Walk.pose(&scene.skeleton, seconds, &mut pose)?;
            scene.skeleton.to_model(&pose, .., &mut model_from_joint)?;
            palette.update(&model_from_joint, &skin)?;
            mesh.skin(palette, &SkinOptions::default(), skinned)?;
        }
        Ok(Self { mesh, palettes, skinned })
    }
}
