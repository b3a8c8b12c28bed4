//! Davies' application without its window: 64 cylinders of over 2000 vertices and 30 joints,
//! animated and skinned.

use crate::methods::{Method, Output, Scratch, SkinInput, Skinner};
use sinew::skinning::NormalTransform;
use sinew::{Matrix, Mesh, Palette, Pose, Skin};
use sinew_figures::cylinder::{Weighting, cylinder};
use sinew_figures::{Motion, Scene};

use crate::Error;

/// The number of cylinders, as in the paper.
pub(super) const CYLINDERS: usize = 64;

const CHECKED: &str = "pose, matrices and palette were made for this cylinder";

/// The cylinder. All 64 differ only in their poses.
pub(super) struct Cylinders {
    scene: Scene,
    skin: Skin,
    mesh: Mesh,
}

/// Skins the cylinder of this index with its palette.
pub(super) type CylinderSkinner = Box<dyn FnMut(usize, &Palette) + Send>;

impl Cylinders {
    pub(super) fn new(weights: usize) -> Result<Self, Error> {
        let weighting = match weights {
            1 => Weighting::One,
            2 => Weighting::Two,
            3 => Weighting::Three,
            _ => Weighting::Four,
        };
        let scene = cylinder(weighting)?;
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mesh = Mesh::new(&scene.mesh.source(), &skin)?;
        Ok(Self { scene, skin, mesh })
    }

    /// The number of vertices of all cylinders.
    pub(super) fn vertices(&self) -> usize {
        CYLINDERS * self.mesh.len()
    }

    /// Allocates a palette per cylinder.
    pub(super) fn palettes(&self) -> Vec<Palette> {
        vec![Palette::new(&self.skin); CYLINDERS]
    }

    /// An animator for all cylinders.
    pub(super) fn animator(&self, motion: Motion) -> Animator<'_> {
        let skeleton = &self.scene.skeleton;
        Animator {
            cylinders: self,
            motion,
            pose: skeleton.rest_pose(),
            model_from_joint: skeleton.identity_matrices(),
        }
    }

    /// A closure that skins cylinders, each into its own memory. Normals are renormalized, as in
    /// the paper.
    pub(super) fn skinner(&self, method: Method) -> Result<CylinderSkinner, Error> {
        let input = SkinInput {
            mesh: &self.mesh,
            skin: &self.skin,
            max_influences: usize::MAX,
            normals: NormalTransform::BlendedMatrix,
        };
        let skinner = Skinner::new(&input, method).map_err(Error::Method)?;
        let mut memory: Vec<Output> = (0..CYLINDERS).map(|_| skinner.output()).collect();
        let mut scratch = Scratch::default();
        Ok(Box::new(move |cylinder, palette| {
            skinner.skin(palette, None, &mut scratch, &mut memory[cylinder])
        }))
    }
}

/// Computes the palettes of a frame.
pub(super) struct Animator<'a> {
    cylinders: &'a Cylinders,
    motion: Motion,
    pose: Pose,
    model_from_joint: Vec<Matrix>,
}

impl Animator<'_> {
    /// Computes the palettes of all cylinders. Frames are a sixtieth of a second apart; each
    /// cylinder has its own time offset.
    pub(super) fn animate(&mut self, frame: usize, palettes: &mut [Palette]) {
        let skeleton = &self.cylinders.scene.skeleton;
        for (cylinder, palette) in palettes.iter_mut().enumerate() {
            let seconds = (frame % 6000) as f32 / 60.0 + cylinder as f32 * 0.37;
            self.motion.pose(skeleton, seconds, &mut self.pose).expect(CHECKED);
            skeleton.to_model(&self.pose, .., &mut self.model_from_joint).expect(CHECKED);
            palette.update(&self.model_from_joint, &self.cylinders.skin).expect(CHECKED);
        }
    }
}
