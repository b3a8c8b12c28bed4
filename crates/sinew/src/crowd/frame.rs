//! The result of a step for one member. It is double-buffered: skinning reads one frame while the
//! next step writes the other.

use std::hint::black_box;

use sinew_kernels::{Aabb, Matrix};

use super::MemberId;
use crate::bounds::transform_aabb;
use crate::model::{InstanceOptions, Model, Palettes, PosedMeshes};

/// A member after a step.
#[derive(Clone, Debug)]
pub(super) struct MemberFrame {
    pub(super) id: MemberId,
    pub(super) palettes: Palettes,
    pub(super) morph_weights: Vec<f32>,
    /// From model space to world space.
    pub(super) world: Matrix,
    /// Whether the palettes are in world space.
    pub(super) in_world: bool,
    pub(super) max_influences: usize,
    /// The step in which the palettes were computed.
    pub(super) step: u64,
}

impl MemberFrame {
    /// A frame at rest.
    pub(super) fn new(id: MemberId, model: &Model, options: &InstanceOptions) -> Self {
        let mut frame = Self {
            id,
            palettes: Palettes::new(model, options.skin_method),
            morph_weights: model.skeleton().rest().morph_weights().to_vec(),
            world: Matrix::IDENTITY,
            in_world: false,
            max_influences: options.max_influences,
            step: 0,
        };
        let (skeleton, mut matrices) = (model.skeleton(), model.skeleton().identity_matrices());
        skeleton.to_model(skeleton.rest(), .., &mut matrices).expect(BUILT_FOR_MODEL);
        frame.palettes.update(model, &matrices);
        frame
    }

    /// Copies the joints of the previous frame, unless this frame already has them.
    pub(super) fn keep(&mut self, before: &Self) {
        if self.step != before.step {
            self.step = before.step;
            self.in_world = before.in_world;
            for (palette, before) in self.palettes.linear.iter_mut().zip(&before.palettes.linear) {
                palette.matrices_mut().copy_from_slice(before.matrices());
            }
            self.morph_weights.copy_from_slice(&before.morph_weights);
            self.palettes.update_dual_quaternions();
        }
    }

    /// An AABB in world space of all vertices, computed from joints alone.
    pub(super) fn bounds(&self, model: &Model) -> Aabb {
        let Self { palettes, morph_weights, .. } = self;
        let all = PosedMeshes { model, palettes, morph_weights }.bounds();
        if self.in_world { all } else { transform_aabb(&all, &self.world) }
    }

    /// Loads all palettes into the cache at once. Otherwise each run would load its matrices when
    /// it begins, and wait for each.
    pub(super) fn prefetch(&self) {
        for palette in &self.palettes.linear {
            let bits = palette.matrices().iter().fold(0, |bits, matrix| bits ^ matrix.rows[0][0].to_bits());
            black_box(bits);
        }
    }

    /// The matrix from skinned vertices to world space.
    pub(super) fn world_from_skinned(&self) -> &Matrix {
        if self.in_world { const { &Matrix::IDENTITY } } else { &self.world }
    }
}

pub(super) const BUILT_FOR_MODEL: &str = "poses, palettes and buffers were built for the model";
