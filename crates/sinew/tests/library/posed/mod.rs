//! A figure in random poses, and rays at it.

pub(crate) mod vectors;

use std::collections::BTreeMap;

use sinew::{Aabb, Attributes, Mesh, Palette, Pose, Ray, Skeleton, Skin, SkinOptions, Skinned};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

use crate::made::{self, Made};

/// The first of two numbers of cases in an emulator, and else the second.
pub(crate) fn count(few: usize, many: usize) -> usize {
    if EMULATED { few } else { many }
}

/// A mesh, posed and skinned.
#[derive(Clone)]
pub(crate) struct Posed {
    pub(crate) skeleton: Skeleton,
    pub(crate) skin: Skin,
    pub(crate) mesh: Mesh,
    pub(crate) pose: Pose,
    pub(crate) palette: Palette,
    pub(crate) skinned: Skinned,
}

impl Posed {
    /// The figure at rest, of about so many vertices.
    pub(crate) fn figure(vertices: usize) -> Self {
        static MADE: Made<Posed> = Made::new(BTreeMap::new());
        let name = format!("@figure:{vertices}");
        made::once(&MADE, &name, || Self::new(&name))
    }

    fn new(name: &str) -> Self {
        let scene = sinew_figures::scene(name).expect("a scene");
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints).expect("a sound skin");
        let mesh = Mesh::new(&scene.shape.source(), &skin).expect("a sound mesh");
        let mut posed = Self {
            pose: scene.skeleton.rest_pose(),
            palette: Palette::new(&skin),
            skinned: Skinned::new(&mesh, Attributes::Positions).expect("positions"),
            skeleton: scene.skeleton,
            skin,
            mesh,
        };
        posed.skin();
        posed
    }

    /// Turns every joint some way, by up to half a radian or so, and skins.
    pub(crate) fn turn(&mut self, random: &mut Random) {
        self.pose.copy_from(self.skeleton.rest()).expect("the skeleton's own");
        for joint in self.pose.joints_mut() {
            let [x, y, z] = random.vector(0.25);
            let [a, b, c, d] = joint.rotation;
            // The product with a rotation of length one but for what normalising mends.
            let turned = [
                a + d * x + b * z - c * y,
                b + d * y + c * x - a * z,
                c + d * z + a * y - b * x,
                d - a * x - b * y - c * z,
            ];
            let length = turned.iter().map(|element| element * element).sum::<f32>().sqrt();
            joint.rotation = turned.map(|element| element / length);
        }
        self.skin();
    }

    fn skin(&mut self) {
        let mut matrices = self.skeleton.model_matrices();
        self.skeleton.to_model(&self.pose, .., &mut matrices).expect("the skeleton's own");
        self.palette.update(&matrices, &self.skin).expect("the skin's own");
        self.mesh.skin(&self.palette, &SkinOptions::default(), &mut self.skinned).expect("the mesh's own");
    }

    pub(crate) fn bounds(&self) -> Aabb {
        self.skinned.bounds()
    }

    /// Somewhere in the box.
    pub(crate) fn point(&self, random: &mut Random) -> [f32; 3] {
        let Aabb { min, max } = self.bounds();
        [0, 1, 2].map(|axis: usize| random.between(min[axis], max[axis]))
    }

    /// From somewhere around to somewhere in the box, and on.
    pub(crate) fn ray(&self, random: &mut Random) -> Ray {
        let (origin, target) = (random.vector(3.0), self.point(random));
        Ray::new(origin, [0, 1, 2].map(|axis: usize| target[axis] - origin[axis]))
    }

    /// The corners of all triangles.
    pub(crate) fn corners(&self) -> Vec<[[f32; 3]; 3]> {
        let points = self.skinned.points();
        let corners = |triangle: &[u32; 3]| triangle.map(|place| points.point(place as usize));
        self.mesh.triangles().iter().map(corners).collect()
    }
}
