//! A figure that walks, and lights around it.

use sinew::{Attributes, Facing, Light, Matrix, Mesh, Palette, Points, Pose, Skin, SkinOptions, Skinned};
use sinew_figures::{Motion, Scene, figure, scene};
use sinew_testkit::random::Random;

use crate::solids;

pub(crate) struct Walker {
    scene: Scene,
    skin: Skin,
    pose: Pose,
    model_from_joint: Vec<Matrix>,
    palette: Palette,
    pub(crate) mesh: Mesh,
    skinned: Skinned,
}

impl Walker {
    /// A figure of that name, at rest.
    pub(crate) fn new(name: &str) -> Self {
        let scene = scene(name).expect("the name of a figure");
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints).expect("joints of the skeleton");
        let mesh = Mesh::new(&scene.shape.source(), &skin).expect("a sound mesh");
        let mut walker = Self {
            pose: scene.skeleton.rest_pose(),
            model_from_joint: scene.skeleton.model_matrices(),
            palette: Palette::new(&skin),
            skinned: Skinned::new(&mesh, Attributes::Positions).expect("positions"),
            scene,
            skin,
            mesh,
        };
        walker.walk(0.0);
        walker
    }

    /// Goes to a part of the walk, from 0 to 1.
    pub(crate) fn walk(&mut self, part: f32) {
        let Self { scene, skin, pose, model_from_joint, palette, mesh, skinned } = self;
        let posed = Motion::Walk.pose(&scene.skeleton, part * figure::WALK_SECONDS, pose);
        posed.expect("a pose of the figure");
        scene.skeleton.to_model(pose, .., model_from_joint).expect("matrices of the skeleton");
        palette.update(model_from_joint, skin).expect("the skin's palette");
        mesh.skin(palette, &SkinOptions::default(), skinned).expect("memory of the mesh");
    }

    pub(crate) fn points(&self) -> Points<'_> {
        self.skinned.points()
    }

    pub(crate) fn facing(&self, light: Light) -> Facing {
        solids::facing(self.points(), self.mesh.triangles(), light)
    }

    /// A light outside the figure, one in four infinitely far away.
    pub(crate) fn light(&self, random: &mut Random) -> Light {
        loop {
            let [x, y, z] = random.vector(3.0);
            if x * x + z * z > 1.0 {
                let far = random.once_in(4);
                return if far { Light::Direction([x, y, z]) } else { Light::Point([x, y + 1.0, z]) };
            }
        }
    }
}
