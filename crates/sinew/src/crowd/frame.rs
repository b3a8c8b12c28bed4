//! All that skinning needs to know of a member: made by one step, read while the next is made.

use super::MemberId;
use crate::{
    Blending, Bounds, BoundsOptions, DualPalette, InstanceOptions, JointBlend, Matrix, Model, Palette,
    moved_bounds,
};

/// A member as a step left it.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) id: MemberId,
    /// Of each skin.
    pub(super) palettes: Vec<Palette>,
    /// Beside the palettes, where they are asked for.
    pub(super) duals: Vec<DualPalette>,
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
            palettes: model.skins().iter().map(Palette::new).collect(),
            duals: match options.joint_blend {
                JointBlend::Linear => Vec::new(),
                JointBlend::Duals => model.skins().iter().map(DualPalette::new).collect(),
            },
            morph_weights: model.skeleton().rest().morph_weights().to_vec(),
            world: Matrix::IDENTITY,
            in_world: false,
            max_influences: options.max_influences,
            step: 0,
        };
        let (skeleton, mut matrices) = (model.skeleton(), model.skeleton().model_matrices());
        skeleton.to_model(skeleton.rest(), .., &mut matrices).expect(MADE);
        for (palette, skin) in frame.palettes.iter_mut().zip(model.skins()) {
            palette.update(&matrices, skin).expect(MADE);
        }
        frame.update_duals();
        frame
    }

    pub(super) fn update_duals(&mut self) {
        for (duals, palette) in self.duals.iter_mut().zip(&self.palettes) {
            duals.update(palette).expect(MADE);
        }
    }

    /// Joints as they were before. Where that is what it holds already, nothing is copied.
    pub(super) fn keep(&mut self, before: &Self) {
        if self.step != before.step {
            self.step = before.step;
            self.in_world = before.in_world;
            for (palette, before) in self.palettes.iter_mut().zip(&before.palettes) {
                palette.matrices_mut().copy_from_slice(before.matrices());
            }
            self.morph_weights.copy_from_slice(&before.morph_weights);
            self.update_duals();
        }
    }

    /// A box in the world that holds all vertices, from joints alone.
    pub(super) fn bounds(&self, model: &Model) -> Bounds {
        let mut all = Bounds::EMPTY;
        for (index, part) in model.parts().iter().enumerate() {
            let mesh = &model.surface(index).mesh;
            let blending = match self.duals.get(part.skin) {
                Some(duals) if !mesh.in_joint_space() => Blending::Duals(duals),
                _ => Blending::Linear,
            };
            let morph_weights = &self.morph_weights[part.morph_weights.clone()];
            let options = BoundsOptions { blending, morph_weights };
            all = all.union(&mesh.bounds(&self.palettes[part.skin], &options).expect(MADE));
        }
        if self.in_world { all } else { moved_bounds(&all, &self.world) }
    }

    /// Where the palettes lead: from there to the world.
    pub(super) fn world_from_skinned(&self) -> &Matrix {
        if self.in_world { const { &Matrix::IDENTITY } } else { &self.world }
    }
}

pub(super) const MADE: &str = "all was made for the model";
