//! The bounding box of each copy, computed from its joints.

use sinew::Aabb;
use sinew::bounds::BoundsOptions;

use crate::draw::{LineVertex, ModelCopy};
use crate::scene::{AnimatedCopy, Subject};

const COLOR: [u8; 4] = [130, 225, 150, 200];

/// Adds the edges of the bounding box of a copy.
pub fn add_bounds(subject: &Subject, animated: &AnimatedCopy, copy: &ModelCopy, lines: &mut Vec<LineVertex>) {
    let mut all = Aabb::EMPTY;
    for mesh_instance in 0..subject.mesh_instances() {
        let palette = &animated.palettes[subject.skin_index(mesh_instance)];
        let weights =
            &animated.morph_weights[subject.model.mesh_instances()[mesh_instance].morph_weights.clone()];
        let options = BoundsOptions::default().with_morph_weights(weights);
        let Ok(bounds) = subject.model.joint_bounds(mesh_instance).aabb(palette, &options) else { continue };
        for axis in 0..3 {
            all.min[axis] = all.min[axis].min(bounds.min[axis]);
            all.max[axis] = all.max[axis].max(bounds.max[axis]);
        }
    }
    let sides = [all.min, all.max];
    if sides.as_flattened().iter().any(|number| !number.is_finite()) {
        return;
    }
    let corner = |bits: usize| {
        let position = subject.to_scene([0, 1, 2].map(|axis| sides[bits >> axis & 1][axis]));
        LineVertex { position: [0, 1, 2].map(|i| position[i] + copy.offset[i]), color: COLOR }
    };
    for from in 0..8_usize {
        for axis in (0..3).filter(|axis| from >> axis & 1 == 0) {
            lines.extend([corner(from), corner(from | 1 << axis)]);
        }
    }
}
