//! Boxes around what each joint moves, and around all.

use sinew::{Aabb, BoundsOptions, Model, Palette};

use super::actor::Actor;
use super::camera::{Shot, upright};
use crate::words::MADE;

/// Palettes and boxes, with memory of their own.
pub(super) struct Boxes {
    palettes: Vec<Palette>,
    of_joints: Vec<Aabb>,
}

impl Boxes {
    pub(super) fn new(model: &Model) -> Self {
        Self { palettes: model.skins().iter().map(Palette::new).collect(), of_joints: Vec::new() }
    }

    /// The edges of the boxes of all joints, as matrices blend them.
    pub(super) fn of_joints(&mut self, actor: &mut Actor, shot: &Shot, lines: &mut Vec<[[f32; 4]; 2]>) {
        let model = actor.baked().model().clone();
        let model_from_joint = actor.instance.model_matrices();
        for (palette, skin) in self.palettes.iter_mut().zip(model.skins()) {
            palette.update(model_from_joint, skin).expect(MADE);
        }
        for (index, part) in model.parts().iter().enumerate() {
            let weights = &actor.instance.pose().morph_weights()[part.morph_weights.clone()];
            let options = BoundsOptions { morph_weights: weights, ..BoundsOptions::default() };
            self.of_joints.clear();
            self.of_joints.resize(model.skins()[part.skin].len(), Aabb::EMPTY);
            let palette = &self.palettes[part.skin];
            // A weight that is not a number has no bounds.
            if model.surface(index).mesh.joint_bounds(palette, &options, &mut self.of_joints).is_err() {
                continue;
            }
            for bounds in &self.of_joints {
                push(bounds, &model, shot, lines);
            }
        }
    }

    /// The edges of the smallest box around all vertices.
    pub(super) fn of_all(&self, actor: &Actor, shot: &Shot, lines: &mut Vec<[[f32; 4]; 2]>) {
        push(&Aabb::from_points(actor.baked().positions()), actor.baked().model(), shot, lines);
    }
}

fn push(bounds: &Aabb, model: &Model, shot: &Shot, lines: &mut Vec<[[f32; 4]; 2]>) {
    if !bounds.is_empty() {
        lines.extend(edges(bounds).map(|ends| ends.map(|end| shot.view.point(upright(model.up(), end)))));
    }
}

/// The twelve edges of a box.
fn edges(bounds: &Aabb) -> [[[f32; 3]; 2]; 12] {
    let corner = |bits: usize| {
        [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { bounds.max[axis] } else { bounds.min[axis] })
    };
    std::array::from_fn(|edge| {
        let axis = edge / 4;
        // The other two axes count from 0 to 3.
        let low = (edge & 1) << ((axis + 1) % 3) | (edge >> 1 & 1) << ((axis + 2) % 3);
        [corner(low), corner(low | 1 << axis)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_edges_and_each_corner_three() {
        let edges = edges(&Aabb { min: [0.0; 3], max: [1.0, 2.0, 3.0] });
        let mut ends: Vec<[f32; 3]> = edges.into_iter().flatten().collect();
        assert!(edges.iter().all(|[a, b]| (0..3).filter(|&axis| a[axis] != b[axis]).count() == 1));
        ends.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        assert!(ends.chunks(3).all(|three| three[0] == three[2]));
        ends.dedup();
        assert_eq!(ends.len(), 8);
    }
}
