//! All that skinning needs to know of a member: made by one step, read while the next is made.

use std::hint::black_box;

use super::MemberId;
use crate::model::{Palettes, PosedParts};
use crate::{Aabb, InstanceOptions, Matrix, Model, moved_bounds};

/// A member as a step left it.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) id: MemberId,
    pub(super) palettes: Palettes,
    pub(super) morph_weights: Vec<f32>,
    /// From model space to the world.
    pub(super) world: Matrix,
    /// Whether the palettes lead to the world.
    pub(super) in_world: bool,
    pub(super) max_influences: usize,
    /// The step in which the palettes were made.
    pub(super) step: u64,
}

impl Frame {
    /// At rest.
    pub(super) fn new(id: MemberId, model: &Model, options: &InstanceOptions) -> Self {
        let mut frame = Self {
            id,
            palettes: Palettes::new(model, options.joint_blend),
            morph_weights: model.skeleton().rest().morph_weights().to_vec(),
            world: Matrix::IDENTITY,
            in_world: false,
            max_influences: options.max_influences,
            step: 0,
        };
        let (skeleton, mut matrices) = (model.skeleton(), model.skeleton().model_matrices());
        skeleton.to_model(skeleton.rest(), .., &mut matrices).expect(MADE);
        frame.palettes.update(model, &matrices);
        frame
    }

    /// Joints as they were before. Where that is what it holds already, nothing is copied.
    pub(super) fn keep(&mut self, before: &Self) {
        if self.step != before.step {
            self.step = before.step;
            self.in_world = before.in_world;
            for (palette, before) in self.palettes.linear.iter_mut().zip(&before.palettes.linear) {
                palette.matrices_mut().copy_from_slice(before.matrices());
            }
            self.morph_weights.copy_from_slice(&before.morph_weights);
            self.palettes.update_duals();
        }
    }

    /// A box in the world that holds all vertices, from joints alone.
    pub(super) fn bounds(&self, model: &Model) -> Aabb {
        let Self { palettes, morph_weights, .. } = self;
        let all = PosedParts { model, palettes, morph_weights }.bounds();
        if self.in_world { all } else { moved_bounds(&all, &self.world) }
    }

    /// Brings the palettes near, all at once: each run asks for its matrices only when it begins, and would wait for each.
    pub(super) fn fetch(&self) {
        for palette in &self.palettes.linear {
            let bits = palette.matrices().iter().fold(0, |bits, matrix| bits ^ matrix.rows[0][0].to_bits());
            black_box(bits);
        }
    }

    /// Where the palettes lead: from there to the world.
    pub(super) fn world_from_skinned(&self) -> &Matrix {
        if self.in_world { const { &Matrix::IDENTITY } } else { &self.world }
    }
}

pub(super) const MADE: &str = "all was made for the model";
