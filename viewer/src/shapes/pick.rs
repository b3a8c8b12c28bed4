//! What a click meets: a ray through the copies as they are posed now.

use sinew::{Blending, DualPalette, JointBlend, LazyTree, Ray, SkinOptions};

use crate::draw::Copy;
use crate::scene::{Animated, Subject};

/// Where a ray met a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Which copy.
    pub copy: usize,
    /// Which part.
    pub part: usize,
    /// Which of its triangles.
    pub triangle: usize,
    /// Which joint of the skeleton has most weight there.
    pub joint: usize,
    /// Its name.
    pub joint_name: String,
    /// Where, in the scene.
    pub point: [f32; 3],
    /// From the eye.
    pub distance: f32,
}

/// The trees of all parts, made when something is first clicked.
#[derive(Default)]
pub struct Picker {
    trees: Vec<LazyTree>,
}

impl Picker {
    /// The nearest of all copies that a ray meets. Only what is near the ray is skinned; all of it with dual quaternions.
    pub fn cast(
        &mut self,
        (subject, blend): (&Subject, JointBlend),
        copies: (&[Animated], &[Copy]),
        (origin, direction): ([f32; 3], [f32; 3]),
    ) -> Option<Hit> {
        if self.trees.len() != subject.parts() {
            self.trees = (0..subject.parts()).map(|part| LazyTree::new(subject.mesh(part))).collect();
        }
        let mut nearest: Option<Hit> = None;
        for (index, (animated, copy)) in copies.0.iter().zip(copies.1).enumerate() {
            let from = subject.as_modelled([0, 1, 2].map(|i| origin[i] - copy.offset[i]));
            let mut ray = Ray::new(from, subject.as_modelled(direction));
            for part in 0..subject.parts() {
                ray.max_distance = nearest.as_ref().map_or(f32::INFINITY, |hit| hit.distance);
                if let Some(hit) = self.cast_at((subject, blend), (index, part), animated, &ray) {
                    let place = subject.upright(hit.point);
                    let point = [0, 1, 2].map(|i| place[i] + copy.offset[i]);
                    nearest = Some(Hit { point, ..hit });
                }
            }
        }
        nearest
    }

    fn cast_at(
        &mut self,
        (subject, blend): (&Subject, JointBlend),
        (copy, part): (usize, usize),
        animated: &Animated,
        ray: &Ray,
    ) -> Option<Hit> {
        let mesh = subject.mesh(part);
        let palette = &animated.palettes[subject.skin_of(part)];
        let mut duals = DualPalette::new(subject.skin(part));
        let turned = blend == JointBlend::Duals && duals.update(palette).is_ok();
        let options = SkinOptions {
            blending: if turned { Blending::Duals(&duals) } else { Blending::Linear },
            morphed: animated.morphed[part].as_ref(),
            ..SkinOptions::default()
        };
        let hit = self.trees[part].begin(mesh, palette, &options).ok()?.closest_hit(ray)?;
        let slot = mesh.joint_at(hit.triangle, hit.barycentrics);
        let joint = subject.skin(part).joints()[slot] as usize;
        Some(Hit {
            copy,
            part,
            triangle: hit.triangle,
            joint,
            joint_name: subject.model.skeleton().name(joint).to_owned(),
            point: hit.point,
            distance: hit.distance,
        })
    }
}
