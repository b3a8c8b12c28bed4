//! Picking: casts a ray at the copies in their current pose.

use sinew::query::LazyBvh;
use sinew::skinning::{Blending, DualQuaternionPalette, SkinMethod};
use sinew::{Ray, SkinOptions};

use crate::draw::ModelCopy;
use crate::scene::{AnimatedCopy, Subject};

/// A hit of a ray on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Index of the copy.
    pub copy: usize,
    /// Index of the mesh instance.
    pub mesh_instance: usize,
    /// Index of the triangle.
    pub triangle: usize,
    /// The joint of the skeleton with the largest weight at the point.
    pub joint: usize,
    /// Name of the joint.
    pub joint_name: String,
    /// The point in the scene.
    pub point: [f32; 3],
    /// Distance from the camera.
    pub distance: f32,
}

/// A BVH for each mesh instance, built at the first click.
#[derive(Default)]
pub struct Picker {
    trees: Vec<LazyBvh>,
}

impl Picker {
    /// The closest hit over all copies. Only vertices near the ray are skinned, except with dual
    /// quaternions.
    pub fn cast(
        &mut self,
        (subject, blend): (&Subject, SkinMethod),
        copies: (&[AnimatedCopy], &[ModelCopy]),
        (origin, direction): ([f32; 3], [f32; 3]),
    ) -> Option<Hit> {
        if self.trees.len() != subject.mesh_instances() {
            self.trees = (0..subject.mesh_instances())
                .map(|mesh_instance| subject.model.lazy_bvh(mesh_instance))
                .collect();
        }
        let mut nearest: Option<Hit> = None;
        for (index, (animated, copy)) in copies.0.iter().zip(copies.1).enumerate() {
            let from = subject.to_model([0, 1, 2].map(|i| origin[i] - copy.offset[i]));
            let mut ray = Ray::new(from, subject.to_model(direction));
            for mesh_instance in 0..subject.mesh_instances() {
                ray.max_distance = nearest.as_ref().map_or(f32::INFINITY, |hit| hit.distance);
                if let Some(hit) =
                    self.cast_mesh_instance((subject, blend), (index, mesh_instance), animated, &ray)
                {
                    let position = subject.to_scene(hit.point);
                    let point = [0, 1, 2].map(|i| position[i] + copy.offset[i]);
                    nearest = Some(Hit { point, ..hit });
                }
            }
        }
        nearest
    }

    fn cast_mesh_instance(
        &mut self,
        (subject, blend): (&Subject, SkinMethod),
        (copy, mesh_instance): (usize, usize),
        animated: &AnimatedCopy,
        ray: &Ray,
    ) -> Option<Hit> {
        let mesh = subject.mesh(mesh_instance);
        let palette = &animated.palettes[subject.skin_index(mesh_instance)];
        let mut duals = DualQuaternionPalette::new(subject.skin(mesh_instance));
        let use_duals = blend == SkinMethod::DualQuaternion && duals.update(palette).is_ok();
        let blending = if use_duals { Blending::DualQuaternion(&duals) } else { Blending::Linear };
        let mut options = SkinOptions::default().with_blending(blending);
        options.morphed = animated.morphed[mesh_instance].as_ref();
        let hit = self.trees[mesh_instance].begin(mesh, palette, &options).ok()?.closest_hit(ray)?;
        let slot = mesh.dominant_joint(hit.triangle, hit.barycentrics);
        let joint = subject.skin(mesh_instance).joint(slot);
        Some(Hit {
            copy,
            mesh_instance: mesh_instance,
            triangle: hit.triangle,
            joint: joint.index(),
            joint_name: subject.model.skeleton().name(joint).to_owned(),
            point: hit.point,
            distance: hit.distance,
        })
    }
}
