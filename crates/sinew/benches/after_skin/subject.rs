//! The figure that is timed, in a walk.

use std::error::Error;

use sinew::{Attributes, Mesh, Palette, Skin, SkinOptions, Skinned};
use sinew_figures::{Motion, figure, scene};

/// How many moments of the walk there are.
pub(crate) const MOMENTS: usize = 16;

/// A figure at some moments of its walk.
pub(crate) struct Subject {
    pub(crate) mesh: Mesh,
    pub(crate) palettes: Vec<Palette>,
    /// The positions of each moment.
    pub(crate) skinned: Vec<Skinned>,
}

impl Subject {
    pub(crate) fn new(name: &str) -> Result<Self, Box<dyn Error>> {
        let scene = scene(name)?;
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mesh = Mesh::new(&scene.shape.source(), &skin)?;
        let mut pose = scene.skeleton.rest_pose();
        let mut model_from_joint = scene.skeleton.model_matrices();
        let mut palettes = vec![Palette::new(&skin); MOMENTS];
        let mut skinned = vec![Skinned::new(&mesh, Attributes::Positions)?; MOMENTS];
        for (moment, (palette, skinned)) in palettes.iter_mut().zip(&mut skinned).enumerate() {
            let seconds = figure::WALK_SECONDS * moment as f32 / MOMENTS as f32;
            Motion::Walk.pose(&scene.skeleton, seconds, &mut pose)?;
            scene.skeleton.to_model(&pose, .., &mut model_from_joint)?;
            palette.update(&model_from_joint, &skin)?;
            mesh.skin(palette, &SkinOptions::default(), skinned)?;
        }
        Ok(Self { mesh, palettes, skinned })
    }
}
