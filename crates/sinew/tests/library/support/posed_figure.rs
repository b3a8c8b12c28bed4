//! A figure in random poses and in a walk, with rays and lights around it.

use std::collections::BTreeMap;

use sinew::geometry::{Facing, Light, PositionView};
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{Aabb, Mesh, Palette, Pose, Ray, Skeleton, Skin, SkinOptions};
use sinew_figures::{Motion, figure, scene};
use sinew_testkit::random::Random;

use super::scene_cache::{Cache, get_or_build};
use super::triangle_meshes::compute_facing;

/// A figure with its pose, and the positions skinned with it.
#[derive(Clone)]
pub(crate) struct PosedFigure {
    pub(crate) skeleton: Skeleton,
    pub(crate) skin: Skin,
    pub(crate) mesh: Mesh,
    pub(crate) pose: Pose,
    pub(crate) palette: Palette,
    pub(crate) skinned: Skinned,
}

impl PosedFigure {
    /// The figure of about so many vertices, at rest.
    pub(crate) fn with_vertices(vertices: usize) -> Self {
        Self::load(&format!("@figure:{vertices}"))
    }

    /// The figure of a scene, at rest.
    pub(crate) fn load(name: &str) -> Self {
        static CACHE: Cache<PosedFigure> = Cache::new(BTreeMap::new());
        get_or_build(&CACHE, name, || Self::build(name))
    }

    fn build(name: &str) -> Self {
        let scene = scene(name).expect("a scene");
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints).expect("a valid skin");
        let mesh = Mesh::new(&scene.mesh.source(), &skin).expect("a valid mesh");
        let mut figure = Self {
            pose: scene.skeleton.rest_pose(),
            palette: Palette::new(&skin),
            skinned: Skinned::new(&mesh, Attributes::Positions).expect("positions"),
            skeleton: scene.skeleton,
            skin,
            mesh,
        };
        figure.skin_pose();
        figure
    }

    /// Rotates every joint from rest by up to about half a radian, and skins.
    pub(crate) fn pose_randomly(&mut self, random: &mut Random) {
        self.pose.copy_from(self.skeleton.rest()).expect("a pose of the skeleton");
        for joint in self.skeleton.joints() {
            let [x, y, z] = random.vector(0.25);
            let [a, b, c, d] = self.pose.rotation(joint);
            // The product with (x, y, z, 1), whose length is not one; normalized below.
            let rotated = [
                a + d * x + b * z - c * y,
                b + d * y + c * x - a * z,
                c + d * z + a * y - b * x,
                d - a * x - b * y - c * z,
            ];
            let length = rotated.iter().map(|element| element * element).sum::<f32>().sqrt();
            self.pose.set_rotation(joint, rotated.map(|element| element / length));
        }
        self.skin_pose();
    }

    /// Poses the figure at a phase of its walk, from 0 to 1, and skins.
    pub(crate) fn walk_to(&mut self, phase: f32) {
        let seconds = phase * figure::WALK_SECONDS;
        Motion::Walk.pose(&self.skeleton, seconds, &mut self.pose).expect("a pose of the figure");
        self.skin_pose();
    }

    fn skin_pose(&mut self) {
        let mut matrices = self.skeleton.identity_matrices();
        self.skeleton.to_model(&self.pose, .., &mut matrices).expect("a pose of the skeleton");
        self.palette.update(&matrices, &self.skin).expect("matrices of the skeleton");
        self.mesh
            .skin(&self.palette, &SkinOptions::default(), &mut self.skinned)
            .expect("memory of the mesh");
    }

    pub(crate) fn position_view(&self) -> PositionView<'_> {
        self.skinned.position_view()
    }

    pub(crate) fn bounds(&self) -> Aabb {
        self.skinned.bounds()
    }

    /// A point anywhere in the bounding box.
    pub(crate) fn random_point(&self, random: &mut Random) -> [f32; 3] {
        let Aabb { min, max } = self.bounds();
        [0, 1, 2].map(|axis: usize| random.between(min[axis], max[axis]))
    }

    /// A ray from anywhere around the figure through a point in its bounding box.
    pub(crate) fn random_ray(&self, random: &mut Random) -> Ray {
        let (origin, target) = (random.vector(3.0), self.random_point(random));
        Ray::new(origin, [0, 1, 2].map(|axis: usize| target[axis] - origin[axis]))
    }

    /// A light outside the figure. One in four is infinitely far away.
    pub(crate) fn random_light(&self, random: &mut Random) -> Light {
        loop {
            let [x, y, z] = random.vector(3.0);
            if x * x + z * z > 1.0 {
                let far = random.once_in(4);
                return if far { Light::Direction([x, y, z]) } else { Light::Point([x, y + 1.0, z]) };
            }
        }
    }

    pub(crate) fn facing(&self, light: Light) -> Facing {
        compute_facing(self.position_view(), self.mesh.triangles(), light)
    }

    /// The corners of all triangles.
    pub(crate) fn triangle_corners(&self) -> Vec<[[f32; 3]; 3]> {
        let points = self.position_view();
        let corners = |triangle: &[u32; 3]| triangle.map(|slot| points.position(slot as usize));
        self.mesh.triangles().iter().map(corners).collect()
    }
}
