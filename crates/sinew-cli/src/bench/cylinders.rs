//! Davies' application without its window: 64 cylinders of over 2000 vertices and 30 bones, animated and skinned.

use sinew::{Matrix, Mesh, NormalTransform, Palette, Pose, Skin};
use sinew_figures::cylinder::{Weighting, cylinder};
use sinew_figures::methods::{Method, Output, Scratch, Skinner as Made, Subject};
use sinew_figures::{Motion, Scene};

use crate::Failure;

/// As many as in the paper.
pub(super) const CYLINDERS: usize = 64;

const CHECKED: &str = "all of it was made for this cylinder";

/// One cylinder; all 64 are alike but for their poses.
pub(super) struct Cylinders {
    scene: Scene,
    skin: Skin,
    mesh: Mesh,
}

/// Takes the number of a cylinder and its palette.
pub(super) type Skinner = Box<dyn FnMut(usize, &Palette) + Send>;

impl Cylinders {
    pub(super) fn new(weights: usize) -> Result<Self, Failure> {
        let weighting = match weights {
            1 => Weighting::One,
            2 => Weighting::Two,
            3 => Weighting::Three,
            _ => Weighting::Four,
        };
        let scene = cylinder(weighting)?;
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mesh = Mesh::new(&scene.shape.source(), &skin)?;
        Ok(Self { scene, skin, mesh })
    }

    /// Vertices of all cylinders.
    pub(super) fn vertices(&self) -> usize {
        CYLINDERS * self.mesh.len()
    }

    /// A palette for each cylinder.
    pub(super) fn palettes(&self) -> Vec<Palette> {
        vec![Palette::new(&self.skin); CYLINDERS]
    }

    /// What writes the palettes of all cylinders.
    pub(super) fn animator(&self, motion: Motion) -> Animator<'_> {
        let skeleton = &self.scene.skeleton;
        Animator {
            cylinders: self,
            motion,
            pose: skeleton.rest_pose(),
            model_from_joint: skeleton.model_matrices(),
        }
    }

    /// What writes the vertices of cylinders, each into memory of its own. The paper brings normals back to length one.
    pub(super) fn skinner(&self, method: Method) -> Result<Skinner, Failure> {
        let subject = Subject {
            mesh: &self.mesh,
            skin: &self.skin,
            max_influences: usize::MAX,
            normals: NormalTransform::BlendedMatrix,
        };
        let made = Made::new(&subject, method).map_err(Failure::Input)?;
        let mut memory: Vec<Output> = (0..CYLINDERS).map(|_| made.output()).collect();
        let mut scratch = Scratch::default();
        Ok(Box::new(move |cylinder, palette| made.skin(palette, None, &mut scratch, &mut memory[cylinder])))
    }
}

/// What writes the palettes of a frame.
pub(super) struct Animator<'a> {
    cylinders: &'a Cylinders,
    motion: Motion,
    pose: Pose,
    model_from_joint: Vec<Matrix>,
}

impl Animator<'_> {
    /// The palettes of all cylinders in a frame, a sixtieth of a second after the one before; no two cylinders stand alike.
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
